/* dump.c: everything of an evaluation as named tensors, with the recipe to recompute them.
 *
 * Names count from 0, as in checkpoints. What is written here can be read back through units,
 * weights and params, and gives the same numbers. */
#include <stdio.h>
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
	{0},
};

unsigned dump_wants(void)
{
	return WANT_INPUT | WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS |
	       WANT_CONTEXT | WANT_OUTPUT | WANT_BIAS | WANT_POSITION;
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
	strbuf_add(&s, trace->bias_absent ? "logits: none; "
					  : "logits = the sum of layer.L.head.H.term.*; ");
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
}
