/* graphbert_list.c: the list of a graph's nodes (graphbert.h). */
#include <string.h>

#include "scheme/graphbert.h"
#include "scheme/node_ranks.h"

static void find_nodes(struct run *run, struct graphbert_list *list)
{
	for (size_t i = 0; i < run->n; i++)
		if (run->queries->token[i] >= (long)list->tokens)
			list->tokens = (size_t)run->queries->token[i] + 1;
	list->node = arena_calloc(run->arena, list->tokens + 1, sizeof *list->node);
	for (size_t i = 0; i < list->tokens; i++)
		list->node[i] = list->graph.n;
	const int32_t *rows = graph_rows(run, &list->graph);
	for (size_t i = 0; i < run->n; i++)
		if (run->queries->token[i] >= 0)
			list->node[run->queries->token[i]] = (size_t)rows[i];
}

size_t graphbert_node(const struct run *run, const struct graphbert_list *list, size_t i)
{
	const long token = run->queries->token[i];
	return token < 0 || (size_t)token >= list->tokens ? list->graph.n : list->node[token];
}

/* Chooses the inserted tokens before the first token, the list, and the inserted ones at the
 * end. */
static void choose_units(struct run *run, const struct graphbert_list *list, size_t k)
{
	const size_t n = run->n, nodes = list->graph.n;
	size_t *rows = arena_calloc(run->arena, n, sizeof *rows), kept = 0, start = 0;
	while (start < n && run->queries->token[start] < 0)
		rows[kept++] = start++;
	for (size_t place = 0; place <= k && place < nodes; place++)
		for (size_t i = start; i < n; i++) {
			const size_t node = graphbert_node(run, list, i);
			if (node < nodes && (size_t)list->at[NUMBER_INTIMACY][node] == place)
				rows[kept++] = i;
		}
	for (size_t i = start; i < n; i++)
		if (run->queries->token[i] < 0)
			rows[kept++] = i;
	run_select_units(run, rows, kept);
}

/* The numbers of all nodes: they depend only on the graph and its target. */
struct ranks {
	const int32_t *at[NUMBERS];
};

struct ranking {
	const struct graph *graph;
	size_t target;
};

static const void *rank_nodes(struct run *run, const struct member *m, const void *context,
			      struct arena *own, struct err *err)
{
	(void)err;
	const struct ranking *k = context;
	const struct graphbert *p = m->param;
	const struct graph *g = k->graph;
	const size_t size = (g->n + 1) * sizeof(int32_t);
	struct ranks *out = arena_alloc(own, sizeof *out);
	int32_t *hops = arena_calloc(run->arena, g->n + 1, sizeof *hops);
	graph_hops(g, k->target, hops, run->arena);
	for (size_t j = 0; j < g->n; j++)
		hops[j] = hops[j] < 0 ? GRAPHBERT_FAR : hops[j];
	const int32_t *const made[NUMBERS] = {
		[NUMBER_ROLE] = node_colours(g, p->rounds, run->arena),
		[NUMBER_INTIMACY] = node_intimacy(g, k->target, p->alpha,
						  (enum node_closeness)p->intimacy, run->arena),
		[NUMBER_HOPS] = hops};
	for (size_t i = 0; i < NUMBERS; i++)
		out->at[i] = memcpy(arena_alloc(own, size), made[i], size);
	return out;
}

bool graphbert_units(struct run *run, const struct member *m, struct err *err)
{
	const struct graphbert *p = m->param;
	struct graphbert_list *list = run_state(run, m, sizeof *list);
	list->graph = graph_of(run);
	find_nodes(run, list);
	const struct graph *g = &list->graph;
	const size_t target = (size_t)p->target - 1;
	if (target >= list->tokens || list->node[target] == g->n)
		return err_set(err,
			       "%s: there is no token %ld on a node to be the target; the last is "
			       "%zu",
			       m->text, p->target, list->tokens);
	/* A chain consists of the tokens in their present order: then the target is a position. */
	const size_t i = g->chain ? target : list->node[target];
	const struct ranking of = {g, i};
	const struct cached what = {
		.name = "ranks", .of_structure = true, .build = rank_nodes, .context = &of};
	const struct ranks *ranks = run_cached_block(run, m, &what, err);
	for (size_t k = 0; k < NUMBERS; k++)
		list->at[k] = ranks->at[k];
	if (p->k > 0)
		choose_units(run, list, (size_t)p->k);
	return true;
}
