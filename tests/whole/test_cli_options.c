/* test_cli_options.c: nothing that is given is ignored without a word. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "cli/cli.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

/* ---- options by sub-command -------------------------------------------------------------------- */

/* Reads SUB --NAME with an empty value; the error, "" for none. */
static struct err parse(const char *sub, const char *name, const char *args)
{
	char option[64], program[] = "posviz", word[32], value[] = "";
	struct cli c = {0};
	struct err err = {""};
	snprintf(option, sizeof option, "--%s", name);
	snprintf(word, sizeof word, "%s", sub);
	char *argv[5] = {program};
	int argc = 1;
	if (*sub)
		argv[argc++] = word;
	argv[argc++] = option;
	if (args)
		argv[argc++] = value;
	arena_init(&c.arena);
	app_init(&c.app);
	if (cli_parse(&c, argc, argv, &err))
		err.text[0] = '\0';
	app_release(&c.app);
	arena_release(&c.arena);
	return err;
}

/* A refusal names the option and every sub-command that takes it, an option that --help lists is
 * never refused so. */
static void check_option(const char *name, const char *args, unsigned takes)
{
	char refused[100];
	for (const struct subcommand *s = subcommands; s->name; s++) {
		const struct err err = parse(s->name, name, args);
		snprintf(refused, sizeof refused, "%s takes no option --%s: ", subcommand_word(s),
			 name);
		/* Help takes it for the word that it is asked about. */
		if (!args && strcmp(s->name, "help") == 0)
			continue;
		const bool is_refused = strncmp(err.text, refused, strlen(refused)) == 0;
		if (is_refused != (takes != 0 && !(s->takes & takes)))
			fail_msg("%s --%s: \"%s\"", subcommand_word(s), name, err.text);
		for (const struct subcommand *o = subcommands + 1; is_refused && o->name; o++)
			if ((o->takes & takes) && !strstr(err.text, o->name))
				fail_msg("%s: no word of %s", err.text, o->name);
	}
}

TEST(every_sub_command_refuses_what_it_does_not_use)
{
	for (const struct field *f = scene_fields; f->name; f++)
		check_option(f->name, f->args ? f->args : "on", field_takes(f));
	for (const struct field *f = setting_fields; f->name; f++)
		check_option(f->name, f->args ? f->args : "on", setting_takes(f));
	for (const struct cli_option *o = cli_options; o->name; o++)
		check_option(o->name, o->args || !o->type.choices ? o->args : "on", o->takes);
}

/* ---- one by one -------------------------------------------------------------------------------- */

struct row {
	const char *args[12], *says;
};

static void run_rows(const struct row *rows, size_t n, int code)
{
	for (size_t i = 0; i < n; i++) {
		struct cli_case c = {.environment = {NULL}};
		struct cli_result r;
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_run(&r, &c);
		if (r.code != code || !strstr(r.err, rows[i].says) ||
		    (*rows[i].says && strchr(r.err, '\n') != r.err + r.err_len - 1))
			fail_msg("%s %s %s: exit %d: %s", c.args[0], c.args[1], c.args[2], r.code,
				 r.err);
		cli_done(&r);
	}
	assert_int_equal(cli_files(), 0);
}

TEST(what_would_be_ignored_is_refused)
{
	static const struct row rows[] = {
		{{"list", "--head", "3"},
		 "list takes no option --head: posviz, posviz render, posviz sheet, posviz record and posviz "
		 "dump do"},
		{{"show", "rope", "-o", "f"},
		 "show takes no option --output: posviz render, posviz sheet, posviz figure, posviz "
		 "tour, posviz quiz, posviz dump, posviz heads and "
		 "posviz learn do"},
		{{"show", "rope", "--size", "800x600"}, "show takes no option --size"},
		{{"check", "rope", "--view", "order"}, "check takes no option --view"},
		{{"dump", "rope", "--colormap", "vik", "-o", "x.json"},
		 "dump takes no option --colormap"},
		{{"doctor", "extra"}, "\"extra\" is one argument too many"},
		{{"man", "extra"}, "\"extra\" is one argument too many"},
		{{"list", "schemes", "keys"}, "\"keys\" is one argument too many"},
		{{"list", "keys", "--d-model", "768"},
		 "list keys takes no option --d-model: list table does"},
		{{"render", "rope", "--format", "txt", "--", "--heads", "2"}, "--heads"},
		{{"render", "rope", "--heads", "2", "--format", "txt", "--heads", "4"},
		 "--heads is given twice, as \"2\" and as \"4\"; leave one of them out"},
		{{"dump", "rope", "-s", "a b", "--sentence", "c d"}, "--sentence is given twice"},
		{{"render", "rope", "-o", "x.png", "-o", "y.png"}, "--output is given twice"},
		{{"render", "rope", "--format", "txt", "--ascii", "--glyphs", "braille"},
		 "--ascii and --glyphs say the same thing"},
		{{"render", "rope", "-o", "x.png", "--cells", "80x24"},
		 "--cells means nothing for png; it is for txt ansi"},
		{{"render", "rope", "-o", "x.txt", "--color", "256"},
		 "--color means nothing for txt; it is for ansi"},
		{{"render", "rope", "--plain", "--cells", "80x24"},
		 "--cells means nothing for --plain"},
		{{"dump", "rope", "--matrix", "bias", "-o", "x.json"},
		 "--matrix means nothing for json; it is for npy csv"},
		{{"dump", "rope", "-c", "compare alibi", "--format", "json"},
		 "dump: it is of one expression"},
		{{"dump", "rope", "-c", "view order", "--format", "json"},
		 "command \"view order\": dump takes no notice of view"},
		{{"render", "rope", "-c", "mouse off", "--format", "txt"},
		 "command \"mouse off\": render takes no notice of mouse"},
		{{"render", "rope", "-c", "quit", "--format", "txt"},
		 "command \"quit\" needs the terminal program"},
		{{"render", "rope", "-c", "zoom", "--format", "txt"},
		 "command \"zoom\" needs the terminal program"},
		{{"check", "rope", "--scheme", "t5"}, "by --scheme or without it"},
		{{"check", "--same", "rope", "t5", "--scheme", "t5"}, "by --scheme or without it"},
		{{"check", "rope", "--compare", "t5"}, "check --same"},
		{{"dump", "shaw", "--map", "w_key=a", "--map", "w_value=b", "--format", "json"},
		 "--map is given twice, as \"w_key=a\" and as \"w_value=b\"; join them with a "
		 "blank"},
		{{"render", "rope", "--position-ids", "", "--format", "txt"},
		 "position-ids: there is no number; '0 1 2 0 1', start:5 or none would be right"},
		{{"render", "rope", "--segments", "", "--format", "txt"},
		 "segments: there is no number; '1 0 0 1' or none would be right"},
	};
	run_rows(rows, sizeof rows / sizeof *rows, 2);
}

/* A field of the scene that does nothing now stands in the command under a figure all the same. */
TEST(what_does_nothing_here_is_told)
{
	static const struct row rows[] = {
		{{"render", "rope", "--format", "txt", "--sort", "made"},
		 "warning: --sort is of the view table, and the view is explore"},
		{{"render", "rope", "--format", "txt", "--file", "-", "-s", "a b"},
		 "warning: --sentence takes the place of --file before it"},
		{{"render", "rope", "--format", "txt", "--pick", "2"},
		 "warning: --pick means nothing without --conllu, --tree or --graph"},
		{{"render", "rope", "--format", "txt", "--lock-lo", "0"},
		 "warning: --lock-lo means nothing without --lock on"},
		{{"render", "rope", "--format", "txt", "--dpi", "300"},
		 "warning: --dpi means nothing for txt; it is for png"},
		{{"dump", "fox+causal", "-s", "a b", "--position-ids", "4 7", "--format", "csv",
		  "--matrix", "logits"},
		 "warning: --position-ids changes nothing here: no member of fox+causal reads"},
		{{"dump", "cpe", "-s", "a <image 1x2>", "--position-ids", "4 7 9", "--format",
		  "csv", "--matrix", "logits"},
		 "warning: --position-ids changes nothing here: no member of cpe reads"},
		{{"dump", "abacus", "-s", "1 2", "--position-ids", "4 7", "--format", "csv",
		  "--matrix", "logits"},
		 "warning: --position-ids changes nothing here: no member of abacus reads"},
		{{"render", "fox", "path", "-s", "a b", "--position-ids", "4 7", "--format", "txt"},
		 "warning: --position-ids changes nothing here: no member of the expressions"},
		{{"dump", "bert", "-s", "a b", "--segments", "0 1", "--format", "csv", "--matrix",
		  "logits"},
		 "warning: --segments changes nothing here: no member of bert reads segments"},
		{{"render", "rope", "-s", "a b", "--reorder", "2 1", "--format", "txt"},
		 "warning: --reorder changes nothing here: no member of rope reads a re-ordering"},
		{{"render", "xlpe+causal", "-s", "a b", "--reorder", "2 1", "--format", "txt"}, ""},
		{{"render", "rope", "--length", "10", "--format", "txt"},
		 "warning: --length changes nothing here: no member of rope reads a length"},
		{{"render", "rope", "-s", "a", "--translation", "b", "--format", "txt"},
		 "warning: --translation means nothing without --alignment"},
		{{"render", "window(keys=3,global=[2,99])", "-s", "a b c", "--format", "txt"},
		 "warning: window: global= names position 99, and there are 3 tokens"},
		{{"render", "rope(layers=1-9)", "--layers", "2", "--format", "txt"},
		 "warning: rope: layers=1-9 names more than the 2 layers that there are"},
		{{"render", "rope", "t5(heads=[1,9])", "--format", "txt"},
		 "warning: t5: heads=[1,9] names more than the 4 heads that there are"},
		{{"render", "rope", "--patches", "2x2", "--file", "x", "--format", "txt"},
		 "warning: --patches takes the place of --file\n"},
		{{"render", "ldpe", "--length", "10", "--format", "txt"}, ""},
		{{"render", "window(keys=3,global=[3])", "-s", "a b c", "--format", "txt"}, ""},
		{{"render", "rope(layers=1-3/4)", "--layers", "2", "--format", "txt"}, ""},
		{{"render", "rope(heads=odd)", "--format", "txt"}, ""},
		{{"render", "fox", "rope", "-s", "a b", "--position-ids", "4 7", "--format", "txt"},
		 ""},
		{{"render", "fox", "--position-ids", "none", "--format", "txt"}, ""},
		{{"dump", "xlnet(segments=on)", "-s", "a b", "--segments", "0 1", "--format", "csv",
		  "--matrix", "logits"},
		 ""},
		{{"render", "rope", "--format", "txt", "--lock-lo", "0", "-c", "lock on"}, ""},
		{{"render", "rope", "t5", "--format", "txt", "--pair", "1-2"}, ""},
		{{"render", "rope", "--format", "txt", "--heads", "2", "--heads", "2"}, ""},
	};
	run_rows(rows, sizeof rows / sizeof *rows, 0);
}

/* That an expression is the default's does not mean that none was given. */
TEST(a_command_may_give_the_default_expression)
{
	static const struct row given[] = {
		{{"render", "-c", "scheme rope+causal", "--format", "txt"}, ""},
		{{"dump", "-c", "scheme rope+causal", "--format", "csv"}, ""},
		{{"render", "-c", "heads 2", "-c", "scheme rope+causal", "--format", "txt"}, ""},
	};
	static const struct row missing[] = {
		{{"render", "--format", "txt"}, "give an expression"},
		{{"render", "-c", "heads 2", "--format", "txt"}, "give an expression"},
		{{"render", "rope", "-c", "scheme rope+causal", "--format", "txt"},
		 "give one expression, by --scheme or without it"},
		{{"render", "rope", "t5", "-c", "view explore", "--format", "txt"},
		 "the view explore shows one expression"},
	};
	run_rows(given, sizeof given / sizeof *given, 0);
	run_rows(missing, sizeof missing / sizeof *missing, 2);
}

/* ---- help ---------------------------------------------------------------------------------------- */

static const char *printed(struct cli_result *r, const char *a, const char *b)
{
	cli_run(r, &(struct cli_case){.args = {a, b}});
	assert_int_equal(r->code, 0);
	return r->out;
}

static bool names_option(const char *text, const char *name)
{
	char option[64];
	const size_t len = (size_t)snprintf(option, sizeof option, "--%s", name);
	for (const char *at = text; (at = strstr(at, option)) != NULL; at += len)
		if (at[len] == ' ' || at[len] == '\n')
			return true;
	return false;
}

/* Those that it takes and no others. */
static void expect_options(const char *text, unsigned takes, const char *of)
{
	for (const struct field *f = scene_fields; f->name; f++)
		if (names_option(text, f->name) != ((field_takes(f) & takes) != 0))
			fail_msg("%s: --%s", of, f->name);
	for (const struct field *f = setting_fields; f->name; f++)
		if (names_option(text, f->name) != ((setting_takes(f) & takes) != 0))
			fail_msg("%s: --%s", of, f->name);
	for (const struct cli_option *o = cli_options; o->name; o++)
		if (names_option(text, o->name) != (o->takes == 0 || (o->takes & takes)))
			fail_msg("%s: --%s", of, o->name);
}

TEST(help_names_each_option_that_is_taken)
{
	struct cli_result r;
	for (const struct subcommand *s = subcommands + 1; s->name; s++) {
		const char *const text = printed(&r, "help", s->name);
		/* Its own words may name an option of another. */
		expect_options(strstr(text, "\nOptions\n"), s->takes, s->name);
		cli_done(&r);
	}
	expect_options(strstr(printed(&r, "--help", NULL), "\nOptions\n"), subcommands->takes,
		       "posviz");
	cli_done(&r);
	expect_options(printed(&r, "help", "options"), ~0u, "options");
	cli_done(&r);
}

/* The idea and five commands stand before any option, and each of them works. */
TEST(help_begins_with_what_a_newcomer_types)
{
	struct cli_result r;
	const char *at = printed(&r, "--help", NULL);
	const char *const options = strstr(at, "\nOptions\n");
	size_t n = 0;
	assert_true(strstr(at, "\n\n") < options);
	for (const struct help_start *h = help_starts; h->command; h++, n++) {
		char shell[200];
		at = strstr(at, h->command);
		assert_true(at != NULL && at < options);
		at += strlen(h->command);
		if (strcmp(h->command, "posviz") == 0)
			continue;
		snprintf(shell, sizeof shell, "\"$POSVIZ\"%s > /dev/null",
			 h->command + strlen("posviz"));
		if (system(shell) != 0)
			fail_msg("%s", h->command);
	}
	assert_int_equal(n, 5);
	cli_done(&r);
}
