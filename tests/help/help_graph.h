/* help_graph.h: graphs as inputs, a token on each node, and their matrices by an independent
 * implementation. */
#ifndef HELP_GRAPH_H
#define HELP_GRAPH_H

#include "help_learned.h"

struct help_graph {
	size_t n, n_edges;
	const size_t (*edges)[2];
};

extern const struct help_graph help_g5; /* 0-1, 1-2, 0-2, 2-3, 3-4 */
/* A triangle, a pair, an isolated node; with loops and double edges. */
extern const struct help_graph help_parts;

/* Gives an input the graph, token i on node i. */
void help_graph_give(struct model_input *in, const struct help_graph *g, struct arena *a);
/* Give an input one of these graphs; for `prepare`. */
void help_give_g5(struct help_run *r);
void help_give_parts(struct help_run *r);

/* Returns a random graph of n nodes with about `mean` edges each, and a path through all nodes. */
struct help_graph help_graph_drawn(size_t n, size_t mean, uint64_t seed, struct arena *a);
/* Returns the graph with node i renamed to to[i]. */
struct help_graph help_graph_renamed(const struct help_graph *g, const size_t *to, struct arena *a);

struct mat help_adjacency(const struct help_graph *g, struct arena *a);
struct mat help_degrees(const struct help_graph *g, struct arena *a); /* [1, n] */

/* Makes maps from numbers to vectors, "weight" and "bias", the identity: then the position vectors
 * are the numbers. */
void help_show_numbers(struct model *model);
/* Does the same, and draws every other leaf. */
void help_draw_networks(struct model *model);
/* Returns the first k columns of the position vectors for these leaves, [n, k]. */
struct mat help_graph_numbers(struct help_run *r, const char *expression, size_t k,
			      void (*change)(struct model *model));

/* Checks a graph scheme: all ways through the code agree on graphs and chains, gradients of learned
 * leaves are right, every size is evaluated, moving tokens with their nodes moves the outputs, and
 * renaming nodes changes nothing. */
void help_graph_scheme(const char *expression);

#endif
