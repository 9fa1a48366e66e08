/* select.h: the number at a place among sorted ones, without sorting them all: medians, quantiles. */
#ifndef MATH_SELECT_H
#define MATH_SELECT_H

#include <stddef.h>

/* Returns the number that would be at index k < n if the n numbers ascended, and reorders them: those
 * before index k are at most as large, those behind it at least. None is NaN. */
double select_at(double *numbers, size_t n, size_t k);

#endif
