/* dump_meta.c: the metadata of a dump: labels of its rows, sizes of the model, its members, and
 * the recipe by which logits, weights, contexts and outputs are computed from its tensors. */
#include <math.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/format/json.h"
#include "posviz/scene/model_seen.h"
#include "scene_in.h"

/* ---- tokens and axes ------------------------------------------------------------------------- */

static const char *label_list(struct arena *a, const struct axis *axis)
{
	struct json_writer *w = json_writer_new(a);
	json_writer_array(w, NULL);
	for (size_t i = 0; i < axis->n; i++)
		json_writer_string(w, NULL, axis->labels[i]);
	json_writer_end(w);
	return json_writer_done(w, 0);
}

static const char *token_list(struct arena *a, const struct input *in)
{
	const char **labels = arena_calloc(a, in->n, sizeof *labels);
	for (size_t i = 0; i < in->n; i++)
		labels[i] = in->tokens[i].label;
	return label_list(a, &(struct axis){.n = in->n, .labels = labels});
}

static void write_longs(struct json_writer *w, const char *key, const long *at, size_t n)
{
	json_writer_array(w, key);
	for (size_t i = 0; i < n; i++)
		json_writer_integer(w, NULL, at[i]);
	json_writer_end(w);
}

/* Lists the index of the written token at each place; special tokens stay where they are. */
static const char *order_list(struct arena *a, const struct built *b)
{
	long *const written = arena_calloc(a, b->written.moving + 1, sizeof *written);
	long *const order = arena_calloc(a, b->input.n, sizeof *order);
	for (size_t i = 0; i < b->written.n; i++)
		if (!b->written.tokens[i].special)
			written[b->written.tokens[i].place] = (long)i;
	for (size_t i = 0; i < b->input.n; i++)
		order[i] = b->input.tokens[i].special ? (long)i : written[b->input.tokens[i].place];
	struct json_writer *const w = json_writer_new(a);
	write_longs(w, NULL, order, b->input.n);
	return json_writer_done(w, 0);
}

/* Writes the whole structure: nodes and tokens count from 0, tokens in the written order. */
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

/* ---- the model and its members --------------------------------------------------------------- */

static double embed_scale(const struct model *m)
{
	return m->config.embed_scale > 0 ? m->config.embed_scale : 1;
}

static const char *model_json(const struct built *b, struct arena *a)
{
	const struct model *const m = &b->model;
	const struct model_config *const c = &m->config;
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_integer(w, "d", (long)c->d);
	json_writer_integer(w, "heads", (long)c->heads);
	json_writer_integer(w, "dk", (long)m->dk);
	json_writer_integer(w, "dv", (long)m->dv);
	json_writer_integer(w, "kv_heads", (long)m->kv_heads);
	json_writer_integer(w, "layers", (long)c->layers);
	json_writer_integer(w, "ff", (long)c->ff);
	json_writer_integer(w, "t_max", (long)c->t_max);
	json_writer_number(w, "c", m->c);
	json_writer_number(w, "norm_eps", c->norm_eps);
	json_writer_string(w, "activation", activation_names[c->activation]);
	json_writer_number(w, "embed_scale", embed_scale(m));
	json_writer_integer(w, "memory", (long)b->model_input.memory);
	json_writer_end(w);
	return json_writer_done(w, 0);
}

/* layer.L of a dump is step L; its weights and leaves are those of the layer `layer`. */
static const char *steps_json(const struct model *m, struct arena *a)
{
	struct json_writer *const w = json_writer_new(a);
	json_writer_array(w, NULL);
	for (size_t i = 0; i < m->n_steps; i++) {
		json_writer_object(w, NULL);
		json_writer_integer(w, "layer", (long)m->steps[i].layer);
		json_writer_integer(w, "q_from", m->steps[i].q_from);
		json_writer_integer(w, "kv_from", m->steps[i].kv_from);
		json_writer_end(w);
	}
	json_writer_end(w);
	return json_writer_done(w, 0);
}

static void write_set(struct json_writer *w, const char *key, const struct subset *set, size_t n)
{
	json_writer_array(w, key);
	for (size_t i = 0; i < n; i++)
		if (subset_has(set, i))
			json_writer_integer(w, NULL, (long)i);
	json_writer_end(w);
}

/* Writes the layers and heads on which a member acts; a matrix whose keys are other tokens acts
 * on none. */
static void write_where(struct json_writer *w, const struct member *m, const struct built *b)
{
	if (m->hooks->look_at)
		return;
	json_writer_string(w, "pos", m->pos);
	write_set(w, "layers", &m->layers, b->model.config.layers);
	write_set(w, "heads", &m->heads, b->model.config.heads);
}

/* Parses the canonical text of one member. */
static const struct expr_member *read_member(const struct member *m, struct arena *a)
{
	struct err err = {0};
	const struct expr *const e = expr_of(m->text, a, &err);
	if (!e)
		BUG("member %s: %s", m->text, err.text);
	return &e->members[0];
}

/* Lists the members with all parameters, including those at their defaults. */
static const char *members_json(const struct built *b, struct arena *a)
{
	struct json_writer *const w = json_writer_new(a);
	json_writer_array(w, NULL);
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		const struct expr_member *const e = read_member(m, a);
		json_writer_object(w, NULL);
		json_writer_string(w, "name", m->name);
		json_writer_string(w, "scheme", e->scheme->id);
		write_where(w, m, b);
		json_writer_object(w, "params");
		for (const struct param *p = e->scheme->params; p && p->name; p++)
			if (param_is_used(p, e->param))
				param_write(w, p->name, p, e->param, a);
		json_writer_end(w);
		json_writer_number(w, "weight", member_weight(m));
		json_writer_end(w);
	}
	json_writer_end(w);
	return json_writer_done(w, 0);
}

/* ---- the recipe ------------------------------------------------------------------------------ */

/* Adds the recipe of each member once: two members of one scheme replace the same step. */
static void add_members(struct strbuf *s, const struct built *b, struct arena *a)
{
	for (size_t i = 0; i < b->n_members; i++) {
		const struct scheme *const scheme = read_member(&b->members[i], a)->scheme;
		bool said = !scheme->recipe;
		for (size_t k = 0; k < i; k++)
			said |= read_member(&b->members[k], a)->scheme == scheme;
		if (!said)
			strbuf_printf(s, "; %s: %s", scheme->id, scheme->recipe);
	}
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].weighted)
			strbuf_printf(
				s,
				"; %s has a weight: its terms, and what it adds to the context, "
				"are %.17g times what is said of them",
				b->members[i].name, b->members[i].weight);
}

/* False if a member makes the weights without logits. Shortened keys have no bias, but they have
 * logits. */
static bool has_logits(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].hooks->no_logits)
			return false;
	return true;
}

/* Describes the steps before the layers that differ from the default. */
static void add_before(struct strbuf *s, const struct built *b)
{
	const double scale = embed_scale(&b->model);
	const size_t memory = b->model_input.memory;
	if (fabs(scale - 1) > 0)
		strbuf_printf(s, "the token vectors go in times %.17g; ", scale);
	if (b->model_input.position)
		strbuf_add(s, "members of column seq, whose numbers were given, have the order of "
			      "their column, and what they count along the text, from "
			      "position.place; ");
	if (memory > 0)
		strbuf_printf(
			s,
			"the first %zu tokens are a memory, whose rows of input are those of a run "
			"on them alone; rows of q, logits, mask, weights, context, output and bias "
			"are of the tokens behind them, so q here is the rows from %zu on; ",
			memory, memory);
}

/* Returns which columns of the projections belong to head H. */
static const char *columns_of_head(const struct model *m, struct arena *a)
{
	if (m->group == 1 && m->dk == m->dv)
		return arena_printf(a, "H*%zu..", m->dk);
	return arena_printf(a,
			    "H*%zu.. of q_bias, k_bias, w_q and b_q, floor(H/%zu)*%zu.. of w_k and "
			    "b_k, floor(H/%zu)*%zu.. of w_v and b_v, H*%zu.. of v_bias",
			    m->dk, m->group, m->dk, m->group, m->dv, m->dv);
}

/* Returns the recipe in one line: how all results follow from the tensors of the file, by
 * default and with the changes of the members. */
static const char *recipe(const struct built *b, const struct trace *trace, struct arena *a)
{
	struct strbuf s;
	strbuf_init(&s, a);
	add_before(&s, b);
	strbuf_printf(
		&s,
		"for layer L, which is step L of the metadata's steps (param.NAME.L is that of its "
		"layer), and head H (columns %s), with c = %.17g, what is not given left out: "
		"input = the sum of part.*, and part.unit is the output of step q_from, of -1 the "
		"token vectors with what members do to them; q = input_q @ w_q + b_q + q_bias, k = input_k "
		"@ "
		"w_k + b_k + k_bias, v = input_v @ w_v + b_v + v_bias, input for those of input_q, "
		"input_k, input_v that are not given (where q_raw is given it is this q, and q is "
		"it "
		"after the qk stage; otherwise q_raw is q); the terms named after two parts, the "
		"query's and the key's, such as term.unit–position, are with term.temperature, "
		"where it is given, together c * q @ k.T; all others are added to them as they "
		"are, term.rest too: what members make of the sum, or terms behind the last that "
		"is kept apart; ",
		columns_of_head(&b->model, a), trace->c);
	strbuf_add(&s, has_logits(b) ? "logits = the sum of layer.L.head.H.term.*; "
				     : "logits: none; ");
	strbuf_printf(
		&s,
		"weights = softmax over the keys whose mask is 1 of logits (a row without any is "
		"0); context = weights @ v; with M the contexts of all heads side by side, o = "
		"LN1(M "
		"@ w_o + b_o + residual), M itself for M @ w_o and input for residual where they "
		"are not given, output = LN2(o + f), f = %s(o @ w_ff1 + b_ff1) @ w_ff2 + b_ff2, "
		"LN(x) = (x - its mean) / sqrt(its variance + norm_eps), times ln_weight plus "
		"ln_bias",
		b->model.config.activation == ACT_GELU ? "gelu" : "relu");
	add_members(&s, b, a);
	return s.at;
}

/* Returns the recipe of a matrix whose keys are other tokens: the numbers of the file are all
 * there is. */
static const char *recipe_looked_at(const struct member *m, struct arena *a)
{
	const char *const of = m->n_layers && m->n_heads ? " for layer L and head H"
			       : m->n_layers		 ? " for layer L"
			       : m->n_heads		 ? " for head H"
							 : ", which has one matrix";
	return arena_printf(
		a,
		"nothing is computed of token vectors, for queries are other tokens than keys; rows are "
		"axis.query, columns axis.key; in layer.L.head.H %s are the numbers of the file%s%s",
		m->hooks->no_logits ? "weights" : "logits", of,
		!m->hooks->no_logits ? ", 0 where mask is 0, and weights = softmax over the keys "
				       "whose mask is 1 of logits (a row without any is 0)"
		: strstr(m->text, "as=percent") ? ", divided by 100"
						: "");
}

/* Adds the metadata of a run of the model. */
static void add_run(const struct scene *scene, const struct built *b, const struct trace *trace,
		    struct arena *a, struct tensor_set *out)
{
	const char *seen;
	tensor_set_add_meta_json(out, "model", model_json(b, a));
	tensor_set_add_meta_json(out, "steps", steps_json(&b->model, a));
	tensor_set_add_meta_json(out, "members", members_json(b, a));
	tensor_set_add_meta(out, "recipe", recipe(b, trace, a));
	if (model_seen(&scene->setup, a, &seen, NULL) && seen)
		tensor_set_add_meta_json(out, "model_files", seen);
	if (b->structure)
		tensor_set_add_meta_json(out, "structure", structure_json(b->structure, a));
}

static void add_looked_at(const struct member *m, const struct built *b, struct arena *a,
			  struct tensor_set *out)
{
	tensor_set_add_meta_json(out, "members", members_json(b, a));
	tensor_set_add_meta(out, "recipe", recipe_looked_at(m, a));
}

void dump_metadata(const struct scene *scene, const struct built *b, const struct trace *trace,
		   struct arena *a, struct tensor_set *out)
{
	const struct member *const looked_at = model_looked_at(&b->model);
	if (!looked_at) {
		tensor_set_add_meta_json(out, "tokens", token_list(a, &b->input));
		tensor_set_add_meta_json(out, "tokens.written", token_list(a, &b->written));
		tensor_set_add_meta_json(out, "order", order_list(a, b));
	}
	tensor_set_add_meta_json(out, "axis.query", label_list(a, &trace->query));
	tensor_set_add_meta_json(out, "axis.key", label_list(a, &trace->key));
	tensor_set_add_meta(out, "expression",
			    setup_with_batch(&scene->setup, scene->setup.scheme, a));
	tensor_set_add_meta(out, "scene", scene_print(scene, a));
	tensor_set_add_meta(out, "version", POSVIZ_VERSION);
	if (looked_at)
		add_looked_at(looked_at, b, a, out);
	else
		add_run(scene, b, trace, a, out);
}
