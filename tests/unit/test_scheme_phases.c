/* test_scheme_phases.c: selrope and pope: phases that are said by the tokens, or learned. What they
 * share with other rotations is tested in test_scheme_rotary.c. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* ---- selrope ---- */

/* Nothing of content, exp(b) = 1: every token turns by 1. */
TEST(steps_of_1_are_rope)
{
	static const char *const all[] = {"selrope(bias=on)", "selrope(bias=on,proj=per-head)"};
	struct help_run r;
	help_run_must_open(&r, "rope(layout=half,base=500000)", 9, 0, help_with_qkv);
	for (size_t i = 0; i < 2; i++)
		help_traces_equal(&r.trace, help_changed(&r, all[i], help_zero_leaves));
	/* positions are 1..n */
	const struct trace *one = help_again(&r, "rope(layout=half,base=500000,start=1)", NULL);
	const struct trace *still = help_changed(&r, "selrope(bias=on)", help_zero_leaves);
	assert_true(mat_max_abs_diff(help_head_of(one, 2)->k, help_head_of(still, 2)->k) < 1e-12);
	help_run_close(&r);
}

TEST(steps_of_0_are_none)
{
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	help_traces_equal(&r.trace, help_changed(&r, "selrope", help_zero_leaves));
	assert_true(help_logits_apart(&r.trace, help_again(&r, "selrope", NULL), 0, 4) > 1e-3);
	help_run_close(&r);
}

/* As the demo rule says: units of ones turn by 1, so the bias of the probe is RoPE's. */
TEST(units_of_ones_turn_as_rope_does)
{
	struct help_run r;
	help_run_must_open(&r, "rope(layout=half,base=500000)", 9, 0, NULL);
	static const char *const all[] = {"selrope", "selrope(proj=per-head)", "selrope(rank=1)"};
	for (size_t i = 0; i < 3; i++) {
		const struct trace *got = help_again(&r, all[i], NULL);
		for (size_t h = 0; h < 4; h++)
			assert_true(mat_max_abs_diff(help_head_of(got, h)->bias,
						     help_head_of(&r.trace, h)->bias) < 1e-10);
		assert_true(help_logits_apart(&r.trace, got, 0, 4) > 1e-3);
	}
	help_run_close(&r);
}

static void content_1_2(struct model *model)
{
	mat_fill(help_leaf(model, "conv"), 0);
	for (size_t j = 0; j < 4; j++) /* taps .1 .2 .3 .4, the last for the token itself */
		mat_fill(mat_rows(help_leaf(model, "conv"), j, 1), .1 * (double)(j + 1));
	const struct mat down = help_leaf(model, "w_down"), up = help_leaf(model, "w_up");
	mat_fill(down, 0);
	mat_fill(up, 0);
	mat_row(down, 0)[0] = 2; /* reads the first number */
	mat_row(up, 0)[0] = 1;	 /* pair 0 turns by it, pair 1 by half */
	mat_row(up, 0)[1] = 0.5;
}

/* d = 4, one head. Units (3,4,0,0), (0,5,0,0), (-6,8,0,0), … of squares 25, 25, 100: x/√(‖x‖² + 10⁻⁶)
 * starts with a = 3/√25.000001 = .59999998800000036, 0, b = −6/√100.000001 = −.5999999970000000225, so proj is
 * 2a, 0, 2b and φ = .8a, .6a, .4a + .8b, .2a + .6b, .4b; the sums stand below. */
TEST(phases_are_those_of_the_definition)
{
	static const double units[5][4] = {
		{3, 4, 0, 0}, {0, 5, 0, 0}, {-6, 8, 0, 0}, {0, 1, 0, 0}, {0, 0, 2, 0}};
	static const double sums[] = {.479999990400000288, .839999983200000504, .599999980800000630,
				      .359999980200000689, .119999981400000680};
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, help_one_head_of_4);
	for (size_t t = 0; t < 5; t++)
		memcpy(mat_row(r.in.units, t), units[t], sizeof units[t]);
	const struct trace_head *head = help_head_of(help_changed(&r, "selrope", content_1_2), 0);
	for (size_t t = 0; t < 5; t++)
		for (size_t i = 0; i < 2; i++) {
			const double angle = sums[t] * (i == 0 ? 1 : .5 / sqrt(500000));
			const double a = help_entry(head->q_raw, t, i),
				     b = help_entry(head->q_raw, t, i + 2);
			assert_true(fabs(help_entry(head->q, t, i) - a * cos(angle) +
					 b * sin(angle)) < 1e-12);
			assert_true(fabs(help_entry(head->q, t, i + 2) - a * sin(angle) -
					 b * cos(angle)) < 1e-12);
		}
	help_run_close(&r);
}

/* The scalar is the length of the columns, whatever the columns' own. */
static void scale_columns(struct model *model)
{
	const struct mat w = help_leaf(model, "w_phi");
	for (size_t r = 0; r < w.rows; r++)
		for (size_t c = 0; c < w.cols; c++)
			mat_row(w, r)[c] *= 3 + (double)c;
}

TEST(wide_columns_are_normalised)
{
	static const char expression[] = "selrope(proj=per-head)";
	struct help_run r;
	help_run_must_open(&r, expression, 7, 0, NULL);
	help_traces_equal(&r.trace, help_changed(&r, expression, scale_columns));
	help_run_close(&r);
}

/* In all layers. */
static void fill_leaves(struct model *model, const char *base, double value)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, base) == 0)
			mat_fill(model->leaves[i].at, value);
}

static void open_gates(struct model *model)
{
	fill_leaves(model, "w_gate", 0);
	fill_leaves(model, "b_gate", 800);
}

static void shut_gates(struct model *model)
{
	fill_leaves(model, "w_gate", 0);
	fill_leaves(model, "b_gate", -800);
}

TEST(gates_let_phases_through)
{
	struct help_run r;
	help_run_must_open(&r, "selrope(bias=on)", 7, 0, NULL);
	help_traces_equal(&r.trace, help_changed(&r, "selrope(bias=on,gate=on)", open_gates));
	help_traces_equal(help_again(&r, "none", NULL),
			  help_changed(&r, "selrope(bias=on,gate=on)", shut_gates));
	assert_true(help_logits_apart(&r.trace, help_again(&r, "selrope(bias=on,gate=on)", NULL), 0,
				      4) > 1e-3);
	help_run_close(&r);
}

TEST(turning_keeps_lengths)
{
	struct help_run r;
	help_run_must_open(&r, "selrope(bias=on,gate=on)", 7, 0, help_with_qkv);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = help_head_of(&r.trace, h);
		for (size_t t = 0; t < 7; t++) {
			assert_true(fabs(help_row_norm(head->q, t) -
					 help_row_norm(head->q_raw, t)) < 1e-12);
			assert_true(fabs(help_row_norm(head->k, t) -
					 help_row_norm(head->k_raw, t)) < 1e-12);
		}
	}
	help_run_close(&r);
}

/* Causal: what follows changes nothing of what was. */
TEST(later_tokens_turn_nothing_before)
{
	struct help_run r;
	help_run_must_open(&r, "selrope", 8, 0, NULL);
	for (size_t c = 0; c < r.in.units.cols; c++)
		mat_row(r.in.units, 5)[c] += (double)c;
	const struct trace *other = help_again(&r, "selrope", NULL);
	const struct mat was = help_head_of(&r.trace, 1)->logits,
			 is = help_head_of(other, 1)->logits;
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++)
			assert_true(fabs(help_entry(was, t, s) - help_entry(is, t, s)) < 1e-12);
	assert_true(fabs(help_entry(was, 7, 1) - help_entry(is, 7, 1)) > 1e-6);
	help_run_close(&r);
}

TEST(the_column_says_what_comes_before)
{
	static const size_t reversed[] = {5, 4, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "selrope", 6, 0, NULL);
	help_permute(&r, reversed);
	const struct trace *back = help_again(&r, "selrope(pos=remaining)", NULL);
	for (size_t t = 0; t < 6; t++)
		assert_true(mat_max_abs_diff(mat_rows(r.trace.layers[1].output, t, 1),
					     mat_rows(back->layers[1].output, 5 - t, 1)) < 1e-10);
	help_run_close(&r);
}

/* ---- pope ---- */

static double soft(double x)
{
	return log1p(exp(x));
}

/* A_ts = Σ_j sp(q_tj) sp(k_sj) cos((s-t) θ_j + δ_j) / √d_h */
TEST(polar_logits_are_those_of_the_definition)
{
	struct help_run r;
	help_run_must_open(&r, "pope", 6, 0, help_with_qkv);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = help_head_of(&r.trace, h);
		const double *delta = mat_row(help_leaf(&r.model, "delta"), h);
		assert_int_equal(head->q.cols, 16);
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++) {
				double want = 0;
				for (size_t j = 0; j < 8; j++)
					want += soft(help_entry(head->q_raw, t, j)) *
						soft(help_entry(head->k_raw, s, j)) *
						cos(((double)s - (double)t) *
							    pow(10000, -(double)j / 8) +
						    delta[j]);
				want *= r.model.c;
				assert_true(fabs(help_entry(head->logits, t, s) - want) < 1e-10);
			}
	}
	help_run_close(&r);
}

/* The demo rule: head i of 0, 1, … is greatest 1 + 4i places back, for equal tokens. */
TEST(heads_prefer_their_distance)
{
	struct help_run r;
	help_run_must_open(&r, "pope", 20, 0, NULL);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 1 + 4 * h; t < 20; t++) {
			const double *row = mat_row(help_head_of(&r.trace, h)->bias, t);
			for (size_t s = 0; s < 20; s++)
				assert_true(s == t - 1 - 4 * h || row[s] < row[t - 1 - 4 * h]);
		}
	help_run_close(&r);
}

static void deltas_out_of_range(struct model *model)
{
	const struct mat delta = help_leaf(model, "delta");
	for (size_t i = 0; i < delta.rows; i++)
		for (size_t j = 0; j < delta.cols; j++)
			mat_row(delta, i)[j] = j % 2 ? 1.5 : -9;
}

/* A clamp to [-2π, 0] makes both ends a phase of 0. */
TEST(phases_are_clamped)
{
	struct help_run r;
	help_run_must_open(&r, "pope", 6, 0, NULL);
	const struct trace *zero = help_changed(&r, "pope", help_zero_leaves);
	const struct trace *out = help_changed(&r, "pope", deltas_out_of_range);
	assert_true(help_logits_apart(zero, out, 0, 4) < 1e-12);
	assert_true(help_logits_apart(zero, &r.trace, 0, 4) > 1e-3);
	help_run_close(&r);
}

/* The phase does not hang on the content: no position, and δ = 0, is a product of softplus. */
TEST(one_place_knows_lengths_alone)
{
	struct help_run r;
	help_run_must_open(&r, "pope", 6, 0, help_with_qkv);
	const struct trace *flat = help_changed(&r, "pope(pos=segment)", help_zero_leaves);
	const struct trace_head *head = help_head_of(flat, 3);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++) {
			double want = 0;
			for (size_t j = 0; j < 8; j++)
				want += soft(help_entry(head->q_raw, t, j)) *
					soft(help_entry(head->k_raw, s, j));
			assert_true(fabs(help_entry(head->logits, t, s) - want * r.model.c) <
				    1e-10);
		}
	help_run_close(&r);
}

TEST(doubled_vectors_are_not_doubled_again)
{
	struct help_run r;
	assert_false(help_run_open(&r, "pope+pope", 3, 0, NULL));
	assert_non_null(strstr(r.err.text,
			       "pope#2 needs queries and keys of width 8, and pope makes it 16"));
	help_run_close(&r);
	help_run_must_open(&r, "rope+pope", 3, 0, NULL);
	help_run_close(&r);
	help_run_must_open(&r, "pope+selrope", 3, 0, NULL);
	help_run_close(&r);
}
