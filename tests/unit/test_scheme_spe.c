/* test_scheme_spe.c: the covariance by the papers' formulas, gates, the limits, and what a finite
 * number of draws leaves of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static const double two_pi = 6.28318530717958647693;

/* P of a row of leaves at t - s */
static double sine_covariance(const struct model *m, size_t row, double far)
{
	const struct mat f = help_leaf(m, "freqs"), o = help_leaf(m, "offsets"),
			 g = help_leaf(m, "gains");
	double sum = 0;
	for (size_t k = 0; k < f.cols; k++) {
		const double gain = log1p(exp(mat_row(g, row)[k]));
		const double angle = two_pi * help_sigmoid(mat_row(f, row)[k]) / 2 * far;
		sum += gain * gain * cos(angle + mat_row(o, row)[k]);
	}
	return sum;
}

static double conv_covariance(const struct model *m, size_t row, double far)
{
	const struct mat a = help_leaf(m, "conv_k"), b = help_leaf(m, "conv_q");
	double sum = 0;
	for (long p = 0; p < (long)a.cols; p++) {
		const long other = p + (long)far;
		if (other >= 0 && other < (long)b.cols)
			sum += mat_row(a, row)[p] * mat_row(b, row)[other];
	}
	return sum;
}

struct expected {
	const char *expression;
	double (*covariance)(const struct model *m, size_t row, double far);
	double norm;
	bool gated;
};

static void with_queries(struct help_run *r)
{
	r->want.kinds |= WANT_QKV;
}

/* A_ts = c Σ_j q_tj k_sj [g + (1-g) P_j(t-s)] */
TEST(logits_follow_the_covariance)
{
	static const struct expected rows[] = {
		{"spe_sine", sine_covariance, 0.5, true},
		{"spe_sine(sines=3)", sine_covariance, 1.0 / 6, true},
		{"spe_sine(sines=3,gated=off)", sine_covariance, 1.0 / 6, false},
		{"spe_sine(sines=2,norm=off)", sine_covariance, 1, true},
		{"spe_conv(kernel=3)", conv_covariance, 1, true},
		{"spe_conv(kernel=30,gated=off)", conv_covariance, 1, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 7, 0, with_queries);
		const struct trace *got = help_changed(&r, rows[i].expression, help_draw_leaves);
		const struct trace *plain = help_again(&r, "none", NULL);
		help_draw_leaves(&r.model);
		const size_t dk = r.model.dk;
		for (size_t h = 0; h < 4; h++) {
			const struct trace_head *head = &plain->layers[0].heads[h];
			for (size_t t = 0; t < 7; t++)
				for (size_t s = 0; s < 7; s++) {
					double want = 0;
					for (size_t j = 0; j < dk; j++) {
						const double g =
							rows[i].gated ? help_sigmoid(mat_row(
										help_leaf(&r.model,
											  "gate"),
										h)[j])
								      : 0;
						const double p =
							rows[i].norm *
							rows[i].covariance(&r.model, h * dk + j,
									   (double)t - (double)s);
						want += r.model.c * mat_row(head->q, t)[j] *
							mat_row(head->k, s)[j] * (g + (1 - g) * p);
					}
					const double at =
						mat_row(got->layers[0].heads[h].logits, t)[s];
					if (!(fabs(at - want) < 1e-11))
						fail_msg("%s (%zu, %zu): %g, not %g",
							 rows[i].expression, t, s, at, want);
				}
		}
		help_run_close(&r);
	}
}

static void quarter_turns(struct model *model)
{
	mat_fill(help_leaf(model, "freqs"), 0); /* f = 1/4 */
	mat_fill(help_leaf(model, "offsets"), 0);
	mat_fill(help_leaf(model, "gains"), log(exp(1) - 1)); /* λ = 1 */
}

/* f = 1/4: P/2K at distances 0 to 4 is 0.5 0 -0.5 0 0.5; filters (.5, 0, 1) and (1, 2, 0): P from
 * -2 to 2 is 1 2 .5 1 0. The probe's product is 2, so the bias is 2 (P - 1). */
static void small_filters(struct model *model)
{
	static const double a[] = {0.5, 0, 1}, b[] = {1, 2, 0};
	for (size_t r = 0; r < help_leaf(model, "conv_k").rows; r++)
		for (size_t p = 0; p < 3; p++) {
			mat_row(help_leaf(model, "conv_k"), r)[p] = a[p];
			mat_row(help_leaf(model, "conv_q"), r)[p] = b[p];
		}
}

TEST(worked_numbers)
{
	static const double waves[] = {0.5, 0, -0.5, 0, 0.5}, filters[] = {1, 2, 0.5, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "spe_sine(gated=off)", 5, 0, help_identity);
	const struct mat sine =
		help_changed(&r, "spe_sine(gated=off)", quarter_turns)->layers[0].heads[1].bias;
	const struct mat conv = help_changed(&r, "spe_conv(kernel=3,gated=off)", small_filters)
					->layers[0]
					.heads[1]
					.bias;
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++) {
			const size_t far = t > s ? t - s : s - t;
			assert_true(fabs(mat_row(sine, t)[s] - 2 * (waves[far] - 1)) < 1e-12);
			const double p = far > 2 ? 0 : filters[t + 2 - s];
			assert_true(fabs(mat_row(conv, t)[s] - 2 * (p - 1)) < 1e-12);
		}
	help_run_close(&r);
}

static void shut(struct model *model)
{
	help_draw_leaves(model);
	mat_fill(help_leaf(model, "gate"), 800); /* g = 1 */
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, "gate") == 0)
			mat_fill(model->leaves[i].at, 800);
}

TEST(a_gate_of_1_is_none)
{
	struct help_run r;
	help_run_must_open(&r, "none", 7, 0, NULL);
	assert_true(help_output_apart(&r.trace, help_changed(&r, "spe_sine(sines=2)", shut), 1) <
		    1e-12);
	assert_true(help_output_apart(&r.trace, help_changed(&r, "spe_conv", shut), 1) < 1e-12);
	help_run_close(&r);
}

static void still(struct model *model)
{
	help_draw_leaves(model);
	mat_fill(help_leaf(model, "freqs"), -800);
	mat_fill(help_leaf(model, "offsets"), 0);
	mat_fill(help_leaf(model, "gains"), log(exp(3) - 1));
}

/* f = 0, θ = 0, λ = 3: content times 9/2. */
TEST(waves_that_stand_still_scale_the_content)
{
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, NULL);
	const struct mat got =
		help_changed(&r, "spe_sine(gated=off)", still)->layers[0].heads[2].logits;
	const struct mat plain = r.trace.layers[0].heads[2].logits;
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++)
			assert_true(fabs(mat_row(got, t)[s] - 4.5 * mat_row(plain, t)[s]) < 1e-11);
	help_run_close(&r);
}

TEST(the_bias_is_toeplitz)
{
	static const char *const expressions[] = {"spe_sine(sines=2)", "spe_conv(kernel=4)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], 9, 0, NULL);
		const struct trace *drawn = help_changed(&r, expressions[i], help_draw_leaves);
		for (size_t h = 0; h < 4; h++) {
			assert_true(help_toeplitz_error(drawn->layers[0].heads[h].bias) < 1e-11);
			assert_true(help_toeplitz_error(r.trace.layers[0].heads[h].bias) < 1e-11);
		}
		help_run_close(&r);
	}
	help_is_relative("spe_sine", "seq");
	help_is_relative("spe_sine(pos=remaining)", "remaining");
	help_is_relative("spe_conv", "seq");
}

/* ---- a finite number of draws ---- */

static double root_mean_square(const struct trace *a, const struct trace *b)
{
	double sum = 0;
	for (size_t h = 0; h < 4; h++) {
		const struct mat x = a->layers[0].heads[h].logits;
		for (size_t t = 0; t < x.rows; t++)
			for (size_t s = 0; s < x.cols; s++)
				sum += pow(mat_row(x, t)[s] -
						   mat_row(b->layers[0].heads[h].logits, t)[s],
					   2);
	}
	return sqrt(sum / (double)(4 * 7 * 7));
}

static void half_open(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, "gate") == 0)
			mat_fill(model->leaves[i].at, 0.5);
}

/* The error falls with the root of the number of draws: 16 and 1024 differ by a factor of 8. */
TEST(draws_converge_to_the_limit)
{
	static const char *const limits[] = {"spe_sine(sines=2", "spe_sine(gated=off",
					     "spe_conv(kernel=4", "spe_conv(kernel=9,gated=off"};
	static const char *const ends[] = {")", ",samples=16)", ",samples=1024)"};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		const struct trace *with[3];
		help_run_must_open(&r, "none", 7, 0, NULL);
		for (size_t k = 0; k < 3; k++)
			with[k] = help_changed(
				&r, arena_printf(&r.arena, "%s%s", limits[i], ends[k]), half_open);
		const double few = root_mean_square(with[0], with[1]);
		const double many = root_mean_square(with[0], with[2]);
		if (!(few / many > 4 && few / many < 16))
			fail_msg("%s: %g after 16, %g after 1024", limits[i], few, many);
		help_run_close(&r);
	}
}

/* The same codes each time, and every head has its own. */
TEST(codes_are_drawn_once)
{
	static const char *const expressions[] = {"spe_sine(samples=8)",
						  "spe_conv(kernel=4,samples=8)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], 5, 0, help_identity);
		const struct trace *again = help_again(&r, expressions[i], NULL);
		assert_true(help_output_apart(&r.trace, again, 1) == 0);
		assert_true(mat_max_abs_diff(r.trace.layers[0].heads[0].bias,
					     r.trace.layers[0].heads[2].bias) > 1e-3);
		help_run_close(&r);
	}
}

static void far_apart(struct help_run *r)
{
	static const double places[] = {0, 50000, 3};
	r->in.word = places;
}

/* Noise is drawn for every position in between; the limit needs none. */
TEST(draws_do_not_reach_over_any_distance)
{
	struct help_run r;
	assert_true(help_run_open(&r, "spe_conv(pos=word)", 3, 0, far_apart));
	assert_true(help_is_finite(r.trace.layers[1].output));
	help_run_close(&r);
	assert_false(help_run_open(&r, "spe_conv(pos=word,samples=8)", 3, 0, far_apart));
	assert_non_null(strstr(r.err.text, "samples=0"));
	help_run_close(&r);
}

/* ---- the demonstration ---- */

/* Each head has its maximum at its own distance. */
TEST(heads_of_sines_look_at_distances_of_their_own)
{
	static const long centre[] = {-1, 1, -2, 2};
	struct help_run r;
	help_run_must_open(&r, "spe_sine", 12, 0, help_identity);
	for (size_t h = 0; h < 4; h++) {
		const double *row = mat_row(r.trace.layers[0].heads[h].bias, 5);
		size_t best = 0;
		for (size_t s = 1; s < 12; s++)
			if (row[s] > row[best])
				best = s;
		assert_int_equal((long)best - 5, centre[h]);
		assert_true(fabs(row[best]) < 1e-12); /* P is 1 there: nothing but the content */
	}
	help_run_close(&r);
}

/* ---- what all learned schemes must do ---- */

TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *expression;
		size_t made;
	} rows[] = {{"spe_sine(sines=2)", 3 * 2 * 32 + 32 * 2},
		    {"spe_sine(gated=off)", 3 * 32},
		    {"spe_conv(kernel=5)", 2 * 5 * 32 + 32 * 2}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), rows[i].made);
		help_run_close(&r);
	}
}

/* Logits, weights and contexts of the gated and of the ungated form. */
TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/spe-sine-a.safetensors", .expression = "spe_sine(sines=2)"},
		{.file = "seq/spe-conv-a.safetensors", .expression = "spe_conv(kernel=3)"},
		{.file = "seq/spe-sine-a.safetensors", .expression = "spe_sine(sines=2,gated=off)"},
		{.file = "seq/spe-conv-a.safetensors",
		 .expression = "spe_conv(kernel=3,gated=off)"},
	};
	for (size_t i = 0; i < 4; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		for (size_t l = 0; l < r.model.n_leaves; l++)
			assert_true(r.model.leaves[l].given);
		if (i < 2)
			assert_int_equal(help_case_compare(&r, &cases[i]), 6);
		for (size_t h = 0; i >= 2 && h < 2; h++) {
			char name[40];
			snprintf(name, sizeof name, "head.%zu.logits_ungated", h);
			const struct mat want = tensor_mat(tensor_find(&r.set, name));
			assert_true(mat_max_abs_diff(r.trace.layers[0].heads[h].logits, want) <
				    1e-9);
		}
		help_case_close(&r);
	}
}

TEST(a_widened_head_cannot_be_multiplied)
{
	struct help_run r;
	assert_false(help_run_open(&r, "spe_sine+spe_sine", 4, 0, NULL));
	assert_non_null(strstr(r.err.text, "spe_sine"));
	help_run_close(&r);
}
