/* raster_in.h: what the raster_*.c files share: the page being drawn and its text.
 *
 * All lengths are page units: pixels of an image of the asked size. `space` scales gaps and lines,
 * `type` the letters; on small pages type stays legible while space shrinks. Everything is laid out
 * before it is drawn; what cannot be legible gives way, at last to a single panel (raster_single.c). */
#ifndef POSVIZ_RASTER_IN_H
#define POSVIZ_RASTER_IN_H

#include "plot/device.h"
#include "plot/pen.h"
#include "plot/theme.h"
#include "posviz/plot/raster.h"

enum face {
	FACE_TITLE,
	FACE_HEAD,
	FACE_TEXT,
	FACE_BOLD,
	FACE_FORMULA, /* understands _x ^x _{..} ^{..}, ... */
	FACE_MATH,    /* ... as do its italic, for a formula of signs alone, */
	FACE_NAME,    /* and FACE_HEAD's like, for names */
	FACE_LETTER,  /* of a panel: "a" */
	FACE_COUNT
};
/* The faces before it are opened for every page, the others when they are asked for. */
enum { FACES_OF_ALL = FACE_MATH };

/* What heatmaps of one shape agree on, so that their cells are equal and
 * their matrices stand in lines: the largest cell, and where the matrix begins. */
struct fit {
	double cell_w, cell_h, left, top;
	bool no_cols;	  /* the columns are named by the matrix above */
	bool no_rows;	  /* the rows are named by a matrix at the left */
	bool no_bar;	  /* a neighbour shows bar and titles of the axes */
	unsigned bar_of;  /* of a bar that others have as well: all of these panels, 1 << place */
	bool thinned;	  /* not all of its rows and columns are named by whole words */
	bool alone;	  /* nothing stands around the matrix, nor is room kept for it */
	const char *note; /* under the matrix, "" for none */
};

struct page {
	struct device *device; /* NULL while measuring */
	bool dark;
	bool terse;	 /* too little room for sentences that only explain */
	bool compact;	 /* ... and for a head of several lines */
	bool bars_below; /* colour bars lie under their matrices */
	bool letters;	 /* panels have letters */
	bool quiet;	 /* what it does not show is told elsewhere */
	bool as_needed;	 /* it is as high as what it shows needs */
	enum foot foot;
	double given;  /* size of labels that was asked for; 0: what the page allows */
	double pixels; /* to a unit, of an image */
	char letter[FIGURE_PANELS];
	const char *font; /* family; NULL: ours */
	const struct theme *theme;
	double width, height, space, type;
	double leading;	 /* from line to line of running text, in parts of a line; 0: the font's */
	double cut;	 /* what is on the page of that height: the rest would be empty */
	uint32_t paper;	 /* what text stands on now */
	size_t panel;	 /* being drawn */
	double strength; /* of all but words: less than 1 in a panel that is off */
	/* Where the page could not be laid out legibly: texts stand in it and on no other ones, or are
	 * left out; NULL: all have their place. */
	const struct area *within;
	size_t lost; /* texts that were left out or cut there */
	struct fit fit[FIGURE_PANELS];
	struct arena *arena;
	PangoFontMap *fonts;
	PangoContext *context;
	PangoLayout *layout;
	PangoFontDescription *face[FACE_COUNT];
	PangoAttrList *features;
	double line[FACES_OF_ALL];  /* height of a line of Latin text */
	struct measured **measured; /* raster_text.c: what was measured */
	size_t kept_layouts;	    /* of what was */
	struct kept_bar **bars;	    /* raster_bar.c: those that were asked for */
	struct cut_labels
		*cut_labels; /* raster_cut.c: labels that were cut, and how wide they are then */
	struct raster_report report;
	size_t box_room, plot_room;
};

/* A page on which `space` and `type` are 1. */
static const double USUAL_W = 1600, USUAL_H = 1000;

/* The least size of letters: 12 px. */
static const double LEAST_TYPE = 12.0 / 14;

/* Where there is no room things stand this far from each other all the same: what is divided by a
 * pitch stays a number. */
static const double LEAST_PITCH = 1.0 / 64;

/* raster_faces.c: fonts and a context for words; raster_faces_close ends it, whatever opening returned. */
bool raster_faces_open(struct page *p, struct err *err);
void raster_faces_close(struct page *p);
void raster_faces_size(struct page *p, double type);			/* (re)makes the faces */
void raster_faces_letters(struct page *p, enum face face, double size); /* of this face alone */
bool raster_faces_formula(enum face face); /* it understands _x ^x _{..} ^{..} */
/* The types that a page may have: from the first, what fits, to the last. */
double raster_faces_first(const struct page *p);
double raster_faces_last(const struct page *p);
/* The families that a face asks for: that which was taken, and what will do where a file is looked at. */
const char *raster_faces_families(const char *taken);

/* raster_text.c */
bool raster_text_open(struct page *p, struct err *err);
void raster_text_size(struct page *p, double type); /* of all words from now on */
/* As page.line, of any face. */
double raster_text_line(struct page *p, enum face face);
void raster_text_close(struct page *p);
struct size raster_text_measure(struct page *p, enum face face, const char *text);
/* Top left corner of the text's box at (x, y); `align` 0 left, 0.5 centre, 1 right of x. */
void raster_text_put(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text);
/* The same, centred on y. */
void raster_text_mid(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text);
/* One of a row of labels, which may stand as near to each other as their ink allows: from (x, y) on, its
 * middle line on it, turned by `angle`. */
void raster_text_label(struct page *p, enum face face, uint32_t ink, double align, double x,
		       double y, double angle, const char *text);
/* How far its ink reaches above and below its middle line. */
struct ink {
	double above, below;
};
struct ink raster_text_ink(struct page *p, enum face face, const char *text);
/* Wraps to `width`; returns the height. Measures only when `draw` is false. */
double raster_text_wrap(struct page *p, enum face face, uint32_t ink, struct area at, bool draw,
			const char *text);
/* The text, or shortened in its middle to at most `width`. */
const char *raster_text_fit(struct page *p, enum face face, const char *text, double width);

/* raster_begin.c: the fonts that this thread had made ready, now its own; or NULL. */
PangoFontMap *raster_begun(void);

/* raster_fonts.c: whether there is a font of this family. */
bool raster_fonts_have(const char *family);

/* raster_cut.c: the labels from place first + 1 on, cut to `width` and kept distinct, for the caller to change.
 * *most gets the widest and highest. */
const char **raster_text_labels(struct page *p, enum face face, const char *const *labels, size_t n,
				size_t first, double width, struct size *most);

/* raster_labels.c: how far apart the middle lines of texts must be, of which every `step`-th stands below the one
 * before, for their ink to keep apart. */
double raster_labels_apart(struct page *p, enum face face, const char *const *texts, size_t n,
			   size_t step);

/* raster_marks.c */
/* A thin line from one corner of the area to the other: which thing a name belongs to. */
void raster_leader(struct page *p, struct area a, uint32_t rgb, bool dotted);

/* raster_shapes.c */
/* The colour as it is drawn in a panel of this strength; the others below take colours before. */
uint32_t raster_shade(const struct page *p, uint32_t rgb);
void raster_draw_path(struct page *p, const struct path *path, struct style style);
void raster_fill_path(struct page *p, const struct path *path, uint32_t rgb, double alpha);
void raster_stroke_path(struct page *p, const struct path *path, uint32_t rgb, double alpha,
			double width);
void raster_rect(struct page *p, struct area a, uint32_t rgb);
/* On whole pixels: those side by side have no seam. */
void raster_tile(struct page *p, struct area a, uint32_t rgb);
void raster_line(struct page *p, double x0, double y0, double x1, double y1, double width,
		 uint32_t rgb);
void raster_dashed(struct page *p, double x0, double y0, double x1, double y1, double width,
		   uint32_t rgb, double dash, double gap);
/* Colours from left to right, or from the foot upwards, on whole pixels. */
void raster_stripes(struct page *p, struct area a, const uint32_t *colours, size_t n, bool upright);
/* What is drawn until raster_end shows within the area only; is as opaque as alpha; is called so; is a panel
 * of the figure. */
void raster_clip(struct page *p, struct area to);
void raster_fade(struct page *p, double alpha);
void raster_part(struct page *p, const char *id, const char *name);
void raster_panel_part(struct page *p, const struct figure *f, size_t panel);
void raster_end(struct page *p);
void raster_plot(struct page *p, struct area a, bool framed); /* reports the data rectangle */

/* raster.c */
/* A page ready to be laid out; raster_text_close ends it, whatever this returns. */
bool raster_open(struct page *p, const struct figure *f, const struct raster_look *look,
		 struct arena *a, struct err *err);
/* The panel's drawing, or the sentence in its place. */
void raster_body(struct page *p, const struct panel *panel, struct area at);
/* Lays out and draws on the device, which is closed. */
bool raster_draw(struct page *p, const struct figure *f, struct device *device, struct err *err);

/* raster_presented.c: the figure of one panel that a page shows of one that is presented. */
void raster_presented(const struct figure *f, bool wide, struct arena *a, struct figure *out);

/* raster_single.c: what a page shows of a figure of which nothing can be legible on it. */
void raster_single(struct page *p, const struct figure *f);

/* Head and foot of a page, and the head of a panel: where what comes below may start; drawn or only
 * measured. And what the drawing of a panel so wide needs. */
double raster_page_head(struct page *p, const struct figure *f, struct area at, bool draw);
double raster_page_foot(struct page *p, const struct figure *f, struct area at, bool draw);
double raster_panel_head(struct page *p, const struct panel *panel, struct area at, bool draw);
struct size raster_body_least(struct page *p, const struct panel *panel, double width);

struct contact_page;

/* raster_layout.c: where everything goes. */
struct sheet {
	struct area head, foot; /* within the margins; the rules lie below and above them */
	double head_rule, foot_rule;
	struct area panel[FIGURE_PANELS];
	const struct raster_equation *equation; /* in place of them; NULL: none */
};
/* How panels are arranged. */
enum { BESIDE_MOST = 4 };
struct arrangement {
	size_t beside; /* matrices in a row; 0: as the figure says */
	bool large;    /* the first has a row to itself */
	bool right;    /* cards stand at the right of the matrices' rows ... */
	bool side;     /* ... or all that is no matrix in a column there */
};

/* raster_rows.c: places the panels in `body` so, and says in `f` who stands beside whom. False: there is no
 * such arrangement of them, or it has no room for what they need. */
bool raster_rows(struct page *p, struct figure *f, struct area body, struct arrangement how,
		 struct sheet *sheet);
/* raster_tracks.c: places the panels in `body` as the figure says. */
void raster_tracks(struct page *p, const struct figure *f, struct area body, struct sheet *sheet);
/* Between panels beside each other; letters of a given size leave less of the page than those that follow it. */
double raster_column_gap(const struct page *p);
/* Finds the most of the figure that the page can show legibly, with its matrices as large as they should
 * be, and where it goes: the page is ready to be drawn. False when nothing can be legible. */
bool raster_layout(struct page *p, const struct figure *f, struct figure *shown,
		   struct sheet *sheet);
/* The height in which the figure has what it needs at the page's width and type: where it has matrices,
 * they are as large as they would be on a high page. */
double raster_height(struct page *p, const struct figure *f);
/* What is left of the panels under their heads; heatmaps beside each other begin at one height. */
void raster_layout_bodies(struct page *p, const struct figure *f, const struct sheet *sheet,
			  struct area *body);

/* raster.c: what a page shows of a figure, and where: first laid out, then drawn on the page's device. */
struct laid_page {
	const struct figure *figure;
	const struct contact_page *contact; /* NULL: it is no contact sheet */
	bool legible;			    /* else the one panel that matters most */
	struct figure shown;
	struct sheet sheet;
};
bool raster_lay(struct page *p, const struct figure *f, struct laid_page *out, struct err *err);
void raster_put(struct page *p, const struct laid_page *laid);
/* Where what it shows begins and ends, of all of it or of its panels alone; drawn on nothing. */
struct area raster_used(struct page *p, const struct laid_page *laid, bool panels);

/* raster_inset.c: the figure as a part of another page, in the first corner of the area, with labels of this size;
 * *high: what it takes of it. */
bool raster_inset(struct page *on, const struct figure *f, struct area at, double letters,
		  struct arena *scratch, double *high, struct err *err);

/* What a page has around its panels: where, and drawn before and behind them, in the order in which a page
 * is read; the space of its type is set before. */
void raster_page_space(struct page *p);
struct area raster_page_frame(struct page *p, const struct figure *f, struct sheet *sheet);
void raster_page_begin(struct page *p, const struct figure *f, const struct sheet *sheet);
void raster_page_end(struct page *p, const struct figure *f, const struct sheet *sheet);

/* raster_contact.c: where a contact sheet goes, or NULL: the page is too small for it; drawn; and the height of
 * a page of this width that has room for it. */
const struct contact_page *raster_contact(struct page *p, const struct figure *f, struct err *err);
void raster_contact_draw(struct page *p, const struct figure *f, const struct contact_page *page);
double raster_contact_height(struct page *p, const struct figure *f);
/* Returns false with a line that names what would be right where the page so high is larger than pages are. */
bool raster_contact_refuse(const struct page *p, const struct figure *f, struct err *err);

/* One function per kind of panel and per task: the smallest size its body needs in a
 * panel so wide, and drawing it. */
struct size raster_heatmap_least(struct page *p, const struct panel *panel, double width);
void raster_heatmap_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_multiples_least(struct page *p, const struct panel *panel, double width);
void raster_multiples_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_curves_least(struct page *p, const struct panel *panel, double width);
void raster_curves_draw(struct page *p, const struct panel *panel, struct area at);

#endif
