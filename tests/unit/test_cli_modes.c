/* test_cli_modes.c: each option of a sub-command that does several things is taken by the one at hand or refused. */
#include <string.h>

#include "test.h"
#include "cli/cli.h"

/* Whether it has an option of this name that not every sub-command has. */
static bool takes(const struct subcommand *sub, const char *name)
{
	for (const struct field *f = scene_fields; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return sub->takes & field_takes(f);
	for (const struct field *f = setting_fields; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return sub->takes & setting_takes(f);
	for (const struct cli_option *o = cli_options; o->name; o++)
		if (strcmp(o->name, name) == 0)
			return sub->takes & o->takes;
	return false;
}

TEST(modes_name_options_of_their_subcommand)
{
	for (const struct cli_mode *m = cli_modes; m->sub; m++) {
		char words[400];
		assert_true(strlen(m->options) < sizeof words);
		strcpy(words, m->options);
		for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
			if (!takes(subcommand_find(m->sub), word))
				fail_msg("%s takes no --%s", m->sub, word);
	}
}

static void expect_refused(const struct cli_mode *m, const char *option)
{
	struct given_option given = {option, NULL};
	const struct cli c = {.sub = subcommand_find(m->sub), .given = &given, .n_given = 1};
	struct err err = {""};
	if (!takes(c.sub, option))
		return;
	const bool taken = options_of_mode(&c, m->name, &err);
	assert_int_equal(taken, cli_mode_takes(m, option));
	if (!taken && (!strstr(err.text, option) || !strstr(err.text, m->name)))
		fail_msg("%s", err.text);
}

TEST(each_option_is_taken_or_refused)
{
	for (const struct cli_mode *m = cli_modes; m->sub; m++) {
		for (const struct field *f = scene_fields; f->name; f++)
			expect_refused(m, f->name);
		for (const struct field *f = setting_fields; f->name; f++)
			expect_refused(m, f->name);
		for (const struct cli_option *o = cli_options; o->name; o++)
			expect_refused(m, o->name);
	}
}

/* What is of no mode is a slip of the table. */
TEST(each_option_is_of_some_mode)
{
	for (const struct cli_option *o = cli_options; o->name; o++)
		for (const struct cli_mode *first = cli_modes; first->sub; first++) {
			bool some = strcmp(o->name, "print-config-dir") == 0;
			if (!takes(subcommand_find(first->sub), o->name))
				continue;
			for (const struct cli_mode *m = cli_modes; m->sub; m++)
				some |= strcmp(m->sub, first->sub) == 0 &&
					cli_mode_takes(m, o->name);
			if (!some)
				fail_msg("--%s does nothing for %s", o->name, first->sub);
		}
}
