/* test_scheme_rope_precision.c: readings of rope over which programs differ: numbers of few digits, keys
 * that stay in a cache, and the factors of YaRN. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "posviz/scheme/reach.h"
#include "scheme/rope_precision.h"

TEST(numbers_are_rounded_as_the_types_do)
{
	static const struct {
		int type;
		double x, near;
	} rows[] = {
		{PRECISION_BFLOAT16, 256, 256},
		{PRECISION_BFLOAT16, 257, 256},
		{PRECISION_BFLOAT16, 258, 258},
		{PRECISION_BFLOAT16, 259, 260},
		{PRECISION_BFLOAT16, -1027, -1024},
		{PRECISION_BFLOAT16, 1. / 3, .333984375},
		{PRECISION_FLOAT16, 2049, 2048},
		{PRECISION_FLOAT16, 2051, 2052},
		{PRECISION_FLOAT16, 65519, 65504},
		{PRECISION_FLOAT16, 65520, INFINITY},
		{PRECISION_FLOAT16, 3e-8, 0x1p-24},
		{PRECISION_FLOAT16, 2e-8, 0},
		{PRECISION_FLOAT16, 1. / 3, .333251953125},
		{PRECISION_FLOAT32, 16777217, 16777216},
		{PRECISION_EXACT, 257.1, 257.1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double near = precision_round(rows[i].type, rows[i].x);
		if (!(near == rows[i].near))
			fail_msg("%.12g: %.12g, not %.12g", rows[i].x, near, rows[i].near);
	}
	for (double x = 1e-20; x < 1e20; x *= 1.7)
		assert_true(precision_round(PRECISION_FLOAT32, x) == (double)(float)x);
}

/* Of the whole numbers those up to 2^8, 2^11 and 2^24 have as many digits as the types. */
TEST(the_first_position_without_a_number_of_its_own)
{
	assert_float_equal(reach_of_rounded("bfloat16"), 257, 0);
	assert_float_equal(reach_of_rounded("float16"), 2049, 0);
	assert_float_equal(reach_of_rounded("float32"), 16777217, 0);
}

static void wide(struct help_run *r)
{
	r->config.layers = r->config.heads = 1;
	r->config.d = 8;
	r->want.kinds |= WANT_QKV;
}

static double rows_apart(const struct help_run *r, size_t t, size_t s)
{
	const struct mat q = help_head_of(&r->trace, 0)->q;
	double most = 0;
	for (size_t j = 0; j < q.cols; j++)
		most = fmax(most, fabs(mat_row(q, t)[j] - mat_row(q, s)[j]));
	return most;
}

/* Of one token repeated, rotated vectors show which positions are one. */
TEST(positions_of_few_digits_fall_together)
{
	static const struct {
		const char *expression;
		size_t n, first; /* the first that is rotated as the one before it; 0: none */
	} rows[] = {
		{"rope", 300, 0},
		{"rope(precision=float32)", 300, 0},
		{"rope(precision=float16)", 300, 0},
		{"rope(precision=bfloat16)", 256, 0},
		{"rope(precision=bfloat16)", 300, 257},
		{"rope(precision=bfloat16,start=200)", 80, 57},
		{"rope_pi(precision=bfloat16,layout=half)", 300, 257},
		{"hope(precision=bfloat16)", 300, 257},
		{"rope(precision=float16,start=2000)", 60, 49},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		size_t first = 0;
		help_run_must_open(&r, rows[i].expression, rows[i].n, 1, wide);
		for (size_t t = 1; t < rows[i].n && first == 0; t++)
			first = rows_apart(&r, t, t - 1) > 0 ? 0 : t;
		if (first != rows[i].first)
			fail_msg("%s: %zu", rows[i].expression, first);
		assert_true((r.trace.note != NULL) == (first > 0));
		if (first > 0)
			assert_non_null(strstr(r.trace.note, "fall together"));
		help_run_close(&r);
	}
}

/* What is rounded: 0.1 · 3 positions as an angle, cos 3 as a table. */
TEST(angles_and_tables_are_rounded_in_their_turn)
{
	const struct rope angles = {.precision = PRECISION_BFLOAT16, .rounds = ROUNDS_ANGLES};
	const struct rope tables = {.precision = PRECISION_BFLOAT16, .rounds = ROUNDS_TABLES};
	assert_true(fabs(precision_wave(&angles, 3, .1).sine - sin(.30078125)) < 1e-15);
	assert_true(fabs(precision_wave(&tables, 3, 1).cosine + .98828125) < 1e-15);
	assert_true(fabs(precision_wave(&tables, 257, 0).cosine - 1) < 1e-15);
	struct help_run r;
	help_run_must_open(&r, "rope", 9, 0, NULL);
	static const char *const others[] = {"rope(precision=bfloat16,rounds=angles)",
					     "rope(precision=bfloat16,rounds=tables)"};
	for (size_t i = 0; i < 2; i++) {
		const double apart =
			help_logits_apart(&r.trace, help_again(&r, others[i], NULL), 0, 4);
		assert_true(apart > 1e-6 && apart < 0.1);
	}
	help_traces_equal(&r.trace, help_again(&r, "rope(precision=bfloat16)", NULL));
	help_run_close(&r);
}

/* Tokens to L are rotated as without scaling, the last as all others are by the whole input, those
 * between as the last of a shorter one. */
TEST(keys_in_a_cache_keep_their_base)
{
	struct help_run r, other;
	help_run_must_open(&r, "rope_dyn(original=3,cached=on)", 8, 1, wide);
	help_run_must_open(&other, "rope", 3, 1, wide);
	const struct mat q = help_head_of(&r.trace, 0)->q;
	help_assert_near(mat_rows(q, 0, 3), help_head_of(&other.trace, 0)->q, 1e-14, "to L");
	help_run_close(&other);
	for (size_t n = 4; n <= 8; n++) {
		help_run_must_open(&other, "rope_dyn(original=3)", n, 1, wide);
		help_assert_near(mat_rows(q, n - 1, 1),
				 mat_rows(help_head_of(&other.trace, 0)->q, n - 1, 1), 1e-14,
				 "the last");
		help_run_close(&other);
	}
	help_run_close(&r);
}

/* gpt-oss: 0.1 ln 32 + 1; DeepSeek's two numbers, and equal ones. */
TEST(factors_of_yarn_are_these)
{
	static const struct {
		double factor, mscale, all, want;
	} rows[] = {{32, 1, 0, 1.346573590},
		    {40, 1, 0, 1.368887945},
		    {40, .707, 0, 1.260803777},
		    {40, .707, .707, 1},
		    {40, 1, .707, 1.368887945 / 1.260803777}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct rope_scaling yarn = {.named = SCALING_YARN,
						  .factor = {rows[i].factor},
						  .mscale = rows[i].mscale,
						  .mscale_all_dim = rows[i].all};
		const struct rope_wheel w = {.scaling = &yarn, .base = 1e4, .pairs = 4};
		assert_true(fabs(scaling_attention(&w) - rows[i].want) < 1e-8);
	}
}

/* Of gpt-oss, width 64: bounds at 8.09 and 17.4, or at 8 and 18 if they are rounded. */
TEST(bounds_of_yarn_are_rounded_or_not)
{
	struct rope_scaling yarn = {
		.named = SCALING_YARN, .factor = {32}, .beta_fast = 32, .beta_slow = 1};
	const struct rope_wheel w = {
		.scaling = &yarn, .base = 150000, .pairs = 32, .rotating = 32, .trained = 4096};
	static const struct {
		size_t pair;
		double want, by;
	} rows[] = {{8, .050813275, 1e-9},
		    {9, .031705696, 1e-9},
		    {12, .006794959, 1e-9},
		    {17, 1.29319e-4, 1e-9},
		    {31, 3.02e-7, 1e-9}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_true(fabs(scaling_frequency(&w, rows[i].pair) - rows[i].want) < rows[i].by);
	yarn.truncate = true;
	assert_true(fabs(scaling_frequency(&w, 9) - .031620752) < 1e-9);
}

TEST(what_cannot_be_is_refused)
{
	static const char *const rows[][2] = {
		{"rope(rounds=angles)", "does nothing with precision=exact"},
		{"prope(rounds=tables)", "does nothing with precision=exact"},
		{"rope_yarn(rounds=tables)", "does nothing with precision=exact"},
		{"rope(precision=float16,start=65518)", "no number for position 65520"},
		{"rope(cached=on)", "it is for dynamic"},
		{"rope(precision=float16,grid=2)", "grid=0 would be right"},
		{"rope(precision=float16)+rerope", "precision=exact would be right"},
		{"rope_dyn(cached=on)+dca", "cached=off"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i][0], 5, 0, NULL));
		if (!strstr(r.err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], r.err.text);
		help_run_close(&r);
	}
}
