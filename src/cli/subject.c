/* subject.c: the subject of a sub-command: its expressions, and the model built from them. */
#include <string.h>

#include "cli.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/beside.h"
#include "tour_file.h"

void cli_adopt_sizes(struct cli *c)
{
	const struct setup given = c->scene.setup;
	scene_adopt_sizes(&c->scene);
	if (c->sizes_given) {
		c->scene.setup.heads = given.heads;
		c->scene.setup.d_model = given.d_model;
	}
	if (c->layers_given)
		c->scene.setup.layers = given.layers;
}

static bool is_expression(const char *text, struct arena *a)
{
	return expr_of(text, a, NULL) != NULL;
}

/* Refuses a file that holds tokens or a structure, because it does not name a scheme to show. */
static bool is_scene(const struct kind_seen *seen, struct arena *a, const char *path,
		     struct err *err)
{
	const struct kind *const k = seen->kind;
	if (!kind_is_taken(k, "open") || kind_is_taken(k, "render") ||
	    kind_is_taken(k, "matrix-from") || kind_is_taken(k, "config"))
		return true;
	const char *const option = arena_strndup(a, k->takers, strcspn(k->takers, " "));
	return err_set(err, "%s is %s and no scene; give an expression, and the file by --%s",
		       text_quote(a, path, strlen(path)), kind_text(seen, a), option);
}

bool cli_open_scene(struct cli *c, struct err *err)
{
	const unsigned takes = c->sub->takes;
	const char *const path = c->n_args > 0 ? c->args[0] : NULL;
	const bool many = takes & TAKES_SAME && !cli_given(c, "expect");
	if (!path || !(takes & TAKES_SCENE) || many || is_expression(path, &c->arena))
		return true;
	const bool beat = cli_is_beat(path);
	const bool there = file_exists(path) || cli_is_tensors(path, &c->arena);
	struct kind_seen seen;
	if (!beat && !there)
		return true;
	if (!beat && file_exists(path) &&
	    (!kind_of_file(path, app_is_command, &seen, err) ||
	     !is_scene(&seen, &c->arena, path, err)))
		return err_prefix(err, "%s: ", c->sub->name);
	const char *const quoted = text_quote(&c->arena, path, strlen(path));
	if (c->n_args > 1)
		return err_set(err,
			       "%s: %s is a file, and a scene of a file stands alone; to compare, "
			       "name expressions",
			       c->sub->name, quoted);
	if (beat ? !cli_beat(c, path, &c->app.scene, err) : !app_open(&c->app, path, err))
		return false;
	c->n_args = 0;
	c->scheme_given = true;
	return true;
}

static bool take_expression(struct cli *c, struct err *err)
{
	if (c->n_args == 0)
		return c->scheme_given || err_set(err, "%s: give an expression, such as posviz %s",
						  c->sub->name, c->sub->example);
	if (c->scheme_given)
		return err_set(err, "%s: give one expression, by --scheme or without it",
			       c->sub->name);
	if (!scene_set(&c->scene, field_find("scheme"), c->args[0], err))
		return false;
	cli_adopt_sizes(c);
	return true;
}

/* Refuses a file among the expressions: a file is given by an option. */
static bool no_files(struct cli *c, struct err *err)
{
	for (size_t i = 0; i < c->n_args; i++) {
		struct kind_seen seen;
		if (is_expression(c->args[i], &c->arena) || !file_exists(c->args[i]))
			continue;
		if (kind_of_file(c->args[i], app_is_command, &seen, err))
			kind_refuse(&seen, "", c->args[i], err);
		return err_prefix(err, "expression %zu: ", i + 1);
	}
	return true;
}

/* Checks that the first expression has no input of its own if an option gives the scene one. */
static bool one_input(const struct cli *c, struct err *err)
{
	struct beside first;
	struct arena a;
	bool ok = true;
	arena_init(&a);
	const bool read = beside_parse(c->args[0], &a, &first, NULL);
	for (size_t i = 0; ok && read && i < BESIDE_INPUTS; i++)
		if (cli_given(c, beside_inputs[i]) &&
		    (first.input[i] || (i < BESIDE_ORDER && beside_has_words(&first))))
			ok = err_set(
				err,
				"expression 1 has an input of its own, and --%s gives another; "
				"leave one of them out",
				beside_inputs[i]);
	arena_release(&a);
	return ok;
}

/* Returns true for an argument that separates inputs: "@", or "@order". */
static bool parts_inputs(const char *arg)
{
	return arg[0] == '@' && (arg[1] == '\0' || strcmp(arg, "@order") == 0);
}

bool cli_join_inputs(struct cli *c, struct err *err)
{
	size_t n = 0;
	bool open = false; /* the last argument is an expression without an input */
	for (size_t i = 0; i < c->n_args; i++) {
		const char *const arg = c->args[i];
		if (!parts_inputs(arg)) {
			c->args[n++] = arg;
			open = arg[0] != '@' && !strstr(arg, " @");
			continue;
		}
		if (i + 1 == c->n_args)
			return err_set(err,
				       "%s: nothing stands behind %s; EXPR @ 'SENTENCE' or @order "
				       "'2 1 3' would be right",
				       c->sub->name, arg);
		const char *const input = arena_printf(&c->arena, "%s %s", arg, c->args[++i]);
		const bool order = arg[1] != '\0';
		if (n > 0 && (open || (order && c->args[n - 1][0] == '@')))
			c->args[n - 1] = arena_printf(&c->arena, "%s %s", c->args[n - 1], input);
		else
			c->args[n++] = input;
		open = false;
	}
	c->n_args = n;
	return true;
}

bool cli_sentences(struct cli *c, struct err *err)
{
	const struct setup *const s = &c->scene.setup;
	const char *texts[COMPARE_MAX];
	struct beside others[COMPARE_MAX] = {0};
	size_t n = 0;
	for (size_t i = 0; i < c->n_given; i++) {
		if (strcmp(c->given[i].name, "sentence") != 0)
			continue;
		if (n == COMPARE_MAX)
			return err_set(err, "sentence: at most %d are compared", COMPARE_MAX);
		texts[n++] = c->given[i].value;
	}
	if (n < 2)
		return true;
	/* A comparison left from the last session is dropped. */
	if (cli_given(c, "compare") || c->n_matrices > 0 || (!cli_is_terminal(c) && c->n_args > 1))
		return err_set(err, "several sentences are compared with one expression; of more, "
				    "'EXPR @ SENTENCE' names the sentence of each");
	if (*s->file || *s->conllu || *s->governors || *s->tree || *s->graph)
		return err_set(err, "several sentences, or one file, tree or graph");
	if (c->view_given && !view_of(&c->scene)->compare)
		return err_set(err, "the view %s shows one sentence; leave --view out, or give one",
			       c->scene.view);
	for (size_t i = 1; i < n; i++) {
		others[i].input[BESIDE_SENTENCE] = texts[i];
		if (strcmp(s->order, "identity") != 0)
			others[i].input[BESIDE_ORDER] = s->order;
	}
	return scene_set(&c->scene, field_find("sentence"), texts[0], err) &&
	       scene_set(&c->scene, field_find("compare"),
			 beside_list(others + 1, n - 1, &c->arena), err) &&
	       scene_set(&c->scene, field_find("view"), "compare", err);
}

/* The view Lengths lays several over one another. */
static bool lay_over(struct cli *c, struct err *err)
{
	const char *others = "";
	if (cli_given(c, "lengths"))
		return err_set(err, "%s: give the expressions, by --lengths or without it",
			       c->sub->name);
	if (c->n_args > LENGTHS_MOST)
		return err_set(err, "%s: %zu expressions; the view lengths shows at most %d",
			       c->sub->name, c->n_args, LENGTHS_MOST);
	for (size_t i = 1; i < c->n_args; i++)
		others = arena_printf(&c->arena, "%s%s%s", others, i > 1 ? "," : "", c->args[i]);
	return scene_set(&c->scene, field_find("scheme"), c->args[0], err) &&
	       scene_set(&c->scene, field_find("lengths"), others, err);
}

bool cli_expressions(struct cli *c, struct err *err)
{
	if (c->n_args < 2)
		return take_expression(c, err) && cli_sentences(c, err);
	if (c->scheme_given || strcmp(c->scene.setup.compare, "none") != 0)
		return err_set(
			err, "%s: give the expressions, by --scheme and --compare or without them",
			c->sub->name);
	if (c->view_given && view_of(&c->scene)->lengths)
		return lay_over(c, err) && cli_sentences(c, err);
	if (c->n_args > COMPARE_MAX)
		return err_set(err, "%s: %zu expressions; at most %d are compared", c->sub->name,
			       c->n_args, COMPARE_MAX);
	const struct view *const view = view_of(&c->scene);
	const bool beside = c->view_given && (view->beside || view->adds_others);
	if (c->view_given && !view->compare && !beside)
		return err_set(
			err,
			"%s: the view %s shows one expression; leave --view out, or give one; "
			"compare, cost, values, lengths, map and profile show several",
			c->sub->name, c->scene.view);
	if (!no_files(c, err) || !one_input(c, err) ||
	    !app_set_compared(&c->scene, c->args, c->n_args, err))
		return false;
	cli_adopt_sizes(c);
	return cli_sentences(c, err) &&
	       scene_set(&c->scene, field_find("view"), beside ? view->name : "compare", err);
}

bool cli_alone(struct cli *c, struct err *err)
{
	return take_expression(c, err) &&
	       (strcmp(c->scene.setup.compare, "none") == 0 ||
		err_set(err,
			"%s: it is of one expression; leave --compare out, or take render, or dump "
			"with --numbers compare",
			c->sub->name));
}

/* Warns of members for which a file of parameters has nothing, while it has parameters of others:
 * their numbers are drawn, which is right but easily overlooked. */
static void warn_of_drawn(const struct built *b)
{
	for (size_t i = 0; b->given.params && i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		bool learns = false, given = false;
		for (size_t l = 0; l < b->model.n_leaves; l++) {
			const struct leaf *const leaf = &b->model.leaves[l];
			learns |= leaf->member->index == m->index;
			given |= leaf->member->index == m->index && leaf->given;
		}
		if (learns && !given)
			output_warn("params: the file has nothing for %s, whose numbers are drawn",
				    m->name);
	}
}

/* Warns of a scheme that reads a structure if none is given: it is computed on a chain, and the
 * result is easily taken for that of a tree. */
static void warn_of_chain(const struct expr *e)
{
	for (size_t k = 0; k < e->n; k++) {
		const struct scheme *const s = e->members[k].scheme;
		if (s->flags & SCHEME_NEEDS_TREE)
			output_warn("%s reads a tree, and none is given: the words are taken for a "
				    "chain; --tree, --conllu or --governors gives one",
				    s->id);
		else if (s->flags & SCHEME_NEEDS_GRAPH)
			output_warn("%s reads a graph, and none is given: the words are taken for "
				    "a chain; --graph gives one",
				    s->id);
	}
}

void cli_warn_of_chain_in(const char *expression, struct arena *a)
{
	const struct expr *const e = expr_of(expression, a, NULL);
	if (e)
		warn_of_chain(e);
}

void cli_warn_of_chain(struct cli *c, const struct built *b)
{
	const char *all[COMPARE_MAX];
	const size_t n = b->structure ? 0 : scene_compared(&c->scene.setup, &c->arena, all);
	if (n > 0)
		warn_of_chain(&b->expr);
	for (size_t i = 1; i < n; i++)
		cli_warn_of_chain_in(all[i], &c->arena);
}

/* Warns of a text that was read as edges, and of a document or program that was read as plain
 * text. */
static void warn_of_guesses(struct cli *c, const struct built *b)
{
	const struct setup *const s = &c->scene.setup;
	struct kind_seen seen;
	const char *const graph = text_quote(&c->arena, s->graph, strlen(s->graph));
	const char *const file = text_quote(&c->arena, s->file, strlen(s->file));
	if (*s->graph && b->structure && kind_of_file(s->graph, NULL, &seen, NULL) &&
	    seen.kind->id == KIND_TEXT)
		output_warn("graph: %s is %s, read as a list of edges: %zu edge%s", graph,
			    kind_text(&seen, &c->arena), b->structure->n_edges,
			    b->structure->n_edges == 1 ? "" : "s");
	if (*s->file && kind_of_file(s->file, NULL, &seen, NULL) &&
	    (seen.kind->id == KIND_DOCUMENT || seen.kind->id == KIND_PROGRAM))
		output_warn("file: %s is %s, read as a plain text", file,
			    kind_text(&seen, &c->arena));
}

bool cli_build(struct cli *c, struct built *b, struct err *err)
{
	if (!setup_build(&c->scene.setup, &c->arena, b, err))
		return false;
	warn_of_drawn(b);
	warn_of_guesses(c, b);
	if (b->note)
		output_warn("%s", b->note);
	return view_fits(&c->scene, b, err);
}
