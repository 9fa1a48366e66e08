/* test_scheme_alibi.c: the slopes, the line, and the same numbers as the authors, BLOOM and MPT. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static size_t wanted_heads;

static void with_heads(struct help_run *r)
{
	r->config.heads = wanted_heads;
	r->config.d = 2 * wanted_heads;
}

/* The slope of head i of h, read off the bias of the pair (1, 0). */
static double slope_made(struct help_run *r, size_t i)
{
	return -mat_row(r->trace.layers[0].heads[i].bias, 1)[0];
}

TEST(slopes_follow_the_rule_of_the_authors)
{
	static const struct {
		size_t heads, known;
		double slopes[12];
	} rows[] = {
		{1, 1, {.00390625}},
		{4, 4, {.25, .0625, .015625, .00390625}},
		{8, 8, {.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625}},
		{12,
		 12,
		 {.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625, .707106781,
		  .353553391, .176776695, .088388348}},
		{16, 4, {.707106781, .5, .353553391, .25}},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct help_run r;
		wanted_heads = rows[k].heads;
		help_run_must_open(&r, "alibi", 3, 0, with_heads);
		for (size_t i = 0; i < rows[k].known; i++)
			assert_true(fabs(slope_made(&r, i) - rows[k].slopes[i]) < 1e-9);
		help_run_close(&r);
	}
}

TEST(slopes_equal_those_of_three_codes)
{
	static const char *const files[] = {"seq/alibi-a.safetensors",
					    "seq/alibi-bloom-a.safetensors",
					    "seq/alibi-mpt-a.safetensors"};
	static const size_t heads[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 32};
	for (size_t f = 0; f < 3; f++) {
		const struct help_case c = {.file = files[f], .expression = "alibi"};
		struct help_result reference;
		help_case_open(&reference, &c);
		for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++) {
			char name[32];
			snprintf(name, sizeof name, "slopes.h%zu", heads[k]);
			const struct tensor *t = tensor_find(&reference.set, name);
			assert_non_null(t);
			struct help_run r;
			wanted_heads = heads[k];
			help_run_must_open(&r, "alibi", 2, 0, with_heads);
			for (size_t i = 0; i < heads[k]; i++)
				if (!(fabs(slope_made(&r, i) - t->at[i]) < 1e-12))
					fail_msg("%s %s[%zu]: %.12g", files[f], name, i,
						 slope_made(&r, i));
			help_run_close(&r);
		}
		help_case_close(&reference);
	}
}

TEST(bias_is_a_line_on_both_sides_of_the_diagonal)
{
	struct help_run r;
	help_run_must_open(&r, "alibi", 7, 0, NULL);
	static const double slopes[] = {.25, .0625, .015625, .00390625};
	for (size_t h = 0; h < 4; h++) {
		const struct mat bias = r.trace.layers[0].heads[h].bias;
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++)
				assert_true(fabs(mat_row(bias, t)[s] +
						 slopes[h] * ((double)t - (double)s)) < 1e-12);
	}
	help_run_close(&r);
}

TEST(symmetric_bias_sees_the_distance_only_and_masks_nothing)
{
	struct help_run r;
	help_run_must_open(&r, "alibi(causal=off)", 7, 0, NULL);
	const struct trace_head *head = &r.trace.layers[1].heads[0];
	for (size_t t = 0; t < 7; t++) {
		for (size_t s = 0; s < 7; s++) {
			const double distance = fabs((double)t - (double)s);
			const struct mat bias = r.trace.layers[0].heads[0].bias;
			assert_true(fabs(mat_row(bias, t)[s] + .25 * distance) < 1e-12);
			assert_true(mat_row(head->weights, t)[s] > 0);
		}
	}
	assert_false(expr_is_causal(&r.expr));
	help_run_close(&r);
}

/* One slope before the query, that one times `ahead` after it. */
TEST(asymmetric_bias_has_a_slope_for_each_side)
{
	struct help_run r;
	help_run_must_open(&r, "alibi(causal=off,direction=asymmetric,ahead=3)", 7, 0, NULL);
	static const double slopes[] = {.25, .0625, .015625, .00390625};
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++) {
				const struct trace_head *head = &r.trace.layers[0].heads[h];
				const double far = fabs((double)t - (double)s);
				const double want = -slopes[h] * far * (s > t ? 3 : 1);
				assert_true(fabs(mat_row(head->bias, t)[s] - want) < 1e-12);
				assert_true(mat_row(head->weights, t)[s] > 0);
			}
	static const char same[] = "alibi(causal=off,direction=asymmetric,ahead=1)";
	help_traces_equal(help_again(&r, same, NULL), help_again(&r, "alibi(causal=off)", NULL));
	help_run_close(&r);
}

/* The authors' proposal: heads/2 of them see the past, heads/2 the future, with the same slopes. */
TEST(halves_see_one_side_each)
{
	static const struct {
		size_t heads, before;
		double slopes[6];
	} rows[] = {{1, 1, {.00390625}},
		    {4, 2, {.0625, .00390625, .0625, .00390625}},
		    {3, 2, {.0625, .00390625, .00390625}},
		    {5, 3, {.0625, .00390625, .25, .0625, .00390625}}};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct help_run r;
		wanted_heads = rows[k].heads;
		help_run_must_open(&r, "alibi(causal=off,direction=halves)", 6, 0, with_heads);
		for (size_t h = 0; h < rows[k].heads; h++) {
			const struct trace_head *head = &r.trace.layers[1].heads[h];
			const struct mat bias = r.trace.layers[0].heads[h].bias;
			for (size_t t = 0; t < 6; t++)
				for (size_t s = 0; s < 6; s++) {
					const double far = fabs((double)t - (double)s);
					const bool sees = h < rows[k].before ? s <= t : s >= t;
					assert_true(fabs(mat_row(bias, t)[s] +
							 rows[k].slopes[h] * far) < 1e-12);
					assert_true((mat_row(head->weights, t)[s] > 0) == sees);
				}
		}
		help_run_close(&r);
	}
}

TEST(both_directions_need_the_mask_off)
{
	struct help_run r;
	assert_false(help_run_open(&r, "alibi(direction=halves)", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "causal=off"));
	help_run_close(&r);
}

/* c -> 0: the weights fall by e^-m with every step back, and nothing looks ahead. */
TEST(weights_are_geometric_without_content)
{
	struct help_run r;
	help_run_must_open(&r, "alibi", 9, 0, help_without_content);
	static const double slopes[] = {.25, .0625, .015625, .00390625};
	for (size_t h = 0; h < 4; h++) {
		const struct mat weights = r.trace.layers[1].heads[h].weights;
		for (size_t t = 0; t < 9; t++) {
			double sum = 0;
			for (size_t s = 0; s < 9; s++)
				sum += mat_row(weights, t)[s];
			assert_true(fabs(sum - 1) < 1e-12);
			for (size_t s = 1; s <= t; s++)
				assert_true(
					fabs(mat_row(weights, t)[s - 1] / mat_row(weights, t)[s] -
					     exp(-slopes[h])) < 1e-12);
			for (size_t s = t + 1; s < 9; s++)
				assert_true(mat_row(weights, t)[s] == 0);
		}
	}
	help_run_close(&r);
}

TEST(factor_0_leaves_the_causal_mask)
{
	struct help_run r;
	help_run_must_open(&r, "alibi(factor=0)", 9, 0, NULL);
	assert_true(help_output_apart(&r.trace, help_again(&r, "none+causal", NULL), 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, help_again(&r, "alibi", NULL), 1) > 1e-3);
	assert_true(help_output_apart(&r.trace, help_again(&r, "none", NULL), 1) > 1e-3);
	help_run_close(&r);
}

TEST(shift_of_the_column_changes_nothing)
{
	struct help_run r;
	help_run_must_open(&r, "alibi", 9, 0, NULL);
	r.in.shift_column = "seq";
	r.in.shift_by = 7;
	assert_true(help_logits_apart(&r.trace, help_again(&r, "alibi", NULL), 1, 4) < 1e-9);
	help_run_close(&r);
}

/* A column that is not whole takes the other way through the code: half a step makes it so. */
TEST(real_positions_give_the_same_as_whole_ones)
{
	static const char *const expressions[] = {"alibi", "alibi(causal=off)",
						  "alibi(causal=off,direction=halves)"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], 9, 0, NULL);
		r.in.shift_column = "seq";
		r.in.shift_by = 0.5;
		const struct trace *moved = help_again(&r, expressions[i], NULL);
		assert_true(help_logits_apart(&r.trace, moved, 1, 4) < 1e-9);
		assert_true(help_output_apart(&r.trace, moved, 1) < 1e-9);
		help_run_close(&r);
	}
}

/* Units stand at 0, 1000, 3: the last row sees the first two by their places in the column. */
TEST(positions_come_from_the_column)
{
	static const double places[] = {0, 1000, 3};
	struct help_run r;
	help_run_must_open(&r, "alibi", 3, 0, NULL);
	r.in.word = places;
	const struct trace *trace = help_again(&r, "alibi(pos=word)", NULL);
	const struct mat bias = trace->layers[0].heads[0].bias;
	const struct mat weights = trace->layers[0].heads[0].weights;
	assert_true(fabs(mat_row(bias, 2)[0] - -.25 * 3) < 1e-12);
	assert_true(fabs(mat_row(bias, 1)[2] - -.25 * 997) < 1e-9);
	assert_true(mat_row(weights, 2)[1] == 0 && mat_row(weights, 2)[0] > 0);
	assert_true(mat_row(weights, 0)[1] == 0 && mat_row(weights, 0)[2] == 0);
	help_run_close(&r);
}

/* Units of one place see each other both ways, themselves too, in any order of the places. */
TEST(what_is_at_the_same_place_is_not_later)
{
	static const double places[] = {3, 1, 3, 2};
	struct help_run r;
	help_run_must_open(&r, "alibi", 4, 0, NULL);
	r.in.word = places;
	const struct trace *trace = help_again(&r, "alibi(pos=word)", NULL);
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s < 4; s++)
			assert_true((mat_row(trace->layers[0].heads[0].weights, t)[s] > 0) ==
				    (places[s] <= places[t]));
	help_run_close(&r);
}

TEST(terms_are_unit_and_distance_and_sum_to_the_logits)
{
	struct help_run r;
	help_run_must_open(&r, "alibi", 6, 0, help_with_terms);
	const struct trace_head *head = &r.trace.layers[0].heads[1];
	assert_int_equal(head->n_terms, 2);
	assert_string_equal(head->terms[1].label, "distance");
	assert_int_equal(head->terms[1].kind, TERM_POSITION);
	assert_true(mat_max_abs_diff(head->terms[1].at, head->bias) < 1e-12);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			assert_true(fabs(mat_row(head->terms[0].at, t)[s] +
					 mat_row(head->terms[1].at, t)[s] -
					 mat_row(head->logits, t)[s]) < 1e-12);
	help_run_close(&r);
}

TEST(heads_choose_who_is_biased)
{
	struct help_run r;
	help_run_must_open(&r, "alibi(heads=2)", 6, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	const struct trace *all = help_again(&r, "alibi", NULL);
	const struct trace_head *heads = r.trace.layers[0].heads;
	assert_true(mat_max_abs_diff(heads[0].weights, none->layers[0].heads[0].weights) < 1e-12);
	assert_true(mat_max_abs_diff(heads[1].weights, all->layers[0].heads[1].weights) < 1e-12);
	assert_true(mat_max_abs_diff(heads[1].weights, none->layers[0].heads[1].weights) > 1e-3);
	help_run_close(&r);
}

/* The codes add m·s, or m·(s-(n-1)): equal up to a constant of the row, above the diagonal too. */
TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/alibi-a.safetensors", .expression = "alibi", .row_shift = true},
		{.file = "seq/alibi-bloom-a.safetensors", .expression = "alibi", .row_shift = true},
		{.file = "seq/alibi-mpt-a.safetensors", .expression = "alibi", .row_shift = true},
		{.file = "seq/alibi-symmetric-a.safetensors", .expression = "alibi(causal=off)"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		help_case_check(&cases[i]);
}
