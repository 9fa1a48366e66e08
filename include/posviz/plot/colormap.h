/* colormap.h: colour maps from numbers in [0, 1] to colours, contrast, and the palette of 256
 * colours. */
#ifndef POSVIZ_COLORMAP_H
#define POSVIZ_COLORMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The background of a drawing. A page has one of the two; that of a terminal can be unknown. */
enum background { BACKGROUND_UNKNOWN, BACKGROUND_LIGHT, BACKGROUND_DARK };

/* A map made for a background has its zero close to the colour of that background, so that other
 * values stand out. Zero of a diverging map is in the middle of the table, entry 128, and its ends
 * are entries 1 and 255. Lightness is monotone from zero outwards. `down` and `up` are entries of
 * the fixed palette of 256 colours, in steps of equal width from zero: the palette's nearest
 * entries to the table would keep neither its order nor its hues. */
enum { COLORMAP_LEVELS = 256, COLORMAP_STEPS = 8 };
struct colormap {
	const char *name;    /* "viridis" */
	const char *help;    /* its use, in one line */
	const char *licence; /* "CC0, van der Walt and Smith" */
	bool diverging;
	enum background background; /* that it is made for; unknown: any */
	uint8_t zero, down[COLORMAP_STEPS], up[COLORMAP_STEPS];
	/* the looks of its ends: "blue", "orange"; low NULL: the lower end is zero */
	const char *low, *high;
};

extern const struct colormap colormaps[]; /* the last has name NULL */

const struct colormap *colormap_find(const char *name); /* NULL: there is none */
/* Returns the default map. */
const struct colormap *colormap_for(bool diverging, enum background background);

/* Returns the colour 0xRRGGBB of `at` in [0, 1], which is clamped; NaN is a BUG. On a diverging map
 * 0.5 is zero. */
uint32_t colormap_rgb(const struct colormap *map, double at);
uint32_t colormap_level(const struct colormap *map, size_t level);

/* The same for a terminal of 256 colours. On either side of zero there are `colormap_steps` steps,
 * each as wide as the step of zero, which extends to both sides by one half. */
uint32_t colormap_256(const struct colormap *map, double at);
size_t colormap_steps(const struct colormap *map);
/* Returns the step of x in [-1, 1], a number from -steps to steps. */
long ladder_step(double x, size_t steps);

/* Returns the contrast ratio (WCAG 2) of two colours 0xRRGGBB, 1 to 21. */
double colour_contrast(uint32_t a, uint32_t b);
/* Returns near-black or white, the one with more contrast on `rgb`. */
uint32_t colour_ink(uint32_t rgb);
/* Returns `rgb` moved towards black or white until text in it has a contrast of 4.5:1 on the other
 * colour; colour_text_256 takes only colours of the palette of 256. */
uint32_t colour_text(uint32_t rgb, uint32_t on);
uint32_t colour_text_256(uint32_t rgb, uint32_t on);

/* The entry 16..255 of the fixed xterm palette that is nearest to rgb in OKLab; the colour of an
 * entry. */
uint8_t colour_to_256(uint32_t rgb);
uint32_t colour_from_256(uint8_t index);

#endif
