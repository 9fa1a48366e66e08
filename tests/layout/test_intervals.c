/* test_intervals.c: intervals of bars, and levels among curves that share a plot, on cells. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"

FIXTURE(help_begin, help_end)

static struct panel interval_panel(void)
{
	static const char *const labels[] = {"wide", "none"}, *const notes[] = {"1.5", "1"};
	static const double values[] = {1.5, 1}, lo[] = {1.2, 1}, hi[] = {1.8, 1};
	static const bool faint[] = {false, true};
	return (struct panel){.kind = PANEL_BARS,
			      .title = "Time",
			      .rows = 1,
			      .cols = 1,
			      .bars = {.n = 2,
				       .labels = labels,
				       .values = values,
				       .notes = notes,
				       .unit = "times",
				       .lo = lo,
				       .hi = hi,
				       .faint = faint,
				       .axis = true,
				       .base = 1,
				       .spans = true}};
}

/* Returns the column of the only such sign in a row; -1: there is none. */
static int sign_at(const struct canvas *c, int row, int from, const char *sign)
{
	for (int col = from; col < c->cols - 1; col++)
		if (strcmp(help_at(c, row, col)->at, sign) == 0)
			return col;
	return -1;
}

/* An interval is a line with a stroke at each end and one at its value, in the middle here; without width it is the
 * stroke of its value alone. Nothing else is drawn from the base to it. */
TEST(an_interval_has_ends_and_its_value)
{
	static const char *const signs[][3] = {{"├", "╋", "┤"}, {"|", "+", "|"}};
	const struct panel p = interval_panel();
	for (int ascii = 0; ascii < 2; ascii++) {
		const struct canvas *const c =
			help_drawn_panel(&p, 8, 70, ascii ? TIER_MONO : TIER_DIRECT, ascii);
		const char *const *const s = signs[ascii];
		const int from = sign_at(c, 1, 8, s[0]), value = sign_at(c, 1, from, s[1]),
			  to = sign_at(c, 1, from + 1, s[2]);
		if (from < 0 || value < from || to < value || abs(to - value - (value - from)) > 1)
			fail_msg("%d, %d, %d\n%s", from, value, to, help_screen(c));
		const int only = sign_at(c, 2, 7, s[1]);
		assert_true(only > 0 && only < from && sign_at(c, 2, only, s[2]) < 0);
		assert_true(strcmp(help_at(c, 1, only + 1)->at, " ") == 0);
	}
}

/* A level on which curves lie has its label beside them, where it hides none of their points. */
TEST(a_level_among_curves_has_its_label)
{
	static const double x[] = {0, 1, 2, 3}, up[] = {0, 4, 4, 4}, down[] = {0, 2, 6, 8};
	static const struct series series[] = {
		{.label = "flat", .n = 4, .x = x, .y = up, .active = true},
		{.label = "steep", .n = 4, .x = x, .y = down, .colour = 1}};
	static const struct curve_level level[] = {{4, "bound of 4", "bound"}};
	struct panel p = {.kind = PANEL_CURVES,
			  .title = "Curves",
			  .rows = 1,
			  .cols = 1,
			  .curves = {.series = series, .n = 2, .together = true, .x_title = "x"}};
	for (int rows = 10; rows < 30; rows += 5) {
		const struct canvas *const bare =
			help_drawn_panel(&p, rows, 80, TIER_DIRECT, false);
		p.curves.levels = level;
		p.curves.n_levels = 1;
		const struct canvas *const c = help_drawn_panel(&p, rows, 80, TIER_DIRECT, false);
		if (!strstr(help_screen(c), "bound of 4"))
			fail_msg("%s", help_screen(c));
		size_t hidden = 0;
		for (int i = 0; i < c->rows * c->cols; i++)
			hidden +=
				bare->cells[i].fg != CELL_DEFAULT && c->cells[i].fg == CELL_DEFAULT;
		assert_int_equal(hidden, 0);
		p.curves.n_levels = 0;
	}
}
