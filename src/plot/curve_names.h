/* curve_names.h: the names of curves beside the ends of their lines: their order and their
 * distances. */
#ifndef POSVIZ_CURVE_NAMES_H
#define POSVIZ_CURVE_NAMES_H

#include "posviz/plot/curves.h"

/* Returns the last finite point of a series; false if there is none. */
bool curve_end(const struct series *s, double *x, double *y);

/* Orders the series that have an end and a name from the highest end to the lowest; returns their
 * number, their indices are in order[n]. Ends that differ by no more than `same` count as equal:
 * then the curve that runs above comes first. */
size_t curve_names_order(const struct series *series, const char *const *names, size_t n,
			 double same, size_t *order);

/* Moves the centres y[n] to be at least `line` apart, as near to their old positions as possible:
 * neighbours that are too close move away from each other equally. They stay in ascending order,
 * and within [lo, hi] if there is room. */
void curve_names_part(double *y, size_t n, double line, double lo, double hi);

#endif
