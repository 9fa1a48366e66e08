/* alibi_slopes.c: see alibi_slopes.h. */
#include "posviz/scheme/alibi_slopes.h"

#include <math.h>

/* Returns the slope of head i when the number of heads is a power of two: 2^(-8(i+1)/heads). */
static double geometric_slope(size_t i, size_t heads)
{
	return exp2(-8 * (double)(i + 1) / (double)heads);
}

/* For other numbers of heads: the slopes of the next lower power of two, then every second one
 * of the next higher power. */
void alibi_slopes(double *out, size_t heads)
{
	size_t below = 1;
	while (2 * below <= heads)
		below *= 2;
	for (size_t i = 0; i < heads; i++)
		out[i] = i < below ? geometric_slope(i, below)
				   : geometric_slope(2 * (i - below), 2 * below);
}
