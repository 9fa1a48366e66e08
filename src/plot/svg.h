/* svg.h: the common declarations of the files that write an SVG: device_svg.c its elements,
 * svg_text.c its words, svg_fonts.c their fonts, svg_write.c numbers. */
#ifndef POSVIZ_SVG_H
#define POSVIZ_SVG_H

#include "plot/device.h"
#include "posviz/base/markup.h"

/* A font in one size. */
struct svg_face {
	PangoFont *font;
	const char *family;
	double size;
	struct hb_set_t *letters; /* code points that it shows; filled only if fonts are embedded */
};

/* The fonts with which text was laid out. */
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
	struct strbuf *out; /* gets the file at the closing */
	struct strbuf body; /* elements of the page, without the head of the file */
	struct {
		/* the group's tag in the body */
		size_t from, to;
	} open[SVG_DEEP]; /* open groups, from the outermost inwards */
	size_t depth;
	const char **ids; /* ids of the definitions so far */
	size_t n_ids, id_room;
	bool crisp;    /* a group of crisp shapes is open */
	bool images;   /* the page has images */
	bool embedded; /* the file contains its fonts */
	struct svg_fonts fonts;
};

/* svg_write.c */
/* Writes a number with at most two decimals. NaN is a BUG of the caller. */
void svg_number(struct strbuf *b, double x);
/* Writes ` name="value"`. */
void svg_attribute(struct strbuf *b, const char *name, double value);
void svg_colour(struct strbuf *b, const char *name, uint32_t rgb, double alpha);
/* Writes ` d="..."`. */
void svg_path(struct strbuf *b, const struct path *path);

/* device_svg.c */
/* Ends the open group of crisp shapes, before other elements. */
void svg_smooth(struct svg *s);

/* svg_text.c */
/* Writes one element for each line of the layout. */
void svg_text(struct device *d, PangoLayout *layout, double align, double x, double y, double angle,
	      uint32_t ink);

/* svg_fonts.c */
/* Remembers that the font shows this text. The result is valid until the next call. */
const struct svg_face *svg_fonts_use(struct svg *s, PangoFont *font, const char *text);
/* Returns the font-family of a text that asked for the families `asked` and was laid out with
 * `used`: first the families used, then the other ones asked for, in the order of `asked`. */
const char *svg_families(struct arena *a, const char *asked, const char *const *used, size_t n);
/* Writes @font-face rules with the used parts of the fonts. */
bool svg_fonts_embed(struct svg *s, struct strbuf *css, struct err *err);
void svg_fonts_release(struct svg *s);

#endif
