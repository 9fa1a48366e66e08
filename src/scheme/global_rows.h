/* global_rows.h: global tokens with queries, keys and values of their own (Beltagy et al. 2020, section
 * 3.1): their rows of the attention are computed anew, all others stay. */
#ifndef SCHEME_GLOBAL_ROWS_H
#define SCHEME_GLOBAL_ROWS_H

#include "posviz/model/stage.h"

/* What a member has to keep for it as its state, and nothing else. */
struct global_rows {
	size_t g;		/* how many of them are in the input */
	int32_t *rows;		/* [g] */
	struct node *spread;	/* [n,g]: 1 where unit t is the j-th of them */
	struct node *q, *k, *v; /* [g,d], [n,d], [n,d] */
};

/* In `prepare`; global[n]: which units they are. */
void global_rows_init(struct global_rows *state, struct run *run, const struct member *m,
		      const bool *global);
head_hook global_rows_logits, global_rows_values;

/* For leaf_init.make: as W_q is drawn. */
void global_rows_queries(struct mat at, const struct leaf_maker *of);

/* Their leaves, rows for a table, of a scheme with a switch `projections`. */
/* clang-format off */
#define GLOBAL_ROWS_LEAVES \
	{"w_qg", "d, d", "queries of global tokens", .by_layer = EACH_LAYER, \
	 .when = "projections", .demo = {.make = global_rows_queries}, \
	 .paper = {FILL_NORMAL, 0.02}}, \
	{"w_kg", "d, d", "keys that global tokens see", .by_layer = EACH_LAYER, \
	 .when = "projections", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"}, \
	 .paper = {FILL_NORMAL, 0.02}}, \
	{"w_vg", "d, d", "values that global tokens see", .by_layer = EACH_LAYER, \
	 .when = "projections", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"}, \
	 .paper = {FILL_NORMAL, 0.02}}
/* clang-format on */

#endif
