/* test_tape_values.c: what each operator computes, against numbers made by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/math/tape.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

FIXTURE(open_arena, close_arena)

static struct node *row(struct tape *t, size_t n, const double *at)
{
	const struct mat m = mat_new(t->arena, 1, n);
	memcpy(m.at, at, n * sizeof(*at));
	return tape_const(t, m);
}

static void expect_values(const struct node *n, size_t rows, size_t cols, const double *want)
{
	assert_int_equal(n->v.rows, rows);
	assert_int_equal(n->v.cols, cols);
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < cols; c++) {
			const double got = mat_row(n->v, r)[c], w = want[r * cols + c];
			if (!(got == w || fabs(got - w) < 1e-12 || (isnan(got) && isnan(w))))
				fail_msg("[%zu][%zu] is %.17g instead of %.17g", r, c, got, w);
		}
}

static struct node *leaky(struct tape *t, struct node *a)
{
	return tape_leaky_relu(t, a, 0.1);
}

static struct node *squared(struct tape *t, struct node *a)
{
	return tape_pow(t, a, 2);
}

static struct node *clipped(struct tape *t, struct node *a)
{
	return tape_clip(t, a, -0.5, 1);
}

TEST(functions_have_their_known_values)
{
	const double inf = INFINITY;
	const struct {
		struct node *(*f)(struct tape *, struct node *);
		double x[4], y[4];
	} rows[] = {
		{tape_relu, {-2, 0, 3, -inf}, {0, 0, 3, 0}},
		{leaky, {-2, 0, 3, inf}, {-0.2, 0, 3, inf}},
		{tape_elu, {-1, 0, 2, -inf}, {-0.63212055882855767, 0, 2, -1}},
		{tape_silu, {0, 1, -1, -800}, {0, 0.73105857863000487, -0.26894142136999512, 0}},
		{tape_gelu,
		 {0, 1, -1, 2},
		 {0, 0.84134474606854293, -0.15865525393145707, 1.9544997361036416}},
		{tape_tanh, {0, 1, -inf, inf}, {0, 0.76159415595576489, -1, 1}},
		{tape_sigmoid, {0, 1, -inf, 1000}, {0.5, 0.73105857863000487, 0, 1}},
		{tape_log_sigmoid,
		 {0, -1000, 1000, -1},
		 {-0.69314718055994531, -1000, 0, -1.3132616875182228}},
		{tape_softplus,
		 {0, -1000, 1000, 1},
		 {0.69314718055994531, 0, 1000, 1.3132616875182228}},
		{tape_exp, {0, 1, -inf, -1000}, {1, M_E, 0, 0}},
		{tape_log, {1, M_E, 0, inf}, {0, 1, -inf, inf}},
		{squared, {-3, 0, 0.5, -inf}, {9, 0, 0.25, inf}},
		{tape_sin, {0, M_PI / 6, M_PI / 2, -M_PI / 2}, {0, 0.5, 1, -1}},
		{tape_cos, {0, M_PI / 3, M_PI, -M_PI / 2}, {1, 0.5, -1, 0}},
		{clipped, {-2, -0.25, 0.5, inf}, {-0.5, -0.25, 0.5, 1}},
	};
	struct tape t;
	tape_init(&t, *state, false);
	for (size_t i = 0; i < COUNT(rows); i++) {
		expect_values(rows[i].f(&t, row(&t, 4, rows[i].x)), 1, 4, rows[i].y);
		const double nan_in = NAN;
		expect_values(rows[i].f(&t, row(&t, 1, &nan_in)), 1, 1, &nan_in);
	}
}

TEST(matmul_and_broadcasting_by_hand)
{
	struct tape t;
	tape_init(&t, *state, false);
	double at[] = {1, 2, 3, 4, 5, 6}, rowat[] = {10, 20, 30}, colat[] = {100, 200};
	struct node *a = tape_const(&t, mat_view(at, 2, 3));
	struct node *r = tape_const(&t, mat_view(rowat, 1, 3));
	struct node *c = tape_const(&t, mat_view(colat, 2, 1));
	expect_values(tape_matmul(&t, a, false, a, true, 0.5), 2, 2, (double[]){7, 16, 16, 38.5});
	expect_values(tape_add(&t, a, r), 2, 3, (double[]){11, 22, 33, 14, 25, 36});
	expect_values(tape_sub(&t, a, c), 2, 3, (double[]){-99, -98, -97, -196, -195, -194});
	expect_values(tape_mul(&t, a, c), 2, 3, (double[]){100, 200, 300, 800, 1000, 1200});
	expect_values(tape_add_scalar(&t, c, 1), 2, 1, (double[]){101, 201});
	expect_values(tape_row_sum(&t, a), 2, 1, (double[]){6, 15});
	expect_values(tape_col_sum(&t, a), 1, 3, (double[]){5, 7, 9});
	expect_values(tape_prefix_sum(&t, a), 2, 3, (double[]){1, 3, 6, 4, 9, 15});
	expect_values(tape_suffix_sum(&t, a), 2, 3, (double[]){6, 5, 3, 15, 11, 6});
	expect_values(tape_transpose(&t, a), 3, 2, (double[]){1, 4, 2, 5, 3, 6});
	expect_values(tape_reshape(&t, a, 3, 2), 3, 2, at);
	expect_values(tape_reshape(&t, tape_slice(&t, a, 0, 2, 1, 2), 1, 4), 1, 4,
		      (double[]){2, 3, 5, 6});
	expect_values(tape_concat_cols(&t, (struct node *[]){c, a}, 2), 2, 4,
		      (double[]){100, 1, 2, 3, 200, 4, 5, 6});
	expect_values(tape_concat_rows(&t, (struct node *[]){r, a}, 2), 3, 3,
		      (double[]){10, 20, 30, 1, 2, 3, 4, 5, 6});
}

TEST(norms_by_hand)
{
	struct tape t;
	tape_init(&t, *state, false);
	double at[] = {3, 4, 0, 0, 1, -1}, logits[] = {0, log(3), 5, -INFINITY, -INFINITY, 1};
	struct node *a = tape_const(&t, mat_view(at, 3, 2));
	expect_values(tape_row_normalise(&t, a, 1e-9), 3, 2,
		      (double[]){0.6, 0.8, 0, 0, sqrt(0.5), -sqrt(0.5)});
	/* 1 / √(25/2 + 0.5), 1 / √0.5, 1 / √(1 + 0.5) */
	expect_values(tape_inverse_rms(&t, a, 0.5), 3, 1,
		      (double[]){1 / sqrt(13), sqrt(2), 1 / sqrt(1.5)});
	expect_values(tape_layer_norm(&t, a, 0.75), 3, 2,
		      (double[]){-0.5, 0.5, 0, 0, 1 / sqrt(1.75), -1 / sqrt(1.75)});
	struct node *b = tape_const(&t, mat_view(logits, 3, 2));
	expect_values(tape_softmax(&t, b, NULL, false), 3, 2, (double[]){0.25, 0.75, 1, 0, 0, 1});
	expect_values(tape_softmax(&t, b, (uint8_t[]){0, 1, 0, 1, 1, 0}, false), 3, 2,
		      (double[]){0, 1, 0, 0, 0, 0});
	/* -log of 3/4, and a row whose only finite class is the target: 0 */
	expect_values(tape_cross_entropy(&t, b, (int32_t[]){1, -1, 1}), 1, 1,
		      (double[]){-log(0.75) / 2});
	expect_values(tape_cross_entropy(&t, b, (int32_t[]){-1, -1, -1}), 1, 1, (double[]){0});
}

TEST(tables_are_read_and_written_by_hand)
{
	struct tape t;
	tape_init(&t, *state, false);
	double table[] = {1, 2, 3, 10, 20, 30};
	const int32_t at[] = {0, 2, -1, 1};
	const struct index index = {2, 2, 3, at};
	struct node *a = tape_const(&t, mat_view(table, 2, 3));
	struct node *one = tape_slice(&t, a, 0, 1, 0, 3);
	expect_values(tape_gather(&t, a, &index, GATHER_BY_ROW), 2, 2, (double[]){1, 3, 0, 20});
	expect_values(tape_gather(&t, a, &index, GATHER_BY_COL), 2, 2, (double[]){1, 30, 0, 20});
	expect_values(tape_gather(&t, one, &index, GATHER_SHARED), 2, 2, (double[]){1, 3, 0, 2});
	double square[] = {5, 7, 11, 13};
	struct node *b = tape_const(&t, mat_view(square, 2, 2));
	expect_values(tape_scatter(&t, b, &index, false), 2, 3, (double[]){5, 0, 7, 0, 13, 0});
	expect_values(tape_scatter(&t, b, &index, true), 2, 3, (double[]){5, 0, 0, 0, 13, 7});
	expect_values(tape_accumulate_gather(&t, b, a, &index, GATHER_BY_ROW, 2), 2, 2,
		      (double[]){7, 13, 11, 53});
	expect_values(tape_gather_rows(&t, a, (int32_t[]){1, 1, 0}, 3), 3, 3,
		      (double[]){10, 20, 30, 10, 20, 30, 1, 2, 3});
	double positions[] = {0.25, -3, 9, 2, 1.5, NAN};
	expect_values(tape_gather_interp(&t, a, tape_const(&t, mat_view(positions, 2, 3))), 2, 3,
		      (double[]){1.25, 1, 3, 30, 25, NAN});
}

/* By products with all rows of the table: of queries with them, and of scattered weights. */
TEST(chosen_rows_give_what_products_with_all_rows_give)
{
	enum { N = 9, M = 7, ENTRIES = 11, WIDTH = 13, PARTS = 3 };
	struct arena *a = *state;
	struct tape t;
	struct rng rng;
	tape_init(&t, a, false);
	rng_init(&rng, 4);
	int32_t at[N * M], row[N];
	for (size_t i = 0; i < N * M; i++)
		at[i] = (int32_t)rng_below(&rng, ENTRIES + 1) - 1;
	for (size_t i = 0; i < N; i++)
		row[i] = (int32_t)rng_below(&rng, N);
	const struct index index = {N, M, ENTRIES, at};
	const struct mat values = mat_new(a, N + ENTRIES, PARTS * WIDTH);
	const struct mat scores = mat_new(a, N, PARTS * M);
	mat_fill_normal(values, 1, &rng);
	mat_fill_normal(scores, 1, &rng);
	struct node *x = tape_const(&t, mat_rows(values, 0, N)), *by = tape_const(&t, scores);
	struct node *table = tape_const(&t, mat_rows(values, N, ENTRIES));
	const struct mat dots = tape_chosen_dots(&t, x, row, table, &index, PARTS)->v;
	const struct mat mix = tape_chosen_mix(&t, by, table, &index, PARTS)->v;
	x = tape_gather_rows(&t, x, row, N);
	for (size_t p = 0; p < PARTS; p++) {
		struct node *one = tape_slice(&t, table, 0, ENTRIES, p * WIDTH, WIDTH);
		struct node *q = tape_slice(&t, x, 0, N, p * WIDTH, WIDTH);
		struct node *all = tape_matmul(&t, q, false, one, true, 1);
		const struct mat want = tape_gather(&t, all, &index, GATHER_BY_ROW)->v;
		assert_true(mat_max_abs_diff(mat_cols(dots, p * M, M), want) < 1e-13);
		struct node *weights = tape_slice(&t, by, 0, N, p * M, M);
		struct node *sums = tape_scatter(&t, weights, &index, false);
		const struct mat sum = tape_matmul(&t, sums, false, one, false, 1)->v;
		assert_true(mat_max_abs_diff(mat_cols(mix, p * WIDTH, WIDTH), sum) < 1e-13);
	}
}

TEST(absent_entries_read_zero_beside_infinity)
{
	struct tape t;
	tape_init(&t, *state, false);
	const double table[] = {-INFINITY, NAN};
	const int32_t at[] = {-1, 0, -1, 1};
	const struct index index = {1, 4, 2, at};
	expect_values(tape_gather(&t, row(&t, 2, table), &index, GATHER_SHARED), 1, 4,
		      (double[]){0, -INFINITY, 0, NAN});
}

TEST(rotation_by_hand)
{
	struct tape t;
	tape_init(&t, *state, false);
	double x[] = {1, 2, 3, 4, 5}, cosines[] = {0, 0.6}, sines[] = {1, 0.8};
	const struct mat c = mat_view(cosines, 1, 2), s = mat_view(sines, 1, 2);
	struct node *a = tape_const(&t, mat_view(x, 1, 5));
	expect_values(tape_rotate(&t, a, c, s, false), 1, 5, (double[]){-2, 1, -1.4, 4.8, 5});
	expect_values(tape_rotate(&t, a, c, s, true), 1, 5, (double[]){-3, -2, 1, 4, 5});
}

TEST(convolution_by_hand)
{
	struct tape t;
	tape_init(&t, *state, false);
	double x[] = {1, 2, 3, 4}, k[] = {1, 10, 100};
	struct node *a = tape_const(&t, mat_view(x, 4, 1));
	struct node *k3 = tape_const(&t, mat_view(k, 3, 1)), *k2 = tape_slice(&t, k3, 0, 2, 0, 1);
	expect_values(tape_conv1d(&t, a, k3, 3), 4, 1, (double[]){210, 321, 432, 43});
	expect_values(tape_conv1d(&t, a, k2, 2), 4, 1, (double[]){21, 32, 43, 4});
}

TEST(triangles_by_hand)
{
	struct tape t;
	tape_init(&t, *state, false);
	double x[] = {NAN, 1e300, NAN, 2, NAN, NAN, 3, 4, NAN}, b[] = {1, 2, 3, 4, 5, 6};
	struct node *l = tape_const(&t, mat_view(x, 3, 3));
	struct node *y = tape_const(&t, mat_view(b, 3, 2));
	expect_values(tape_lower(&t, l, true, false), 3, 3, (double[]){0, 0, 0, 2, 0, 0, 3, 4, 0});
	expect_values(tape_lower(&t, y, false, false), 3, 2, (double[]){1, 0, 3, 4, 5, 6});
	/* x_1 = b_1, x_2 = b_2 - 2 x_1, x_3 = b_3 - 3 x_1 - 4 x_2: the rest of l is not read */
	expect_values(tape_solve_lower(&t, l, y, false), 3, 2, (double[]){1, 2, 1, 0, -2, 0});
	const struct mat back = mat_view((double[]){1, 2, 3}, 3, 1);
	mat_solve_unit_lower(back, l->v, true); /* x_2 = 2 - 4·3, x_1 = 1 - 2 x_2 - 3·3 */
	assert_true(back.at[0] == 12 && back.at[1] == -10 && back.at[2] == 3);
}

/* A rotation, a shear that is nilpotent, a diagonal; the last is not finite. */
TEST(exponentials_by_hand)
{
	static const double angle = 7;
	double x[] = {0, -angle, angle, 0, 0, 3, 0, 0, -40, 0, 0, 2, 1, INFINITY, 0, 1};
	struct tape t;
	tape_init(&t, *state, false);
	const struct mat e = tape_exponential(&t, tape_const(&t, mat_view(x, 8, 2)))->v;
	const double want[] = {cos(angle), -sin(angle), sin(angle), cos(angle), 1, 3,
			       0,	   1,		exp(-40),   0,		0, exp(2)};
	for (size_t i = 0; i < 12; i++)
		assert_true(fabs(e.at[i] - want[i]) < 1e-14 * (1 + fabs(want[i])) * 10);
	for (size_t i = 12; i < 16; i++)
		assert_true(isnan(e.at[i]));
}

/* Large enough for tiles and threads, with all three ways, against the definition. */
TEST(large_tables_are_read_and_written_right)
{
	enum { N = 300, M = 270, ENTRIES = 401 };
	struct arena *a = *state;
	struct tape t;
	tape_init(&t, a, false);
	struct rng rng;
	rng_init(&rng, 9);
	int32_t *at = arena_calloc(a, N * M, sizeof(*at));
	for (size_t i = 0; i < N * M; i++)
		at[i] = (int32_t)rng_below(&rng, ENTRIES + 1) - 1;
	const struct index index = {N, M, ENTRIES, at};
	const struct mat x = mat_new(a, N, M);
	mat_fill_normal(x, 1, &rng);
	for (int how = GATHER_BY_ROW; how <= GATHER_BY_COL; how++) {
		const bool by_col = how == GATHER_BY_COL;
		const struct mat table = mat_new(a, by_col ? M : N, ENTRIES);
		mat_fill_normal(table, 1, &rng);
		const struct mat read =
			tape_gather(&t, tape_const(&t, table), &index, (enum gather)how)->v;
		const struct mat sums = tape_scatter(&t, tape_const(&t, x), &index, by_col)->v;
		const struct mat want = mat_zero(a, table.rows, ENTRIES);
		for (size_t r = 0; r < N; r++)
			for (size_t c = 0; c < M; c++) {
				const int32_t i = at[r * M + c];
				const size_t line = by_col ? c : r;
				assert_true(mat_row(read, r)[c] ==
					    (i < 0 ? 0 : mat_row(table, line)[i]));
				if (i >= 0)
					mat_row(want, line)[i] += mat_row(x, r)[c];
			}
		assert_true(mat_max_abs_diff(sums, want) < 1e-12);
	}
}
