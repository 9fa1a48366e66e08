/* test_rank.c: ranks by hand, of the reference case, of what must be low and what must be full. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_mat.h"
#include "help_arena.h"
#include "help_tensors.h"
#include "posviz/analysis/rank.h"
#include "posviz/base/rng.h"
#include "posviz/format/tensor.h"

FIXTURE(open_arena, close_arena)

static struct rank rank(struct mat m)
{
	struct rank out;
	rank_of(m, 0, 0, &arena, &out);
	return out;
}

static struct mat product(struct mat a, struct mat b)
{
	const struct mat out = mat_new(&arena, a.rows, b.rows);
	mat_mul(out, 1, a, false, b, true, 0);
	return out;
}

/* ---- by hand ------------------------------------------------------------------------------------ */

/* σ 2, 1, 1: Σσ²/σ₁² = 6/4; the entropy of ½, ¼, ¼ is 1½ ln 2. */
TEST(ranks_of_a_diagonal)
{
	const struct mat m = mat_zero(&arena, 4, 3);
	mat_row(m, 0)[1] = -1;
	mat_row(m, 1)[0] = 2;
	mat_row(m, 3)[2] = 1;
	const struct rank r = rank(m);
	assert_int_equal(r.n, 3);
	assert_int_equal(r.numerical, 3);
	assert_within(r.values[0], 2, 1e-15);
	assert_within(r.values[2], 1, 1e-15);
	assert_within(r.stable, 1.5, 1e-15);
	assert_within(r.effective, pow(2, 1.5), 1e-14);
	assert_within(r.tolerance, 2 * 4 * 0x1p-52, 1e-30);
}

TEST(matrices_of_zeros_and_infinities)
{
	const struct rank zero = rank(mat_zero(&arena, 3, 3));
	assert_int_equal(zero.numerical, 0);
	assert_true(zero.values && isnan(zero.stable) && isnan(zero.effective) && !zero.why);
	const struct mat m = help_normal(3, 3, 1);
	m.at[4] = INFINITY;
	assert_string_equal(rank(m).why, "not all of its values are finite");
	assert_null(rank(m).values);
	assert_string_equal(rank((struct mat){0}).why, "there is no such matrix");
	struct rank small;
	rank_of(help_normal(64, 64, 1), 0, 1000, &arena, &small);
	assert_string_equal(small.why, "its singular values do not fit in the memory limit");
	assert_int_equal(rank(help_normal(1, 1, 1)).numerical, 1);
}

TEST(products_have_the_rank_of_their_inner_side)
{
	for (size_t inner = 1; inner < 8; inner++) {
		const struct mat m =
			product(help_normal(20, inner, inner), help_normal(30, inner, 90));
		const struct rank r = rank(m);
		assert_int_equal(r.numerical, inner);
		assert_true(r.stable <= (double)inner && r.effective <= (double)inner + 1e-9);
	}
	assert_within(rank(product(help_normal(9, 1, 1), help_normal(9, 1, 2))).stable, 1, 1e-12);
}

/* ---- Theorem 1 of Chen et al. 2021 --------------------------------------------------------------- */

/* The construction of its proof, read as P = [0; I]: n 8, d 6, d_h 2, d_p 3. */
TEST(construction_of_the_theorem_has_the_sum_of_ranks)
{
	enum { N = 8, D = 6, DH = 2, DP = 3 };
	const struct mat x = mat_zero(&arena, N, D), w = mat_zero(&arena, D, DH),
			 p = mat_zero(&arena, N, DP), q = mat_new(&arena, N, DH);
	for (size_t i = 0; i < D; i++)
		mat_row(x, i)[i] = 1;
	for (size_t i = 0; i < DH; i++)
		mat_row(w, i)[i] = 1;
	for (size_t i = 0; i < DP; i++)
		mat_row(p, N - DP + i)[i] = 1;
	mat_mul(q, 1, x, false, w, false, 0);
	const struct mat m = product(q, q);
	assert_int_equal(rank(m).numerical, DH);
	mat_mul(m, 1, p, false, p, true, 1);
	const struct rank r = rank(m);
	assert_int_equal(r.numerical, DH + DP);
	for (size_t i = 0; i < DH + DP; i++)
		assert_within(r.values[i], 1, 1e-14);
}

TEST(softmax_lifts_the_bound)
{
	const struct mat m = product(help_normal(8, 2, 3), help_normal(8, 2, 4));
	assert_int_equal(rank(m).numerical, 2);
	mat_softmax(m, m);
	assert_int_equal(rank(m).numerical, 8);
}

TEST(a_random_relative_bias_is_full)
{
	const struct mat c = help_normal(1, 15, 6), m = mat_new(&arena, 8, 8);
	for (size_t i = 0; i < 64; i++)
		m.at[i] = c.at[7 + i % 8 - i / 8];
	assert_int_equal(rank(m).numerical, 8);
}

/* Worked in the definitions, to the digits that are given. */
TEST(sinusoids_are_of_low_rank)
{
	static const double wanted[] = {13.1, 4.74, 4.08, 3.91, 3.80, 3.75, 1.43, 8.4e-2, 2.6e-3};
	const struct mat p = mat_new(&arena, 32, 16);
	for (size_t t = 0; t < 32; t++)
		for (size_t j = 0; j < 16; j++) {
			const double x = (double)t * pow(10000, -(double)(j / 2 * 2) / 16);
			mat_row(p, t)[j] = j % 2 ? cos(x) : sin(x);
		}
	const struct rank r = rank(p);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		assert_within(r.values[i] / wanted[i], 1, 0.02);
}

/* ---- the reference case -------------------------------------------------------------------------- */

TEST(ranks_of_the_reference_case)
{
	static const char *const names[] = {"content",	      "absolute_input",	 "diet_abs",
					    "position_input", "position_diet",	 "diet_rel",
					    "toeplitz",	      "softmax_content", "construction"};
	struct tensor_set set;
	struct err err = {""};
	tensor_set_init(&set, &arena);
	if (!help_tensors(&set, arena_printf(&arena, "%s/struct/dietrank-a.safetensors", test_data),
			  &err))
		fail_msg("%s", err.text);
	const struct mat values = help_tensor_named(&set, "singular_values"),
			 ranks = help_tensor_named(&set, "rank"),
			 single = help_tensor_named(&set, "rank_float32"),
			 stable = help_tensor_named(&set, "stable_rank"),
			 effective = help_tensor_named(&set, "entropy_rank");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct rank r =
			rank(help_tensor_named(&set, arena_printf(&arena, "matrix.%s", names[i])));
		for (size_t k = 0; k < 12; k++)
			assert_within(r.values[k], mat_row(values, i)[k], 1e-12 * r.values[0]);
		assert_int_equal(r.numerical, (size_t)ranks.at[i]);
		assert_int_equal(r.single, (size_t)single.at[i]);
		assert_within(r.stable, stable.at[i], 1e-10);
		assert_within(r.effective, effective.at[i], 1e-10);
	}
}

/* ---- what changes nothing ------------------------------------------------------------------------ */

TEST(order_of_rows_and_scale_change_no_rank)
{
	const struct mat m = product(help_normal(12, 5, 1), help_normal(12, 5, 2)),
			 other = mat_new(&arena, 12, 12);
	for (size_t t = 0; t < 12; t++)
		for (size_t s = 0; s < 12; s++)
			mat_row(other, (t * 5 + 1) % 12)[(s * 7 + 3) % 12] = -2 * mat_row(m, t)[s];
	const struct rank a = rank(m), b = rank(other);
	assert_int_equal(a.numerical, b.numerical);
	assert_within(a.stable, b.stable, 1e-12);
	assert_within(a.effective, b.effective, 1e-10);
}

/* Against the eigenvalues of m·mᵀ, which have half of the digits. */
TEST(squares_are_eigenvalues_of_the_gram_matrix)
{
	const struct mat m = help_normal(9, 14, 8), vectors = mat_new(&arena, 9, 9);
	double values[9];
	struct err err = {""};
	assert_true(mat_eigen_symmetric(product(m, m), values, vectors, &arena, &err));
	const struct rank r = rank(m);
	for (size_t i = 0; i < 9; i++)
		assert_within(r.values[i] * r.values[i], values[8 - i], 1e-12 * values[8]);
}

TEST(large_matrices_are_sampled)
{
	const struct mat m = product(help_normal(600, 3, 1), help_normal(600, 3, 2));
	const struct rank r = rank(m);
	assert_int_equal(r.rows, SAMPLE_ROWS);
	assert_int_equal(r.cols, SAMPLE_ROWS);
	assert_int_equal(r.numerical, 3);
	assert_int_equal(r.sample.of, 600);
}
