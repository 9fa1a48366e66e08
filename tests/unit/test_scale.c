/* test_scale.c: places between limits, and ticks a person would choose. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "posviz/plot/scale.h"

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-9))
		fail_msg("%.17g is not %.17g", a, b);
}

TEST(scale_fit_chooses_honest_limits)
{
	static const struct {
		double lo, hi;
		bool diverging, unit;
		double want_lo, want_hi;
	} cases[] = {
		{-1, 3, true, false, -3, 3},   {0.2, 0.7, false, false, 0, 0.7},
		{-4, -1, false, false, -4, 0}, {-1, 3, false, false, -1, 3},
		{0.3, 0.4, false, true, 0, 1}, {0, 0, true, false, 0, 0},
		{NAN, 1, false, false, 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct scale s = scale_fit(cases[i].lo, cases[i].hi, SCALE_LINEAR,
						 cases[i].diverging, cases[i].unit);
		assert_near(s.lo, cases[i].want_lo);
		assert_near(s.hi, cases[i].want_hi);
		assert_int_equal(s.diverging, cases[i].diverging);
	}
}

/* Noise about zero has one colour, whatever its sign: the middle, exactly. */
TEST(rounding_is_the_middle)
{
	for (int mode = 0; mode < SCALE_MODES; mode++) {
		const struct scale s = {-0.5, 0.5, (enum scale_mode)mode, true};
		for (int sign = -1; sign < 2; sign++)
			assert_true(scale_at(&s, sign * 1e-17, NULL) == 0.5);
	}
	assert_true(scale_at(&(struct scale){-0.5, 0.5, SCALE_LINEAR, true}, 1e-11, NULL) > 0.5);
	assert_true(scale_at(&(struct scale){-1e-17, 1e-17, SCALE_LINEAR, true}, 5e-18, NULL) >
		    0.7);
}

TEST(scale_at_follows_the_mode)
{
	static const struct {
		struct scale scale;
		double value, want;
	} cases[] = {
		{{0, 2, SCALE_LINEAR}, 0.5, 0.25},
		{{-2, 2, SCALE_LINEAR, true}, 0, 0.5},
		{{0, 1, SCALE_SQRT}, 0.25, 0.5},
		{{-1, 1, SCALE_SQRT, true}, -0.25, 0.25},
		/* 1 up to 0.01, then 1 for each decade. */
		{{0, 1, SCALE_SYMLOG, .linear = 0.01}, 0.1, 2.0 / 3},
		{{0, 1, SCALE_SYMLOG, .linear = 0.01}, 0.005, 0.5 / 3},
		{{0, 10, SCALE_SYMLOG}, 10, 1},
		{{-1, 1, SCALE_SYMLOG, .linear = 0.01, .diverging = true}, -0.1, 1.0 / 6},
		{{-1, 1, SCALE_SYMLOG, .linear = 0.01, .diverging = true}, 0.005, 0.5 + 0.5 / 6},
		{{-1, 1, SCALE_SYMLOG, .diverging = true}, 0, 0.5},
		{{0, 0, SCALE_LINEAR}, 0, 0},
		{{0, 0, SCALE_LINEAR, true}, 0, 0.5},
		{{3, 3, SCALE_LINEAR}, 3, 0.5},
		{{-1e308, 1e308, SCALE_LINEAR, true}, 0, 0.5},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_near(scale_at(&cases[i].scale, cases[i].value, NULL), cases[i].want);
}

TEST(scale_at_reports_clipping)
{
	const struct scale s = {0, 1, SCALE_LINEAR, .locked = true};
	bool clipped;
	assert_near(scale_at(&s, 1.5, &clipped), 1);
	assert_true(clipped);
	assert_near(scale_at(&s, -0.5, &clipped), 0);
	assert_true(clipped);
	assert_near(scale_at(&s, 1, &clipped), 1);
	assert_false(clipped);
}

TEST(ticks_are_round)
{
	static const struct {
		double lo, hi;
		size_t most;
		bool integers;
		size_t n;
		double first, step;
	} cases[] = {
		{0, 1, 5, false, 3, 0, 0.5},	     {0, 1, 6, false, 6, 0, 0.2},
		{-2.1, 2.1, 5, false, 5, -2, 1},     {-11, 11, 5, true, 5, -10, 5},
		{0.1, 0.9, 2, false, 2, 0.4, 0.4},   {1, 12, 12, true, 12, 1, 1},
		{1, 512, 8, true, 5, 100, 100},	     {0, 1e-7, 6, false, 6, 0, 2e-8},
		{-3e5, 4e5, 4, false, 4, -2e5, 2e5}, {0, 2, 9, true, 3, 0, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double at[16];
		const size_t n =
			cases[i].integers
				? scale_ticks_integer(cases[i].lo, cases[i].hi, cases[i].most, at)
				: scale_ticks(cases[i].lo, cases[i].hi, cases[i].most, at);
		assert_int_equal(n, cases[i].n);
		for (size_t k = 0; k < n; k++) {
			const double want = cases[i].first + (double)k * cases[i].step;
			assert_true(fabs(at[k] - want) <= 1e-9 * cases[i].step);
		}
	}
}

/* For any limits: ascending, inside, between two and the asked number, zero when it is inside. */
TEST(ticks_hold_their_promise_everywhere)
{
	for (int i = 0; i < 4000; i++) {
		const double size = pow(10, i % 41 - 20);
		const double lo = sin(i * 12.9898) * size;
		const double hi = lo + fabs(cos(i * 78.233)) * size * (i % 7 + 0.01);
		const size_t most = 2 + (size_t)i % 8;
		double at[16];
		const size_t n = scale_ticks(lo, hi, most, at);
		bool zero = false;
		assert_in_range(n, 2, most);
		for (size_t k = 0; k < n; k++) {
			assert_true(at[k] >= lo && at[k] <= hi);
			assert_true(k == 0 || at[k] > at[k - 1]);
			zero = zero || at[k] == 0;
		}
		assert_true(n == 2 || zero || lo > 0 || hi < 0);
	}
}

TEST(tick_labels_need_no_more_decimals)
{
	static const struct {
		double at[5];
		size_t n;
		bool plus;
		const char *want;
	} cases[] = {
		{{-1, 0, 1}, 3, true, "−1 0 +1"},
		{{-1, -0.5, 0, 0.5}, 4, true, "−1.0 −0.5 0 +0.5"},
		{{0, 0.25, 0.5, 0.75, 1}, 5, false, "0 0.25 0.50 0.75 1.00"},
		{{0, 100, 200}, 3, false, "0 100 200"},
		{{0, 2e-8, 4e-8}, 3, false, "0 2e−8 4e−8"},
		{{0.1, 0.2, 0.3}, 3, false, "0.1 0.2 0.3"},
		{{-2e9, 0, 2e9}, 3, true, "−2e9 0 +2e9"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct arena a;
		arena_init(&a);
		const char **labels = scale_tick_labels(&a, cases[i].at, cases[i].n, cases[i].plus);
		const char *all = "";
		for (size_t k = 0; k < cases[i].n; k++)
			all = arena_printf(&a, "%s%s%s", all, k > 0 ? " " : "", labels[k]);
		assert_string_equal(all, cases[i].want);
		arena_release(&a);
	}
}

TEST(bar_ticks_of_symlog_are_powers_of_ten)
{
	struct scale s = {-2, 2, SCALE_SYMLOG, .linear = 0.002, .diverging = true};
	static const double want[] = {-1, -0.1, -0.01, 0, 0.01, 0.1, 1};
	double at[9];
	assert_int_equal(scale_bar_ticks(&s, 9, at), 7);
	for (size_t i = 0; i < 7; i++)
		assert_near(at[i], want[i]);
	assert_int_equal(scale_bar_ticks(&s, 5, at), 5); /* every second decade */
	assert_near(at[0], -1);
	assert_near(at[1], -0.01);
	s.half = 1;
	assert_int_equal(scale_bar_ticks(&s, 5, at), 4);
	assert_near(at[0], 0);
	assert_near(at[3], 1);
}

/* The bar shows the half that has values, and colours stay what they are. */
TEST(a_half_of_a_scale_keeps_its_colours)
{
	const struct scale both = {-4, 4, SCALE_SQRT, .diverging = true};
	for (int half = -1; half < 2; half++) {
		struct scale s = both;
		double lo, hi, from, to;
		s.half = half;
		scale_part_limits(&s, &lo, &hi);
		scale_part(&s, &from, &to);
		assert_near(lo, half > 0 ? 0 : -4);
		assert_near(hi, half < 0 ? 0 : 4);
		assert_near(scale_at(&s, lo, NULL), from);
		assert_near(scale_at(&s, hi, NULL), to);
		assert_near(scale_at(&s, 1, NULL), scale_at(&both, 1, NULL));
	}
}

TEST(a_few_large_values_bend_the_scale)
{
	double even[] = {-1, 0.5, 0, 0.25, 1e-12, -0.75};
	double few[] = {0.1, -0.1, 0.1, 4, 0.1, 0}, wide[] = {1e-4, 1, 2e-4, 5e-4, 1e-4, 0, 2e-4};
	/* Changes of a thousandth of the largest do not matter as much as that. */
	double small[] = {1e-3, 1, 2e-3, 5e-3, 1e-3, 0, 2e-3};
	struct scale_sizes sizes = scale_sizes(even, 6);
	assert_near(sizes.most, 1);
	assert_near(sizes.least, 0.25);
	assert_int_equal(scale_mode_for(&sizes), SCALE_LINEAR);
	sizes = scale_sizes(few, 6);
	assert_near(sizes.median, 0.1);
	assert_int_equal(scale_mode_for(&sizes), SCALE_SQRT);
	sizes = scale_sizes(wide, 7);
	assert_near(sizes.quartile, 1e-4);
	assert_int_equal(scale_mode_for(&sizes), SCALE_SYMLOG);
	sizes = scale_sizes(small, 7);
	assert_int_equal(scale_mode_for(&sizes), SCALE_SQRT);
	sizes = scale_sizes(even, 0);
	assert_int_equal(scale_mode_for(&sizes), SCALE_LINEAR);
}
