/* turn.h: what schemes that turn pairs of columns have in common: the positions they need, tables of
 * cosines and sines, and how far training has shown their angles. */
#ifndef SCHEME_TURN_H
#define SCHEME_TURN_H

#include "posviz/stage.h"

/* An error when a head has no two columns to make a pair of. */
bool turn_has_pairs(const struct model *model, const struct member *m, struct err *err);

/* How far frequency i of `width` columns turns per position: base^(-2i/width). */
double turn_rate(double base, size_t i, size_t width);

/* cos and sin [n, rates] of positions[t]·rate[i]. */
void turn_fill(struct mat cos, struct mat sin, const double *positions, const double *rate);

/* For scheme.reach: INFINITY when the slowest rate comes round within t_max positions, so that every
 * angle was seen in training; else t_max - 1. */
double turn_reach(double slowest, const struct model_config *config);

#endif
