/* test_scheme_cope.c: positions counted by gates, and the numbers of two codes. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* One head of width 2 with identity projections and c = gain = 1 (content = √2): z_ts = q·k/√2. */
static void tiny(struct help_run *r)
{
	r->config.d = 2;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
	r->config.content = sqrt(2);
}

/* e[p] = (0, p²): a query (x, 1) reads the square of the position, interpolated. */
static void square_of_position(struct model *model)
{
	const struct mat e = model->leaves[0].at;
	for (size_t p = 0; p < e.rows; p++) {
		mat_row(e, p)[0] = 0;
		mat_row(e, p)[1] = (double)(p * p);
	}
}

/* Row 2 has z = -1 0 1, so gates .268941 .5 .731059 and positions 1.5 1.231059 .731059. */
TEST(positions_are_those_of_the_definition)
{
	static const double position[] = {1.5, 1.231059, .731059};
	static const double z[] = {-1, 0, 1};
	struct help_run r;
	help_run_must_open(&r, "cope(p_max=4)", 3, 0, tiny);
	/* q_2 = (a, 1), k_s = (x_s, y_s) with a x + y = √2 z */
	const double a = sqrt(sqrt(2) - 1);
	for (size_t s = 0; s < 3; s++) {
		double *unit = mat_row(r.in.units, s);
		unit[1] = s == 2 ? 1 : 0;
		unit[0] = s == 2 ? a : sqrt(2) * z[s] / a;
	}
	const struct trace *trace = help_changed(&r, "cope(p_max=4)", square_of_position);
	const double *row = mat_row(trace->layers[0].heads[0].logits, 2);
	for (size_t s = 0; s < 3; s++) {
		const double below = floor(position[s]), w = position[s] - below;
		const double want = (1 - w) * below * below + w * (below + 1) * (below + 1);
		assert_true(fabs(row[s] - z[s] - want) < 4e-6);
	}
	help_run_close(&r);
}

TEST(reference_numbers_are_matched)
{
	static const char *const files[] = {"seq/cope-a.safetensors",
					    "seq/cope-listing-a.safetensors"};
	for (size_t i = 0; i < 2; i++) {
		const struct help_case c = {
			.file = files[i], .expression = "cope(p_max=4)", .masked_logits = true};
		struct help_result r;
		help_case_open(&r, &c);
		assert_int_equal(r.model.n_leaves, 1);
		assert_true(r.model.leaves[0].given);
		assert_true(help_case_compare(&r, &c) >= 12);
		help_case_close(&r);
	}
}

/* The position itself, read by e[p] = p·v where q·v is known: what is added over q·v is p. */
TEST(counted_positions_are_those_of_the_codes)
{
	static const struct help_case c = {.file = "seq/cope-a.safetensors",
					   .expression = "cope(p_max=4)"};
	struct help_result r;
	help_case_open(&r, &c);
	const struct mat units = tensor_mat(tensor_find(&r.set, "input"));
	const struct model_input in = {.axis = r.trace.query, .units = units};
	const struct want want = {
		.kinds = WANT_LOGITS | WANT_TERMS | WANT_QKV, .layer = -1, .head = -1};
	const struct mat given = r.model.leaves[0].at;
	r.model.leaves[0].at = mat_zero(&r.arena, 4, given.cols);
	for (size_t p = 0; p < 4; p++)
		mat_row(r.model.leaves[0].at, p)[0] = (double)p;
	struct trace trace;
	struct err err = {""};
	assert_true(model_run(&r.model, &in, &want, NULL, NULL, &r.arena, &trace, &err));
	const char *const names[] = {"head.0.position", "head.1.position", "head.2.position",
				     "head.3.position"};
	for (size_t h = 0; h < 4; h++) {
		const struct tensor *position = tensor_find(&r.set, names[h]);
		const struct trace_head *head = &trace.layers[0].heads[h];
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s <= t; s++) {
				const double p =
					mat_row(head->terms[1].at, t)[s] / mat_row(head->q, t)[0];
				assert_true(fabs(p - position->at[t * 7 + s]) < 1e-9);
			}
	}
	help_case_close(&r);
}

TEST(vectors_of_0_leave_the_causal_model)
{
	struct help_run r;
	help_run_must_open(&r, "cope", 9, 0, NULL);
	const struct trace *plain = help_again(&r, "none+causal", NULL);
	assert_true(help_output_apart(help_changed(&r, "cope", help_zero_leaves), plain, 1) <
		    1e-12);
	assert_true(help_output_apart(&r.trace, plain, 1) > 1e-3);
	help_run_close(&r);
}

static void huge_content(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
	r->config.content = 200;
}

static void ramp(struct model *model)
{
	const struct mat e = model->leaves[0].at;
	for (size_t p = 0; p < e.rows; p++)
		mat_fill(mat_rows(e, p, 1), (double)p);
}

/* All gates 1: p = t - s + 1, clamped to p_max - 1. The probe's queries are equal, so Toeplitz. */
TEST(open_gates_count_tokens)
{
	struct help_run r;
	help_run_must_open(&r, "cope(p_max=5)", 8, 0, huge_content);
	const struct trace *trace = help_changed(&r, "cope(p_max=5)", ramp);
	const struct mat bias = trace->layers[0].heads[0].bias;
	const double one = r.model.gain * 4; /* q·ones */
	for (size_t t = 0; t < 8; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(bias, t)[s] / one - fmin((double)(t - s + 1), 4)) <
				    1e-9);
	assert_true(help_toeplitz_error(bias) < 1e-6);
	help_run_close(&r);
}

/* A column that runs backwards, or by leaps: only its order counts, and equal places count both. */
TEST(the_column_says_what_lies_between)
{
	static const double places[] = {3, 0, 7, 0}; /* order: units 1 and 3, then 0, then 2 */
	struct help_run r;
	help_run_must_open(&r, "cope(p_max=9)", 4, 0, huge_content);
	r.in.word = places;
	const struct trace *trace = help_changed(&r, "cope(p_max=9,pos=word)", ramp);
	const struct mat bias = trace->layers[0].heads[0].bias;
	const struct mat weights = trace->layers[0].heads[0].weights;
	static const double steps[4][4] = {{1, 3, 0, 3}, {0, 2, 0, 2}, {2, 4, 1, 4}, {0, 2, 0, 2}};
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s < 4; s++) {
			if (places[s] > places[t])
				assert_true(mat_row(weights, t)[s] == 0);
			else
				assert_true(fabs(mat_row(bias, t)[s] / (4 * r.model.gain) -
						 steps[t][s]) < 1e-9);
		}
	help_run_close(&r);
}

/* Ascending, but with a tie: both units of the first place count for each other. */
TEST(equal_places_count_for_each_other)
{
	static const double places[] = {0, 0, 1};
	struct help_run r;
	help_run_must_open(&r, "cope(p_max=9)", 3, 0, huge_content);
	r.in.word = places;
	const struct trace *trace = help_changed(&r, "cope(p_max=9,pos=word)", ramp);
	static const double steps[3][3] = {{2, 2, 0}, {2, 2, 0}, {3, 3, 1}};
	for (size_t t = 0; t < 3; t++)
		for (size_t s = 0; s < 3; s++)
			assert_true(fabs(mat_row(trace->layers[0].heads[0].bias, t)[s] /
						 (4 * r.model.gain) -
					 steps[t][s]) < 1e-9);
	help_run_close(&r);
}

TEST(reversed_column_is_the_reversed_text)
{
	static const size_t reversed[] = {5, 4, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "cope", 6, 0, NULL);
	help_permute(&r, reversed);
	const struct trace *back = help_again(&r, "cope(pos=remaining)", NULL);
	for (size_t t = 0; t < 6; t++)
		assert_true(mat_max_abs_diff(mat_rows(r.trace.layers[1].output, t, 1),
					     mat_rows(back->layers[1].output, 5 - t, 1)) < 1e-10);
	help_run_close(&r);
}

TEST(counts_are_those_of_the_leaves)
{
	struct help_run r;
	help_run_must_open(&r, "cope", 4, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 64 * 8 * 2);
	assert_true(expr_is_causal(&r.expr));
	help_run_close(&r);
}
