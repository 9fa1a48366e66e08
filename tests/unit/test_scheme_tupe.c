/* test_scheme_tupe.c: untied positions: the released code's numbers, the [CLS] reset, b. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "posviz/base/rng.h"

static struct leaf *leaf_of(const struct model *model, const char *base)
{
	struct leaf *leaf = model_find_leaf(model, &model->members[0], base, 0);
	assert_non_null(leaf);
	return leaf;
}

/* The additive part of the logits: what is left when c q·k of the same q and k is taken away. */
static double position_part(const struct trace *trace, size_t h, size_t t, size_t s)
{
	const struct trace_head *head = &trace->layers[0].heads[h];
	double product = 0;
	for (size_t j = 0; j < head->q.cols; j++)
		product += mat_row(head->q, t)[j] * mat_row(head->k, s)[j];
	return mat_row(head->logits, t)[s] - trace->c * product;
}

/* ---- the released code ---- */

static void compare_bias(const struct help_result *r)
{
	for (size_t h = 0; h < 3; h++) {
		char name[32];
		snprintf(name, sizeof name, "head.%zu.bias", h);
		const struct tensor *want = tensor_find(&r->set, name);
		assert_non_null(want);
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++)
				assert_true(fabs(position_part(&r->trace, h, t, s) -
						 mat_row(tensor_mat(want), t)[s]) < 1e-9);
	}
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/tupe_a-a.safetensors",
		 .expression = "tupe_a(theta=rows,ln_p=on,bias=on)",
		 .t_max = 7},
		{.file = "seq/tupe_r-a.safetensors",
		 .expression = "tupe_r(theta=rows,ln_p=on,bias=on,buckets=32)",
		 .t_max = 7},
	};
	for (size_t i = 0; i < 2; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		assert_int_equal(r.model.n_leaves, 7 + i);
		for (size_t k = 0; k < r.model.n_leaves; k++)
			assert_true(r.model.leaves[k].given);
		assert_int_equal(help_case_compare(&r, &cases[i]), 9);
		compare_bias(&r);
		help_case_close(&r);
	}
}

/* ---- the paper ---- */

static double score(const struct model *model, size_t h, size_t t, size_t s)
{
	const struct mat p = leaf_of(model, "p")->at;
	const struct mat v_q = leaf_of(model, "v_q")->at, v_k = leaf_of(model, "v_k")->at;
	double sum = 0;
	for (size_t j = 8 * h; j < 8 * h + 8; j++) {
		double q = 0, k = 0;
		for (size_t i = 0; i < 32; i++) {
			q += mat_row(p, t)[i] * mat_row(v_q, i)[j];
			k += mat_row(p, s)[i] * mat_row(v_k, i)[j];
		}
		sum += q * k;
	}
	return sum / sqrt(16);
}

/* Where nothing is trained a head looks 1, 1, 2 or 2 places away, in turn before and behind. */
TEST(heads_look_where_the_demonstration_says)
{
	static const int away[] = {-1, 1, -2, 2};
	struct help_run r;
	help_run_must_open(&r, "tupe_a(reset=off)", 9, 0, help_with_qkv);
	for (size_t h = 0; h < 4; h++)
		for (size_t s = 0; s < 9; s++) {
			const double there = position_part(&r.trace, h, 4, (size_t)(4 + away[h]));
			assert_true(position_part(&r.trace, h, 4, s) <= there);
		}
	help_run_close(&r);
}

/* Eq. 13 with θ1 in the first row, θ2 below it in the first column, and b_{t-s} in neither. */
TEST(position_part_is_that_of_the_paper)
{
	for (size_t relative = 0; relative < 2; relative++) {
		struct help_run r;
		help_run_must_open(&r, relative ? "tupe_r" : "tupe_a", 7, 0, help_with_qkv);
		const struct mat theta = leaf_of(&r.model, "theta")->at;
		struct rng rng;
		rng_init(&rng, 3);
		for (size_t i = 0; i < r.model.n_leaves; i++)
			mat_fill_normal(r.model.leaves[i].at, 0.5, &rng);
		struct trace trace;
		assert_true(
			model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
		assert_true(fabs(trace.c - 1 / sqrt(16)) < 1e-15);
		for (size_t h = 0; h < 4; h++)
			for (size_t t = 0; t < 7; t++)
				for (size_t s = 0; s < 7; s++) {
					double want = score(&r.model, h, t, s);
					if (relative)
						want += mat_row(leaf_of(&r.model, "rel_bias")->at,
								512 + t - s)[h];
					if (t == 0 || s == 0)
						want = mat_row(theta, t == 0 ? 0 : 1)[h];
					assert_true(fabs(position_part(&trace, h, t, s) - want) <
						    1e-12);
				}
		help_run_close(&r);
	}
}

TEST(without_reset_the_first_token_is_like_any)
{
	struct help_run r;
	help_run_must_open(&r, "tupe_a(reset=off)", 6, 0, help_with_qkv);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			assert_true(fabs(position_part(&r.trace, 2, t, s) -
					 score(&r.model, 2, t, s)) < 1e-12);
	help_run_close(&r);
}

/* b alone, with T5's buckets of s - t: 0 past and self, 16 and up ahead. */
static void keep_b(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const bool b = strcmp(model->leaves[i].base, "rel_bias") == 0;
		for (size_t row = 0; row < at.rows; row++)
			mat_fill(mat_rows(at, row, 1), b ? (double)row : 0);
	}
}

TEST(buckets_are_those_of_t5)
{
	static const struct {
		long delta;
		double bucket;
	} rows[] = {{0, 0},   {-1, 1}, {-7, 7}, {-8, 8}, {-11, 8},
		    {-12, 9}, {1, 17}, {7, 23}, {12, 25}};
	struct help_run r;
	help_run_must_open(&r, "tupe_r(buckets=32,reset=off)", 20, 0, help_with_qkv);
	const struct trace *trace = help_changed(&r, "tupe_r(buckets=32,reset=off)", keep_b);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const size_t t = rows[i].delta < 0 ? 18 : 2;
		const size_t s = (size_t)((long)t + rows[i].delta);
		assert_true(fabs(position_part(trace, 1, t, s) - rows[i].bucket) < 1e-12);
	}
	/* The code's own numbers for [CLS]: 32 below it, 16 in its row. */
	trace = help_changed(&r, "tupe_r(buckets=32,theta=rows)", keep_b);
	assert_true(fabs(position_part(trace, 1, 5, 0) - 32) < 1e-12);
	assert_true(fabs(position_part(trace, 1, 0, 0) - 16) < 1e-12);
	assert_true(fabs(position_part(trace, 1, 0, 5) - 16) < 1e-12);
	help_run_close(&r);
}

/* ---- limits and invariants ---- */

/* p = b = θ = 0: the plain product with 1/√(2 d_k), or 1/√d_k with scale=d. */
TEST(leaves_of_0_leave_the_plain_product)
{
	static const char *const names[] = {"tupe_a", "tupe_r"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		char text[64];
		snprintf(text, sizeof text, "%s(scale=d)", names[i]);
		help_run_must_open(&r, text, 7, 0, NULL);
		const struct trace *plain = help_again(&r, "none", NULL);
		const struct trace *bare = help_changed(&r, text, help_zero_leaves);
		assert_true(help_output_apart(bare, plain, 1) < 1e-12);
		assert_true(help_output_apart(&r.trace, plain, 1) > 1e-3);
		help_run_close(&r);
	}
}

/* TUPE-R with b = 0 is TUPE-A. */
static void zero_b(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, "rel_bias") == 0)
			mat_fill(model->leaves[i].at, 0);
}

TEST(without_b_the_two_are_one)
{
	struct help_run r;
	help_run_must_open(&r, "tupe_a", 7, 0, NULL);
	const struct trace *other = help_changed(&r, "tupe_r", zero_b);
	assert_true(help_output_apart(other, &r.trace, 1) < 1e-12);
	help_run_close(&r);
}

TEST(position_part_hangs_on_positions_alone)
{
	static const size_t order[] = {3, 1, 6, 0, 5, 2, 4};
	struct help_run r;
	help_run_must_open(&r, "tupe_r", 7, 0, help_with_qkv);
	help_permute(&r, order);
	const struct trace *moved = help_again(&r, "tupe_r", NULL);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++) {
				const double part = position_part(&r.trace, h, t, s);
				assert_true(fabs(position_part(moved, h, t, s) - part) < 1e-10);
				/* [CLS]'s own row is even, so softmax does not see it. */
				if (t == 0)
					assert_true(fabs(part - position_part(&r.trace, h, 0, 0)) <
						    1e-10);
			}
	help_run_close(&r);
}

/* The same in every layer, or in those named. */
TEST(every_layer_has_it_unless_said_otherwise)
{
	struct help_run r;
	help_run_must_open(&r, "tupe_a(layers=1)", 6, 0, help_with_qkv);
	for (size_t layer = 0; layer < 2; layer++) {
		const struct trace first = {.c = r.trace.c, .layers = &r.trace.layers[layer]};
		double largest = 0;
		for (size_t t = 0; t < 6; t++)
			largest = fmax(largest, fabs(position_part(&first, 0, t, t)));
		assert_true(layer == 0 ? largest > 0.1 : largest < 1e-10);
	}
	help_run_close(&r);
	help_run_must_open(&r, "tupe_a", 6, 0, help_with_qkv);
	const struct trace second = {.c = r.trace.c, .layers = &r.trace.layers[1]};
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			assert_true(fabs(position_part(&r.trace, 1, t, s) -
					 position_part(&second, 1, t, s)) < 1e-10);
	help_run_close(&r);
}

TEST(odd_parameters_are_refused)
{
	static const char *const bad[] = {"tupe_r(buckets=2)", "tupe_r(buckets=7)",
					  "tupe_r(buckets=64,max_distance=16)"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, bad[i], 4, 0, NULL));
		assert_non_null(strstr(r.err.text, "tupe_r: "));
		help_run_close(&r);
	}
}

static void short_t_max(struct help_run *r)
{
	r->config.t_max = 5;
}

TEST(the_table_ends_at_t_max)
{
	struct help_run r;
	help_run_must_open(&r, "tupe_r", 5, 0, short_t_max);
	help_run_close(&r);
	assert_false(help_run_open(&r, "tupe_r", 6, 0, short_t_max));
	assert_non_null(strstr(r.err.text, "t-max"));
	help_run_close(&r);
}
