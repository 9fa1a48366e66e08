/* walks.c: see walks.h. */
#include "scheme/walks.h"

#include <string.h>

/* ---- arcs ------------------------------------------------------------------------------------ */

static void sort_arcs(struct arcs *arcs, bool by_to, size_t nodes, struct arena *a)
{
	size_t *next = arena_calloc(a, nodes + 1, sizeof *next);
	struct arc *at = arena_calloc(a, arcs->n + 1, sizeof *at);
	for (size_t i = 0; i < arcs->n; i++)
		next[(by_to ? arcs->at[i].to : arcs->at[i].from) + 1]++;
	for (size_t i = 0; i < nodes; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < arcs->n; i++)
		at[next[by_to ? arcs->at[i].to : arcs->at[i].from]++] = arcs->at[i];
	arcs->at = at;
}

/* Both sorts are stable. */
struct arcs arcs_of(const struct structure *s, unsigned ways, struct arena *a)
{
	struct arcs arcs = {.first = arena_calloc(a, s->n + 2, sizeof *arcs.first),
			    .at = arena_calloc(a, 2 * s->n_edges + 1, sizeof *arcs.at)};
	if (!s->directed)
		ways = ALONG | AGAINST;
	for (size_t e = 0; ways & ALONG && e < s->n_edges; e++)
		arcs.at[arcs.n++] =
			(struct arc){s->edges[e].from, s->edges[e].to, s->edges[e].label};
	for (size_t e = 0; ways & AGAINST && e < s->n_edges; e++)
		arcs.at[arcs.n++] =
			(struct arc){s->edges[e].to, s->edges[e].from, s->edges[e].label};
	sort_arcs(&arcs, true, s->n, a);
	sort_arcs(&arcs, false, s->n, a);
	size_t kept = 0;
	for (size_t i = 0; i < arcs.n; i++) {
		const struct arc arc = arcs.at[i];
		if (kept > 0 && arcs.at[kept - 1].from == arc.from &&
		    arcs.at[kept - 1].to == arc.to)
			continue;
		arcs.at[kept++] = arc;
		arcs.first[arc.from + 1]++;
	}
	arcs.n = kept;
	for (size_t i = 0; i < s->n; i++)
		arcs.first[i + 1] += arcs.first[i];
	return arcs;
}

/* ---- sequences ------------------------------------------------------------------------------- */

static int32_t add_sequence(struct walks *w, struct sequence one)
{
	w->sequences =
		arena_grow(w->arena, w->sequences, w->n_sequences, &w->cap, sizeof *w->sequences);
	w->sequences[w->n_sequences] = one;
	return (int32_t)w->n_sequences++;
}

static int32_t extend(struct walks *w, int32_t parent, int32_t label)
{
	const int32_t first = w->sequences[parent].child;
	for (int32_t i = first; i > 0; i = w->sequences[i].next)
		if (w->sequences[i].label == label)
			return i;
	const int32_t one =
		add_sequence(w, (struct sequence){.parent = parent,
						  .label = label,
						  .length = w->sequences[parent].length + 1,
						  .next = first});
	w->sequences[parent].child = one;
	return one;
}

/* ---- walks ----------------------------------------------------------------------------------- */

void walks_init(struct walks *w, const struct structure *s, unsigned ways, long hops, long labels,
		struct arena *a)
{
	*w = (struct walks){.arcs = arcs_of(s, ways, a),
			    .n = s->n,
			    .hops = hops,
			    .labels = labels,
			    .queue = arena_calloc(a, s->n + 1, sizeof *w->queue),
			    .distance = arena_calloc(a, s->n + 1, sizeof *w->distance),
			    .sequence = arena_calloc(a, s->n + 1, sizeof *w->sequence),
			    .arena = a};
	add_sequence(w, (struct sequence){0}); /* SEQUENCE_EMPTY */
	add_sequence(w, (struct sequence){0}); /* SEQUENCE_NO_PATH */
}

static void step(struct walks *w, size_t from, const struct arc *arc)
{
	const int32_t last = (int32_t)w->labels - 1, before = w->sequence[from];
	w->sequence[arc->to] = w->distance[from] < w->hops
				       ? extend(w, before, arc->label < last ? arc->label : last)
				       : before;
	w->distance[arc->to] = w->distance[from] + 1;
}

void walks_from(struct walks *w, size_t node)
{
	size_t head = 0, tail = 0;
	for (size_t i = 0; i < w->n; i++) {
		w->distance[i] = RELATION_NO_PATH;
		w->sequence[i] = SEQUENCE_NO_PATH;
	}
	w->distance[node] = 0;
	w->sequence[node] = SEQUENCE_EMPTY;
	w->queue[tail++] = node;
	while (head < tail) {
		const size_t i = w->queue[head++];
		for (size_t e = w->arcs.first[i]; e < w->arcs.first[i + 1]; e++) {
			const struct arc *arc = &w->arcs.at[e];
			if (w->distance[arc->to] != RELATION_NO_PATH)
				continue;
			step(w, i, arc);
			w->queue[tail++] = arc->to;
		}
	}
}
