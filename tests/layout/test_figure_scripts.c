/* test_figure_scripts.c: scripts of the papers' figures: every one is in the list and is read, and what is wrong with one
 * is said with its line. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/asset.h"
#include "posviz/figures/source_figure.h"
#include "posviz/picture/picture.h"

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
		"# a comment\n" HEADER "shows And more of it.\n\nmade Nothing.\nmeasured\n"
		"draw survey_6\n  expect dot.0 = 64\nexpect dot.1 < dot.0\n";
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
		{HEADER "expect a = 1\n", "mine.figure: panel or draw is missing"},
		{DRAWN, "mine.figure: expect is missing"},
		{"title A\n", "mine.figure: source is missing"},
		{"title A\ntitle B\n", "mine.figure:2: a second title"},
		{"\n\ntitel A\n", "mine.figure:3: no figure has \"titel\"; did you mean title"},
		{"title\n", "mine.figure:1: title: give TEXT"},
		{"title A title that says much more than there is room for in a list of figures\n",
		 "mine.figure:1: title has 71 characters, more than 60"},
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
		{HEADER "head a | b\n", "mine.figure:5: head does not stand here"},
		{HEADER "scene\nscheme nix\n", "mine.figure:6: "},
		{HEADER "scene\nview cost\n",
		 "mine.figure:6: view: a script takes panels of explore, terms, "},
		{HEADER "scene\nscheme t5\npanel bias at 1 1\n",
		 "mine.figure:7: panel: the scene in front of it has no view"},
		{HEADER "table A at 1\n", "mine.figure:5: at ROW COLUMN would be right"},
		{HEADER "table A\n", "mine.figure:5: at ROW COLUMN would be right"},
		{HEADER "table A at 0 1\n", "mine.figure:5: at ROW COLUMN would be right"},
		{HEADER "table A at 1 1\nrow 1 | 2\n", "mine.figure:6: row: head comes first"},
		{HEADER "table A at 1 1\nhead a | b\nrow 1\n",
		 "mine.figure:7: row: 1 cells, and the head has 2"},
		{HEADER "table A at 1 1\nhead a | b\ndrops 0\n",
		 "mine.figure:7: drops: 1 numbers, and the head has 2 columns"},
		{HEADER "table A at 1 1\nwide 0\n",
		 "mine.figure:6: wide: a whole number from 1 to"},
		{HEADER "scene\nview terms\npanel sum at 1 1\nscale 5\n",
		 "mine.figure:8: scale: LOW HIGH or common would be right"},
		{HEADER "number a weight 1\n", "mine.figure:5: number: NAME = QUANTITY"},
		{HEADER "number a = heavy 1\n", "mine.figure:5: "},
		{HEADER "number a = 1 +\n", "mine.figure:5: "},
		{HEADER "means it\n", "mine.figure:5: means does not stand here"},
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

/* ---- what scripts draw --------------------------------------------------------------------------- */

static const struct figure *figure_of(const char *name)
{
	struct scene s;
	struct err err = {""};
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	scene_init(&s);
	s.view = "figures";
	s.figure = name;
	if (!picture_make(&s, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, p, &err))
		fail_msg("%s: %s", name, err.text);
	return &p->figure;
}

static double limit_of(const struct panel *p)
{
	assert_true(p->heatmap.scale.lo == -p->heatmap.scale.hi);
	return p->heatmap.scale.hi;
}

/* Panels of a view have the script's names and words, and those that say so one scale, that of the larger. */
TEST(panels_are_as_the_script_says)
{
	static const char *const names[] = {"attention", "absolute", "relative"};
	const struct figure *const f = figure_of("survey-2");
	double lo[3], hi[3];
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(f->panels[i].name, names[i]);
		assert_int_equal(f->panels[i].col, i);
		assert_null(f->panels[i].heatmap.more_of);
		assert_null(f->panels[i].note);
		mat_range(f->panels[i].heatmap.values, &lo[i], &hi[i]);
	}
	assert_string_equal(f->panels[1].title, "Absolute biases");
	assert_string_equal(f->panels[2].subtitle, "each diagonal has one");
	const double common = limit_of(&f->panels[1]);
	assert_true(limit_of(&f->panels[2]) == common && limit_of(&f->panels[0]) != common);
	for (size_t i = 1; i < 3; i++)
		assert_true(hi[i] <= common && lo[i] >= -common);
}

/* Each of several that are taken at once has its own. */
TEST(panels_that_are_taken_at_once_have_a_text_each)
{
	static const char *const titles[] = {"Tokens", "Positions", "Segments", "DIET-ABS",
					     "Tokens", "Positions", "Segments", "DIET-REL"};
	const struct figure *const f = figure_of("diet-3");
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(f->panels[i].title, titles[i]);
		assert_int_equal(f->panels[i].row, i / 4);
		assert_int_equal(f->panels[i].col, i % 4);
		assert_true(limit_of(&f->panels[i]) == limit_of(&f->panels[0]));
	}
	assert_string_equal(f->panels[5].operand.formula, "R_{t−s}");
	assert_string_not_equal(f->panels[4].operand.formula, "");
}

TEST(a_table_has_the_rows_of_its_script)
{
	const struct figure *const f = figure_of("diet-table-7");
	const struct table *const table = &f->panels[0].table;
	assert_int_equal(f->panels[0].kind, PANEL_TABLE);
	assert_int_equal(table->rows, 6);
	assert_int_equal(table->cols, 6);
	assert_string_equal(table->head[5], "here");
	assert_string_equal(table->cells[6 + 1], "0.0018");
	assert_int_equal(table->priority[2], 3);
}
