/* node_ranks.h: ranks of a graph's nodes: by what stands around them, and by how close random
 * walks hold them to one of them (Zhang et al. 2020). */
#ifndef SCHEME_NODE_RANKS_H
#define SCHEME_NODE_RANKS_H

#include "scheme/graph.h"

/* The colours of Weisfeiler and Lehman, from 1, after so many rounds; 0: until nothing is told
 * apart any more. */
int32_t *node_colours(const struct graph *g, long rounds, struct arena *a);

/* 0 for the target, then 1, 2, … by descending intimacy. */
enum node_closeness {
	NODE_CLOSENESS_PAPER, /* Ā = A D^{-1}; of equal nodes the lower index comes first */
	NODE_CLOSENESS_CODE   /* Ā = D^{-1/2} A D^{-1/2}; the higher */
};
int32_t *node_intimacy(const struct graph *g, size_t target, double alpha, enum node_closeness how,
		       struct arena *a);

#endif
