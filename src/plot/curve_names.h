/* curve_names.h: the names of curves beside the ends of their lines: their order and their
 * distances. */
#ifndef POSVIZ_CURVE_NAMES_H
#define POSVIZ_CURVE_NAMES_H

#include "plot/curve_axis.h"
#include "posviz/plot/curves.h"

/* Returns the last finite point of a series; false if there is none. */
bool curve_end(const struct series *s, double *x, double *y);

/* Orders the series that have an end and a name from the highest end to the lowest; returns their
 * number, their indices are in order[n]. Ends that differ by no more than `same` count as equal:
 * then the curve that runs above comes first. */
size_t curve_names_order(const struct series *series, const char *const *names, size_t n,
			 double same, size_t *order);

/* Finds the series that are the same line: as[i] is the one that is drawn for series i, itself if it has a line of
 * its own, else one at most `part` of the axis away at every point: the active one, or the first. */
void curve_names_same(const struct curve_axis *axis, const struct series *series, size_t n,
		      double part, size_t *as);

/* Moves the names of series that share a line directly behind that of the series which is drawn. */
void curve_names_group(const size_t *as, size_t n, size_t *order);

/* Moves the centres y[n] to be at least `line` apart, as near to their old positions as possible:
 * neighbours that are too close move away from each other equally. They stay in ascending order,
 * and within [lo, hi] if there is room. */
void curve_names_part(double *y, size_t n, double line, double lo, double hi);

#endif
