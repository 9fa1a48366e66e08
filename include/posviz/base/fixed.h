/* fixed.h: numbers of one column, all with the same decimals, of which none looks like 0 that is not 0. */
#ifndef POSVIZ_FIXED_H
#define POSVIZ_FIXED_H

#include <stdbool.h>

#include "posviz/base/arena.h"

/* Returns the size of a value, without its sign, with these decimals; one that would be zeros alone has the
 * digits that it needs, "0.0004" or "3e-5", in which a column of four or more decimals has two: "3.2e-5".
 * Sizes below 1e-12 are rounding errors of 0: "0", with at most two decimals "0.00". */
const char *fixed_size(struct arena *a, double value, int decimals);
/* The same with the sign: "−" (U+2212), and before positive values "+" if `plus`; of 0 none. */
const char *fixed_text(struct arena *a, double value, int decimals, bool plus);

#endif
