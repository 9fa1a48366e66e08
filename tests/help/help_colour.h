/* help_colour.h: the perceived difference of colours, by published formulas, for four kinds of
 * eyes. */
#ifndef HELP_COLOUR_H
#define HELP_COLOUR_H

#include <stdint.h>

/* Returns the CIELAB values of an sRGB colour, white D65. */
struct help_lab {
	double l, a, b;
};
struct help_lab help_lab(uint32_t rgb);

/* Returns the mixture of a colour, with this share, and another below it, mixed as light. */
struct help_lab help_mixed(uint32_t rgb, uint32_t on, double share);

/* Returns the difference by CIEDE2000 (Sharma, Wu, Dalal 2005). */
double help_difference(struct help_lab x, struct help_lab y);

/* Returns a colour as seen without one kind of cones (Machado, Oliveira, Fernandes 2009, severity
 * 1, in linear light). */
enum help_eye { EYE_NORMAL, EYE_PROTAN, EYE_DEUTAN, EYE_TRITAN, EYES };
struct help_lab help_seen(uint32_t rgb, enum help_eye eye);

/* Return the difference to a normal eye, and the least difference to any eye. */
double help_apart(uint32_t x, uint32_t y);
double help_apart_to_any(uint32_t x, uint32_t y);

#endif
