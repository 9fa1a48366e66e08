/* raster_in.h: the common declarations of the raster_*.c files: the page that is drawn, and its
 * text.
 *
 * Lengths are units of the page: pixels of an image of the given size. `space` is the scale of gaps
 * and lines, `type` that of letters; on small pages `type` stays legible while `space` shrinks.
 * Everything is laid out before it is drawn; panels that cannot be legible are left out, in the end
 * all but one (raster_single.c). */
#ifndef POSVIZ_RASTER_IN_H
#define POSVIZ_RASTER_IN_H

#include "plot/device.h"
#include "plot/pen.h"
#include "posviz/plot/theme.h"
#include "posviz/plot/raster.h"

enum face {
	FACE_TITLE,
	FACE_HEAD,
	FACE_TEXT,
	FACE_BOLD,
	FACE_FORMULA, /* with _x ^x _{..} ^{..} */
	FACE_MATH,    /* the same, italic, for formulas of symbols alone */
	FACE_NAME,    /* the same in the style of FACE_HEAD, for names */
	FACE_LETTER,  /* of the letter of a panel: "a" */
	FACE_COUNT
};
/* The faces before FACE_MATH are opened for every page, the others when they are used. */
enum { FACES_OF_ALL = FACE_MATH };

/* The measures that heatmaps of one shape have in common, so that their cells are equal and their
 * matrices aligned: the largest cell, and the distance of the matrix from the panel's edges. */
struct fit {
	double cell_w, cell_h, left, top;
	bool no_cols; /* the matrix above has the column labels */
	bool no_rows; /* a matrix at the left has the row labels */
	bool no_bar;  /* a neighbour has the bar and the titles of the axes */
	/* the panels that a common bar is for, bits 1 << index; 0: the bar is not shared */
	unsigned bar_of;
	bool thinned; /* some rows or columns have no whole word as a label */
	/* nothing is around the matrix, and no room is kept for it */
	bool alone;
	const char *note; /* under the matrix, "" for none */
};

struct page {
	struct device *device; /* NULL while measuring */
	bool dark;
	bool terse;	 /* too little room for explanations */
	bool compact;	 /* ... and for a head of several lines */
	bool bars_below; /* colour bars are below their matrices */
	bool letters;	 /* panels have letters */
	/* the page does not name left-out panels, because the report does */
	bool quiet;
	bool authored; /* texts drawn now are paragraphs of an author, not sentences of the program */
	bool as_needed; /* the page is as high as its content needs */
	enum foot foot;
	/* size of labels that the user chose; 0: as large as the page allows */
	double given;
	double pixels; /* per unit, of an image */
	char letter[FIGURE_PANELS];
	const char *font; /* family; NULL: the default */
	const struct theme *theme;
	double width, height, space, type;
	/* distance between lines of running text, relative to a line; 0: that of the font */
	double leading;
	double cut;	/* height of the used part of the page; the rest would be empty */
	uint32_t paper; /* background of text that is drawn now */
	size_t panel;	/* index of the panel that is drawn */
	/* opacity of all but words: less than 1 in a panel that is switched off */
	double strength;
	/* If the page could not be laid out legibly: texts are drawn inside this area without
	 * overlap, or left out; NULL: all have their places. */
	const struct area *within;
	size_t lost; /* number of texts that were left out or cut there */
	struct fit fit[FIGURE_PANELS];
	struct arena *arena;
	PangoFontMap *fonts;
	PangoContext *context;
	PangoLayout *layout;
	PangoFontDescription *face[FACE_COUNT];
	PangoAttrList *features;
	double line[FACES_OF_ALL];  /* height of a line of Latin text in each face */
	struct measured **measured; /* cache of measured texts (raster_text.c) */
	size_t kept_layouts;	    /* number of layouts kept in it */
	struct kept_bar **bars;	    /* cache of bars (raster_bar.c) */
	/* values that a scale cannot show, of matrices counted before (raster_heatmap_plan.c) */
	struct unshown *unshown;
	/* cache of labels cut to a width (raster_cut.c) */
	struct cut_labels *cut_labels;
	struct raster_report report;
	size_t box_room, plot_room;
};

/* A page on which `space` and `type` are 1. */
static const double USUAL_W = 1600, USUAL_H = 1000;

/* The smallest size of letters, 12 px. */
static const double LEAST_TYPE = 12.0 / 14;

/* Without room, things are still this far apart, so that a division by a pitch is finite. */
static const double LEAST_PITCH = 1.0 / 64;

/* raster_faces.c: fonts and a context for words; raster_faces_close releases them, whether opening
 * succeeded or not. */
bool raster_faces_open(struct page *p, struct err *err);
void raster_faces_close(struct page *p);
void raster_faces_size(struct page *p, double type); /* makes the faces, or makes them again */
void raster_faces_letters(struct page *p, enum face face, double size); /* of this face only */
bool raster_faces_formula(enum face face); /* tells if it has _x ^x _{..} ^{..} */
/* The largest and the smallest `type` that the page may have. */
double raster_faces_first(const struct page *p);
double raster_faces_last(const struct page *p);
/* Returns the families to name in a file for the family that was taken: that one, with others that
 * can replace it in a viewer. */
const char *raster_faces_families(const char *taken);

/* raster_text.c */
bool raster_text_open(struct page *p, struct err *err);
void raster_text_size(struct page *p, double type); /* size of all following words */
/* Returns the height of a line of Latin text, like page.line, for any face. */
double raster_text_line(struct page *p, enum face face);
void raster_text_close(struct page *p);
struct size raster_text_measure(struct page *p, enum face face, const char *text);
/* Draws text with the top left corner of its box at (x, y); `align`: the box is at the left edge
 * (0), centre (0.5) or right edge (1) on x. */
void raster_text_put(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text);
/* The same, vertically centred on y. */
void raster_text_mid(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text);
/* Draws one of a row of labels, which may be as close to each other as their ink allows: its middle
 * line begins at (x, y), rotated by `angle`. */
void raster_text_label(struct page *p, enum face face, uint32_t ink, double align, double x,
		       double y, double angle, const char *text);
/* The height of the ink of a text above and below its middle line. */
struct ink {
	double above, below;
};
struct ink raster_text_ink(struct page *p, enum face face, const char *text);
/* Wraps text to the width of `at`, and returns its height; draws it only if `draw`. */
double raster_text_wrap(struct page *p, enum face face, uint32_t ink, struct area at, bool draw,
			const char *text);
/* Returns the text, shortened in its middle if it is wider than `width`. */
const char *raster_text_fit(struct page *p, enum face face, const char *text, double width);

/* raster_begin.c: hands the fonts prepared for this thread to the caller; NULL: there are none. */
PangoFontMap *raster_begun(void);

/* raster_fonts.c: tells if there is a font of this family. */
bool raster_fonts_have(const char *family);

/* raster_cut.c: returns the labels from index `first` on, cut to `width` and kept distinct, in an
 * array that the caller may change. *most gets the largest width and height. */
const char **raster_text_labels(struct page *p, enum face face, const char *const *labels, size_t n,
				size_t first, double width, struct size *most);

/* raster_labels.c: returns the least distance of the middle lines of texts, every `step`-th of
 * which is below the one before, at which their inks do not touch. */
double raster_labels_apart(struct page *p, enum face face, const char *const *texts, size_t n,
			   size_t step);

/* raster_marks.c */
/* Draws a thin line from the first corner of the area to the opposite one, to connect a name with
 * what it names. */
void raster_leader(struct page *p, struct area a, uint32_t rgb, bool dotted);

/* raster_shapes.c */
/* raster_shade returns the colour as drawn at page.strength; the functions below take colours
 * before that. */
uint32_t raster_shade(const struct page *p, uint32_t rgb);
void raster_draw_path(struct page *p, const struct path *path, struct style style);
void raster_fill_path(struct page *p, const struct path *path, uint32_t rgb, double alpha);
void raster_stroke_path(struct page *p, const struct path *path, uint32_t rgb, double alpha,
			double width);
void raster_rect(struct page *p, struct area a, uint32_t rgb);
/* Aligned to whole pixels, so that neighbours have no seam. */
void raster_tile(struct page *p, struct area a, uint32_t rgb);
void raster_line(struct page *p, double x0, double y0, double x1, double y1, double width,
		 uint32_t rgb);
void raster_dashed(struct page *p, double x0, double y0, double x1, double y1, double width,
		   uint32_t rgb, double dash, double gap);
/* Draws colours from left to right, or upright from the bottom upwards, aligned to whole pixels. */
void raster_stripes(struct page *p, struct area a, const uint32_t *colours, size_t n, bool upright);
/* Groups up to their raster_end: clip shows drawings within the area only; fade draws them with
 * opacity alpha; part names them; panel_part makes them a panel of the figure. */
void raster_clip(struct page *p, struct area to);
void raster_fade(struct page *p, double alpha);
void raster_part(struct page *p, const char *id, const char *name);
void raster_panel_part(struct page *p, const struct figure *f, size_t panel);
void raster_end(struct page *p);
void raster_plot(struct page *p, struct area a, bool framed); /* reports the data rectangle */

/* raster.c */
/* Opens a page for the layout; raster_text_close releases it, whatever this returns. */
bool raster_open(struct page *p, const struct figure *f, const struct raster_look *look,
		 struct arena *a, struct err *err);
/* Draws the panel's content, or the sentence that replaces it. */
void raster_body(struct page *p, const struct panel *panel, struct area at);
/* Lays the page out, draws it on the device, and closes the device. */
bool raster_draw(struct page *p, const struct figure *f, struct device *device, struct err *err);

/* raster_presented.c: makes the figure of one panel that a page shows of a presented figure. */
void raster_presented(const struct figure *f, bool wide, struct arena *a, struct figure *out);

/* raster_single.c: draws a figure that cannot be laid out legibly on the page. */
void raster_single(struct page *p, const struct figure *f);

/* Head and foot of a page, and head of a panel: return the y where the content below may start;
 * with `draw` they are drawn, else only measured. raster_body_least returns the smallest size of
 * the content of a panel of this width. */
double raster_page_head(struct page *p, const struct figure *f, struct area at, bool draw);
double raster_page_foot(struct page *p, const struct figure *f, struct area at, bool draw);
double raster_panel_head(struct page *p, const struct panel *panel, struct area at, bool draw);
struct size raster_body_least(struct page *p, const struct panel *panel, double width);

struct contact_page;

/* raster_layout.c: the places of all parts of a page. */
struct sheet {
	struct area head, foot; /* within the margins; the rules are below and above them */
	double head_rule, foot_rule;
	struct area panel[FIGURE_PANELS];
	const struct raster_equation *equation; /* replaces the panels; NULL: no equation */
};
/* An arrangement of panels. */
enum { BESIDE_MOST = 4 };
struct arrangement {
	size_t beside; /* matrices in a row; 0: as in the figure's grid */
	bool large;    /* the first matrix has a row to itself */
	bool right;    /* cards are at the right of the rows of matrices ... */
	bool side;     /* ... or all other panels are in a column there */
};

/* raster_rows.c: places the panels in `body` in this arrangement, and sets rows and columns in `f`
 * accordingly. False: the arrangement does not apply, or has no room for what the panels need. */
bool raster_rows(struct page *p, struct figure *f, struct area body, struct arrangement how,
		 struct sheet *sheet);
/* raster_tracks.c: places the panels in `body` as in the figure's grid. */
void raster_tracks(struct page *p, const struct figure *f, struct area body, struct sheet *sheet);
/* Returns the gap between neighbouring panels, which is a smaller part of the page if letters have
 * a given size. */
double raster_column_gap(const struct page *p);
/* Finds the part of the figure that the page can show legibly with its matrices large enough, and
 * its places; the page is then ready to be drawn. False: nothing can be legible. */
bool raster_layout(struct page *p, const struct figure *f, struct figure *shown,
		   struct sheet *sheet);
/* Returns the smallest height with room for what the figure needs at the page's width and type;
 * matrices are as large as on a high page. */
double raster_height(struct page *p, const struct figure *f);
/* Returns the areas of the panels below their heads; neighbouring heatmaps begin at the same y. */
void raster_layout_bodies(struct page *p, const struct figure *f, const struct sheet *sheet,
			  struct area *body);

/* raster.c: the laid-out content of a page, to be drawn on the page's device. */
struct laid_page {
	const struct figure *figure;
	const struct contact_page *contact; /* NULL: the figure has no contact sheet */
	bool legible;			    /* false: only the most important panel is drawn */
	struct figure shown;
	struct sheet sheet;
};
bool raster_lay(struct page *p, const struct figure *f, struct laid_page *out, struct err *err);
void raster_put(struct page *p, const struct laid_page *laid);
/* Returns the area that the content, or only its panels, covers; finds it by drawing into an image
 * of one pixel. */
struct area raster_used(struct page *p, const struct laid_page *laid, bool panels);

/* raster_inset.c: draws the figure as a part of another page, in the first corner of the area, with
 * labels of this size; *high gets the height that it uses. */
bool raster_inset(struct page *on, const struct figure *f, struct area at, double letters,
		  struct arena *scratch, double *high, struct err *err);

/* The parts of a page around its panels. raster_page_space chooses the scale of gaps for the page's
 * size; raster_page_frame places head and foot, and returns the area between; raster_page_begin and
 * _end draw head and foot, before and after the panels, in reading order. */
void raster_page_space(struct page *p);
struct area raster_page_frame(struct page *p, const struct figure *f, struct sheet *sheet);
void raster_page_begin(struct page *p, const struct figure *f, const struct sheet *sheet);
void raster_page_end(struct page *p, const struct figure *f, const struct sheet *sheet);

/* raster_contact.c: lays out a contact sheet, NULL: the page is too small; draws it; returns the
 * height of a page of this width with room for it. */
const struct contact_page *raster_contact(struct page *p, const struct figure *f, struct err *err);
void raster_contact_draw(struct page *p, const struct figure *f, const struct contact_page *page);
double raster_contact_height(struct page *p, const struct figure *f);
/* The rows of a contact sheet on pages of paper: entries in a row, the height of each row, and the
 * entry after its last. A row that begins a family or a page has the name of the family above it, of
 * height `head`; `around` is the height of the rest of a page. */
struct contact_rows {
	size_t across, n, *end;
	double around, head, *high;
	const bool *headed;
};
struct contact_rows raster_contact_rows(struct page *p, const struct figure *f);
/* Returns false, with a line that says what would be right, because the page would be higher than
 * pages may be. */
bool raster_contact_refuse(const struct page *p, const struct figure *f, struct err *err);

/* Functions for kinds of panels: the smallest size of the content in a panel of this width, and its
 * drawing. */
struct size raster_heatmap_least(struct page *p, const struct panel *panel, double width);
void raster_heatmap_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_multiples_least(struct page *p, const struct panel *panel, double width);
/* raster_small_curves.c: draws multiples that are curves alone. */
void raster_small_curves(struct page *p, const struct multiples *m, struct area at);
void raster_multiples_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_curves_least(struct page *p, const struct panel *panel, double width);
void raster_curves_draw(struct page *p, const struct panel *panel, struct area at);

#endif
