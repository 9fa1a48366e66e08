/* alibi_slopes.c: see alibi_slopes.h. */
#include "scheme/alibi_slopes.h"

#include <math.h>

/* Slope of head i when the number of heads is a power of two: 2^(-8(i+1)/heads). */
static double geometric_slope(size_t i, size_t heads)
{
	return exp2(-8 * (double)(i + 1) / (double)heads);
}

/* Otherwise the slopes of the power of two below, then every second one of the power above. */
void alibi_slopes(double *out, size_t heads)
{
	size_t below = 1;
	while (2 * below <= heads)
		below *= 2;
	for (size_t i = 0; i < heads; i++)
		out[i] = i < below ? geometric_slope(i, below)
				   : geometric_slope(2 * (i - below), 2 * below);
}
