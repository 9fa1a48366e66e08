/* relation_terms.h: the terms that relations in both factors of the product add to the logits.
 *
 *   c (q_t + r_ts W_a)·(k_s + r_ts W_b) - c q_t·k_s
 *
 * With few relations, pairs read the products of all of them with queries and keys; with nearly
 * as many as pairs, r W_a and r W_b are made for some pairs at a time, and only the products are
 * kept. */
#ifndef SCHEME_RELATION_TERMS_H
#define SCHEME_RELATION_TERMS_H

#include "posviz/model/stage.h"

struct relation_terms {
	const struct index *read; /* [n,n] → rows of r */
	struct node *r;		  /* [rows, d], for all layers */
	struct node *wa, *wb;	  /* [d,d], of this layer */

	/* With many relations: pairs t n + s in the order of the row of r they read; and,
	 * divided by c, the three terms of the heads in turn, all 3 h numbers of a pair side by
	 * side. */
	const int32_t *pair;
	struct mat room;	   /* [n², 3 h], for all layers; row t n + s */
	struct node *terms;	   /* the same, [1, 3 h n²] */
	const struct index *place; /* [n,n] → the first number of the pair */
};

/* Returns whether these are many relations for n tokens. */
static inline bool relation_terms_many(double rows, double n)
{
	return rows > 2 * n;
}

/* relation_terms_prepare is called in `prepare`, with the first four members set;
 * relation_terms_add in `logits`. */
bool relation_terms_prepare(struct run *run, const struct member *m, struct relation_terms *x,
			    struct err *err);
void relation_terms_add(struct head *head, const struct relation_terms *x);

#endif
