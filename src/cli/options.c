/* options.c: reads argv into a struct cli.
 *
 * The long options are made from scene_fields, setting_fields and cli_options. All are read first
 * and applied later, in order, because a file among the arguments is applied before them: posviz
 * snap.png --heads 8. Nothing is computed before every option has been checked. */
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/tui/tui.h"
#include "tour_file.h"

enum { MAX_OPTIONS = 192, OPTION_BASE = 256, LETTERS = 2 * MAX_OPTIONS + 3 };

/* ---- reading argv ---------------------------------------------------------------------------- */

/* A row of the table for getopt: a field of the scene, a setting, or an option of cli_options. */
struct row {
	const struct field *field, *setting;
	const struct cli_option *option;
	const char *name;
	const char *args; /* NULL: it takes no value */
	char letter;
};

/* Returns the value that an option without one has; NULL: it needs one. */
static const char *alone(const struct row *row)
{
	return row->field ? row->field->alone : NULL;
}

struct reader {
	struct row rows[MAX_OPTIONS];
	size_t n;
	struct setting {
		const struct row *row;
		const char *value, *typed; /* as in struct given_option */
	} * given;			   /* in the given order */
	size_t n_given;
};

void cli_give(struct cli *c, const char *name, const char *value)
{
	struct reader *const r = c->reader;
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->rows[i].name, name) == 0)
			r->given[r->n_given++] =
				(struct setting){.row = &r->rows[i], .value = value};
	c->given[c->n_given++] = (struct given_option){.name = name, .value = value};
}

void cli_give_again(struct cli *c, size_t which, const char *value)
{
	c->reader->given[which].value = c->given[which].value = value;
}

static void add_row(struct reader *r, struct row row)
{
	BUG_IF(r->n == MAX_OPTIONS);
	r->rows[r->n++] = row;
}

static void make_rows(struct reader *r, struct arena *a)
{
	r->n = 0;
	for (const struct field *f = scene_fields; f->name; f++)
		add_row(r, (struct row){.field = f,
					.name = f->name,
					.args = field_args(f, a),
					.letter = f->letter});
	for (const struct field *f = setting_fields; f->name; f++)
		add_row(r, (struct row){.setting = f, .name = f->name, .args = field_args(f, a)});
	for (const struct cli_option *o = cli_options; o->name; o++)
		add_row(r, (struct row){.option = o,
					.name = o->name,
					.args = cli_option_args(o, a),
					.letter = o->letter});
}

static const struct row *row_of(const struct reader *r, int code)
{
	if (code >= OPTION_BASE && (size_t)(code - OPTION_BASE) < r->n)
		return &r->rows[code - OPTION_BASE];
	for (size_t i = 0; i < r->n; i++)
		if (code != 0 && r->rows[i].letter == code)
			return &r->rows[i];
	return NULL;
}

static bool unknown_option(const struct reader *r, const char *text, struct err *err)
{
	char word[100], quoted[120];
	const size_t dashes = strspn(text, "-");
	const size_t len = strcspn(text + dashes, "=");
	snprintf(word, sizeof word, "%.*s", (int)(len < 90 ? len : 90), text + dashes);
	const char *names[MAX_OPTIONS];
	for (size_t i = 0; i < r->n; i++)
		names[i] = r->rows[i].name;
	const char *const near = text_suggest(word, names, r->n);
	return err_set(err, "no option %s%s%s%s",
		       text_quote_buf(quoted, sizeof quoted, text, dashes + len),
		       near ? "; did you mean --" : "; --help names them", near ? near : "",
		       near ? "?" : "");
}

/* Returns the option of an argument that is only an option: "--heads", "--heads=8", "-o"; NULL: it
 * is none. */
static const struct row *option_like(const struct reader *r, const char *text)
{
	if (text[0] == '-' && text[1] != '-' && text[1] && !text[2])
		return row_of(r, text[1]);
	const size_t len = strncmp(text, "--", 2) == 0 ? strcspn(text + 2, "=") : 0;
	for (size_t i = 0; i < r->n; i++)
		if (strlen(r->rows[i].name) == len && memcmp(r->rows[i].name, text + 2, len) == 0)
			return &r->rows[i];
	return NULL;
}

/* Returns whether the value is text that a user writes, which may look like an option. */
static bool is_free_text(const struct row *row)
{
	return strstr(row->args, "TEXT") || strstr(row->args, "WORD");
}

/* Returns whether the value is no option: an option in its position means that the value was
 * forgotten. */
static bool is_value(const struct reader *r, const struct row *row, const char *value,
		     struct err *err)
{
	char quoted[100];
	return !row->args || is_free_text(row) || !option_like(r, value) ||
	       err_set(err, "--%s needs a value: %s; %s is an option", row->name, row->args,
		       text_quote_buf(quoted, sizeof quoted, value, strlen(value)));
}

/* Sets the error for a mistake that getopt found: a missing or superfluous value, or an unknown
 * option. */
static bool bad_option(const struct reader *r, int code, char **argv, struct err *err)
{
	const struct row *const row = row_of(r, optopt);
	if (code == ':' && row)
		return err_set(err, "--%s needs a value: %s", row->name, row->args);
	if (row && optopt >= OPTION_BASE)
		return err_set(err, "--%s takes no value", row->name);
	if (optopt == 0)
		return unknown_option(r, argv[optind - 1], err);
	const char letter[] = {'-', (char)optopt, '\0'};
	return unknown_option(r, letter, err);
}

static void getopt_tables(const struct reader *r, struct option *options, char *letters)
{
	size_t at = 0;
	letters[at++] = '-'; /* "-": arguments come in order, whatever POSIXLY_CORRECT says */
	letters[at++] = ':';
	for (size_t i = 0; i < r->n; i++) {
		const struct row *const row = &r->rows[i];
		options[i] = (struct option){row->name,
					     alone(row)	 ? optional_argument
					     : row->args ? required_argument
							 : no_argument,
					     NULL, OPTION_BASE + (int)i};
		if (!row->letter)
			continue;
		letters[at++] = row->letter;
		if (row->args)
			letters[at++] = ':';
	}
	letters[at] = '\0';
	options[r->n] = (struct option){0};
}

/* Removes the dashes of an option if it is the only argument of help: then it is a word to
 * explain. */
static void take_dashes(const struct reader *r, int argc, char **argv)
{
	const bool one = argc == 3 && strcmp(argv[1], "help") == 0;
	const struct row *const row = one ? option_like(r, argv[2]) : NULL;
	if (row && strcmp(row->name, "help") != 0 && strcmp(row->name, "version") != 0)
		argv[2] = (char *)(uintptr_t)row->name;
}

static const struct row *row_named(const struct reader *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->rows[i].name, name) == 0)
			return &r->rows[i];
	BUG("no option %s", name);
}

bool cli_set_patches(struct cli *c, const char *value, struct err *err)
{
	struct reader *const r = c->reader;
	const char *const text = input_patches(value, &c->arena, err);
	if (!text)
		return false;
	r->given[r->n_given++] = (struct setting){.row = row_named(r, "tokens"), .value = "words"};
	r->given[r->n_given++] = (struct setting){
		.row = row_named(r, "sentence"), .value = text, .typed = "patches"};
	return true;
}

static void list_given(struct cli *c)
{
	const struct reader *const r = c->reader;
	for (c->n_given = 0; c->n_given < r->n_given; c->n_given++)
		c->given[c->n_given] = (struct given_option){r->given[c->n_given].row->name,
							     r->given[c->n_given].value,
							     r->given[c->n_given].typed};
}

static bool check_patches(struct cli *c, struct err *err)
{
	const struct reader *const r = c->reader;
	const struct setting *patches = NULL, *other = NULL;
	for (size_t i = 0; i < r->n_given; i++) {
		const struct setting *const s = &r->given[i];
		patches = s->row == row_named(r, "patches") ? s : patches;
		other = s->row == row_named(r, "tokens") && strcmp(s->value, "words") != 0 ? s
											   : other;
	}
	return !patches || !other ||
	       err_set(err,
		       "--patches makes a grid among words, and --tokens says %s; leave one of the "
		       "two out",
		       text_quote(&c->arena, other->value, strlen(other->value)));
}

/* Replaces options that are short for others by these. */
static bool read_short(struct cli *c, struct err *err)
{
	struct reader *const r = c->reader;
	const size_t n = r->n_given;
	size_t kept = 0;
	if (!check_patches(c, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct cli_option *const option = r->given[i].row->option;
		if (!option || !option->is_short)
			r->given[kept++] = r->given[i];
		else if (!option->set(c, r->given[i].value, err))
			return false;
	}
	memmove(r->given + kept, r->given + n, (r->n_given - n) * sizeof *r->given);
	r->n_given -= n - kept;
	list_given(c);
	return true;
}

/* Returns the value behind "--pack": the next argument if it is one of its words, which is then
 * taken, else the word that the option has alone. */
static const char *value_behind(const struct row *row, int argc, char **argv)
{
	const char *const next = optind < argc ? argv[optind] : "";
	for (const char *const *word = row->field->type.choices; *word; word++)
		if (strcmp(*word, next) == 0)
			return argv[optind++];
	return row->field->alone;
}

/* Reads argv: all arguments that are no options go into c->args, including the sub-command. */
static bool read_argv(struct cli *c, struct reader *r, int argc, char **argv, struct err *err)
{
	struct option options[MAX_OPTIONS + 1];
	char letters[LETTERS];
	getopt_tables(r, options, letters);
	opterr = 0;
	optind = 0; /* GNU: 0 starts a new scan */
	for (int code; (code = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
		if (code == 1) {
			c->args[c->n_args++] = optarg;
			continue;
		}
		const struct row *const row = code == ':' || code == '?' ? NULL : row_of(r, code);
		if (!row)
			return bad_option(r, code, argv, err);
		if (optarg == argv[optind - 1] && !is_value(r, row, optarg, err))
			return false;
		const char *const value =
			alone(row) && !optarg ? value_behind(row, argc, argv) : optarg;
		r->given[r->n_given++] = (struct setting){.row = row, .value = value};
	}
	while (optind < argc)
		c->args[c->n_args++] = argv[optind++];
	return true;
}

/* ---- the sub-command ------------------------------------------------------------------------- */

static void choose_subcommand(struct cli *c)
{
	c->sub = c->n_args > 0 && *c->args[0] ? subcommand_find(c->args[0]) : NULL;
	if (c->sub) {
		c->args++;
		c->n_args--;
	} else {
		c->sub = &subcommands[0];
	}
}

/* Adds the matrices of --matrix-from to the arguments, as expressions after the others. Runs before
 * the arguments are counted. */
static bool add_matrices(struct cli *c, const struct reader *r, struct err *err)
{
	for (size_t i = 0; i < r->n_given && c->sub->takes & TAKES_SCENE; i++) {
		const struct cli_option *const o = r->given[i].row->option;
		if (o && o->set == cli_set_matrix_from && !o->set(c, r->given[i].value, err))
			return false;
	}
	for (size_t i = 0; i < c->n_matrices && !cli_is_terminal(c); i++)
		c->args[c->n_args++] = c->matrices[i];
	return true;
}

/* Joins each expression with the input behind it, for sub-commands that take both. */
static bool join_inputs(struct cli *c, struct err *err)
{
	return cli_is_terminal(c) || !(c->sub->takes & TAKES_LOOK) || cli_join_inputs(c, err);
}

static bool count_args(const struct cli *c, struct err *err)
{
	char quoted[120];
	const struct subcommand *const sub = c->sub;
	const char *const word = subcommand_word(sub);
	if (c->n_args <= sub->max_args)
		return true;
	const char *const extra = c->args[sub->max_args];
	if (c->n_args - c->n_matrices <= sub->max_args && strcmp(sub->args, "EXPR") == 0)
		return err_set(err,
			       "%s: --matrix-from makes an expression of its own, %s, and one is "
			       "written out; leave one of them out, or join them as EXPR+%s",
			       word, text_quote_buf(quoted, sizeof quoted, extra, strlen(extra)),
			       extra);
	if (strcmp(sub->args, "EXPR") == 0)
		return err_set(err,
			       "%s: %s is one expression too many; posviz render compares several",
			       word, text_quote_buf(quoted, sizeof quoted, extra, strlen(extra)));
	return err_set(err, "%s: %s is one argument too many; posviz %s%s--help says what it takes",
		       word, text_quote_buf(quoted, sizeof quoted, extra, strlen(extra)), sub->name,
		       *sub->name ? " " : "");
}

/* ---- applying -------------------------------------------------------------------------------- */

static bool run_commands(struct cli *c, struct err *err)
{
	for (size_t i = 0; i < c->n_commands; i++) {
		const char *const line = c->commands[i];
		const struct scene before = c->app.scene;
		const struct settings settings = c->app.settings;
		unsigned reactions = 0;
		if (!app_command(&c->app, line, &reactions, err))
			return false;
		if (cli_is_terminal(c))
			continue;
		/* The command "open lesson.tour#3" opens a scene, as for any other file. */
		if (c->app.request == REQUEST_TOUR && c->app.request_text &&
		    cli_is_beat(c->app.request_text)) {
			c->app.request = REQUEST_NONE;
			if (!cli_beat(c, c->app.request_text, &c->app.scene, err))
				return false;
		}
		/* Commands for panes need a screen; panes that change because of a view do not. */
		const bool screen = reactions & REACT_LAYOUT && scene_equal(&before, &c->app.scene);
		if (c->app.request || screen || reactions & REACT_QUIT)
			return err_set(err, "command %s needs the terminal program",
				       text_quote(&c->arena, line, strlen(line)));
		if (!options_command_fits(c, line, &before, &settings, err))
			return false;
	}
	return true;
}

/* Returns whether the relation is asked for: a dump writes it as a matrix, and it has a view of its
 * own. */
static bool is_relation(const struct field *field, const char *value)
{
	return strcmp(field->name, "matrix") == 0 && strcmp(value, "relation") == 0;
}

/* Returns true for --head all of a dump, whose array may hold every head; a picture of all heads is
 * a view. */
static bool is_every_head(const struct cli *c, const struct field *field, const char *value)
{
	return strcmp(c->sub->name, "dump") == 0 && strcmp(field->name, "head") == 0 &&
	       strcmp(value, "all") == 0;
}

/* Returns whether the sub-command takes every given option; checked before any value is used. */
static bool all_taken(const struct cli *c, const struct reader *r, struct err *err)
{
	for (size_t i = 0; i < r->n_given; i++) {
		const struct row *const row = r->given[i].row;
		const unsigned takes = row->field     ? field_takes(row->field)
				       : row->setting ? setting_takes(row->setting)
						      : row->option->takes;
		if (takes && !(c->sub->takes & takes))
			return options_refuse(c, row->name, takes, err);
	}
	return true;
}

static bool apply_option(struct cli *c, const struct setting *given, struct err *err)
{
	const struct row *const row = given->row;
	if (row->option)
		return row->option->set == cli_set_matrix_from || row->option->set == cli_set_for ||
		       row->option->set == cli_set_model ||
		       cli_option_set(c, row->option, given->value, err);
	if (row->setting)
		return setting_set(&c->app.settings, row->setting, given->value, err);
	c->scheme_given |= strcmp(row->name, "scheme") == 0;
	c->sizes_given |= strcmp(row->name, "heads") == 0 || strcmp(row->name, "d-model") == 0;
	c->layers_given |= strcmp(row->name, "layers") == 0;
	c->view_given |= strcmp(row->name, "view") == 0;
	if (is_relation(row->field, given->value))
		return c->relation = true;
	if (is_every_head(c, row->field, given->value))
		return c->every_head = true;
	/* A sentence or structure given before, or from the last session, would hide this one. */
	if (*given->value)
		scene_displace(&c->scene, row->field);
	const char *value;
	return option_value(c, row->name, given->value, &value, err) &&
	       scene_add(&c->scene, row->field, value, err);
}

/* Sets the expressions of the terminal program: its arguments, or the scheme, and the matrices
 * after them. */
static bool show_expressions(struct cli *c, struct err *err)
{
	const char *all[COMPARE_MAX] = {c->scene.setup.scheme};
	size_t n = c->n_exprs > 0 ? 0 : c->scheme_given;
	if (c->n_exprs + c->n_matrices == 0)
		return true;
	if (c->n_exprs > 0 && (c->scheme_given || cli_given(c, "compare")))
		return err_set(err, "give the expressions, by --scheme and --compare or without "
				    "them");
	if (n + c->n_exprs + c->n_matrices > COMPARE_MAX)
		return err_set(err, "%s: at most %d expressions are compared",
			       c->n_exprs > 0 ? "posviz" : "matrix-from", COMPARE_MAX);
	for (size_t i = 0; i < c->n_exprs; i++)
		all[n++] = c->exprs[i];
	for (size_t i = 0; i < c->n_matrices; i++)
		all[n++] = c->matrices[i];
	c->scheme_given = true;
	if (!app_set_compared(&c->scene, all, n, err))
		return false;
	cli_adopt_sizes(c);
	return n == 1 || (c->view_given && view_of(&c->scene)->beside) ||
	       scene_set(&c->scene, field_find("view"), "compare", err);
}

bool cli_is_terminal(const struct cli *c)
{
	const bool written = cli_given(c, "output") || cli_given(c, "format") || c->check;
	const char *const name = c->sub->name;
	if (strcmp(name, "quiz") == 0)
		return !written && !c->plain && tui_possible(NULL);
	if (strcmp(name, "tour") == 0)
		return (c->n_args > 0 || c->notes) && !c->list && !written;
	return !*name || strcmp(name, "record") == 0;
}

/* Applies changes to a structure again: an option of a structure that follows them has removed
 * them. */
static bool apply_changes(struct cli *c, struct err *err)
{
	static const char *const names[] = {"governors", "moved-edges"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *const value = cli_given(c, names[i]);
		if (value && !scene_set(&c->scene, field_find(names[i]), value, err))
			return false;
	}
	return true;
}

/* The expression of a model is that of the stack that is looked at, which is known before the model is
 * opened. */
static bool apply_stack(struct cli *c, const struct reader *r, struct err *err)
{
	for (size_t i = 0; i < r->n_given; i++)
		if (strcmp(r->given[i].row->name, "stack") == 0 &&
		    !scene_set(&c->app.scene, r->given[i].row->field, r->given[i].value, err))
			return false;
	return true;
}

/* Applies the initial scene, then the options, then the commands. */
static bool apply(struct cli *c, const struct reader *r, struct err *err)
{
	const bool terminal = cli_is_terminal(c), files = !*c->sub->name;
	state_results(c);
	if (!(terminal ? state_start(c, err) : state_definitions(c, err)))
		return false;
	if (!apply_stack(c, r, err))
		return false;
	if (files && c->n_args > 0 && !cli_open_files(c, err))
		return false;
	if (!terminal && !cli_open_scene(c, err))
		return false;
	c->scene = c->app.scene;
	/* A file may override the fields that the configuration asked for. */
	setup_forget_asked(&c->scene.setup);
	if (!options_agree(c, err))
		return false;
	for (size_t i = 0; i < r->n_given; i++) {
		const struct cli_option *const o = r->given[i].row->option;
		if (o && (o->set == cli_set_for || o->set == cli_set_model) &&
		    !o->set(c, r->given[i].value, err))
			return false;
	}
	for (size_t i = 0; i < r->n_given; i++)
		if (!apply_option(c, &r->given[i], err))
			return false;
	if (!apply_changes(c, err))
		return false;
	if (c->relation && strcmp(c->sub->name, "dump") != 0)
		return err_set(err, "matrix: dump writes the relation, and the view Relation "
				    "shows it: --view relation");
	if (terminal && (!show_expressions(c, err) || !cli_sentences(c, err)))
		return false;
	options_sweep(c);
	/* Copies that are not interned: thus a command that sets the same value again is noticed as
	 * well. */
	const char *const scheme = arena_strdup(&c->arena, c->scene.setup.scheme);
	const char *const view = arena_strdup(&c->arena, c->scene.view);
	c->app.scene = c->scene;
	c->app.scene.setup.scheme = scheme;
	c->app.scene.view = view;
	if (!run_commands(c, err))
		return false;
	options_sweep_kept(c, &c->app.scene);
	c->scene = c->app.scene;
	c->scheme_given |= c->scene.setup.scheme != scheme;
	c->view_given |= c->scene.view != view;
	c->scene.setup.scheme = scene_intern(c->scene.setup.scheme);
	c->scene.view = scene_intern(c->scene.view);
	return cli_check_names(c, err) && cli_take_streams(c, err);
}

bool cli_parse(struct cli *c, int argc, char **argv, struct err *err)
{
	struct reader *const r = arena_calloc(&c->arena, 1, sizeof *r);
	const size_t room = (size_t)argc + 1;
	c->reader = r;
	/* A single argument may hold several options of one letter each. */
	size_t letters = 0;
	for (int i = 0; i < argc; i++)
		letters += strlen(argv[i]) + 1;
	r->given = arena_calloc(&c->arena, letters + room + 1, sizeof *r->given);
	c->args = arena_calloc(&c->arena, room, sizeof *c->args);
	c->commands = arena_calloc(&c->arena, room, sizeof *c->commands);
	c->matrices = arena_calloc(&c->arena, room, sizeof *c->matrices);
	c->expects = arena_calloc(&c->arena, room, sizeof *c->expects);
	c->tasks = arena_calloc(&c->arena, room, sizeof *c->tasks);
	make_rows(r, &c->arena);
	take_dashes(r, argc, argv);
	if (!read_argv(c, r, argc, argv, err))
		return false;
	c->given = arena_calloc(&c->arena, r->n_given + 2 * room + 1, sizeof *c->given);
	list_given(c);
	for (size_t i = 0; i < r->n_given; i++) {
		const struct cli_option *const o = r->given[i].row->option;
		if (o && o->type.kind == &value_switch)
			*(bool *)((char *)c + o->offset) = true;
		if (o && strcmp(o->name, "config") == 0)
			c->config = r->given[i].value;
	}
	if (c->version)
		return true;
	choose_subcommand(c);
	if (c->help || !all_taken(c, r, err))
		return c->help;
	if (c->print_config_dir)
		return true;
	return read_short(c, err) && join_inputs(c, err) && cli_resolve(c, err) &&
	       add_matrices(c, r, err) && count_args(c, err) && cli_take_text(c, err) &&
	       apply(c, r, err);
}
