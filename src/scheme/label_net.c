/* label_net.c: see label_net.h; and the depths of nodes, which are counted along the same steps. */
#include "scheme/label_net.h"

#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
	return strcmp(**(const char *const *const *)a, **(const char *const *const *)b);
}

size_t *label_ranks(const struct structure *s, struct arena *a)
{
	const char ***order = arena_calloc(a, s->n_labels + 1, sizeof *order);
	size_t *rank = arena_calloc(a, s->n_labels + 1, sizeof *rank);
	for (size_t i = 0; i < s->n_labels; i++)
		order[i] = &s->edge_labels[i];
	qsort(order, s->n_labels, sizeof *order, by_text);
	for (size_t i = 0; i < s->n_labels; i++)
		rank[order[i] - s->edge_labels] = i;
	return rank;
}

static void add_arcs(struct net *net, const struct arc *arcs, const size_t *from, size_t n,
		     struct arena *a)
{
	net->first = arena_calloc(a, net->n + 2, sizeof *net->first);
	net->at = arena_calloc(a, n + 1, sizeof *net->at);
	for (size_t i = 0; i < n; i++)
		net->first[from[i] + 1]++;
	for (size_t i = 0; i < net->n; i++)
		net->first[i + 1] += net->first[i];
	size_t *next = arena_calloc(a, net->n + 1, sizeof *next);
	memcpy(next, net->first, net->n * sizeof *next);
	for (size_t i = 0; i < n; i++)
		net->at[next[from[i]]++] = arcs[i];
}

struct arc_list {
	struct arc *at;
	size_t *from, n;
};

static void push_edge(struct arc_list *list, size_t from, size_t to, int32_t down, int32_t up)
{
	list->from[list->n] = from;
	list->at[list->n++] = (struct arc){to, down, up};
	list->from[list->n] = to;
	list->at[list->n++] = (struct arc){from, up, down};
}

/* Makes nodes for tokens that have none, below the root if there is one. */
static void place_units(struct run *run, const struct structure *s, bool every, struct net *net,
			struct arc_list *list)
{
	net->units = run->n;
	net->node = arena_calloc(run->arena, run->n + 1, sizeof *net->node);
	net->n = s->n;
	for (size_t i = 0; i < run->n; i++) {
		const long node = run_node(run, i);
		net->node[i] = node >= 0 ? (size_t)node : net->n;
		if (node >= 0 || every)
			continue;
		if (s->root >= 0)
			push_edge(list, (size_t)s->root, net->n, SYMBOL_TO_SPECIAL,
				  SYMBOL_FROM_SPECIAL);
		net->n++;
	}
}

void label_net_of(struct run *run, const struct structure *s, const struct path_rules *rules,
		  struct net *net)
{
	struct arena *a = run->arena;
	const size_t most = 2 * (s->n_edges + run->n) + 1, *rank = label_ranks(s, a);
	const size_t own = symbol_count(rules) - 2 * rules->labels;
	struct arc_list list = {.at = arena_calloc(a, most, sizeof *list.at),
				.from = arena_calloc(a, most, sizeof *list.from)};
	for (size_t e = 0; e < s->n_edges; e++) {
		const struct edge *edge = &s->edges[e];
		const int32_t down = (int32_t)(own + 2 * rank[edge->label]);
		if (edge->from != edge->to)
			push_edge(&list, edge->from, edge->to, down, down + s->directed);
	}
	place_units(run, s, rules->every, net, &list);
	add_arcs(net, list.at, list.from, list.n, a);
}

/* ---- depths ---------------------------------------------------------------------------------- */

/* Returns the nodes from which depth is counted: the root; else those without an incoming edge;
 * else none. */
static size_t depth_starts(const struct structure *s, size_t *queue, struct arena *a)
{
	if (s->root >= 0) {
		queue[0] = (size_t)s->root;
		return 1;
	}
	bool *below = arena_calloc(a, s->n + 1, sizeof *below);
	for (size_t e = 0; e < s->n_edges; e++) {
		below[s->edges[e].to] = true;
		if (!s->directed)
			below[s->edges[e].from] = true;
	}
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (!below[i])
			queue[n++] = i;
	return n;
}

const size_t *label_path_depths(struct run *run)
{
	bool chain;
	struct arena *a = run->arena;
	const struct structure *s = run_structure(run, &chain);
	const struct path_rules rules = {.longest = 1, .labels = s->n_labels, .every = true};
	struct net net;
	label_net_of(run, s, &rules, &net);
	size_t *depth = arena_calloc(a, s->n + 1, sizeof *depth);
	bool *known = arena_calloc(a, s->n + 1, sizeof *known);
	size_t *queue = arena_calloc(a, s->n + 1, sizeof *queue);
	size_t tail = depth_starts(s, queue, a);
	for (size_t i = 0; i < tail; i++)
		known[queue[i]] = true;
	for (size_t head = 0; head < tail; head++) {
		const size_t u = queue[head];
		for (size_t j = net.first[u]; j < net.first[u + 1]; j++) {
			const size_t v = net.at[j].to;
			if (known[v])
				continue;
			known[v] = true;
			depth[v] = depth[u] + 1;
			queue[tail++] = v;
		}
	}
	size_t *out = arena_calloc(a, run->n + 1, sizeof *out);
	for (size_t i = 0; i < run->n; i++)
		out[i] = net.node[i] < s->n ? depth[net.node[i]] : 0;
	return out;
}
