/* test_curves.c: curves with marks and short names, on a terminal and on a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_pages.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "plot/canvas_chart.h"
#include "plot/curve_axis.h"
#include "plot/curve_panes.h"
#include "posviz/base/text.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/raster.h"

FIXTURE(open_arena, close_arena)

/* ---- heights ------------------------------------------------------------------------------------- */

TEST(a_height_is_between_its_points)
{
	static const double x[] = {-2, 0, 1, 3}, y[] = {4, 2, NAN, 7};
	const struct series s = {.n = 4, .x = x, .y = y};
	double at;
	assert_true(curves_height(&s, -2, &at) && fabs(at - 4) <= 0);
	assert_true(curves_height(&s, -1.5, &at) && fabs(at - 3.5) < 1e-12);
	assert_true(curves_height(&s, 0, &at) && fabs(at - 2) <= 0);
	assert_true(curves_height(&s, 3, &at) && fabs(at - 7) <= 0);
	assert_false(curves_height(&s, 0.5, &at)); /* the line is broken */
	assert_false(curves_height(&s, 1, &at));
	assert_false(curves_height(&s, -2.1, &at));
	assert_false(curves_height(&s, 3.1, &at));
	assert_false(curves_height(&s, INFINITY, &at));
}

/* ---- rows of values ------------------------------------------------------------------------------ */

/* Both ends of an axis are in the middles of rows, where their labels stand, and rows are whole steps from
 * there; plots of few rows use all of their dots. */
TEST(values_stand_beside_their_numbers)
{
	for (int sy = 1; sy <= 4; sy *= 2)
		for (int rows = 1; rows < 40; rows++) {
			double first;
			const double high = chart_dots_between(rows, sy, &first);
			if (rows >= 4) {
				assert_true(fabs(first - (sy - 1) / 2.0) < 1e-12);
				assert_true(fabs(first + high - ((rows - 1) * sy + first)) < 1e-12);
			} else {
				assert_true(fabs(first) < 1e-12 &&
					    fabs(high - (rows * sy - 1)) < 1e-12);
			}
		}
}

/* ---- titles of axes ------------------------------------------------------------------------------ */

/* A comma between the arguments of a function parts nothing. */
TEST(the_last_part_of_a_title_is_behind_a_comma_and_a_blank)
{
	assert_string_equal(chart_last_part("distance, s − t"), "s − t");
	assert_string_equal(chart_last_part("row, r + rel(t,s)"), "r + rel(t,s)");
	assert_string_equal(chart_last_part("a, b, c(1,2)"), "c(1,2)");
	assert_null(chart_last_part("rel(t,s)"));
	assert_null(chart_last_part("distance"));
}

/* ---- division into plots -------------------------------------------------------------------------- */

/* In whole cells, of four curves: rows of 4, 2, 2 and 1 make plots of 19 x 38, 41 x 18, 41 x 11 and 85 x 8,
 * large enough by 3 to 1 for 19, 41, 33 and 24. */
TEST(plots_of_cells_are_the_largest)
{
	static const struct curve_panes room = {.w = 90,
						.h = 40,
						.left = 5,
						.gap = 2,
						.around = 2,
						.whole = true,
						.least_w = 9,
						.least_h = 4,
						.flat = 3};
	struct curve_panes own = room, high = room, narrow = room;
	struct curve_plots p;
	assert_true(curve_panes_divide(&room, 4, 4, &p));
	assert_true(p.down == 2 && p.across == 2 && p.w == 41 && p.h == 18);
	assert_true(curve_panes_divide(&room, 4, 1, &p));
	assert_true(p.down == 1 && p.across == 4 && p.w == 19 && p.h == 38);
	own.own = true; /* numbers beside each take 5 more of each row */
	assert_true(curve_panes_divide(&own, 4, 4, &p));
	assert_true(p.down == 2 && p.w == 39);
	high.least_h = 20;
	assert_true(curve_panes_divide(&high, 4, 4, &p));
	assert_true(p.down == 1 && p.h == 38);
	narrow.w = 13;
	assert_false(curve_panes_divide(&narrow, 4, 4, &p));
}

/* On a page parts of a unit count: 27.33 x 53.5, 43 x 23.5, 90 x 13.5. */
TEST(plots_of_a_page_are_the_largest)
{
	static const struct curve_panes room = {.w = 100,
						.h = 60,
						.left = 10,
						.gap = 4,
						.around = 6.5,
						.least_w = 20,
						.least_h = 10,
						.flat = 1.8};
	struct curve_plots p;
	assert_true(curve_panes_divide(&room, 3, 3, &p));
	assert_true(p.down == 2 && p.across == 2 && p.w == 43 && p.h == 23.5);
	assert_true(curve_panes_divide(&room, 3, 1, &p));
	assert_true(fabs(p.w - 82 / 3.) < 1e-12 && p.h == 53.5);
	assert_true(curve_panes_divide(&room, 1, 1, &p));
	assert_true(p.down == 1 && p.across == 1 && p.w == 90);
}

/* ---- running means -------------------------------------------------------------------------------- */

enum { MANY = 512 };
static double far[MANY], wave[MANY], ramp[MANY];

/* A fast wave about a line, and the line. */
static struct curves wave_and_ramp(void)
{
	static struct series series[2];
	for (size_t i = 0; i < MANY; i++) {
		far[i] = (double)i - (MANY - 1);
		ramp[i] = far[i] / 100;
		wave[i] = ramp[i] + cos(2 * 3.14159265358979323846 * far[i] / 8);
	}
	series[0] =
		(struct series){.label = "1 wave", .n = MANY, .x = far, .y = wave, .brief = "1"};
	series[1] = (struct series){
		.label = "2 ramp", .n = MANY, .x = far, .y = ramp, .colour = 1, .brief = "2"};
	return (struct curves){.series = series, .n = 2, .integer_x = true, .by_distance = true};
}

TEST(what_turns_too_often_is_its_mean)
{
	const struct curves c = wave_and_ramp();
	struct curves out;
	const size_t of = curves_smooth(&arena, &c, 80, &out);
	assert_true(of > 8 && of < MANY / 8);
	for (size_t i = 2 * of; i < MANY - 2 * of; i++) {
		assert_true(fabs(out.series[0].y[i] - ramp[i]) < 0.2);
	}
	assert_int_equal(out.series[0].mean_of, of);
	/* What is smooth stays what it is, and is not said to be a mean. */
	assert_ptr_equal(out.series[1].y, ramp);
	assert_int_equal(out.series[1].mean_of, 0);
	/* Nothing is rounded at distance 0 and at the other end. */
	assert_true(fabs(out.series[0].y[MANY - 1] - wave[MANY - 1]) < 1e-12);
	assert_true(fabs(out.series[0].y[0] - wave[0]) < 1e-12);
	/* With a column for each turn all is as it was; and so it is without turns. */
	assert_int_equal(curves_smooth(&arena, &c, 511, &out), 0);
	assert_ptr_equal(out.series[0].y, wave);
	struct curves line = c;
	line.series++;
	line.n = 1;
	assert_int_equal(curves_smooth(&arena, &line, 20, &out), 0);
}

/* A sentence names the least and the largest value, which a mean would hide: they stay, and nothing beside them. */
TEST(means_leave_extremes_that_words_name)
{
	struct curves c = wave_and_ramp(), means, kept;
	double peaks[MANY];
	memcpy(peaks, wave, sizeof peaks);
	peaks[300] += 8;
	peaks[200] -= 7;
	struct series s = c.series[0];
	s.y = peaks;
	c.series = &s;
	c.n = 1;
	assert_true(curves_smooth(&arena, &c, 80, &means) > 0);
	c.extremes = true;
	assert_true(curves_smooth(&arena, &c, 80, &kept) > 0);
	size_t most = 0;
	for (size_t i = 0; i < MANY; i++)
		most = peaks[i] > peaks[most] ? i : most;
	for (size_t i = 0; i < MANY; i++) {
		const double want = i == 200 || i == most ? peaks[i] : means.series->y[i];
		assert_true(fabs(kept.series->y[i] - want) < 1e-12);
	}
	assert_true(means.series->y[200] > peaks[200] + 4);
}

/* Small wiggles are no turns, however many; and a line that is one but for them stays it up to its ends:
 * −512 is not drawn as −503. */
TEST(means_do_not_bend_a_line)
{
	static double line[MANY];
	struct curves c = wave_and_ramp(), out;
	struct series s = c.series[0];
	for (size_t i = 0; i < MANY; i++)
		line[i] = far[i] + (i % 2 ? 0.5 : -0.5);
	s.y = line;
	c.series = &s;
	c.n = 1;
	assert_int_equal(curves_smooth(&arena, &c, 80, &out), 0);
	for (size_t i = 0; i < MANY; i++)
		line[i] = far[i] + (i % 2 ? 20 : -20);
	assert_true(curves_smooth(&arena, &c, 80, &out) > 0);
	for (size_t i = 1; i + 1 < MANY; i++)
		assert_true(fabs(out.series->y[i] - far[i]) < 15);
	/* Without them it is the line. */
	for (size_t i = 0; i < MANY; i++)
		line[i] = far[i] + (i > 200 && i < 300 ? i % 2 ? 30 : -30 : 0);
	assert_true(curves_smooth(&arena, &c, 80, &out) > 0);
	for (size_t i = 0; i < 150; i++)
		assert_true(fabs(out.series->y[i] - far[i]) < 1e-9);
	for (size_t i = 350; i < MANY; i++)
		assert_true(fabs(out.series->y[i] - far[i]) < 1e-9);
}

TEST(means_keep_to_their_side_of_gap_and_zero)
{
	struct curves c = wave_and_ramp();
	struct series s = c.series[0];
	double y[MANY];
	struct curves out;
	memcpy(y, wave, sizeof y);
	y[200] = NAN;
	s.y = y;
	c.series = &s;
	c.n = 1;
	const size_t of = curves_smooth(&arena, &c, 80, &out);
	assert_true(of > 0 && isnan(out.series->y[200]));
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(isfinite(out.series->y[i]), i != 200);
		assert_true(i == 200 || (out.series->lo[i] <= y[i] && out.series->hi[i] >= y[i]));
	}
}

/* ---- a terminal ---------------------------------------------------------------------------------- */

enum { POINTS = 41 };
static double xs[POINTS], low[POINTS], high[POINTS];

/* Two curves with room between them; each leaves what it knows at −12. */
static struct panel two_curves(void)
{
	static struct series series[2];
	static const struct curve_mark marks[] = {{-12, 0, "trained to 12", "to 12"},
						  {12, 1, "also to 12", NULL},
						  {-12, 1, NULL, NULL},
						  {-400, 0, "never seen", NULL},
						  {INFINITY, 1, "never seen", NULL}};
	for (size_t i = 0; i < POINTS; i++) {
		xs[i] = (double)i - 20;
		low[i] = -1;
		high[i] = 1;
	}
	series[0] = (struct series){
		.label = "1 the lower of them", .n = POINTS, .x = xs, .y = low, .brief = "1"};
	series[1] = (struct series){
		.label = "2 upper", .n = POINTS, .x = xs, .y = high, .colour = 1, .brief = "2"};
	return (struct panel){.kind = PANEL_CURVES,
			      .title = "Curves",
			      .curves = {.series = series,
					 .n = 2,
					 .marks = marks,
					 .n_marks = 5,
					 .x_title = "s−t",
					 .integer_x = true}};
}

static const char *drawn(int rows, int cols, bool ascii)
{
	struct canvas *c = help_canvas(rows, cols, TIER_DIRECT, ascii);
	const struct panel p = two_curves();
	canvas_panel(c, (struct rect){0, 0, rows, cols}, &p, false, NULL, NULL);
	return help_screen(c);
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;
	for (; (text = strstr(text, word)) != NULL; text++)
		n++;
	return n;
}

TEST(marks_have_lines_and_labels)
{
	const char *screen = drawn(20, 100, false);
	assert_int_equal(count(screen, "trained to 12"), 1);
	assert_int_equal(count(screen, "also to 12"), 1);
	assert_int_equal(count(screen, "never"), 0);
	/* Without the marks other dots stand there. */
	struct panel plain = two_curves();
	plain.curves.n_marks = 0;
	struct canvas *c = help_canvas(20, 100, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 20, 100}, &plain, false, NULL, NULL);
	assert_string_not_equal(screen, help_screen(c));
	/* In ASCII: three marks of two or three rows each, and two borders in every row. */
	const size_t borders = 2 * 18;
	assert_true(count(drawn(20, 100, true), "|") >= borders + 6);
}

TEST(labels_of_marks_go_where_there_is_no_room)
{
	for (int rows = 4; rows < 24; rows++)
		for (int cols = 12; cols < 60; cols++) {
			const char *screen = drawn(rows, cols, false);
			assert_true(count(screen, "trained to 12") <= 1);
			assert_int_equal(count(screen, "trained"), count(screen, "trained to 12"));
		}
	assert_int_equal(count(drawn(7, 22, false), "trained"), 0);
}

/* Names may not take more columns than there are. */
TEST(every_size_is_drawn)
{
	for (int rows = 1; rows < 24; rows++)
		for (int cols = 1; cols < 24; cols++)
			assert_int_equal(count(drawn(rows, cols, false), "\n"), rows);
}

/* Beside each other they would be means, whose extremes are not those that words name: the active one has all the room. */
TEST(a_curve_whose_extremes_are_named_is_drawn_alone)
{
	double turns[POINTS];
	struct panel p = two_curves();
	struct series series[2] = {p.curves.series[0], p.curves.series[1]};
	for (size_t i = 0; i < POINTS; i++)
		turns[i] = i % 4 < 2 ? -1 : 1;
	series[0].y = series[1].y = turns;
	series[1].active = true;
	p.curves.series = series;
	p.curves.n_marks = 0;
	for (int named = 0; named < 2; named++) {
		struct canvas *const c = help_canvas(12, 50, TIER_DIRECT, false);
		p.curves.extremes = named == 1;
		canvas_panel(c, (struct rect){0, 0, 12, 50}, &p, false, NULL, NULL);
		const char *const screen = help_screen(c);
		if ((count(screen, "mean") > 0) == (named == 1) ||
		    (count(screen, "1 th") > 0) == (named == 1) || !strstr(screen, "2 upper"))
			fail_msg("%s", screen);
	}
}

/* Below each plot; where that is too narrow for one, its number. */
TEST(names_stand_below_their_curves)
{
	const char *wide = drawn(14, 110, false), *narrow = drawn(14, 44, false);
	assert_int_equal(count(wide, "1 the lower of them"), 1);
	assert_int_equal(count(wide, "2 upper"), 1);
	assert_int_equal(count(narrow, "2 upper"), 1);
	assert_int_equal(count(narrow, "1 the l"), 1);
	assert_true(strstr(narrow, "1 the") < strstr(narrow, "2 upper"));
}

TEST(a_curve_alone_has_its_number_too)
{
	struct panel p = two_curves();
	p.curves.n = 1;
	struct canvas *c = help_canvas(14, 110, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 14, 110}, &p, false, NULL, NULL);
	assert_int_equal(count(help_screen(c), "1 the lower of them"), 1);
}

/* Labels of marks that are close, at every width: all of them, or all short. */
TEST(marks_close_together_are_all_named)
{
	static const struct curve_mark close[] = {{-2, 0, "1 trained to 2", "1 to 2"},
						  {-8, 0, "2 trained to 8", "2 to 8"},
						  {-14, 0, "3 trained to 14", "3 to 14"}};
	struct panel p = two_curves();
	p.curves.n = 1;
	p.curves.marks = close;
	p.curves.n_marks = 3;
	for (int cols = 70; cols < 140; cols++) {
		struct canvas *c = help_canvas(20, cols, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, 20, cols}, &p, false, NULL, NULL);
		const char *screen = help_screen(c);
		assert_int_equal(
			count(screen, "to 2") + count(screen, "to 8") + count(screen, "to 14"), 3);
		assert_true(count(screen, "trained") % 3 == 0);
	}
}

/* At the curve that is one, in every tier, and at no other. */
TEST(fast_waves_say_that_they_are_means)
{
	const struct panel p = {.kind = PANEL_CURVES, .title = "W", .curves = wave_and_ramp()};
	for (enum tier tier = TIER_MONO; tier <= TIER_DIRECT; tier++) {
		for (int cols = 30; cols <= 120; cols += 9) {
			struct canvas *c = help_canvas(20, cols, tier, false);
			canvas_panel(c, (struct rect){0, 0, 20, cols}, &p, false, NULL, NULL);
			const char *const screen = help_screen(c);
			assert_int_equal(count(screen, "mean "), 1);
			assert_int_equal(count(screen, "1 wave"), 1);
			assert_int_equal(count(screen, "2 ramp"), 1);
			assert_int_equal(count(screen, "2 ramp, mean"), 0);
		}
	}
}

/* ---- several in one panel ------------------------------------------------------------------------- */

enum { HEADS = 12, PLACES = 17 };
static double places[PLACES], heights[HEADS][PLACES];
static struct series heads[HEADS];

/* Bumps of height 2 about −4 … +7, the third the one that is looked at; without a cursor. */
static struct panel many_curves(size_t n)
{
	static const char *const names[] = {"head 1", "head 2",	 "head 3",  "head 4",
					    "head 5", "head 6",	 "head 7",  "head 8",
					    "head 9", "head 10", "head 11", "head 12"};
	for (size_t h = 0; h < n; h++) {
		for (size_t i = 0; i < PLACES; i++) {
			places[i] = (double)i - 8;
			heights[h][i] = 3 * exp(-pow(places[i] - (double)h + 4, 2) / 4) - 1;
		}
		heads[h] = (struct series){.label = names[h],
					   .brief = names[h] + 5,
					   .n = PLACES,
					   .x = places,
					   .y = heights[h],
					   .colour = h,
					   .active = h == 2};
	}
	return (struct panel){.kind = PANEL_CURVES,
			      .title = "Bias by distance",
			      .curves = {.series = heads,
					 .n = n,
					 .integer_x = true,
					 .linear = 1,
					 .row_title = "heads",
					 .colormap = colormap_find("night")}};
}

/* Cells in the colour of a series that hold dots. */
static size_t dots_of(const struct canvas *c, size_t colour)
{
	const uint32_t ink = CELL_RGB(figure_series_colour(colour, true));
	size_t n = 0;
	for (int i = 0; i < c->rows * c->cols; i++) {
		uint32_t code = 0;
		text_decode(c->cells[i].at, strlen(c->cells[i].at), &code);
		n += c->cells[i].fg == ink && code > 0x2800 && code <= 0x28FF;
	}
	return n;
}

/* Equal curves take equal cells, each in its own colour: none is hidden. */
TEST(no_curve_hides_another)
{
	static const struct rect sizes[] = {
		{0, 0, 8, 50}, {0, 0, 11, 46}, {0, 0, 24, 60}, {0, 0, 14, 120}, {0, 0, 20, 30}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct panel p = many_curves(4);
		memcpy(heights[1], heights[0], sizeof heights[0]);
		memcpy(heights[3], heights[0], sizeof heights[0]);
		struct canvas *c = help_canvas(sizes[i].rows, sizes[i].cols, TIER_DIRECT, false);
		c->dark = true;
		canvas_panel(c, sizes[i], &p, false, NULL, NULL);
		const size_t first = dots_of(c, 0);
		assert_true(first >= 9);
		assert_int_equal(dots_of(c, 1), first);
		assert_int_equal(dots_of(c, 3), first);
		assert_true(dots_of(c, 2) >= 9);
	}
}

/* Eleven rows of a panel: plots 8 rows high and 9 columns wide, on one scale, named below. */
TEST(four_heads_stand_side_by_side)
{
	struct panel p = many_curves(4);
	p.curves.has_cursor = true;
	p.curves.cursor = -2; /* the top of head 3 */
	const char *const screen = help_screen(help_drawn_panel(&p, 11, 46, TIER_DIRECT, false));
	assert_string_equal(screen, "┌─ Bias by distance ─────────────────────────┐\n"
				    "│ +2   ⡄ ⠨       ⢠ ⠨        ●⠨        ⢠⠨     │\n"
				    "│     ⢰⢱ ⠨       ⡎⡆⠨       ⢰⢱⠨        ⡎⢣     │\n"
				    "│ +1  ⢸⢸ ⠨       ⡇⡇⠨       ⢸⠘⡄        ⡇⢸     │\n"
				    "│     ⡎ ⡇⠨      ⢰⠁⢸⠨       ⡎ ⢇       ⢰⠁⠨⡇    │\n"
				    "│  0 ⠄⡇⠄⡇⠬⠄⠄⠄⠄ ⠄⢸⠄⠸⡀⠄⠄⠄⠄ ⠄⠄⡇⠄⢸⠄⠄⠄⠄ ⠄⠄⢸⠄⠬⡇⠄⠄⠄ │\n"
				    "│    ⢰⠁ ⢸⠨      ⡎  ⢣      ⢰⠁ ⠨⡇      ⡎ ⠨⢸    │\n"
				    "│ −1 ⠊   ⠑⠒⠒⠒⠒ ⠒⠁  ⠨⠓⠒⠒⠒ ⠒⠊  ⠨⠘⠒⠒⠒ ⠒⠒⠁ ⠨ ⠓⠒⠒ │\n"
				    "│    −8  0  +8 −8  0  +8 −8  0  +8 −8  0  +8 │\n"
				    "│     head 1    head 2    head 3    head 4   │\n"
				    "└────────────────────────────────────────────┘\n");
}

/* Low plots in rows have no row each for the ends of x: what is left over is below the lowest. */
TEST(the_lowest_of_each_column_has_the_ends_of_x)
{
	const struct panel p = many_curves(4);
	const struct canvas *const c = help_drawn_panel(&p, 13, 28, TIER_DIRECT, false);
	const char *const screen = help_screen(c);
	assert_int_equal(count(screen, "−8   0  +8"), 2);
	assert_string_equal(help_between(c, 10, 2, 26), "−8   0  +8 −8   0  +8");
	assert_string_equal(help_between(c, 5, 2, 26), "head 1     head 2");
	assert_string_equal(help_between(c, 11, 2, 26), "head 3     head 4");
}

/* Wherever curves stand side by side, what x is can be read below or beside each. */
TEST(small_plots_have_their_ends_of_x)
{
	for (int rows = 8; rows <= 16; rows++)
		for (int cols = 46; cols <= 90; cols += 11) {
			const struct panel p = many_curves(4);
			const char *const screen =
				help_screen(help_drawn_panel(&p, rows, cols, TIER_DIRECT, false));
			if (count(screen, "−8") != 4 || count(screen, "+8") != 4)
				fail_msg("%d by %d:\n%s", rows, cols, screen);
		}
}

TEST(more_heads_than_fit_are_rows_of_colours)
{
	const struct panel p = many_curves(HEADS);
	for (enum tier tier = TIER_MONO; tier <= TIER_DIRECT; tier++) {
		struct canvas *const c = help_drawn_panel(&p, 17, 46, tier, tier == TIER_MONO);
		const char *const screen = help_screen(c);
		for (size_t h = 0; h < HEADS; h++)
			assert_int_equal(count(screen, heads[h].label), h == 0 ? 4 : 1);
		assert_int_equal(count(screen, tier == TIER_MONO ? "> head 3" : "▸ head 3"), 1);
		assert_int_equal(count(screen, tier == TIER_MONO ? "-8" : "−8"), 1);
	}
	/* Colours are those of the values, from −2 to 2, a column each. */
	const struct canvas *const c = help_drawn_panel(&p, 17, 46, TIER_DIRECT, false);
	const struct heatmap h = {.scale = scale_fit(-1, 2, SCALE_LINEAR, true, false),
				  .colormap = p.curves.colormap};
	for (size_t i = 0; i < PLACES; i++)
		assert_int_equal(help_at(c, 2 + 11, 2 + 9 + (int)i)->bg,
				 help_colour(&h, heights[11][i]));
}

/* Where not even half rows are enough the one that is looked at is among those shown, and it is said. */
TEST(heads_that_have_no_row_are_counted)
{
	struct panel p = many_curves(HEADS);
	heads[2].active = false;
	heads[11].active = true;
	const char *const screen = help_screen(help_drawn_panel(&p, 7, 46, TIER_DIRECT, false));
	assert_int_equal(count(screen, "5–12 of 12"), 1);
	assert_int_equal(count(screen, "head 11") + count(screen, "head 12"), 1);
	/* One row more and all are there, for the line of places goes first. */
	const char *const all = help_screen(help_drawn_panel(&p, 8, 46, TIER_DIRECT, false));
	assert_int_equal(count(all, " of 12"), 0);
}

/* Each row its own limits: its largest value has the full colour, and stands beside its name. */
TEST(rows_may_have_limits_of_their_own)
{
	struct panel p = many_curves(HEADS);
	p.curves.spread = CURVES_OWN;
	p.curves.has_cursor = true;
	p.curves.cursor = 99; /* nowhere: names without a sign */
	for (size_t i = 0; i < PLACES; i++)
		heights[11][i] *= 100;
	const struct canvas *const c = help_drawn_panel(&p, 17, 60, TIER_DIRECT, false);
	const char *const screen = help_screen(c);
	assert_int_equal(count(screen, "head 12 ±200"), 1);
	assert_int_equal(count(screen, "head 1 ±2"), 1);
	const uint32_t full = CELL_RGB(colormap_rgb(p.curves.colormap, 1));
	size_t with = 0;
	for (int row = 2; row < 14; row++)
		for (int col = 2; col < 58; col++)
			with += help_at(c, row, col)->bg == full;
	assert_true(with >= HEADS);
}

/* A dot at the cursor's distance on the curve that is looked at; on each where none is. */
TEST(the_cursor_is_a_dot_on_the_curve)
{
	struct panel p = many_curves(4);
	p.curves.has_cursor = true;
	for (double at = -8; at <= 8; at++) {
		p.curves.cursor = at;
		heads[2].active = true;
		assert_int_equal(
			count(help_screen(help_drawn_panel(&p, 12, 60, TIER_16, false)), "●"), 1);
		heads[2].active = false;
		assert_int_equal(
			count(help_screen(help_drawn_panel(&p, 12, 60, TIER_16, false)), "●"), 4);
	}
	p.curves.cursor = 9; /* beyond all */
	assert_int_equal(count(help_screen(help_drawn_panel(&p, 12, 60, TIER_16, false)), "●"), 0);
}

/* One of a thousand beside others of ten: symlog, said beside each row of plots; or each on its own. */
TEST(a_large_curve_need_not_flatten_the_others)
{
	struct panel p = many_curves(3);
	for (size_t i = 0; i < PLACES; i++) {
		heights[0][i] = -125 * fabs(places[i]);
		heights[1][i] = places[i];
		heights[2][i] = -places[i];
	}
	p.curves.spread = CURVES_SYMLOG;
	p.curves.linear = 10;
	const char *screen = help_screen(help_drawn_panel(&p, 12, 80, TIER_DIRECT, false));
	assert_int_equal(count(screen, "symlog"), 1);
	assert_int_equal(count(screen, "−1000"), 1);
	p.curves.spread = CURVES_OWN;
	screen = help_screen(help_drawn_panel(&p, 12, 80, TIER_DIRECT, false));
	assert_int_equal(count(screen, "symlog"), 0);
	assert_int_equal(count(screen, "−1000"), 1);
	assert_int_equal(count(screen, "+8"), 5); /* two beside plots, three below them */
}

/* ---- the axis ------------------------------------------------------------------------------------- */

static struct curve_axis fitted(double lo, double hi, size_t most, enum curve_spread spread)
{
	struct curve_axis axis;
	const struct curves k = {.spread = spread, .linear = 10};
	curve_axis_fit(&axis, &arena, &k, (struct curve_range){lo, hi}, most, false);
	return axis;
}

static size_t decimals(const char *label)
{
	const char *const point = strchr(label, '.');
	return point ? strlen(point) - 1 : 0;
}

/* Curves have at least 0.6 of their axis, however few its ticks are. */
TEST(an_axis_is_not_mostly_empty)
{
	static const double ends[][2] = {
		{-10.7, 5.7}, {-10.7, 1}, {-0.5, 10.7}, {-110, 40}, {3, 21}};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		for (size_t most = 3; most <= 5; most++) {
			const struct curve_axis a =
				fitted(ends[i][0], ends[i][1], most, CURVES_LINEAR);
			const double used = (ends[i][1] - ends[i][0]) / (a.scale.hi - a.scale.lo);
			if (a.n < 2 || a.n > most || used < 0.6)
				fail_msg("%g to %g in %zu: %g to %g", ends[i][0], ends[i][1], most,
					 a.scale.lo, a.scale.hi);
		}
}

/* Whatever the data: round ticks with the same decimals, ascending, inside the axis, which holds all. */
TEST(ticks_of_an_axis_are_alike)
{
	static const double ends[] = {-512, -3.56, -1, -0.003, 0, 1e-5, 0.2, 3, 3.56, 7, 100};
	enum { ENDS = sizeof ends / sizeof *ends };
	for (size_t i = 0; i < ENDS; i++)
		for (size_t k = i; k < ENDS; k++)
			for (size_t most = 3; most <= 6; most++) {
				const struct curve_axis a =
					fitted(ends[i], ends[k], most, CURVES_LINEAR);
				assert_true(a.n >= 2 && a.n <= most);
				assert_true(curve_axis_at(&a, ends[i]) >= 0 &&
					    a.scale.lo <= ends[i] && a.scale.hi >= ends[k]);
				size_t of = 0;
				for (size_t t = 0; t < a.n; t++) {
					const double place = curve_axis_at(&a, a.at[t]);
					assert_true(t == 0 || a.at[t] > a.at[t - 1]);
					assert_true(place >= 0 && place <= 1);
					if (a.at[t] == 0 || strstr(a.labels[t], "e"))
						continue;
					assert_true(of == 0 || of == decimals(a.labels[t]) + 1);
					of = decimals(a.labels[t]) + 1;
				}
			}
	/* The limits that stood beside each other as 3.56 and 3.00. */
	const struct curve_axis a = fitted(3, 3.56, 5, CURVES_LINEAR);
	assert_string_equal(a.labels[0], "3.0");
	assert_string_equal(a.labels[a.n - 1], "3.6");
}

/* By hand: ±10 are one unit from 0, −1000 two more below: −1000 … 10 is 4 units high. */
TEST(a_symlog_axis_has_tens)
{
	const struct curve_axis a = fitted(-1000, 10, 5, CURVES_SYMLOG);
	static const double at[] = {-1000, -100, -10, 0, 10};
	assert_int_equal(a.n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(fabs(a.at[i] - at[i]) < 1e-9);
		assert_true(fabs(curve_axis_at(&a, at[i]) - (double)i / 4) < 1e-12);
	}
	assert_true(fabs(curve_axis_at(&a, 5) - 3.5 / 4) < 1e-12);
	/* Where all of it is linear, it is linear. */
	assert_int_equal(fitted(-9, 9, 5, CURVES_SYMLOG).scale.mode, SCALE_LINEAR);
}

/* ---- a page -------------------------------------------------------------------------------------- */

static void page(const struct panel *p, int width, int height, struct image *image,
		 struct raster_report *report)
{
	struct figure f = {.title = "Curves",
			   .subtitle = "two",
			   .caption = "none",
			   .panels = {*p},
			   .n = 1,
			   .col_weight = {1},
			   .row_weight = {1}};
	const struct raster_look look = {width, height, 150, false, false};
	struct err err = {""};
	f.panels[0].rows = f.panels[0].cols = 1;
	if (!raster_image(&f, &look, &arena, image, report, &err))
		fail_msg("%s", err.text);
}

static size_t pixels(const struct image *image, uint32_t rgb)
{
	size_t n = 0;
	for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++) {
		const uint8_t *at = image->rgb + 3 * i;
		n += at[0] == rgb >> 16 && at[1] == (rgb >> 8 & 255) && at[2] == (rgb & 255);
	}
	return n;
}

/* Pixels nearer to this colour than to paper and to other colours. */
static size_t pixels_about(const struct image *image, uint32_t rgb)
{
	enum { NEAR = 40 };
	size_t n = 0;
	for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++) {
		const uint8_t *at = image->rgb + 3 * i;
		n += abs(at[0] - (int)(rgb >> 16)) < NEAR &&
		     abs(at[1] - (int)(rgb >> 8 & 255)) < NEAR &&
		     abs(at[2] - (int)(rgb & 255)) < NEAR;
	}
	return n;
}

static size_t texts(const struct raster_report *r, const char *word)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++)
		n += strstr(r->boxes[i].text, word) != NULL;
	return n;
}

TEST(a_page_marks_curves_in_no_colour_of_theirs)
{
	const struct panel marked = two_curves();
	struct panel plain = marked;
	struct image with, without;
	struct raster_report r, r_plain;
	plain.curves.n_marks = 0;
	page(&marked, 900, 500, &with, &r);
	page(&plain, 900, 500, &without, &r_plain);
	assert_int_equal(texts(&r, "trained to 12"), 1);
	assert_int_equal(texts(&r, "also to 12"), 1);
	assert_int_equal(texts(&r, "never"), 0);
	const uint32_t ink = 0x1a1a1a;
	assert_true(pixels(&with, ink) > pixels(&without, ink) + 10);
	for (size_t i = 0; i < 2; i++) {
		const uint32_t rgb = figure_series_colour(i, false);
		assert_true(pixels(&with, rgb) <= pixels(&without, rgb));
	}
}

TEST(labels_on_a_page_keep_apart)
{
	static const struct curve_mark close[] = {
		{-12, 0, "trained to 12", NULL},    {-11, 0, "trained to 11", NULL},
		{-10, 0, "trained to 10", NULL},    {-12, 1, "the other to 12", NULL},
		{-20, 1, "at its beginning", NULL}, {20, 1, "at its end", NULL}};
	struct panel p = two_curves();
	p.curves.marks = close;
	p.curves.n_marks = 6;
	for (int height = 330; height <= 700; height += 37) {
		struct image image;
		struct raster_report r;
		page(&p, 700, height, &image, &r);
		for (size_t i = 0; i < r.n; i++) {
			assert_true(text_box_inside(&r.boxes[i], 700, height));
			for (size_t k = 0; k < i; k++)
				if (text_box_overlap(&r.boxes[i], &r.boxes[k]))
					fail_msg("%s / %s", r.boxes[i].text, r.boxes[k].text);
		}
	}
}

static void expect_apart(const struct raster_report *r, int width, int height)
{
	for (size_t i = 0; i < r->n; i++) {
		assert_true(text_box_inside(&r->boxes[i], width, height));
		for (size_t k = 0; k < i; k++)
			if (text_box_overlap(&r->boxes[i], &r->boxes[k]))
				fail_msg("%s / %s", r->boxes[i].text, r->boxes[k].text);
	}
}

/* From the top: as the curves end, and where all end in one point, as they run before. */
TEST(names_on_a_page_are_in_the_order_of_the_ends)
{
	static const struct {
		double slope[4];
		bool meet;
		const char *order[4];
	} cases[] = {
		{{4, 3, 2, 1}, true, {"head 4", "head 3", "head 2", "head 1"}},
		{{1, 2, 3, 4}, true, {"head 1", "head 2", "head 3", "head 4"}},
		{{1, 4, 2, 3}, false, {"head 2", "head 4", "head 3", "head 1"}},
		{{1, 1.001, 0.999, -1}, false, {"head 2", "head 1", "head 3", "head 4"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct panel p = many_curves(4);
		struct image image;
		struct raster_report r;
		for (size_t h = 0; h < 4; h++)
			for (size_t k = 0; k < PLACES; k++)
				heights[h][k] = cases[i].slope[h] *
						(cases[i].meet ? places[k] - 8 : places[k]);
		for (int height = 280; height <= 600; height += 160) {
			page(&p, 800, height, &image, &r);
			expect_apart(&r, 800, height);
			for (size_t k = 0; k < 4; k++)
				assert_non_null(help_box_of(&r, cases[i].order[k]));
			for (size_t k = 1; k < 4; k++)
				assert_true(help_box_of(&r, cases[i].order[k - 1])->y <
					    help_box_of(&r, cases[i].order[k])->y);
		}
	}
}

/* Four curves that are one line, and four of which one flattens the others. */
TEST(every_curve_of_a_page_is_seen)
{
	for (size_t flat = 0; flat < 2; flat++) {
		struct panel p = many_curves(4);
		struct image image;
		struct raster_report r;
		for (size_t h = 0; h < 4; h++)
			for (size_t k = 0; k < PLACES; k++)
				heights[h][k] = flat && h == 0 ? 100 * places[k] : places[k];
		page(&p, 800, 400, &image, &r);
		for (size_t h = 0; h < 4; h++)
			assert_true(pixels_about(&image, figure_series_colour(h, false)) >= 12);
	}
}

TEST(many_curves_of_a_page_have_a_plot_each)
{
	const struct panel p = many_curves(HEADS);
	static const int sizes[][2] = {{900, 500}, {1300, 320}, {500, 800}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct image image;
		struct raster_report r;
		page(&p, sizes[i][0], sizes[i][1], &image, &r);
		expect_apart(&r, sizes[i][0], sizes[i][1]);
		assert_int_equal(r.plot_n, HEADS);
		for (size_t h = 0; h < HEADS; h++) {
			const struct text_box *const name = help_box_of(&r, heads[h].label);
			assert_non_null(name);
			/* Above its own plot. */
			assert_true(fabs(name->x - r.plots[h].x) < 3 &&
				    name->y + name->height <= r.plots[h].y + 3);
			assert_true(pixels_about(&image, figure_series_colour(h, false)) >= 12);
		}
	}
	/* Without room for that, a row each. */
	struct image image;
	struct raster_report r;
	page(&p, 300, 260, &image, &r);
	assert_int_equal(r.plot_n, 1);
	expect_apart(&r, 300, 260);
	assert_non_null(help_box_of(&r, "head 3"));
}

TEST(means_of_a_page_are_said_at_their_curves)
{
	const struct panel p = {.kind = PANEL_CURVES, .title = "W", .curves = wave_and_ramp()};
	struct image image;
	struct raster_report r;
	for (int width = 400; width <= 1200; width += 200) {
		page(&p, width, 400, &image, &r);
		expect_apart(&r, width, 400);
		assert_int_equal(texts(&r, "mean of"), 1);
		assert_int_equal(
			texts(&r, "1 wave, mean of") + texts(&r, "1 wave, smoothed: mean of"), 1);
		assert_non_null(help_box_of(&r, "2 ramp"));
	}
}

/* Where that has no room the name is whole: what is smoothed is seen behind it. */
TEST(a_narrow_page_names_a_mean_in_full)
{
	struct panel p = {.kind = PANEL_CURVES, .title = "W", .curves = wave_and_ramp()};
	struct series named[2] = {p.curves.series[0], p.curves.series[1]};
	struct image image;
	struct raster_report r;
	named[0].brief = NULL;
	p.curves.series = named;
	page(&p, 220, 400, &image, &r);
	assert_int_equal(texts(&r, "mean"), 0);
	assert_non_null(help_box_of(&r, "1 wave"));
}

/* The same words at one place stand there once, and say whose they are. */
TEST(marks_of_one_place_are_named_together)
{
	static const struct curve_mark marks[] = {{-12, 0, "trained to 12", "to 12"},
						  {-12, 1, "trained to 12", "to 12"},
						  {12, 1, NULL, NULL}};
	struct panel p = two_curves();
	struct image image;
	struct raster_report r;
	p.curves.marks = marks;
	p.curves.n_marks = 3;
	page(&p, 900, 500, &image, &r);
	assert_int_equal(texts(&r, "trained"), 1);
	assert_non_null(help_box_of(&r, "1 2 trained to 12"));
	/* In cells each curve has its own. */
	struct canvas *const c = help_canvas(20, 100, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 20, 100}, &p, false, NULL, NULL);
	assert_int_equal(count(help_screen(c), "trained to 12"), 2);
}

/* Two lines go up the plot, one of them where the curve has ended before: both are named, also where there is no
 * room above a low plot. */
TEST(upright_marks_are_named_where_the_curve_has_ended)
{
	static double x[] = {1, 2, 4}, y[] = {1, 0.5, 0.25};
	static const struct series s[] = {
		{.label = "falling", .brief = "falling", .n = 3, .x = x, .y = y, .active = true},
		{.label = "again", .brief = "again", .n = 3, .x = x, .y = y, .colour = 1}};
	static const struct curve_mark marks[] = {
		{.x = 4, .label = "ends at 4", .brief = "ends", .upright = true},
		{.x = 16, .label = "t-max 16", .brief = "t-max", .upright = true}};
	const struct panel p = {.kind = PANEL_CURVES,
				.title = "W",
				.curves = {.series = s,
					   .n = 2,
					   .marks = marks,
					   .n_marks = 2,
					   .log_x = true,
					   .x_to = 32}};
	struct image image;
	struct raster_report r;
	for (int rows = 8; rows < 20; rows++)
		for (int cols = 50; cols < 90; cols += 7) {
			struct canvas *const c = help_canvas(rows, cols, TIER_DIRECT, false);
			canvas_panel(c, (struct rect){0, 0, rows, cols}, &p, false, NULL, NULL);
			if (count(help_screen(c), "t-max") != 1 ||
			    count(help_screen(c), "ends") != 1)
				fail_msg("%d x %d: %s", rows, cols, help_screen(c));
		}
	for (int width = 260; width < 700; width += 40) {
		page(&p, width, 300, &image, &r);
		assert_int_equal(texts(&r, "t-max"), 1);
		assert_int_equal(texts(&r, "ends"), 1);
	}
	/* At the left end of the axis too. */
	struct panel first = p;
	const struct curve_mark left = {.x = 1, .label = "t-max 1", .upright = true};
	first.curves.marks = &left;
	first.curves.n_marks = 1;
	page(&first, 500, 300, &image, &r);
	assert_int_equal(texts(&r, "t-max 1"), 1);
}

/* ---- curves over one another --------------------------------------------------------------------- */

static const struct canvas *drawn_together(struct series *s, size_t n, int rows)
{
	struct panel p = {
		.kind = PANEL_CURVES,
		.title = "R²",
		.curves = {.series = s, .n = n, .integer_x = true, .together = true, .unit = true}};
	struct canvas *const c = help_canvas(rows, 70, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, rows, 70}, &p, false, NULL, NULL);
	return c;
}

/* Curves that coincide are one line with one sign, that of the active one, and the other names stand below its
 * name as "= name"; a curve that leaves them has its own sign. So on cells and on a page. */
TEST(curves_that_coincide_are_one)
{
	static double x[] = {0, 1, 2, 3}, zero[] = {0, 0, 0, 0}, near[] = {0, 1e-4, 0, 0},
		      away[] = {0, 0.4, 0.6, 0.5};
	struct series s[] = {{.label = "again", .n = 4, .x = x, .y = near, .colour = 1},
			     {.label = "away", .n = 4, .x = x, .y = away, .colour = 2},
			     {.label = "this", .n = 4, .x = x, .y = zero, .active = true},
			     {.label = "third", .n = 4, .x = x, .y = zero, .colour = 3}};
	const char *const text = help_screen(drawn_together(s, 4, 16));
	assert_non_null(strstr(text, "● this"));
	assert_non_null(strstr(text, "= again"));
	assert_non_null(strstr(text, "= third"));
	assert_non_null(strstr(text, "▲ away"));
	assert_int_equal(count(text, "■") + count(text, "◆"), 0);
	assert_true(strstr(text, "● this") < strstr(text, "= again") &&
		    strstr(text, "= again") < strstr(text, "= third"));
	struct panel p = {.kind = PANEL_CURVES,
			  .title = "R²",
			  .curves = {.series = s, .n = 4, .together = true, .unit = true}};
	struct image image;
	struct raster_report r;
	page(&p, 700, 400, &image, &r);
	assert_int_equal(texts(&r, "= again"), 1);
	assert_int_equal(texts(&r, "= third"), 1);
	assert_int_equal(texts(&r, "= away") + texts(&r, "= this"), 0);
}

/* Where curves coincide for a part, the active one has two thirds of the cells, whatever its index; the other is seen
 * between them. */
TEST(the_active_curve_is_seen_most)
{
	static double x[30], one[30], two[30];
	for (size_t i = 0; i < 30; i++) {
		x[i] = (double)i;
		one[i] = 0.5;
		two[i] = i < 25 ? 0.5 : 0.9;
	}
	for (size_t active = 0; active < 2; active++) {
		struct series s[] = {{.label = "one", .n = 30, .x = x, .y = one},
				     {.label = "two", .n = 30, .x = x, .y = two, .colour = 1}};
		s[active].active = true;
		const struct canvas *const c = drawn_together(s, 2, 16);
		size_t dots[2] = {0, 0};
		for (size_t i = 0; i < 2; i++) {
			const uint32_t fg = canvas_series_text(c, i);
			for (int k = 0; k < c->rows * c->cols / 2; k++) {
				const int row = k / (c->cols / 2), col = k % (c->cols / 2);
				const struct cell *const at = &c->cells[row * c->cols + col];
				dots[i] += at->fg == fg;
			}
		}
		assert_true(2 * dots[active] > 3 * dots[1 - active]);
		assert_true(5 * dots[1 - active] > dots[active]);
	}
}

/* Returns the mean height of the dots in a column of the plot, in dots from above; NAN: it has none. */
static double height_of_dots(const struct canvas *c, int col, uint32_t fg)
{
	double sum = 0, n = 0;
	for (int row = 1; row < c->rows - 2; row++) {
		const struct cell *const at = help_at(c, row, col);
		const unsigned char *const g = (const unsigned char *)at->at;
		if (at->fg != fg || g[0] != 0xe2 || (g[1] & 0xfc) != 0xa0)
			continue;
		const unsigned mask = (g[1] & 3u) << 6 | (g[2] & 63u);
		static const unsigned rows[4] = {0x09, 0x12, 0x24, 0xc0};
		for (int k = 0; k < 4; k++)
			if (mask & rows[k]) {
				sum += 4 * row + k;
				n++;
			}
	}
	return n > 0 ? sum / n : NAN;
}

/* A sign is in the middle of its line, up to one dot of the four in a cell, and stands on a point: at a whole number. */
TEST(signs_stand_on_points_of_their_line)
{
	static double x[16], y[16];
	for (size_t i = 0; i < 16; i++)
		x[i] = y[i] = (double)(i + 1);
	for (int rows = 10; rows < 24; rows++) {
		struct series s[] = {{.label = "one", .n = 16, .x = x, .y = y, .active = true}};
		const struct canvas *const c = drawn_together(s, 1, rows);
		const uint32_t fg = canvas_series(c, 0);
		size_t signs = 0;
		const int end = c->cols - 12;
		for (int k = 0; k < c->rows * end; k++) {
			const int row = k / end, col = k % end;
			if (strcmp(help_at(c, row, col)->at, "●") != 0)
				continue;
			const double left = height_of_dots(c, col - 1, fg);
			const double right = height_of_dots(c, col + 1, fg);
			signs++;
			if (!(fabs((left + right) / 2 - (4 * row + 1.5)) <= 1.01))
				fail_msg("%d rows, row %d: %g %g\n%s", rows, row, left, right,
					 help_screen(c));
		}
		assert_true(signs >= 2);
	}
}

/* Curves that run through one another have no gaps: each column has dots of both, whosever colour. */
TEST(curves_that_meet_have_no_gaps)
{
	static double x[30], one[30], two[30];
	for (size_t i = 0; i < 30; i++) {
		x[i] = (double)i;
		one[i] = 0.43;
		two[i] = 0.37;
	}
	struct series s[] = {{.label = "one", .n = 30, .x = x, .y = one, .active = true},
			     {.label = "two", .n = 30, .x = x, .y = two, .colour = 1}};
	const struct canvas *const c = drawn_together(s, 2, 9);
	size_t both = 0, single = 0;
	for (int k = 0; k < c->rows * (c->cols - 12); k++) {
		const struct cell *const at = help_at(c, k / (c->cols - 12), k % (c->cols - 12));
		both += strcmp(at->at, "⠶") == 0 || strcmp(at->at, "⠛") == 0 ||
			strcmp(at->at, "⣤") == 0;
		single += strcmp(at->at, "⠤") == 0 || strcmp(at->at, "⠒") == 0 ||
			  strcmp(at->at, "⠉") == 0;
	}
	if (both < 30 || single > 0)
		fail_msg("%zu %zu\n%s", both, single, help_screen(c));
}

/* Heads are no numbers with others between them: a mark and its value for each, and no line. */
TEST(categories_have_marks_and_values)
{
	static double x[] = {1, 2, 3}, y[] = {73.7, 1180, 18.4};
	struct series s = {.label = "", .n = 3, .x = x, .y = y, .active = true};
	struct panel p = {.kind = PANEL_CURVES,
			  .title = "reach",
			  .curves = {.series = &s,
				     .n = 1,
				     .x_title = "head",
				     .integer_x = true,
				     .apart = true,
				     .spread = CURVES_LOG}};
	struct panel line = p;
	struct image apart, joined;
	struct raster_report r;
	for (int rows = 9; rows < 24; rows++) {
		const struct canvas *const c = help_drawn_panel(&p, rows, 50, TIER_DIRECT, false);
		const char *const text = help_screen(c);
		if (count(text, "●") != 3 || count(text, "73.7") != 1 || count(text, "1180") != 1 ||
		    count(text, "18.4") != 1)
			fail_msg("%s", text);
		for (int col = 1; col < 49; col++)
			assert_true(isnan(height_of_dots(c, col, canvas_series(c, 0))));
	}
	page(&p, 600, 400, &apart, &r);
	assert_int_equal(texts(&r, "73.7") + texts(&r, "1180") + texts(&r, "18.4"), 3);
	line.curves.apart = false;
	page(&line, 600, 400, &joined, &r);
	const uint32_t rgb = figure_series_colour(0, false);
	assert_true(pixels_about(&apart, rgb) * 3 < pixels_about(&joined, rgb));
}

/* From end to end where a step does that, else round ones; two are the ends. */
TEST(ticks_of_integers_have_an_even_step)
{
	static const struct {
		struct curve_range x;
		size_t most, n;
		double at[AXIS_TICKS];
	} cases[] = {{{-6, 6}, 5, 5, {-6, -3, 0, 3, 6}}, {{0, 6}, 3, 3, {0, 3, 6}},
		     {{-8, 0}, 4, 3, {-8, -4, 0}},	 {{1, 8}, 4, 4, {2, 4, 6, 8}},
		     {{2, 48}, 5, 4, {10, 20, 30, 40}},	 {{1, 13}, 5, 5, {1, 4, 7, 10, 13}},
		     {{0, 511}, 2, 2, {0, 511}},	 {{0, 6}, 2, 2, {0, 6}}};
	const struct curves k = {.integer_x = true};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double at[AXIS_TICKS];
		const size_t n = curve_x_ticks(&k, cases[i].x, cases[i].most, at);
		bool same = n == cases[i].n;
		for (size_t t = 0; same && t < n; t++)
			same = fabs(at[t] - cases[i].at[t]) < 1e-12;
		if (!same)
			fail_msg("%g to %g: %zu ticks, from %g by %g", cases[i].x.lo, cases[i].x.hi,
				 n, at[0], n > 1 ? at[1] - at[0] : 0);
	}
}

/* Reads the whole numbers among the words of a line. */
static size_t numbers_of(const char *line, double *out, size_t most)
{
	size_t n = 0;
	for (const char *at = line + strspn(line, " |"); *at != '\0';) {
		const size_t len = strcspn(at, " |");
		char *end;
		const double value = strtod(at, &end);
		if (end == at + len && n < most)
			out[n++] = value;
		at += len + strspn(at + len, " |");
	}
	return n;
}

/* Fails unless the ticks below the plot are evenly spaced, and begin and end at most one step before its ends, of many a
 * quarter of the axis. */
static void expect_whole_axis(const struct panel *p, int cols, double lo, double hi)
{
	enum { ROWS = 10 };
	double at[16];
	struct canvas *const c = help_canvas(ROWS, cols, TIER_MONO, true);
	canvas_panel(c, (struct rect){0, 0, ROWS, cols}, p, false, NULL, NULL);
	const size_t n = numbers_of(help_between(c, ROWS - 2, 0, cols), at, 16);
	bool whole = n >= 2;
	for (size_t i = 2; whole && i < n; i++)
		whole = fabs(at[i] - at[i - 1] - (at[1] - at[0])) < 1e-9;
	const double step = whole ? at[1] - at[0] : 0,
		     most = n > 3 ? fmax(step, (hi - lo) / 4) : step;
	if (!whole || at[0] - lo > step || hi - at[n - 1] > most)
		fail_msg("%g to %g in %d columns:\n%s", lo, hi, cols, help_screen(c));
}

/* Also where the title would have taken the place of the last ones. */
TEST(ticks_of_integers_tell_the_whole_axis)
{
	enum { LEAST = 34, MOST_COLS = 130 };
	static const double ends[][2] = {{0, 6},   {1, 8},  {-6, 6}, {-23, 0}, {-11, 11},
					 {0, 511}, {2, 48}, {1, 13}, {0, 3},   {-39, 39}};
	static const char *const titles[] = {"after layer (0: input)", "key minus query, s - t",
					     "pair of dimensions", "number of tokens n", NULL};
	for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
		for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
			for (int cols = LEAST; cols <= MOST_COLS; cols++) {
				const double y[] = {0, 1};
				const struct series s = {.n = 2, .x = ends[k], .y = y};
				const struct panel p = {.kind = PANEL_CURVES,
							.title = "Curve",
							.curves = {.series = &s,
								   .n = 1,
								   .x_title = titles[i],
								   .integer_x = true}};
				expect_whole_axis(&p, cols, ends[k][0], ends[k][1]);
				arena_clear(&arena);
			}
}

/* The labels left of a plot: their number, and the rows between neighbours. Fails unless all of these are equal. */
static size_t labels_of_y(const struct canvas *c, int rows, int *apart)
{
	int last = -1;
	size_t n = 0;
	for (int row = 1; row < rows - 2; row++) {
		if (strpbrk(help_between(c, row, 1, 8), "0123456789") == NULL)
			continue;
		if (n > 1 && row - last != *apart)
			fail_msg("%d rows:\n%s", rows, help_screen(c));
		*apart = n > 0 ? row - last : 0;
		last = row;
		n++;
	}
	return n;
}

/* At every height, and wherever the values end. */
TEST(labels_of_an_axis_are_equally_far_apart)
{
	static const double ends[][2] = {{0, 0.9},   {-0.21, 0.42}, {-1.9, 1.1},
					 {1, 10},    {-1.1, 0},	    {-7, -3},
					 {950, 990}, {-31, 30},	    {0.2, 0.24}};
	static double x[] = {0, 1, 2}, y[3];
	struct series s[] = {{.label = "a", .n = 3, .x = x, .y = y, .active = true},
			     {.label = "b", .n = 3, .x = x, .y = y, .colour = 1}};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		for (int rows = 7; rows < 30; rows++) {
			int apart = 0;
			y[0] = ends[i][0];
			y[1] = ends[i][1];
			y[2] = (y[0] + y[1]) / 2;
			const size_t n = labels_of_y(drawn_together(s, 2, rows), rows, &apart);
			if (n < (rows < 20 ? 2 : 3))
				fail_msg("%g to %g, %d rows: %zu", y[0], y[1], rows, n);
		}
}

/* A label is the value of its row, up to half of it, and the curves have more than half of the axis. */
TEST(labels_of_an_axis_stand_where_they_are_true)
{
	static const double ends[] = {-512, -3.56, -1, -0.2, -0.003, 0,
				      1e-5, 0.45,  3,  3.56, 7,	     100};
	enum { ENDS = sizeof ends / sizeof *ends, LOG = 6 };
	for (size_t i = 0; i < ENDS; i++)
		for (size_t k = i + 1; k < ENDS; k++)
			for (int rows = 3; rows < 40; rows++) {
				const bool log = i >= LOG;
				const struct curves curves = {.spread = log ? CURVES_LOG
									    : CURVES_LINEAR};
				struct curve_axis a;
				curve_axis_fit_rows(&a, &arena, &curves,
						    (struct curve_range){ends[i], ends[k]}, rows,
						    chart_most_ticks(rows));
				const double used =
					curve_axis_at(&a, ends[k]) - curve_axis_at(&a, ends[i]);
				const double dot = (a.scale.hi - a.scale.lo) / (rows - 1) / 4;
				if (a.n < 2 || (!log && a.scale.lo > ends[i] + dot / 2) ||
				    (!log && a.scale.hi < ends[k] - dot / 2) ||
				    (!log && used < (rows < 6 ? 0.5 : 0.6)))
					fail_msg("%g to %g in %d: %g to %g", ends[i], ends[k], rows,
						 a.scale.lo, a.scale.hi);
				for (size_t t = 0; t < a.n; t++) {
					const double at = curve_axis_at(&a, a.at[t]) * (rows - 1);
					if (fabs(at - round(at)) > 1e-6)
						fail_msg("%g to %g in %d: %s in row %g", ends[i],
							 ends[k], rows, a.labels[t], at);
				}
			}
}

/* Tens too: none is left out between others. */
TEST(every_label_of_a_log_axis_is_the_same_factor)
{
	static double x[] = {0, 1, 2}, y[] = {60, 1e-3, 3e-13};
	struct panel p = {.kind = PANEL_CURVES, .title = "values"};
	struct series s[4];
	for (size_t i = 0; i < 4; i++)
		s[i] = (struct series){.label = "s", .n = 3, .x = x, .y = y, .colour = i};
	p.curves = (struct curves){.series = s, .n = 4, .spread = CURVES_LOG};
	for (int rows = 12; rows < 17; rows++) { /* one row of plots */
		const struct canvas *const c = help_drawn_panel(&p, rows, 90, TIER_DIRECT, false);
		int apart = 0;
		assert_true(labels_of_y(c, rows - 2, &apart) >= 3 && apart >= 2);
	}
}

/* The dotted lines around a mean have names outside them, where there is room; a band that is too narrow is not drawn,
 * and has none. */
TEST(the_edges_of_a_band_have_names)
{
	enum { N = 30 };
	double x[N], y[N], lo[N], hi[N];
	struct series s = {
		.label = "mean", .n = N, .x = x, .y = y, .lo = lo, .hi = hi, .active = true};
	const struct panel p = {.kind = PANEL_CURVES,
				.title = "Similarity",
				.curves = {.series = &s, .n = 1, .x_title = "x", .y_title = ""}};
	for (int narrow = 0; narrow < 2; narrow++) {
		for (int i = 0; i < N; i++) {
			x[i] = i;
			y[i] = sin(i / 5.0);
			lo[i] = y[i] - (narrow ? 0.01 : 1);
			hi[i] = y[i] + (narrow ? 0.01 : 1);
		}
		for (int ascii = 0; ascii < 2; ascii++) {
			struct canvas *const c = help_canvas(20, 60, TIER_DIRECT, ascii);
			canvas_panel(c, (struct rect){0, 0, 20, 60}, &p, false, NULL, NULL);
			const char *const screen = help_screen(c);
			assert_true((strstr(screen, "largest") != NULL) == !narrow);
			assert_true((strstr(screen, "least") != NULL) == !narrow);
		}
	}
}
