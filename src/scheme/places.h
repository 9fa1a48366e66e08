/* places.h: the rows and columns that an input reads from tables made for all positions. */
#ifndef SCHEME_PLACES_H
#define SCHEME_PLACES_H

#include "posviz/model/stage.h"

struct places {
	const int32_t *at; /* [n] */
	size_t n;
	bool in_order; /* 0, 1, …, n-1 */
};

/* Reads the positions of m's column, all below `limit`; an error names the bound. Keys must be
 * the tokens. */
bool places_init(struct places *places, struct run *run, const struct member *m, size_t limit,
		 struct err *err);

/* Returns columns of a table in the order of the tokens: a view if they are in order. */
struct node *places_cols(struct tape *t, struct node *table, const struct places *places);
/* Returns rows and columns of a table of pairs of positions: [n,n]. */
struct node *places_pairs(struct tape *t, struct node *table, const struct places *places);

#endif
