/* graphbert_list.c: the list of a graph's nodes (graphbert.h). */
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

/* What stands before the first token, the list, what stands behind it without being a token. */
static void choose(struct run *run, const struct graphbert_list *list, size_t k)
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

bool graphbert_units(struct run *run, const struct member *m, struct err *err)
{
	const struct graphbert *p = m->param;
	struct arena *a = run->arena;
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
	/* A chain is of the tokens in the order they stand: there the target is a place. */
	const size_t i = g->chain ? target : list->node[target];
	list->at[NUMBER_ROLE] = node_colours(g, p->rounds, a);
	list->at[NUMBER_INTIMACY] =
		node_intimacy(g, i, p->alpha, (enum node_closeness)p->intimacy, a);
	int32_t *hops = list->at[NUMBER_HOPS] = arena_calloc(a, g->n + 1, sizeof *hops);
	graph_hops(g, i, hops, a);
	for (size_t j = 0; j < g->n; j++)
		hops[j] = hops[j] < 0 ? GRAPHBERT_FAR : hops[j];
	if (p->k > 0)
		choose(run, list, (size_t)p->k);
	return true;
}
