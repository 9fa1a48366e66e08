/* raster.h: figures on paper, through cairo and pango.
 *
 * Same input, same bytes: fixed hinting and resolution, no clock. What was drawn as text is
 * reported, so that a test can measure every figure: nothing overlaps, nothing is cut. */
#ifndef POSVIZ_RASTER_H
#define POSVIZ_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/plot/figure.h"

/* Title and foot of a page: the figure's caption; that and its command; neither, for what stands around the
 * page has its own, and panels have letters that it can name. */
enum foot { FOOT_CAPTION, FOOT_COMMAND, FOOT_NONE };

/* A page in units: pixels of an image as large as the page, or 1/96 inch. */
struct raster_look {
	double width, height; /* height 0: what the figure needs at this width */
	double dpi;	      /* pixels to an inch; 0: 96 */
	bool dark;	      /* theme for slides */
	enum foot foot;
	double pixels;	  /* of an image to a unit; 0: one */
	double type;	  /* size of labels in units; 0: as large as the page allows, from 12 on */
	const char *font; /* its family; NULL: ours. Formulas keep theirs */
	bool embed_fonts; /* an SVG brings the fonts of its words, as far as it shows them */
};

/* The pixels of an image of `units`. */
int raster_pixels(const struct raster_look *look, double units);

struct image {
	int width, height;
	uint8_t *rgb; /* 3 bytes a pixel, rows without gaps */
};

/* One line of text as drawn: a box of its logical extent whose first corner (top left of the
 * unturned text) is at (x, y), turned about that corner by `angle`, clockwise on the page. */
struct text_box {
	double x, y, width, height;
	double angle; /* radians */
	double letters; /* size of its font; of a formula, that of what is neither raised nor lowered */
	const char *text;
	uint32_t ink, paper;	       /* colours */
	double free_above, free_below; /* without ink, of a label: its neighbours may stand there */
};

struct raster_report {
	double width, height; /* of the page in units */
	struct text_box *boxes;
	size_t n;
	struct shown_panel {
		struct panel panel;
		char letter; /* 'a'; 0: it has none */
	} * shown;	     /* in the order of their letters */
	size_t n_shown;
	const char *left_out; /* what has no room, where the page itself does not say so; or NULL */
	const char
		*font; /* asked for and not there, and what was taken in its place; NULL: nothing */
	const char *font_taken;
	size_t missing_glyphs;
	const char *missing_sample; /* the first text with a missing glyph, or NULL */
	struct plot_box {
		double x, y, width, height; /* data rectangle of a heatmap or curve panel */
		size_t panel;
		bool framed; /* words stand in it or beside it, on none of its edges */
	} * plots;
	size_t plot_n;
	struct bar_box {
		double x, y, width, height; /* of the colours */
		double lo, hi;		    /* what they are of, as its ends say it */
		bool lies;		    /* from left to right, else upwards */
	} bars[FIGURE_PANELS];
	size_t bar_n;
};

/* Whether two boxes share more than a hair, and whether a box lies on a page of this size. */
bool text_box_overlap(const struct text_box *a, const struct text_box *b);
bool text_box_inside(const struct text_box *box, double width, double height);
double text_box_bottom(const struct text_box *box); /* of its lowest corner */

/* Draws into an image. What has no room to be legible is left out, the least needed first, and the page
 * says so where that has room; one for a paper, of panels that were asked for, or without a foot leaves that
 * to its report; of one pixel the essential panel has it all. Fails on absurd sizes,
 * and when no font can be found. `report` may be NULL. */
bool raster_image(const struct figure *f, const struct raster_look *look, struct arena *a,
		  struct image *out, struct raster_report *report, struct err *err);

/* Has the fonts of such a page made ready while its numbers are computed; what this thread draws next takes
 * them, or, when it draws nothing, raster_begin_end must be called before the program ends. */
void raster_begin(const struct raster_look *look);
void raster_begin_end(void);

/* The size of a page of a contact sheet that nobody chose, into look: by how many maps it has, from that of
 * a screen to that of a poster. Such a page is never larger than RASTER_CONTACT_MOST; what is not legible
 * on a page that was chosen is an error of the two below, which says what would be. */
enum { RASTER_CONTACT_MOST = 8000 };
bool raster_contact_size(const struct figure *f, struct raster_look *look, struct arena *a,
			 struct err *err);

/* Makes the letters of `look`, a page of inches, as small as it takes for a contact sheet to be legible on a page
 * of that size: `type` becomes less, in whole tenths of a point, but not less than `least` units. */
bool raster_contact_letters(const struct figure *f, struct raster_look *look, double least,
			    struct arena *a, struct err *err);

/* The same as a vector file in memory. */
enum raster_vector { RASTER_SVG, RASTER_PDF };
bool raster_vector(const struct figure *f, const struct raster_look *look, enum raster_vector kind,
		   struct arena *a, char **data, size_t *len, struct raster_report *report,
		   struct err *err);

/* The font families in use, for `doctor`: "Inter 4.0, DejaVu Sans". */
const char *raster_fonts(struct arena *a);
/* What Fontconfig has against its own configuration, raw, one line; "" for nothing. Fonts may have been
 * found all the same. */
const char *raster_fonts_trouble(void);

#endif
