/* test_curve_points.c: curves and points of them that are spoken of: marks by name and place, values beside points,
 * names of places on the axis, long names in two rows. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "plot/curve_axis.h"
#include "posviz/plot/raster.h"

FIXTURE(help_begin, help_end)

enum { POINTS = 5, CURVES = 3 };
static const double middles[POINTS] = {12.5, 38, 63, 88, 113};
static const double scores[CURVES][POINTS] = {{27.0, 26.9, 27.2, 27.3, 24.5},
					      {26.4, 26.9, 27.1, 27.1, 24.5},
					      {26.2, 26.7, 27.0, 26.7, 22.5}};
static const struct curve_place ranges[POINTS] = {
	{12.5, "0–25"}, {38, "26–50"}, {63, "51–75"}, {88, "76–100"}, {113, ">100"}};
static struct series series[CURVES];

/* Published scores by length. */
static struct figure published(void)
{
	static const char *const names[CURVES] = {"Relative", "Relative γᴷ only",
						  "Relative and absolute"};
	for (size_t i = 0; i < CURVES; i++)
		series[i] = (struct series){
			.label = names[i], .n = POINTS, .x = middles, .y = scores[i], .colour = i};
	return (struct figure){.title = "Published",
			       .n = 1,
			       .panels = {{.kind = PANEL_CURVES,
					   .title = "BLEU",
					   .rows = 1,
					   .cols = 1,
					   .curves = {.series = series,
						      .n = CURVES,
						      .places = ranges,
						      .n_places = POINTS,
						      .x_title = "source length J, tokens"}}}};
}

static struct canvas *drawn(const struct figure *f, int rows, int cols, bool ascii)
{
	struct canvas *const c = help_canvas(rows, cols, TIER_DIRECT, ascii);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, &f->panels[0], false, NULL, NULL);
	return c;
}

static struct figure marked(const struct mark *marks, size_t n)
{
	struct figure f = published();
	figure_mark(&f, marks, n, 0, &help_arena);
	return f;
}

/* The attributes of the first cell of this word, which is in one row. */
static unsigned attrs_of(const struct canvas *c, const char *word)
{
	for (int row = 0; row < c->rows; row++) {
		const char *const text = help_between(c, row, 0, c->cols);
		const char *const found = strstr(text, word);
		for (int col = 0; found && col < c->cols; col++)
			if (strncmp(help_between(c, row, col, c->cols), word, strlen(word)) == 0 &&
			    help_at(c, row, col)->at[0] == word[0])
				return help_at(c, row, col)->attrs;
	}
	fail_msg("%s is not shown", word);
	return 0;
}

TEST(measured_points_have_their_values_and_places_their_names)
{
	const struct figure f = published();
	const char *const screen = help_screen(drawn(&f, 14, 60, false));
	assert_non_null(strstr(screen, "24.5"));
	assert_non_null(strstr(screen, "22.5"));
	assert_null(strstr(screen, "26.9")); /* whose value it is would not be seen */
	assert_non_null(strstr(screen, "0–25"));
	assert_non_null(strstr(screen, ">100"));
	assert_null(strstr(screen, "12.5"));
	const char *const wide = help_screen(drawn(&f, 20, 130, false));
	assert_non_null(strstr(wide, "27.0")); /* as it is printed */
	assert_non_null(strstr(wide, "source length J, tokens"));
}

TEST(long_names_stand_in_two_rows)
{
	const struct figure f = published();
	const char *const screen = help_screen(drawn(&f, 14, 60, false));
	assert_non_null(strstr(screen, "Relative γᴷ"));
	assert_non_null(strstr(screen, "only"));
	assert_non_null(strstr(screen, "Relative and"));
	assert_non_null(strstr(screen, "absolute"));
	assert_null(strstr(screen, "…"));
}

TEST(every_size_has_room_for_what_is_pointed_out)
{
	static const struct mark marks[] = {{.kind = MARK_CURVE, .name = "2"},
					    {.kind = MARK_AT, .name = "76–100"}};
	const struct figure f = marked(marks, 2);
	for (int rows = 1; rows < 24; rows++)
		for (int cols = 1; cols < 100; cols += 3)
			help_assert_whole(drawn(&f, rows, cols, rows % 2 == 0));
}

TEST(a_curve_that_is_pointed_out_is_bold_and_others_are_dim)
{
	static const struct mark mark = {.kind = MARK_CURVE, .name = "Relative γ^K"};
	const struct figure f = marked(&mark, 1), plain = published();
	const struct canvas *const c = drawn(&f, 14, 90, false);
	assert_true(attrs_of(c, "Relative γᴷ only") & ATTR_BOLD);
	assert_true(attrs_of(c, "Relative and absolute") & ATTR_DIM);
	assert_true(attrs_of(c, "22.5") & ATTR_DIM);
	assert_false(attrs_of(drawn(&plain, 14, 90, false), "Relative and absolute") & ATTR_DIM);
}

TEST(a_place_that_is_pointed_out_has_values_and_its_name)
{
	static const struct mark mark = {.kind = MARK_AT, .name = "76–100"};
	const struct figure f = marked(&mark, 1);
	const char *const screen = help_screen(drawn(&f, 14, 60, false));
	assert_int_equal(f.panels[0].curves.n_pointed, 1);
	assert_non_null(strstr(screen, "27.3"));
	assert_non_null(strstr(screen, "◆"));
	assert_non_null(strstr(screen, "76–100"));
	assert_non_null(strchr(help_screen(drawn(&f, 14, 60, true)), '#'));
}

TEST(what_no_curve_has_is_an_error_that_says_what_there_is)
{
	static const struct {
		struct mark mark;
		const char *said;
	} wrong[] = {
		{{.kind = MARK_CURVE, .name = "4"}, "no curve is called \"4\"; there are Relative"},
		{{.kind = MARK_AT, .name = "76"}, NULL},
		{{.kind = MARK_AT, .name = "120"},
		 "no curve has a point at \"120\"; there are 0–25"},
		{{.kind = MARK_AT, .name = "\x1b"}, "at \"\\x1B\"; there are 0–25"},
	};
	const struct figure f = published();
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err err = {{0}};
		const bool has = figure_has_mark(&f, &wrong[i].mark, &help_arena, &err);
		assert_int_equal(has, wrong[i].said == NULL);
		if (wrong[i].said && !strstr(err.text, wrong[i].said))
			fail_msg("%s", err.text);
	}
}

/* Two decimals, more where the least would be zero; whole numbers as such; never the value of a mean. */
TEST(values_have_the_decimals_that_they_need)
{
	static const double x[] = {-1, 0, 1}, small[] = {-0.00390625, 0, 1},
			    large[] = {-0.25, 0, -20}, whole[] = {11, 0, 3};
	static const struct {
		const double *y[2];
		double at;
		const char *shows[2];
	} cases[] = {{{small, large}, -1, {"−0.004", "−0.25"}},
		     {{large, large}, 1, {"−20", "−20"}},
		     {{whole, whole}, -1, {"11", "11"}}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct series two[] = {{.n = 3, .x = x, .y = cases[i].y[0]},
					     {.n = 3, .x = x, .y = cases[i].y[1]}};
		const struct curves c = {
			.series = two, .n = 2, .pointed = &cases[i].at, .n_pointed = 1};
		for (size_t k = 0; k < 2; k++) {
			double y;
			assert_true(curves_height(&two[k], cases[i].at, &y));
			assert_string_equal(curve_value(&help_arena, &c, y), cases[i].shows[k]);
		}
	}
}

TEST(a_distance_that_is_pointed_out_has_its_value_under_it)
{
	static const struct mark mark = {MARK_DIAGONAL, 0, 0, 3};
	struct picture *const p = help_picture(
		&help_arena, "rope",
		"sentence buffalo buffalo buffalo buffalo buffalo buffalo buffalo buffalo\n");
	figure_mark(&p->figure, &mark, 1, p->trace.memory, &help_arena);
	for (size_t i = 0; i < p->figure.n; i++) {
		if (p->figure.panels[i].kind != PANEL_CURVES)
			continue;
		struct canvas *const c = help_canvas(14, 60, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, 14, 60}, &p->figure.panels[i], false, NULL,
			     NULL);
		assert_non_null(strstr(help_screen(c), "−0.61"));
		assert_non_null(strstr(help_screen(c), "+3"));
	}
}

/* ---- pages --------------------------------------------------------------------------------------- */

static size_t texts(const struct raster_report *r, const char *word)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++)
		n += strcmp(r->boxes[i].text, word) == 0;
	return n;
}

TEST(pages_say_values_and_places_too)
{
	static const struct mark marks[] = {{.kind = MARK_CURVE, .name = "3"},
					    {.kind = MARK_AT, .name = "76–100"}};
	const struct figure plain = published(), f = marked(marks, 2);
	const struct raster_look look = {900, 600, 96, false, true};
	const struct raster_report before = help_page_report(&plain, &look, &help_arena);
	assert_true(texts(&before, "Relative and absolute: 22.5") == 1 &&
		    texts(&before, ">100") == 1);
	const struct raster_report after = help_page_report(&f, &look, &help_arena);
	assert_true(texts(&after, "26.7") >= 1 && texts(&after, "76–100") == 1);
}
