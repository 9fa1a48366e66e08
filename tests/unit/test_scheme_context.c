/* test_scheme_context.c: positions that the tokens between decide: forget gates and the broken stick.
 * Worked numbers, what they become in their limits, and the codes' numbers. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_context.h"

static void one_head(struct help_run *r)
{
	help_with_parts(r);
	r->config.d = 4;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
}

/* ---- fox ---------------------------------------------------------------------------------------- */

/* Units are 1 in a component of their own, which the gate's weight reads. */
static void four_gates(struct model *model)
{
	static const double f[] = {.9, .8, .5, .7};
	mat_fill(help_leaf(model, "b_f"), 0);
	for (size_t t = 0; t < 4; t++)
		help_leaf(model, "w_f").at[t] = log(f[t] / (1 - f[t]));
}

TEST(what_is_forgotten_is_that_of_the_definition)
{
	static const double rows[4][4] = {
		{0}, {-.223144, 0}, {-.916291, -.693147, 0}, {-1.272966, -1.049822, -.356675, 0}};
	struct help_run r;
	help_run_must_open(&r, "fox", 4, 0, one_head);
	mat_set(r.in.units, mat_eye(&r.arena, 4));
	const struct mat d = help_term(help_changed(&r, "fox", four_gates), 0, 0, 1);
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(d, t)[s] - rows[t][s]) < 1e-6);
	help_run_close(&r);
}

TEST(gates_that_know_no_content_are_alibi)
{
	for (size_t n = 9; n <= 64; n += 55) {
		struct help_run r;
		help_run_must_open(&r, "alibi", n, 0, NULL);
		help_traces_equal(help_changed(&r, "fox", help_slopes_of_alibi), &r.trace);
		help_run_close(&r);
	}
}

/* Both directions have the slopes, so it is the ALiBi of distances without sign. */
static void slopes_both_ways(struct model *model)
{
	static const double log_gates[] = {-1. / 4, -1. / 16, -1. / 64, -1. / 256};
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		mat_fill(at, 0);
		for (size_t k = 0; strcmp(model->leaves[i].base, "b_f") == 0 && k < at.cols; k++)
			at.at[k] = log_gates[k % 4] - log(-expm1(log_gates[k % 4]));
	}
}

TEST(gates_both_ways_are_symmetric_alibi)
{
	struct help_run r;
	help_run_must_open(&r, "alibi(causal=off)", 9, 0, NULL);
	help_traces_equal(help_changed(&r, "fox(causal=off)", slopes_both_ways), &r.trace);
	help_run_close(&r);
}

/* What is later is forgotten by the second gates alone: Σ ln g_r over t < r <= s. */
TEST(what_is_later_has_gates_of_its_own)
{
	static const double places[] = {5, 0, 4, 2, 0};
	struct help_run r;
	help_run_must_open(&r, "fox(causal=off,pos=word)", 5, 0, help_with_parts);
	r.in.word = places;
	struct err err = {""};
	struct model model;
	struct trace trace;
	assert_true(model_build(&model, &r.config, r.members, 1, NULL, &r.arena, &err));
	help_random_leaves(&model);
	assert_true(model_run(&model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
	const struct mat w = help_leaf(&model, "w_f"), b = help_leaf(&model, "b_f");
	const struct mat d = help_term(&trace, 0, 2, 1);
	assert_true(w.cols == 8 && b.cols == 8);
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++) {
			const bool past = places[s] <= places[t];
			const double lo = fmin(places[s], places[t]);
			const double hi = fmax(places[s], places[t]);
			double sum = 0;
			for (size_t k = 0; k < 5; k++) {
				double z = b.at[past ? 2 : 6];
				for (size_t j = 0; j < r.config.d; j++)
					z += mat_row(r.in.units, k)[j] *
					     mat_row(w, j)[past ? 2 : 6];
				if (lo < places[k] && places[k] <= hi)
					sum += log(help_sigmoid(z));
			}
			assert_true(fabs(mat_row(d, t)[s] - sum) < 1e-12);
			assert_true(mat_row(trace.layers[0].heads[2].weights, t)[s] > 0);
		}
	help_run_close(&r);
}

static void open_gates(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at, strcmp(model->leaves[i].base, "b_f") == 0 ? 800 : 0);
}

TEST(open_gates_leave_the_causal_model)
{
	struct help_run r;
	help_run_must_open(&r, "fox", 9, 0, NULL);
	const struct trace *plain = help_again(&r, "none+causal", NULL);
	help_traces_equal(help_changed(&r, "fox", open_gates), plain);
	assert_true(help_output_apart(&r.trace, plain, 1) > 1e-3);
	help_run_close(&r);
}

TEST(what_is_forgotten_adds_up)
{
	struct help_run r;
	help_run_must_open(&r, "fox", 8, 0, help_with_parts);
	const struct trace *trace = help_changed(&r, "fox", help_random_leaves);
	for (size_t h = 0; h < 4; h++) {
		const struct mat d = help_term(trace, 1, h, 1);
		for (size_t t = 0; t < 8; t++)
			for (size_t s = 0; s <= t; s++) {
				assert_true(mat_row(d, t)[s] <= 0);
				assert_true((s == t) == (mat_row(d, t)[s] >= 0));
				for (size_t k = 0; k < 8; k++)
					assert_true(fabs(mat_row(d, t)[s] + mat_row(d, s)[k] -
							 mat_row(d, t)[k]) < 1e-12);
			}
	}
	help_run_close(&r);
}

/* Another token at 3 changes the way from s to t where s < 3 <= t, and no other. */
TEST(a_token_matters_to_what_lies_on_both_sides)
{
	struct help_run r;
	help_run_must_open(&r, "fox", 6, 0, help_with_parts);
	const struct trace *before = help_again(&r, "fox", NULL);
	for (size_t j = 0; j < r.config.d; j++)
		mat_row(r.in.units, 3)[j] *= -1;
	const struct trace *after = help_again(&r, "fox", NULL);
	const struct mat x = help_term(before, 0, 0, 1), y = help_term(after, 0, 0, 1);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s <= t; s++) {
			const double off = fabs(mat_row(x, t)[s] - mat_row(y, t)[s]);
			assert_true(s < 3 && t >= 3 ? off > 1e-3 : off < 1e-12);
		}
	help_run_close(&r);
}

/* Units of one position lie on the same place: nothing is forgotten between them. */
TEST(the_column_says_what_lies_between)
{
	static const double places[] = {5, 0, 5, 2, 0};
	struct help_run r;
	help_run_must_open(&r, "fox(pos=word)", 5, 0, help_with_parts);
	r.in.word = places;
	const struct trace *trace = help_changed(&r, "fox(pos=word)", help_random_leaves);
	struct err err = {""};
	struct model model;
	assert_true(model_build(&model, &r.config, r.members, 1, NULL, &r.arena, &err));
	help_random_leaves(&model);
	const struct mat w = help_leaf(&model, "w_f"), b = help_leaf(&model, "b_f");
	const struct mat d = help_term(trace, 0, 2, 1);
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++) {
			double sum = 0;
			for (size_t k = 0; k < 5; k++) {
				double z = b.at[2];
				for (size_t j = 0; j < r.config.d; j++)
					z += mat_row(r.in.units, k)[j] * mat_row(w, j)[2];
				if (places[s] < places[k] && places[k] <= places[t])
					sum += log(help_sigmoid(z));
			}
			if (places[s] <= places[t])
				assert_true(fabs(mat_row(d, t)[s] - sum) < 1e-12);
			else
				assert_true(mat_row(trace->layers[0].heads[2].weights, t)[s] == 0);
		}
	help_run_close(&r);
}

TEST(gates_start_as_in_the_codes)
{
	struct help_run r;
	help_run_must_open(&r, "fox", 4, 0, help_paper_init);
	double lo, hi;
	assert_true(mat_range(help_leaf(&r.model, "w_f"), &lo, &hi));
	assert_true(lo > -1 / sqrt(32) && lo < -.1 && hi < 1 / sqrt(32) && hi > .1);
	assert_int_equal(model_position_parameters(&r.model), 4 * 33 * 2);
	help_run_close(&r);
	help_run_must_open(&r, "fox(start=open)", 4, 0, help_paper_init);
	assert_true(mat_range(help_leaf(&r.model, "b_f"), &lo, &hi) && lo == 5 && hi == 5);
	help_run_close(&r);
}

TEST(reference_numbers_of_fox_are_matched)
{
	static const char *const files[] = {"seq/fox-a.safetensors", "seq/fox-xt-a.safetensors"};
	for (size_t i = 0; i < 2; i++) {
		const struct help_case c = {
			.file = files[i], .expression = "fox", .masked_logits = true};
		struct help_result r;
		help_case_open(&r, &c);
		assert_true(r.model.n_leaves == 2 && r.model.leaves[0].given &&
			    r.model.leaves[1].given);
		assert_int_equal(help_case_compare(&r, &c), 12);
		help_case_close(&r);
	}
}

/* ---- stickbreak --------------------------------------------------------------------------------- */

/* One component, c = 1 and W_q = 1: z_ts = x_t x_s. */
static void one_number(struct help_run *r)
{
	one_head(r);
	r->config.d = 1;
	r->config.content = 1;
}

TEST(shares_are_those_of_the_definition)
{
	static const double units[] = {.5, -1, 2, 1};
	static const double shares[] = {.05424379, .03205860, .88079708};
	struct help_run r;
	help_run_must_open(&r, "stickbreak", 4, 0, one_number);
	memcpy(r.in.units.at, units, sizeof units);
	const struct trace *trace = help_again(&r, "stickbreak", NULL);
	const double *row = mat_row(trace->layers[0].heads[0].weights, 3);
	for (size_t s = 0; s < 3; s++)
		assert_true(fabs(row[s] - shares[s]) < 1e-8);
	assert_true(fabs(1 - row[0] - row[1] - row[2] - .03290052) < 1e-8);
	assert_true(row[3] == 0);
	help_run_close(&r);
}

/* Keys are taken from the greatest position below the query's downwards; of one position, the one
 * that stands last comes first. */
TEST(the_column_says_which_key_is_nearer)
{
	enum { N = 6 };
	static const double places[N] = {2, 4, 0, 1, 1, 3};
	static const size_t order[N] = {2, 3, 4, 0, 5, 1}; /* units by place */
	struct help_run r;
	help_run_must_open(&r, "stickbreak", N, 0, help_with_parts);
	r.in.word = places;
	const struct trace *trace = help_again(&r, "stickbreak(pos=word)", NULL);
	const struct mat z = help_term(trace, 0, 3, 0), w = trace->layers[0].heads[3].weights;
	for (size_t t = 0; t < N; t++) {
		double left = 1, want[N] = {0};
		for (size_t i = N; i-- > 0;) {
			const size_t s = order[i];
			if (places[s] >= places[t])
				continue;
			want[s] = left * help_sigmoid(mat_row(z, t)[s]);
			left -= want[s];
		}
		for (size_t s = 0; s < N; s++)
			assert_true(fabs(mat_row(w, t)[s] - want[s]) < 1e-12);
	}
	help_run_close(&r);
}

TEST(shares_do_not_know_the_keys_before)
{
	struct help_run r;
	help_run_must_open(&r, "stickbreak", 7, 0, NULL);
	mat_fill(mat_rows(r.in.units, 0, 1), 3);
	const struct trace *other = help_again(&r, "stickbreak", NULL);
	const struct mat x = r.trace.layers[0].heads[1].weights;
	const struct mat y = other->layers[0].heads[1].weights;
	assert_true(mat_max_abs_diff(mat_cols(mat_rows(x, 1, 6), 1, 6),
				     mat_cols(mat_rows(y, 1, 6), 1, 6)) < 1e-15);
	assert_true(mat_max_abs_diff(mat_cols(x, 0, 1), mat_cols(y, 0, 1)) > 1e-3);
	help_run_close(&r);
}

static void strong(struct help_run *r)
{
	help_with_parts(r);
	r->config.content = 200;
	r->config.proj = PROJ_IDENTITY;
}

TEST(the_nearest_strong_key_takes_all)
{
	struct help_run r;
	help_run_must_open(&r, "stickbreak", 9, 1, strong);
	for (size_t t = 1; t < 9; t++)
		assert_true(fabs(mat_row(r.trace.layers[0].heads[0].weights, t)[t - 1] - 1) <
			    1e-12);
	help_run_close(&r);
}

TEST(what_is_left_goes_to_the_own_value)
{
	struct help_run r;
	help_run_must_open(&r, "stickbreak(remainder=on)", 8, 0, help_with_parts);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		for (size_t t = 0; t < 8; t++)
			for (size_t j = 0; j < 8; j++) {
				double left = 1, sum = 0;
				for (size_t s = 0; s < t; s++) {
					const double w = mat_row(head->weights, t)[s];
					left -= w;
					sum += w * mat_row(head->v, s)[j];
				}
				sum += left * mat_row(head->v, t)[j];
				assert_true(fabs(mat_row(head->context, t)[j] - sum) < 1e-12);
			}
	}
	help_run_close(&r);
}

/* Logits are ln α here and z in the file: z is compared by itself. */
TEST(reference_numbers_of_stickbreak_are_matched)
{
	struct help_case c = {.file = "seq/stickbreak-a.safetensors",
			      .expression = "stickbreak",
			      .skip = "logits"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(help_case_compare(&r, &c), 8);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		const char *name = arena_printf(&r.arena, "head.%zu.logits", h);
		const struct mat z = tensor_mat(tensor_find(&r.set, name));
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++)
				assert_true(
					fabs(help_dot(mat_row(head->q, t), mat_row(head->k, s), 8) /
						     sqrt(8) -
					     mat_row(z, t)[s]) < 1e-9);
	}
	help_case_close(&r);
	c.expression = "stickbreak(remainder=on)";
	help_case_open(&r, &c);
	for (size_t h = 0; h < 4; h++) {
		const char *name = arena_printf(&r.arena, "head.%zu.context_with_remainder", h);
		assert_true(mat_max_abs_diff(r.trace.layers[0].heads[h].context,
					     tensor_mat(tensor_find(&r.set, name))) < 1e-9);
	}
	help_case_close(&r);
}

TEST(a_stick_needs_logits)
{
	struct help_run r;
	assert_false(help_run_open(&r, "gauss+stickbreak", 4, 0, NULL));
	assert_non_null(strstr(r.err.text, "gauss and stickbreak both make the weights"));
	help_run_close(&r);
}

/* ---- all of them --------------------------------------------------------------------------------- */

TEST(a_column_read_backwards_is_the_text_reversed)
{
	help_is_reversed("fox", "fox(pos=remaining)");
	help_is_reversed("stickbreak(remainder=on)", "stickbreak(remainder=on,pos=remaining)");
}
