/* dump.c: everything of an evaluation as named tensors, with the recipe to recompute them.
 *
 * Names count from 0, as in checkpoints. What is written here can be read back through units,
 * weights and params, and gives the same numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/json.h"
#include "posviz/scene.h"
#include "posviz/strbuf.h"

const struct dump_name dump_names[] = {
	{"units", "[n, d]", "the units' vectors"},
	{"position.COLUMN", "[n]", "a column of positions: seq, remaining, ..."},
	{"position.vectors", "[n, d]", "what is added to the units in front of layer 0"},
	{"layer.L.input", "[n, d]", "X of layer L"},
	{"layer.L.w_q", "[d, d]",
	 "and w_k, w_v, w_ff1, w_ff2; head i is columns i·dk to (i+1)·dk-1"},
	{"layer.L.head.H.q", "[n, dk]", "queries after the qk stage; also k, v"},
	{"layer.L.head.H.q_raw", "[n, dk]", "before the qk stage, where that differs; also k_raw"},
	{"layer.L.head.H.term.LABEL", "[n, n]", "a term of the logits as added, scale included"},
	{"layer.L.head.H.logits", "[n, n]", "before the mask"},
	{"layer.L.head.H.mask", "[n, n]", "1 where the key is allowed"},
	{"layer.L.head.H.weights", "[n, n]", "attention weights"},
	{"layer.L.head.H.context", "[n, dk]", "result of the value sum"},
	{"layer.L.output", "[n, d]", "output of layer L"},
	{"param.NAME", "", "a learned parameter of a scheme"},
	{"bias.head.H", "[n, n]",
	 "logits of layer 0 before the mask minus unit–unit, on the probe"},
	{"relation", "[n, n]",
	 "the encoding of pairs before it is embedded: whole numbers, what each means is in the "
	 "metadata's relation.legend, -2147483648 where there is none; of paths of labels which "
	 "of relation.paths, from 0; where relation.path_of_token is given they are a number of "
	 "each token, and it is the path that the number is the length of"},
	{"eigenvectors", "[n, k]",
	 "of a graph's Laplacian, where positions are made of them: a column each, without those "
	 "that the graph has none for"},
	{"eigenvalues", "[k]", "whose column each is, ascending; equal ones are degenerate"},
	{0},
};

unsigned dump_wants(void)
{
	return WANT_INPUT | WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS |
	       WANT_CONTEXT | WANT_OUTPUT | WANT_BIAS | WANT_POSITION | WANT_RELATION;
}

static void add(struct tensor_set *out, struct mat m, bool vector, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct tensor_set *out, struct mat m, bool vector, const char *fmt, ...)
{
	if (!m.at)
		return;
	va_list args;
	va_start(args, fmt);
	tensor_set_add(out, arena_vprintf(out->arena, fmt, args), m, vector);
	va_end(args);
}

static struct mat mask_mat(struct arena *a, const uint8_t *mask, size_t rows, size_t cols)
{
	const struct mat m = mat_new(a, rows, cols);
	for (size_t i = 0; i < rows * cols; i++)
		m.at[i] = mask ? mask[i] : 1;
	return m;
}

static void add_head(struct tensor_set *out, const struct trace *trace, size_t l, size_t h)
{
	const struct trace_head *head = &trace->layers[l].heads[h];
	const struct {
		const char *name;
		struct mat at;
	} rows[] = {
		{"q", head->q},
		{"k", head->k},
		{"v", head->v},
		{"q_raw", head->q_raw},
		{"k_raw", head->k_raw},
		{"logits", head->logits},
		{"weights", head->weights},
		{"context", head->context},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		add(out, rows[i].at, false, "layer.%zu.head.%zu.%s", l, h, rows[i].name);
	for (size_t i = 0; i < head->n_terms; i++)
		add(out, head->terms[i].at, false, "layer.%zu.head.%zu.term.%s", l, h,
		    head->terms[i].label);
	add(out, mask_mat(out->arena, head->mask, trace->query.n, trace->key.n), false,
	    "layer.%zu.head.%zu.mask", l, h);
}

static void add_layer(struct tensor_set *out, const struct trace *trace, size_t l, size_t heads)
{
	const struct trace_layer *layer = &trace->layers[l];
	add(out, layer->input, false, "layer.%zu.input", l);
	for (size_t i = 0; i < layer->n_weights; i++)
		add(out, layer->weights[i].at, layer->weights[i].at.rows == 1, "layer.%zu.%s", l,
		    layer->weights[i].name);
	for (size_t h = 0; h < heads; h++)
		add_head(out, trace, l, h);
	add(out, layer->output, false, "layer.%zu.output", l);
}

static void add_members(struct strbuf *b, const struct expr *e)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->members[i].scheme->recipe)
			strbuf_printf(b, "; %s: %s", e->members[i].scheme->id,
				      e->members[i].scheme->recipe);
}

/* Shortened keys leave no bias, but logits all the same. */
static bool has_logits(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].hooks->no_logits)
			return false;
	return true;
}

/* One line: how logits, weights and contexts follow from the tensors of the file. */
static const char *recipe(const struct built *b, const struct trace *trace, struct arena *a)
{
	struct strbuf s;
	strbuf_init(&s, a);
	strbuf_printf(
		&s,
		"for layer L and head H (columns H*%zu..): q = input @ w_q, k = input @ w_k, v = "
		"input @ w_v (where q_raw is given it is this q, and q is it after the qk stage); "
		"q and k give the terms of unit and position: together %.17g * q @ k.T; ",
		b->model.dk, trace->c);
	strbuf_add(&s, has_logits(b) ? "logits = the sum of layer.L.head.H.term.*; "
				     : "logits: none; ");
	strbuf_add(
		&s,
		"weights = softmax over the keys whose mask is 1 of logits (a row without any is "
		"0); context = weights @ v");
	add_members(&s, &b->expr);
	return s.at;
}

static const char *label_list(struct arena *a, const struct axis *axis)
{
	struct json_writer *w = json_writer_new(a);
	json_writer_array(w, NULL);
	for (size_t i = 0; i < axis->n; i++)
		json_writer_string(w, NULL, axis->labels[i]);
	json_writer_end(w);
	return json_writer_done(w, 0);
}

static void add_metadata(const struct scene *scene, const struct built *b,
			 const struct trace *trace, struct arena *a, struct tensor_set *out)
{
	struct axis written = {.n = b->written.n};
	const char **labels = arena_calloc(a, written.n, sizeof *labels);
	for (size_t i = 0; i < written.n; i++)
		labels[i] = b->written.tokens[i].label;
	written.labels = labels;
	tensor_set_add_meta(out, "tokens", label_list(a, &written));
	tensor_set_add_meta(out, "axis.query", label_list(a, &trace->query));
	tensor_set_add_meta(out, "axis.key", label_list(a, &trace->key));
	tensor_set_add_meta(out, "expression", scene->setup.scheme);
	tensor_set_add_meta(out, "scene", scene_print(scene, a));
	tensor_set_add_meta(out, "version", POSVIZ_VERSION);
	tensor_set_add_meta(out, "recipe", recipe(b, trace, a));
}

/* ---- structure and relation -------------------------------------------------------------------- */

static void write_longs(struct json_writer *w, const char *key, const long *at, size_t n)
{
	json_writer_array(w, key);
	for (size_t i = 0; i < n; i++)
		json_writer_integer(w, NULL, at[i]);
	json_writer_end(w);
}

/* All that the numbers follow from: nodes and tokens count from 0. */
static const char *structure_json(const struct structure *s, struct arena *a)
{
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_string(w, "kind", structure_names[s->kind]);
	json_writer_bool(w, "directed", s->directed);
	json_writer_integer(w, "root", s->root);
	json_writer_array(w, "nodes");
	for (size_t i = 0; i < s->n; i++)
		json_writer_string(w, NULL, s->names[i]);
	json_writer_end(w);
	if (s->parent)
		write_longs(w, "parents", s->parent, s->n);
	json_writer_array(w, "edges");
	for (size_t i = 0; i < s->n_edges; i++) {
		const struct edge *const e = &s->edges[i];
		json_writer_array(w, NULL);
		json_writer_integer(w, NULL, (long)e->from);
		json_writer_integer(w, NULL, (long)e->to);
		json_writer_string(w, NULL, s->edge_labels[e->label]);
		json_writer_end(w);
	}
	json_writer_end(w);
	write_longs(w, "node_of_token", s->node_of, s->tokens);
	if (s->note)
		json_writer_string(w, "note", s->note);
	json_writer_end(w);
	return json_writer_done(w, 0);
}

static const char *path_text(const struct relation *r, const struct label_path *path,
			     struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < path->n; i++) {
		strbuf_add(&b, i ? " " : "");
		strbuf_add(&b, r->labels[path->labels[i]]);
	}
	return b.at;
}

static int by_path(const void *x, const void *y)
{
	const struct label_path *const a = *(const struct label_path *const *)x;
	const struct label_path *const b = *(const struct label_path *const *)y;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (size_t i = 0; i < a->n; i++)
		if (a->labels[i] != b->labels[i])
			return a->labels[i] < b->labels[i] ? -1 : 1;
	return 0;
}

/* The different paths, short ones first, and which of them each cell has. */
static struct mat number_paths(const struct relation *r, struct json_writer *w, struct arena *a)
{
	const struct mat out = mat_new(a, r->n, r->n);
	const size_t cells = r->n * r->n;
	const struct label_path **const sorted = arena_calloc(a, cells + 1, sizeof *sorted);
	size_t n = 0;
	for (size_t i = 0; i < cells; i++)
		sorted[i] = &r->paths[i];
	if (cells > 0)
		qsort(sorted, cells, sizeof *sorted, by_path);
	json_writer_array(w, "paths");
	for (size_t i = 0; i < cells; i++) {
		if (i == 0 || by_path(&sorted[i - 1], &sorted[i]) != 0) {
			json_writer_string(w, NULL, path_text(r, sorted[i], a));
			n++;
		}
		out.at[sorted[i] - r->paths] = (double)(n - 1);
	}
	json_writer_end(w);
	return out;
}

/* The path of each token, in their order; that of one without a path is empty, as its number says. */
static void write_token_paths(const struct relation *r, struct json_writer *w, struct arena *a)
{
	json_writer_array(w, "path_of_token");
	for (size_t i = 0; i < r->n; i++)
		json_writer_string(w, NULL, path_text(r, &r->paths[i * r->n + i], a));
	json_writer_end(w);
}

static int by_number(const void *x, const void *y)
{
	const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
	return (a > b) - (a < b);
}

/* What each number that occurs means; without words of the scheme's own there is only "no path". */
static void write_legend(const struct relation *r, struct json_writer *w, struct arena *a)
{
	const size_t cells = r->n * r->n;
	int32_t *const sorted = arena_alloc(a, (cells + 1) * sizeof *sorted);
	memcpy(sorted, r->at, cells * sizeof *sorted);
	if (cells > 0)
		qsort(sorted, cells, sizeof *sorted, by_number);
	json_writer_object(w, "legend");
	for (size_t i = 0; i < cells; i++) {
		if (i > 0 && sorted[i] == sorted[i - 1])
			continue;
		const char *says = r->says ? r->says(r, sorted[i], NULL, a) : NULL;
		if (!says && sorted[i] == RELATION_NO_PATH)
			says = "no path";
		if (says)
			json_writer_string(w, arena_printf(a, "%d", (int)sorted[i]), says);
	}
	json_writer_end(w);
}

bool dump_relation(const struct relation *r, struct arena *a, struct mat *out, const char **legend)
{
	if (r->n == 0)
		return false;
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_string(w, "title", r->title);
	if (r->note)
		json_writer_string(w, "note", r->note);
	if (r->at) {
		*out = mat_new(a, r->n, r->n);
		for (size_t i = 0; i < r->n * r->n; i++)
			out->at[i] = r->at[i];
		write_legend(r, w, a);
		if (r->paths && r->of_tokens)
			write_token_paths(r, w, a);
	} else {
		*out = number_paths(r, w, a);
	}
	json_writer_end(w);
	*legend = json_writer_done(w, 0);
	return true;
}

static void add_relation(const struct built *b, const struct trace *trace, struct arena *a,
			 struct tensor_set *out)
{
	struct mat m;
	const char *legend;
	if (b->structure)
		tensor_set_add_meta(out, "structure", structure_json(b->structure, a));
	if (!dump_relation(&trace->relation, a, &m, &legend))
		return;
	add(out, m, false, "relation");
	tensor_set_add_meta(out, "relation", legend);
}

static void add_spectrum(const struct spectrum *s, struct tensor_set *out)
{
	if (s->n == 0 || s->k == 0)
		return;
	const struct mat vectors = mat_new(out->arena, s->n, s->k);
	const struct mat values = mat_new(out->arena, 1, s->k);
	memcpy(vectors.at, s->vectors, s->n * s->k * sizeof *vectors.at);
	memcpy(values.at, s->values, s->k * sizeof *values.at);
	add(out, vectors, false, "eigenvectors");
	add(out, values, true, "eigenvalues");
}

void dump_tensors(const struct scene *scene, const struct built *b, const struct trace *trace,
		  struct arena *a, struct tensor_set *out)
{
	const size_t heads = b->model.config.heads;
	tensor_set_init(out, a);
	add_metadata(scene, b, trace, a, out);
	/* As they went in: a member may scale them or insert others, and will again. */
	add(out, b->model_input.units, false, "units");
	for (size_t i = 0; i < trace->n_columns; i++) {
		const struct mat column = mat_new(a, 1, trace->query.n);
		memcpy(column.at, trace->columns[i].at, trace->query.n * sizeof(double));
		add(out, column, true, "position.%s", trace->columns[i].name);
	}
	add(out, trace->position_vectors, false, "position.vectors");
	for (size_t l = 0; l < trace->n_layers; l++)
		add_layer(out, trace, l, heads);
	for (size_t i = 0; i < b->model.n_leaves; i++)
		add(out, b->model.leaves[i].at, false, "param.%s", b->model.leaves[i].name);
	for (size_t h = 0; h < heads; h++)
		add(out, trace->layers[0].heads[h].bias, false, "bias.head.%zu", h);
	add_relation(b, trace, a, out);
	add_spectrum(&trace->spectrum, out);
}
