/* near_past.h: the demo rule for tables of relative vectors: near before far, past before future.
 *
 * A vector per distance can say both at once to different components, so even components hold
 * the one and odd components the other, at four widths in turn. */
#ifndef SCHEME_NEAR_PAST_H
#define SCHEME_NEAR_PAST_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Component j of the vector for `delta`, key minus query position. */
static inline double near_past(size_t j, long delta)
{
	const double width = (double)(2 << j / 2 % 4);
	const double near = exp(-(double)labs(delta) / width);
	const double past = delta < 0 ? 1 : delta > 0 ? -1 : 0;
	return j % 2 == 0 ? 2 * near : past * (1 - near);
}

/* The rule in words, for demo_note. */
/* clang-format off */
#define NEAR_PAST_NOTE \
	"even components 2 exp(−|s−t|/w): near; odd ones ±(1 − exp(−|s−t|/w)): past; " \
	"w = 2, 4, 8, 16 in turn"
/* clang-format on */

#endif
