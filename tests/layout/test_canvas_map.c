/* test_canvas_map.c: matrices too large for their panel - windows, means, rulers -, what stands on
 * the borders, and the mouse. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "plot/canvas_in.h"

FIXTURE(help_begin, help_end)

static struct canvas *draw(struct rect r, const struct panel *p, struct rect *hit,
			   struct heatmap_view *v)
{
	struct canvas *const c = help_canvas(r.rows, r.cols, TIER_DIRECT, false);
	canvas_panel(c, r, p, false, hit, v);
	return c;
}

/* ---- windows ---- */

TEST(window_holds_the_cursor_and_moves_by_half_of_itself)
{
	static const enum heatmap_grid grids[] = {GRID_AUTO, GRID_CELLS};
	for (size_t k = 0; k < 2 * HELP_ROOMS; k++) {
		struct panel p = help_large(64, grids[k % 2]);
		struct heatmap_view before = {0}, v;
		size_t moves = 0;
		for (size_t row = 0; row < 64; row++, before = v) {
			struct arena_mark mark = arena_mark(&help_arena);
			p.heatmap.row = row;
			p.heatmap.col = 63 - row;
			draw(help_rooms[k / 2], &p, NULL, &v);
			arena_rewind(&help_arena, mark);
			if (v.averaged || v.rows == 64)
				break;
			assert_in_range(row, v.first_row, v.first_row + v.rows - 1);
			assert_in_range(63 - row, v.first_col, v.first_col + v.cols - 1);
			if (v.rows >= 3) {
				assert_true(v.first_row == 0 || row > v.first_row);
				assert_true(v.first_row + v.rows == 64 ||
					    row + 1 < v.first_row + v.rows);
			}
			moves += row > 0 && v.first_row != before.first_row;
		}
		assert_true(v.averaged || v.rows == 64 || moves <= 64 / (v.rows / 2));
	}
}

static size_t differing(const struct canvas *a, const struct canvas *b)
{
	size_t n = 0;
	for (int i = 0; i < a->rows * a->cols; i++)
		n += memcmp(&a->cells[i], &b->cells[i], sizeof *a->cells) != 0;
	return n;
}

static bool same_view(const struct heatmap_view *a, const struct heatmap_view *b)
{
	return a->first_row == b->first_row && a->first_col == b->first_col && a->rows == b->rows &&
	       a->cols == b->cols && a->cell_rows2 == b->cell_rows2 &&
	       a->cell_cols == b->cell_cols && a->averaged == b->averaged && a->block == b->block;
}

/* Two row labels, the labels above that give way, and brackets. */
TEST(step_inside_a_page_changes_few_cells)
{
	for (size_t k = 0; k < 6; k++) {
		struct panel p = help_large(k < 3 ? 64 : 512, (enum heatmap_grid)(k % 3));
		struct canvas *before = NULL;
		struct heatmap_view old = {0}, v;
		size_t steps = 0, redrawn = 0;
		for (size_t i = 0; i < 120; i++, old = v) {
			p.heatmap.row = i / 2;
			p.heatmap.col = (i + 1) / 2;
			struct canvas *const now = draw(help_rooms[1], &p, NULL, &v);
			if (before && same_view(&old, &v))
				assert_true(differing(before, now) <= 40);
			else
				redrawn++;
			before = now;
			steps++;
		}
		assert_true(redrawn <= 1 + steps / 6);
	}
}

TEST(grid_decides_between_means_and_a_window)
{
	static const struct {
		size_t n, size;
		enum heatmap_grid grid;
		bool cursor, averaged, window;
	} cases[] = {
		{30, 1, GRID_AUTO, true, false, false},	 {30, 1, GRID_FIT, true, false, false},
		{30, 1, GRID_CELLS, true, false, true},	 {64, 1, GRID_AUTO, true, true, false},
		{64, 1, GRID_AUTO, false, true, false},	 {44, 1, GRID_AUTO, true, false, true},
		{64, 1, GRID_FIT, true, true, false},	 {64, 2, GRID_AUTO, true, true, false},
		{64, 2, GRID_CELLS, true, false, true},	 {512, 0, GRID_AUTO, true, true, false},
		{512, 0, GRID_CELLS, true, false, true}, {512, 4, GRID_CELLS, false, false, true},
		{9, 1, GRID_CELLS, true, false, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct panel p = help_large(cases[i].n, cases[i].grid);
		struct heatmap_view v;
		p.heatmap.has_cursor = cases[i].cursor;
		draw(help_rooms[cases[i].size], &p, NULL, &v);
		if (v.averaged != cases[i].averaged ||
		    (!v.averaged && v.rows * v.cols < cases[i].n * cases[i].n) != cases[i].window)
			fail_msg("case %zu", i);
		if (cases[i].grid == GRID_CELLS) /* a row of its own for every value */
			assert_true(v.cell_rows2 >= 2 && v.cell_cols >= 2);
	}
}

/* Long labels get short, to numbers if need be, before a column goes for them; where columns go the panel
 * says which are there, and the cursor's is among them. */
TEST(labels_get_short_before_columns_go)
{
	enum { N = 52, DIGITS = 2, SHORT = 8 };
	struct panel p = help_large(N, GRID_AUTO);
	const char *labels[N];
	for (size_t i = 0; i < N; i++)
		labels[i] = i % 3 ? "counterrevolutionaries" : "of";
	p.heatmap.row_labels = p.heatmap.col_labels = labels;
	for (int cols = 40; cols < 90; cols++)
		for (size_t at = 0; at < N; at += 17) {
			const struct canvas *const c = help_canvas(1, 1, TIER_DIRECT, false);
			struct heatmap_plan plan;
			p.heatmap.row = p.heatmap.col = at;
			canvas_heatmap_plan(c, &help_arena, (struct rect){0, 0, 30, cols},
					    &p.heatmap, &plan);
			const size_t seen = plan.view.cols, first = plan.view.first_col;
			if (plan.view.averaged) { /* under three quarters beside labels of SHORT */
				assert_true(4 * (cols - 1 - SHORT) < 3 * N);
				continue;
			}
			assert_int_equal(plan.view.block, 1);
			assert_true(plan.label_cols + 1 + plan.data.cols <= cols);
			assert_in_range(at, first, first + seen - 1);
			if (cols >= DIGITS + 1 + N) {
				assert_int_equal(seen, N);
				assert_null(plan.note[0]);
				continue;
			}
			assert_true(plan.label_cols <= SHORT);
			assert_int_equal(seen, cols - 1 - plan.label_cols);
			assert_string_equal(plan.note[0],
					    arena_printf(&help_arena, "columns %zu–%zu of %d",
							 first + 1, first + seen, N));
		}
}

/* ---- means ---- */

static double mean_of(const struct heatmap *h, size_t row, size_t col, size_t block)
{
	double sum = 0, n = 0;
	for (size_t r = row; r < row + block && r < h->values.rows; r++)
		for (size_t s = col; s < col + block && s < h->values.cols; s++) {
			const size_t at = r * h->values.cols + s;
			sum += h->masked && h->masked[at] ? 0 : mat_row(h->values, r)[s];
			n += h->masked && h->masked[at] ? 0 : 1;
		}
	return sum / n;
}

/* Also over blocks at the edge that are not whole, and with values hidden by the mask. */
TEST(means_are_those_of_the_blocks)
{
	static const size_t ns[] = {67, 513, 1030};
	for (size_t k = 0; k < 6; k++) {
		const size_t n = ns[k / 2];
		struct panel p = help_large(n, GRID_FIT);
		uint8_t *const masked = arena_calloc(&help_arena, n, n);
		for (size_t i = 0; i < n * n; i++)
			masked[i] = i % 7 == 0;
		p.heatmap.masked = k % 2 ? masked : NULL;
		p.heatmap.has_cursor = false;
		p.heatmap.scale = scale_fit(-0.1, 0.1, SCALE_LINEAR, true, false);
		struct rect hit;
		struct heatmap_view v;
		const struct canvas *const c = draw(help_rooms[1], &p, &hit, &v);
		assert_true(v.averaged);
		for (size_t i = 0; i * v.block < n; i++)
			for (size_t j = 0; j * v.block < n; j++) {
				struct rect r;
				assert_true(canvas_place(hit, &v, i * v.block, j * v.block, &r));
				const struct cell *const at = help_at(c, r.row, r.col);
				const double mean =
					mean_of(&p.heatmap, i * v.block, j * v.block, v.block);
				const bool low = v.cell_rows2 == 1 && i % 2 == 1;
				const uint32_t got =
					strcmp(at->at, " ") == 0 || low ? at->bg : at->fg;
				assert_int_equal(got, help_colour(&p.heatmap, mean));
			}
	}
}

TEST(means_are_the_same_with_sums_kept)
{
	static const size_t ns[] = {64, 513, 1030, 2100};
	for (size_t k = 0; k < 4; k++) {
		struct arena_mark mark = arena_mark(&help_arena);
		struct panel p = help_large(ns[k], GRID_FIT);
		uint8_t *const masked = arena_calloc(&help_arena, ns[k], ns[k]);
		for (size_t i = 0; i < ns[k] * ns[k]; i++)
			masked[i] = i % ns[k] > i / ns[k];
		p.heatmap.masked = masked;
		p.heatmap.values.at[ns[k] * 40 + 7] = NAN;
		p.heatmap.values.at[ns[k] * 3 + 50] = -INFINITY; /* masked: no alarm */
		struct canvas *const plain = draw(help_rooms[0], &p, NULL, NULL);
		p.heatmap.sums = canvas_sums(&help_arena, &p.heatmap);
		assert_int_equal(p.heatmap.sums != NULL, ns[k] > 512);
		struct canvas *const kept = draw(help_rooms[0], &p, NULL, NULL);
		assert_int_equal(differing(plain, kept), 0);
		const char *const alarm = strchr(help_screen(plain), '!');
		assert_true(alarm && !strchr(alarm + 1, '!'));
		assert_non_null(strstr(help_screen(kept), "masked"));
		arena_rewind(&help_arena, mark);
	}
}

/* ---- labels of a relation ---- */

/* Whether a value of the block at (row, col) has this colour. */
static bool is_of_block(const struct heatmap *h, size_t row, size_t col, size_t block,
			uint32_t colour)
{
	for (size_t r = row; r < row + block && r < h->values.rows; r++)
		for (size_t s = col; s < col + block && s < h->values.cols; s++)
			if (help_colour(h, mat_row(h->values, r)[s]) == colour)
				return true;
	return false;
}

/* A mean of labels is none: a cell of many shows one of them, and the cursor's its own. */
TEST(whole_numbers_are_never_averaged)
{
	static const size_t ns[] = {67, 130, 1030};
	for (size_t k = 0; k < 3; k++) {
		const size_t n = ns[k];
		struct panel p = help_large(n, GRID_FIT);
		for (size_t i = 0; i < n * n; i++)
			p.heatmap.values.at[i] = (double)(i * 7919 % 5) - 2;
		p.heatmap.scale = scale_fit(-2, 2, SCALE_LINEAR, true, false);
		p.heatmap.integers = true;
		p.heatmap.has_cursor = false;
		struct rect hit;
		struct heatmap_view v;
		const struct canvas *c = draw(help_rooms[1], &p, &hit, &v);
		assert_true(v.averaged && v.block > 1);
		assert_non_null(strstr(help_screen(c), " one of "));
		for (size_t i = 0; i * v.block < n; i++)
			for (size_t j = 0; j * v.block < n; j++) {
				struct rect r;
				assert_true(canvas_place(hit, &v, i * v.block, j * v.block, &r));
				const struct cell *const at = help_at(c, r.row, r.col);
				const bool low = v.cell_rows2 == 1 && i % 2 == 1;
				const uint32_t got =
					strcmp(at->at, "▀") != 0 || low ? at->bg : at->fg;
				assert_true(is_of_block(&p.heatmap, i * v.block, j * v.block,
							v.block, got));
			}
	}
}

static size_t cells_with(const struct canvas *c, const char *sign)
{
	size_t n = 0;
	for (int i = 0; i < c->rows * c->cols; i++)
		n += strcmp(c->cells[i].at, sign) == 0 && c->cells[i].bg != CELL_DEFAULT;
	return n;
}

/* Words where all have room, else the numbers, and which ones they are. */
TEST(cells_hold_words_or_numbers_and_never_both)
{
	static const char *const words[] = {"ε", "↑ARG0", "↑ARG0↓ARG1", "↑ARG0↓ARG1↓manner"};
	size_t worded = 0, numbered = 0;
	for (size_t n = 2; n <= 9; n++)
		for (int cols = 24; cols <= 200; cols += 8) {
			struct panel p = help_heatmap(n, false);
			const char **at = arena_calloc(&help_arena, n * n, sizeof *at);
			double *values = arena_calloc(&help_arena, n * n, sizeof *values);
			for (size_t i = 0; i < n * n; i++) {
				values[i] = (double)(i % 4);
				at[i] = words[i % 4];
			}
			p.heatmap.values = (struct mat){n, n, n, values};
			p.heatmap.scale = (struct scale){.lo = 0, .hi = 3};
			p.heatmap.row_labels = p.heatmap.col_labels = NULL;
			p.heatmap.integers = true;
			p.heatmap.words = at;
			p.heatmap.words_are = "labels of the path";
			p.heatmap.numbers_are = "lengths of the path";
			struct canvas *const c = help_canvas(26, cols, TIER_DIRECT, false);
			canvas_panel(c, (struct rect){0, 0, 26, cols}, &p, false, NULL, NULL);
			const size_t arrows = cells_with(c, "↑"), twos = cells_with(c, "2");
			assert_true(arrows == 0 || twos == 0);
			const bool said = strstr(help_screen(c), "lengths of the path") != NULL;
			assert_false(arrows > 0 && said);
			assert_true(arrows > 0 || said || cols < 48);
			worded += arrows > 0;
			numbered += twos > 0;
		}
	assert_true(worded > 0 && numbered > 0);
}

TEST(a_name_stands_without_a_colour)
{
	static const struct heatmap_name names[] = {{-1, "[VNode]", "V"}};
	static double values[] = {-1, -1, -1, -1, 0, 1, -1, 1, 0};
	struct panel p = help_heatmap(3, false);
	p.heatmap.values.at = values;
	p.heatmap.scale = (struct scale){.lo = 0, .hi = 1};
	p.heatmap.row_labels = p.heatmap.col_labels = NULL;
	p.heatmap.integers = true;
	p.heatmap.names = names;
	p.heatmap.n_names = 1;
	for (enum tier tier = TIER_MONO; tier <= TIER_DIRECT; tier++) {
		struct canvas *const c = help_canvas(9, 40, tier, tier == TIER_MONO);
		canvas_panel(c, (struct rect){0, 0, 9, 40}, &p, false, NULL, NULL);
		const char *const screen = help_screen(c);
		size_t signs = 0;
		for (const char *at = screen; (at = strchr(at, 'V')) != NULL; at++)
			signs++;
		assert_int_equal(signs, 7); /* five cells, and "V [VNode]" */
		assert_null(strstr(screen, "1 ["
					   "VNode]"));
		assert_null(strstr(screen, "−1"));
		assert_null(strstr(screen, "-1"));
	}
}

/* ---- rulers ---- */

/* A row's label is the number of a token that this row shows, and that token. */
static size_t check_row_labels(const struct canvas *c, const struct panel *p, struct rect hit,
			       const struct heatmap_view *v)
{
	size_t found = 0;
	for (int y = hit.row; y < hit.row + hit.rows; y++) {
		char *end, *const label = help_between(c, y, 2, hit.col - 1);
		const size_t number = strtoul(label, &end, 10);
		struct rect at;
		if (*label == '\0')
			continue;
		if (!canvas_place(hit, v, number - 1, v->first_col, &at) || at.row > y ||
		    at.row + at.rows <= y)
			fail_msg("\"%s\" in row %d:\n%s", label, y, help_screen(c));
		if (*end) {
			end += strspn(end, " ");
			assert_int_equal(*end, p->heatmap.row_labels[number - 1][0]);
		}
		found++;
	}
	return found;
}

/* A number above stands over its column, as near as the edge of the data allows. */
static size_t check_col_labels(const struct canvas *c, struct rect hit,
			       const struct heatmap_view *v)
{
	size_t found = 0;
	for (int x = hit.col; x < hit.col + hit.cols; x++) {
		if (strcmp(help_at(c, hit.row - 1, x)->at, " ") == 0)
			continue;
		const int from = x;
		while (x < hit.col + hit.cols && strcmp(help_at(c, hit.row - 1, x)->at, " ") != 0)
			x++;
		const char *const text = help_between(c, hit.row - 1, from, x);
		const size_t number = strtoul(text, NULL, 10);
		struct rect at;
		found++;
		if (number == 0)
			continue; /* a word */
		if (!canvas_place(hit, v, v->first_row, number - 1, &at) || at.col > x ||
		    at.col + at.cols < from - 1)
			fail_msg("\"%s\" at %d:\n%s", text, from, help_screen(c));
	}
	return found;
}

TEST(rulers_tell_where_one_is)
{
	static const size_t ns[] = {64, 512, 4096};
	for (size_t k = 0; k < 3; k++) {
		struct arena_mark start = arena_mark(&help_arena);
		struct panel p = help_large(ns[k], GRID_AUTO);
		p.heatmap.sums = canvas_sums(&help_arena, &p.heatmap);
		for (size_t i = 0; i < HELP_ROOMS * 3 * 4; i++) {
			struct arena_mark mark = arena_mark(&help_arena);
			const struct rect r = help_rooms[i % HELP_ROOMS];
			struct rect hit;
			struct heatmap_view v;
			p.heatmap.grid = (enum heatmap_grid)(i / HELP_ROOMS % 3);
			p.heatmap.row = ns[k] * (i / HELP_ROOMS / 3) / 4;
			p.heatmap.col = ns[k] - 1 - p.heatmap.row;
			const struct canvas *const c = draw(r, &p, &hit, &v);
			const size_t rows = check_row_labels(c, &p, hit, &v);
			const size_t cols = check_col_labels(c, hit, &v);
			const bool few =
				rows < (r.rows >= 13 ? 3 : 1) || cols < (r.rows >= 13 ? 2 : 1);
			/* The cursor's own number, and what is shown. */
			const char *const screen = help_screen(c);
			char number[24], of[24], per[24];
			snprintf(number, sizeof number, "%zu", p.heatmap.row + 1);
			snprintf(of, sizeof of, " of %zu ", ns[k]);
			snprintf(per, sizeof per, "/%zu ", ns[k]);
			const bool all = !v.averaged && v.rows == ns[k] && v.cols == ns[k];
			const bool said = v.averaged ? strstr(screen, " mean ") != NULL
						     : strstr(screen, of) || strstr(screen, per);
			if (few || !strstr(screen, number) || (!all && !said))
				fail_msg("%s", screen);
			arena_rewind(&help_arena, mark);
		}
		arena_rewind(&help_arena, start);
	}
}

/* ---- borders ---- */

TEST(title_head_and_part_all_stand_on_the_borders)
{
	for (int cols = 28; cols <= 90; cols++)
		for (int grid = 0; grid < 3; grid++) {
			struct arena_mark mark = arena_mark(&help_arena);
			const struct panel p = help_large(64, (enum heatmap_grid)grid);
			struct heatmap_view v;
			const struct canvas *const c =
				draw((struct rect){0, 0, 22, cols}, &p, NULL, &v);
			const char *const screen = help_screen(c);
			assert_non_null(strstr(screen, cols < 30 ? "─ Attention"
								 : "─ Attention weights ─"));
			assert_non_null(strstr(screen, " head 1 "));
			assert_true(
				(v.averaged ? strstr(screen, " mean ") : strstr(screen, "64 ")) ||
				strstr(screen, " of 64 ") || v.rows == 64);
			arena_rewind(&help_arena, mark);
		}
}

TEST(bar_has_limits_and_lock)
{
	for (int cols = 12; cols <= 120; cols++) {
		struct arena_mark mark = arena_mark(&help_arena);
		struct panel p = help_large(9, GRID_AUTO);
		p.heatmap.scale.locked = true;
		const char *const screen =
			help_screen(draw((struct rect){0, 0, 14, cols}, &p, NULL, NULL));
		assert_non_null(strstr(screen, "−1"));
		assert_true(strstr(screen, "+1") || strstr(screen, "…1"));
		if (cols >= 28)
			assert_non_null(strstr(screen, "locked"));
		arena_rewind(&help_arena, mark);
	}
}

/* Returns how many different backgrounds are in a row of the screen, without that of blanks. */
static size_t colours_in(const struct canvas *c, int row)
{
	uint32_t seen[64];
	size_t n = 0;
	for (int col = 1; col < c->cols - 1; col++) {
		const uint32_t bg = help_at(c, row, col)->bg;
		bool known = bg == CELL_DEFAULT;
		for (size_t i = 0; i < n; i++)
			known |= seen[i] == bg;
		if (!known && n < 64)
			seen[n++] = bg;
	}
	return n;
}

/* Values that are one thing or the other have a box for each; one value between them makes it a scale. */
TEST(two_values_have_two_boxes)
{
	for (int between = 0; between < 2; between++) {
		struct panel p = help_large(9, GRID_AUTO);
		const struct canvas *c;
		int bar = -1;
		for (size_t i = 0; i < 81; i++)
			help_numbers[i] = i % 9 <= i / 9;
		help_numbers[40] = between ? 0.5 : 1;
		p.heatmap.values.at = help_numbers;
		p.heatmap.scale = (struct scale){.lo = 0, .hi = 1};
		p.heatmap.ends[0] = "not seen";
		p.heatmap.ends[1] = "seen";
		c = draw((struct rect){0, 0, 14, 60}, &p, NULL, NULL);
		for (int row = 0; row < 14; row++)
			bar = strstr(help_between(c, row, 0, 60), "not seen") ? row : bar;
		assert_true(bar > 0);
		assert_true(between ? colours_in(c, bar) > 4 : colours_in(c, bar) == 2);
	}
}

TEST(shared_bar_leaves_its_row_to_the_data)
{
	struct panel p = help_large(9, GRID_AUTO);
	struct rect with, without;
	draw((struct rect){0, 0, 8, 40}, &p, &with, NULL);
	p.heatmap.no_bar = true;
	const struct canvas *const c = draw((struct rect){0, 0, 8, 40}, &p, &without, NULL);
	assert_true(without.rows >= with.rows);
	assert_null(strstr(help_screen(c), "berlin"));
}

TEST(panel_that_is_off_says_so)
{
	struct panel p = help_large(3, GRID_AUTO);
	struct rect hit;
	p.off = true;
	for (int cols = 20; cols < 50; cols++) {
		const struct canvas *const c = draw((struct rect){0, 0, 9, cols}, &p, &hit, NULL);
		assert_non_null(strstr(help_screen(c), "(off) "));
		assert_int_not_equal(help_at(c, hit.row, hit.col)->bg,
				     help_colour(&p.heatmap, p.heatmap.values.at[0]));
	}
}

/* ---- the mouse ---- */

/* The colour of the upper or lower half of a screen cell without words. */
static uint32_t half_colour(const struct cell *k, bool lower)
{
	const bool up = strcmp(k->at, "▀") == 0, down = strcmp(k->at, "▄") == 0;
	return (up && !lower) || (down && lower) ? k->fg : k->bg;
}

/* The cursor marks one of two values in a screen row: the other keeps all its colour; in cells of one
 * column both do, and ticks beside the map are at the half of the row. */
TEST(a_cursor_is_on_one_row_where_two_share_a_screen_row)
{
	const struct rect r = {0, 0, 15, 34};
	for (size_t row = 0; row < 21; row++)
		for (size_t col = 0; col < 21; col += 5) {
			struct panel p = help_large(21, GRID_FIT);
			struct rect data, at;
			struct heatmap_view v;
			p.heatmap.has_cursor = false;
			const struct canvas *const plain = draw(r, &p, &data, &v);
			p.heatmap.has_cursor = true;
			p.heatmap.row = row;
			p.heatmap.col = col;
			const struct canvas *const c = draw(r, &p, &data, &v);
			assert_true(v.cell_rows2 == 1 && v.block == 1);
			assert_true(canvas_place(data, &v, row, col, &at));
			size_t marked = 0;
			for (int y = 0; y < 2 * data.rows; y++)
				for (int x = data.col; x < data.col + data.cols; x++) {
					const bool here = (size_t)y == row && x >= at.col &&
							  x < at.col + at.cols;
					const int line = data.row + y / 2;
					const bool same =
						half_colour(help_at(c, line, x), y % 2) ==
						half_colour(help_at(plain, line, x), y % 2);
					assert_true(same || here);
					marked += !same;
				}
			assert_true(at.cols == 1 ? marked == 0 : marked > 0);
			const struct cell *const tick = help_at(c, at.row, data.col - 1);
			if (at.cols == 1) {
				assert_string_equal(tick->at, row % 2 ? "▗" : "▝");
				assert_true(tick->attrs & ATTR_ACCENT);
			}
			/* Its word stands beside the row, or its number. */
			const char *const name = help_between(c, at.row, 0, data.col);
			assert_true(strstr(name, p.heatmap.row_labels[row]) ||
				    strstr(name, arena_printf(&help_arena, "%zu", row + 1)));
			unsigned looks = 0; /* of the word, which may be the first of two */
			for (int x = 0; x < data.col; x++)
				looks |= help_at(c, at.row, x)->attrs;
			assert_true(looks & ATTR_ACCENT);
		}
}

/* In windows, means and presenter's cells, in all tiers: what is hit on the cells of a value is that
 * value; the first of its block, and of two in one screen row the upper. */
TEST(place_and_hit_are_inverse)
{
	static const size_t ns[] = {1, 7, 20, 64, 600};
	for (size_t k = 0; k < 5 * 3 * 2 * HELP_ROOMS; k++) {
		struct arena_mark mark = arena_mark(&help_arena);
		const size_t n = ns[k % 5];
		struct panel p = help_large(n, (enum heatmap_grid)(k / 5 % 3));
		const struct rect r = help_rooms[k / 30];
		struct canvas *const c =
			help_canvas(r.rows, r.cols, (enum tier)(k % TIER_COUNT), false);
		struct rect hit, at;
		struct heatmap_view v;
		size_t row, col, seen = 0;
		c->presenter = k / 15 % 2;
		canvas_panel(c, r, &p, false, &hit, &v);
		for (size_t i = v.first_row; i < v.first_row + v.rows; i++)
			for (size_t j = v.first_col; j < v.first_col + v.cols; j++) {
				assert_true(canvas_place(hit, &v, i, j, &at));
				assert_true(at.rows > 0 && at.cols > 0);
				size_t top = (i - v.first_row) / v.block;
				top -= v.cell_rows2 == 1 ? top % 2 : 0;
				const size_t left = (j - v.first_col) / v.block * v.block;
				for (int y = 0; y < at.rows * at.cols; y++) {
					assert_true(canvas_hit(hit, &v, at.row + y / at.cols,
							       at.col + y % at.cols, &row, &col));
					assert_int_equal(row, v.first_row + top * v.block);
					assert_int_equal(col, v.first_col + left);
				}
				seen++;
			}
		assert_true(seen > 0);
		assert_false(canvas_place(hit, &v, v.first_row + v.rows, v.first_col, &at));
		assert_false(canvas_place(hit, &v, v.first_row, v.first_col + v.cols, &at));
		assert_true(v.first_row == 0 ||
			    !canvas_place(hit, &v, v.first_row - 1, v.first_col, &at));
		arena_rewind(&help_arena, mark);
	}
}
