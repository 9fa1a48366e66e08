/* help_net.c: see help_net.h. */
#include "help_net.h"

#include <string.h>

static const char *const label_names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

void help_net_give(struct model_input *in, const struct help_net *net, const long *node,
		   size_t tokens, struct arena *a)
{
	struct structure *s = arena_calloc(a, 1, sizeof *s);
	long *own = arena_calloc(a, tokens + 1, sizeof *own);
	const char **labels = arena_calloc(a, net->n_labels + 1, sizeof *labels);
	struct edge *edges = arena_calloc(a, net->n_edges + 1, sizeof *edges);
	for (size_t i = 0; i < tokens; i++)
		own[i] = node ? node[i] : (long)i;
	for (size_t i = 0; i < net->n_labels; i++)
		labels[i] = label_names[i % 8];
	memcpy(edges, net->edges, net->n_edges * sizeof *edges);
	*s = (struct structure){.kind = STRUCTURE_GRAPH,
				.n = net->n,
				.names = arena_calloc(a, net->n, sizeof *s->names),
				.edges = edges,
				.n_edges = net->n_edges,
				.edge_labels = labels,
				.n_labels = net->n_labels,
				.directed = net->directed,
				.root = -1,
				.tokens = tokens,
				.node_of = own};
	for (size_t i = 0; i < net->n; i++)
		s->names[i] = arena_printf(a, "%zu", i);
	in->structure = s;
	in->node = own;
}

struct help_net help_net_drawn(size_t n, size_t mean, size_t labels, bool directed, struct rng *rng,
			       struct arena *a)
{
	const size_t n_edges = n * mean / 2;
	struct edge *edges = arena_calloc(a, n_edges + 1, sizeof *edges);
	for (size_t e = 0; e < n_edges; e++)
		edges[e] = (struct edge){.from = rng_below(rng, n),
					 .to = rng_below(rng, n),
					 .label = (int)rng_below(rng, labels)};
	return (struct help_net){n, n_edges, labels, edges, directed};
}

struct help_net help_net_renamed(const struct help_net *net, const size_t *to, struct arena *a)
{
	struct edge *edges = arena_calloc(a, net->n_edges + 1, sizeof *edges);
	for (size_t e = 0; e < net->n_edges; e++)
		edges[e] = (struct edge){to[net->edges[e].from], to[net->edges[e].to],
					 net->edges[e].label};
	struct help_net out = *net;
	out.edges = edges;
	return out;
}

int32_t *help_net_distances(const struct help_net *net, bool both, struct arena *a)
{
	enum { FAR = 1 << 20 };
	const size_t n = net->n;
	int32_t *d = arena_calloc(a, n * n + 1, sizeof *d);
	for (size_t i = 0; i < n * n; i++)
		d[i] = i / n == i % n ? 0 : FAR;
	for (size_t e = 0; e < net->n_edges; e++) {
		const size_t i = net->edges[e].from, j = net->edges[e].to;
		if (i == j)
			continue;
		d[i * n + j] = 1;
		if (both || !net->directed)
			d[j * n + i] = 1;
	}
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				if (d[i * n + k] + d[k * n + j] < d[i * n + j])
					d[i * n + j] = d[i * n + k] + d[k * n + j];
	for (size_t i = 0; i < n * n; i++)
		d[i] = d[i] >= FAR ? -1 : d[i];
	return d;
}

struct trace *help_net_permuted(struct help_run *r, const char *expression, const size_t *order)
{
	long *token = arena_calloc(&r->arena, r->in.axis.n, sizeof *token);
	for (size_t i = 0; i < r->in.axis.n; i++)
		token[i] = (long)order[i];
	help_permute(r, order);
	r->in.axis.token = token;
	return help_again(r, expression, NULL);
}

void help_want_relation(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION;
}
