/* help.c: prints usage from the tables. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "posviz/base/text.h"

enum { OPTION_COLS = 30 };

static void add_option(struct strbuf *out, char letter, const char *name, const char *args,
		       const char *help, const char *def)
{
	char left[200];
	if (letter)
		snprintf(left, sizeof left, "  -%c, --%s%s%s", letter, name, args ? " " : "",
			 args ? args : "");
	else
		snprintf(left, sizeof left, "      --%s%s%s", name, args ? " " : "",
			 args ? args : "");
	const char *const text =
		def && *def ? arena_printf(out->arena, "%s [%s]", help, def) : help;
	if (text_width(left) + 2 > OPTION_COLS)
		strbuf_printf(out, "%s\n%*s", left, OPTION_COLS, "");
	else
		strbuf_printf(out, "%-*s", OPTION_COLS, left);
	words_wrap(out, text, OPTION_COLS);
}

/* Adds a line of two columns: the text to type, and its meaning. */
static void add_line(struct strbuf *out, const char *left, const char *right)
{
	if (strlen(left) + 4 > OPTION_COLS)
		strbuf_printf(out, "  %s\n%*s", left, OPTION_COLS, "");
	else
		strbuf_printf(out, "  %-*s", OPTION_COLS - 2, left);
	words_wrap(out, right, OPTION_COLS);
}

/* The fields that each sub-command which takes them shows in full; of other fields it shows only
 * the names. */
static const char *const often[] = {"sentence", "scheme", "heads", "view", "head", "panel", "size"};

static bool is_often(const struct field *f)
{
	for (size_t i = 0; i < sizeof often / sizeof *often; i++)
		if (strcmp(often[i], f->name) == 0)
			return true;
	return false;
}

/* The options that many sub-commands share, in three groups. */
static const struct group {
	const char *title;
	const struct field *fields;
	bool settings, setup; /* setup: fields that change the result of the computation */
} groups[] = {
	{"What is computed", scene_fields, false, true},
	{"How it is looked at", scene_fields, false, false},
	{"How it behaves on a terminal", setting_fields, true, false},
};
enum { GROUPS = sizeof groups / sizeof *groups };

static bool group_has(const struct group *g, const struct field *f, unsigned takes)
{
	if (g->settings)
		return (setting_takes(f) & takes) != 0;
	return f->setup == g->setup && (field_takes(f) & takes) != 0;
}

static void add_own_options(unsigned takes, struct strbuf *out)
{
	for (const struct cli_option *o = cli_options; o->name; o++)
		if (o->takes == 0 || (o->takes & takes))
			add_option(out, o->letter, o->name, cli_option_args(o, out->arena), o->help,
				   NULL);
}

/* Adds the names of those fields of a group that are not in `often`. */
static void add_group_names(const struct group *g, unsigned takes, struct strbuf *out)
{
	struct strbuf names;
	strbuf_init(&names, out->arena);
	for (const struct field *f = g->fields; f->name; f++)
		if (group_has(g, f, takes) && !is_often(f))
			strbuf_printf(&names, " --%s", f->name);
	if (names.len == 0)
		return;
	add_line(out, g->title, names.at);
}

static void add_options(const struct subcommand *sub, struct strbuf *out)
{
	struct strbuf names;
	strbuf_init(&names, out->arena);
	strbuf_add(out, "\nOptions\n");
	for (size_t i = 0; i < GROUPS; i++)
		for (const struct field *f = groups[i].fields; f->name; f++)
			if (is_often(f) && group_has(&groups[i], f, sub->takes))
				add_option(out, f->letter, f->name, field_args(f, out->arena),
					   f->help, f->type.def_text);
	add_own_options(sub->takes, out);
	for (size_t i = 0; i < GROUPS; i++)
		add_group_names(&groups[i], sub->takes, &names);
	if (names.len > 0)
		strbuf_printf(
			out,
			"\nMore options: posviz help NAME is about one, posviz help options about all\n%s",
			names.at);
}

/* Prints all options of all sub-commands. */
static void print_options(struct strbuf *out)
{
	strbuf_add(out, "Options\n");
	add_own_options(~0u, out);
	for (size_t i = 0; i < GROUPS; i++) {
		strbuf_printf(out, "\n%s\n", groups[i].title);
		for (const struct field *f = groups[i].fields; f->name; f++)
			if (group_has(&groups[i], f, ~0u))
				add_option(out, f->letter, f->name, field_args(f, out->arena),
					   f->help, f->type.def_text);
	}
}

static void add_usage(const struct subcommand *sub, struct strbuf *out)
{
	strbuf_printf(out, "posviz%s%s%s%s [OPTION]...", *sub->name ? " " : "", sub->name,
		      *sub->args ? " " : "", sub->args);
}

static void print_one(const struct subcommand *sub, struct strbuf *out)
{
	strbuf_add(out, "Usage: ");
	add_usage(sub, out);
	strbuf_add(out, "\n\n");
	words_wrap(out, sub->about, 0);
	if (sub->formats) {
		strbuf_add(out, "\nFormats:");
		const char *const *names = subcommand_formats(sub, out->arena);
		for (; *names; names++)
			strbuf_printf(out, " %s", *names);
		strbuf_add_char(out, '\n');
	}
	strbuf_printf(out, "Example: posviz %s\n", sub->example);
	add_options(sub, out);
}

const struct help_start help_starts[] = {
	{"posviz", "the terminal program: ? has the keys, q leaves"},
	{"posviz render t5 -o t5.png", "a figure; svg, pdf and text as well"},
	{"posviz render rope alibi -s 'to be or not to be' -o both.png",
	 "two on one scale, on your sentence"},
	{"posviz show t5", "its formula, parameters and paper"},
	{"posviz help model", "what is computed; or any other word"},
	{0},
};

static void print_all(struct strbuf *out)
{
	words_wrap(
		out,
		"posviz shows how position schemes tell Transformers of order. It computes "
		"attention on your sentence in full and draws it, in the terminal while you type, "
		"or as a figure: what a scheme itself does with vectors drawn from a seed, what the "
		"heads of a model do on your text (posviz DIR), or what is learned in a training "
		"of a second (posviz learn).",
		0);
	strbuf_add_char(out, '\n');
	for (const struct help_start *h = help_starts; h->command; h++)
		add_line(out, h->command, h->what);
	strbuf_add(out, "\nSub-commands; posviz SUB-COMMAND --help is about one\n");
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (s->hidden)
			continue;
		char left[200];
		snprintf(left, sizeof left, "posviz%s%s%s%s", *s->name ? " " : "", s->name,
			 *s->args ? " " : "", s->args);
		add_line(out, left, s->help);
	}
	strbuf_add_char(out, '\n');
	words_wrap(out,
		   "EXPR names schemes with their parameters and joins them by +: rope, "
		   "t5(buckets=16), sinusoidal+shaw(clip=8)+causal. Where the shell wants brackets "
		   "quoted, t5:buckets=16,max_distance=64 says the same as "
		   "t5(buckets=16,max_distance=64). posviz list names all schemes.",
		   0);
	add_options(&subcommands[0], out);
}

void help_print(const struct subcommand *sub, struct strbuf *out)
{
	if (sub)
		print_one(sub, out);
	else
		print_all(out);
}

/* Prints the meanings of a word, each under a heading of its own. */
static void print_topics(const struct help_topic *topics, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(out, "%s%s\n", i > 0 ? "\n" : "", topics[i].title);
		for (size_t k = 0; k < topics[i].n; k++) {
			const char *const line = topics[i].lines[k];
			strbuf_add(out, "  ");
			if (strncmp(line, "Try: ", 5) == 0) /* for copying: on one line */
				strbuf_printf(out, "%s\n", line);
			else
				words_wrap(out, line, 2);
		}
	}
}

/* Prints an option that only the command line has, because it is no field. */
static void print_own(const char *name, struct strbuf *out)
{
	for (const struct cli_option *o = cli_options; o->name; o++) {
		if (strcmp(o->name, name) != 0)
			continue;
		const char *const args = cli_option_args(o, out->arena);
		strbuf_printf(out, "option --%s%s%s\n  ", o->name, args ? " " : "",
			      args ? args : "");
		words_wrap(out, o->help, 2);
	}
}

static bool no_help(const char *name, const struct err *why, struct arena *a, struct err *err)
{
	const char *names[64];
	size_t n = 0;
	for (const struct subcommand *s = subcommands; s->name && n < 64; s++)
		if (*s->name)
			names[n++] = s->name;
	const char *const near = text_nearest(name, names, n);
	if (near)
		return err_set(err, "help: there is nothing on %s; did you mean \"%s\"?",
			       text_quote(a, name, strlen(name)), near);
	*err = *why;
	return err_prefix(err, "help: ");
}

/* Returns all arguments joined to one name, such as "order seen". */
static const char *joined(const struct cli *c, struct arena *a)
{
	const char *out = c->n_args > 0 ? c->args[0] : "";
	for (size_t i = 1; i < c->n_args; i++)
		out = arena_printf(a, "%s %s", out, c->args[i]);
	return out;
}

/* Prints everything that has this name; returns false if there is nothing. */
static bool print_word(struct cli *c, const char *name, struct strbuf *out, struct err *err)
{
	const struct help_topic *topics;
	struct err why;
	size_t n;
	print_own(name, out);
	if (!topics_find(&c->app, name, &c->arena, &topics, &n, &why))
		return out->len > 0 || no_help(name, &why, &c->arena, err);
	strbuf_add(out, out->len > 0 ? "\n" : "");
	print_topics(topics, n, out);
	return true;
}

int cmd_help(struct cli *c, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	const char *const name = joined(c, &c->arena);
	const struct subcommand *const sub = *name ? subcommand_find(name) : NULL;
	if (!*name || sub)
		help_print(sub, &out);
	else if (strcmp(name, "options") == 0)
		print_options(&out);
	else if (!print_word(c, name, &out, err))
		return EXIT_BAD_USE;
	return words_write(c, out.at, out.len, err) ? EXIT_FINE : EXIT_BAD_USE;
}
