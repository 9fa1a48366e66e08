/* test_canvas.c: the invariants of the grid, and heatmaps on it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "posviz/base/text.h"

FIXTURE(help_begin, help_end)

/* ---- the grid ---- */

TEST(text_keeps_wide_characters_whole)
{
	struct canvas *const c = help_canvas(1, 6, TIER_MONO, false);
	assert_int_equal(canvas_text(c, 0, 0, 6, "猫x猫", 0), 5);
	assert_string_equal(help_screen(c), "猫x猫\n");
	canvas_text(c, 0, 1, 1, "a", 0); /* over a second half: the first is blanked */
	assert_string_equal(help_screen(c), " ax猫\n");
	canvas_text(c, 0, 3, 1, "b", 0); /* over a first half: the second is blanked */
	assert_string_equal(help_screen(c), " axb\n");
	canvas_text(c, 0, 0, 6, "猫猫猫", 0);
	canvas_text(c, 0, 1, 2, "魚", 0); /* over two halves of different characters */
	assert_string_equal(help_screen(c), " 魚 猫\n");
	help_assert_whole(c);
}

TEST(text_never_leaves_its_columns)
{
	struct canvas *const c = help_canvas(2, 5, TIER_MONO, false);
	assert_int_equal(canvas_text(c, 0, 0, 3, "猫猫", 0), 2);
	assert_int_equal(canvas_text(c, 1, 4, 9, "猫", 0), 0);
	assert_int_equal(canvas_text(c, 5, 0, 9, "x", 0), 0);
	assert_int_equal(canvas_text(c, -1, 0, 9, "x", 0), 0);
	canvas_text(c, 1, -1, 4, "abcdef", 0);
	assert_string_equal(help_screen(c), "猫\nbcd\n");
	canvas_text(c, 1, -1, 4, "猫yz", 0);
	assert_string_equal(help_screen(c), "猫\nbyz\n");
	help_assert_whole(c);
}

TEST(text_puts_marks_into_the_cell_of_their_base)
{
	struct canvas *const c = help_canvas(1, 4, TIER_MONO, false);
	assert_int_equal(canvas_text(c, 0, 0, 4, "e\u0301x", 0), 2);
	assert_string_equal(help_at(c, 0, 0)->at, "e\u0301");
	assert_string_equal(help_at(c, 0, 1)->at, "x");
	help_assert_whole(c);
}

/* Joiners stay with letters, and pictures stay apart. */
TEST(text_has_marks_in_columns_of_their_own)
{
	struct canvas *const c = help_canvas(1, 6, TIER_MONO, false);
	assert_int_equal(canvas_text(c, 0, 0, 6, "कि\u0902x", 0), 3);
	assert_string_equal(help_at(c, 0, 1)->at, "\u093f\u0902");
	help_assert_whole(c);
	assert_int_equal(canvas_text(c, 0, 0, 6, "ශ්\u200dර", 0), 2);
	assert_string_equal(help_at(c, 0, 0)->at, "ශ්\u200d");
	assert_int_equal(canvas_text(c, 0, 0, 6, "👩\u200d🔬", 0), 4);
	assert_string_equal(help_at(c, 0, 0)->at, "👩");
}

TEST(text_uses_plain_signs_in_ascii)
{
	struct canvas *const c = help_canvas(1, 9, TIER_MONO, true);
	canvas_text(c, 0, 0, 9, "−1…2×3·→ᵀ", 0);
	assert_string_equal(help_screen(c), "-1~2x3.>T\n");
}

TEST(writes_at_random_keep_the_grid_whole)
{
	static const char *const texts[] = {"猫魚", "a", "e\u0301e\u0301", "x猫y", "  ", "が"};
	struct canvas *const c = help_canvas(5, 9, TIER_DIRECT, false);
	unsigned seed = 1;
	for (int i = 0; i < 3000; i++) {
		int number[4];
		for (int k = 0; k < 4; k++)
			number[k] = (int)((seed = seed * 1103515245u + 12345u) >> 16 & 0xff);
		const int row = number[0] % 7 - 1, col = number[1] % 13 - 2, size = number[2] % 6;
		if (number[3] % 4 == 0)
			canvas_fill(c, (struct rect){row, col, size % 3, size}, 0, CELL_RGB(1));
		else if (number[3] % 4 == 1)
			canvas_box(c, (struct rect){row, col, size % 4, size + 2}, "猫", "n", true);
		else
			canvas_text(c, row, col, size, texts[number[3] % 6], ATTR_BOLD);
		help_assert_whole(c);
	}
}

TEST(box_has_title_and_note_on_its_border)
{
	struct canvas *const c = help_canvas(3, 24, TIER_16, false);
	canvas_box(c, (struct rect){0, 0, 3, 24}, "Bias", "head 1", true);
	assert_string_equal(help_screen(c), "┌─ Bias ────── head 1 ─┐\n"
					    "│                      │\n"
					    "└──────────────────────┘\n");
	assert_int_equal(help_at(c, 0, 3)->attrs, ATTR_BOLD | ATTR_ACCENT);
	assert_int_equal(help_at(c, 0, 0)->attrs, ATTR_ACCENT);
	canvas_clear(c);
	canvas_box(c, (struct rect){0, 0, 3, 12}, "Position", "head 1", false);
	assert_string_equal(help_screen(c), "┌─ Pos…on ─┐\n│          │\n└──────────┘\n");
	struct canvas *const plain = help_canvas(2, 6, TIER_MONO, true);
	canvas_box(plain, (struct rect){0, 0, 2, 6}, NULL, NULL, false);
	assert_string_equal(help_screen(plain), "+----+\n+----+\n");
}

/* ---- heatmaps ---- */

TEST(heatmap_colours_are_those_of_the_values)
{
	for (size_t n = 1; n <= 24; n++) {
		struct canvas *const c = help_canvas(22, 47, TIER_DIRECT, false);
		const struct panel p = help_heatmap(n, true);
		struct rect hit;
		struct heatmap_view v;
		canvas_panel(c, (struct rect){0, 0, 22, 47}, &p, false, &hit, &v);
		assert_false(v.averaged);
		assert_int_equal(v.rows, n);
		/* Every half row of the screen, whatever glyph makes it. */
		for (int y = 0; y < (int)n * v.cell_rows2; y++)
			for (int x = 0; x < (int)n * v.cell_cols; x++) {
				const struct cell *const k =
					help_at(c, hit.row + y / 2, hit.col + x);
				const bool up = strcmp(k->at, "▀") == 0;
				const bool low = strcmp(k->at, "▄") == 0;
				const uint32_t got =
					(up && y % 2 == 0) || (low && y % 2 == 1) ? k->fg : k->bg;
				const size_t row = (size_t)(y / v.cell_rows2);
				const size_t col = (size_t)(x / v.cell_cols);
				assert_int_equal(
					got, help_colour(&p.heatmap, help_numbers[row * n + col]));
			}
	}
}

TEST(heatmap_of_nine_looks_like_this)
{
	struct canvas *const c = help_canvas(13, 40, TIER_DIRECT, false);
	struct panel p = help_heatmap(9, false);
	uint8_t masked[81];
	for (size_t i = 0; i < 81; i++)
		masked[i] = i % 9 > i / 9;
	p.heatmap.masked = masked;
	p.heatmap.has_cursor = true;
	p.heatmap.row = 5;
	p.heatmap.col = 1;
	struct rect hit;
	canvas_panel(c, (struct rect){0, 0, 13, 40}, &p, true, &hit, NULL);
	assert_string_equal(help_screen(c), "┌─ Bias ───────────────── head 1 of 4 ─┐\n"
					    "│           1  2  3  4  5  6  7  8  9  │\n"
					    "│ 1    the     ·  ·  ·  ·  ·  ·  ·  ·  │\n"
					    "│ 2    cat        ·  ·  ·  ·  ·  ·  ·  │\n"
					    "│ 3   that           ·  ·  ·  ·  ·  ·  │\n"
					    "│ 4    the              ·  ·  ·  ·  ·  │\n"
					    "│ 5    dog                 ·  ·  ·  ·  │\n"
					    "│ 6 chased    [ ]             ·  ·  ·  │\n"
					    "│ 7   fell                       ·  ·  │\n"
					    "│ 8 asleep                          ·  │\n"
					    "│ 9      .                             │\n"
					    "│          0               1  · masked │\n"
					    "└──────────────────────────────────────┘\n");
	assert_int_equal(help_at(c, 7, 4)->attrs, ATTR_ACCENT | ATTR_BOLD);  /* chased */
	assert_int_equal(help_at(c, 1, 15)->attrs, ATTR_ACCENT | ATTR_BOLD); /* its key 2 */
	assert_int_equal(help_at(c, 7, 14)->bg, help_colour(&p.heatmap, 4.0 / 8));
	assert_int_equal(help_at(c, 2, 15)->attrs, ATTR_DIM); /* masked */
}

TEST(heatmap_in_ascii_tells_sign_and_size)
{
	static double values[] = {-1, -0.5, 0, 0.25, 1, NAN, 0, 0, 0};
	static const uint8_t masked[] = {0, 0, 0, 0, 0, 0, 1, 1, 0};
	static const char *const words[] = {"a", "bb", "c"};
	struct panel p = help_heatmap(3, true);
	p.heatmap.values.at = values;
	p.heatmap.masked = masked;
	p.heatmap.row_labels = p.heatmap.col_labels = words;
	struct canvas *const c = help_canvas(7, 30, TIER_MONO, true);
	canvas_panel(c, (struct rect){0, 0, 7, 30}, &p, false, NULL, NULL);
	assert_string_equal(help_screen(c), "+- Bias ------- head 1 of 4 -+\n"
					    "|           a  bb   c        |\n"
					    "|       a -9  -5   0         |\n"
					    "|      bb +2  +9   !         |\n"
					    "|       c  .   .   0         |\n"
					    "| -1 -9-5 0+5+9 +1  . masked |\n"
					    "+----------------------------+\n");
}

/* Without colours the strongest sign is the value farthest from zero in every matrix, the sign stands apart, the legend
 * says so, and the bar has the signs of the cells: one below zero all through, one with both signs, weights. */
TEST(without_colours_every_matrix_is_read_alike)
{
	static const struct {
		bool diverging, ascii;
		int half;
		const char *says, *most, *other;
	} rows[] = {
		{true, true, -1, "9 most, - below 0", "-9", "+9"},
		{true, true, 0, "9 most, - below 0", "-9", "9 of"},
		{false, true, 0, "9 most", " 9", "-9"},
		{true, false, -1, "█ most below 0", "█", "−█"},
		{true, false, 0, "█ most, − below 0", "−█", "9"},
		{false, false, 0, "█ most", "█", "−"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct panel p = help_heatmap(5, rows[i].diverging);
		p.note = NULL;
		p.heatmap.scale.half = rows[i].half;
		for (size_t k = 0; k < 25 && rows[i].half < 0; k++)
			help_numbers[k] = -fabs(help_numbers[k]);
		struct canvas *const c = help_canvas(13, 60, TIER_MONO, rows[i].ascii);
		canvas_panel(c, (struct rect){0, 0, 13, 60}, &p, false, NULL, NULL);
		const char *const screen = help_screen(c);
		const char *const bar = strstr(screen, rows[i].says);
		if (!bar || !strstr(screen, rows[i].most) || strstr(screen, rows[i].other))
			fail_msg("row %zu:\n%s", i, screen);
		const char *line = bar;
		while (line > screen && line[-1] != '\n')
			line--;
		const char *swatch = strstr(line, rows[i].most);
		if (swatch >= bar && swatch < bar + strlen(rows[i].says))
			swatch = strstr(bar + strlen(rows[i].says), rows[i].most);
		if (!swatch || swatch > strchr(bar, '\n'))
			fail_msg("row %zu: the bar is another:\n%s", i, screen);
	}
}

TEST(heatmap_in_small_tiers_has_only_their_colours)
{
	static const enum tier tiers[] = {TIER_MONO, TIER_8, TIER_16};
	for (size_t t = 0; t < 3; t++) {
		struct canvas *const c = help_canvas(13, 40, tiers[t], false);
		const struct panel p = help_heatmap(9, true);
		struct rect hit;
		canvas_panel(c, (struct rect){0, 0, 13, 40}, &p, false, &hit, NULL);
		for (int i = 0; i < c->rows * c->cols; i++) {
			const uint32_t both[] = {c->cells[i].fg, c->cells[i].bg};
			for (size_t k = 0; k < 2; k++) {
				if (both[k] == CELL_DEFAULT)
					continue;
				assert_true(t > 0 && (both[k] & CELL_ANSI(0)) != 0);
				assert_true((both[k] & 0xffffffu) < (t == 1 ? 8u : 16u));
			}
		}
		/* Far off the diagonal a sign says which side it is, or a hue. */
		const int last = hit.col + hit.cols - 1;
		const struct cell *const neg = help_at(c, hit.row + 8, hit.col);
		const struct cell *const pos = help_at(c, hit.row, last - (t > 0 ? 0 : 2));
		if (t == 0) {
			assert_string_equal(neg->at, "−");
			assert_string_equal(pos->at, "+");
		} else {
			assert_int_equal(neg->bg, CELL_ANSI(6));
			assert_int_equal(pos->bg, CELL_ANSI(3));
		}
	}
}

TEST(heatmap_marks_nan_and_clipped_values)
{
	struct panel p = help_heatmap(3, true);
	help_numbers[1] = NAN;
	help_numbers[2] = 7;
	help_numbers[6] = -7;
	p.heatmap.scale.locked = true;
	struct canvas *const c = help_canvas(13, 40, TIER_DIRECT, false);
	struct rect hit;
	struct heatmap_view v;
	canvas_panel(c, (struct rect){0, 0, 13, 40}, &p, false, &hit, &v);
	const int x = (v.cell_cols - 1) / 2, y = (v.cell_rows2 / 2 - 1) / 2;
	const struct cell *const nan = help_at(c, hit.row + y, hit.col + v.cell_cols + x);
	assert_string_equal(nan->at, "!");
	assert_int_equal(nan->attrs, ATTR_REVERSE);
	/* Below their numbers. */
	const int last = v.cell_rows2 / 2 - 1;
	assert_true(last > y);
	assert_string_equal(help_at(c, hit.row + last, hit.col + 2 * v.cell_cols + x)->at, "^");
	assert_string_equal(help_at(c, hit.row + v.cell_rows2 + last, hit.col + x)->at, "v");
	assert_non_null(strstr(help_screen(c), "locked"));
}

/* Where there is no row below it the mark stands behind the number, or alone. */
TEST(heatmap_marks_what_is_clipped_in_cells_of_one_row)
{
	struct panel p = help_heatmap(3, true);
	help_numbers[2] = 7;
	p.heatmap.scale.locked = true;
	struct canvas *const c = help_canvas(7, 40, TIER_DIRECT, false);
	struct rect hit;
	struct heatmap_view v;
	canvas_panel(c, (struct rect){0, 0, 7, 40}, &p, false, &hit, &v);
	assert_int_equal(v.cell_rows2, 2);
	const int from = hit.col + 2 * v.cell_cols;
	assert_string_equal(help_between(c, hit.row, from, from + v.cell_cols),
			    v.cell_cols >= 7 ? "7.00^" : "^");
}

TEST(heatmap_digits_of_integers_need_less_room)
{
	static double values[] = {0, 12, -3, 4};
	struct panel p = help_heatmap(2, true);
	p.heatmap.values.at = values;
	p.heatmap.scale = scale_fit(-12, 12, SCALE_LINEAR, true, false);
	p.heatmap.row_labels = p.heatmap.col_labels = NULL;
	struct canvas *c = help_canvas(7, 15, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 7, 15}, &p, false, NULL, NULL);
	assert_null(strstr(help_screen(c), "−3"));
	p.heatmap.integers = true;
	canvas_panel(c, (struct rect){0, 0, 7, 15}, &p, false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "−3"));
}

/* "[-5]" in cells of three columns: the opening bracket stands on the neighbour's blank. */
TEST(heatmap_cursor_leaves_the_sign_of_a_number)
{
	static double values[] = {0, -5, 1, 2, -5, 3, 4, 5, -5};
	struct panel p = help_heatmap(3, true);
	p.heatmap.values.at = values;
	p.heatmap.scale = scale_fit(-5, 5, SCALE_LINEAR, true, false);
	p.heatmap.integers = p.heatmap.has_cursor = true;
	p.heatmap.row = p.heatmap.col = 1;
	size_t closed = 0;
	for (int cols = 12; cols <= 40; cols++) {
		struct canvas *c = help_canvas(9, cols, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, 9, cols}, &p, false, NULL, NULL);
		for (int i = 1; i + 1 < c->rows * c->cols; i++)
			if (strcmp(c->cells[i].at, "5") == 0 &&
			    strcmp(c->cells[i + 1].at, "]") == 0) {
				assert_string_equal(c->cells[i - 1].at, "−");
				closed++;
			}
	}
	assert_true(closed > 0);
}

TEST(heatmap_without_room_shows_means_or_a_window)
{
	struct panel p = help_heatmap(64, true);
	struct canvas *const c = help_canvas(21, 46, TIER_DIRECT, false);
	struct rect hit;
	struct heatmap_view v;
	canvas_panel(c, (struct rect){0, 0, 21, 46}, &p, false, &hit, &v);
	assert_true(v.averaged);
	assert_int_equal(v.block, 2);
	assert_non_null(strstr(help_screen(c), "mean of 2×2"));
	const double mean =
		(help_numbers[0] + help_numbers[1] + help_numbers[64] + help_numbers[65]) / 4;
	assert_int_equal(help_at(c, hit.row, hit.col)->fg, help_colour(&p.heatmap, mean));

	/* The form of the whole comes first, unless single values are wanted. */
	p.heatmap.has_cursor = true;
	p.heatmap.row = 40;
	p.heatmap.col = 63;
	canvas_panel(c, (struct rect){0, 0, 21, 46}, &p, false, &hit, &v);
	assert_true(v.averaged);
	p.heatmap.grid = GRID_CELLS;
	canvas_panel(c, (struct rect){0, 0, 21, 46}, &p, false, &hit, &v);
	assert_false(v.averaged);
	assert_in_range(40, v.first_row, v.first_row + v.rows - 1);
	assert_int_equal(v.first_col + v.cols, 64);
	char note[64];
	snprintf(note, sizeof note, "%zu–%zu × %zu–64 of 64", v.first_row + 1, v.first_row + v.rows,
		 v.first_col + 1);
	assert_non_null(strstr(help_screen(c), note));
}

/* Where most of it is seen, or means would be too few to show a form, single values are. */
TEST(heatmap_with_little_missing_is_a_window)
{
	static const struct {
		size_t n;
		struct rect r;
		bool averaged;
	} cases[] = {
		{40, {0, 0, 21, 46}, false}, /* 34 rows of 40 */
		{20, {0, 0, 9, 40}, false},  /* half of it, or means of 10 by 10 */
		{60, {0, 0, 21, 46}, true},
		{60, {0, 0, 9, 20}, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct panel p = help_heatmap(cases[i].n, true);
		struct canvas *const c = help_canvas(21, 46, TIER_DIRECT, false);
		struct rect hit;
		struct heatmap_view v;
		p.heatmap.has_cursor = true;
		canvas_panel(c, cases[i].r, &p, false, &hit, &v);
		assert_true(v.averaged || v.rows < cases[i].n);
		assert_int_equal(v.averaged, cases[i].averaged);
	}
}

TEST(heatmap_labels_stand_beside_their_values)
{
	static const char *const words[] = {"猫", "e\u0301", "Donaudampfschifffahrtsgesellschaft"};
	struct panel p = help_heatmap(3, true);
	p.heatmap.row_labels = p.heatmap.col_labels = words;
	struct canvas *const c = help_canvas(10, 60, TIER_DIRECT, false);
	struct rect hit;
	struct heatmap_view v;
	canvas_panel(c, (struct rect){0, 0, 10, 60}, &p, false, &hit, &v);
	help_assert_whole(c);
	const int edge = hit.col - 2;
	int y[3];
	for (size_t i = 0; i < 3; i++) {
		struct rect at;
		assert_true(canvas_place(hit, &v, i, 0, &at));
		y[i] = at.row + (at.rows - 1) / 2;
	}
	assert_string_equal(help_at(c, y[0], edge - 1)->at, "猫");
	assert_int_equal(help_at(c, y[0], edge)->width, 0);
	assert_string_equal(help_at(c, y[1], edge)->at, "e\u0301");
	assert_string_equal(help_at(c, y[2], edge)->at, "…");
	assert_true(text_width(help_between(c, y[2], 1, edge + 1)) <= 56 / 3);
	/* Above there is no room for the long word, so numbers stand in the middle of their columns. */
	const int middle = hit.col + v.cell_cols + v.cell_cols / 2;
	assert_string_equal(help_at(c, hit.row - 1, middle)->at, "2");
	assert_true(strchr(help_between(c, y[1], 1, edge), '2') != NULL);
}

TEST(heatmap_says_what_it_hides_even_in_little_room)
{
	const struct panel p = help_heatmap(30, true);
	struct canvas *const c = help_canvas(8, 20, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 8, 20}, &p, false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "mean of "));
}

/* ---- the mouse ---- */

TEST(hit_is_the_inverse_of_drawing)
{
	static const size_t sizes[] = {1, 3, 9, 20, 40, 64};
	for (size_t k = 0; k < 6; k++)
		for (int cols = 4; cols <= 70; cols += 3)
			for (int rows = 1; rows <= 26; rows += 5) {
				struct arena_mark mark = arena_mark(&help_arena);
				struct panel p = help_heatmap(sizes[k], true);
				struct canvas *const c =
					help_canvas(rows, cols, TIER_DIRECT, false);
				struct rect hit;
				struct heatmap_view v;
				size_t r = 0, s = 0;
				p.heatmap.has_cursor = true;
				p.heatmap.row = sizes[k] / 3;
				p.heatmap.col = sizes[k] / 2;
				canvas_panel(c, (struct rect){0, 0, rows, cols}, &p, false, &hit,
					     &v);
				assert_true(hit.rows >= 1 && hit.row + hit.rows <= rows);
				assert_true(hit.cols >= 1 && hit.col + hit.cols <= cols);
				for (int y = 0; y < hit.rows; y++)
					for (int x = 0; x < hit.cols; x++) {
						assert_true(canvas_hit(hit, &v, hit.row + y,
								       hit.col + x, &r, &s));
						assert_in_range(r, v.first_row,
								v.first_row + v.rows - 1);
						const size_t top = (r - v.first_row) / v.block *
								   (size_t)v.cell_rows2;
						assert_true((int)top <= 2 * y &&
							    2 * y < (int)top + v.cell_rows2);
						const size_t left = (s - v.first_col) / v.block *
								    (size_t)v.cell_cols;
						assert_in_range(x, left,
								left + (size_t)v.cell_cols - 1);
					}
				assert_false(canvas_hit(hit, &v, hit.row - 1, hit.col, &r, &s));
				assert_false(
					canvas_hit(hit, &v, hit.row, hit.col + hit.cols, &r, &s));
				arena_rewind(&help_arena, mark);
			}
}

TEST(cursor_brackets_stand_on_the_cell_of_the_cursor)
{
	struct panel p = help_heatmap(9, true);
	p.heatmap.has_cursor = true;
	for (size_t i = 0; i < 81; i++) {
		struct canvas *const c = help_canvas(22, 47, TIER_DIRECT, false);
		struct rect hit;
		struct heatmap_view v;
		size_t r = 0, s = 0;
		int found = 0;
		p.heatmap.row = i / 9;
		p.heatmap.col = i % 9;
		canvas_panel(c, (struct rect){0, 0, 22, 47}, &p, false, &hit, &v);
		for (int k = 0; k < c->rows * c->cols; k++) {
			if (strcmp(c->cells[k].at, "[") != 0 && strcmp(c->cells[k].at, "]") != 0)
				continue;
			assert_true(canvas_hit(hit, &v, k / c->cols, k % c->cols, &r, &s));
			assert_int_equal(r, p.heatmap.row);
			assert_int_equal(s, p.heatmap.col);
			found++;
		}
		assert_int_equal(found, 2);
	}
}

/* Cells of one column have no room for the brackets of the cursor. */
TEST(the_cell_of_the_cursor_is_reversed_among_shades)
{
	struct panel p = help_heatmap(9, true);
	p.heatmap.has_cursor = true;
	for (size_t i = 0; i < 81; i++) {
		struct canvas *const c = help_canvas(14, 24, TIER_MONO, false);
		struct rect hit;
		struct heatmap_view v;
		size_t r = 0, s = 0;
		int found = 0;
		p.heatmap.row = i / 9;
		p.heatmap.col = i % 9;
		canvas_panel(c, (struct rect){0, 0, 14, 24}, &p, false, &hit, &v);
		for (int k = 0; k < c->rows * c->cols; k++) {
			if (!(c->cells[k].attrs & ATTR_REVERSE) ||
			    !canvas_hit(hit, &v, k / c->cols, k % c->cols, &r, &s))
				continue;
			assert_int_equal(r, p.heatmap.row);
			assert_int_equal(s, p.heatmap.col);
			found++;
		}
		assert_true(found > 0);
	}
}

/* Of a table without an order the last columns go, once the others are short, and that is said. */
TEST(columns_that_have_no_room_are_told_of)
{
	static const char *const cells[] = {"0123456789", "0123456789", "0123456789"};
	const struct panel p = {.kind = PANEL_TABLE,
				.table = {.rows = 1, .cols = 3, .cells = cells}};
	struct canvas *c = help_canvas(6, 24, TIER_MONO, true);
	canvas_panel(c, (struct rect){0, 0, 6, 24}, &p, false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "01~89"));
	assert_null(strstr(help_screen(c), "columns"));
	c = help_canvas(6, 20, TIER_MONO, true);
	canvas_panel(c, (struct rect){0, 0, 6, 20}, &p, false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "2 of 3 columns"));
}

/* Three groups of ten rows "a0" to "c9" under titles of their own, drawn so high. */
static const char *grouped_table(int rows, size_t chosen, bool from_top)
{
	enum { GROUPS = 3, EACH = 11 };
	static const char *cells[GROUPS * EACH];
	static char text[GROUPS * EACH][12];
	static bool group[GROUPS * EACH];
	for (int i = 0; i < GROUPS * EACH; i++) {
		group[i] = i % EACH == 0;
		snprintf(text[i], sizeof text[i], group[i] ? "Group %c" : "%c%d", 'a' + i / EACH,
			 i % EACH - 1);
		cells[i] = text[i];
	}
	static const char *const head[] = {"name"};
	const struct panel p = {.kind = PANEL_TABLE,
				.table = {.rows = GROUPS * EACH,
					  .cols = 1,
					  .head = head,
					  .cells = cells,
					  .group = group,
					  .has_cursor = true,
					  .row = chosen,
					  .from_top = from_top}};
	struct canvas *const c = help_canvas(rows, 40, TIER_MONO, true);
	canvas_panel(c, (struct rect){0, 0, rows, 40}, &p, false, NULL, NULL);
	return help_screen(c);
}

/* Where nobody moved the cursor a table is read from its beginning; else the chosen row is in sight. */
TEST(a_table_begins_at_its_first_row)
{
	const char *const top = grouped_table(14, 30, true);
	assert_non_null(strstr(top, "Group a"));
	assert_non_null(strstr(top, " a0 "));
	assert_null(strstr(top, " c7 "));
	assert_non_null(strstr(top, "rows 1-9 of 30"));
	const char *const chosen = grouped_table(14, 30, false);
	assert_non_null(strstr(chosen, " c7 ")); /* line 30: two groups of 11, a title, c0 to c6 */
	assert_null(strstr(chosen, " a0 "));
}

/* Rows within a group say which; a title without rows below it says nothing. */
TEST(rows_of_a_table_stand_under_their_title)
{
	for (int rows = 9; rows < 30; rows++)
		for (size_t chosen = 1; chosen < 33; chosen++) {
			if (chosen % 11 == 0)
				continue;
			const char *const screen = grouped_table(rows, chosen, false);
			const char *const first = strstr(screen, "Group");
			char name[16], title[12];
			snprintf(name, sizeof name, " %c%zu ", 'a' + (int)chosen / 11,
				 chosen % 11 - 1);
			snprintf(title, sizeof title, "Group %c", 'a' + (int)chosen / 11);
			assert_non_null(strstr(screen, name));
			assert_non_null(strstr(screen, title));
			assert_true(strstr(screen, title) < strstr(screen, name));
			/* Nothing stands above the first title but the head. */
			for (char group = 'a'; group <= 'c'; group++)
				for (int i = 0; i < 10; i++) {
					snprintf(name, sizeof name, " %c%d ", group, i);
					const char *const at = strstr(screen, name);
					assert_true(at == NULL || at > first);
				}
			for (const char *at = first; at; at = strstr(at + 1, "Group")) {
				char below[8];
				snprintf(below, sizeof below, " %c", at[6]);
				const char *const line = strchr(at, '\n');
				assert_non_null(line);
				assert_true(strncmp(line + 4, below, 2) == 0 ||
					    strncmp(line + 5, below + 1, 1) == 0);
			}
		}
}

/* Where a few columns lack, the column that matters least is cut, not the widest. */
TEST(what_matters_least_is_cut_first)
{
	static const char *const head[] = {"a", "b", "c", "d"};
	static const unsigned char priority[] = {0, 1, 3, 2};
	static const char *const row[] = {"one", "absolute or relative", "of little weight", "4"};
	const char *cells[4 * 13];
	for (size_t i = 0; i < 4 * 13; i++)
		cells[i] = row[i % 4];
	const struct panel p = {
		.kind = PANEL_TABLE,
		.title = "T",
		.rows = 1,
		.cols = 1,
		.table = {
			.rows = 13, .cols = 4, .head = head, .cells = cells, .priority = priority}};
	const char *const screen = help_screen(help_drawn_panel(&p, 18, 48, TIER_DIRECT, false));
	if (!strstr(screen, "absolute or relative") || strstr(screen, "of little weight") ||
	    !strstr(screen, "…"))
		fail_msg("%s", screen);
}

/* A column that gave way to a wider one returns where that has gone too. */
TEST(a_narrow_column_stays_where_a_wide_one_goes)
{
	static const char *const head[] = {"name", "wide", "num"},
				 *const cells[] = {"one", "a cell of very many letters", "7"};
	static const unsigned char priority[] = {0, 1, 2};
	const struct panel p = {
		.kind = PANEL_TABLE,
		.title = "T",
		.rows = 1,
		.cols = 1,
		.table = {
			.rows = 1, .cols = 3, .head = head, .cells = cells, .priority = priority}};
	const char *screen = help_screen(help_drawn_panel(&p, 7, 24, TIER_DIRECT, false));
	if (!strstr(screen, "num") || !strstr(screen, "7") || strstr(screen, "many"))
		fail_msg("%s", screen);
	assert_non_null(strstr(screen, "not shown: wide"));
	screen = help_screen(help_drawn_panel(&p, 7, 60, TIER_DIRECT, false));
	assert_true(strstr(screen, "num") && strstr(screen, "very many letters"));
}
