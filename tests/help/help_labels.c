/* help_labels.c: see help_labels.h. */
#include "help_labels.h"
#include "test.h"
#include "help_tensors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- graphs ---------------------------------------------------------------------------------- */

static int label_of(struct structure *s, const char *label)
{
	for (size_t i = 0; i < s->n_labels; i++)
		if (strcmp(s->edge_labels[i], label) == 0)
			return (int)i;
	s->edge_labels[s->n_labels] = label;
	return (int)s->n_labels++;
}

struct structure *help_graph(struct arena *a, size_t n, const struct help_edge *edges,
			     size_t n_edges, long root)
{
	struct structure *s = arena_calloc(a, 1, sizeof *s);
	*s = (struct structure){.kind = STRUCTURE_GRAPH,
				.n = n,
				.names = arena_calloc(a, n + 1, sizeof *s->names),
				.edges = arena_calloc(a, n_edges + 1, sizeof *s->edges),
				.n_edges = n_edges,
				.edge_labels = arena_calloc(a, n_edges + 1, sizeof *s->edge_labels),
				.directed = true,
				.root = root,
				.tokens = n,
				.node_of = arena_calloc(a, n + 1, sizeof *s->node_of)};
	for (size_t i = 0; i < n; i++) {
		s->names[i] = arena_printf(a, "%zu", i);
		s->node_of[i] = (long)i;
	}
	for (size_t i = 0; i < n_edges; i++)
		s->edges[i] =
			(struct edge){edges[i].from, edges[i].to, label_of(s, edges[i].label)};
	return s;
}

struct structure *help_random_graph(struct arena *a, size_t n, size_t n_edges, size_t n_labels,
				    bool directed, unsigned seed)
{
	struct help_edge *edges = arena_calloc(a, n_edges + 1, sizeof *edges);
	struct rng rng;
	rng_init(&rng, seed);
	for (size_t i = 0; i < n_edges; i++) {
		edges[i].from = rng_below(&rng, n);
		edges[i].to = rng_below(&rng, n);
		edges[i].label = arena_printf(a, "%c", (char)('A' + rng_below(&rng, n_labels)));
	}
	struct structure *s = help_graph(a, n, edges, n_edges, 0);
	s->directed = directed;
	return s;
}

void help_on_nodes(struct help_run *r, struct structure *s)
{
	r->in.structure = s;
	r->in.node = s->node_of;
}

/* ---- all shortest paths ---------------------------------------------------------------------- */

static int rank_of(const struct structure *s, int label)
{
	int rank = 0;
	for (size_t i = 0; i < s->n_labels; i++)
		rank += strcmp(s->edge_labels[i], s->edge_labels[label]) < 0;
	return rank;
}

const char *help_step_label(const struct structure *s, int step)
{
	for (size_t i = 0; i < s->n_labels; i++)
		if (rank_of(s, (int)i) == step / 2)
			return s->edge_labels[i];
	return NULL;
}

struct walk {
	const struct structure *s;
	size_t to, most;
	bool visited[64];
	int step[HELP_STEPS];
	struct help_paths *out;
};

static void walk_on(struct walk *w, size_t at, size_t length)
{
	if (at == w->to) {
		if (length != w->most)
			return;
		assert_true(w->out->n < HELP_PATHS);
		memcpy(w->out->step[w->out->n++], w->step, sizeof w->step);
		return;
	}
	if (length == w->most)
		return;
	w->visited[at] = true;
	for (size_t e = 0; e < w->s->n_edges; e++)
		for (size_t up = 0; up < 2; up++) {
			const struct edge *edge = &w->s->edges[e];
			const size_t from = up ? edge->to : edge->from;
			const size_t to = up ? edge->from : edge->to;
			if (from != at || w->visited[to])
				continue;
			w->step[length] = 2 * rank_of(w->s, edge->label) + (up && w->s->directed);
			walk_on(w, to, length + 1);
		}
	w->visited[at] = false;
}

static int compare_steps(const void *a, const void *b)
{
	const int *x = a, *y = b;
	for (size_t i = 0; i < HELP_STEPS; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

void help_all_paths(const struct structure *s, size_t from, size_t to, struct help_paths *out)
{
	out->n = 0;
	for (size_t most = 0; most < HELP_STEPS && out->n == 0; most++) {
		struct walk w = {.s = s, .to = to, .most = most, .out = out};
		walk_on(&w, from, 0);
		out->length = most;
	}
	qsort(out->step, (size_t)out->n, sizeof out->step[0], compare_steps);
	if (out->n == 0)
		out->n = -1;
}

/* ---- reference cases ------------------------------------------------------------------------- */

struct mat help_tensor(const struct help_labels_case *c, const char *name)
{
	const struct tensor *t = tensor_find(&c->set, name);
	if (!t)
		fail_msg("no tensor %s", name);
	return tensor_mat(t);
}

void help_set_leaf(struct help_labels_case *c, const char *base, const char *tensor)
{
	const struct mat leaf = help_leaf(&c->model, base), from = help_tensor(c, tensor);
	if (leaf.rows * leaf.cols != from.rows * from.cols)
		fail_msg("%s is %zux%zu, %s %zux%zu", base, leaf.rows, leaf.cols, tensor, from.rows,
			 from.cols);
	for (size_t i = 0; i < leaf.rows * leaf.cols; i++)
		mat_row(leaf, i / leaf.cols)[i % leaf.cols] =
			mat_row(from, i / from.cols)[i % from.cols];
}

void help_labels_open(struct help_labels_case *c, const char *file, const char *input,
		      const char *expression, const struct help_edge *edges, size_t n_edges,
		      long special, void (*fill)(struct help_labels_case *c))
{
	memset(c, 0, sizeof *c);
	arena_init(&c->arena);
	tensor_set_init(&c->set, &c->arena);
	struct arena *a = &c->arena;
	struct err err = {""};
	if (!help_tensors(&c->set, arena_printf(a, "%s/struct/%s", test_data, file), &err))
		fail_msg("%s", err.text);
	const struct mat units = help_tensor(c, input);
	const struct model_config config = {.d = units.cols,
					    .heads = 2,
					    .layers = 1,
					    .ff = 4,
					    .t_max = 64,
					    .seed = 7,
					    .proj = PROJ_RANDOM,
					    .content = 2,
					    .norm_eps = 1e-5};
	const struct given given = {.weights = &c->set};
	size_t n_members;
	if (!expr_parse(&c->expr, expression, a, &err) ||
	    !expr_members(&c->expr, c->members, &n_members, a, &err) ||
	    !model_build(&c->model, &config, c->members, n_members, &given, a, &err))
		fail_msg("%s: %s", expression, err.text);
	fill(c);
	const size_t n = units.rows, skip = special >= 0;
	const char **labels = arena_calloc(a, n, sizeof *labels);
	long *token = arena_calloc(a, n, sizeof *token);
	for (size_t i = 0; i < n; i++) {
		labels[i] = "x";
		token[i] = (long)i == special ? -1 : (long)i - (skip && (long)i > special);
	}
	struct structure *s = help_graph(a, n - skip, edges, n_edges, 0);
	const struct model_input in = {.axis = {.n = n, .labels = labels, .token = token},
				       .units = units,
				       .structure = s,
				       .node = s->node_of};
	const struct want want = {.kinds = WANT_QKV | WANT_LOGITS | WANT_WEIGHTS | WANT_CONTEXT |
					   WANT_TERMS | WANT_POSITION | WANT_RELATION,
				  .layer = -1,
				  .head = -1};
	if (!model_run(&c->model, &in, &want, NULL, NULL, a, &c->trace, &err))
		fail_msg("%s: %s", expression, err.text);
}

void help_labels_close(struct help_labels_case *c)
{
	arena_release(&c->arena);
}

void help_labels_compare(const struct help_labels_case *c)
{
	for (size_t h = 0; h < 2; h++) {
		const struct trace_head *head = &c->trace.layers[0].heads[h];
		const struct {
			const char *kind;
			struct mat at;
		} rows[] = {{"logits", head->logits},
			    {"weights", head->weights},
			    {"context", head->context}};
		for (size_t i = 0; i < 3; i++) {
			char name[64];
			snprintf(name, sizeof name, "head.%zu.%s", h, rows[i].kind);
			const double off = mat_max_abs_diff(rows[i].at, help_tensor(c, name));
			if (!(off <= 1e-12))
				fail_msg("%s is off by %g", name, off);
		}
	}
}
