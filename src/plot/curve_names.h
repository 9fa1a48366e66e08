/* curve_names.h: the names of curves beside the ends of their lines: in which order, and how far apart. */
#ifndef POSVIZ_CURVE_NAMES_H
#define POSVIZ_CURVE_NAMES_H

#include "posviz/plot/curves.h"

/* The last finite point of a series; false when there is none. */
bool curve_end(const struct series *s, double *x, double *y);

/* Those of n series that end somewhere and have a name, from the highest end to the lowest; returns how
 * many, in order[n]. Ends that differ by no more than `same` are one: then what runs above goes first. */
size_t curve_names_order(const struct series *series, const char *const *names, size_t n,
			 double same, size_t *order);

/* Centres `line` apart, as near to the wanted ones as they can be: neighbours that are too close part
 * in the middle. Ascending order stays. */
void curve_names_part(double *y, size_t n, double line, double lo, double hi);

#endif
