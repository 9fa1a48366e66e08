/* help_graph.c: see help_graph.h. */
#include "help_graph.h"

#include <math.h>
#include <string.h>

#include "test.h"

static const size_t g5_edges[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}};
const struct help_graph help_g5 = {5, 5, g5_edges};

static const size_t parts_edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {1, 1}, {4, 3}, {5, 5}};
const struct help_graph help_parts = {6, 7, parts_edges};

void help_graph_give(struct model_input *in, const struct help_graph *g, struct arena *a)
{
	static const char *no_label[] = {""};
	struct structure *s = arena_calloc(a, 1, sizeof *s);
	long *node = arena_calloc(a, g->n, sizeof *node);
	*s = (struct structure){.kind = STRUCTURE_GRAPH,
				.n = g->n,
				.names = arena_calloc(a, g->n, sizeof *s->names),
				.edges = arena_calloc(a, g->n_edges + 1, sizeof *s->edges),
				.n_edges = g->n_edges,
				.edge_labels = no_label,
				.n_labels = 1,
				.directed = true,
				.root = -1,
				.tokens = g->n,
				.node_of = node};
	for (size_t i = 0; i < g->n; i++) {
		s->names[i] = arena_printf(a, "%zu", i);
		node[i] = (long)i;
	}
	for (size_t e = 0; e < g->n_edges; e++)
		s->edges[e] = (struct edge){.from = g->edges[e][0], .to = g->edges[e][1]};
	in->structure = s;
	in->node = node;
}

void help_give_g5(struct help_run *r)
{
	help_graph_give(&r->in, &help_g5, &r->arena);
}

void help_give_parts(struct help_run *r)
{
	help_graph_give(&r->in, &help_parts, &r->arena);
}

struct help_graph help_graph_drawn(size_t n, size_t mean, uint64_t seed, struct arena *a)
{
	const size_t drawn = n * (mean / 2), n_edges = drawn + n - 1;
	size_t(*edges)[2] = arena_calloc(a, n_edges + 1, sizeof *edges);
	struct rng rng;
	rng_init(&rng, seed);
	for (size_t e = 0; e < n_edges; e++) {
		edges[e][0] = e < drawn ? rng_below(&rng, n) : e - drawn;
		edges[e][1] = e < drawn ? rng_below(&rng, n) : e - drawn + 1;
	}
	return (struct help_graph){n, n_edges, (const size_t(*)[2])edges};
}

struct help_graph help_graph_renamed(const struct help_graph *g, const size_t *to, struct arena *a)
{
	size_t(*edges)[2] = arena_calloc(a, g->n_edges + 1, sizeof *edges);
	for (size_t e = 0; e < g->n_edges; e++) {
		edges[e][0] = to[g->edges[e][1]];
		edges[e][1] = to[g->edges[e][0]];
	}
	return (struct help_graph){g->n, g->n_edges, (const size_t(*)[2])edges};
}

struct mat help_adjacency(const struct help_graph *g, struct arena *a)
{
	const struct mat out = mat_zero(a, g->n, g->n);
	for (size_t e = 0; e < g->n_edges; e++) {
		const size_t i = g->edges[e][0], j = g->edges[e][1];
		if (i != j)
			mat_row(out, i)[j] = mat_row(out, j)[i] = 1;
	}
	return out;
}

struct mat help_degrees(const struct help_graph *g, struct arena *a)
{
	const struct mat adjacency = help_adjacency(g, a), out = mat_zero(a, 1, g->n);
	for (size_t i = 0; i < g->n; i++)
		for (size_t j = 0; j < g->n; j++)
			out.at[i] += mat_row(adjacency, i)[j];
	return out;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void show(struct model *model, bool draw)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		struct rng rng;
		rng_init_name(&rng, 3, leaf->name);
		if (strcmp(leaf->base, "bias") == 0)
			mat_fill(leaf->at, 0);
		else if (strcmp(leaf->base, "weight") != 0 && draw)
			mat_fill_normal(leaf->at, 0.7, &rng);
		for (size_t r = 0; strcmp(leaf->base, "weight") == 0 && r < leaf->at.rows; r++)
			for (size_t c = 0; c < leaf->at.cols; c++)
				mat_row(leaf->at, r)[c] = r == c;
	}
}

void help_show_numbers(struct model *model)
{
	show(model, false);
}

void help_draw_networks(struct model *model)
{
	show(model, true);
}

struct mat help_graph_numbers(struct help_run *r, const char *expression, size_t k,
			      void (*change)(struct model *model))
{
	const struct trace *trace = help_changed(r, expression, change);
	assert_non_null(trace->position_vectors.at);
	return mat_copy(&r->arena, mat_cols(trace->position_vectors, 0, k));
}

/* ---- checks for every scheme ----------------------------------------------------------------- */

static const size_t order[] = {3, 0, 4, 1, 2};

/* Checks that moved tokens move their outputs: unit i becomes the former unit order[i], with its
 * place. */
static void moved_tokens_move_outputs(const char *expression)
{
	struct help_run r;
	help_run_must_open(&r, expression, 5, 0, help_give_g5);
	const struct trace *here = help_again(&r, expression, NULL);
	help_permute(&r, order);
	long *token = arena_calloc(&r.arena, 5, sizeof *token);
	for (size_t i = 0; i < 5; i++)
		token[i] = (long)order[i];
	r.in.axis.token = token;
	const struct trace *there = help_again(&r, expression, NULL);
	for (size_t i = 0; i < 5; i++)
		assert_true(mat_max_abs_diff(mat_rows(there->layers[1].output, i, 1),
					     mat_rows(here->layers[1].output, order[i], 1)) <
			    1e-11);
	help_run_close(&r);
}

/* Checks that another numbering of the same graph's nodes changes nothing. */
static void renamed_nodes_change_nothing(const char *expression)
{
	struct help_run r;
	help_run_must_open(&r, expression, 5, 0, help_give_g5);
	const struct trace *here = help_again(&r, expression, NULL);
	const struct help_graph other = help_graph_renamed(&help_g5, order, &r.arena);
	help_graph_give(&r.in, &other, &r.arena);
	long *node = arena_calloc(&r.arena, 5, sizeof *node);
	for (size_t i = 0; i < 5; i++)
		node[i] = (long)order[i];
	r.in.node = node;
	const struct trace *there = help_again(&r, expression, NULL);
	assert_true(help_output_apart(here, there, 1) < 1e-10);
	help_run_close(&r);
}

void help_graph_scheme(const char *expression)
{
	struct help_run r;
	help_run_must_open(&r, expression, 5, 0, NULL);
	const bool learned = r.model.n_leaves > 0;
	help_run_close(&r);
	help_all_ways_agree(expression, NULL);
	if (learned)
		help_gradients(expression);
	help_sizes(expression);
	moved_tokens_move_outputs(expression);
	renamed_nodes_change_nothing(expression);
}
