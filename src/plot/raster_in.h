/* raster_in.h: what the raster_*.c files share: the page being drawn and its text.
 *
 * All lengths are page units: pixels of an image of the asked size. `space` scales gaps and lines,
 * `type` the letters; on small pages type stays legible while space shrinks. Everything is laid out
 * before it is drawn, so that a page that cannot be legible fails without having been started. */
#ifndef POSVIZ_RASTER_IN_H
#define POSVIZ_RASTER_IN_H

#include <cairo.h>
#include <pango/pangocairo.h>

#include "posviz/raster.h"

enum face {
	FACE_TITLE,
	FACE_HEAD,
	FACE_TEXT,
	FACE_BOLD,
	FACE_FORMULA, /* understands _x ^x _{..} ^{..} */
	FACE_COUNT
};

struct theme {
	uint32_t paper, ink, second, hair, axis, hatch, tint, alarm;
};

struct page {
	cairo_t *cr; /* NULL while measuring */
	bool vector, dark;
	const struct theme *theme;
	double width, height, space, type;
	uint32_t paper; /* what text stands on now */
	size_t panel;	/* being drawn */
	struct arena *arena;
	PangoFontMap *fonts;
	PangoContext *context;
	PangoLayout *layout;
	PangoFontDescription *face[FACE_COUNT];
	PangoAttrList *features;
	double line[FACE_COUNT]; /* height of a line of Latin text */
	struct raster_report report;
	size_t box_room, plot_room;
};

struct area {
	double x, y, w, h;
};

struct size {
	double w, h;
};

/* The labels of one side of the matrix. */
struct side {
	size_t n;
	size_t *at; /* which rows or columns */
	const char **text;
	struct size most;
	double angle; /* of columns: 0, slant or a right angle */
};

/* The labels of the colour bar. */
struct bar {
	size_t n;
	double *at; /* in [0, 1] */
	const char **text;
	const char *mode; /* "" when linear */
	double width;	  /* all of it, with the gap to the matrix */
};

/* raster_side.c */
/* Labels for rows `pitch` high, at most `width` wide; for columns `pitch` wide, at most `length` long
 * when turned. */
struct side raster_side_rows(struct page *p, const struct heatmap *h, double pitch, double width);
struct side raster_side_cols(struct page *p, const struct heatmap *h, double pitch, double length);
/* The room that column labels take above the matrix, and to the right of its edge. */
double raster_side_height(const struct page *p, const struct side *s);
double raster_side_overhang(struct page *p, const struct side *s, size_t n, double pitch);
/* The limits, and round ticks between them where they have room, on a bar so high. */
struct bar raster_side_bar(struct page *p, const struct heatmap *h, double height);

/* Three significant digits are what a limit on a bar needs. */
double raster_three_digits(double x);

/* raster_text.c */
bool raster_text_open(struct page *p, struct err *err);
void raster_text_size(struct page *p, double type); /* (re)makes the faces */
void raster_text_close(struct page *p);
struct size raster_text_measure(struct page *p, enum face face, const char *text);
/* Top left corner of the text's box at (x, y); `align` 0 left, 0.5 centre, 1 right of x. */
void raster_text_put(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text);
/* The same, centred on y. */
void raster_text_mid(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text);
/* Text that starts at (x, y), its middle line on it, turned by `angle`. */
void raster_text_turned(struct page *p, enum face face, uint32_t ink, double x, double y,
			double angle, const char *text);
/* Wraps to `width`; returns the height. Measures only when `draw` is false. */
double raster_text_wrap(struct page *p, enum face face, uint32_t ink, struct area at, bool draw,
			const char *text);
/* The text, or shortened in its middle to at most `width`. */
const char *raster_text_fit(struct page *p, enum face face, const char *text, double width);
/* The labels, shortened to `width` and kept distinct. *most gets the widest and highest. */
const char **raster_text_labels(struct page *p, enum face face, const char *const *labels, size_t n,
				double width, struct size *most);
/* `rgb` moved towards black or white until it reads at 4.5:1 on the page's paper. */
uint32_t raster_text_ink(const struct page *p, uint32_t rgb);

/* raster.c */
void raster_colour(struct page *p, uint32_t rgb, double alpha);
void raster_rect(struct page *p, struct area a, uint32_t rgb);
void raster_line(struct page *p, double x0, double y0, double x1, double y1, double width,
		 uint32_t rgb);
void raster_plot(struct page *p, struct area a); /* reports the data rectangle */

/* One function per kind of panel and per task: the smallest size its body needs in a
 * panel so wide, and drawing it. */
struct size raster_heatmap_least(struct page *p, const struct panel *panel, double width);
void raster_heatmap_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_curves_least(struct page *p, const struct panel *panel, double width);
void raster_curves_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_bars_least(struct page *p, const struct panel *panel, double width);
void raster_bars_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_table_least(struct page *p, const struct panel *panel, double width);
void raster_table_draw(struct page *p, const struct panel *panel, struct area at);
struct size raster_card_least(struct page *p, const struct panel *panel, double width);
void raster_card_draw(struct page *p, const struct panel *panel, struct area at);

#endif
