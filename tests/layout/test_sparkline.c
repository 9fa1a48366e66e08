/* test_sparkline.c: curves in a row of text: which dots stand for which values. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"

FIXTURE(help_begin, help_end)

static const char *drawn(const double *at, size_t n)
{
	struct canvas *const c = help_canvas(1, canvas_sparkline_cols(n), TIER_DIRECT, false);
	canvas_sparkline(c, 0, 0, at, n, 0);
	return help_between(c, 0, 0, c->cols);
}

/* Dots by their numbers in Unicode: 1 2 3 7 down the left column, 4 5 6 8 down the right one. */
TEST(values_are_dots_of_four_levels)
{
	static const struct {
		double at[4];
		size_t n;
		const char *dots;
	} cases[] = {
		{{0, 1, 2, 3}, 4, "⡠⠊"},	   /* 7 6, 2 4 */
		{{-3, -2, -1, 0}, 4, "⡠⠊"},	   /* zero is the highest */
		{{-1.5, -0.5, 0.5, 1.5}, 4, "⡠⠊"}, /* and in between */
		{{0, 1, 2}, 3, "⢀⠎"},		   /* ends its cell: 8, 3 2 4 */
		{{3, 3, 3, 3}, 4, "⠉⠉"},	   /* more than nothing: 1 4 */
		{{-3, -3}, 2, "⣀"},		   /* less: 7 8 */
		{{0, 0}, 2, "⣀"},
		{{1.5, 3}, 2, "⠊"},	     /* of 0 … 3: 2, 4 */
		{{10, 11}, 2, "⡜"},	     /* far from zero: their own range, joined */
		{{-11, -10}, 2, "⡜"},	     /* likewise */
		{{0, 3}, 2, "⡜"},	     /* 7 3, 5 4: each of the levels between */
		{{3, 0}, 2, "⢣"},	     /* 1 2, 6 8 */
		{{10, 10 + 1e-12}, 2, "⠉"},  /* rounding is no range */
		{{0, 1, 0.5, 0.5}, 4, "⡜⠒"}, /* half way: the upper one */
		{{0, 2, 3, 2}, 4, "⡰⠑"},     /* 7, 5 6, 1, 5: the upper one here too */
		{{2, 3, 2, 0}, 4, "⠊⢆"},     /* 2, 4, 2 3, 8: on the other side */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(drawn(cases[i].at, cases[i].n), cases[i].dots);
}

TEST(what_is_not_finite_is_blank_and_joins_nothing)
{
	const double hole[] = {0, NAN, 3, 3, -INFINITY, 0};
	assert_string_equal(drawn(hole, 6), "⡀⠉⢀");
	const double none[] = {NAN, NAN, INFINITY};
	assert_string_equal(drawn(none, 3), "");
	const double edge[] = {NAN, 3, 0, NAN};
	assert_string_equal(drawn(edge, 4), "⠘⡄");
}

TEST(the_largest_numbers_have_levels_too)
{
	const double most[] = {-1.7e308, 1.7e308};
	assert_string_equal(drawn(most, 2), "⡜");
	const double least[] = {0, 5e-324};
	assert_true(strlen(drawn(least, 2)) == 3);
}

TEST(without_braille_there_is_no_curve)
{
	const double at[] = {0, 1, 2, 3};
	struct canvas *const ascii = help_canvas(1, 2, TIER_MONO, true);
	struct canvas *const quarters = help_canvas(1, 2, TIER_DIRECT, false);
	quarters->quadrants = true;
	canvas_sparkline(ascii, 0, 0, at, 4, 0);
	canvas_sparkline(quarters, 0, 0, at, 4, 0);
	assert_string_equal(help_screen(ascii), "\n");
	assert_string_equal(help_screen(quarters), "\n");
}

/* Only its own cells, and only those with dots: what stands behind the others stays. */
TEST(curves_are_drawn_over_what_is_there)
{
	const double at[] = {NAN, NAN, 0, 0};
	struct canvas *const c = help_canvas(1, 5, TIER_256, false);
	canvas_text(c, 0, 0, 5, "abcde", ATTR_BOLD);
	canvas_sparkline(c, 0, 1, at, 4, ATTR_DIM | ATTR_ACCENT);
	assert_string_equal(help_screen(c), "ab⣀de\n");
	assert_int_equal(help_at(c, 0, 2)->attrs, ATTR_DIM | ATTR_ACCENT);
	canvas_sparkline(c, 0, 4, at, 4, 0);  /* beyond the right edge */
	canvas_sparkline(c, 0, -1, at, 4, 0); /* and before the left one */
	assert_string_equal(help_screen(c), "⣀b⣀de\n");
}
