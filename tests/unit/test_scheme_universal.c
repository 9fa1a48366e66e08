/* test_scheme_universal.c: the Universal Transformer: position and step at the input of every step,
 * and the weights of one layer for all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tensors.h"
#include "scheme/sinusoid.h"

static size_t wanted_d, wanted_layers;

static void sized(struct help_run *r)
{
	r->config.d = wanted_d;
	r->config.heads = 1;
	r->config.layers = wanted_layers;
	r->want.kinds |= WANT_INPUT;
}

static void open_sized(struct help_run *r, const char *expression, size_t n, size_t d,
		       size_t layers)
{
	wanted_d = d;
	wanted_layers = layers;
	help_run_must_open(r, expression, n, 0, sized);
}

/* What is added to the input of a step: the input less what came from below. */
static struct mat signal(struct help_run *r, size_t step)
{
	const struct mat below = step == 0 ? r->in.units : r->trace.layers[step - 1].output;
	const struct mat out = mat_copy(&r->arena, r->trace.layers[step].input);
	for (size_t t = 0; t < out.rows; t++)
		for (size_t j = 0; j < out.cols; j++)
			mat_row(out, t)[j] -= mat_row(below, t)[j];
	return out;
}

/* ---- the signal ---------------------------------------------------------------------------- */

TEST(signals_of_the_code_are_matched)
{
	struct help_run r;
	open_sized(&r, "ut(layout=concat,freq=t2t)", 7, 32, 4);
	struct tensor_set set;
	tensor_set_init(&set, &r.arena);
	if (!help_tensors(&set, arena_printf(&r.arena, "%s/seq/ut-a.safetensors", test_data),
			  &r.err))
		fail_msg("%s", r.err.text);
	const struct tensor *t = tensor_find(&set, "position.vectors");
	assert_non_null(t);
	const struct mat want = tensor_mat(t); /* [4·7, 32] */
	assert_true(want.rows == 28 && want.cols == 32);
	for (size_t step = 0; step < 4; step++)
		assert_true(mat_max_abs_diff(signal(&r, step), mat_rows(want, 7 * step, 7)) < 1e-9);
	help_run_close(&r);
}

/* Survey eq. 24: t = 2, τ = 1. */
TEST(signal_is_the_row_of_the_definition)
{
	static const double row[] = {1.750768412, .124155469, .029998500, 1.999750007};
	struct help_run r, from_1;
	open_sized(&r, "ut", 3, 4, 2);
	open_sized(&from_1, "ut(base01=1)", 3, 4, 2);
	const struct mat zero = signal(&r, 1), one = signal(&from_1, 0);
	for (size_t j = 0; j < 4; j++) {
		assert_true(fabs(mat_row(zero, 2)[j] - row[j]) < 1e-9);
		assert_true(fabs(mat_row(one, 1)[j] - row[j]) < 1e-9);
	}
	help_run_close(&r);
	help_run_close(&from_1);
}

/* P^τ_t = P^t_τ; P^τ_t - P^τ_s is the same for every τ; P^0_t = sinusoidal(t) + (0, 1, 0, 1, …). */
TEST(signal_is_a_sum_of_position_and_step)
{
	struct help_run r, sinusoids;
	open_sized(&r, "ut", 5, 16, 5);
	open_sized(&sinusoids, "sinusoidal", 5, 16, 1);
	struct mat p[5];
	for (size_t step = 0; step < 5; step++)
		p[step] = signal(&r, step);
	for (size_t step = 0; step < 5; step++)
		for (size_t t = 0; t < 5; t++)
			for (size_t j = 0; j < 16; j++) {
				assert_true(fabs(mat_row(p[step], t)[j] - mat_row(p[t], step)[j]) <
					    1e-12);
				assert_true(fabs(mat_row(p[step], t)[j] - mat_row(p[step], 0)[j] -
						 mat_row(p[0], t)[j] + mat_row(p[0], 0)[j]) <
					    1e-12);
			}
	for (size_t t = 0; t < 5; t++)
		for (size_t j = 0; j < 16; j++)
			assert_true(fabs(mat_row(p[0], t)[j] -
					 mat_row(sinusoids.trace.position_vectors, t)[j] -
					 (double)(j % 2)) < 1e-12);
	help_run_close(&r);
	help_run_close(&sinusoids);
}

TEST(learned_steps_are_rows_of_a_table)
{
	struct help_run r, sinusoids;
	open_sized(&r, "ut(step=learned)", 5, 16, 3);
	open_sized(&sinusoids, "sinusoidal", 5, 16, 1);
	assert_int_equal(r.model.n_leaves, 1);
	const struct mat table = r.model.leaves[0].at;
	assert_true(table.rows == 3 && table.cols == 16);
	for (size_t step = 0; step < 3; step++)
		for (size_t t = 0; t < 5; t++)
			for (size_t j = 0; j < 16; j++)
				assert_true(fabs(mat_row(signal(&r, step), t)[j] -
						 mat_row(table, step)[j] -
						 mat_row(sinusoids.trace.position_vectors, t)[j]) <
					    1e-12);
	help_run_close(&r);
	help_run_close(&sinusoids);
}

/* Without steps and sharing it is a sinusoid in front of every layer. */
TEST(without_steps_it_is_sinusoidal_in_every_layer)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal(layers=1)+sinusoidal(layers=2)", 7, 0, NULL);
	const struct trace *ut = help_changed(&r, "ut(step=learned,shared=off)", help_zero_leaves);
	for (size_t l = 0; l < 2; l++) {
		assert_true(help_logits_apart(&r.trace, ut, l, 4) < 1e-12);
		assert_true(help_output_apart(&r.trace, ut, l) < 1e-12);
	}
	const struct trace *first =
		help_changed(&r, "ut(step=learned,shared=off,layers=1)", help_zero_leaves);
	assert_true(help_output_apart(first, help_again(&r, "sinusoidal", NULL), 1) < 1e-12);
	help_run_close(&r);
}

/* ---- one layer's weights ------------------------------------------------------------------- */

TEST(all_steps_have_the_weights_of_the_first)
{
	static const char *const names[] = {"w_q", "w_k", "w_v", "w_ff1", "w_ff2"};
	struct help_run shared, own;
	open_sized(&shared, "ut", 5, 16, 3);
	open_sized(&own, "ut(shared=off)", 5, 16, 3);
	for (size_t l = 0; l < 3; l++) {
		assert_int_equal(shared.trace.layers[l].layer, l);
		for (size_t i = 0; i < 5; i++) {
			const struct mat first = help_weight_of(&own.trace.layers[0], names[i]);
			assert_true(
				mat_max_abs_diff(help_weight_of(&shared.trace.layers[l], names[i]),
						 first) <= 0);
			assert_true(l == 0 ||
				    mat_max_abs_diff(help_weight_of(&own.trace.layers[l], names[i]),
						     first) > 1e-3);
		}
	}
	assert_true(help_output_apart(&shared.trace, &own.trace, 0) < 1e-12);
	assert_true(help_output_apart(&shared.trace, &own.trace, 1) > 1e-3);
	help_run_close(&shared);
	help_run_close(&own);
}

/* The second step is a model of one layer on the output of the first. */
TEST(a_step_is_the_layer_on_the_output_below)
{
	struct help_run r;
	open_sized(&r, "ut", 6, 16, 2);
	struct model_input in = r.in;
	in.units = r.trace.layers[1].input;
	r.in = in;
	r.config.layers = 1;
	const struct trace *once = help_again(&r, "none", NULL);
	assert_true(mat_max_abs_diff(once->layers[0].output, r.trace.layers[1].output) < 1e-12);
	help_run_close(&r);
}

/* Other members still count layers, and a layer that is run twice has one step more. */
TEST(sharing_leaves_other_members_their_layers)
{
	struct help_run r;
	help_run_must_open(&r, "ut+shaw", 6, 0, NULL);
	const struct trace *one = help_again(&r, "ut+shaw(layers=1)", NULL);
	assert_true(help_logits_apart(&r.trace, one, 0, 4) < 1e-12);
	assert_true(help_logits_apart(&r.trace, one, 1, 4) > 1e-3);
	static const char *const twice[] = {"ut(step=learned)+deberta(emd=on)",
					    "deberta(emd=on)+ut(step=learned)"};
	for (size_t i = 0; i < 2; i++) {
		const struct trace *t = help_again(&r, twice[i], NULL);
		assert_int_equal(t->n_layers, 3);
		assert_true(help_is_finite(t->layers[2].output));
	}
	help_run_close(&r);
}

/* ---- halting ------------------------------------------------------------------------------- */

static double wanted_p;

static void one_probability(struct model *model)
{
	mat_fill(help_leaf(model, "w_halt"), 0);
	mat_fill(help_leaf(model, "b_halt"), log(wanted_p / (1 - wanted_p)));
}

/* The output of `text` where each step halts a token with p, against y_1 .. y_n by these weights. */
static void expect_blend(const char *text, double p, const double *weights, size_t layers)
{
	struct help_run r;
	open_sized(&r, "ut", 5, 16, layers);
	struct mat y[4];
	for (size_t l = 0; l < layers; l++)
		y[l] = r.trace.layers[l].output;
	wanted_p = p;
	const struct trace *trace = help_changed(&r, text, one_probability);
	const struct mat got = trace->layers[layers - 1].output;
	for (size_t t = 0; t < 5; t++)
		for (size_t j = 0; j < 16; j++) {
			double want = 0;
			for (size_t l = 0; l < layers; l++)
				want += weights[l] * mat_row(y[l], t)[j];
			assert_true(fabs(mat_row(got, t)[j] - want) < 1e-12);
		}
	for (size_t l = 0; l + 1 < layers; l++) /* tokens are computed on all the same */
		assert_true(mat_max_abs_diff(trace->layers[l].output, y[l]) < 1e-12);
	help_run_close(&r);
}

/* p = .4: weights .4, .4 and the remainder .2; a state that is blended keeps .6 and .8 of what was. */
TEST(steps_weigh_what_the_definition_says)
{
	static const double sum[] = {.4, .4, .2, 0}, blend[] = {.4 * .6 * .8, .4 * .8, .2, 0};
	static const double first[] = {1, 0, 0, 0}, two[] = {.4, .4};
	expect_blend("ut(halt=accumulated)", .4, sum, 4);
	expect_blend("ut(halt=accumulated)", .4, two, 2); /* nobody has halted */
	expect_blend("ut(halt=act)", .4, blend, 4);
	expect_blend("ut(halt=global)", .4, blend, 4);
	expect_blend("ut(halt=act)", .995, first, 4);
	expect_blend("ut(halt=act,epsilon=1)", .4, first, 3);
}

/* Every token by its own sum, once more as a loop over what a run shows. */
TEST(tokens_halt_by_themselves)
{
	struct help_run r;
	open_sized(&r, "ut(halt=accumulated)", 9, 16, 4);
	const struct mat w = help_leaf(&r.model, "w_halt"), b = help_leaf(&r.model, "b_halt");
	struct help_run plain;
	open_sized(&plain, "ut", 9, 16, 4);
	size_t last_steps[5] = {0};
	for (size_t t = 0; t < 9; t++) {
		double sum = 0, want[16] = {0};
		size_t step = 0;
		for (bool on = true; on && step < 4; step++) {
			double z = b.at[0];
			for (size_t j = 0; j < 16; j++)
				z += mat_row(plain.trace.layers[step].input, t)[j] * w.at[j];
			double weight = 1 / (1 + exp(-z));
			on = sum + weight <= 0.99;
			weight = on ? weight : 1 - sum;
			sum += weight;
			for (size_t j = 0; j < 16; j++)
				want[j] += weight * mat_row(plain.trace.layers[step].output, t)[j];
		}
		last_steps[step]++;
		for (size_t j = 0; j < 16; j++)
			assert_true(fabs(mat_row(r.trace.layers[3].output, t)[j] - want[j]) <
				    1e-12);
	}
	assert_true(last_steps[3] > 0 && last_steps[4] > 0);
	assert_non_null(strstr(r.trace.note, "updates of each token"));
	help_run_close(&r);
	help_run_close(&plain);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* What the last layer gives is the blend: without it there would be none, and no word of it. */
TEST(halting_takes_the_last_layer)
{
	struct help_run r;
	wanted_d = 8;
	wanted_layers = 3;
	assert_false(help_run_open(&r, "ut(halt=act,layers=1-2)", 4, 0, sized));
	assert_string_equal(r.err.text,
			    "ut(halt=act,layers=1-2): what halts is blended at the end of layer 3, "
			    "the last, which layers= leaves out");
	help_run_close(&r);
	open_sized(&r, "ut(halt=act,layers=2-3)", 4, 8, 3);
	help_run_close(&r);
}
