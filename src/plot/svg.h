/* svg.h: what the files share that write an SVG: device_svg.c its elements, svg_text.c its words,
 * svg_fonts.c the fonts of these, svg_write.c numbers. */
#ifndef POSVIZ_SVG_H
#define POSVIZ_SVG_H

#include "plot/device.h"
#include "posviz/base/markup.h"

/* A font in one size. */
struct svg_face {
	PangoFont *font;
	const char *family;
	double size;
	struct hb_set_t *letters; /* code points that it shows; kept when fonts are embedded */
};

/* The fonts that text was laid out with. */
struct svg_fonts {
	struct svg_face *faces;
	size_t n, room;
};

enum { SVG_DEEP = 16 };

struct svg {
	struct device base;
	struct arena *arena;
	const struct figure *figure;
	double width, height;
	struct strbuf *out; /* the file, when it is closed */
	struct strbuf body; /* what is between the root's tags but for its head */
	struct {
		size_t from, to; /* its tag, in the body */
	} open[SVG_DEEP];	 /* groups, from the outermost on */
	size_t depth;
	const char **ids; /* of what elements refer to */
	size_t n_ids, id_room;
	bool crisp;    /* a group of crisp shapes is open */
	bool images;   /* there are any */
	bool embedded; /* the file brings its fonts */
	struct svg_fonts fonts;
};

/* svg_write.c */
/* With at most two decimals. A number that is none is a bug of whoever draws. */
void svg_number(struct strbuf *b, double x);
/* ` name="value"` */
void svg_attribute(struct strbuf *b, const char *name, double value);
void svg_colour(struct strbuf *b, const char *name, uint32_t rgb, double alpha);
/* ` d="..."` */
void svg_path(struct strbuf *b, const struct path *path);

/* device_svg.c */
/* Ends the group of crisp shapes: something else follows. */
void svg_smooth(struct svg *s);

/* svg_text.c */
/* One element for each line of the layout. */
void svg_text(struct device *d, PangoLayout *layout, double align, double x, double y, double angle,
	      uint32_t ink);

/* svg_fonts.c */
/* Remembers that the font shows this text. What is returned is valid until the next call. */
const struct svg_face *svg_fonts_use(struct svg *s, PangoFont *font, const char *text);
/* The families of a text that is to be seen in `asked` and was laid out with `used`, for font-family:
 * those used before those that only were asked for, and these in their order. */
const char *svg_families(struct arena *a, const char *asked, const char *const *used, size_t n);
/* @font-face rules with the fonts as far as they are used. */
bool svg_fonts_embed(struct svg *s, struct strbuf *css, struct err *err);
void svg_fonts_release(struct svg *s);

#endif
