/* resolve.c: decides the meaning of bare arguments.
 *
 * posviz NAME is: a sub-command; a file or directory whose name has a slash or a known suffix; an
 * expression; any other file; a text with blanks, which is the sentence. Files to be opened remain
 * arguments; an argument that an option could give as well becomes that option. */
#include "cli.h"

#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/scene/beside.h"
#include "posviz/scheme/given.h"
#include "tour_file.h"

enum word { WORD_NOTHING, WORD_FILE, WORD_EXPRESSION, WORD_TEXT };
static const char *const word_names[] = {"nothing that is known", "a file", "an expression",
					 "a sentence"};

static bool is_expression(const char *text, struct arena *a)
{
	struct beside b;
	return *text != '@' && beside_parse(text, a, &b, NULL);
}

/* Returns whether the text is FILE:TENSOR, for an existing file of tensors. */
static bool is_tensor_spec(const char *text, struct arena *a)
{
	const char *const colon = strrchr(text, ':');
	const char *const path = colon ? arena_strndup(a, text, (size_t)(colon - text)) : text;
	const struct kind *const k = kind_by_name(path);
	return colon && k && file_exists(path) &&
	       (kind_is_taken(k, "matrix-from") || k->id == KIND_JSON);
}

bool cli_is_tensors(const char *text, struct arena *a)
{
	struct kind_seen seen;
	if (is_tensor_spec(text, a))
		return true;
	return file_exists(text) && kind_of_file(text, app_is_command, &seen, NULL) &&
	       kind_is_taken(seen.kind, "matrix-from");
}

/* Returns whether the text is meant as an expression: in "rope + alibbi" the first word is a
 * scheme, followed by a sign of expressions. */
static bool is_meant_as_expression(const char *text)
{
	const size_t len = strcspn(text, " +*(@");
	const char *const behind = text + len + strspn(text + len, " ");
	return scheme_find(text, len, NULL) && *behind && strchr("+*(@", *behind);
}

static enum word word_of(const char *text, struct arena *a)
{
	const bool there = file_exists(text);
	if (*text == '@' || cli_is_beat(text) ||
	    (there && (strchr(text, '/') || kind_by_name(text))))
		return WORD_FILE;
	if (is_expression(text, a))
		return WORD_EXPRESSION;
	if (there || is_tensor_spec(text, a))
		return WORD_FILE;
	const bool text_like = strpbrk(text, " \t\n") && !is_meant_as_expression(text);
	return text_like ? WORD_TEXT : WORD_NOTHING;
}

static bool is_nothing(const char *word, struct arena *a, struct err *err)
{
	const char *names[64];
	size_t n = 0;
	for (const struct subcommand *s = subcommands + 1; s->name && n < 64; s++)
		if (!s->hidden)
			names[n++] = s->name;
	const char *const quoted = text_quote(a, word, strlen(word));
	const char *const near = text_suggest(word, names, n);
	if (near)
		return err_set(err, "no sub-command or file %s; did you mean \"%s\"?", quoted,
			       near);
	if (tour_spec_is(word, true))
		return err_set(err, "no sub-command or file %s; a tour of ours: posviz tour %s",
			       quoted, word);
	if (is_meant_as_expression(word))
		return expr_of(word, a, err) != NULL;
	return err_set(err, "no sub-command or file %s; posviz --help names what there is", quoted);
}

/* Warns of a file that the name of a scheme hides. */
static void warn_of_hidden(const char *word)
{
	char quoted[200];
	if (!strchr(word, '/') && file_exists(word))
		output_warn("%s is the scheme; ./%s is what has its name here",
			    text_quote_buf(quoted, sizeof quoted, word, strlen(word)), word);
}

/* Makes expressions of tensors that are given beside expressions. */
static bool take_tensors(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	for (size_t i = 0; i < c->n_args; i++) {
		const char *const arg = c->args[i];
		if (is_expression(arg, a) || !cli_is_tensors(arg, a))
			continue;
		if (!given_expression(arg, a, &c->args[i], err))
			return false;
	}
	return true;
}

/* ---- models beside others ------------------------------------------------------------------ */

/* Returns whether the argument is an existing model, and no expression. */
static bool is_model(const char *text, struct arena *a)
{
	struct kind_seen seen;
	if (is_expression(text, a) || !file_exists(text) ||
	    !kind_of_file(text, app_is_command, &seen, NULL))
		return false;
	const enum kind_id id = seen.kind->id;
	return id == KIND_MODEL_CONFIG || id == KIND_MODEL_DIR || id == KIND_GGUF;
}

static void give_field(struct cli *c, const struct scene *from, const char *name)
{
	const char *const value = scene_get(from, field_find(name), &c->arena);
	struct scene usual;
	scene_init(&usual);
	if (!cli_given(c, name) &&
	    strcmp(value, scene_get(&usual, field_find(name), &c->arena)) != 0)
		cli_give(c, name, value);
}

/* Gives the sizes of a model, and with `files` what they hold, unless options give others. */
static void give_sizes(struct cli *c, const struct scene *model, bool files)
{
	static const char *const sizes[] = {"d-model",	 "heads",    "layers", "head-dim",
					    "value-dim", "kv-heads", "t-max"};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		give_field(c, model, sizes[i]);
	if (!files)
		return;
	give_field(c, model, "checkpoint");
	if (cli_given(c, "params") || cli_given(c, "map"))
		return;
	give_field(c, model, "params");
	give_field(c, model, "map");
}

/* Returns whether several arguments are models, and perhaps expressions. */
static bool are_models(const struct cli *c, size_t *n, struct arena *a)
{
	bool all = c->n_args > 1;
	*n = 0;
	for (size_t i = 0; all && i < c->n_args; i++) {
		const bool model = is_model(c->args[i], a);
		*n += model;
		all = model || is_expression(c->args[i], a);
	}
	return all && *n > 0;
}

/* Returns whether an argument behind a model is its text: no file, and no expression. */
static bool is_text(const char *text, struct arena *a)
{
	return !file_exists(text) && *text != '@' && !is_expression(text, a) &&
	       !is_meant_as_expression(text) && !is_tensor_spec(text, a);
}

/* Takes a text behind a model: posviz MODEL 'a sentence'. Of several it says how a pair is written. */
static bool take_text(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	if (c->n_args < 2 || !is_model(c->args[0], a))
		return true;
	for (size_t i = 1; i < c->n_args; i++)
		if (!is_text(c->args[i], a))
			return true;
	if (c->n_args > 2)
		return err_set(err,
			       "a model takes one text, and here are %zu; a pair is one argument, "
			       "parted by |||: '%s ||| %s'; two sentences beside each other: "
			       "-s '%s' --compare '@ %s'",
			       c->n_args - 1, text_escape(a, c->args[1], strlen(c->args[1])),
			       text_escape(a, c->args[2], strlen(c->args[2])),
			       text_escape(a, c->args[1], strlen(c->args[1])),
			       text_escape(a, c->args[2], strlen(c->args[2])));
	cli_give(c, "sentence", c->args[1]);
	c->n_args = 1;
	return true;
}

/* Makes expressions of models that are given beside others: the first gives the sizes of the scene, and the others
 * have their own; but two that are compared for sameness have those of the first. */
static bool take_models(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	const char *first = NULL;
	size_t n;
	if (!are_models(c, &n, a))
		return true;
	for (size_t i = 0; i < c->n_args; i++) {
		struct scene made;
		const char *said;
		if (!is_model(c->args[i], a))
			continue;
		scene_init(&made);
		if (!app_configuration(&made, c->args[i], a, &said, err))
			return false;
		const struct beside b = {.expression = made.setup.scheme,
					 .model = first && !c->same ? c->args[i] : NULL};
		if (!first)
			give_sizes(c, &made, n == 1 || !c->same);
		first = first ? first : text_quote(a, c->args[i], strlen(c->args[i]));
		c->args[i] = beside_print(&b, a);
	}
	if (n > 1 && c->same)
		output_warn(
			"two models are compared in the sizes of %s, and learned parameters are "
			"drawn",
			first);
	return true;
}

/* Takes the arguments of the terminal program, which must be all files, all expressions or all
 * sentences. */
static bool resolve_words(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	const enum word first = word_of(c->args[0], a);
	for (size_t i = 0; i < c->n_args; i++) {
		const enum word word = word_of(c->args[i], a);
		if (word == WORD_NOTHING)
			return is_nothing(c->args[i], a, err);
		if (word != first)
			return err_set(
				err,
				"%s is %s, and %s is %s; several arguments are expressions, "
				"files or sentences",
				text_quote(a, c->args[0], strlen(c->args[0])), word_names[first],
				text_quote(a, c->args[i], strlen(c->args[i])), word_names[word]);
		if (word == WORD_EXPRESSION)
			warn_of_hidden(c->args[i]);
	}
	if (first == WORD_FILE)
		return true;
	if (first == WORD_EXPRESSION) {
		c->exprs = c->args;
		c->n_exprs = c->n_args;
	}
	for (size_t i = 0; first == WORD_TEXT && i < c->n_args; i++)
		cli_give(c, "sentence", c->args[i]);
	c->n_args = 0;
	return true;
}

bool cli_resolve(struct cli *c, struct err *err)
{
	if (c->sub->takes & TAKES_SCENE && !c->same && !take_text(c, err))
		return false;
	const bool many = c->n_args > 1 || (c->sub->takes & TAKES_SAME && !cli_given(c, "expect"));
	const bool terminal = !*c->sub->name;
	const bool expressions = terminal || strstr(c->sub->args, "EXPR") != NULL;
	if (c->n_args == 0 || !expressions)
		return true;
	const bool beside = terminal || c->same || strstr(c->sub->args, "...") != NULL;
	if (beside && (c->same || !(c->sub->takes & TAKES_SAME)) && !take_models(c, err))
		return false;
	if (c->same && cli_names_model(c->args[0])) /* its tensor is no expression */
		return true;
	if (many && !take_tensors(c, err))
		return false;
	if (terminal)
		return resolve_words(c, err);
	for (size_t i = 0; i < c->n_args; i++)
		if (is_expression(c->args[i], &c->arena))
			warn_of_hidden(c->args[i]);
	return true;
}
