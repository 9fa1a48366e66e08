/* graphbert.h: a graph as a list of its nodes, made for one of them. */
#ifndef SCHEME_GRAPHBERT_H
#define SCHEME_GRAPHBERT_H

#include "posviz/scheme/scheme.h"
#include "scheme/graph.h"

enum { GRAPHBERT_FAR = 99 }; /* number of hops if there is no path */

struct graphbert {
	long target, k, rounds;
	double alpha;
	int intimacy; /* enum node_closeness */
	int vectors;  /* enum vectors */
};

enum number { NUMBER_ROLE, NUMBER_INTIMACY, NUMBER_HOPS, NUMBERS };

/* Results that depend on the graph alone, found before the tokens are chosen, and stored by
 * node. */
struct graphbert_list {
	struct graph graph;
	size_t tokens;
	size_t *node;		    /* [tokens], by place; graph.n: no node */
	const int32_t *at[NUMBERS]; /* [graph.n] */
};

/* The hook `units`: stores the list as the member's state, and with k > 0 chooses the target and
 * its k context nodes, in the order of the list. */
run_hook graphbert_units;

/* Returns the node of token i; graph.n: none. */
size_t graphbert_node(const struct run *run, const struct graphbert_list *list, size_t i);

#endif
