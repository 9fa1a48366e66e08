/* device.h: the devices that a page is drawn on: pixels, PDF, SVG.
 *
 * A path is made first and then drawn at once, in a style that holds all properties. From one call
 * to the next a device remembers only its open groups (device_clip, device_fade, device_part). Text
 * comes as a layout of Pango, from which a device takes the glyphs or the words. Lengths are units
 * of the page, y goes downwards; colours are 0xRRGGBB. */
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
void path_line(struct path *path, double x, double y); /* the first line moves only */
void path_curve(struct path *path, double x1, double y1, double x2, double y2, double x, double y);
void path_close(struct path *path);
void path_rect(struct path *path, struct area a);
void path_circle(struct path *path, double x, double y, double r);

/* The style of a path: it is filled, then stroked. Lines end at the end of the path, and have
 * mitred corners unless `round`. */
struct style {
	bool fills, strokes;
	uint32_t fill, stroke;
	double fill_alpha, stroke_alpha; /* 0 to 1 */
	double width;
	/* lengths of a dash and of a gap; 0 0: the line is solid */
	double dash[2];
	bool round;
	/* without antialiasing, so that neighbouring areas have no seam between them */
	bool crisp;
};

struct device {
	const struct device_kind *kind;
	bool vector; /* details smaller than a pixel are visible */
	/* the most cells of a matrix without gaps that are drawn one by one; a larger matrix
	 * becomes an image */
	size_t most_cells;
};

/* The functions of a kind of device. */
struct device_kind {
	void (*draw)(struct device *d, const struct path *path, const struct style *style);
	/* Draws n stripes of equal size, from left to right, or upright from the bottom upwards. */
	void (*stripes)(struct device *d, struct area at, const uint32_t *colours, size_t n,
			bool upright);
	/* Draws pixels 0xAARRGGBB [h, w], each opaque or fully transparent, without smoothing. */
	void (*image)(struct device *d, struct area at, const uint32_t *pixels, size_t w, size_t h);
	/* Draws a layout, whose sizes are absolute, with its top left corner at (x, y), rotated
	 * clockwise by `angle` about that corner. `align` is the part of the text that keeps its
	 * position if a viewer uses another font: 0 the left end, 0.5 the middle, 1 the right
	 * end. */
	void (*text)(struct device *d, PangoLayout *layout, double align, double x, double y,
		     double angle, uint32_t ink);
	/* Open groups, up to their `end`. clip: drawings are visible within `to` only; fade: they
	 * are drawn together with opacity alpha; part: they have the name `name`, and for programs
	 * the id `id`, which no other part of the page has. */
	void (*clip)(struct device *d, struct area to);
	void (*fade)(struct device *d, double alpha);
	void (*part)(struct device *d, const char *id, const char *name);
	/* ... they are moved to the right by x and down by y. */
	void (*place)(struct device *d, double x, double y);
	void (*end)(struct device *d);
	/* For files of several pages, else NULL. next_page begins another page; link makes the area
	 * a link to a page, counted from 1; outline adds a line to the outline that links to a
	 * page, at a depth from 0, at most one deeper than the line before. */
	void (*next_page)(struct device *d);
	void (*link)(struct device *d, struct area at, size_t page);
	void (*outline)(struct device *d, size_t depth, const char *name, size_t page);
	/* The last call. False: something could not be drawn, and there is no output. */
	bool (*close)(struct device *d, struct err *err);
};

/* The metadata of a file; NULL: none. */
struct device_words {
	const char *title, *author, *subject, *creator;
};

/* Devices, and their memory, live in the arena. When device_pixels is closed, it stores pixels in
 * `out`, `scale` of them per unit. The other two append the bytes of a file of `width` x `height`
 * units to `out`, which is complete after the closing. */
struct device *device_pixels(struct arena *a, int width, int height, double scale,
			     struct image *out);
struct device *device_pdf(struct arena *a, double width, double height, double points,
			  const struct device_words *words,
			  struct strbuf *out); /* `points` per unit */
/* `embedded`: the file contains the glyphs that it shows, as fonts. */
struct device *device_svg(struct arena *a, double width, double height, const struct figure *f,
			  bool embedded, struct strbuf *out);

/* Appends the PNG of pixels 0xAARRGGBB [h, w] to `out`. */
void device_png(const uint32_t *pixels, size_t w, size_t h, struct strbuf *out);

#endif
