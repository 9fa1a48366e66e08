/* test_waterfall.c: sums as waterfalls and rows as columns, as cells show them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"

FIXTURE(help_begin, help_end)

static struct panel sum_panel(const struct sum_step *steps, size_t n)
{
	return (struct panel){.kind = PANEL_WATERFALL,
			      .title = "Sum",
			      .waterfall = {.steps = steps,
					    .n = n,
					    .label_title = "term",
					    .value_title = "logit",
					    .colormap = colormap_for(true, BACKGROUND_DARK)}};
}

/* The row whose first word is this label; -1: there is none. */
static int row_of(const struct canvas *c, const char *label)
{
	for (int row = 1; row < c->rows - 1; row++)
		if (strncmp(help_between(c, row, 1, c->cols - 1), label, strlen(label)) == 0)
			return row;
	return -1;
}

/* The run of this sign in a row, from column `from` on: where it begins and ends. */
static bool run_of(const struct canvas *c, int row, const char *sign, int from, int *begin,
		   int *end)
{
	int col = from;
	while (col < c->cols && strcmp(help_at(c, row, col)->at, sign) != 0)
		col++;
	*begin = col;
	while (col < c->cols && strcmp(help_at(c, row, col)->at, sign) == 0)
		col++;
	*end = col;
	return *begin < *end;
}

/* ---- a sum ---------------------------------------------------------------------------------------- */

/* 0 to 6 at 8, back to 4 and on to 10: in plain signs, where a cell is a fixed part of the sum. */
TEST(each_bar_begins_where_the_last_one_ended)
{
	static const struct sum_step steps[] = {
		{.kind = STEP_ADDEND, .label = "a", .value = 6},
		{.kind = STEP_ADDEND, .label = "b", .value = -2},
		{.kind = STEP_ADDEND, .label = "c", .value = 6},
		{.kind = STEP_TOTAL, .label = "sum", .value = 10, .strong = true},
	};
	const struct panel p = sum_panel(steps, 4);
	const struct canvas *const c = help_drawn_panel(&p, 12, 90, TIER_MONO, true);
	const char *const signs[] = {"+", "-", "+", "="};
	int begin[4], end[4];
	for (size_t i = 0; i < 4; i++) {
		const int row = row_of(c, steps[i].label);
		assert_true(row > 0);
		/* Behind the value, which has a sign of its own. */
		assert_true(run_of(c, row, signs[i], 14, &begin[i], &end[i]));
	}
	const double cell = (double)(end[3] - begin[3]) / 10;
	assert_true(cell > 3);
	assert_int_equal(begin[0], begin[3]);
	assert_true(fabs((end[0] - begin[0]) - 6 * cell) <= 1);
	assert_int_equal(end[1], end[0]);
	assert_true(fabs((end[1] - begin[1]) - 2 * cell) <= 1);
	assert_int_equal(begin[2], begin[1]);
	assert_int_equal(end[2], end[3]);
}

/* A total that is not the sum so far, as a mean is, begins anew at zero, and what follows begins at its end. */
TEST(a_total_begins_at_zero)
{
	static const struct sum_step steps[] = {
		{.kind = STEP_ADDEND, .label = "a", .value = 8},
		{.kind = STEP_TOTAL, .label = "sum", .value = 8, .strong = true},
		{.kind = STEP_NOTE, .label = "mask", .text = "allowed"},
		{.kind = STEP_TOTAL, .label = "mean", .value = 3},
		{.kind = STEP_ADDEND, .label = "above", .value = 5},
	};
	const struct panel p = sum_panel(steps, 5);
	const struct canvas *const c = help_drawn_panel(&p, 12, 90, TIER_MONO, true);
	int a, b, sum[2], mean[2], above[2];
	assert_true(run_of(c, row_of(c, "sum"), "=", 14, &sum[0], &sum[1]));
	assert_true(run_of(c, row_of(c, "mean"), ".", 14, &mean[0], &mean[1]));
	assert_true(run_of(c, row_of(c, "above"), "+", 14, &above[0], &above[1]));
	assert_true(run_of(c, row_of(c, "a  "), "+", 14, &a, &b));
	assert_true(mean[0] == sum[0] && above[0] == mean[1] && above[1] == sum[1]);
	assert_non_null(strstr(help_between(c, row_of(c, "mask"), 1, 89), "allowed"));
}

/* Of more addends than rows the largest of either sign stay in their order; the others are one whose value is
 * their sum. */
TEST(small_addends_are_added_up)
{
	enum { N = 40 };
	struct sum_step steps[N + 1];
	double sum = 0, small = 0;
	size_t shown = 0;
	for (size_t i = 0; i < N; i++) {
		steps[i] = (struct sum_step){.kind = STEP_ADDEND,
					     .label = arena_printf(&help_arena, "t%zu.", i),
					     .value = i % 7 == 3 ? (i % 2 ? -1 : 1) *
									   (1 + (double)i / 100)
								 : 0.01 * (double)(i % 5)};
		sum += steps[i].value;
	}
	steps[N] =
		(struct sum_step){.kind = STEP_TOTAL, .label = "sum", .value = sum, .strong = true};
	const struct panel p = sum_panel(steps, N + 1);
	const struct canvas *const c = help_drawn_panel(&p, 12, 80, TIER_DIRECT, false);
	int last = 0;
	for (size_t i = 0; i < N; i++) {
		const int row = row_of(c, steps[i].label);
		if (row < 0) {
			small += steps[i].value;
			assert_true(i % 7 != 3);
			continue;
		}
		assert_true(row > last);
		last = row;
		shown++;
	}
	assert_true(shown >= 5 && shown < 10);
	const char *const more = arena_printf(&help_arena, "%zu more", N - shown);
	const int row = row_of(c, more);
	assert_true(row > last && row < row_of(c, "sum"));
	assert_non_null(
		strstr(help_between(c, row, 1, 79), arena_printf(&help_arena, "+%.2f", small)));
}

/* However few rows there are, the sum is among them. */
TEST(the_sum_stays_to_the_last)
{
	struct sum_step steps[12];
	for (size_t i = 0; i < 9; i++)
		steps[i] = (struct sum_step){.kind = STEP_ADDEND, .label = "t", .value = 1};
	steps[9] =
		(struct sum_step){.kind = STEP_TOTAL, .label = "sum", .value = 9, .strong = true};
	steps[10] = (struct sum_step){.kind = STEP_TOTAL, .label = "mean", .value = 2};
	steps[11] = (struct sum_step){.kind = STEP_ADDEND, .label = "above", .value = 7};
	const struct panel p = sum_panel(steps, 12);
	for (int rows = 5; rows < 30; rows++) {
		const struct canvas *const c = help_drawn_panel(&p, rows, 60, TIER_256, false);
		/* A mean without what is above it would say nothing. */
		const bool half = row_of(c, "mean") > 0 && row_of(c, "above") < 0;
		if (row_of(c, "sum") < 0 || half)
			fail_msg("%d rows:\n%s", rows, help_screen(c));
	}
}

/* Colours of bars and columns are seen on both backgrounds, as marks must be: 3:1. */
TEST(bars_are_seen_on_both_backgrounds)
{
	static const struct sum_step steps[] = {
		{.kind = STEP_ADDEND, .label = "plus", .value = 2},
		{.kind = STEP_ADDEND, .label = "minus", .value = -1},
		{.kind = STEP_TOTAL, .label = "sum", .value = 1, .strong = true},
		{.kind = STEP_TOTAL, .label = "mean", .value = 1.5},
	};
	for (int dark = 0; dark < 2; dark++) {
		const uint32_t page = dark ? 0x1a1b20 : 0xffffff;
		struct panel p = sum_panel(steps, 4);
		p.waterfall.colormap =
			colormap_for(true, dark ? BACKGROUND_DARK : BACKGROUND_LIGHT);
		struct canvas *const c = help_canvas(12, 80, TIER_DIRECT, false);
		c->dark = dark;
		canvas_panel(c, (struct rect){0, 0, 12, 80}, &p, false, NULL, NULL);
		uint32_t seen[4];
		for (size_t i = 0; i < 4; i++) {
			int begin, end;
			assert_true(run_of(c, row_of(c, steps[i].label), "█", 0, &begin, &end));
			seen[i] = help_at(c, row_of(c, steps[i].label), begin)->fg;
			assert_true(colour_contrast(seen[i] & 0xffffff, page) >= 3);
		}
		assert_true(seen[0] != seen[1] && seen[1] != seen[2] && seen[2] != seen[3]);
	}
}

/* ---- a row ---------------------------------------------------------------------------------------- */

static struct panel row_panel(size_t n, const double *values, size_t cursor)
{
	const char **const labels = arena_calloc(&help_arena, n, sizeof *labels);
	for (size_t i = 0; i < n; i++)
		labels[i] = arena_printf(&help_arena, "k%zu", i);
	return (struct panel){.kind = PANEL_COLUMNS,
			      .title = "Row",
			      .columns = {.n = n,
					  .cursor = cursor,
					  .labels = labels,
					  .values = values,
					  .formula = "α = 1/2",
					  .rank = "rank 1",
					  .colormap = colormap_for(false, BACKGROUND_DARK)}};
}

/* Eighths of cells from the lower edge of column `col` up. */
static int height_at(const struct canvas *c, int bottom, int col)
{
	static const char *const eighths[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	int high = 0;
	for (int row = bottom; row > 0; row--) {
		size_t k = 0;
		while (k < 8 && strcmp(help_at(c, row, col)->at, eighths[k]) != 0)
			k++;
		if (k == 8)
			break;
		high += (int)k + 1;
		if (k < 7)
			break;
	}
	return high;
}

TEST(columns_are_as_high_as_their_values)
{
	const double values[] = {0.8, 0.4, 0.2, 0.001};
	static const uint8_t masked[] = {0, 0, 0, 0};
	struct panel p = row_panel(4, values, 1);
	p.columns.masked = masked;
	const struct canvas *const c = help_drawn_panel(&p, 14, 60, TIER_DIRECT, false);
	const int labels = row_of(c, "k0"), bottom = labels - 1;
	int high[4], col = 0;
	assert_true(labels > 8);
	for (size_t i = 0; i < 4; i++) {
		while (height_at(c, bottom, col) == 0)
			col++;
		high[i] = height_at(c, bottom, col);
		while (height_at(c, bottom, col) > 0)
			col++;
	}
	assert_true(high[0] >= 56);
	assert_true(abs(2 * high[1] - high[0]) <= 1 && abs(4 * high[2] - high[0]) <= 2);
	assert_int_equal(high[3], 1); /* little, and not nothing */
	assert_non_null(strstr(help_screen(c), ".80"));
	assert_non_null(strstr(help_screen(c), "rank 1"));
}

TEST(masked_columns_say_so)
{
	const double values[] = {0.5, 0.5, 0};
	static const uint8_t masked[] = {0, 0, 1};
	struct panel p = row_panel(3, values, 0);
	p.columns.masked = masked;
	const struct canvas *const c = help_drawn_panel(&p, 10, 40, TIER_DIRECT, false);
	const char *const last = help_between(c, row_of(c, "k0") - 1, 1, 39);
	assert_non_null(strstr(last, "·"));
	assert_non_null(strstr(help_between(c, row_of(c, "k0") + 1, 1, 39), "–"));
}

/* A thousand do not fit: the chosen one is there, the largest ones too, and what is not adds up. */
TEST(of_many_columns_the_rest_is_added_up)
{
	enum { N = 1000, CHOSEN = 500 };
	static double values[N];
	double all = 0, shown = 0, said = 0;
	size_t n = 0, of = 0;
	for (size_t i = 0; i < N; i++)
		all += values[i] = i == 3 ? 0.4 : i == 990 ? 0.1 : 0.5 / (N - 2);
	const struct panel p = row_panel(N, values, CHOSEN);
	const struct canvas *const c = help_drawn_panel(&p, 12, 80, TIER_DIRECT, false);
	const char *const screen = help_screen(c);
	for (size_t i = 0; i < N; i++) {
		const char *const label = arena_printf(&help_arena, "k%zu ", i);
		if (!strstr(screen, label))
			continue;
		shown += values[i];
		n++;
	}
	assert_non_null(strstr(screen, "k3 "));
	assert_non_null(strstr(screen, "k500 "));
	assert_non_null(strstr(screen, "k990 "));
	const char *const note = strstr(screen, " of 1000 keys");
	assert_non_null(note);
	of = (size_t)atoi(note - 1);
	assert_int_equal(of, n % 10); /* its last digit stands before "of" */
	assert_int_equal(sscanf(strstr(note, "sum to "), "sum to %lf", &said), 1);
	assert_true(fabs(said - (all - shown)) <= 0.0051);
}

/* Sixty in eighty columns: all of them, the highest by its name. */
TEST(narrow_columns_name_the_highest)
{
	enum { N = 60 };
	double values[N];
	for (size_t i = 0; i < N; i++)
		values[i] = i == 30 ? 0.7 : 0.3 / (N - 1);
	const struct panel p = row_panel(N, values, 29);
	const struct canvas *const c = help_drawn_panel(&p, 10, 80, TIER_DIRECT, false);
	assert_non_null(strstr(help_screen(c), "k29"));
	assert_non_null(strstr(help_screen(c), "k30 .70"));
	assert_null(strstr(help_screen(c), "of 60 keys"));
}

/* ---- bars ------------------------------------------------------------------------------------------ */

static bool has(const struct canvas *c, const char *text)
{
	for (int row = 0; row < c->rows; row++)
		if (strstr(help_between(c, row, 0, c->cols), text))
			return true;
	return false;
}

/* Of bars that begin with the most important ones these are shown, and the one under the cursor. */
TEST(ranked_bars_keep_the_first_and_the_chosen_one)
{
	static const char *const labels[] = {"aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh"};
	static const double values[] = {8, 7, 6, 5, 4, 3, 2, 1};
	struct panel p = {.kind = PANEL_BARS,
			  .title = "Bars",
			  .bars = {.n = 8,
				   .labels = labels,
				   .values = values,
				   .unit = "",
				   .has_cursor = true,
				   .cursor = 7,
				   .ranked = true}};
	const struct canvas *c = help_drawn_panel(&p, 7, 30, TIER_MONO, false);
	assert_true(has(c, "aa") && has(c, "bb") && has(c, "hh"));
	assert_true(!has(c, "gg") && has(c, "1 to 3 and 8 of 8"));
	p.bars.cursor = 1;
	c = help_drawn_panel(&p, 7, 30, TIER_MONO, false);
	assert_true(has(c, "aa") && has(c, "dd") && has(c, "1 to 4 of 8"));
	p.bars.ranked = false;
	p.bars.cursor = 7;
	c = help_drawn_panel(&p, 7, 30, TIER_MONO, false);
	assert_true(!has(c, "aa") && has(c, "hh"));
}
