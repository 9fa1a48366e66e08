/* graph.h: the graph of a run's tokens, for schemes that use neither directions nor labels.
 *
 * Edges count in both directions and once each; an edge from a node to itself does not count.
 * Without a structure it is the chain of the tokens. Several tokens may belong to one node, and
 * an inserted token to none. */
#ifndef SCHEME_GRAPH_H
#define SCHEME_GRAPH_H

#include "posviz/model/stage.h"

struct graph {
	size_t n;	    /* nodes */
	size_t *first, *to; /* of node i, ascending: to[first[i]] .. to[first[i + 1] - 1] */
	bool chain;	    /* no structure was given */
};

/* Makes the graph in run->arena. */
struct graph graph_of(struct run *run);

static inline size_t graph_degree(const struct graph *g, size_t i)
{
	return g->first[i + 1] - g->first[i];
}

bool graph_joined(const struct graph *g, size_t i, size_t j);

/* Computes the edges on a shortest path from a node to each, -1 if there is none: at[n]. */
void graph_hops(const struct graph *g, size_t from, int32_t *at, struct arena *a);

/* Returns the number of connected components. */
size_t graph_components(const struct graph *g, struct arena *a);

/* Returns the row of each token in a table that has one per node, followed by one for tokens
 * without a node. */
const int32_t *graph_rows(struct run *run, const struct graph *g);

/* Adds numbers [n + 1, k] of nodes, the last row 0, to the token vectors: X = U + numbers·C + c
 * by the leaves "weight" [k, d] and "bias" [1, d]. A token without a node gets nothing. False if
 * numbers is NULL. */
bool graph_add_mapped(struct run *run, const struct member *m, const struct graph *g,
		      struct node *numbers);

/* The rows of these leaves in a table, for a scheme with a parameter k: the meaning of a row of
 * the first, and for init=demo its rule, its value and its bias. */
/* clang-format off */
#define GRAPH_MAP_LEAVES(means, rule, gain, ...) \
	{"weight", "k, d", means, .by_layer = ALL_LAYERS, \
	 .demo = {.make = rule, .value = gain}, .paper = LINEAR_INIT("k")}, \
	{"bias", "1, d", "added to the token vector", .spare = true, .by_layer = ALL_LAYERS, \
	 .demo = __VA_ARGS__, .paper = LINEAR_INIT("k")}

/* The reason for the claim that it is relative, for a scheme that adds properties of the graph
 * alone. */
#define GRAPH_ALONE \
	"no column of positions is read, the graph alone, so a shift of one moves nothing; the " \
	"vectors belong to single nodes all the same"
/* clang-format on */

#endif
