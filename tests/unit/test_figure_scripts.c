/* test_figure_scripts.c: scripts of the papers' figures: every one is in the list and is read, and what is wrong with one
 * is said with its line. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/asset.h"
#include "posviz/figures/source_figure.h"

FIXTURE(open_arena, close_arena)

static const char ending[] = ".figure";

/* The name of a script of ours; NULL: the file is none. */
static const char *script_name(const struct asset *file)
{
	static const char folder[] = "figures/";
	const size_t len = strlen(file->path);
	if (strncmp(file->path, folder, sizeof folder - 1) != 0 || len < sizeof ending ||
	    strcmp(file->path + len - sizeof ending + 1, ending) != 0)
		return NULL;
	return arena_strndup(&arena, file->path + sizeof folder - 1,
			     len - (sizeof folder - 1) - (sizeof ending - 1));
}

TEST(every_script_is_listed_once_and_read)
{
	size_t scripts = 0;
	for (const struct asset *file = assets; file->path; file++) {
		struct source_figure is;
		struct err err;
		size_t listed = 0;
		const char *const name = script_name(file);
		if (!name)
			continue;
		scripts++;
		if (!source_figure_read(name, file->begin, (size_t)(file->end - file->begin),
					&arena, &is, &err))
			fail_msg("%s", err.text);
		for (size_t i = 0; i < source_figure_count(); i++)
			listed += strcmp(source_figure_at(i)->name, name) == 0;
		if (listed != 1)
			fail_msg("%s stands %zu times in assets/figures/order", name, listed);
	}
	assert_int_equal(scripts, source_figure_count());
	assert_null(source_figure_at(scripts));
}

#define HEADER "title A figure\nsource Somebody 2026\nsize 600x400\nshows What is seen.\n"
#define DRAWN  HEADER "draw survey_6\n"

TEST(a_script_says_all_of_a_figure)
{
	static const char text[] =
		"# a comment\n" DRAWN
		"shows And more of it.\n\nmade Nothing.\nmeasured\n  expect dot.0 = 64\nexpect dot.1 < dot.0\n";
	struct source_figure is;
	struct err err;
	assert_true(source_figure_read("mine", text, strlen(text), &arena, &is, &err));
	assert_string_equal(is.name, "mine");
	assert_string_equal(is.title, "A figure");
	assert_string_equal(is.source, "Somebody 2026");
	assert_string_equal(is.shows, "What is seen. And more of it.");
	assert_string_equal(is.made, "Nothing.");
	assert_true(is.width == 600 && is.height == 400 && is.measured);
	assert_int_equal(is.n_expects, 2);
	assert_string_equal(is.expects[0], "dot.0 = 64");
	assert_string_equal(is.expects[1], "dot.1 < dot.0");
}

TEST(a_wrong_script_is_one_line)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{HEADER "expect a = 1\n", "mine.figure: draw is missing"},
		{DRAWN, "mine.figure: expect is missing"},
		{"title A\n", "mine.figure: source is missing"},
		{"title A\ntitle B\n", "mine.figure:2: a second title"},
		{"\n\ntitel A\n", "mine.figure:3: no figure has \"titel\"; did you mean title"},
		{"title\n", "mine.figure:1: title: give TEXT"},
		{"measured twice\n", "mine.figure:1: measured takes nothing"},
		{"size 600\n",
		 "mine.figure:1: size: \"600\" stands where WIDTHxHEIGHT would be right"},
		{"size 6x4\n",
		 "mine.figure:1: size: \"6x4\" stands where WIDTHxHEIGHT would be right"},
		{"draw nothing\n", "mine.figure:1: draw: nothing is called \"nothing\""},
		{"expect a\n", "mine.figure:1: expect: NAME = VALUE would be right"},
		{"expect a ~ 1\n", "mine.figure:1: "},
		{"expect a = 1 2\n", "mine.figure:1: "},
		{"title \xff\n", "mine.figure:1: this is not UTF-8"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct source_figure is;
		struct err err;
		const size_t len = strlen(rows[i].text);
		if (source_figure_read("mine", rows[i].text, len, &arena, &is, &err) ||
		    strncmp(err.text, rows[i].error, strlen(rows[i].error)) != 0)
			fail_msg("%zu: %s", i, err.text);
	}
}
