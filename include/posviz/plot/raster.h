/* raster.h: figures on paper, through cairo and pango.
 *
 * The same input gives the same bytes, by fixed hinting and resolution and without a clock. A
 * report lists the text that was drawn, so that tests can check for every figure that nothing
 * overlaps and nothing is cut. */
#ifndef POSVIZ_RASTER_H
#define POSVIZ_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/plot/figure.h"

/* The foot of a page: the figure's caption; the caption and the command; or neither, and no title,
 * because the document around it has its own, and panels have letters that its text can name. */
enum foot { FOOT_CAPTION, FOOT_COMMAND, FOOT_NONE };

/* The form of a page. Its units are pixels of an image that is as large as the page, or 1/96
 * inch. */
struct raster_look {
	double width, height; /* height 0: as high as the figure needs at this width */
	double dpi;	      /* pixels per inch; 0: 96 */
	bool dark;	      /* the dark theme, for slides */
	enum foot foot;
	double pixels; /* pixels of an image per unit; 0: one */
	/* size of labels in units; 0: as large as the page allows, at least 12 */
	double type;
	const char *font; /* font family; NULL: the default. Formulas keep theirs */
	bool embed_fonts; /* an SVG contains the glyphs of its fonts that it uses */
};

/* Returns the pixels of an image for a length of `units`. */
int raster_pixels(const struct raster_look *look, double units);

struct image {
	int width, height;
	uint8_t *rgb; /* 3 bytes a pixel, rows without gaps */
};

/* A line of text as drawn: a box of its logical extent whose first corner (top left of the
 * unrotated text) is at (x, y), rotated about that corner by `angle`, clockwise on the page. */
struct text_box {
	double x, y, width, height;
	double angle; /* radians */
	/* size of its font; in a formula that of the letters that are neither raised nor lowered */
	double letters;
	const char *text;
	uint32_t ink, paper; /* colours of letters and background */
	/* parts of the height of a label without ink, which its neighbours may use */
	double free_above, free_below;
};

struct raster_report {
	double width, height; /* of the page in units */
	struct text_box *boxes;
	size_t n;
	struct shown_panel {
		struct panel panel;
		char letter; /* 'a'; 0: none */
	} * shown;	     /* in the order of their letters */
	size_t n_shown;
	/* the panels without room, unless the page itself names them; or NULL */
	const char *left_out;
	/* a font that was asked for and is missing, and the one that replaced it; NULL: none */
	const char *font;
	const char *font_taken;
	size_t missing_glyphs;
	const char *missing_sample; /* the first text with a missing glyph, or NULL */
	struct plot_box {
		double x, y, width, height; /* data rectangle of a heatmap or curve panel */
		size_t panel;
		/* words are in it or beside it, and none crosses its edges */
		bool framed;
	} * plots;
	size_t plot_n;
	struct bar_box {
		double x, y, width, height; /* of the colours */
		double lo, hi;		    /* the limits printed at its ends */
		bool lies;		    /* horizontal, from left to right; else upwards */
	} bars[FIGURE_PANELS];
	size_t bar_n;
};

/* Tell if two boxes overlap by more than a hair, and if a box lies inside a page of this size. */
bool text_box_overlap(const struct text_box *a, const struct text_box *b);
bool text_box_inside(const struct text_box *box, double width, double height);
double text_box_bottom(const struct text_box *box); /* y of its lowest corner */

/* Draws into an image. Panels without room to be legible are left out, the least important first,
 * and the page says so if it has room for that. A page with FOOT_NONE, or with panels that the user
 * chose, leaves this to its report. Even a page of one pixel is drawn: the essential panel gets all
 * of it. Fails on absurd sizes, and if no font is found. `report` may be NULL. */
bool raster_image(const struct figure *f, const struct raster_look *look, struct arena *a,
		  struct image *out, struct raster_report *report, struct err *err);

/* Prepares the fonts of such a page in another thread while its numbers are computed. The next
 * drawing of this thread uses them; if there is none, raster_begin_end must be called before the
 * program ends. */
void raster_begin(const struct raster_look *look);
void raster_begin_end(void);

/* Chooses the size of a page for a contact sheet by its number of maps, between that of a screen
 * and that of a poster, and stores it in `look`; never more than RASTER_CONTACT_MOST. If maps are
 * not legible on a page of a given size, raster_image and raster_vector fail, with an error that
 * says what size would do. */
enum { RASTER_CONTACT_MOST = 8000 };
bool raster_contact_size(const struct figure *f, struct raster_look *look, struct arena *a,
			 struct err *err);

/* Reduces the letters of `look`, a page of inches, until a contact sheet is legible on a page of
 * that size: `type` is lowered in tenths of a point, but not below `least` units. */
bool raster_contact_letters(const struct figure *f, struct raster_look *look, double least,
			    struct arena *a, struct err *err);

/* The greatest height, in units, of a page of a contact sheet that is as high as its maps need: 9 in,
 * a column of paper. Maps become smaller for it within limits; what has no room on it despite that is
 * a higher page, or several. */
static const double RASTER_CONTACT_PAPER = 9 * 96;
/* Divides a contact sheet into pages of paper, each a figure with a contact sheet, and sets the
 * height of `look` to that of each; a sheet that has room on one, or a page whose height is given,
 * stays as it is. */
bool raster_contact_pages(const struct figure *f, struct raster_look *look, struct arena *a,
			  struct figure **pages, size_t *n, struct err *err);

/* Draws a PDF of several pages of one size; reports has one report of each. */
bool raster_pages(const struct figure *pages, size_t n, const struct raster_look *look,
		  struct arena *a, char **data, size_t *len, struct raster_report *reports,
		  struct err *err);

/* Draws a vector file into memory: its bytes are data[len], allocated from `a`. Leaves out panels
 * and fails as raster_image does. */
enum raster_vector { RASTER_SVG, RASTER_PDF };
bool raster_vector(const struct figure *f, const struct raster_look *look, enum raster_vector kind,
		   struct arena *a, char **data, size_t *len, struct raster_report *report,
		   struct err *err);

/* Returns the font families in use, for `doctor`: "Inter 4.0, DejaVu Sans". */
const char *raster_fonts(struct arena *a);
/* Returns Fontconfig's complaints about its own configuration, unescaped, in one line; "" for none.
 * Fonts may have been found despite them. */
const char *raster_fonts_trouble(void);

#endif
