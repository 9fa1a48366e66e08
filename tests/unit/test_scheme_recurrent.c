/* test_scheme_recurrent.c: GRU, LSTM and RR-Transformer: the states by hand, what a state can know,
 * and the numbers of the authors' code. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* ---- the equations, written once more ---- */

static double logistic(double x)
{
	return 1 / (1 + exp(-x));
}

/* bias[row] + w[row]·x */
static double affine(struct mat w, const double *bias, size_t row, const double *x)
{
	double sum = bias[row];
	for (size_t j = 0; j < w.cols; j++)
		sum += mat_row(w, row)[j] * x[j];
	return sum;
}

/* torch.nn.GRU: r, z, n in this order. */
static void gru_by_hand(struct mat out, struct mat in, const struct model *m, const char *suffix,
			bool backwards)
{
	char names[4][40];
	static const char *const stems[] = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"};
	for (size_t i = 0; i < 4; i++)
		snprintf(names[i], sizeof names[i], "%s%s", stems[i], suffix);
	const struct mat wi = help_leaf(m, names[0]), wh = help_leaf(m, names[1]);
	const double *bi = help_leaf(m, names[2]).at, *bh = help_leaf(m, names[3]).at;
	const size_t d = in.cols;
	double *h = calloc(d, sizeof *h);
	assert_non_null(h);
	for (size_t i = 0; i < in.rows; i++) {
		const size_t t = backwards ? in.rows - 1 - i : i;
		const double *x = mat_row(in, t);
		for (size_t j = 0; j < d; j++) {
			const double r = logistic(affine(wi, bi, j, x) + affine(wh, bh, j, h));
			const double z =
				logistic(affine(wi, bi, d + j, x) + affine(wh, bh, d + j, h));
			const double n = tanh(affine(wi, bi, 2 * d + j, x) +
					      r * affine(wh, bh, 2 * d + j, h));
			mat_row(out, t)[j] = (1 - z) * n + z * h[j];
		}
		memcpy(h, mat_row(out, t), d * sizeof *h);
	}
	free(h);
}

/* Gates i, f, g, o. */
static void lstm_by_hand(struct mat out, struct mat in, const struct model *m, bool reverse)
{
	const struct mat wi = help_leaf(m, reverse ? "weight_ih_reverse" : "weight_ih");
	const struct mat wh = help_leaf(m, reverse ? "weight_hh_reverse" : "weight_hh");
	const double *b = help_leaf(m, reverse ? "bias_reverse" : "bias").at;
	const size_t w = out.cols;
	double *h = calloc(6 * w, sizeof *h), *c = h + w, *none = c + w;
	assert_non_null(h);
	for (size_t i = 0; i < in.rows; i++) {
		const size_t t = reverse ? in.rows - 1 - i : i;
		double pre[4];
		for (size_t j = 0; j < w; j++) {
			for (size_t g = 0; g < 4; g++)
				pre[g] = affine(wi, b, g * w + j, mat_row(in, t)) +
					 affine(wh, none, g * w + j, h);
			c[j] = logistic(pre[1]) * c[j] + logistic(pre[0]) * tanh(pre[2]);
			mat_row(out, t)[j] = logistic(pre[3]) * tanh(c[j]);
		}
		memcpy(h, mat_row(out, t), w * sizeof *h);
	}
	free(h);
}

/* An expression with drawn leaves: its layer input, and its model for looking at them. */
static struct trace *drawn(struct help_run *r, const char *expression)
{
	struct trace *trace = help_changed(r, expression, help_draw_leaves);
	help_draw_leaves(&r->model);
	return trace;
}

TEST(gru_is_that_of_pytorch)
{
	struct help_run r;
	help_run_must_open(&r, "gru", 6, 0, help_with_input);
	const struct trace *trace = drawn(&r, "gru");
	const struct mat want = mat_new(&r.arena, 6, r.config.d);
	gru_by_hand(want, r.in.units, &r.model, "", false);
	assert_true(mat_max_abs_diff(help_input_of(trace), want) < 1e-13);
	help_run_close(&r);
}

TEST(two_directions_go_through_one_matrix)
{
	struct help_run r;
	help_run_must_open(&r, "gru(bidirectional=on)", 6, 0, help_with_input);
	const struct trace *trace = drawn(&r, "gru(bidirectional=on)");
	const size_t d = r.config.d;
	const struct mat both = mat_new(&r.arena, 6, 2 * d), want = mat_new(&r.arena, 6, d);
	gru_by_hand(mat_cols(both, 0, d), r.in.units, &r.model, "", false);
	gru_by_hand(mat_cols(both, d, d), r.in.units, &r.model, "_reverse", true);
	mat_mul(want, 1, both, false, help_leaf(&r.model, "w_out"), false, 0);
	for (size_t t = 0; t < 6; t++)
		for (size_t j = 0; j < d; j++)
			mat_row(want, t)[j] += help_leaf(&r.model, "b_out").at[j];
	assert_true(mat_max_abs_diff(help_input_of(trace), want) < 1e-12);
	help_run_close(&r);
}

TEST(lstm_is_the_usual_cell_in_both_directions)
{
	struct help_run r;
	help_run_must_open(&r, "lstm", 6, 0, help_with_input);
	const struct trace *trace = drawn(&r, "lstm");
	const size_t half = r.config.d / 2;
	const struct mat want = mat_new(&r.arena, 6, r.config.d);
	lstm_by_hand(mat_cols(want, 0, half), r.in.units, &r.model, false);
	lstm_by_hand(mat_cols(want, half, half), r.in.units, &r.model, true);
	assert_true(mat_max_abs_diff(help_input_of(trace), want) < 1e-13);
	help_run_close(&r);
	help_run_must_open(&r, "lstm(direction=forward)", 6, 0, help_with_input);
	trace = drawn(&r, "lstm(direction=forward)");
	const struct mat wide = mat_new(&r.arena, 6, r.config.d);
	lstm_by_hand(wide, r.in.units, &r.model, false);
	assert_true(mat_max_abs_diff(help_input_of(trace), wide) < 1e-13);
	help_run_close(&r);
}

/* ---- what a state knows ---- */

/* Another last unit: rows before it stay as they are, or not. */
static void check_prefix(const char *expression, bool prefix)
{
	struct help_run r;
	help_run_must_open(&r, expression, 7, 0, help_with_input);
	const struct trace *before = drawn(&r, expression);
	mat_fill(mat_rows(r.in.units, 6, 1), 0.5);
	const struct trace *after = help_changed(&r, expression, help_draw_leaves);
	const struct mat a = help_input_of(before), b = help_input_of(after);
	assert_true((mat_max_abs_diff(mat_rows(a, 0, 6), mat_rows(b, 0, 6)) == 0) == prefix);
	assert_true(mat_max_abs_diff(mat_rows(a, 6, 1), mat_rows(b, 6, 1)) > 1e-3);
	help_run_close(&r);
}

TEST(a_forward_state_depends_on_what_came_before)
{
	check_prefix("gru", true);
	check_prefix("lstm(direction=forward)", true);
	check_prefix("gru(bidirectional=on)", false);
	check_prefix("lstm", false);
}

static void shut_update_gate(struct model *model)
{
	help_draw_leaves(model);
	const size_t d = model->config.d;
	mat_fill(help_leaf(model, "weight_hh"), 0);
	mat_fill(help_leaf(model, "bias_hh"), 0);
	mat_fill(mat_rows(help_leaf(model, "weight_ih"), d, d), 0);
	mat_fill(mat_cols(help_leaf(model, "bias_ih"), d, d), -800);
}

/* W_h = 0, b_hn = 0 and z = 0: X_t = tanh(W x_t + b), with no position in it. */
TEST(without_recurrence_the_order_is_not_seen)
{
	static const size_t order[] = {3, 0, 4, 1, 2};
	struct help_run r;
	help_run_must_open(&r, "gru", 5, 0, help_with_input);
	const struct trace *here = help_changed(&r, "gru", shut_update_gate);
	shut_update_gate(&r.model);
	const struct mat w = help_leaf(&r.model, "weight_ih"), b = help_leaf(&r.model, "bias_ih");
	const size_t d = r.config.d;
	for (size_t t = 0; t < 5; t++)
		for (size_t j = 0; j < d; j++) {
			const double want =
				tanh(affine(w, b.at, 2 * d + j, mat_row(r.in.units, t)));
			assert_true(fabs(mat_row(help_input_of(here), t)[j] - want) < 1e-12);
		}
	help_permute(&r, order);
	const struct trace *moved = help_changed(&r, "gru", shut_update_gate);
	for (size_t t = 0; t < 5; t++)
		assert_true(mat_max_abs_diff(mat_rows(moved->layers[1].output, t, 1),
					     mat_rows(here->layers[1].output, order[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

TEST(positions_are_an_order)
{
	static const char *const names[] = {"gru", "lstm(direction=forward)"};
	static const char *const turned[] = {"gru(pos=remaining)",
					     "lstm(direction=forward,pos=remaining)"};
	static const size_t reversed[] = {5, 4, 3, 2, 1, 0};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, names[i], 6, 0, help_with_input);
		const struct trace *back = help_changed(&r, turned[i], help_draw_leaves);
		help_permute(&r, reversed);
		const struct trace *fore = help_changed(&r, names[i], help_draw_leaves);
		for (size_t t = 0; t < 6; t++)
			assert_true(mat_max_abs_diff(mat_rows(help_input_of(back), t, 1),
						     mat_rows(help_input_of(fore), 5 - t, 1)) <
				    1e-13);
		help_run_close(&r);
	}
}

/* Units of one position are read in the order of rows. */
TEST(equal_positions_keep_the_order_of_rows)
{
	static const double same[] = {4, 4, 4, 4, 4}, turned[] = {2, 0, 1, 0, 1};
	static const size_t order[] = {1, 3, 2, 4, 0};
	struct help_run r;
	help_run_must_open(&r, "gru", 5, 0, help_with_input);
	const struct trace *plain = help_changed(&r, "gru", help_draw_leaves);
	r.in.word = same;
	const struct trace *all = help_changed(&r, "gru(pos=word)", help_draw_leaves);
	assert_true(mat_max_abs_diff(help_input_of(plain), help_input_of(all)) == 0);
	r.in.word = turned;
	const struct trace *some = help_changed(&r, "gru(pos=word)", help_draw_leaves);
	help_permute(&r, order);
	const struct trace *want = help_changed(&r, "gru", help_draw_leaves);
	for (size_t i = 0; i < 5; i++)
		assert_true(mat_max_abs_diff(mat_rows(help_input_of(some), order[i], 1),
					     mat_rows(help_input_of(want), i, 1)) < 1e-13);
	help_run_close(&r);
}

/* ---- the demonstration ---- */

/* Twisted ring of 4 (a head of 8): after the start the products of states fall by 2 per step, from 4
 * at distance 0 to -4 at distance 4, and rise again; 3·0.995 in tanh is 0.995. */
TEST(the_ring_counts_distances)
{
	struct help_run r;
	help_run_must_open(&r, "gru", 20, 0, help_with_input);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct mat ring = mat_cols(help_input_of(&r.trace), h * 8 + 4, 4);
		for (size_t t = 3; t < 20; t++)
			for (size_t s = 3; s < 20; s++) {
				double dot = 0;
				for (size_t j = 0; j < 4; j++)
					dot += mat_row(ring, t)[j] * mat_row(ring, s)[j];
				const long far = labs((long)t - (long)s) % 8;
				const double want = 4 - 2 * (double)(far > 4 ? 8 - far : far);
				if (!(fabs(dot - want) < 0.6))
					fail_msg("(%zu, %zu): %g, not %g", t, s, dot, want);
			}
	}
	help_run_close(&r);
}

/* PyTorch: U(-1/√d, 1/√d), of variance 1/(3d). */
TEST(the_paper_draws_evenly)
{
	struct help_run r;
	help_run_must_open(&r, "gru", 5, 0, help_paper_init);
	for (size_t i = 0; i < r.model.n_leaves; i++) {
		const struct mat at = r.model.leaves[i].at;
		const double cells = (double)(at.rows * at.cols), d = (double)r.config.d;
		double lo, hi;
		assert_true(mat_range(at, &lo, &hi));
		assert_true(lo > -1 / sqrt(d) && hi < 1 / sqrt(d));
		assert_true(fabs(mat_norm(at) * mat_norm(at) / cells - 1 / (3 * d)) < 0.2 / d);
	}
	help_run_close(&r);
}

/* ---- what all learned schemes must do ---- */

TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *expression;
		size_t made;
	} rows[] = {
		{"gru", 6 * 32 * 32 + 6 * 32},
		{"gru(bidirectional=on)", 2 * (6 * 32 * 32 + 6 * 32) + 2 * 32 * 32 + 32},
		{"lstm", 2 * 4 * 16 * (32 + 16 + 1)},
		{"lstm(direction=forward)", 4 * 32 * (32 + 32 + 1)},
		{"rr", 6 * 32 * 32 + 6 * 32 + 2 * 2 * 33 * 8},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), rows[i].made);
		help_run_close(&r);
	}
}

static void odd_width(struct help_run *r)
{
	r->config.d = 9;
	r->config.heads = 3;
}

TEST(two_directions_need_an_even_width)
{
	struct help_run r;
	assert_false(help_run_open(&r, "lstm", 4, 0, odd_width));
	assert_non_null(strstr(r.err.text, "d-model"));
	help_run_close(&r);
	assert_true(help_run_open(&r, "lstm(direction=forward)", 4, 0, odd_width));
	help_run_close(&r);
}

TEST(rr_is_gru_and_shaw)
{
	struct help_run r;
	help_run_must_open(&r, "rr", 6, 0, NULL);
	assert_true(help_output_apart(&r.trace, help_again(&r, "gru+shaw", NULL), 1) == 0);
	assert_true(help_output_apart(&r.trace, help_again(&r, "gru", NULL), 1) > 1e-3);
	help_run_close(&r);
}

/* X = U + position.vectors is the encoder input of the authors' code. */
TEST(reference_numbers_are_matched)
{
	const struct help_case c = {.file = "seq/rnn-a.safetensors", .expression = "gru"};
	struct help_result r;
	help_case_open(&r, &c);
	for (size_t l = 0; l < r.model.n_leaves; l++)
		assert_true(r.model.leaves[l].given);
	const struct mat want = tensor_mat(tensor_find(&r.set, "position.vectors"));
	const struct mat input = tensor_mat(tensor_find(&r.set, "input"));
	for (size_t t = 0; t < want.rows; t++)
		for (size_t j = 0; j < want.cols; j++)
			assert_true(fabs(mat_row(r.trace.position_vectors, t)[j] +
					 mat_row(input, t)[j] - mat_row(want, t)[j]) < 1e-12);
	help_case_close(&r);
}

/* After a recurrent network the content is one term, not unit–unit. */
TEST(there_is_no_split_into_unit_and_position)
{
	struct help_run r;
	help_run_must_open(&r, "gru", 5, 0, NULL);
	assert_false(r.trace.split);
	assert_non_null(strstr(r.trace.split_absent, "gru"));
	r.want.kinds |= WANT_TERMS;
	const struct trace *trace = help_again(&r, "gru", NULL);
	const struct trace_head *head = &trace->layers[0].heads[1];
	assert_int_equal(head->n_terms, 1);
	assert_string_equal(head->terms[0].label, "content");
	assert_int_equal(head->terms[0].kind, TERM_OTHER);
	help_run_close(&r);
	assert_int_equal(help_terms_sum("rr", NULL), 2);
	assert_int_equal(help_terms_sum("gru+sinusoidal", NULL), 4);
}
