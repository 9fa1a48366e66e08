/* learned.h: demo rules for tables with a row per position: smooth curves, or rows that have nothing
 * to do with one another. */
#ifndef SCHEME_LEARNED_H
#define SCHEME_LEARNED_H

#include "posviz/model/model.h"

/* For leaf_init.make, times its value where that is not 0: each column is a sum of three cosines of random phase, wavelengths 8 to 512
 * rows. */
void learned_curves(struct mat at, const struct leaf_maker *of);

/* The same: 1 and -1, so that the rows are as long as units. Columns stand in pairs of
 * opposite sign, which a unit of ones does not see; eight rows in turn are orthogonal wherever 16
 * columns from a multiple of 16 on are read together, and random signs part them from the next
 * eight. */
void learned_signs(struct mat at, const struct leaf_maker *of);

/* The rules in words, for demo_note. */
/* clang-format off */
#define LEARNED_CURVES_NOTE \
	"each column of P is a sum of three cosines of random phase, with wavelengths of 8 to 512 " \
	"positions"
/* clang-format on */

#endif
