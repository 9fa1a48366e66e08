/* colormap.h: tables from a number in [0, 1] to a colour. */
#ifndef POSVIZ_COLORMAP_H
#define POSVIZ_COLORMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What values are drawn on: a page has one of two, a terminal may not tell. */
enum background { BACKGROUND_UNKNOWN, BACKGROUND_LIGHT, BACKGROUND_DARK };

/* Zero of a map made for a background is next to it, so that what differs from zero stands out; on a
 * diverging map that is the middle of the table, entry 128, and 1 and 255 are the ends. Lightness is
 * monotone outwards. `down` and `up` are the entries of the fixed palette of 256 colours in steps of
 * equal width from zero: the nearest entries of a table would neither keep its order nor its hues. */
enum { COLORMAP_LEVELS = 256, COLORMAP_STEPS = 8 };
struct colormap {
	const char *name;    /* "viridis" */
	const char *help;    /* one line: what it is good for */
	const char *licence; /* "CC0, van der Walt and Smith" */
	bool diverging;
	enum background background; /* it is made for; unknown: any */
	uint8_t zero, down[COLORMAP_STEPS], up[COLORMAP_STEPS];
	const char *low,
		*high; /* what its ends look like: "blue", "orange"; low NULL: zero is there */
};

extern const struct colormap colormaps[]; /* ends with name == NULL */

const struct colormap *colormap_find(const char *name); /* or NULL */
/* The one that is taken unless the user chooses. */
const struct colormap *colormap_for(bool diverging, enum background background);

/* The colour 0xRRGGBB of at in [0, 1] (clamped; NaN is a BUG), 0.5 being zero on a diverging map. */
uint32_t colormap_rgb(const struct colormap *map, double at);
uint32_t colormap_level(const struct colormap *map, size_t level);

/* The same for a terminal of 256 colours. Of `colormap_steps` steps on either side of zero each is as
 * wide as the one of zero, which has half of itself on each side. */
uint32_t colormap_256(const struct colormap *map, double at);
size_t colormap_steps(const struct colormap *map);
/* Which step x in [-1, 1] falls on, from -steps to steps. */
long ladder_step(double x, size_t steps);

/* The contrast ratio (WCAG 2) of two colours 0xRRGGBB, 1 to 21. */
double colour_contrast(uint32_t a, uint32_t b);
/* Near-black or white, whichever reads better on `rgb`. */
uint32_t colour_ink(uint32_t rgb);
/* `rgb` moved towards black or white until letters in it read at 4.5:1 on the other colour; and of the
 * palette of 256. */
uint32_t colour_text(uint32_t rgb, uint32_t on);
uint32_t colour_text_256(uint32_t rgb, uint32_t on);

/* The entry 16..255 of the fixed xterm palette nearest to rgb in OKLab, and its colour. */
uint8_t colour_to_256(uint32_t rgb);
uint32_t colour_from_256(uint8_t index);

#endif
