/* test_presenter.c: figures for the back row: whose scheme it is, what is chosen and what the colours
 * mean, at all sizes and in all colours; numbers in cells. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_colour.h"
#include "help_pages.h"
#include "help_view.h"
#include "plot/canvas_map.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

FIXTURE(help_begin, help_end)

static const struct size_of_screen {
	int rows, cols;
} sizes[] = {{50, 200}, {36, 120}, {24, 80}, {20, 60}, {12, 40}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct canvas *shown(const struct figure *f, size_t size, enum tier tier, bool ascii,
			    bool dark)
{
	struct canvas *const c = help_canvas(sizes[size].rows, sizes[size].cols, tier, ascii);
	c->dark = dark;
	canvas_figure(c, f);
	help_assert_whole(c);
	return c;
}

static const struct figure *presented(const char *expression, const char *lines)
{
	lines = arena_printf(&help_arena, "%spresenter on\n", lines);
	return &help_picture(&help_arena, expression, lines)->figure;
}

static void expect_words(const char *screen, const char *words, const char *where)
{
	char *const all = arena_strdup(&help_arena, words);
	char *rest = all;
	for (char *word = strtok_r(all, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (strstr(screen, word) == NULL)
			fail_msg("%s: no \"%s\"\n%s", where, word, screen);
}

static char *last_row(const struct canvas *c)
{
	return help_between(c, c->rows - 1, 0, c->cols);
}

/* ---- words ---- */

TEST(presenter_names_the_scheme_and_says_what_it_does)
{
	static const char *const schemes[] = {"rope", "t5", "alibi", "tupe_r", "deberta", "none"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		const struct figure *const f = presented(schemes[i], "row 5\ncol 2\n");
		for (size_t size = 0; size < SIZES; size++)
			for (int ascii = 0; ascii < 2; ascii++) {
				const char *const where =
					arena_printf(&help_arena, "%s at %dx%d", schemes[i],
						     sizes[size].cols, sizes[size].rows);
				const struct canvas *const c =
					shown(f, size, TIER_DIRECT, ascii, true);
				const char *const text = help_screen(c);
				if (sizes[size].cols >= 60)
					expect_words(text, f->presented->title, where);
				if (sizes[size].cols >= 120 && !ascii)
					expect_words(text, f->presented->about, where);
				assert_null(strstr(text, "−.00"));
				assert_null(strstr(text, "nan"));
			}
	}
}

/* Places of two lists of tokens have no distance. */
TEST(presenter_says_a_distance_of_one_list_alone)
{
	struct figure *const f = arena_calloc(&help_arena, 1, sizeof *f);
	struct presented *const words = arena_calloc(&help_arena, 1, sizeof *words);
	*f = *presented("rope", "row 5\ncol 2\n");
	*words = *f->presented;
	f->presented = words;
	for (int two = 0; two < 2; two++) {
		size_t said = 0;
		words->two_lists = two;
		for (size_t size = 0; size < SIZES; size++)
			said += strstr(help_screen(shown(f, size, TIER_DIRECT, false, true)),
				       "s−t −3") != NULL;
		assert_int_equal(said > 0, !two);
	}
}

TEST(presenter_says_in_the_last_row_what_colours_mean)
{
	static const struct {
		const char *scheme;
		enum tier tier;
		bool ascii;
		const char *words;
	} rows[] = {
		{"tupe_r", TIER_DIRECT, false,
		 "blue: less attention than content alone, red: more"},
		{"tupe_r", TIER_16, false, "blue: less attention than content alone, red: more"},
		{"tupe_r", TIER_MONO, false, "−: less attention than content alone, +: more"},
		{"tupe_r", TIER_DIRECT, true, "-: less attention than content alone, +: more"},
		{"rope", TIER_256, false, "blue: less attention than content alone"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct figure *const f = presented(rows[i].scheme, "");
		for (size_t size = 0; size < 3; size++) {
			const char *const last =
				last_row(shown(f, size, rows[i].tier, rows[i].ascii, false));
			if (strncmp(last, rows[i].words, strlen(rows[i].words)) != 0 ||
			    last[strlen(rows[i].words)] != ' ')
				fail_msg("%s: %s", rows[i].words, last);
		}
	}
}

/* A sum over any diagonal of rope's bias is one value; of learned places none is. */
TEST(presenter_says_distance_alone_only_where_it_is)
{
	static const char sentence[] = "Only the distance between two words counts";
	static const char *const schemes[] = {"rope", "alibi", "t5", "learned", "tupe_r"};
	for (size_t i = 0; i < 5; i++) {
		const struct figure *const f = presented(schemes[i], "");
		const char *const text = help_screen(shown(f, 1, TIER_DIRECT, false, true));
		assert_int_equal(strstr(text, sentence) != NULL, i < 3);
	}
}

/* ---- the chosen cell ---- */

/* Cells of this background are one rectangle; its screen cells, 0: they are none. */
static int one_rectangle(const struct canvas *c, uint32_t bg)
{
	int top = c->rows, left = c->cols, bottom = -1, right = -1, n = 0;
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			if (help_at(c, row, col)->bg != bg)
				continue;
			n++;
			top = row < top ? row : top;
			bottom = row > bottom ? row : bottom;
			left = col < left ? col : left;
			right = col > right ? col : right;
		}
	return n == (bottom - top + 1) * (right - left + 1) ? n : 0;
}

TEST(presenter_has_one_white_cell_on_dark_and_one_black_on_light)
{
	static const char *const lines[] = {"", "sentence one\n", "sentence a b c\n",
					    "matrix mask\n"};
	for (size_t i = 0; i < 4; i++) {
		const struct figure *const f = presented(
			"t5+causal", arena_printf(&help_arena, "%srow 1\ncol 1\n", lines[i]));
		for (size_t size = 0; size < SIZES; size++)
			for (int dark = 0; dark < 2; dark++) {
				const struct canvas *const c =
					shown(f, size, TIER_DIRECT, false, dark);
				assert_true(one_rectangle(c, CELL_RGB(dark ? 0xffffff : 0)) > 0);
			}
	}
}

/* ---- numbers in cells ---- */

TEST(digits_of_a_panel_have_the_same_decimals)
{
	static const struct {
		double most, x;
		const char *text;
	} rows[] = {
		{0.83, -0.614, "−.61"},
		{0.83, 0, "0"},
		{0.83, -0.004, ".00"},
		{3.7, 1.4847, "1.48"},
		{3.7, 0.3, ".30"},
		{9.994, -9.994, "−9.99"},
		{9.996, 9.996, "10.0"},
		{42, -0.04, ".0"},
		{512, -63.6, "−64"},
		{0.83, 0.125, ".13"},
		{0.83, 0.125 - 1e-15, ".13"},
		{0.83, 0.1249, ".12"},
		{512, 0.2, "<1"},
		{0.05, 0.0123, ".012"},
		{0.83, -1e-14, "0"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct heatmap h = {
			.scale = scale_fit(-rows[i].most, rows[i].most, SCALE_LINEAR, true, false)};
		const struct digits d = canvas_digits(&h, INT_MAX);
		const char *const text = heatmap_number(&help_arena, rows[i].x, d.decimals, true);
		assert_string_equal(text, rows[i].text);
		assert_true((int)text_width(text) <= d.cols);
	}
}

/* Wherever all have room they are there, in ink that can be read; else in no cell. */
TEST(numbers_stand_in_all_cells_or_in_none)
{
	static const enum tier tiers[] = {TIER_DIRECT, TIER_256, TIER_16};
	for (int cols = 30; cols <= 196; cols += 11)
		for (size_t k = 0; k < 3; k++) {
			const struct panel p = help_heatmap(9, true);
			struct canvas *const c = help_canvas(46, cols, tiers[k], false);
			struct rect hit, at;
			struct heatmap_view v;
			canvas_panel(c, (struct rect){0, 0, 46, cols}, &p, false, &hit, &v);
			const bool wanted = v.cell_cols >= 7 && v.cell_rows2 >= 4;
			for (size_t i = 0; i < 81; i++) {
				canvas_place(hit, &v, i / 9, i % 9, &at);
				const int row = at.row + (k == 2 ? 0 : (at.rows - 1) / 2);
				const char *const text =
					help_between(c, row, at.col, at.col + at.cols);
				const double value = mat_row(p.heatmap.values, i / 9)[i % 9];
				const struct digits d = canvas_digits(&p.heatmap, INT_MAX);
				const char *const want =
					heatmap_number(&help_arena, value, d.decimals, true);
				assert_int_equal(strcmp(text, want) == 0, wanted);
				const struct cell *const cell =
					help_at(c, row, at.col + (at.cols - 1) / 2);
				if (wanted && k < 2)
					assert_true(colour_contrast(cell->fg & 0xffffffu,
								    cell->bg & 0xffffffu) >= 4.5);
				if (wanted && k == 2)
					assert_int_equal(cell->bg, CELL_DEFAULT);
			}
		}
}

/* ---- large letters ---- */

TEST(large_letters_are_half_blocks_and_never_cut_short)
{
	struct canvas *const c = help_canvas(4, 30, TIER_DIRECT, false);
	assert_int_equal(canvas_big_cols(c, "−.61"), 3 + 1 + 2 + 1 + 4 + 1 + 3);
	canvas_big(c, 0, 1, "−.61");
	assert_string_equal(help_between(c, 0, 0, 30), "▄▀▀  ▄█");
	assert_string_equal(help_between(c, 1, 0, 30), "▀▀▀    █▀▀▄  █");
	assert_string_equal(help_between(c, 2, 0, 30), "██ ▀▄▄▀ ▄█▄");
	assert_string_equal(help_between(c, 3, 0, 30), "");
	assert_int_equal(canvas_big_cols(c, "猫"), 0);
	assert_int_equal(canvas_big_cols(c, ""), 0);
	c->ascii = true;
	assert_int_equal(canvas_big_cols(c, "rope"), 0);
}

/* Every name of the list has its letters. */
TEST(every_scheme_has_large_letters)
{
	const struct canvas *const c = help_canvas(3, 3, TIER_DIRECT, false);
	for (size_t i = 0; i < scheme_count(); i++)
		if (canvas_big_cols(c, scheme_at(i)->id) == 0)
			fail_msg("%s", scheme_at(i)->id);
}

/* Of sixty words a window is shown, and which part it is. */
TEST(presenter_says_which_part_is_seen)
{
	struct strbuf b;
	strbuf_init(&b, &help_arena);
	strbuf_add(&b, "sentence");
	for (int i = 0; i < 60; i++)
		strbuf_printf(&b, " w%d", i);
	strbuf_add(&b, "\nrow 30\ncol 30\n");
	const struct figure *const f = presented("t5", b.at);
	for (size_t size = 1; size < SIZES; size++)
		for (int tier = TIER_MONO; tier < TIER_COUNT; tier++) {
			const char *const text =
				help_screen(shown(f, size, (enum tier)tier, false, true));
			if (strstr(text, " of 60") == NULL)
				fail_msg("%dx%d\n%s", sizes[size].cols, sizes[size].rows, text);
		}
}

/* Also where the panel's name leaves it no room beside: then the formula gives way. */
TEST(the_part_has_a_place_in_any_head)
{
	const struct figure *const f = presented("sinusoidal", "view vectors\n");
	for (int high = 12; high <= 16; high++) {
		struct canvas *const c = help_canvas(high, 60, TIER_DIRECT, false);
		canvas_figure(c, f);
		help_assert_whole(c);
		const char *const text = help_screen(c);
		if (!strstr(text, "Position vectors") ||
		    !(strstr(text, "/32 × 1–") || strstr(text, "of 64") || strstr(text, "mean of")))
			fail_msg("%d rows\n%s", high, text);
	}
}

/* Without a value to say beside it a matrix has all of the width where that makes its cells larger. */
TEST(cells_are_larger_where_nothing_stands_beside)
{
	const struct figure *const f = presented("shaw", "view relation\n");
	struct canvas *const c = help_canvas(14, 60, TIER_DIRECT, false);
	canvas_figure(c, f);
	const char *const row = help_between(c, 1, 0, 60);
	if (!strstr(row, "Number"))
		fail_msg("%s", help_screen(c));
}

/* On a page what is said of the chosen cell is what stands in it. */
TEST(a_page_says_the_chosen_value_as_its_cell_does)
{
	const struct figure *const f = presented("alibi", "row 4\ncol 1\n");
	const struct raster_look look = {.width = 1600, .height = 1000};
	const struct raster_report r = help_page_report(f, &look, &help_arena);
	size_t times = 0;
	for (size_t i = 0; i < r.n; i++) {
		times += strcmp(r.boxes[i].text, "−0.75") == 0;
		assert_int_not_equal(strcmp(r.boxes[i].text, "−.75"), 0);
	}
	/* Three steps of a quarter: in the cells of that distance that are seen, and in the card. */
	assert_int_equal(times, 6 + 1);
}

/* What one of two hides alone has marks in their difference, and these their words. */
TEST(presenter_says_what_one_of_two_hides)
{
	const struct figure *const f = presented("alibi", "view compare\ncompare rope\n");
	for (size_t size = 0; size + 1 < SIZES; size++)
		for (int ascii = 0; ascii < 2; ascii++) {
			const char *const row = last_row(
				shown(f, size, ascii ? TIER_MONO : TIER_DIRECT, ascii, true));
			if (strstr(row, ascii ? "\\ masked in 1" : "╲ masked in 1") == NULL)
				fail_msg("%dx%d: %s", sizes[size].cols, sizes[size].rows, row);
		}
	const struct raster_look look = {.width = 1600, .height = 1000};
	const struct raster_report r = help_page_report(f, &look, &help_arena);
	bool said = false;
	for (size_t i = 0; i < r.n; i++)
		said |= strstr(r.boxes[i].text, "\\\\ masked in 1 only") != NULL;
	assert_true(said);
}

/* ---- heads of few rows ---- */

/* The formula, its first part, or the sentence: no row above the panel is empty. */
TEST(no_row_of_a_head_is_empty)
{
	for (size_t i = 0; i < scheme_count(); i += 4) {
		const struct figure *const f = presented(scheme_at(i)->id, "row 2\ncol 1\n");
		struct canvas *const c = help_canvas(16, 60, TIER_DIRECT, false);
		canvas_figure(c, f);
		help_assert_whole(c);
		if (*help_between(c, 1, 0, 60) == '\0')
			fail_msg("%s\n%s", scheme_at(i)->id, help_screen(c));
	}
}

/* Where there is no row for all of it. */
TEST(a_long_formula_shows_its_first_part)
{
	const struct figure *const f =
		presented("shaw", "sentence a b c d e f g h i\nview explore\n");
	struct canvas *const c = help_canvas(13, 60, TIER_DIRECT, false);
	canvas_figure(c, f);
	assert_string_equal(help_between(c, 1, 1, 60),
			    "Aₜₛ = qₜ·(kₛ + wᴷ[clip(s−t)]) / √dₕ  Position bias, head 1");
}

/* In whatever rows: what is seen is said, and what its colours stand for has its bar. */
TEST(a_panel_is_named_and_has_its_bar)
{
	static const struct {
		const char *scheme, *lines, *name, *bar;
	} rows[] = {
		{"sinusoidal", "sentence a b c d e f g h\n", "Position bias", "+3.6"},
		{"shaw", "sentence a b c d e f g h i\nview relation\n", "Number", "+8"},
		{"sinusoidal", "sentence a b c d e f g h\nview vectors\nt-max 8\n",
		 "Position vectors", "+1"},
		{"sinusoidal",
		 "sentence b b b b b b b b\nview compare\ncompare sinusoidal(freq=t2t)\npanel difference\n",
		 "difference", "+0.0"},
		{"t5", "view relation\nsentence a b c d e f g h i j k l m n o p q r s t u v\n",
		 "Number", "0"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int high = 10; high <= 16; high++) {
			const struct figure *const f = presented(rows[i].scheme, rows[i].lines);
			struct canvas *const c = help_canvas(high, 60, TIER_DIRECT, false);
			canvas_figure(c, f);
			help_assert_whole(c);
			if (*help_between(c, 1, 0, 60) == '\0' ||
			    strstr(help_screen(c), rows[i].name) == NULL ||
			    strstr(last_row(c), rows[i].bar) == NULL)
				fail_msg("%s, %d rows\n%s", rows[i].name, high, help_screen(c));
		}
}

/* A cell that words speak of has its value, though nobody chose one. */
TEST(what_is_pointed_out_is_said_without_a_cursor)
{
	static const struct mark mark = {MARK_CELL, 0, 1, 0};
	struct picture *const p =
		help_picture(&help_arena, "shaw", "sentence dog bites man\npresenter on\n");
	figure_mark(&p->figure, &mark, 1, 0, &help_arena);
	figure_cursor(&p->figure, 0, 0);
	struct canvas *const c = help_canvas(20, 60, TIER_DIRECT, false);
	canvas_figure(c, &p->figure);
	if (strstr(help_screen(c), "dog → bites") == NULL)
		fail_msg("%s", help_screen(c));
}

/* One term is seen at a time, in colours for its own values. */
TEST(terms_have_their_own_colours_for_the_back_row)
{
	static const char lines[] = "sentence dog bites man\nview terms\n";
	const struct figure *const alone = presented("sinusoidal", lines);
	const struct figure *const all = &help_picture(&help_arena, "sinusoidal", lines)->figure;
	const struct heatmap *const a = &alone->panels[1].heatmap, *const b =
									   &all->panels[1].heatmap;
	double lo = 0, hi = 0;
	mat_range(a->values, &lo, &hi);
	assert_true(fabs(a->scale.hi - fmax(fabs(lo), fabs(hi))) < 1e-12);
	assert_true(b->scale.hi > a->scale.hi);
}
