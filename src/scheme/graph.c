/* graph.c: see graph.h. Neighbours are stored as lists: graphs of language are sparse. */
#include "scheme/graph.h"

#include "posviz/scheme/scheme.h"

/* ---- construction ---------------------------------------------------------------------------- */

/* Both directions of every edge, sorted by a counting sort over `to`, then over `from`: so lists
 * are ascending, and duplicates are adjacent. */
struct arcs {
	size_t n;
	size_t *from, *to;
};

static void sort_arcs(struct arcs *arcs, bool by_to, size_t nodes, struct arena *a)
{
	const size_t *key = by_to ? arcs->to : arcs->from;
	size_t *next = arena_calloc(a, nodes + 1, sizeof *next);
	size_t *from = arena_calloc(a, arcs->n + 1, sizeof *from);
	size_t *to = arena_calloc(a, arcs->n + 1, sizeof *to);
	for (size_t i = 0; i < arcs->n; i++)
		next[key[i] + 1]++;
	for (size_t i = 0; i < nodes; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < arcs->n; i++) {
		const size_t at = next[key[i]]++;
		from[at] = arcs->from[i];
		to[at] = arcs->to[i];
	}
	arcs->from = from;
	arcs->to = to;
}

struct graph graph_of(struct run *run)
{
	struct graph g = {0};
	struct arena *a = run->arena;
	const struct structure *s = run_structure(run, &g.chain);
	struct arcs arcs = {.from = arena_calloc(a, 2 * s->n_edges + 1, sizeof *arcs.from),
			    .to = arena_calloc(a, 2 * s->n_edges + 1, sizeof *arcs.to)};
	for (size_t e = 0; e < s->n_edges; e++) {
		const struct edge *edge = &s->edges[e];
		if (edge->from == edge->to)
			continue;
		arcs.from[arcs.n] = arcs.to[arcs.n + 1] = edge->from;
		arcs.to[arcs.n] = arcs.from[arcs.n + 1] = edge->to;
		arcs.n += 2;
	}
	sort_arcs(&arcs, true, s->n, a);
	sort_arcs(&arcs, false, s->n, a);
	g.n = s->n;
	g.first = arena_calloc(a, s->n + 2, sizeof *g.first);
	g.to = arcs.to;
	size_t kept = 0;
	for (size_t i = 0; i < arcs.n; i++) {
		if (i > 0 && arcs.from[i] == arcs.from[i - 1] && arcs.to[i] == g.to[kept - 1])
			continue;
		g.to[kept++] = arcs.to[i];
		g.first[arcs.from[i] + 1]++;
	}
	for (size_t i = 0; i < s->n; i++)
		g.first[i + 1] += g.first[i];
	return g;
}

/* ---- queries --------------------------------------------------------------------------------- */

bool graph_joined(const struct graph *g, size_t i, size_t j)
{
	size_t lo = g->first[i], hi = g->first[i + 1];
	while (lo < hi) {
		const size_t middle = lo + (hi - lo) / 2;
		if (g->to[middle] == j)
			return true;
		if (g->to[middle] < j)
			lo = middle + 1;
		else
			hi = middle;
	}
	return false;
}

static void walk(const struct graph *g, size_t from, int32_t *at, size_t *queue)
{
	size_t head = 0, tail = 0;
	at[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		const size_t i = queue[head++];
		for (size_t e = g->first[i]; e < g->first[i + 1]; e++) {
			if (at[g->to[e]] >= 0)
				continue;
			at[g->to[e]] = at[i] + 1;
			queue[tail++] = g->to[e];
		}
	}
}

void graph_hops(const struct graph *g, size_t from, int32_t *at, struct arena *a)
{
	for (size_t i = 0; i < g->n; i++)
		at[i] = -1;
	walk(g, from, at, arena_calloc(a, g->n + 1, sizeof(size_t)));
}

size_t graph_components(const struct graph *g, struct arena *a)
{
	int32_t *at = arena_calloc(a, g->n + 1, sizeof *at);
	size_t *queue = arena_calloc(a, g->n + 1, sizeof *queue), count = 0;
	for (size_t i = 0; i < g->n; i++)
		at[i] = -1;
	for (size_t i = 0; i < g->n; i++) {
		if (at[i] >= 0)
			continue;
		walk(g, i, at, queue);
		count++;
	}
	return count;
}

/* ---- numbers of nodes as vectors of tokens --------------------------------------------------- */

const int32_t *graph_rows(struct run *run, const struct graph *g)
{
	int32_t *rows = arena_calloc(run->arena, run->n + 1, sizeof *rows);
	size_t tokens = 0;
	for (size_t i = 0; i < run->n; i++) {
		const long token = run->queries->token[i];
		long node = -1;
		if (token >= 0)
			node = g->chain ? (long)tokens++ : run->in->node[token];
		rows[i] = (int32_t)(node < 0 ? (long)g->n : node);
	}
	return rows;
}

bool graph_add_mapped(struct run *run, const struct member *m, const struct graph *g,
		      struct node *numbers)
{
	if (numbers == NULL)
		return false;
	struct tape *t = run->tape;
	const int32_t *rows = graph_rows(run, g);
	const struct mat there = mat_new(run->arena, run->n, 1);
	for (size_t i = 0; i < run->n; i++)
		there.at[i] = (size_t)rows[i] < g->n;
	struct node *own = tape_gather_rows(t, numbers, rows, run->n);
	struct node *part = tape_matmul(t, own, false, run_leaf(run, m, "weight"), false, 1);
	struct node *bias =
		tape_matmul(t, tape_const(t, there), false, run_leaf(run, m, "bias"), false, 1);
	run_add_part(run, "position", tape_add(t, part, bias));
	return true;
}
