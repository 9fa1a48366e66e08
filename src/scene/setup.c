/* setup.c: from a setup to numbers: read, tokenise, parse, build, run. */
#include <string.h>

#include "posviz/file.h"
#include "posviz/scene.h"
#include "posviz/text.h"

enum { SENTENCE_LIMIT = 1 << 20 };

static bool read_text(const struct setup *setup, struct arena *a, const char **text, size_t *len,
		      struct err *err)
{
	*text = setup->sentence;
	*len = strlen(setup->sentence);
	char *data;
	if (!*setup->file)
		return true;
	if (!file_read(setup->file, SENTENCE_LIMIT, a, &data, len, err))
		return false;
	*text = data;
	return true;
}

static bool read_set(const char *path, struct arena *a, struct tensor_set *set,
		     const struct tensor_set **out, struct err *err)
{
	*out = NULL;
	if (!*path)
		return true;
	tensor_set_init(set, a);
	if (!tensor_read_file(set, path, err))
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

/* A path, and after the last colon a tensor's name; a file of one tensor, or one called "units",
 * "input" or "data", needs none. */
static bool read_units(const char *spec, struct arena *a, struct mat *out, struct err *err)
{
	const char *colon = strrchr(spec, ':');
	const bool named = colon && !file_exists(spec);
	const char *path = named ? arena_strndup(a, spec, (size_t)(colon - spec)) : spec;
	struct tensor_set *set = arena_calloc(a, 1, sizeof *set);
	tensor_set_init(set, a);
	if (!tensor_read_file(set, path, err))
		return false;
	static const char *const usual[] = {"units", "input", "data"};
	const struct tensor *t = named ? tensor_find(set, colon + 1) : NULL;
	for (size_t i = 0; i < 3 && !t && !named; i++)
		t = tensor_find(set, usual[i]);
	if (!t && !named && set->count == 1)
		t = &set->tensors[0];
	if (!t)
		return err_set(err, "units: %s has no tensor %s; give FILE:TENSOR",
			       text_quote(a, path, strlen(path)),
			       named ? text_quote(a, colon + 1, strlen(colon + 1))
				     : "called units or input");
	*out = tensor_mat(t);
	if (t->dims != 2 || out->rows == 0 || out->cols == 0)
		return err_set(err, "units: %s must be a matrix of tokens by width", t->name);
	if (out->rows > INPUT_MAX_TOKENS)
		return err_set(err, "units: %zu rows; at most %d", out->rows, INPUT_MAX_TOKENS);
	return true;
}

/* Tokens for given units: the sentence when it has as many, else numbers. */
static void number_tokens(struct input *in, size_t n, struct arena *a)
{
	in->tokens = arena_calloc(a, n, sizeof *in->tokens);
	in->n = in->moving = n;
	in->segments = 1;
	for (size_t i = 0; i < n; i++) {
		const char *label = arena_printf(a, "%zu", i + 1);
		in->tokens[i] = (struct token){
			.text = label, .len = strlen(label), .label = label, .word = i, .place = i};
	}
}

static bool read_input(const struct setup *setup, struct arena *a, struct built *out,
		       struct mat given_units, struct err *err)
{
	const char *text;
	size_t len;
	unsigned special;
	if (!read_text(setup, a, &text, &len, err) ||
	    !input_parse_special(setup->special, &special, err))
		return false;
	const bool sentence = input_sentence(&out->written, text, len,
					     (enum token_mode)setup->tokens, special, a, err);
	if (given_units.at) {
		if (!sentence || out->written.n != given_units.rows)
			number_tokens(&out->written, given_units.rows, a);
	} else if (!sentence) {
		return false;
	}
	out->order = arena_calloc(a, out->written.moving, sizeof *out->order);
	if (!input_parse_order(setup->order, out->written.moving, out->order, err))
		return false;
	input_permute(&out->input, &out->written, out->order, a);
	return true;
}

static struct model_config config_of(const struct setup *setup, struct mat given_units)
{
	const size_t d = given_units.at ? given_units.cols : (size_t)setup->d_model;
	return (struct model_config){.d = d,
				     .heads = (size_t)setup->heads,
				     .layers = (size_t)setup->layers,
				     .ff = setup->ff ? (size_t)setup->ff : 4 * d,
				     .t_max = (size_t)setup->t_max,
				     .seed = setup->seed,
				     .proj = (enum projection)setup->proj,
				     .init = (enum init)setup->init,
				     .activation = (enum activation)setup->activation,
				     .content = setup->content,
				     .norm_eps = setup->norm_eps,
				     .memory = (size_t)setup->memory};
}

/* Given weights decide the width of the feed-forward block when the user did not. */
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

static bool names_leaf(const struct model *model, const char *name, size_t len)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		if ((strlen(leaf->name) == len && memcmp(leaf->name, name, len) == 0) ||
		    (strlen(leaf->base) == len && memcmp(leaf->base, name, len) == 0))
			return true;
	}
	return false;
}

/* A map that names nothing would be believed to have been followed. */
static bool check_mapped(const struct built *b, struct arena *a, struct err *err)
{
	if (b->given.map_count > 0 && !b->given.params)
		return err_set(err, "map: there is no file to take tensors from; give params too");
	for (size_t i = 0; i < b->given.map_count; i++) {
		const char *leaf = b->given.map[i];
		const size_t len = strcspn(leaf, "=");
		if (!names_leaf(&b->model, leaf, len))
			return err_set(err, "map: no parameter is called %s%s%s",
				       text_quote(a, leaf, len),
				       b->model.n_leaves ? "; there is " : "",
				       b->model.n_leaves ? b->model.leaves[0].name : "");
	}
	return true;
}

/* Given rows belong to the tokens as written and move with them. */
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

void built_input(const struct setup *setup, const struct built *b, const struct input *tokens,
		 struct arena *a, struct model_input *out)
{
	const size_t n = tokens->n;
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
				    .segment = segment};
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

bool setup_build(const struct setup *setup, struct arena *a, struct built *out, struct err *err)
{
	memset(out, 0, sizeof *out);
	struct mat units = {0};
	if (*setup->units && !read_units(setup->units, a, &units, err))
		return false;
	if (!expr_parse(&out->expr, setup->scheme, a, err) ||
	    !expr_members(&out->expr, out->members, &out->n_members, a, err) ||
	    !read_input(setup, a, out, units, err))
		return false;
	if (!read_set(setup->weights, a, &out->given_weights, &out->given.weights, err) ||
	    !read_set(setup->params, a, &out->given_params, &out->given.params, err))
		return false;
	split_map(setup->map, a, &out->given);
	struct model_config config = config_of(setup, units);
	width_from_weights(setup, out, &config);
	if (!model_build(&out->model, &config, out->members, out->n_members, &out->given, a, err) ||
	    !check_mapped(out, a, err))
		return false;
	out->given_units = units;
	built_input(setup, out, &out->input, a, &out->model_input);
	return true;
}

bool built_run(const struct built *b, const struct model_input *in, const struct want *want,
	       struct cache *cache, const atomic_bool *cancel, struct arena *a, struct trace *trace,
	       struct err *err)
{
	return model_run(&b->model, in, want, cache, cancel, a, trace, err);
}

bool evaluate(const struct setup *setup, const struct want *want, struct cache *cache,
	      const atomic_bool *cancel, struct arena *a, struct built *b, struct trace *trace,
	      struct err *err)
{
	return setup_build(setup, a, b, err) &&
	       built_run(b, &b->model_input, want, cache, cancel, a, trace, err);
}
