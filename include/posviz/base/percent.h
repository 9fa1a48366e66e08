/* percent.h: shares of a whole as whole percents that add up to what their sum is rounded to. */
#ifndef POSVIZ_PERCENT_H
#define POSVIZ_PERCENT_H

#include <stddef.h>

#include "posviz/base/arena.h"

/* Rounds n shares of a whole (1: all of it; some may be negative) to whole percents, those with the
 * largest remainders upwards, so that the sum of the percents is the rounded sum of the shares. A
 * share that is not finite is 0 %. */
void percent_round(const double *shares, size_t n, long *out);

/* Returns a share with its percents: "58 %", "−3 %", "<1 %" if it is positive and rounded to
 * nothing. */
const char *percent_show(double share, long percent, struct arena *a);

/* Returns the texts of n shares, rounded together. */
const char *const *percent_texts(const double *shares, size_t n, struct arena *a);

#endif
