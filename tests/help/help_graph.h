/* help_graph.h: graphs as inputs, a token on each node, and their matrices written out once more. */
#ifndef HELP_GRAPH_H
#define HELP_GRAPH_H

#include "help_learned.h"

struct help_graph {
	size_t n, n_edges;
	const size_t (*edges)[2];
};

extern const struct help_graph help_g5;	   /* 0-1, 1-2, 0-2, 2-3, 3-4 */
extern const struct help_graph help_parts; /* a triangle, a pair, a lonely node; loops, doubles */

/* Token i stands on node i. */
void help_graph_give(struct model_input *in, const struct help_graph *g, struct arena *a);
/* For `prepare`. */
void help_give_g5(struct help_run *r);
void help_give_parts(struct help_run *r);

/* n nodes and about `mean` edges each, drawn, with a path through all of them. */
struct help_graph help_graph_drawn(size_t n, size_t mean, uint64_t seed, struct arena *a);
/* Node i becomes node to[i]. */
struct help_graph help_graph_renamed(const struct help_graph *g, const size_t *to, struct arena *a);

struct mat help_adjacency(const struct help_graph *g, struct arena *a);
struct mat help_degrees(const struct help_graph *g, struct arena *a); /* [1, n] */

/* Maps from numbers to vectors, "weight" and "bias", become the identity: the position vectors are the
 * numbers. */
void help_show_numbers(struct model *model);
/* The same, and every other leaf is drawn. */
void help_draw_networks(struct model *model);
/* The first k columns of the position vectors under these leaves, [n, k]. */
struct mat help_graph_numbers(struct help_run *r, const char *expression, size_t k,
			      void (*change)(struct model *model));

/* What a graph scheme must do: all ways agree on graphs and chains, gradients are right where
 * something is learned, every size is evaluated, moving tokens with their nodes moves the outputs, and
 * calling nodes otherwise changes nothing. */
void help_graph_scheme(const char *expression);

#endif
