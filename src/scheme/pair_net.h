/* pair_net.h: a network with one hidden layer over the numbers of all heads for a pair (Zheng et
 * al. 2024), or for neighbouring pairs of a query (Zheng et al. 2025): their logits A, and their
 * ALiBi B. */
#ifndef SCHEME_PAIR_NET_H
#define SCHEME_PAIR_NET_H

#include "posviz/model/stage.h"

struct pair_net {
	const double *position; /* [n] */
	const double *slope;	/* [h] */
	bool causal;		/* B is 0 for keys after the query */
	size_t taps;		/* K, odd: the numbers of K keys side by side are read */
	struct node *w1, *b1;	/* [2h K, width], [1, width] */
	struct node *w2, *b2;	/* [width K, h], [1, h] */
};

/* With several taps both layers are convolutions along the keys, and A and B are 0 for keys after
 * the query where they are read, if `causal`.
 *
 * For hooks.adjust_heads: adds to the logits of m's heads the terms "base bias", B, and "f(A,
 * B)" = W_2 LeakyReLU(W_1 [A; B] + b_1) + b_2. */
bool pair_net_add(struct run *run, const struct member *m, const struct pair_net *net,
		  struct err *err);

#endif
