/* colormap.h: tables from a number in [0, 1] to a colour. */
#ifndef POSVIZ_COLORMAP_H
#define POSVIZ_COLORMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct colormap {
	const char *name;    /* "viridis" */
	const char *help;    /* one line: what it is good for */
	const char *licence; /* "CC0, van der Walt and Smith" */
	bool diverging;	     /* the middle of the table stands for zero */
	bool dark;	     /* made for a dark background */
};

extern const struct colormap colormaps[]; /* ends with name == NULL */

const struct colormap *colormap_find(const char *name); /* or NULL */

/* The colour 0xRRGGBB of at in [0, 1] (clamped; NaN is a BUG), one of 256 levels. */
uint32_t colormap_rgb(const struct colormap *map, double at);
enum { COLORMAP_LEVELS = 256 };
uint32_t colormap_level(const struct colormap *map, size_t level);

/* The same for a terminal of 256 colours: the colour of an entry of the fixed palette. Along a map
 * the lightness of these is monotone - on a diverging map, along each half - and neighbours differ
 * where the palette has the colours. The centre of a diverging map is one entry, for values below
 * 2.7 % of the limit; no other entry is of both signs. */
uint32_t colormap_256(const struct colormap *map, double at);

/* Relative luminance (WCAG 2) of 0xRRGGBB, and the contrast ratio of two colours, 1 to 21. */
double colour_luminance(uint32_t rgb);
double colour_contrast(uint32_t a, uint32_t b);
/* Near-black or white, whichever reads better on `rgb`. */
uint32_t colour_ink(uint32_t rgb);

/* The entry 16..255 of the fixed xterm palette nearest to rgb in OKLab, and its colour. */
uint8_t colour_to_256(uint32_t rgb);
uint32_t colour_from_256(uint8_t index);

#endif
