/* test_ridge.c: ridge regression against NumPy and closed forms, what it must not find, and that what is held out
 * plays no part. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_mat.h"
#include "help_arena.h"
#include "posviz/analysis/ridge.h"
#include "posviz/base/rng.h"

FIXTURE(open_arena, close_arena)

static const size_t *folds(size_t n, size_t each)
{
	size_t *const out = arena_calloc(&arena, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = i / each % RIDGE_FOLDS;
	return out;
}

static struct ridge judged(struct mat x, struct mat y, const size_t *fold, bool intercept,
			   struct mat predicted)
{
	struct ridge out[4];
	struct err err = {""};
	const struct ridge_of of = {.x = x, .y = y, .fold = fold, .intercept = intercept};
	if (!ridge_judge(&of, predicted, out, &err))
		fail_msg("%s", err.text);
	return out[0];
}

/* ---- numbers ------------------------------------------------------------------------------------- */

/* Whole numbers by a formula; R², α and predictions as NumPy's singular value decomposition has them. */
TEST(ridge_of_numpy)
{
	enum { N = 24, P = 5 };
	static const struct {
		bool noise, intercept;
		double r2, alpha[RIDGE_FOLDS], first, eighteenth;
	} rows[] = {
		{false,
		 true,
		 0.9857116674432648,
		 {1e-4, 1e-2, 1e-4, 1e-4},
		 -22.940260329236175,
		 -8.380492995029977},
		{false,
		 false,
		 0.9642647343625782,
		 {1e-2, 1e-2, 1e-2, 1e-2},
		 -23.889884824265256,
		 -12.437071403230538},
		{true,
		 true,
		 -0.36127521750137226,
		 {100, 100, 10, 100},
		 7.120948095684319,
		 5.342815851331268},
		{true,
		 false,
		 -0.04172467461755036,
		 {100, 100, 10, 100},
		 0.027131336538985112,
		 -0.04414208890227823},
	};
	const struct mat x = mat_new(&arena, N, P), y = mat_new(&arena, 1, N),
			 z = mat_new(&arena, 1, N), predicted = mat_new(&arena, 1, N);
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < P; j++)
			mat_row(x, (size_t)i)[j] =
				(7 * i * i + 13 * j * j + 5 * i * j + 3 * i + 11 * j) % 19 - 9;
		const double *const at = mat_row(x, (size_t)i);
		y.at[i] = 2 * at[0] - at[3] + (5 * i * i + 2 * i) % 7;
		z.at[i] = (11 * i * i + 4 * i) % 13;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct ridge is =
			judged(x, rows[i].noise ? z : y, folds(N, 3), rows[i].intercept, predicted);
		assert_within(is.r2, rows[i].r2, 1e-12);
		assert_within(predicted.at[0], rows[i].first, 1e-11);
		assert_within(predicted.at[17], rows[i].eighteenth, 1e-11);
		for (size_t f = 0; f < RIDGE_FOLDS; f++)
			assert_within(is.alpha[f], rows[i].alpha[f], 0);
	}
}

/* Of one column λ = α Σx², w = Σxy/Σx²/(1 + α): of y = x what is left is α/(1 + α) of it. */
TEST(ridge_of_one_column_in_closed_form)
{
	const struct mat x = help_normal(20, 1, 3), y = mat_view(x.at, 1, 20);
	const struct ridge is = judged(x, y, folds(20, 1), false, (struct mat){0});
	const double left = 1e-4 / (1 + 1e-4);
	assert_within(is.r2, 1 - left * left, 1e-15);
	assert_within(is.alpha[2], 1e-4, 0);
}

TEST(ridge_does_not_hang_on_units_and_origins)
{
	const struct mat x = help_normal(48, 6, 1), y = help_normal(1, 48, 2),
			 moved = mat_copy(&arena, x);
	for (size_t i = 0; i < 48; i++) {
		y.at[i] += 2 * mat_row(x, i)[1];
		for (size_t k = 0; k < 6; k++)
			mat_row(moved, i)[k] = 1000 * mat_row(x, i)[k] + 700;
	}
	const double r2 = judged(x, y, folds(48, 2), true, (struct mat){0}).r2;
	assert_true(r2 > 0.5);
	assert_within(judged(moved, y, folds(48, 2), true, (struct mat){0}).r2, r2, 1e-10);
}

TEST(targets_are_predicted_each_by_itself)
{
	const struct mat x = help_normal(40, 5, 1), both = help_normal(2, 40, 2);
	const struct mat predicted = mat_new(&arena, 2, 40), alone = mat_new(&arena, 1, 40);
	judged(x, both, folds(40, 1), true, predicted);
	judged(x, mat_rows(both, 1, 1), folds(40, 1), true, alone);
	assert_within(mat_max_abs_diff(mat_rows(predicted, 1, 1), alone), 0, 1e-13);
}

/* ---- what must come out bad, or not at all ------------------------------------------------------- */

TEST(ridge_finds_nothing_in_noise)
{
	for (uint64_t seed = 0; seed < 5; seed++) {
		const double r2 =
			judged(help_normal(400, 30, seed), help_normal(1, 400, 100 + seed),
			       folds(400, 5), true, (struct mat){0})
				.r2;
		assert_true(r2 < 0.03 && r2 > -0.1);
	}
}

TEST(what_is_held_out_plays_no_part)
{
	const struct mat x = help_normal(40, 5, 1), y = help_normal(1, 40, 2),
			 before = mat_new(&arena, 1, 40), after = mat_new(&arena, 1, 40);
	const size_t *const fold = folds(40, 2);
	const struct ridge was = judged(x, y, fold, true, before);
	for (size_t i = 0; i < 40; i++)
		if (fold[i] == 2)
			y.at[i] = 1e3 * (double)i;
	const struct ridge is = judged(x, y, fold, true, after);
	for (size_t i = 0; i < 40; i++) {
		if (fold[i] == 2)
			assert_within(after.at[i], before.at[i], 1e-12);
		else
			assert_true(fabs(after.at[i] - before.at[i]) > 1e-3);
	}
	assert_within(is.alpha[2], was.alpha[2], 0);
}

TEST(rows_that_are_one_tell_nothing)
{
	const struct mat x = mat_new(&arena, 32, 4), y = help_normal(1, 32, 5);
	mat_fill(x, 1.0 / 3);
	const double r2 = judged(x, y, folds(32, 1), true, (struct mat){0}).r2;
	assert_true(r2 <= 0 && r2 > -0.3);
	mat_fill(x, 0);
	assert_within(judged(x, y, folds(32, 1), true, (struct mat){0}).r2, r2, 1e-12);
	assert_within(judged(x, y, folds(32, 1), false, (struct mat){0}).r2, 0, 0);
}

TEST(ridge_of_more_columns_than_rows)
{
	const struct mat x = help_normal(16, 40, 1), y = mat_new(&arena, 1, 16);
	for (size_t i = 0; i < 16; i++)
		y.at[i] = mat_row(x, i)[0];
	assert_true(isfinite(judged(x, y, folds(16, 1), true, (struct mat){0}).r2));
}

TEST(ridge_that_is_not_defined)
{
	const struct mat x = help_normal(16, 3, 1), y = mat_new(&arena, 1, 16);
	struct ridge out;
	struct err err = {""};
	struct watch watch;
	mat_fill(y, 4);
	assert_true(isnan(judged(x, y, folds(16, 1), true, (struct mat){0}).r2));
	watch_begin(&watch);
	watch_cancel(&watch);
	const struct ridge_of of = {
		.x = x, .y = y, .fold = folds(16, 1), .intercept = true, .watch = &watch};
	assert_false(ridge_judge(&of, (struct mat){0}, &out, &err));
	assert_string_equal(err.text, "cancelled");
	assert_true(isnan(out.r2));
	x.at[5] = INFINITY;
	assert_false(ridge_judge(&of, (struct mat){0}, &out, &err));
	assert_true(isnan(out.r2));
}

/* ---- pairs --------------------------------------------------------------------------------------- */

/* (XᵀX + λI)⁻¹ Xᵀy */
static struct mat weights(struct mat x, const double *y, double lambda)
{
	const struct mat gram = mat_new(&arena, x.cols, x.cols), w = mat_zero(&arena, x.cols, 1);
	struct err err = {""};
	mat_mul(gram, 1, x, true, x, false, 0);
	for (size_t i = 0; i < x.cols; i++)
		mat_row(gram, i)[i] += lambda;
	for (size_t i = 0; i < x.rows; i++)
		for (size_t k = 0; k < x.cols; k++)
			w.at[k] += mat_row(x, i)[k] * y[i];
	assert_true(mat_solve_positive(gram, mat_view(w.at, 1, x.cols), &err));
	return w;
}

/* From [h_t ; h_s] with each pair in both directions the weights are −w and w, those of h_s − h_t alone. */
TEST(pairs_in_both_directions_are_differences)
{
	enum { N = 30, D = 4 };
	const struct mat t = help_normal(N, D, 1), s = help_normal(N, D, 2),
			 y = help_normal(1, 2 * N, 3);
	const struct mat both = mat_new(&arena, 2 * N, 2 * D), apart = mat_new(&arena, N, D);
	for (size_t i = 0; i < N; i++) {
		y.at[N + i] = -y.at[i];
		for (size_t k = 0; k < D; k++) {
			const double at = mat_row(t, i)[k], as = mat_row(s, i)[k];
			mat_row(both, i)[k] = mat_row(both, N + i)[D + k] = at;
			mat_row(both, i)[D + k] = mat_row(both, N + i)[k] = as;
			mat_row(apart, i)[k] = as - at;
		}
	}
	const struct mat w = weights(apart, y.at, 0.7), both_w = weights(both, y.at, 0.7);
	for (size_t k = 0; k < D; k++) {
		assert_within(both_w.at[k], -w.at[k], 1e-13);
		assert_within(both_w.at[D + k], w.at[k], 1e-13);
	}
}
