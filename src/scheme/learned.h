/* learned.h: rules of the demonstration for tables with a row per position: smooth curves, or
 * unrelated rows. */
#ifndef SCHEME_LEARNED_H
#define SCHEME_LEARNED_H

#include "posviz/model/model.h"

/* For leaf_init.make, multiplied by its value if that is not 0: each column is a sum of three
 * cosines of random phase, wavelengths 8 to 512 rows. */
void learned_curves(struct mat at, const struct leaf_maker *of);

/* Entries are 1 and -1, multiplied in the same way, so that the rows have the length of token
 * vectors. Columns come in pairs of opposite sign, which a vector of ones cancels; eight
 * consecutive rows are orthogonal in any 16 columns from a multiple of 16 on, and random signs
 * separate them from the next eight. */
void learned_signs(struct mat at, const struct leaf_maker *of);

/* The rules in words, for demo_note. */
/* clang-format off */
#define LEARNED_CURVES_NOTE \
	"each column of P is a sum of three cosines of random phase, with wavelengths of 8 to 512 " \
	"positions"
/* clang-format on */

#endif
