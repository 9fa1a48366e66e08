/* rotation.h: the parts that schemes with rotated pairs of columns share: the positions they
 * need, tables of cosines and sines, and the angles that training covers. */
#ifndef SCHEME_ROTATION_H
#define SCHEME_ROTATION_H

#include "posviz/model/stage.h"

/* For hooks.declare: an error when a head has fewer than two columns. */
bool rotation_has_pairs(struct model *model, const struct member *m, struct err *err);

/* Returns the rotation of frequency i of `width` columns per position: base^(-2i/width). */
double rotation_rate(double base, size_t i, size_t width);

/* Computes cos and sin [n, rates] of positions[t]·rate[i]. */
void rotation_fill(struct mat cos, struct mat sin, const double *positions, const double *rate);

/* Cosines and sines [n, pairs] of the rotations of queries and keys, as for tape_rotate. */
struct rotation {
	struct mat q_cos, q_sin, k_cos, k_sin;
};

/* Returns whether q and k still have so many columns; the error names the member that took the others. */
bool rotation_fits(const struct head *head, const struct member *m, size_t columns,
		   struct err *err);

/* Called in `qk`: rotates q and k of a head; an error if a head has fewer columns than that. */
bool rotation_turn(struct head *head, const struct member *m, const struct rotation *by, bool half,
		   struct err *err);

/* Works like it with cosines and sines that are learned, nodes of all heads [n, h·pairs], or of one
 * for all [n, pairs]: pairs (i, i + pairs). */
bool rotation_by_nodes(struct head *head, const struct member *m, struct node *cosine,
		       struct node *sine, size_t pairs, struct err *err);

/* For scheme.reach of unscaled rotations: INFINITY when the slowest rate completes a rotation
 * within t_max positions, so that training covered every angle; else t_max - 1. */
double rotation_reach(double slowest, const struct model_config *config);

#endif
