/* rotation.h: what schemes that turn pairs of columns have in common: the positions they need, tables of
 * cosines and sines, and how far training has shown their angles. */
#ifndef SCHEME_ROTATION_H
#define SCHEME_ROTATION_H

#include "posviz/model/stage.h"

/* For hooks.declare: an error when a head has no two columns to make a pair of. */
bool rotation_has_pairs(struct model *model, const struct member *m, struct err *err);

/* How far frequency i of `width` columns turns per position: base^(-2i/width). */
double rotation_rate(double base, size_t i, size_t width);

/* cos and sin [n, rates] of positions[t]·rate[i]. */
void rotation_fill(struct mat cos, struct mat sin, const double *positions, const double *rate);

/* Cosines and sines [n, pairs] by which queries and keys turn, as tape_rotate has it. */
struct rotation {
	struct mat q_cos, q_sin, k_cos, k_sin;
};

/* In `qk`: turns q and k of a head; an error where fewer columns are left of it. */
bool rotation_turn(struct head *head, const struct member *m, const struct rotation *by, bool half,
		   struct err *err);

/* For scheme.reach of what turns as it was trained: INFINITY when the slowest rate comes round within t_max positions,
 * so that training showed every angle; else t_max - 1. */
double rotation_reach(double slowest, const struct model_config *config);

#endif
