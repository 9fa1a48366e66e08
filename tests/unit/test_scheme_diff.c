/* test_scheme_diff.c: two softmaxes, retention, and steps made of content: the numbers of the authors' codes,
 * numbers worked out, and their limits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static struct mat tensor_of(const struct help_result *r, size_t head, const char *name)
{
	char full[64];
	snprintf(full, sizeof full, "head.%zu.%s", head, name);
	const struct tensor *const t = tensor_find(&r->set, full);
	if (!t)
		fail_msg("no %s", full);
	return tensor_mat(t);
}

/* ---- diff ---- */

TEST(diff_has_the_codes_numbers)
{
	static const struct help_case c = {.file = "seq/diff-a.safetensors",
					   .expression = "diff+causal"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 5);
	for (size_t i = 0; i < 5; i++)
		assert_true(r.model.leaves[i].given);
	for (size_t h = 0; h < 2; h++) {
		const struct trace_head *const head = &r.trace.layers[0].heads[h];
		for (size_t i = 0; i < 2; i++) {
			help_assert_near(mat_cols(head->q, i * 8, 8),
					 tensor_of(&r, h, i ? "q_2" : "q_1"), 1e-9, "q");
			help_assert_near(mat_cols(head->k, i * 8, 8),
					 tensor_of(&r, h, i ? "k_2" : "k_1"), 1e-9, "k");
		}
		help_assert_near(head->logits, tensor_of(&r, h, "logits_1"), 1e-9, "logits");
		help_assert_near(head->weights, tensor_of(&r, h, "weights"), 1e-9, "weights");
		help_assert_near(head->context, tensor_of(&r, h, "output"), 1e-9, "output");
	}
	help_case_close(&r);
}

TEST(the_context_before_the_norm_is_the_codes)
{
	static const struct help_case c = {.file = "seq/diff-a.safetensors",
					   .expression = "diff(norm=off)+causal"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(help_case_compare(&r, &c), 4); /* weights and context of two heads */
	help_case_close(&r);
}

static void no_vectors(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strncmp(model->leaves[i].base, "lambda", 6) == 0)
			mat_fill(model_leaf_at(model, &model->leaves[i]), 0);
}

static void four_layers(struct help_run *r)
{
	r->config.layers = 28;
	r->config.d = 8;
	r->config.heads = 1;
	r->config.ff = 4;
	r->want.kinds |= WANT_KEPT;
}

/* λ_init by layer; with all λ vectors 0 it is λ, and rows sum to 1 - λ. */
TEST(lambda_begins_as_worked_out)
{
	static const double want[] = {.2, .355509068, .470713018, .556058204};
	struct help_run r;
	help_run_must_open(&r, "diff", 3, 0, four_layers);
	const struct trace *const trace = help_changed(&r, "diff", no_vectors);
	for (size_t l = 0; l < 28; l++) {
		const struct mat w = trace->layers[l].heads[0].weights;
		double sum = 0;
		for (size_t s = 0; s < 3; s++)
			sum += mat_row(w, 1)[s];
		if (l < 4)
			assert_true(fabs(1 - sum - want[l]) < 1e-9);
		if (l == 27)
			assert_true(fabs(1 - sum - .799817877) < 1e-9);
	}
	help_run_close(&r);
}

/* Without the second map and the norm, a head of one half of the width is RoPE's. */
TEST(without_lambda_the_first_map_is_left)
{
	struct help_run r;
	help_run_must_open(&r, "diff(learned=off,lambda=0,norm=off)+causal", 7, 0, NULL);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *const head = &r.trace.layers[0].heads[h];
		struct mat w = mat_copy(&r.arena, head->logits);
		for (size_t t = 0; t < 7; t++)
			for (size_t s = t + 1; s < 7; s++)
				mat_row(w, t)[s] = -INFINITY;
		mat_softmax(w, w);
		help_assert_near(head->weights, w, 1e-12, "weights");
	}
	help_run_close(&r);
}

/* Equal maps: (1 - λ) softmax. What others add to the logits is added to both. */
TEST(equal_maps_leave_a_part_of_one)
{
	static const char diff[] = "diff(learned=off,lambda=0.3,rotate=off,norm=off)+formula(b=-s)";
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, help_identity);
	mat_fill(r.in.units, 1);
	const struct trace *const two = help_again(&r, diff, NULL);
	const struct trace *const one = help_again(&r, "formula(b=-s)", NULL);
	for (size_t i = 0; i < 36; i++)
		assert_true(fabs(two->layers[0].heads[1].weights.at[i] -
				 0.7 * one->layers[0].heads[1].weights.at[i]) < 1e-12);
	help_run_close(&r);
}

/* ---- retention ---- */

TEST(retnet_has_the_codes_numbers)
{
	static const struct {
		const char *expression, *weights, *context;
	} rows[] = {
		{"retnet", "weights", "context_normalised"},
		{"retnet(norm=off)", "weights", "context"},
		{"retnet(divisor=paper)", "weights_paper", NULL},
	};
	for (size_t i = 0; i < 3; i++) {
		const struct help_case c = {.file = "seq/retnet-a.safetensors",
					    .expression = rows[i].expression};
		struct help_result r;
		help_case_open(&r, &c);
		for (size_t h = 0; h < 4; h++) {
			const struct trace_head *const head = &r.trace.layers[0].heads[h];
			help_assert_near(head->q, tensor_of(&r, h, "q"), 1e-9, "q");
			help_assert_near(head->logits, tensor_of(&r, h, "scores"), 1e-9, "scores");
			help_assert_near(head->weights, tensor_of(&r, h, rows[i].weights), 1e-9,
					 rows[i].weights);
			if (rows[i].context)
				help_assert_near(head->context, tensor_of(&r, h, rows[i].context),
						 1e-9, rows[i].context);
		}
		help_case_close(&r);
	}
}

static void with_modulation(struct help_run *r)
{
	r->want.kinds |= WANT_MODULATION;
}

/* The factor of the first head, γ = 0.96875; and D_ts D_sr = D_tr of the decay before its rows are
 * divided. */
TEST(the_decay_is_the_one_worked_out)
{
	static const double want[3][3] = {
		{1}, {.690424875, .712696645}, {.550407055, .568162121, .586489932}};
	struct help_run r;
	help_run_must_open(&r, "retnet(rotate=off)", 3, 0, with_modulation);
	const struct trace_head *const head = r.trace.layers[0].heads;
	for (size_t t = 0; t < 3; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(head->modulation, t)[s] - want[t][s]) < 1e-9);
	for (size_t h = 0; h < 4; h++) {
		const struct mat m = r.trace.layers[0].heads[h].modulation;
		const double step = mat_row(m, 2)[1] / mat_row(m, 2)[2];
		assert_true(fabs(step - (1 - exp2(-5 - (double)h))) < 1e-12);
		assert_true(fabs(mat_row(m, 2)[0] / mat_row(m, 2)[2] - step * step) < 1e-12);
	}
	help_run_close(&r);
}

/* The norm takes away any positive factor of a row: both divisors, and the decay's root. */
TEST(the_norm_takes_a_rows_factor_away)
{
	struct help_run r;
	help_run_must_open(&r, "retnet", 9, 0, NULL);
	for (size_t i = 0; i < r.in.units.rows * r.in.units.cols; i++)
		r.in.units.at[i] *= 30; /* beside which ε is nothing */
	const struct trace *const code = help_again(&r, "retnet", NULL);
	const struct trace *const paper = help_again(&r, "retnet(divisor=paper)", NULL);
	assert_true(help_output_apart(code, paper, 0) < 1e-5);
	help_run_close(&r);
}

/* The recurrent form: S_t = γ S_{t-1} + k_t v_tᵀ, o_t = q_t S_t, divided by the root of its mean
 * square. The factors of a row that the parallel form has are gone behind that. */
TEST(step_by_step_it_is_the_same)
{
	enum { D = 8 };
	struct help_run r;
	help_run_must_open(&r, "retnet", 9, 0, help_with_everything);
	for (size_t i = 0; i < r.in.units.rows * r.in.units.cols; i++)
		r.in.units.at[i] *= 100; /* beside which ε is nothing */
	const struct trace *const trace = help_again(&r, "retnet", NULL);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *const head = &trace->layers[0].heads[h];
		double memory[D][D] = {{0}};
		assert_int_equal(head->v.cols, D);
		for (size_t t = 0; t < 9; t++) {
			double out[D] = {0};
			for (size_t i = 0; i < D; i++)
				for (size_t j = 0; j < D; j++) {
					memory[i][j] =
						(1 - exp2(-5 - (double)h)) * memory[i][j] +
						mat_row(head->k, t)[i] * mat_row(head->v, t)[j];
					out[j] += mat_row(head->q, t)[i] * memory[i][j];
				}
			const double root = sqrt(help_dot(out, out, D) / D);
			for (size_t j = 0; j < D; j++)
				assert_true(fabs(out[j] / root - mat_row(head->context, t)[j]) <
					    1e-4);
		}
	}
	help_run_close(&r);
}

/* γ = 1: products alone, which are RoPE's but for frequencies and the root of the row's length. */
TEST(without_decay_it_is_linear_attention)
{
	struct help_run r;
	help_run_must_open(&r, "retnet(decay=off,rotate=off)", 6, 0, NULL);
	const struct trace *const plain = help_again(&r, "causal", NULL);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(r.trace.layers[0].heads[2].logits, t)[s] -
					 mat_row(plain->layers[0].heads[2].logits, t)[s] /
						 sqrt((double)t + 1)) < 1e-12);
	help_run_close(&r);
}

/* ---- steps of content ---- */

TEST(cable_has_the_codes_numbers)
{
	static const struct help_case c = {
		.file = "seq/cable-a.safetensors", .expression = "cable", .masked_logits = true};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 2);
	assert_true(r.model.leaves[0].given && r.model.leaves[1].given);
	assert_int_equal(help_case_compare(&r, &c), 20);
	help_case_close(&r);
}

/* w = 0: ALiBi with the slope softplus(b); and D_ts + D_sr = D_tr whatever w is. */
TEST(equal_steps_are_a_slope)
{
	struct help_run r;
	help_run_must_open(&r, "cable", 7, 0, help_with_terms);
	const struct mat d = r.trace.layers[0].heads[1].terms[1].at;
	for (size_t t = 0; t < 7; t++)
		for (size_t s = 0; s < 7; s++)
			assert_true(fabs(mat_row(d, t)[s] + mat_row(d, s)[3] - mat_row(d, t)[3]) <
				    1e-12);
	const struct trace *const zero = help_changed(&r, "cable", help_zero_leaves);
	const struct mat bias = zero->layers[0].heads[1].terms[1].at;
	for (size_t t = 0; t < 7; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(bias, t)[s] + log(2) * (double)(t - s)) < 1e-12);
	help_run_close(&r);
}

static void pre_activations(struct model *model)
{
	help_zero_leaves(model);
	mat_row(help_leaf(model, "w_f"), 0)[0] = 1;
}

/* Pre-activations 0, 1, -1, 2. */
TEST(steps_are_those_worked_out)
{
	static const double want[4][4] = {{0},
					  {-1.313261688, 0},
					  {-1.626523375, -.313261688, 0},
					  {-3.753451386, -2.440189699, -2.126928011, 0}};
	static const double u[] = {0, 1, -1, 2};
	struct help_run r;
	help_run_must_open(&r, "cable", 4, 0, help_with_terms);
	for (size_t t = 0; t < 4; t++)
		mat_row(r.in.units, t)[0] = u[t];
	const struct mat d =
		help_changed(&r, "cable", pre_activations)->layers[0].heads[0].terms[1].at;
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(d, t)[s] - want[t][s]) < 1e-8);
	help_run_close(&r);
}

/* ---- bad input ---- */

static void odd_heads(struct help_run *r)
{
	r->config.d = 10;
	r->config.heads = 2;
}

TEST(what_cannot_be_is_said_in_a_line)
{
	static const char *const rows[][2] = {
		{"diff+softcap",
		 "diff has two maps of logits, and softcap changes the first alone"},
		{"diff+stickbreak", "both make the weights of a head"},
		{"diff(lambda=0.5)", "learned=off would be right"},
		{"diff+retnet", "both make the weights of a head"},
		{"diff+log_cpb", "both put logits of their own in the place of q·k"},
		{"retnet+sink", "both make the weights of a head"},
		{"cable+diff", "cable"},
		{"dape(kernel=2)", "it must be odd: 3 would be right"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		if (help_run_open(&r, rows[i][0], 5, 0, NULL))
			fail_msg("%s was computed", rows[i][0]);
		if (!strstr(r.err.text, rows[i][1]) || strchr(r.err.text, '\n'))
			fail_msg("%s: %s", rows[i][0], r.err.text);
		help_run_close(&r);
	}
	struct help_run r;
	assert_false(help_run_open(&r, "diff", 5, 0, odd_heads));
	assert_string_equal(r.err.text, "diff halves the queries and keys of a head, and 5 columns "
					"have no halves; head-dim 6 would be right");
	help_run_close(&r);
}
