/* node_ranks.h: ranks of a graph's nodes: by their surroundings, and by their closeness to one
 * node in random walks (Zhang et al. 2020). */
#ifndef SCHEME_NODE_RANKS_H
#define SCHEME_NODE_RANKS_H

#include "scheme/graph.h"

/* Returns the colours of Weisfeiler and Lehman, from 1, after this number of rounds; 0: until
 * they no longer change. */
int32_t *node_colours(const struct graph *g, long rounds, struct arena *a);

/* The ranks are 0 for the target, then 1, 2, … by descending intimacy. */
enum node_closeness {
	NODE_CLOSENESS_PAPER, /* Ā = A D^{-1}; among equal nodes the lower index comes first */
	NODE_CLOSENESS_CODE   /* Ā = D^{-1/2} A D^{-1/2}; the higher index comes first */
};
int32_t *node_intimacy(const struct graph *g, size_t target, double alpha, enum node_closeness how,
		       struct arena *a);

#endif
