/* structure.c: structures as values: the chain, and properties of the nodes of trees and graphs. */
#include "posviz/input/structure.h"

#include <string.h>

const char *const structure_names[STRUCTURE_KINDS] = {"chain", "dependency", "tree", "graph"};
const char *const tree_units_names[TREE_UNITS + 1] = {"nodes", "leaves"};

void structure_chain(size_t n, struct arena *a, struct structure *out)
{
	static const char *no_label[] = {""};
	*out = (struct structure){.kind = STRUCTURE_CHAIN,
				  .n = n,
				  .names = arena_calloc(a, n + 1, sizeof *out->names),
				  .parent = arena_calloc(a, n + 1, sizeof *out->parent),
				  .branch = arena_calloc(a, n + 1, sizeof *out->branch),
				  .edges = arena_calloc(a, n + 1, sizeof *out->edges),
				  .n_edges = n > 0 ? n - 1 : 0,
				  .edge_labels = no_label,
				  .n_labels = 1,
				  .directed = true,
				  .root = n > 0 ? 0 : -1,
				  .tokens = n,
				  .node_of = arena_calloc(a, n + 1, sizeof *out->node_of)};
	for (size_t i = 0; i < n; i++) {
		out->names[i] = arena_printf(a, "%zu", i + 1);
		out->parent[i] = (long)i - 1;
		out->node_of[i] = (long)i;
		if (i > 0)
			out->edges[i - 1] = (struct edge){.from = i - 1, .to = i};
	}
}

/* Parents form a forest: the loop goes upwards from each node until one whose depth is known,
 * and back. */
size_t *structure_depths(const struct structure *s, struct arena *a)
{
	size_t *depth = arena_calloc(a, s->n + 1, sizeof *depth);
	bool *known = arena_calloc(a, s->n + 1, sizeof *known);
	size_t *stack = arena_calloc(a, s->n + 1, sizeof *stack);
	BUG_IF(!s->parent);
	for (size_t i = 0; i < s->n; i++) {
		size_t top = 0;
		for (long at = (long)i; at >= 0 && !known[at]; at = s->parent[at]) {
			BUG_IF(top == s->n);
			stack[top++] = (size_t)at;
		}
		while (top > 0) {
			const size_t node = stack[--top];
			const long parent = s->parent[node];
			depth[node] = parent < 0 ? 0 : depth[parent] + 1;
			known[node] = true;
		}
	}
	return depth;
}

/* ---- shortest paths -------------------------------------------------------------------------- */

/* The nodes that can be reached from a node in one step, ascending: at[first[i]..first[i + 1]). */
struct neighbours {
	size_t *first, *at;
};

static void count_step(size_t *first, size_t from)
{
	first[from + 1]++;
}

static struct neighbours neighbours_of(const struct structure *s, bool both, struct arena *a)
{
	struct neighbours out = {arena_calloc(a, s->n + 2, sizeof *out.first),
				 arena_calloc(a, 2 * s->n_edges + 1, sizeof *out.at)};
	const bool back = both || !s->directed;
	for (size_t e = 0; e < s->n_edges; e++) {
		count_step(out.first, s->edges[e].from);
		if (back)
			count_step(out.first, s->edges[e].to);
	}
	for (size_t i = 0; i < s->n; i++)
		out.first[i + 1] += out.first[i];
	size_t *next = arena_calloc(a, s->n + 1, sizeof *next);
	memcpy(next, out.first, s->n * sizeof *next);
	for (size_t e = 0; e < s->n_edges; e++) {
		const struct edge *edge = &s->edges[e];
		out.at[next[edge->from]++] = edge->to;
		if (back)
			out.at[next[edge->to]++] = edge->from;
	}
	/* Insertion sort: lists are short, and mostly in order already. */
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = out.first[i] + 1; j < out.first[i + 1]; j++) {
			const size_t value = out.at[j];
			size_t k = j;
			for (; k > out.first[i] && out.at[k - 1] > value; k--)
				out.at[k] = out.at[k - 1];
			out.at[k] = value;
		}
	return out;
}

/* Computes the distances from a node, breadth first. */
static void find_distances(const struct structure *s, const struct neighbours *to, size_t from,
			   size_t *queue, int32_t *distance)
{
	size_t head = 0, tail = 0;
	for (size_t i = 0; i < s->n; i++)
		distance[i] = -1;
	distance[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		const size_t at = queue[head++];
		for (size_t j = to->first[at]; j < to->first[at + 1]; j++) {
			const size_t next = to->at[j];
			if (distance[next] >= 0)
				continue;
			distance[next] = distance[at] + 1;
			queue[tail++] = next;
		}
	}
}

int32_t *structure_distances(const struct structure *s, bool both, struct arena *a)
{
	const struct neighbours to = neighbours_of(s, both, a);
	size_t *queue = arena_calloc(a, s->n + 1, sizeof *queue);
	int32_t *out = arena_calloc(a, s->n * s->n + 1, sizeof *out);
	for (size_t i = 0; i < s->n; i++)
		find_distances(s, &to, i, queue, out + i * s->n);
	return out;
}
