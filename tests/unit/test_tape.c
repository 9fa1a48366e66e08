/* test_tape.c: every operator against central differences, and the tape itself.
 *
 * The table `checks` has a row for each way an operator is used; a test makes sure that no operator
 * is without one and that each row really exercises its operator. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_tape.h"
#include "posviz/math/tape.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

FIXTURE(open_arena, close_arena)

/* ---- Gradients against central differences ---- */

struct context {
	struct mat leaf;
};

static struct node *leaf(void *context, struct tape *t)
{
	return tape_leaf(t, ((struct context *)context)->leaf);
}

/* The same normal numbers each time it is built. */
static struct node *other(struct tape *t, size_t rows, size_t cols)
{
	const struct mat m = mat_new(t->arena, rows, cols);
	struct rng rng;
	rng_init(&rng, 77);
	mat_fill_normal(m, 1, &rng);
	return tape_const(t, m);
}

static const int32_t targets[] = {2, -1, 0, 4, 4, 1};
static const int32_t picks[] = {3, 0, 3, 3, 5, 1, 0};
static const uint8_t allowed[] = {
	1, 0, 1, 1, 0, /**/ 0, 0, 0, 0, 0, /**/ 1, 1, 1, 1, 1,
	0, 1, 0, 0, 0, /**/ 1, 1, 0, 0, 1, /**/ 0, 0, 1, 1, 1,
};
/* 4 queries, 6 keys, entries 0..4 or none */
static const int32_t some[] = {
	0,	1, 2, 3, 4, 4, /**/ -1, 0,  1,	-1, 3,	0,
	/**/ 2, 2, 2, 2, 2, 2, /**/ -1, -1, -1, -1, -1, 4,
};
static const struct index some_index = {4, 6, 5, some};
static const int32_t other_rows[] = {1, 0, 1, 2};

#define BUILD(name, expression)                                 \
	static struct node *name(void *context, struct tape *t) \
	{                                                       \
		struct node *x = leaf(context, t);              \
		return (expression);                            \
	}

/* Leaves are 6 x 5 unless the table says otherwise. */
BUILD(matmul_nn, tape_matmul(t, x, false, other(t, 5, 3), false, 0.5))
BUILD(matmul_nt, tape_matmul(t, x, false, other(t, 3, 5), true, 0.5))
BUILD(matmul_tn, tape_matmul(t, x, true, other(t, 6, 3), false, 0.5))
BUILD(matmul_tt, tape_matmul(t, x, true, other(t, 3, 6), true, 0.5))
BUILD(matmul_b_nn, tape_matmul(t, other(t, 3, 6), false, x, false, 2))
BUILD(matmul_b_nt, tape_matmul(t, other(t, 3, 5), false, x, true, 2))
BUILD(matmul_b_tn, tape_matmul(t, other(t, 6, 3), true, x, false, 2))
BUILD(matmul_b_tt, tape_matmul(t, other(t, 5, 3), true, x, true, 2))
BUILD(matmul_self, tape_matmul(t, x, false, x, true, 1))
BUILD(add_first, tape_add(t, x, other(t, 1, 5)))
BUILD(add_full, tape_add(t, other(t, 6, 5), x))
BUILD(add_smaller, tape_add(t, other(t, 4, 3), x))
BUILD(add_self, tape_add(t, x, x))
BUILD(add_scalar, tape_add_scalar(t, x, 3))
BUILD(accumulate, tape_accumulate(t, tape_scale(t, x, 2), other(t, 6, 5)))
BUILD(accumulated, tape_accumulate(t, tape_scale(t, other(t, 4, 3), 1), x))
BUILD(sub_first, tape_sub(t, x, other(t, 6, 1)))
BUILD(sub_full, tape_sub(t, other(t, 6, 5), x))
BUILD(sub_smaller, tape_sub(t, other(t, 4, 3), x))
BUILD(mul_first, tape_mul(t, x, other(t, 6, 5)))
BUILD(mul_first_row, tape_mul(t, x, other(t, 1, 5)))
BUILD(mul_first_column, tape_mul(t, x, other(t, 6, 1)))
BUILD(mul_first_scalar, tape_mul(t, x, other(t, 1, 1)))
BUILD(mul_full, tape_mul(t, other(t, 6, 5), x))
BUILD(mul_smaller, tape_mul(t, other(t, 4, 3), x))
BUILD(mul_self, tape_mul(t, x, x))
BUILD(scale, tape_scale(t, x, -1.5))
BUILD(softmax, tape_softmax(t, x, NULL, false))
BUILD(softmax_masked, tape_softmax(t, x, allowed, false))
BUILD(softmax_consumed, tape_softmax(t, tape_scale(t, x, 2), allowed, true))
BUILD(layer_norm, tape_layer_norm(t, x, 1e-3))
BUILD(row_normalise, tape_row_normalise(t, x, 1e-6))
BUILD(row_normalise_small, tape_row_normalise(t, x, 100))
BUILD(relu, tape_relu(t, x))
BUILD(leaky_relu, tape_leaky_relu(t, x, 0.2))
BUILD(elu, tape_elu(t, x))
BUILD(silu, tape_silu(t, x))
BUILD(gelu, tape_gelu(t, x))
BUILD(tanh_of, tape_tanh(t, x))
BUILD(sigmoid, tape_sigmoid(t, x))
BUILD(log_sigmoid, tape_log_sigmoid(t, x))
BUILD(softplus, tape_softplus(t, x))
BUILD(exp_of, tape_exp(t, x))
BUILD(log_of, tape_log(t, x))
BUILD(pow_of, tape_pow(t, x, 2.5))
BUILD(pow_minus, tape_pow(t, x, -0.5))
BUILD(cube, tape_pow(t, x, 3))
BUILD(sin_of, tape_sin(t, x))
BUILD(cos_of, tape_cos(t, x))
BUILD(clip, tape_clip(t, x, -0.5, 0.8))
BUILD(gather_rows, tape_gather_rows(t, x, picks, COUNT(picks)))
BUILD(gather_by_row, tape_gather(t, x, &some_index, GATHER_BY_ROW))
BUILD(gather_by_col, tape_gather(t, x, &some_index, GATHER_BY_COL))
BUILD(gather_shared, tape_gather(t, x, &some_index, GATHER_SHARED))
BUILD(accumulate_gather, tape_accumulate_gather(t, tape_scale(t, other(t, 4, 6), 1), x, &some_index,
						GATHER_BY_ROW, 0.3))
BUILD(accumulate_gather_col,
      tape_accumulate_gather(t, tape_scale(t, other(t, 4, 6), 1), x, &some_index, GATHER_BY_COL, 1))
BUILD(scatter, tape_scatter(t, x, &some_index, false))
BUILD(scatter_transposed, tape_scatter(t, x, &some_index, true))
BUILD(interp_table, tape_gather_interp(t, x, tape_scale(t, other(t, 6, 7), 4)))
BUILD(interp_position, tape_gather_interp(t, other(t, 6, 4), x))
BUILD(triple_left, tape_triple(t, x, other(t, 6, 5), other(t, 5, 5), &some_index))
BUILD(triple_right, tape_triple(t, other(t, 4, 5), x, other(t, 5, 5), &some_index))
BUILD(triple_table, tape_triple(t, other(t, 4, 5), other(t, 6, 5), x, &some_index))
BUILD(chosen_dots, tape_chosen_dots(t, x, NULL, other(t, 5, 6), &some_index, 2))
BUILD(chosen_dots_rows, tape_chosen_dots(t, x, other_rows, other(t, 5, 6), &some_index, 3))
BUILD(chosen_dots_table, tape_chosen_dots(t, other(t, 4, 5), NULL, x, &some_index, 1))
BUILD(chosen_mix, tape_chosen_mix(t, x, other(t, 5, 6), &some_index, 2))
BUILD(chosen_mix_table, tape_chosen_mix(t, other(t, 4, 6), x, &some_index, 1))
BUILD(rotate, tape_rotate(t, x, other(t, 6, 2)->v, other(t, 6, 2)->v, false))
BUILD(rotate_half, tape_rotate(t, x, other(t, 6, 2)->v, other(t, 6, 2)->v, true))
BUILD(concat_cols, tape_concat_cols(t, (struct node *[]){other(t, 6, 2), x, x}, 3))
BUILD(concat_rows, tape_concat_rows(t, (struct node *[]){x, other(t, 2, 5), x, x}, 4))
BUILD(slice, tape_mul(t, tape_slice(t, x, 1, 3, 2, 2), tape_slice(t, x, 3, 3, 3, 2)))
BUILD(reshape, tape_matmul(t, tape_reshape(t, x, 10, 3), false, other(t, 3, 2), false, 1))
BUILD(reshape_slice,
      tape_mul(t, tape_reshape(t, tape_slice(t, x, 0, 6, 1, 2), 3, 4), other(t, 3, 4)))
BUILD(transpose, tape_mul(t, tape_transpose(t, x), other(t, 5, 6)))
BUILD(row_sum, tape_mul(t, x, tape_row_sum(t, x)))
BUILD(col_sum, tape_mul(t, x, tape_col_sum(t, x)))
BUILD(prefix_sum, tape_prefix_sum(t, x))
BUILD(suffix_sum, tape_suffix_sum(t, x))
BUILD(conv_1, tape_conv1d(t, x, other(t, 5, 2), 1))
BUILD(conv_2, tape_conv1d(t, x, other(t, 10, 2), 2))
BUILD(conv_3, tape_conv1d(t, x, other(t, 15, 2), 3))
BUILD(conv_5, tape_conv1d(t, x, other(t, 25, 2), 5))
BUILD(conv_wider_than_long, tape_conv1d(t, x, other(t, 70, 2), 14))
BUILD(conv_kernel_1, tape_conv1d(t, other(t, 7, 6), x, 1))
BUILD(conv_kernel_2, tape_conv1d(t, other(t, 7, 3), x, 2))
BUILD(conv_kernel_3, tape_conv1d(t, other(t, 7, 2), x, 3))
BUILD(conv_kernel_6, tape_conv1d(t, other(t, 4, 1), x, 6))
BUILD(lower_all, tape_lower(t, x, false, false))
BUILD(lower_strict, tape_lower(t, tape_scale(t, x, 2), true, true))
BUILD(lower_wide, tape_lower(t, x, false, false))
BUILD(solve_matrix, tape_solve_lower(t, x, other(t, 5, 3), false))
BUILD(solve_right, tape_solve_lower(t, other(t, 6, 6), x, false))
BUILD(solve_consumed, tape_solve_lower(t, other(t, 6, 6), tape_scale(t, x, 2), true))
BUILD(solve_both, tape_solve_lower(t, x, x, false))
BUILD(exponential, tape_exponential(t, tape_scale(t, x, 0.3)))
BUILD(exponential_large, tape_mul(t, tape_exponential(t, tape_scale(t, x, 2)), other(t, 6, 3)))
BUILD(cross_entropy, tape_cross_entropy(t, x, targets))
/* Two attention heads with everything shared: the gradients of several uses must add up. */
BUILD(composed,
      tape_layer_norm(t,
		      tape_add(t, x,
			       tape_matmul(t,
					   tape_softmax(t, tape_matmul(t, x, false, x, true, 0.4),
							NULL, true),
					   false, tape_gelu(t, x), false, 1)),
		      1e-5))

static const struct check {
	enum op op;
	const char *what;
	struct node *(*build)(void *context, struct tape *t);
	size_t rows, cols; /* of the leaf; 0: 6 x 5 */
	double shift;	   /* of the leaf's normal numbers; for `positive` they are made so */
	bool positive;
} checks[] = {
	{OP_MATMUL, "a b", matmul_nn},
	{OP_MATMUL, "a b'", matmul_nt},
	{OP_MATMUL, "a' b", matmul_tn},
	{OP_MATMUL, "a' b'", matmul_tt},
	{OP_MATMUL, "second, a b", matmul_b_nn},
	{OP_MATMUL, "second, a b'", matmul_b_nt},
	{OP_MATMUL, "second, a' b", matmul_b_tn},
	{OP_MATMUL, "second, a' b'", matmul_b_tt},
	{OP_MATMUL, "both", matmul_self},
	{OP_ADD, "first", add_first},
	{OP_ADD, "second", add_full},
	{OP_ADD, "row", add_smaller, 1, 3},
	{OP_ADD, "column", add_smaller, 4, 1},
	{OP_ADD, "scalar", add_smaller, 1, 1},
	{OP_ADD, "both", add_self},
	{OP_ADD, "constant scalar", add_scalar},
	{OP_ADD, "accumulator", accumulate},
	{OP_ADD, "accumulated", accumulated, 4, 1},
	{OP_SUB, "first", sub_first},
	{OP_SUB, "second", sub_full},
	{OP_SUB, "row", sub_smaller, 1, 3},
	{OP_SUB, "column", sub_smaller, 4, 1},
	{OP_SUB, "scalar", sub_smaller, 1, 1},
	{OP_MUL, "first", mul_first},
	{OP_MUL, "first, by row", mul_first_row},
	{OP_MUL, "first, by column", mul_first_column},
	{OP_MUL, "first, by scalar", mul_first_scalar},
	{OP_MUL, "second", mul_full},
	{OP_MUL, "row", mul_smaller, 1, 3},
	{OP_MUL, "column", mul_smaller, 4, 1},
	{OP_MUL, "scalar", mul_smaller, 1, 1},
	{OP_MUL, "both", mul_self},
	{OP_SCALE, "", scale},
	{OP_SOFTMAX, "all", softmax},
	{OP_SOFTMAX, "masked", softmax_masked},
	{OP_SOFTMAX, "in place", softmax_consumed},
	{OP_LAYER_NORM, "", layer_norm},
	{OP_ROW_NORMALISE, "", row_normalise},
	{OP_ROW_NORMALISE, "below eps", row_normalise_small},
	{OP_RELU, "", relu},
	{OP_LEAKY_RELU, "", leaky_relu},
	{OP_ELU, "", elu},
	{OP_SILU, "", silu},
	{OP_GELU, "", gelu},
	{OP_TANH, "", tanh_of},
	{OP_SIGMOID, "", sigmoid},
	{OP_LOG_SIGMOID, "", log_sigmoid},
	{OP_SOFTPLUS, "", softplus},
	{OP_EXP, "", exp_of},
	{OP_LOG, "", log_of, .positive = true},
	{OP_POW, "2.5", pow_of, .positive = true},
	{OP_POW, "-0.5", pow_minus, .positive = true},
	{OP_POW, "3 of any sign", cube},
	{OP_SIN, "", sin_of},
	{OP_COS, "", cos_of},
	{OP_CLIP, "", clip},
	{OP_GATHER_ROWS, "repeated", gather_rows},
	{OP_GATHER, "by row", gather_by_row, 4, 5},
	{OP_GATHER, "by column", gather_by_col, 6, 5},
	{OP_GATHER, "shared", gather_shared, 1, 5},
	{OP_GATHER, "accumulated by row", accumulate_gather, 4, 5},
	{OP_GATHER, "accumulated by column", accumulate_gather_col, 6, 5},
	{OP_SCATTER, "", scatter, 4, 6},
	{OP_SCATTER, "transposed", scatter_transposed, 4, 6},
	{OP_GATHER_INTERP, "table", interp_table},
	{OP_GATHER_INTERP, "position", interp_position, .shift = 1.5},
	{OP_TRIPLE, "left", triple_left, 4, 5},
	{OP_TRIPLE, "right", triple_right},
	{OP_TRIPLE, "table", triple_table, 5, 5},
	{OP_CHOSEN_DOTS, "query", chosen_dots, 4, 6},
	{OP_CHOSEN_DOTS, "rows of it", chosen_dots_rows, 3, 6},
	{OP_CHOSEN_DOTS, "table", chosen_dots_table, 5, 5},
	{OP_CHOSEN_MIX, "weights", chosen_mix, 4, 12},
	{OP_CHOSEN_MIX, "table", chosen_mix_table, 5, 5},
	{OP_ROTATE, "pairs", rotate},
	{OP_ROTATE, "halves", rotate_half},
	{OP_CONCAT_COLS, "", concat_cols},
	{OP_CONCAT_ROWS, "four parts", concat_rows},
	{OP_SLICE, "overlapping", slice},
	{OP_RESHAPE, "view", reshape},
	{OP_RESHAPE, "of a slice", reshape_slice},
	{OP_TRANSPOSE, "", transpose},
	{OP_ROW_SUM, "", row_sum},
	{OP_COL_SUM, "", col_sum},
	{OP_PREFIX_SUM, "", prefix_sum},
	{OP_SUFFIX_SUM, "", suffix_sum},
	{OP_CONV1D, "width 1", conv_1},
	{OP_CONV1D, "width 2", conv_2},
	{OP_CONV1D, "width 3", conv_3},
	{OP_CONV1D, "width 5", conv_5},
	{OP_CONV1D, "wider than long", conv_wider_than_long},
	{OP_CONV1D, "kernel of width 1", conv_kernel_1, 6, 5},
	{OP_CONV1D, "kernel of width 2", conv_kernel_2},
	{OP_CONV1D, "kernel of width 3", conv_kernel_3},
	{OP_CONV1D, "kernel of width 6", conv_kernel_6},
	{OP_LOWER, "with the diagonal", lower_all},
	{OP_LOWER, "below it, in place", lower_strict},
	{OP_LOWER, "wide", lower_wide, 3, 5},
	{OP_SOLVE_LOWER, "matrix", solve_matrix, 5, 5},
	{OP_SOLVE_LOWER, "right-hand side", solve_right},
	{OP_SOLVE_LOWER, "in place", solve_consumed},
	{OP_SOLVE_LOWER, "both", solve_both, 4, 4},
	{OP_EXPONENTIAL, "one", exponential, 4, 4},
	{OP_EXPONENTIAL, "two, halved", exponential_large, 6, 3},
	{OP_CROSS_ENTROPY, "", cross_entropy},
	{OP_SOFTMAX, "composed", composed},
};

static struct context leaf_for(const struct check *k, struct arena *a)
{
	struct rng rng;
	rng_init(&rng, 5);
	/* With a gap after each row, as slices of parameters have. */
	const struct mat wide = mat_new(a, k->rows ? k->rows : 6, (k->cols ? k->cols : 5) + 2);
	const struct mat m = mat_cols(wide, 1, wide.cols - 2);
	mat_fill(wide, NAN);
	mat_fill_normal(m, 1, &rng);
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++) {
			double *x = &mat_row(m, r)[c];
			*x = k->positive ? fabs(*x) + 0.2 : *x + k->shift;
		}
	return (struct context){m};
}

TEST(every_gradient_is_the_difference_quotient)
{
	bool failed = false;
	for (size_t i = 0; i < COUNT(checks); i++) {
		struct context context = leaf_for(&checks[i], *state);
		const double off = help_tape_check(checks[i].build, &context, &context.leaf, 1, 4,
						   NULL, *state);
		if (off < 2e-8)
			continue;
		print_error("%s (%s): gradient off by %g\n", tape_ops[checks[i].op].name,
			    checks[i].what, off);
		failed = true;
	}
	assert_false(failed);
}

static bool used(const struct tape *t, enum op op)
{
	for (const struct node *n = t->last; n; n = n->previous)
		if (n->op == op)
			return true;
	return false;
}

TEST(every_operator_is_checked)
{
	for (int op = OP_MATMUL; op < OP_COUNT; op++) {
		size_t rows = 0;
		for (size_t i = 0; i < COUNT(checks); i++)
			rows += checks[i].op == (enum op)op;
		if (!rows)
			fail_msg("%s is not in the table of checks", tape_ops[op].name);
		assert_non_null(tape_ops[op].name);
		/* The gradient of a slice lies in that of its operand. */
		assert_true(tape_ops[op].backward || op == OP_SLICE);
	}
	for (size_t i = 0; i < COUNT(checks); i++) {
		struct context context = leaf_for(&checks[i], *state);
		struct tape t;
		tape_init(&t, *state, true);
		checks[i].build(&context, &t);
		assert_true(used(&t, checks[i].op));
	}
}

TEST(recording_changes_no_value)
{
	for (size_t i = 0; i < COUNT(checks); i++) {
		struct context context = leaf_for(&checks[i], *state);
		struct tape with, without;
		tape_init(&with, *state, true);
		tape_init(&without, *state, false);
		const struct mat a = checks[i].build(&context, &with)->v;
		const struct mat b = checks[i].build(&context, &without)->v;
		assert_true(mat_max_abs_diff(a, b) < 1e-15);
		assert_null(without.last);
		assert_true(with.operations > 0 && without.operations <= with.operations);
	}
}

TEST(building_twice_gives_the_same_bits)
{
	for (size_t i = 0; i < COUNT(checks); i++) {
		struct context context = leaf_for(&checks[i], *state);
		struct mat g[2];
		for (int k = 0; k < 2; k++) {
			struct tape t;
			tape_init(&t, *state, true);
			struct node *of = checks[i].build(&context, &t);
			tape_backward(&t, of, NULL);
			struct node *n = t.last;
			while (n->previous)
				n = n->previous;
			g[k] = n->g;
		}
		assert_int_equal(g[0].rows, context.leaf.rows);
		assert_memory_equal(g[0].at, g[1].at, g[0].rows * g[0].cols * sizeof(double));
	}
}

static struct node *wrong_derivative(void *context, struct tape *t)
{
	struct node *x = leaf(context, t);
	struct node *y = tape_sin(t, x);
	y->op = y->op == OP_SIN ? OP_COS : y->op;
	return y;
}

TEST(check_finds_a_wrong_derivative)
{
	struct context context = leaf_for(&checks[0], *state);
	assert_true(help_tape_check(wrong_derivative, &context, &context.leaf, 1, 2, NULL, *state) >
		    0.1);
}

/* ---- The tape itself ---- */

TEST(without_recording_nodes_keep_nothing)
{
	struct tape t;
	tape_init(&t, *state, false);
	struct node *x = tape_leaf(&t, mat_eye(*state, 4));
	struct node *y = tape_matmul(&t, x, false, x, false, 1);
	assert_false(x->wants || y->wants);
	assert_null(y->in[0]);
	assert_null(y->previous);
	assert_null(t.last);
	assert_ptr_equal(tape_slice(&t, y, 1, 2, 1, 2)->v.at, mat_row(y->v, 1) + 1);
	assert_ptr_equal(tape_reshape(&t, y, 2, 8)->v.at, y->v.at);
	assert_ptr_equal(tape_accumulate(&t, y, x), y);
	assert_ptr_equal(tape_softmax(&t, y, NULL, true)->v.at, y->v.at);
}

TEST(constants_are_not_recorded)
{
	struct tape t;
	tape_init(&t, *state, true);
	struct node *x = tape_const(&t, mat_eye(*state, 4));
	struct node *y = tape_gelu(&t, tape_add(&t, x, x));
	assert_false(y->wants);
	assert_null(t.last);
	tape_backward(&t, y, NULL);
	assert_null(y->g.at);
}

TEST(consuming_leaves_operands_alone_when_recording)
{
	struct tape t;
	tape_init(&t, *state, true);
	const struct mat m = mat_eye(*state, 3);
	struct node *x = tape_leaf(&t, m);
	tape_softmax(&t, x, NULL, true);
	tape_accumulate(&t, x, x);
	assert_true(mat_max_abs_diff(m, mat_eye(*state, 3)) == 0);
}

/* y = (2x)^2 and z = y + x: dy/dx = 8x, dz/dx = 8x + 1 */
TEST(backward_starts_afresh_and_where_it_is_told)
{
	struct tape t;
	tape_init(&t, *state, true);
	double at[] = {3, -1};
	struct node *x = tape_leaf(&t, mat_view(at, 1, 2));
	struct node *two = tape_scale(&t, x, 2), *y = tape_mul(&t, two, two);
	struct node *z = tape_add(&t, y, x);
	for (int round = 0; round < 2; round++) {
		tape_backward(&t, z, NULL);
		assert_true(x->g.at[0] == 25 && x->g.at[1] == -7);
		tape_backward(&t, y, NULL);
		assert_true(x->g.at[0] == 24 && x->g.at[1] == -8);
		assert_true(z->g.at[0] == 0);
	}
	double weights[] = {0.5, 0};
	const struct mat seed = mat_view(weights, 1, 2);
	tape_backward(&t, z, &seed);
	assert_true(x->g.at[0] == 12.5 && x->g.at[1] == 0);
}

TEST(masked_logits_take_no_gradient)
{
	struct tape t;
	tape_init(&t, *state, true);
	double at[] = {1, -INFINITY, 3, 0.5, 1, 2};
	struct node *x = tape_leaf(&t, mat_view(at, 2, 3));
	struct node *y = tape_softmax(&t, x, (uint8_t[]){1, 1, 1, 0, 0, 0}, false);
	double weights[] = {1, 2, 3, 4, 5, 6};
	const struct mat seed = mat_view(weights, 2, 3);
	tape_backward(&t, y, &seed);
	assert_true(x->g.at[0] != 0 && x->g.at[1] == 0);
	for (size_t i = 3; i < 6; i++)
		assert_true(x->g.at[i] == 0);
}

/* 2·n·m·k for the product, beside what the elements cost */
TEST(operations_count_fused_multiply_adds_twice)
{
	struct tape t;
	tape_init(&t, *state, false);
	struct node *a = tape_const(&t, mat_eye(*state, 8));
	tape_matmul(&t, a, false, a, false, 1);
	assert_true(t.operations == 2 * 512 + 64 * tape_ops[OP_MATMUL].cost);
	const double before = t.operations;
	tape_slice(&t, a, 0, 4, 0, 4);
	assert_true(t.operations == before);
	tape_exp(&t, a);
	assert_true(t.operations == before + 64 * tape_ops[OP_EXP].cost);
}
