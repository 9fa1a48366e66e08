/* test_scheme_gauss.c: densities that know no words, and what the border takes from them. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"

static struct mat weights_of(const struct help_run *r, size_t head)
{
	return r->trace.layers[0].heads[head].weights;
}

static double row_sum(struct mat m, size_t t)
{
	double sum = 0;
	for (size_t s = 0; s < m.cols; s++)
		sum += mat_row(m, t)[s];
	return sum;
}

/* The worked row: t=2, o=-1, n=5. */
TEST(densities_are_those_of_the_definition)
{
	static const double row[] = {.24197072, .39894228, .24197072, .05399097, .00443185};
	struct help_run r;
	help_run_must_open(&r, "gauss", 5, 0, NULL);
	for (size_t s = 0; s < 5; s++) {
		assert_true(fabs(mat_row(weights_of(&r, 0), 2)[s] - row[s]) < 1e-8);
		/* The next head looks forward: its row is the mirror image. */
		assert_true(fabs(mat_row(weights_of(&r, 1), 2)[4 - s] - row[s]) < 1e-8);
	}
	assert_true(fabs(row_sum(weights_of(&r, 0), 2) - .94130654) < 1e-8);
	help_run_close(&r);
}

TEST(offsets_go_round_the_heads)
{
	struct help_run r;
	help_run_must_open(&r, "gauss(offsets=[0,2,-3])", 9, 0, NULL);
	static const double offsets[] = {0, 2, -3, 0};
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 3; t < 7; t++)
			assert_true(fabs(mat_row(weights_of(&r, h),
						 t)[(size_t)((double)t + offsets[h])] -
					 .3989422804) < 1e-9);
	help_run_close(&r);
}

TEST(weights_are_toeplitz_and_blind_to_words)
{
	struct help_run different, equal;
	help_run_must_open(&different, "gauss", 20, 0, NULL);
	help_run_must_open(&equal, "gauss", 20, 1, NULL);
	for (size_t h = 0; h < 4; h++) {
		assert_true(help_toeplitz_error(weights_of(&different, h)) < 1e-15);
		assert_true(mat_max_abs_diff(weights_of(&different, h), weights_of(&equal, h)) ==
			    0);
	}
	for (size_t t = 8; t < 12; t++)
		assert_true(fabs(row_sum(weights_of(&equal, 0), t) - 1) < 1e-8);
	assert_true(row_sum(weights_of(&equal, 0), 0) < 0.5);
	help_run_close(&different);
	help_run_close(&equal);
}

TEST(a_narrow_bell_renormalised_is_a_shift)
{
	struct help_run r;
	help_run_must_open(&r, "gauss(std=0.05,renorm=on)", 6, 0, NULL);
	for (size_t t = 0; t < 6; t++) {
		const size_t before = t > 0 ? t - 1 : 0, after = t < 5 ? t + 1 : 5;
		for (size_t s = 0; s < 6; s++) {
			assert_true(fabs(mat_row(weights_of(&r, 0), t)[s] - (s == before)) < 1e-12);
			assert_true(fabs(mat_row(weights_of(&r, 1), t)[s] - (s == after)) < 1e-12);
		}
	}
	help_run_close(&r);
}

TEST(renormalised_rows_sum_to_1_even_far_outside)
{
	struct help_run r;
	help_run_must_open(&r, "gauss(offsets=[-1000],renorm=on)", 6, 0, NULL);
	for (size_t t = 0; t < 6; t++)
		assert_true(fabs(row_sum(weights_of(&r, 0), t) - 1) < 1e-12);
	help_run_close(&r);
}

/* Densities beyond the threshold go: with σ=1 only |s-(t+o)| < 2 is above 0.06. */
TEST(threshold_and_mask_leave_zeros_without_renormalising)
{
	struct help_run plain, r;
	help_run_must_open(&plain, "gauss(offsets=[0])", 8, 0, NULL);
	help_run_must_open(&r, "gauss(offsets=[0],threshold=0.06,causal=on)", 8, 0, NULL);
	for (size_t t = 0; t < 8; t++) {
		for (size_t s = 0; s < 8; s++) {
			const bool kept = s <= t && t < s + 2;
			const double want = kept ? mat_row(weights_of(&plain, 0), t)[s] : 0;
			assert_true(fabs(mat_row(weights_of(&r, 0), t)[s] - want) < 1e-15);
		}
	}
	assert_true(expr_is_causal(&r.expr) && !expr_is_causal(&plain.expr));
	help_run_close(&plain);
	help_run_close(&r);
}

/* Everything below the threshold: an empty row stays empty. */
TEST(a_row_without_any_weight_is_zero)
{
	struct help_run r;
	help_run_must_open(&r, "gauss(offsets=[1],threshold=0.1,causal=on,renorm=on,std=0.1)", 4, 0,
			   NULL);
	for (size_t t = 0; t < 4; t++)
		assert_true(row_sum(weights_of(&r, 0), t) == 0);
	assert_true(help_is_finite(r.trace.layers[1].output));
	help_run_close(&r);
}

TEST(positions_come_from_the_column)
{
	struct help_run r;
	help_run_must_open(&r, "gauss(pos=remaining)", 7, 0, NULL);
	const struct trace *seq = help_again(&r, "gauss(offsets=[1,-1])", NULL);
	assert_true(mat_max_abs_diff(weights_of(&r, 0), seq->layers[0].heads[0].weights) < 1e-15);
	help_run_close(&r);
}

TEST(there_is_no_bias_and_the_trace_says_why)
{
	struct help_run r;
	help_run_must_open(&r, "gauss", 5, 0, NULL);
	assert_non_null(r.trace.bias_absent);
	assert_non_null(strstr(r.trace.bias_absent, "gauss"));
	assert_null(r.trace.layers[0].heads[0].logits.at);
	help_run_close(&r);
}

TEST(parameters_are_checked)
{
	static const struct {
		const char *expression, *message;
	} rows[] = {
		{"gauss(offsets=[])", "at least one"},
		{"gauss(std=0)", "std"},
		{"gauss(threshold=2)", "threshold"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].expression, 3, 0, NULL));
		if (!strstr(r.err.text, rows[i].message))
			fail_msg("%s: %s", rows[i].expression, r.err.text);
		help_run_close(&r);
	}
}

TEST(reference_numbers_are_matched)
{
	const struct help_case c = {.file = "seq/gauss-a.safetensors",
				    .expression = "gauss(offsets=[-1,1,0,2])"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(help_case_compare(&r, &c), 8); /* weights and context of 4 heads */
	help_case_close(&r);
}
