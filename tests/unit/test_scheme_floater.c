/* test_scheme_floater.c: the flow: the solver's numbers, what it is a special case of, and the
 * numbers of the authors' network. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* ---- scalar flows: every column alike ---- */

static double in_w, in_time, in_bias, out_w, out_time, out_bias;

/* p' = out_w relu(in_w p + in_time τ + in_bias) + out_time τ + out_bias, p(0) = 1 */
static void scalar(struct model *model)
{
	const size_t d = model->config.d;
	const struct mat w1 = help_leaf(model, "w1"), w2 = help_leaf(model, "w2");
	mat_fill(w1, 0);
	mat_fill(w2, 0);
	for (size_t i = 0; i < d; i++) {
		mat_row(w1, i)[i] = in_w;
		mat_row(w1, i)[d] = in_time;
		mat_row(w2, i)[i] = out_w;
		mat_row(w2, i)[d] = out_time;
	}
	mat_fill(help_leaf(model, "b1"), in_bias);
	mat_fill(help_leaf(model, "b2"), out_bias);
	mat_fill(help_leaf(model, "p0"), 1);
}

static struct mat flow_of(struct help_run *r, const char *expression,
			  void (*change)(struct model *model))
{
	return help_changed(r, expression, change)->position_vectors;
}

/* p' = -.3 relu(.5 p + τ + .1) + .2 τ + .05 */
TEST(worked_numbers)
{
	static const double want[] = {1, 0.998695977, 0.997383916, 0.996063829};
	in_w = 0.5, in_time = 1, in_bias = 0.1, out_w = -0.3, out_time = 0.2, out_bias = 0.05;
	struct help_run r;
	help_run_must_open(&r, "floater", 4, 0, NULL);
	const struct mat p = flow_of(&r, "floater", scalar);
	for (size_t t = 0; t < 4; t++)
		for (size_t j = 0; j < r.config.d; j++)
			assert_true(fabs(mat_row(p, t)[j] - want[t]) < 1e-9);
	help_run_close(&r);
}

/* p' = p and p' = τ: e^τ and 1 + τ²/2, to the fourth order of the step. */
TEST(flows_are_integrals)
{
	struct help_run r;
	help_run_must_open(&r, "floater(delta=0.5)", 4, 0, NULL);
	in_w = 1, in_time = 0, in_bias = 0, out_w = 1, out_time = 0, out_bias = 0;
	const struct mat growth = flow_of(&r, "floater(delta=0.5)", scalar);
	const struct mat coarse = flow_of(&r, "floater(delta=0.5,steps=1)", scalar);
	const struct mat twice = flow_of(&r, "floater(delta=0.5,steps=2)", scalar);
	out_w = 0, out_time = 1;
	const struct mat square = flow_of(&r, "floater(delta=0.5)", scalar);
	for (size_t t = 0; t < 4; t++) {
		const double tau = 0.5 * (double)t;
		assert_true(fabs(mat_row(growth, t)[0] - exp(tau)) < 2e-5);
		assert_true(fabs(mat_row(square, t)[0] - 1 - tau * tau / 2) < 1e-12);
	}
	const double once = fabs(mat_row(coarse, 3)[0] - exp(1.5));
	const double half = fabs(mat_row(twice, 3)[0] - exp(1.5));
	assert_true(once / half > 10 && once / half < 24); /* 2^4 = 16 */
	help_run_close(&r);
}

/* A kink in the middle of a step is where fourth-order rules differ: the 3/8 rule by hand. */
static double slope(double tau, double p)
{
	const double x = in_w * p + in_time * tau + in_bias;
	return out_w * (x > 0 ? x : 0) + out_time * tau + out_bias;
}

TEST(solver_is_the_rule_of_three_eighths)
{
	in_w = -1, in_time = 2, in_bias = 0.3, out_w = 3, out_time = -1, out_bias = 0.4;
	struct help_run r;
	help_run_must_open(&r, "floater(delta=1,steps=2)", 4, 0, NULL);
	const struct mat p = flow_of(&r, "floater(delta=1,steps=2)", scalar);
	const double h = 0.5;
	double at = 1;
	for (size_t i = 0; i < 6; i++) {
		const double tau = h * (double)i;
		const double a = slope(tau, at), b = slope(tau + h / 3, at + h * a / 3);
		const double c = slope(tau + 2 * h / 3, at + h * (b - a / 3));
		const double e = slope(tau + h, at + h * (a - b + c));
		at += h * (a + 3 * b + 3 * c + e) / 8;
		if (i % 2 == 1)
			assert_true(fabs(mat_row(p, (i + 1) / 2)[3] - at) < 1e-12);
	}
	help_run_close(&r);
}

/* ---- limits ---- */

static void no_flow(struct model *model)
{
	help_draw_leaves(model);
	mat_fill(help_leaf(model, "w2"), 0);
	mat_fill(help_leaf(model, "b2"), 0);
}

TEST(without_a_slope_every_position_is_the_first)
{
	static const size_t order[] = {3, 0, 4, 1, 2};
	struct help_run r;
	help_run_must_open(&r, "floater", 5, 0, NULL);
	const struct trace *here = help_changed(&r, "floater", no_flow);
	no_flow(&r.model);
	for (size_t t = 0; t < 5; t++)
		assert_true(mat_max_abs_diff(mat_rows(here->position_vectors, t, 1),
					     mat_rows(help_leaf(&r.model, "p0"), 0, 1)) < 1e-15);
	help_permute(&r, order);
	const struct trace *there = help_changed(&r, "floater", no_flow);
	for (size_t t = 0; t < 5; t++)
		assert_true(mat_max_abs_diff(mat_rows(there->layers[1].output, t, 1),
					     mat_rows(here->layers[1].output, order[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

/* Survey §4.1: sinusoids are a special case, which the demonstration shows. */
TEST(the_demonstration_turns_as_sinusoids_do)
{
	struct help_run r;
	help_run_must_open(&r, "floater", 40, 0, NULL);
	const struct mat sinusoids = help_again(&r, "sinusoidal", NULL)->position_vectors;
	const struct mat fine = help_again(&r, "floater(steps=50)", NULL)->position_vectors;
	assert_true(mat_max_abs_diff(r.trace.position_vectors, sinusoids) < 1e-2);
	assert_true(mat_max_abs_diff(fine, sinusoids) < 1e-6);
	help_run_close(&r);
}

TEST(without_parameters_it_is_none)
{
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, NULL);
	assert_true(help_output_apart(&r.trace, help_changed(&r, "floater", help_zero_leaves), 1) <
		    1e-12);
	assert_true(help_output_apart(&r.trace,
				      help_changed(&r, "floater(site=bias)", help_zero_leaves),
				      1) < 1e-12);
	help_run_close(&r);
}

/* ---- positions ---- */

/* Half a position is half the time; equal positions are equal; rows need not be in order, nor the
 * first position be 0. */
TEST(the_flow_passes_every_position)
{
	static const double places[] = {3, 0.5, 1, 3, 4, 2};
	struct help_run r;
	help_run_must_open(&r, "floater(delta=0.02,steps=10)", 6, 0, NULL);
	const struct mat seq = flow_of(&r, "floater(delta=0.02,steps=10)", help_draw_leaves);
	const struct mat half = flow_of(&r, "floater(delta=0.01,steps=5)", help_draw_leaves);
	r.in.word = places;
	const struct mat got =
		flow_of(&r, "floater(delta=0.02,steps=10,pos=word)", help_draw_leaves);
	for (size_t t = 0; t < 6; t++) {
		const struct mat want =
			t == 1 ? mat_rows(half, 1, 1) : mat_rows(seq, (size_t)places[t], 1);
		assert_true(mat_max_abs_diff(mat_rows(got, t, 1), want) < 1e-12);
	}
	help_run_close(&r);
}

static double moved_by;

static void moved(struct help_run *r)
{
	r->in.shift_column = "seq";
	r->in.shift_by = moved_by;
}

TEST(there_is_no_flow_before_the_start_nor_without_end)
{
	static const double by[] = {-1, 5000};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		moved_by = by[i];
		assert_false(help_run_open(&r, "floater", 4, 0, moved));
		assert_non_null(strstr(r.err.text, "4096"));
		help_run_close(&r);
	}
}

/* ---- sites and layers ---- */

static void with_everything(struct help_run *r)
{
	r->want.kinds |= WANT_QKV | WANT_INPUT;
}

/* q = X W_q + b_q(t) and so on, b of row site·l + layer; the input stays as it is. */
TEST(biases_are_added_behind_the_projections)
{
	struct help_run r;
	help_run_must_open(&r, "floater(site=bias)", 5, 0, with_everything);
	const struct trace *got = help_changed(&r, "floater(site=bias)", no_flow);
	const struct trace *none = help_again(&r, "none", NULL);
	no_flow(&r.model);
	const struct mat p0 = help_leaf(&r.model, "p0");
	assert_int_equal(p0.rows, 6);
	assert_true(mat_max_abs_diff(got->layers[0].input, r.in.units) == 0);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *a = &got->layers[0].heads[h],
					*b = &none->layers[0].heads[h];
		const struct mat with[] = {a->q, a->k, a->v}, without[] = {b->q, b->k, b->v};
		for (size_t site = 0; site < 3; site++)
			for (size_t t = 0; t < 5; t++)
				for (size_t j = 0; j < 8; j++)
					assert_true(fabs(mat_row(with[site], t)[j] -
							 mat_row(without[site], t)[j] -
							 mat_row(p0, 2 * site)[h * 8 + j]) < 1e-12);
	}
	help_run_close(&r);
}

static double first_start, second_start;

static void two_starts(struct model *model)
{
	no_flow(model);
	mat_fill(mat_rows(help_leaf(model, "p0"), 0, 1), first_start);
	mat_fill(mat_rows(help_leaf(model, "p0"), 1, 1), second_start);
}

static void with_inputs(struct help_run *r)
{
	r->want.kinds |= WANT_INPUT;
}

/* Every layer adds its own state; layers= leaves the others alone. */
TEST(every_layer_starts_from_its_own_state)
{
	struct help_run r;
	help_run_must_open(&r, "none", 4, 0, with_inputs);
	first_start = 0, second_start = 0.25;
	const struct trace *got = help_changed(&r, "floater", two_starts);
	const struct trace *second = help_changed(&r, "floater(layers=2)", two_starts);
	const struct trace *first = help_changed(&r, "floater(layers=1)", two_starts);
	assert_true(mat_max_abs_diff(got->layers[0].input, r.in.units) == 0);
	for (size_t t = 0; t < 4; t++)
		for (size_t j = 0; j < r.config.d; j++)
			assert_true(fabs(mat_row(got->layers[1].input, t)[j] -
					 mat_row(r.trace.layers[1].input, t)[j] - 0.25) < 1e-12);
	assert_true(help_output_apart(got, second, 1) == 0);
	assert_true(help_output_apart(&r.trace, first, 1) == 0);
	help_run_close(&r);
}

/* A flow at rest on top of a given table is that table alone, and learns from there. */
TEST(a_flow_at_rest_leaves_a_pretrained_model)
{
	static const char *const pairs[][2] = {
		{"learned", "learned+floater(start=rest)"},
		{"sinusoidal", "sinusoidal+floater(site=bias,start=rest)"}};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, pairs[i][0], 6, 0, help_paper_init);
		const struct trace *same = help_again(&r, pairs[i][1], NULL);
		assert_true(help_output_apart(&r.trace, same, 1) == 0);
		assert_true(help_logits_apart(&r.trace, same, 1, 4) == 0);
		const struct trace *moves = help_again(&r, "learned+floater", NULL);
		assert_true(help_output_apart(&r.trace, moves, 1) > 1e-3);
		help_run_close(&r);
	}
}

/* ---- what all learned schemes must do ---- */

TEST(counts_are_those_of_the_leaves)
{
	struct help_run r;
	help_run_must_open(&r, "floater", 4, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 2 * (32 * 33 + 32) + 32 * 2);
	help_run_close(&r);
	help_run_must_open(&r, "floater(site=bias)", 4, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 2 * (32 * 33 + 32) + 3 * 32 * 2);
	help_run_close(&r);
}

TEST(reference_numbers_are_matched)
{
	const struct help_case c = {.file = "seq/floater-a.safetensors",
				    .expression = "floater(site=bias)",
				    .layers = 2};
	struct help_result r;
	help_case_open(&r, &c);
	for (size_t l = 0; l < r.model.n_leaves; l++)
		assert_true(r.model.leaves[l].given);
	assert_int_equal(help_case_compare(&r, &c), 9);
	help_case_close(&r);
}
