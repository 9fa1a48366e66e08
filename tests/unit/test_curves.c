/* test_curves.c: curves with marks and short names, on a terminal and on a page. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "posviz/canvas.h"
#include "posviz/raster.h"

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

/* Where names have no room beside the plot numbers stand there, and names above. */
TEST(short_names_stand_at_the_curves)
{
	const char *wide = drawn(14, 110, false), *narrow = drawn(14, 44, false);
	assert_int_equal(count(wide, "1 the lower of them"), 1);
	assert_int_equal(count(narrow, "2 upper"), 1);
	assert_int_equal(count(narrow, "1 the lower of them"), 1);
	assert_int_equal(count(narrow, "1 │") + count(narrow, "2 │"), 2);
	/* Still narrower they stand below each other; cut to nothing they are left to the numbers. */
	const char *least = drawn(14, 30, false);
	assert_int_equal(count(least, "2 upper"), 1);
	assert_int_equal(count(least, "1 the lower of them"), 1);
	assert_int_equal(count(least, "1 │") + count(least, "2 │"), 2);
	least = drawn(14, 22, false);
	assert_int_equal(count(least, "…"), 0);
	assert_int_equal(count(least, "1 │") + count(least, "2 │"), 2);
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
						  {-8, 1, "2 trained to 8", "2 to 8"},
						  {-14, 0, "3 trained to 14", "3 to 14"}};
	struct panel p = two_curves();
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

TEST(fast_waves_say_that_they_are_means)
{
	const struct panel p = {.kind = PANEL_CURVES, .title = "W", .curves = wave_and_ramp()};
	for (enum tier tier = TIER_MONO; tier <= TIER_DIRECT; tier += TIER_DIRECT) {
		struct canvas *c = help_canvas(20, 90, tier, false);
		canvas_panel(c, (struct rect){0, 0, 20, 90}, &p, false, NULL, NULL);
		const char *screen = help_screen(c);
		assert_int_equal(count(screen, "running mean of"), 1);
		/* Without colours the curves have numbers on them. */
		assert_int_equal(count(screen, "⠒2") + count(screen, "1⠒") > 0 ||
					 count(screen, "2") > 6,
				 tier == TIER_MONO);
	}
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

static size_t texts(const struct raster_report *r, const char *word)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++)
		n += strstr(r->boxes[i].text, word) != NULL;
	return n;
}

TEST(a_page_marks_each_curve_in_its_colour)
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
	for (size_t i = 0; i < 2; i++) {
		const uint32_t rgb = figure_series_colour(i, false);
		assert_true(pixels(&with, rgb) > pixels(&without, rgb) + 10);
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
