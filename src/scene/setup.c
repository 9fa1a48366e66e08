/* setup.c: from a setup to numbers: read, tokenise, parse, build, run. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/scene/beside.h"
#include "scene_in.h"

static bool read_set(const char *path, size_t memory, struct arena *a, struct tensor_set *set,
		     const struct tensor_set **out, struct err *err)
{
	*out = NULL;
	if (!*path)
		return true;
	tensor_set_init(set, a);
	set->limit = memory;
	if (!scene_file_right(path, err) || !tensor_read_file(set, path, err))
		return false;
	*out = set;
	return true;
}

static void split_map(const char *map, struct arena *a, struct given *given)
{
	const char **at = arena_calloc(a, strlen(map) / 2 + 1, sizeof *at);
	for (const char *c = map + strspn(map, " "); *c; c += strspn(c, " ")) {
		const size_t len = strcspn(c, " ");
		at[given->map_count++] = arena_strndup(a, c, len);
		c += len;
	}
	given->map = at;
}

static bool read_units(const char *spec, size_t memory, struct arena *a, struct mat *out,
		       struct err *err)
{
	static const char *const usual[] = {"units", "input", "data", NULL};
	struct tensor_set *set = arena_calloc(a, 1, sizeof *set);
	const struct tensor *t;
	tensor_set_init(set, a);
	set->limit = memory;
	if (!tensor_choose(set, spec, usual, &t, err))
		return err_prefix(err, "units: ");
	const struct mat m = tensor_mat(t);
	const char *const file = text_quote(a, spec, strlen(spec));
	if (t->dims != 2 || m.rows == 0 || m.cols == 0)
		return err_set(err,
			       "units: %s has the shape %s; a matrix [tokens, d] would be right",
			       file, tensor_shape_text(t, a));
	if (m.rows > INPUT_MAX_TOKENS)
		return err_set(err, "units: %s has %zu rows; at most %d", file, m.rows,
			       INPUT_MAX_TOKENS);
	t = tensor_load(set, t, a, err);
	if (!t)
		return err_prefix(err, "units: ");
	*out = tensor_mat(t);
	return tensor_check_finite(t, err) || err_prefix(err, "units: %s: ", file);
}

/* The file gives the width of the units, so another width that the user asked for is an error. */
static bool check_width(const struct setup *setup, struct mat units, struct err *err)
{
	char quoted[120];
	return !units.at || !setup->asked.d_model || units.cols == (size_t)setup->d_model ||
	       err_set(err,
		       "d-model: %ld, and units %s are %zu wide; d-model %zu, or none, would be "
		       "right",
		       setup->d_model,
		       text_quote_buf(quoted, sizeof quoted, setup->units, strlen(setup->units)),
		       units.cols, units.cols);
}

/* Makes tokens that the user did not type: labels of a file, or numbers behind the letter `before`:
 * "q1" if queries and keys differ. */
static void label_tokens(struct input *in, size_t n, const char *const *labels, const char *before,
			 struct arena *a)
{
	in->tokens = arena_calloc(a, n, sizeof *in->tokens);
	in->n = in->moving = n;
	in->segments = 1;
	for (size_t i = 0; i < n; i++) {
		const char *label = labels ? labels[i] : arena_printf(a, "%s%zu", before, i + 1);
		in->tokens[i] = (struct token){
			.text = label, .len = strlen(label), .label = label, .word = i, .place = i};
	}
}

/* The tokens for which files of the expression were made, or n 0. */
struct own {
	size_t n, keys; /* keys 0: the same tokens as the queries */
	const char *const *labels, *const *key_labels;
	const char *by; /* the member with the file */
};

/* Marks the keys of a matrix as other tokens than its queries if the user names keys, also if the
 * numbers are equal. */
static bool take_other_keys(const struct setup *setup, const struct expr *e, struct member *members,
			    size_t n, struct err *err)
{
	for (size_t i = 0; *setup->keys && i < e->n; i++)
		for (size_t k = 0; e->members[i].scheme->other_keys && k < n; k++)
			if (members[k].param == e->members[i].param && members[k].units &&
			    !e->members[i].scheme->other_keys(e->members[i].param, &members[k],
							      err))
				return false;
	return true;
}

static bool find_own(const struct member *members, size_t n, struct own *own, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct member *m = &members[i];
		if (!m->units)
			continue;
		if (own->n && (own->keys || m->keys) &&
		    (own->n != m->units || own->keys != m->keys))
			return err_set(err,
				       "%s is for %zu queries and %zu keys, %s for %zu and %zu",
				       own->by, own->n, own->keys ? own->keys : own->n, m->text,
				       m->units, m->keys ? m->keys : m->units);
		if (own->n && own->n != m->units)
			return err_set(err, "%s is for %zu tokens, %s for %zu", own->by, own->n,
				       m->text, m->units);
		own->n = m->units;
		own->keys = m->keys;
		own->key_labels = own->key_labels ? own->key_labels : m->key_labels;
		own->by = m->text;
		own->labels = own->labels ? own->labels : m->keys ? m->query_labels : m->labels;
	}
	return true;
}

/* Does the same for compared expressions on the same tokens, so that a file of one expression sets
 * the tokens of all. Expressions that cannot be read are reported where they are shown. */
static bool find_own_compared(const struct setup *setup, struct arena *a, struct own *own,
			      struct err *err)
{
	struct beside all[COMPARE_MAX];
	const size_t n = scene_beside(setup, a, all);
	for (size_t i = 1; i < n; i++) {
		const char *const text = all[i].expression;
		struct member *members = arena_calloc(a, MODEL_MAX_MEMBERS, sizeof *members);
		size_t count;
		const bool reads = text && !beside_has_words(&all[i]) && strstr(text, "from=");
		struct expr *const e = reads ? expr_copy(expr_of(text, a, NULL), a) : NULL;
		if (e && expr_members(e, members, &count, a, NULL) &&
		    take_other_keys(setup, e, members, count, NULL) &&
		    !find_own(members, count, own, err))
			return false;
	}
	return true;
}

/* True if the user chose a text. The default sentence is replaced if a file has another length. */
static bool is_worded(const struct setup *setup)
{
	return *setup->file || setup->asked.sentence ||
	       strcmp(setup->sentence, field_find("sentence")->type.def_text) != 0;
}

static bool is_typed(const struct setup *setup)
{
	return is_worded(setup) || *setup->governors || setup_brings_tokens(setup);
}

/* Returns advice if a picture lacks one token: models put a class token before the patches. */
static const char *lacks_cls(const struct setup *setup, const struct input *written, size_t rows)
{
	return written->n + 1 == rows && input_has_picture(written) &&
			       strcmp(setup->special, "none") == 0
		       ? "; --special cls adds a class token to the patches"
		       : "";
}

static bool fit_own(const struct setup *setup, struct built *out, bool sentence,
		    const struct own *own, struct arena *a, struct err *err)
{
	struct input *const written = &out->written;
	if (is_typed(setup)) {
		return written->n == own->n ||
		       err_set(err,
			       "%s is for %zu %s, and the sentence has %zu; a sentence of %zu, "
			       "or none, would be right%s%s",
			       own->by, own->n, own->keys ? "queries" : "tokens", written->n,
			       own->n, own->keys ? "; --keys names the keys" : "",
			       lacks_cls(setup, written, own->n));
	}
	out->labelled = own->keys || own->labels || !sentence || written->n != own->n;
	if (out->labelled)
		label_tokens(written, own->n, own->labels, own->keys ? "q" : "", a);
	return true;
}

/* Makes tokens of the rows of units, which need no text; a text that the user gave must have as
 * many tokens. */
static bool fit_units(const struct setup *setup, struct built *out, bool sentence, size_t rows,
		      const struct own *own, struct arena *a, struct err *err)
{
	struct input *const written = &out->written;
	if (own->n && own->n != rows)
		return err_set(err, "%s is for %zu tokens, and units has %zu rows", own->by, own->n,
			       rows);
	if (sentence && written->n == rows)
		return true;
	if (setup_brings_tokens(setup))
		return err_set(err,
			       "units: %zu rows, and there are %zu tokens with a structure; a "
			       "row for each would be right",
			       rows, written->n);
	if (is_worded(setup))
		return sentence &&
		       err_set(err,
			       "units: %zu rows, and the %s has %zu token%s; a row for "
			       "each, or no %s, would be right%s",
			       rows, *setup->file ? "file" : "sentence", written->n,
			       written->n == 1 ? "" : "s", *setup->file ? "file" : "sentence",
			       lacks_cls(setup, written, rows));
	out->labelled = true;
	label_tokens(written, rows, own->labels, "", a);
	return true;
}

/* Reads the tokens as written, with their structure. */
static bool read_tokens(const struct setup *setup, struct arena *a, struct built *out,
			struct mat given_units, const struct own *own, struct err *err)
{
	struct input *const written = &out->written;
	const bool read = tokens_read(setup, a, written, &out->structure, &out->count, err);
	const bool needed = setup_brings_tokens(setup);
	if (!read && needed)
		return false;
	if (given_units.at)
		return fit_units(setup, out, read, given_units.rows, own, a, err);
	if (!read && (!own->n || is_typed(setup)))
		return false;
	return !own->n || fit_own(setup, out, read, own, a, err);
}

/* Reads the keys of a matrix whose keys are other tokens: from the field keys, else labels of its
 * file, else numbers. */
static bool read_keys(const struct setup *setup, const struct own *own, struct arena *a,
		      struct axis *out, struct err *err)
{
	struct input in;
	if (own->keys == 0)
		return !*setup->keys ||
		       err_set(err, "keys: they go with a matrix of your own whose keys are other "
				    "tokens than its queries, matrix(from=FILE)");
	if (!*setup->keys)
		label_tokens(&in, own->keys, own->key_labels, "k", a);
	else if (!input_sentence(&in, setup->keys, strlen(setup->keys),
				 (enum token_mode)setup->tokens, 0, a, err))
		return err_prefix(err, "keys: ");
	if (in.n != own->keys)
		return err_set(err, "keys: %zu tokens, and %s has %zu keys; as many would be right",
			       in.n, own->by, own->keys);
	const char **const labels = arena_calloc(a, in.n, sizeof *labels);
	long *const token = arena_calloc(a, in.n, sizeof *token);
	for (size_t i = 0; i < in.n; i++) {
		labels[i] = in.tokens[i].label;
		token[i] = -1; /* no token of the sentence: a query and a key have no distance */
	}
	*out = (struct axis){.n = in.n, .labels = labels, .token = token};
	return true;
}

/* Refuses settings that only a layer of the model could apply, because a matrix whose keys are
 * other tokens is shown as it is in its file. */
static bool check_looked_at(const struct setup *setup, const struct built *b, const struct own *own,
			    struct err *err)
{
	const struct expr_member *const m = &b->expr.members[0];
	const struct {
		const char *name, *value, *plain;
	} rows[] = {{"order", setup->order, "identity"},
		    {"position-ids", setup->position_ids, "none"},
		    {"memory-tokens", setup->memory_tokens > 0 ? "some" : "0", "0"},
		    {"layers", m->layers_text ? m->layers_text : "all", "all"},
		    {"heads", m->heads_text ? m->heads_text : "all", "all"},
		    {"pos", m->pos, "seq"}};
	for (size_t i = 0; own->keys && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].value, rows[i].plain) != 0)
			return err_set(
				err,
				"%s: %s is for keys that are other tokens than its queries, "
				"and is looked at as it is in its file; %s %s would be right",
				rows[i].name, own->by, rows[i].name, rows[i].plain);
	return true;
}

/* Refuses other members beside such a matrix, and such a matrix of other tokens. */
static bool check_alone(const struct setup *setup, const struct built *b, const struct own *own,
			struct err *err)
{
	const bool square = own->n == own->keys && !*setup->keys; /* because of names in its file */
	for (size_t i = 0; own->keys && i < b->n_members; i++)
		if (b->n_members > 1 || !b->members[i].keys)
			return err_set(
				err,
				"%s is for %zu queries and %zu keys that are other tokens, "
				"and is looked at alone: with %s there is nothing in common%s",
				own->by, own->n, own->keys,
				b->members[b->members[i].keys ? 1 - i : i].text,
				square ? "; keys=same would take its columns' names for both" : "");
	return true;
}

bool setup_order(const struct setup *setup, struct arena *a, size_t **order, size_t *n,
		 struct input *tokens, struct err *err)
{
	struct input in;
	if (!setup_tokens(setup, a, &in, NULL, NULL, err))
		return false;
	*tokens = in; /* only after everything is read */
	*n = in.moving;
	*order = arena_calloc(a, *n, sizeof **order);
	return input_parse_order(setup->order, *n, *order, err);
}

/* Reads the order of the tokens behind a memory. */
static bool read_order(const struct setup *setup, const struct input *written, size_t *order,
		       struct err *err)
{
	if (input_parse_order(setup->order, written->moving, order, err))
		return true;
	return setup->memory_tokens > 0 && err
		       ? err_set(err, "%s; the memory in front is not counted", err->text)
		       : false;
}

static bool read_input(const struct setup *setup, struct arena *a, struct built *out,
		       struct mat given_units, const struct own *own, struct err *err)
{
	struct input *const written = &out->written;
	if (!read_tokens(setup, a, out, given_units, own, err) ||
	    !sequence_mark(setup, written, a, err) ||
	    !setup_position_ids(setup, written, a, &out->position_ids, &out->three_ids, err) ||
	    !tokens_add_governors(setup, written, a, &out->structure, err) ||
	    !setup_reorder(setup, written, a, &out->reorder, &out->alignment, err))
		return false;
	out->pictures = input_has_picture(written);
	out->order = arena_calloc(a, written->moving, sizeof *out->order);
	if (!read_order(setup, written, out->order, err))
		return false;
	input_permute(&out->input, written, out->order, a);
	return true;
}

/* ---- schemes and structures ------------------------------------------------------------------ */

/* A scheme for trees refuses a graph, which has no parents. Schemes for graphs take trees, which
 * have edges. */
static bool check_structure(const struct setup *setup, const struct built *b, struct err *err)
{
	if (!b->structure || b->structure->parent)
		return true;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct scheme *const s = scheme_of_member(&b->members[i]);
		char quoted[120];
		const char *const name = setup_source(setup);
		if (s && s->flags & SCHEME_NEEDS_TREE)
			return err_set(err,
				       "%s needs a tree, and %s is a graph; --conllu, --governors "
				       "or --tree gives one",
				       s->id,
				       text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
	}
	return true;
}

struct model_config setup_config(const struct setup *setup, size_t d)
{
	return (struct model_config){.d = d,
				     .heads = (size_t)setup->heads,
				     .head_dim = (size_t)setup->head_dim,
				     .value_dim = (size_t)setup->value_dim,
				     .kv_heads = (size_t)setup->kv_heads,
				     .layers = (size_t)setup->layers,
				     .ff = setup->ff ? (size_t)setup->ff : 4 * d,
				     .t_max = (size_t)setup->t_max,
				     .seed = setup->seed,
				     .proj = (enum projection)setup->proj,
				     .init = (enum init)setup->init,
				     .activation = (enum activation)setup->activation,
				     .content = setup->content,
				     .norm_eps = setup->norm_eps,
				     .embed_scale = setup_embed_scale(setup, d),
				     .memory = (size_t)setup->memory};
}

/* Given weights set the width of the feed-forward block if the user did not. */
static void width_from_weights(const struct setup *setup, const struct built *b,
			       struct model_config *config)
{
	if (!b->given.weights || setup->ff != 0)
		return;
	static const char *const names[] = {"layer.0.w_ff1", "w_ff1", "param.w_ff1"};
	for (size_t i = 0; i < 3; i++) {
		const struct tensor *t = tensor_find(b->given.weights, names[i]);
		if (!t)
			continue;
		config->ff = tensor_mat(t).cols;
		return;
	}
}

/* Orders given rows by the present order: rows belong to the tokens as written and move with
 * them. */
static struct mat given_rows(const struct built *b, const struct input *tokens, struct arena *a)
{
	size_t *row_of_place = arena_calloc(a, b->written.n, sizeof *row_of_place);
	for (size_t i = 0; i < b->written.n; i++)
		if (!b->written.tokens[i].special)
			row_of_place[b->written.tokens[i].place] = i;
	const struct mat out = mat_new(a, tokens->n, b->given_units.cols);
	for (size_t i = 0; i < tokens->n; i++) {
		const struct token *t = &tokens->tokens[i];
		const size_t row = t->special ? i : row_of_place[t->place];
		mat_set(mat_rows(out, i, 1), mat_rows(b->given_units, row, 1));
	}
	return out;
}

/* Adds data of places, for as many places as these tokens have. Inserted tokens have no node, and
 * come last in a re-ordering. */
static void add_places(const struct setup *setup, const struct built *b, const struct input *tokens,
		       struct arena *a, struct model_input *out)
{
	const size_t known = b->written.moving, n = tokens->moving > known ? tokens->moving : known;
	out->length = (size_t)setup->length;
	if (b->structure) {
		long *const node = arena_calloc(a, n + 1, sizeof *node);
		for (size_t i = 0; i < n; i++)
			node[i] = i < known ? b->structure->node_of[i] : -1;
		out->structure = b->structure;
		out->node = node;
	}
	if (b->reorder) {
		double *const reorder = arena_calloc(a, n + 1, sizeof *reorder);
		for (size_t i = 0; i < n; i++)
			reorder[i] = i < known ? b->reorder[i] : (double)i;
		out->reorder = reorder;
	}
}

void built_input(const struct setup *setup, const struct built *b, const struct input *tokens,
		 struct arena *a, struct model_input *out)
{
	const size_t n = tokens->n;
	BUG_IF(b->position_ids && n != b->written.n);
	const char **labels = arena_calloc(a, n, sizeof *labels);
	const char **text = arena_calloc(a, n, sizeof *text);
	size_t *len = arena_calloc(a, n, sizeof *len);
	long *token = arena_calloc(a, n, sizeof *token);
	double *word = arena_calloc(a, n, sizeof *word);
	double *segment = arena_calloc(a, n, sizeof *segment);
	for (size_t i = 0; i < n; i++) {
		const struct token *t = &tokens->tokens[i];
		labels[i] = t->label;
		text[i] = t->text;
		len[i] = t->len;
		token[i] = t->special ? -1 : (long)t->place;
		word[i] = (double)t->word;
		segment[i] = (double)t->segment;
	}
	const struct model_config *config = &b->model.config;
	*out = (struct model_input){.axis = {.n = n, .labels = labels, .token = token},
				    .word = word,
				    .segment = segment,
				    .position = b->three_ids ? NULL : b->position_ids,
				    .memory = (size_t)setup->memory_tokens,
				    .keys = b->keys,
				    .source = b->source,
				    .source_axis = b->source_axis};
	add_places(setup, b, tokens, a, out);
	sequence_places(b, tokens, a, out);
	out->units =
		b->given_units.at ? given_rows(b, tokens, a) : model_units(a, config, text, len, n);
	if (strcmp(setup->probe, "off") == 0)
		return;
	out->probe = mat_new(a, 1, config->d);
	mat_fill(out->probe, 1);
	const size_t probe_len = strlen(setup->probe);
	if (strcmp(setup->probe, "ones") != 0)
		out->probe = model_units(a, config, &setup->probe, &probe_len, 1);
}

/* Checks the heads against given units, whose width the user cannot change. */
static bool heads_fit(const struct model_config *c, struct mat units, struct err *err)
{
	size_t most = c->heads < c->d ? c->heads : c->d;
	if (!units.at || c->heads == 0 || c->head_dim || c->d % c->heads == 0)
		return true;
	while (c->d % most != 0)
		most--;
	return err_set(
		err,
		"heads: %zu heads do not divide the width of the token vectors, %zu; heads %zu would "
		"be right, or head-dim for heads of a width of their own",
		c->heads, c->d, most);
}

static bool add_proposal(const struct built *b, struct arena *a, struct err *err)
{
	const char *const setting = err ? propose_setting(b, a) : NULL;
	return setting ? err_set(err, "%s; %s would fit", err->text, setting) : false;
}

const char *built_source(const struct setup *setup, const struct built *b)
{
	return b->labelled ? NULL : setup_source(setup);
}

bool setup_build(const struct setup *setup, struct arena *a, struct built *out, struct err *err)
{
	memset(out, 0, sizeof *out);
	struct mat units = {0};
	if (*setup->units && !read_units(setup->units, (size_t)setup->memory, a, &units, err))
		return false;
	if (!check_width(setup, units, err))
		return false;
	struct own own = {0};
	const struct expr *const bare = expr_of(setup->scheme, a, err);
	if (!bare || !batch_fits(setup, bare, err))
		return false;
	struct expr *const e =
		expr_copy(expr_of(setup_with_batch(setup, setup->scheme, a), a, err), a);
	if (!e)
		return false;
	out->expr = *e;
	if (!expr_members(&out->expr, out->members, &out->n_members, a, err) ||
	    !take_other_keys(setup, &out->expr, out->members, out->n_members, err) ||
	    !find_own(out->members, out->n_members, &own, err) ||
	    !find_own_compared(setup, a, &own, err) || !check_alone(setup, out, &own, err) ||
	    !check_looked_at(setup, out, &own, err) ||
	    !read_keys(setup, &own, a, &out->keys, err) ||
	    !read_input(setup, a, out, units, &own, err) || !check_structure(setup, out, err))
		return false;
	const size_t memory = (size_t)setup->memory;
	if (!read_set(setup->weights, memory, a, &out->given_weights, &out->given.weights, err) ||
	    !read_set(setup->params, memory, a, &out->given_params, &out->given.params, err))
		return false;
	if (out->written.listed)
		out->note =
			"the text is a list in quotes, and each of them a token; --tokens given "
			"says so";
	split_map(setup->map, a, &out->given);
	out->given.weights_file = setup->weights;
	out->given.params_file = setup->params;
	struct model_config config =
		setup_config(setup, units.at ? units.cols : (size_t)setup->d_model);
	width_from_weights(setup, out, &config);
	out->given_units = units;
	if (!trained_take(setup, out, &config, a, err))
		return false;
	if (!heads_fit(&config, units, err))
		return false;
	if (!model_build(&out->model, &config, out->members, out->n_members, &out->given, a, err))
		return add_proposal(out, a, err);
	if (!given_fits(setup, a, out, err) || !trained_is_read(out, err))
		return false;
	built_input(setup, out, &out->input, a, &out->model_input);
	return true;
}

void built_plain(const struct built *b, size_t n, struct arena *a, struct model_input *out)
{
	const char **labels = arena_calloc(a, n, sizeof *labels);
	long *token = arena_calloc(a, n, sizeof *token);
	double *word = arena_calloc(a, n, sizeof *word);
	for (size_t i = 0; i < n; i++) {
		labels[i] = arena_printf(a, "%zu", i + 1);
		token[i] = (long)i;
		word[i] = (double)i;
	}
	*out = (struct model_input){.axis = {.n = n, .labels = labels, .token = token},
				    .word = word,
				    .probe = b->model_input.probe};
	if (!out->probe.at) {
		out->probe = mat_new(a, 1, b->model.config.d);
		mat_fill(out->probe, 1);
	}
	out->units = (struct mat){n, b->model.config.d, 0, out->probe.at};
}

bool built_run(const struct built *b, const struct model_input *in, const struct want *want,
	       struct cache *cache, struct watch *watch, struct arena *a, struct trace *trace,
	       struct err *err)
{
	return model_run(&b->model, in, want, cache, watch, a, trace, err);
}

bool evaluate(const struct setup *setup, const struct want *want, struct cache *cache,
	      struct watch *watch, struct arena *a, struct built *b, struct trace *trace,
	      struct err *err)
{
	return setup_build(setup, a, b, err) &&
	       built_run(b, &b->model_input, want, cache, watch, a, trace, err);
}
