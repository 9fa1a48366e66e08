/* help_net.h: graphs with directions, labels and several tokens on a node as inputs, and their
 * distances by the algorithm of Floyd and Warshall. */
#ifndef HELP_NET_H
#define HELP_NET_H

#include "help_learned.h"
#include "posviz/base/rng.h"

struct help_net {
	size_t n, n_edges, n_labels;
	const struct edge *edges;
	bool directed;
};

/* Gives an input the graph, token i on node[i]; NULL: on node i. `node` is copied. */
void help_net_give(struct model_input *in, const struct help_net *net, const long *node,
		   size_t tokens, struct arena *a);

/* Returns a random graph of n nodes with about `mean` edges each, with loops, double edges and
 * unconnected parts. */
struct help_net help_net_drawn(size_t n, size_t mean, size_t labels, bool directed, struct rng *rng,
			       struct arena *a);

/* Returns the graph with node i renamed to to[i]; edges keep their order. */
struct help_net help_net_renamed(const struct help_net *net, const size_t *to, struct arena *a);

/* Returns distances by Floyd and Warshall: [n·n], -1 without a path. */
int32_t *help_net_distances(const struct help_net *net, bool both, struct arena *a);

/* Returns the trace of r's input with its tokens in another order, each with its node. */
struct trace *help_net_permuted(struct help_run *r, const char *expression, const size_t *order);

/* Adds WANT_RELATION to the usual results; for `prepare`. */
void help_want_relation(struct help_run *r);

#endif
