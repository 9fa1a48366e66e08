/* near_past.h: the demonstration's rule for tables of relative vectors: near before far, past
 * before future.
 *
 * A vector per distance can express both at once in different components, so even components
 * hold the first and odd components the second, at four widths in turn. */
#ifndef SCHEME_NEAR_PAST_H
#define SCHEME_NEAR_PAST_H

#include "posviz/model/model.h"

/* Returns component j of the vector for `delta`, key minus query position. */
double near_past(size_t j, long delta);

/* For leaf_init.make: vectors of d_k components, heads side by side; the middle row is that of
 * delta 0, the one after it that of 1, or, mirrored, of -1. */
void near_past_rows(struct mat at, const struct leaf_maker *of);
void near_past_mirrored(struct mat at, const struct leaf_maker *of);

/* The rule in words, for demo_note. */
/* clang-format off */
#define NEAR_PAST_NOTE \
	"even components 2 exp(−|s−t|/w): near; odd ones ±(1 − exp(−|s−t|/w)): past; " \
	"w = 2, 4, 8, 16 in turn"
/* clang-format on */

#endif
