/* device.h: what a page is drawn on: pixels, a PDF or an SVG.
 *
 * A path is made first and then drawn in one go, in a style that says everything: a device remembers
 * nothing from one call to the next but what it is inside of (device_clip, device_fade, device_part).
 * Text comes as a layout of Pango, which a device may show as glyphs or write down as words. Lengths are
 * units of the page, y downwards; colours are 0xRRGGBB. */
#ifndef POSVIZ_DEVICE_H
#define POSVIZ_DEVICE_H

#include <pango/pango.h>

#include "plot/pen.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/raster.h"

enum path_kind {
	PATH_MOVE,  /* x y */
	PATH_LINE,  /* x y */
	PATH_CURVE, /* x1 y1 x2 y2 x y */
	PATH_CLOSE,
	PATH_RECT,  /* x y w h */
	PATH_CIRCLE /* x y r */
};

struct path {
	struct path_step {
		enum path_kind kind;
		double at[6];
	} * steps;
	size_t n, room;
	struct arena *arena;
};

struct path path_new(struct arena *a);
void path_move(struct path *path, double x, double y);
void path_line(struct path *path, double x, double y); /* the first one moves */
void path_curve(struct path *path, double x1, double y1, double x2, double y2, double x, double y);
void path_close(struct path *path);
void path_rect(struct path *path, struct area a);
void path_circle(struct path *path, double x, double y, double r);

/* How a path is drawn: filled, then stroked. Lines end where the path does, with mitred corners unless
 * they are round. */
struct style {
	bool fills, strokes;
	uint32_t fill, stroke;
	double fill_alpha, stroke_alpha; /* 0 to 1 */
	double width;
	double dash[2]; /* drawn and left out in turn; 0 0: all is drawn */
	bool round;
	bool crisp; /* whole pixels: what lies side by side has no seam */
};

struct device {
	const struct device_kind *kind;
	bool vector;	   /* what is smaller than a pixel shows */
	size_t most_cells; /* of a matrix without gaps that are drawn one by one; more are an image */
};

/* What each kind can do. */
struct device_kind {
	void (*draw)(struct device *d, const struct path *path, const struct style *style);
	/* n stripes of equal size from left to right, or from the foot upwards. */
	void (*stripes)(struct device *d, struct area at, const uint32_t *colours, size_t n,
			bool upright);
	/* Pixels 0xAARRGGBB [h, w], each all there or not at all; never smoothed. */
	void (*image)(struct device *d, struct area at, const uint32_t *pixels, size_t w, size_t h);
	/* The layout, whose sizes are absolute, its top left corner at (x, y), turned by `angle` about
	 * that, clockwise. `align` is what stays in its place, should the letters be others: 0 the left,
	 * 0.5 the middle, 1 the right. */
	void (*text)(struct device *d, PangoLayout *layout, double align, double x, double y,
		     double angle, uint32_t ink);
	/* Until its `end` what is drawn shows within `to` only; is as opaque as alpha; is called
	 * `name`, and `id` by programs: a word that no other part of the page has. */
	void (*clip)(struct device *d, struct area to);
	void (*fade)(struct device *d, double alpha);
	void (*part)(struct device *d, const char *id, const char *name);
	/* ... stands so far to the right and below. */
	void (*place)(struct device *d, double x, double y);
	void (*end)(struct device *d);
	/* Of files of several pages, NULL elsewhere: another page begins; what is in the area leads to a page, from
	 * 1; a line of the outline does, at a depth from 0, no deeper than one more than the line before. */
	void (*next_page)(struct device *d);
	void (*link)(struct device *d, struct area at, size_t page);
	void (*outline)(struct device *d, size_t depth, const char *name, size_t page);
	/* The last call. False: something could not be drawn, and nothing has come of it. */
	bool (*close)(struct device *d, struct err *err);
};

/* What a file says of itself; NULL: nothing. */
struct device_words {
	const char *title, *author, *subject, *creator;
};

/* Devices and what they make live in the arena. Pixels, `scale` of them to a unit, are written to `out` when
 * the device is closed; the bytes of a file `width` x `height` units large are all in `out` then. */
struct device *device_pixels(struct arena *a, int width, int height, double scale,
			     struct image *out);
struct device *device_pdf(struct arena *a, double width, double height, double points,
			  const struct device_words *words,
			  struct strbuf *out); /* so many points to a unit */
/* `embedded`: the file brings the letters it shows, as fonts. */
struct device *device_svg(struct arena *a, double width, double height, const struct figure *f,
			  bool embedded, struct strbuf *out);

/* Pixels 0xAARRGGBB [h, w] as the bytes of a PNG, appended to `out`. */
void device_png(const uint32_t *pixels, size_t w, size_t h, struct strbuf *out);

#endif
