/* global_rows.h: global tokens with queries, keys and values of their own (Beltagy et al. 2020,
 * section 3.1): their rows of the attention are computed separately, all others stay. */
#ifndef SCHEME_GLOBAL_ROWS_H
#define SCHEME_GLOBAL_ROWS_H

#include "posviz/model/stage.h"

/* The complete state of a member that uses it. */
struct global_rows {
	size_t g;		/* number of global tokens in the input */
	int32_t *rows;		/* [g] */
	struct node *spread;	/* [n,g]: 1 if token t is the j-th global one */
	struct node *q, *k, *v; /* [g,d], [n,d], [n,d] */
};

/* Called in `prepare`; global[n]: whether each token is global. */
void global_rows_init(struct global_rows *state, struct run *run, const struct member *m,
		      const bool *global);
head_hook global_rows_logits, global_rows_values;

/* For leaf_init.make: draws like W_q. */
void global_rows_queries(struct mat at, const struct leaf_maker *of);

/* Rows of a table of leaves, for a scheme with a switch `projections`. */
/* clang-format off */
#define GLOBAL_ROWS_LEAVES \
	{"w_qg", "d, h d_h", "queries of global tokens", .by_layer = EACH_LAYER, \
	 .when = "projections", .demo = {.make = global_rows_queries}, \
	 .paper = {FILL_NORMAL, 0.02}}, \
	{"w_kg", "d, h d_h", "keys that global tokens see", .by_layer = EACH_LAYER, \
	 .when = "projections", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"}, \
	 .paper = {FILL_NORMAL, 0.02}}, \
	{"w_vg", "d, h d_v", "values that global tokens see", .by_layer = EACH_LAYER, \
	 .when = "projections", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"}, \
	 .paper = {FILL_NORMAL, 0.02}}
/* clang-format on */

#endif
