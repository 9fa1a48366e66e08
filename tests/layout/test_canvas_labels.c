/* Labels above columns and beside rows on cells: words in one line or by turns in two, cut or not, and
 * numbers where they have no room. */
#include <stdlib.h>
#include <string.h>

#include "help_canvas.h"
#include "plot/canvas_in.h"
#include "posviz/base/text.h"
#include "posviz/model/trace.h"
#include "test.h"

FIXTURE(help_begin, help_end)

static const char *const nine[] = {"the",    "cat",  "that",   "the", "dog",
				   "chased", "fell", "asleep", "."};

/* A heatmap of n tokens, called as a trace calls them. */
static struct panel heatmap_of(const char *const *words, size_t n)
{
	struct panel p = help_heatmap(n, true);
	const struct axis axis = {.n = n, .labels = words};
	p.heatmap.row_labels = p.heatmap.col_labels = axis_names(&axis, &help_arena);
	return p;
}

struct shown {
	const struct canvas *c;
	struct rect hit;
	struct heatmap_view view;
	const struct panel *p;
};

static struct shown draw(const struct panel *p, int rows, int cols, bool ascii)
{
	struct shown s = {.p = p};
	struct canvas *const c = help_canvas(rows, cols, TIER_DIRECT, ascii);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, p, false, &s.hit, &s.view);
	help_assert_whole(c);
	s.c = c;
	return s;
}

static const char *line_above(const struct shown *s, int line)
{
	return help_between(s->c, s->hit.row - 1 - line, 1, s->c->cols - 1);
}

/* The first of the cells that hold the word which (row, col) belongs to; -1: it is blank. */
static int word_at(const struct canvas *c, int row, int col, int *end)
{
	if (strcmp(help_at(c, row, col)->at, " ") == 0)
		return -1;
	while (strcmp(help_at(c, row, col - 1)->at, " ") != 0 &&
	       strcmp(help_at(c, row, col - 1)->at, "╷") != 0 && col > 1)
		col--;
	*end = col;
	while (strcmp(help_at(c, row, *end)->at, " ") != 0 &&
	       strcmp(help_at(c, row, *end)->at, "╷") != 0 && *end < c->cols - 1)
		++*end;
	return col;
}

/* Whether `shown` is the label, or a beginning of it with an ellipsis and its number. */
static bool stands_for(const char *shown, const char *label)
{
	const char *const dots = strstr(shown, "…"), *const tail = dots ? dots + strlen("…") : "";
	const size_t len = strlen(label), end = strlen(tail);
	if (!dots)
		return strcmp(shown, label) == 0 ||
		       (strncmp(shown, label, strlen(shown)) == 0 && text_width(shown) == 3);
	return strncmp(shown, label, (size_t)(dots - shown)) == 0 && end <= len &&
	       strcmp(tail, label + len - end) == 0;
}

/* Every shown column has its word over its middle, in the line above it or, by turns, in the second,
 * from where a line goes down to it. */
static void expect_words(const struct shown *s, int lines)
{
	for (size_t j = 0; j < s->view.cols; j++) {
		const int cell = s->view.cell_cols, line = (int)j % lines;
		const int middle = s->hit.col + (int)j * cell + (cell == 2 ? 0 : cell / 2);
		const int row = s->hit.row - 1 - line;
		int end = 0;
		const int from = word_at(s->c, row, middle, &end);
		const char *const label = s->p->heatmap.col_labels[s->view.first_col + j];
		const char *const word = from < 0 ? "" : help_between(s->c, row, from, end);
		if (!stands_for(word, label))
			fail_msg("\"%s\" for %s in\n%s", word, label, help_screen(s->c));
		if (line > 0 && strcmp(help_at(s->c, row + 1, middle)->at, "╷") != 0)
			fail_msg("no line from %s in\n%s", label, help_screen(s->c));
	}
}

TEST(words_stand_in_one_line_where_they_do_not_touch)
{
	const struct panel p = heatmap_of(nine, 9);
	const struct shown s = draw(&p, 24, 90, false);
	assert_true(s.view.cell_cols >= 7);
	expect_words(&s, 1);
	assert_string_equal(help_between(s.c, s.hit.row - 2, 30, 60),
			    "──────────────────────────────");
}

/* Cells of three columns: labels have five, and more where none stands beside them. */
TEST(words_take_turns_in_two_lines)
{
	struct panel p = heatmap_of(nine, 9);
	p.heatmap.has_cursor = true;
	p.heatmap.col = 1;
	const struct shown s = draw(&p, 19, 40, false);
	assert_int_equal(s.view.cell_cols, 3);
	assert_string_equal(line_above(&s, 1), "cat  the₂ chased asleep");
	assert_string_equal(line_above(&s, 0), "the₁ ╷that ╷ dog ╷fell ╷  .");
	expect_words(&s, 2);
	const int cat = s.hit.col + 4;
	assert_true(help_at(s.c, s.hit.row - 2, cat)->attrs & ATTR_ACCENT);
	assert_true(help_at(s.c, s.hit.row - 1, cat)->attrs & ATTR_ACCENT);
	assert_false(help_at(s.c, s.hit.row - 2, cat + 6)->attrs & ATTR_ACCENT);
}

TEST(long_words_are_cut_and_keep_their_number)
{
	static const char *const words[] = {"Donaudampfschifffahrt",
					    "unbelievable",
					    "a",
					    "unbelievable",
					    "internationalization",
					    "of",
					    "Donaudampfschifffahrt",
					    "is",
					    "."};
	const struct panel p = heatmap_of(words, 9);
	const struct shown s = draw(&p, 19, 40, false);
	expect_words(&s, 2);
	assert_non_null(strstr(line_above(&s, 1), "…₁"));
	assert_non_null(strstr(line_above(&s, 1), "…₂"));
	const struct shown wide = draw(&p, 40, 110, false);
	assert_non_null(strstr(help_screen(wide.c), "unbelievable₂"));
}

/* Between short words a long one has more than its share. */
TEST(a_word_is_cut_no_more_than_its_neighbours_need)
{
	static const char *const words[] = {"a",  "of",		  "b", "unbelievable",	 "c",
					    "of", "intermediate", "d", "straightforward"};
	const struct panel p = heatmap_of(words, 9);
	const struct shown s = draw(&p, 24, 56, false);
	assert_int_equal(s.view.cell_cols, 4);
	assert_string_equal(line_above(&s, 1), "of₁ unbelievable of₂     d");
	expect_words(&s, 2);
}

/* Words that have no room above cells of two columns stand beside the rows alone, with the numbers that are above. */
TEST(numbers_stand_above_cells_of_two_columns)
{
	const struct panel p = heatmap_of(nine, 9);
	const struct shown s = draw(&p, 16, 32, false);
	assert_int_equal(s.view.cell_cols, 2);
	assert_string_equal(line_above(&s, 0), "1 2 3 4 5 6 7 8 9");
	for (size_t i = 0; i < 9; i++) {
		const char *const beside = help_between(s.c, s.hit.row + (int)i, 1, s.hit.col - 1);
		assert_string_equal(beside,
				    arena_printf(&help_arena, "%zu %*s", i + 1,
						 6 + (int)(strlen(p.heatmap.row_labels[i]) -
							   text_width(p.heatmap.row_labels[i])),
						 p.heatmap.row_labels[i]));
	}
	/* Words that are short enough stand even there. */
	static const char *const short_words[] = {"I",	"am", "to", "go", "on",
						  "so", "I",  "do", "."};
	const struct panel q = heatmap_of(short_words, 9);
	const struct shown t = draw(&q, 16, 26, false);
	assert_int_equal(t.view.cell_cols, 2);
	expect_words(&t, 2);
}

/* A second line of words may cost a third of the cells, and has room then for more letters. */
TEST(a_second_line_of_words_may_make_cells_smaller)
{
	const struct panel p = heatmap_of(nine, 9);
	const struct shown tight = draw(&p, 18, 40, false), roomy = draw(&p, 19, 40, false);
	assert_int_equal(tight.view.cell_rows2, 2);
	assert_int_equal(tight.hit.row, 3);
	assert_int_equal(roomy.view.cell_rows2, 3);
	assert_int_equal(roomy.hit.row, 3);
}

TEST(words_differ_at_any_width)
{
	static const size_t sizes[] = {1, 2, 7, 9, 30, 60};
	const char *words[60];
	for (size_t i = 0; i < 60; i++)
		words[i] = nine[i * 5 % 9];
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		for (int cols = 12; cols <= 130; cols++) {
			struct arena_mark mark = arena_mark(&help_arena);
			struct panel p = heatmap_of(words, sizes[k]);
			p.heatmap.has_cursor = cols % 2 == 0;
			p.heatmap.row = p.heatmap.col = sizes[k] / 2;
			const struct shown s = draw(&p, 20, cols, false);
			const bool numbers = strspn(line_above(&s, 0), "0123456789 ") ==
					     strlen(line_above(&s, 0));
			if (!numbers && s.view.cell_cols > 2)
				expect_words(&s, s.hit.row - 1);
			arena_rewind(&help_arena, mark);
		}
}

/* Double width, marks, an emoji of several signs: each over its column, whole. */
TEST(words_of_any_script_stand_over_their_columns)
{
	static const char *const words[] = {"猫",	  "が",	      "寝て",
					    "いる",	  "猫",	      "e\u0301te\u0301",
					    "\U0001F600", "日本語の", "。"};
	const struct panel p = heatmap_of(words, 9);
	for (int cols = 44; cols < 100; cols++) {
		struct arena_mark mark = arena_mark(&help_arena);
		const struct shown s = draw(&p, 24, cols, false);
		assert_true(s.view.cell_cols >= 3);
		expect_words(&s, s.hit.row - 1);
		arena_rewind(&help_arena, mark);
	}
}

TEST(numbers_of_occurrences_have_a_form_in_ascii)
{
	const struct panel p = heatmap_of(nine, 9);
	const struct shown s = draw(&p, 16, 40, true);
	const char *const screen = help_screen(s.c);
	assert_non_null(strstr(screen, "the#1"));
	assert_non_null(strstr(screen, "the#2"));
	for (const char *at = screen; *at; at++)
		assert_true((unsigned char)*at < 0x80);
}

/* Each is spelled, not only replaced by a sign of one column. */
TEST(signs_that_grow_are_spelled_in_ascii)
{
	static const char *const rows[][2] = {
		{"a ± b", "a +- b"},  {"§3", "section 3"},	 {"√d", "sqrt d"},
		{"½¼⅛", "1/21/41/8"}, {"−x², x⁻⁶", "x^2, x^-6"}, {"n ≥ ∞", "n >= inf"},
		{"⌊x⌋", "floor(x)"},  {"θ_i", "theta_i"},	 {"the₂", "the#2"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const got = canvas_plain_text(&help_arena, rows[i][0]);
		if (!strstr(got, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], got);
		struct panel p = help_heatmap(3, true);
		p.title = rows[i][0];
		assert_non_null(strstr(help_screen(draw(&p, 12, 60, true).c), rows[i][1]));
	}
}

/* Between the labels of both axes, where it touches none. */
TEST(the_corner_names_the_axes)
{
	struct panel p = heatmap_of(nine, 9);
	size_t named = 0;
	p.heatmap.row_title = "query t";
	p.heatmap.col_title = "key s";
	for (int cols = 36; cols < 70; cols++) {
		struct arena_mark mark = arena_mark(&help_arena);
		const struct shown s = draw(&p, 26, cols, false);
		const char *const below = help_between(s.c, s.hit.row - 1, 1, s.hit.col);
		const char *const above = help_between(s.c, s.hit.row - 2, 1, s.hit.col);
		assert_true(strcmp(below, "query↓") != 0 || strcmp(above, "key→") == 0);
		named += strcmp(above, "key→") == 0;
		if (s.view.cell_cols == 4 && s.hit.row == 3)
			assert_string_equal(above, "key→");
		arena_rewind(&help_arena, mark);
	}
	assert_true(named > 3);
}

/* ASCII has no arrows: the legend says in words which way an axis runs. */
TEST(the_legend_names_the_axes)
{
	struct panel p = heatmap_of(nine, 9);
	p.heatmap.row_title = "query";
	p.heatmap.col_title = "key";
	assert_non_null(strstr(help_screen(draw(&p, 30, 100, true).c), "query down, key across"));
	assert_non_null(strstr(help_screen(draw(&p, 30, 100, false).c), "query ↓ key →"));
}

/* ---- the cursor -------------------------------------------------------------------------------- */

TEST(a_frame_stands_inside_the_cell_of_the_cursor)
{
	struct panel p = heatmap_of(nine, 9);
	p.heatmap.has_cursor = true;
	p.heatmap.row = 4;
	p.heatmap.col = 1;
	const struct shown s = draw(&p, 26, 60, false);
	struct rect at;
	assert_true(canvas_place(s.hit, &s.view, 4, 1, &at));
	assert_true(at.rows >= 2 && at.cols >= 4);
	const int bottom = at.row + at.rows - 1, right = at.col + at.cols - 1;
	assert_string_equal(help_at(s.c, at.row, at.col)->at, "┌");
	assert_string_equal(help_at(s.c, at.row, right)->at, "┐");
	assert_string_equal(help_at(s.c, bottom, at.col)->at, "└");
	assert_string_equal(help_at(s.c, bottom, right)->at, "┘");
	/* In ink on the colour of the value. */
	const uint32_t colour = help_colour(&p.heatmap, -3.0 / 8);
	assert_int_equal(help_at(s.c, at.row, at.col)->bg, colour);
	assert_int_equal(help_at(s.c, at.row, at.col)->fg, CELL_RGB(colour_ink(colour & 0xffffff)));
	/* In cells of one row brackets. */
	const struct shown low = draw(&p, 14, 40, false);
	assert_true(canvas_place(low.hit, &low.view, 4, 1, &at));
	assert_string_equal(help_at(low.c, at.row, at.col)->at, "[");
}

/* ---- numbers in cells ---------------------------------------------------------------------------- */

TEST(a_number_that_is_small_is_no_zero)
{
	static const struct {
		double value;
		int decimals;
		bool bare;
		const char *text;
	} rows[] = {
		{0, 2, false, "0"},	  {-0.0, 2, true, "0"},	      {1e-17, 2, true, "0"},
		{0.0049, 2, true, ".00"}, {-0.004, 2, true, ".00"},   {-0.004, 2, false, "0.00"},
		{-0.31, 2, true, "−.31"}, {-0.31, 2, false, "−0.31"}, {12.345, 1, true, "12.3"},
		{0.4, 0, true, "<1"},	  {-3.6, 0, true, "−4"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(
			heatmap_number(&help_arena, rows[i].value, rows[i].decimals, rows[i].bare),
			rows[i].text);
}

/* Numbers of one matrix have the same decimals: here "−1.00" has no room for two. */
TEST(numbers_of_a_matrix_have_the_same_decimals)
{
	struct panel p = heatmap_of(nine, 9);
	for (int wide = 0; wide < 2; wide++) {
		struct canvas *const c = help_canvas(24, wide ? 90 : 58, TIER_DIRECT, false);
		struct rect hit, at;
		struct heatmap_view v;
		c->presenter = true;
		canvas_panel(c, (struct rect){0, 0, c->rows, c->cols}, &p, false, &hit, &v);
		for (size_t i = 0; i < 9; i++)
			for (size_t j = 0; j < 9; j++) {
				assert_true(canvas_place(hit, &v, i, j, &at));
				const char *const text = help_between(c, at.row + (at.rows - 1) / 2,
								      at.col, at.col + at.cols);
				const char *const point = strchr(text, '.');
				if (i == j)
					assert_string_equal(text, "0");
				else
					assert_int_equal(strlen(point ? point : ""), wide ? 3 : 2);
			}
	}
}

/* The memory that is used grows with every way that is tried to write a word. */
static size_t labels_memory(size_t letters, size_t words, bool ascii)
{
	struct arena a;
	struct heatmap_plan plan;
	const char **const row = arena_calloc(&help_arena, words, sizeof *row);
	for (size_t i = 0; i < words; i++) {
		char *const word = arena_calloc(&help_arena, letters + 1, 1);
		row[i] = memset(word, 'a' + (int)(i % 26), letters);
	}
	const struct panel p = heatmap_of(row, words);
	const struct rect all = {0, 0, 36, 120};
	struct canvas *const c = help_canvas(all.rows, all.cols, TIER_DIRECT, ascii);
	arena_init(&a);
	canvas_heatmap_plan(c, &a, all, &p.heatmap, &plan);
	canvas_heatmap(c, &a, all, &p.heatmap, &plan);
	const size_t used = a.used;
	arena_release(&a);
	return used;
}

TEST(work_follows_the_room_and_not_the_letters)
{
	static const size_t words[] = {1, 3, 9, 24};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t few = labels_memory(200, words[i], false);
		const size_t many = labels_memory(20000, words[i], false);
		if (many > few + few / 4)
			fail_msg("%zu words of 200 letters: %zu bytes, of 20000: %zu", words[i],
				 few, many);
	}
}

/* Each of some words may grow to where its neighbours' columns are, and is tried no wider. */
TEST(work_follows_the_columns_of_a_wide_screen)
{
	assert_in_range(labels_memory(500, 30, false), 1, 12 * labels_memory(500, 3, false));
}

/* Beside means over blocks stand numbers, with whole words or none: one that is cut to three letters says nothing. */
TEST(means_have_numbers_alone)
{
	static const char *words[64];
	struct panel p = help_large(64, GRID_FIT);
	for (size_t i = 0; i < 64; i++)
		words[i] = "crocodiles";
	p.heatmap.row_labels = p.heatmap.col_labels = words;
	p.heatmap.has_cursor = false;
	for (int cols = 20; cols < 60; cols++) {
		const struct shown s = draw(&p, 20, cols, false);
		assert_true(s.view.averaged);
		for (int row = s.hit.row; row < s.hit.row + s.hit.rows; row++) {
			const char *const beside = help_between(s.c, row, 2, s.hit.col - 1);
			if (strspn(beside, " 0123456789") != strlen(beside) &&
			    !strstr(beside, "crocodiles"))
				fail_msg("%d columns: \"%s\"", cols, beside);
		}
	}
}
