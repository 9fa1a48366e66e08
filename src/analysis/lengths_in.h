/* lengths_in.h: parts that the files of the lengths share. */
#ifndef POSVIZ_LENGTHS_IN_H
#define POSVIZ_LENGTHS_IN_H

#include "analysis_in.h"
#include "posviz/analysis/lengths.h"

/* lengths_row.c: measures one query at position t, row [1, key->n] its weights;
 * out[LENGTHS_MEASURES]. */
void lengths_measure_row(struct mat row, const struct axis *key, long t, long within, double *out);
/* Returns whether some keys have positions. */
bool lengths_has_places(const struct axis *key);
/* Returns the sum of a row of weights; NaN if one is negative or all are 0. */
double lengths_row_sum(const double *w, size_t n);
/* Returns the numbers of the last of n queries by distance: at[d] for the key d positions before
 * it; NaN: there is none. */
double *lengths_by_distance(const double *row, const struct axis *key, size_t n, struct arena *a);
/* Return, for such numbers [n], the window, the share beyond `reach`, and the distance from
 * which they are constant. */
double lengths_window(const double *at, size_t n, double sum);
double lengths_beyond(const double *at, size_t n, double sum, double reach);
double lengths_saturation(const double *at, size_t n);

/* lengths_ends.c: computes what follows from t_max alone. */
void lengths_unseen(const struct lengths_of *of, struct lengths *l);
void lengths_find_turns(const struct lengths_of *of, struct arena *keep, struct lengths *l);

#endif
