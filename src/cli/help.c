/* help.c: usage, printed from the tables. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "posviz/text.h"

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

/* Those fields of the scene that it takes, with a title where there are many. */
static void add_fields(const struct subcommand *sub, bool setup, const char *title,
		       struct strbuf *out)
{
	bool titled = false;
	for (const struct field *f = scene_fields; f->name; f++) {
		if (f->setup != setup || !(field_takes(f) & sub->takes))
			continue;
		if (!titled)
			strbuf_printf(out, "\n%s\n", title);
		titled = true;
		add_option(out, f->letter, f->name, f->args, f->help, f->def);
	}
}

static void add_options(const struct subcommand *sub, struct strbuf *out)
{
	strbuf_add(out, "\nOptions\n");
	for (const struct cli_option *o = cli_options; o->name; o++)
		if (o->takes == 0 || (o->takes & sub->takes))
			add_option(out, o->letter, o->name, o->args, o->help, NULL);
	if (sub->takes & (TAKES_TERMINAL | TAKES_SCREEN))
		strbuf_add(out, "\nHow it behaves on a terminal\n");
	for (const struct field *f = setting_fields; f->name; f++)
		if (setting_takes(f) & sub->takes)
			add_option(out, f->letter, f->name, f->args, f->help, f->def);
	add_fields(sub, true, "What is computed", out);
	add_fields(sub, false, "How it is looked at", out);
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
		for (size_t i = 0; sub->formats[i]; i++)
			strbuf_printf(out, " %s", sub->formats[i]);
		strbuf_add_char(out, '\n');
	}
	strbuf_printf(out, "Example: posviz %s\n", sub->example);
	add_options(sub, out);
}

static void print_all(struct strbuf *out)
{
	strbuf_add(out, "posviz shows and computes how Transformers are told of positions.\n\n");
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (s->hidden)
			continue;
		char left[100];
		snprintf(left, sizeof left, "posviz%s%s%s%s", *s->name ? " " : "", s->name,
			 *s->args ? " " : "", s->args);
		if (strlen(left) + 2 >= OPTION_COLS)
			strbuf_printf(out, "  %s\n%*s", left, OPTION_COLS, "");
		else
			strbuf_printf(out, "  %-*s", OPTION_COLS - 2, left);
		words_wrap(out, s->help, OPTION_COLS);
	}
	strbuf_add(
		out,
		"\nEXPR names schemes with their parameters: rope, t5(buckets=16), "
		"sinusoidal+shaw(clip=8)+causal. Where the shell wants brackets quoted,\n"
		"t5:buckets=16,max_distance=64 says the same as t5(buckets=16,max_distance=64).\n"
		"posviz SUB-COMMAND --help says more about one.\n");
	add_options(&subcommands[0], out);
}

void help_print(const struct subcommand *sub, struct strbuf *out)
{
	if (sub)
		print_one(sub, out);
	else
		print_all(out);
}

/* What a word means: a heading for each thing that is called so. */
static void print_topics(const struct help_topic *topics, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(out, "%s%s\n", i > 0 ? "\n" : "", topics[i].title);
		for (size_t k = 0; k < topics[i].n; k++) {
			strbuf_add(out, "  ");
			words_wrap(out, topics[i].lines[k], 2);
		}
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

/* Several words are one, such as "order seen". */
static const char *joined(const struct cli *c, struct arena *a)
{
	const char *out = c->n_args > 0 ? c->args[0] : "";
	for (size_t i = 1; i < c->n_args; i++)
		out = arena_printf(a, "%s %s", out, c->args[i]);
	return out;
}

int cmd_help(struct cli *c, struct err *err)
{
	struct strbuf out;
	struct arena *const a = &c->arena;
	const struct help_topic *topics;
	struct err why;
	size_t n;
	strbuf_init(&out, a);
	const char *const name = joined(c, a);
	const struct subcommand *const sub = *name ? subcommand_find(name) : NULL;
	if (!*name || sub)
		help_print(sub, &out);
	else if (topics_find(&c->app, name, a, &topics, &n, &why))
		print_topics(topics, n, &out);
	else if (!no_help(name, &why, a, err))
		return EXIT_BAD_USE;
	return words_write(c, out.at, out.len, err) ? EXIT_FINE : EXIT_BAD_USE;
}
