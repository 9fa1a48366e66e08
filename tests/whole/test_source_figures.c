/* test_source_figures.c: figures of the papers: what they expect holds, every one is a page and a screen, and
 * posviz figure writes them or says why not. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/app/snapshot.h"
#include "posviz/figures/source_figure.h"

FIXTURE(cli_enter, cli_leave)

TEST(expectations_hold)
{
	for (size_t i = 0; source_figure_at(i); i++) {
		const struct source_figure *const is = source_figure_at(i);
		struct source_expect *rows;
		struct scene scene;
		struct arena a;
		struct err err = {""};
		size_t n;
		arena_init(&a);
		scene_init(&scene);
		scene.figure = is->name;
		if (!source_figure_check(&scene, NULL, NULL, &a, &rows, &n, &err))
			fail_msg("%s: %s", is->name, err.text);
		if (n == 0)
			fail_msg("%s expects nothing", is->name);
		for (size_t k = 0; k < n; k++)
			if (!rows[k].holds)
				fail_msg("%s: expect %s: it is %s", is->name, rows[k].text,
					 rows[k].found);
		arena_release(&a);
	}
}

/* Names are unlike each other, sentences end, pages are of a size that there is. */
TEST(their_words_are_whole)
{
	for (size_t i = 0; source_figure_at(i); i++) {
		const struct source_figure *const is = source_figure_at(i);
		const char *const last = is->made ? is->made : is->shows;
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(is->name, source_figure_at(k)->name);
		if (last[strlen(last) - 1] != '.' || is->shows[strlen(is->shows) - 1] != '.')
			fail_msg("%s: a caption is whole sentences", is->name);
		if (is->width < 600 || is->width > 2000 || is->height < 300 || is->height > 1600)
			fail_msg("%s: %.0fx%.0f", is->name, is->width, is->height);
		assert_true(strlen(is->title) <= 60);
	}
}

/* All of them, none of which opens as another; again only with --force. README has a command that writes all, which
 * the tests run. */
TEST_THAT_LASTS(all_are_written_into_a_directory, 1)
{
	struct cli_result r;
	cli_good(&(struct cli_case){.args = {"figure", "--all", "-o", "all"}});
	for (size_t i = 0; source_figure_at(i); i++) {
		struct scene scene;
		struct arena a;
		struct err err = {""};
		size_t len;
		char name[80];
		arena_init(&a);
		snprintf(name, sizeof name, "all/%s.png", source_figure_at(i)->name);
		const char *const data = cli_read(name, &a, &len);
		assert_true(snapshot_scene(data, len, &a, &scene, &err));
		assert_string_equal(scene.figure, source_figure_at(i)->name);
		assert_string_equal(scene.view, "figures");
		arena_release(&a);
	}
	cli_run(&r, &(struct cli_case){.args = {"figure", "--all", "-o", "all"}});
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "exists already, --force overwrites it"));
	cli_done(&r);
	for (size_t i = 0; source_figure_at(i); i++) {
		char name[80];
		snprintf(name, sizeof name, "all/%s.png", source_figure_at(i)->name);
		cli_remove(name);
	}
	assert_int_equal(rmdir("all"), 0);
}

/* They belong together: what was whole before the disk was full goes too, and the directory that was made for it. */
TEST(a_full_disk_leaves_nothing)
{
	enum { SVG_LIMIT = 80000 }; /* less than the third figure has, more than the first */
	const struct cli_case all = {.args = {"figure", "--all", "-o", "all", "--format", "svg"},
				     .file_limit = SVG_LIMIT};
	for (int there = 0; there < 2; there++) {
		struct cli_result r;
		assert_true(!there || mkdir("all", 0700) == 0);
		cli_run(&r, &all);
		assert_int_equal(r.code, 2);
		if (!strstr(r.err, " figures was written: "))
			fail_msg("%s", r.err);
		assert_int_equal(rmdir("all") == 0, there); /* empty, or not there */
		cli_done(&r);
	}
}

TEST(bad_use_is_one_line)
{
	static const struct {
		const char *args[10], *error;
	} rows[] = {
		{{"figure", "survey-66", "-o", "x.png"}, "did you mean \"survey-6\"?"},
		{{"figure", "zzz"}, "posviz list figures names them"},
		{{"figure"}, "give the name of one, or --all"},
		{{"figure", "survey-6", "--all"}, "leave one of them out"},
		{{"figure", "--all"}, "give -o DIRECTORY"},
		{{"figure", "--all", "-o", "a/b"}, "cannot make the directory \"a/b\""},
		{{"figure", "survey-6", "-s", "x"}, "takes no option --sentence"},
		{{"figure", "survey-6", "--sweep", "d=1,2"}, "takes no option --sweep"},
		{{"figure", "survey-6", "--check", "-o", "x.png"}, "--check prints what it finds"},
		{{"render", "none", "--view", "figures", "--figure", "nix", "-o", "x.png"},
		 "there is no figure"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].error);
	}
}

TEST(check_prints_what_it_finds)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"figure", "survey-6", "--check"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "dot.10 = 42.820"));
	assert_non_null(strstr(r.out, "ok"));
	assert_null(strstr(r.out, "FALSE"));
	cli_done(&r);
}
