/* test_scheme_t5.c: the buckets of T5 edge by edge, the scale, and the numbers of the ports. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "scheme/bucket.h"

static void check_edges(const struct bucket_rule *rule, long sign, long first_bucket,
			const long *first, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const long bucket = first_bucket + (long)i;
		assert_int_equal(bucket_of(rule, sign * first[i]), bucket);
		const long before = bucket_of(rule, sign * (first[i] - 1));
		assert_true(first[i] == 0 || before == bucket - 1 || first[i] == 1);
	}
}

/* The first distance of each bucket, from the definition. */
TEST(buckets_begin_where_t5_begins_them)
{
	static const long both[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
	static const long doubled[] = {0, 1, 2, 3, 4, 5, 10, 20, 40, 80};
	static const long past[] = {0,	1,  2,	3,  4,	5,  6,	7,  8,	9,  10,
				    11, 12, 13, 14, 15, 16, 19, 21, 24, 27, 31,
				    35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
	const struct bucket_rule two = {32, 128, true}, one = {32, 128, false};
	const struct bucket_rule five = {20, 160, true}; /* log(160/5) is 5 log(2) */
	check_edges(&two, -1, 0, both, 16);
	check_edges(&two, 1, 17, both + 1, 15);
	check_edges(&one, -1, 0, past, 32);
	check_edges(&five, -1, 0, doubled, 10);
	assert_int_equal(bucket_of(&two, -100000), 15);
	assert_int_equal(bucket_of(&two, 100000), 31);
	assert_int_equal(bucket_of(&one, -100000), 31);
	assert_int_equal(bucket_of(&one, 5), 0);
}

TEST(small_buckets_are_those_of_the_definition)
{
	static const long both[] = {3, 2, 2, 2, 2, 1, 0, 5, 6, 6, 6, 6, 7};
	static const long past[] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7};
	const struct bucket_rule two = {8, 16, true}, one = {8, 16, false};
	for (long i = 0; i < 13; i++) {
		assert_int_equal(bucket_of(&two, i - 6), both[i]);
		assert_int_equal(bucket_of(&one, -i), past[i]);
	}
}

TEST(buckets_equal_those_of_the_port)
{
	static const struct {
		const char *file;
		bool two_sided;
	} rows[] = {{"seq/t5-bidirectional-a.safetensors", true},
		    {"seq/t5-unidirectional-a.safetensors", false}};
	for (size_t i = 0; i < 2; i++) {
		const struct help_case c = {.file = rows[i].file, .expression = "none"};
		struct help_result r;
		help_case_open(&r, &c);
		const struct tensor *at = tensor_find(&r.set, "buckets_32_128_distance");
		const struct tensor *want = tensor_find(&r.set, "buckets_32_128");
		assert_true(at && want && want->shape[0] == 601);
		const struct bucket_rule rule = {32, 128, rows[i].two_sided};
		for (size_t k = 0; k < 601; k++)
			assert_int_equal(bucket_of(&rule, (long)at->at[k]), (long)want->at[k]);
		const struct tensor *small = tensor_find(&r.set, "buckets");
		const struct bucket_rule few = {8, 16, rows[i].two_sided};
		for (long t = 0; t < 7; t++)
			for (long s = 0; s < 7; s++)
				assert_int_equal(bucket_of(&few, s - t),
						 (long)small->at[t * 7 + s]);
		help_case_close(&r);
	}
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/t5-bidirectional-a.safetensors",
		 .expression = "t5(buckets=8,max_distance=16)"},
		{.file = "seq/t5-unidirectional-a.safetensors",
		 .expression = "t5(buckets=8,max_distance=16,causal=on)"},
		{.file = "seq/t5-xt-a.safetensors",
		 .expression = "t5(buckets=8,max_distance=16,scale=xt)"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		assert_int_equal(r.model.n_leaves, 1);
		assert_true(r.model.leaves[0].given);
		assert_true(help_case_compare(&r, &cases[i]) >= 12);
		help_case_close(&r);
	}
}

TEST(the_scale_says_what_content_is_divided_by)
{
	static const struct {
		const char *expression;
		double c;
	} rows[] = {
		{"t5", 1}, {"t5(scale=rsqrt)", 0.353553390593}, {"t5(scale=xt)", 0.353553390593}};
	struct help_run r;
	help_run_must_open(&r, "t5(scale=rsqrt)", 6, 0, NULL); /* d_h = 8 */
	const struct mat rsqrt = r.trace.layers[0].heads[0].bias;
	for (size_t i = 0; i < 3; i++) {
		const struct trace *trace = help_again(&r, rows[i].expression, NULL);
		const double factor = i == 2 ? 2.82842712475 : 1;
		assert_true(fabs(trace->c - rows[i].c) < 1e-9);
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++)
				assert_true(fabs(mat_row(trace->layers[0].heads[0].bias, t)[s] -
						 factor * mat_row(rsqrt, t)[s]) < 1e-9);
	}
	help_run_close(&r);
}

/* Each head has a slope: 2 for the first, 1/4 for the last of 4, and log(1 + |δ|) while |δ| < 8. */
TEST(demo_table_falls_with_the_logarithm_of_distance)
{
	struct help_run r;
	help_run_must_open(&r, "t5", 8, 0, NULL);
	static const double slopes[] = {2, 1, 0.5, 0.25};
	for (size_t h = 0; h < 4; h++) {
		const struct mat bias = r.trace.layers[0].heads[h].bias;
		assert_true(help_toeplitz_error(bias) < 1e-12);
		for (size_t s = 0; s < 8; s++) {
			const double want = -slopes[h] * log(1 + fabs(3 - (double)s));
			assert_true(fabs(mat_row(bias, 3)[s] - want) < 1e-12);
		}
	}
	help_run_close(&r);
}

static void add_one_to_leaves(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t r = 0; r < model->leaves[i].at.rows; r++)
			for (size_t c = 0; c < model->leaves[i].at.cols; c++)
				mat_row(model->leaves[i].at, r)[c] += 1;
}

TEST(the_table_matters_up_to_a_constant)
{
	struct help_run r;
	help_run_must_open(&r, "t5(scale=rsqrt)", 9, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	const struct trace *zero = help_changed(&r, "t5(scale=rsqrt)", help_zero_leaves);
	const struct trace *one = help_changed(&r, "t5(scale=rsqrt)", add_one_to_leaves);
	assert_true(help_output_apart(zero, none, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
	assert_true(help_output_apart(&r.trace, one, 1) < 1e-12);
	assert_true(help_logits_apart(&r.trace, one, 0, 4) > 0.999);
	help_run_close(&r);
}

TEST(causal_brings_the_mask)
{
	struct help_run r;
	help_run_must_open(&r, "t5(causal=on)", 6, 0, NULL);
	assert_true(expr_is_causal(&r.expr));
	const struct mat weights = r.trace.layers[0].heads[0].weights;
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			assert_true((mat_row(weights, t)[s] > 0) == (s <= t));
	help_run_close(&r);
}

TEST(unfitting_parameters_are_refused)
{
	static const struct {
		const char *expression, *message;
	} rows[] = {{"t5(buckets=2)", "even number of at least 4"},
		    {"t5(buckets=7)", "even number of at least 4"},
		    {"t5(max_distance=8)", "above 8"},
		    {"t5(causal=on,max_distance=16)", "above 16"}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].expression, 4, 0, NULL));
		if (!strstr(r.err.text, rows[i].message))
			fail_msg("%s: %s", rows[i].expression, r.err.text);
		help_run_close(&r);
	}
}

TEST(one_table_serves_all_layers)
{
	struct help_run r;
	help_run_must_open(&r, "t5", 4, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 32 * 4);
	help_run_close(&r);
}

/* In units of distance 1: nothing at distance 0, log(1 + d) where a distance has a bucket of its own. */
TEST(the_demonstration_costs_by_the_nearest_distance)
{
	static const struct {
		const char *expression;
		size_t own; /* distances with a bucket of their own */
	} rows[] = {
		{"t5", 8}, {"t5(causal=on)", 16}, {"t5(buckets=8,max_distance=16,causal=on)", 4}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		const struct mat b = help_leaf(&r.model, "bias_table");
		for (size_t h = 0; h < b.cols; h++) {
			assert_true(help_entry(b, 1, h) < 0);
			for (size_t d = 0; d < rows[i].own; d++)
				assert_true(fabs(help_entry(b, d, h) / help_entry(b, 1, h) -
						 log1p((double)d) / log(2)) < 1e-12);
		}
		help_run_close(&r);
	}
}
