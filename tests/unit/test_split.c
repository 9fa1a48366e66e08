/* test_split.c: a matrix as distance, rows, columns and a rest: by hand, of known sums, against least squares
 * over the whole design, and where it must say that there is nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_mat.h"
#include "help_arena.h"
#include "posviz/analysis/split.h"
#include "posviz/base/rng.h"

FIXTURE(open_arena, close_arena)

static const int32_t *distances(size_t rows, size_t cols)
{
	int32_t *const number = arena_calloc(&arena, rows * cols, sizeof *number);
	for (size_t i = 0; i < rows * cols; i++)
		number[i] = (int32_t)(i % cols) - (int32_t)(i / cols);
	return number;
}

static struct split split(struct mat m, const uint8_t *mask)
{
	struct split out;
	const struct split_of of = {.m = m, .mask = mask, .number = distances(m.rows, m.cols)};
	split_make(&of, true, &arena, &out);
	return out;
}

static uint8_t *causal(size_t n)
{
	uint8_t *const mask = arena_calloc(&arena, n * n, 1);
	for (size_t i = 0; i < n * n; i++)
		mask[i] = i % n <= i / n;
	return mask;
}

static uint8_t *scattered(size_t n, uint64_t seed)
{
	struct rng rng;
	rng_init(&rng, seed);
	uint8_t *const mask = arena_calloc(&arena, n * n, 1);
	for (size_t i = 0; i < n * n; i++)
		mask[i] = rng_uniform(&rng) < 0.7;
	return mask;
}

/* ---- by hand ------------------------------------------------------------------------------------ */

/* Of the matrix t over three places the squares are 6 about the mean 1, and 2 + 2·½ about the diagonals'
 * means 1, ½, 1½, 0, 2. Of the past alone, of mean 4/3, they are 10/3, and 2 + ½. */
TEST(share_of_distance_by_hand)
{
	static const uint8_t past[9] = {1, 0, 0, 1, 1, 0, 1, 1, 1};
	double rows[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2}, bands[9] = {1, 2, 9, -4, 1, 2, 7, -4, 1};
	assert_within(split(mat_view(rows, 3, 3), NULL).distance, 0.5, 1e-12);
	assert_within(split(mat_view(rows, 3, 3), NULL).rest, 0, 1e-12);
	assert_within(split(mat_view(rows, 3, 3), past).distance, 0.25, 1e-12);
	const struct split toeplitz = split(mat_view(bands, 3, 3), NULL);
	assert_within(toeplitz.distance, 1, 1e-12);
	assert_int_equal(toeplitz.lo, -2);
	assert_int_equal(toeplitz.n, 5);
	assert_within(toeplitz.f[0], 7, 0);
	assert_within(toeplitz.f[4], 9, 0);
	assert_within(mat_max_abs_diff(toeplitz.by_distance, mat_view(bands, 3, 3)), 0, 1e-12);
	assert_string_equal(split_show(&toeplitz, "distance", &arena), "100 % by distance");
}

/* A unit without a place has no part in it, whatever stands there. */
TEST(units_without_a_token_do_not_count)
{
	static const char *const labels[3] = {"a", "b", "c"};
	static const long token[3] = {-1, 0, 1};
	const struct axis axis = {.n = 3, .labels = labels, .token = token};
	const struct trace trace = {.query = axis, .key = axis};
	double rows[9] = {1000, 0, 0, 1, 1, 1, 2, 2, 2};
	struct split s;
	const struct split_of of = {.m = mat_view(rows, 3, 3),
				    .number = split_distances(&trace, &arena)};
	split_make(&of, true, &arena, &s);
	assert_int_equal(s.pairs, 4);
	assert_within(s.distance, 0.5, 1e-12);
	assert_true(isnan(mat_row(s.left, 0)[0]));
}

/* ---- known sums --------------------------------------------------------------------------------- */

/* One key that all look at: its column is 1. Of n² pairs n are 1. No trend is in it, and what distance
 * tells is 1/(n−|k|) of the pairs at each distance to it. */
TEST(one_key_is_told_by_key)
{
	enum { N = 9, AT = 4 };
	const struct mat m = mat_zero(&arena, N, N);
	for (size_t t = 0; t < N; t++)
		mat_row(m, t)[AT] = 1;
	const struct split s = split(m, NULL);
	double told = 0;
	for (int k = -AT; k <= AT; k++)
		told += 1.0 / (N - abs(k));
	const double mean = 1.0 / N, all = N - N * N * mean * mean;
	assert_within(s.distance, (told - N * N * mean * mean) / all, 1e-12);
	assert_within(s.rest, 0, 1e-12);
	assert_true(s.key > 5 * s.query && s.query >= 0);
	assert_within(s.distance + s.query + s.key + s.rest, 1, 1e-12);
}

TEST(sums_of_parts_leave_no_rest)
{
	enum { N = 12 };
	struct rng rng;
	double f[2 * N], r[N], c[N];
	rng_init(&rng, 5);
	for (size_t i = 0; i < 2 * N; i++)
		f[i] = rng_normal(&rng);
	for (size_t i = 0; i < N; i++) {
		r[i] = rng_normal(&rng);
		c[i] = rng_normal(&rng);
	}
	const struct mat m = mat_new(&arena, N, N);
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s < N; s++)
			mat_row(m, t)[s] = f[N + s - t] + r[t] + c[s];
	const uint8_t *const masks[] = {NULL, causal(N), scattered(N, 3)};
	for (size_t i = 0; i < 3; i++) {
		const struct split s = split(m, masks[i]);
		assert_within(s.rest, 0, 1e-12);
		assert_true(s.query > 0.05 && s.key > 0.05);
	}
}

/* ---- against least squares ---------------------------------------------------------------------- */

/* Columns of the design: a 1 for each distance, and for each row and column that is wanted. Returns the
 * squares of m about its least-squares fit, by the pseudo-inverse of the normal equations. */
static double brute(struct mat m, const uint8_t *mask, bool rows, bool cols, struct mat *fit)
{
	const size_t n = m.rows, of = 4 * n;
	const struct mat z = mat_zero(&arena, n * n, of), y = mat_zero(&arena, n * n, 1);
	for (size_t i = 0; i < n * n; i++) {
		if (mask && !mask[i])
			continue;
		double *const row = mat_row(z, i);
		row[n + i % n - i / n] = 1;
		row[2 * n + i / n] = rows;
		row[3 * n + i % n] = cols;
		y.at[i] = mat_row(m, i / n)[i % n];
	}
	const struct mat zz = mat_new(&arena, of, of), zy = mat_new(&arena, of, 1),
			 v = mat_new(&arena, of, of);
	double *const values = arena_calloc(&arena, of, sizeof *values);
	struct err err = {""};
	mat_mul(zz, 1, z, true, z, false, 0);
	mat_mul(zy, 1, z, true, y, false, 0);
	assert_true(mat_eigen_symmetric(zz, values, v, &arena, &err));
	const struct mat x = mat_zero(&arena, of, 1), out = mat_new(&arena, n * n, 1);
	for (size_t k = 0; k < of; k++) {
		double along = 0;
		if (values[k] < 1e-9 * values[of - 1])
			continue;
		for (size_t i = 0; i < of; i++)
			along += mat_row(v, k)[i] * zy.at[i];
		for (size_t i = 0; i < of; i++)
			x.at[i] += along / values[k] * mat_row(v, k)[i];
	}
	mat_mul(out, 1, z, false, x, false, 0);
	double left = 0;
	for (size_t i = 0; i < n * n; i++)
		left += mask && !mask[i] ? 0 : pow(y.at[i] - out.at[i], 2);
	if (fit)
		*fit = mat_view(out.at, n, n);
	return left;
}

static double squares(struct mat m, const uint8_t *mask)
{
	double sum = 0, n = 0, about = 0;
	for (size_t i = 0; i < m.rows * m.cols; i++)
		if (!mask || mask[i]) {
			sum += m.at[i];
			n++;
		}
	for (size_t i = 0; i < m.rows * m.cols; i++)
		about += !mask || mask[i] ? pow(m.at[i] - sum / n, 2) : 0;
	return about;
}

TEST(split_is_that_of_least_squares)
{
	enum { N = 11 };
	const struct mat m = help_normal(N, N, 1);
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s < N; s++)
			mat_row(m, t)[s] += 0.3 * (double)(s * s) - cos((double)t) -
					    2 * fabs((double)t - (double)s);
	const uint8_t *const masks[] = {NULL, causal(N), scattered(N, 1), scattered(N, 2)};
	for (size_t i = 0; i < 4; i++) {
		const struct split s = split(m, masks[i]);
		struct mat fit;
		const double all = squares(m, masks[i]), f = brute(m, masks[i], false, false, NULL),
			     fr = brute(m, masks[i], true, false, NULL),
			     fc = brute(m, masks[i], false, true, NULL),
			     frc = brute(m, masks[i], true, true, &fit);
		assert_within(s.distance, 1 - f / all, 1e-10);
		assert_within(s.query, (f - fr + fc - frc) / 2 / all, 1e-10);
		assert_within(s.key, (f - fc + fr - frc) / 2 / all, 1e-10);
		assert_within(s.rest, frc / all, 1e-10);
		for (size_t c = 0; c < N * N; c++) {
			if (masks[i] && !masks[i][c]) {
				assert_true(isnan(s.left.at[c]));
				continue;
			}
			assert_within(s.by_distance.at[c] + s.by_place.at[c], fit.at[c], 1e-8);
			assert_within(s.by_distance.at[c] + s.by_place.at[c] + s.left.at[c],
				      m.at[c], 1e-12);
		}
	}
}

/* ---- what must come out bad --------------------------------------------------------------------- */

/* Of n² independent values 2n−1 means of diagonals tell (2n−2)/(n²−1) on the average. */
TEST(random_matrix_does_not_look_relative)
{
	enum { N = 32, DRAWS = 40 };
	double sum = 0;
	for (uint64_t seed = 0; seed < DRAWS; seed++)
		sum += split(help_normal(N, N, seed), NULL).distance;
	assert_within(sum / DRAWS, (2.0 * N - 2) / (N * N - 1), 0.006);
	assert_true(split(help_normal(N, N, 0), NULL).rest > 0.7);
}

TEST(constant_and_empty_have_no_shares)
{
	double same[4] = {4, 4, 4, 4}, one[1] = {3}, infinite[4] = {INFINITY, NAN, -INFINITY, NAN};
	static const uint8_t none[4] = {0};
	const struct split constant = split(mat_view(same, 2, 2), NULL);
	assert_string_equal(constant.why, "the same everywhere");
	assert_true(isnan(constant.distance) && constant.sd < 1e-15);
	assert_string_equal(split(mat_view(one, 1, 1), NULL).why, "the same everywhere");
	assert_string_equal(split(mat_view(same, 2, 2), none).why, "no pair counts");
	const struct split inf = split(mat_view(infinite, 2, 2), NULL);
	assert_string_equal(inf.why, "no value is finite");
	assert_int_equal(inf.infinite, 4);
	assert_string_equal(split_show(&inf, "distance", &arena), inf.why);
}

TEST(values_that_are_not_finite_are_left_out)
{
	const struct mat m = help_normal(6, 6, 2), other = mat_copy(&arena, m);
	uint8_t mask[36];
	memset(mask, 1, sizeof mask);
	mask[7] = 0;
	other.at[7] = INFINITY;
	const struct split hidden = split(m, mask), infinite = split(other, NULL);
	assert_int_equal(infinite.infinite, 1);
	assert_within(infinite.distance, hidden.distance, 1e-14);
	assert_within(infinite.rest, hidden.rest, 1e-12);
}

TEST(numbers_far_apart_are_refused)
{
	double at[2] = {1, 2};
	static const int32_t far[2] = {-2000000000, 2000000000};
	const struct split_of of = {.m = mat_view(at, 1, 2), .number = far};
	struct split s;
	split_make(&of, true, &arena, &s);
	assert_string_equal(s.why, "its numbers lie too far apart");
}

/* ---- what changes nothing ----------------------------------------------------------------------- */

TEST(scale_offset_and_transpose)
{
	enum { N = 10 };
	const struct mat m = help_normal(N, N, 9), other = mat_new(&arena, N, N);
	for (size_t i = 0; i < N * N; i++)
		other.at[i] = 7 - 3 * m.at[i];
	const struct split s = split(m, NULL), changed = split(other, NULL),
			   turned = split(mat_transpose(&arena, m), NULL);
	assert_within(changed.distance, s.distance, 1e-12);
	assert_within(changed.key, s.key, 1e-12);
	assert_within(turned.distance, s.distance, 1e-12);
	assert_within(turned.key, s.query, 1e-12);
	assert_within(turned.query, s.key, 1e-12);
}

/* Rows are sampled, and a matrix that distance tells alone says so all the same. */
TEST(large_matrix_is_sampled)
{
	enum { N = 700 };
	const struct mat m = mat_new(&arena, N, N);
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s < N; s++)
			mat_row(m, t)[s] = -fabs((double)t - (double)s);
	struct split s = split(m, NULL);
	assert_int_equal(s.sample.n, SAMPLE_ROWS);
	assert_int_equal(s.pairs, SAMPLE_ROWS * N);
	assert_within(s.distance, 1, 1e-12);
	assert_null(s.left.at);
	mat_fill(m, 0);
	for (size_t t = 0; t < N; t++)
		mat_row(m, t)[5] = 1;
	s = split(m, NULL);
	assert_true(s.key > 0.9 && s.rest < 1e-9);
}

TEST(shares_in_words)
{
	struct split s = {.distance = 0.94, .query = 0.001, .key = 0.05, .rest = 0.009};
	assert_string_equal(split_show(&s, "distance", &arena),
			    "94 % by distance, 5 % by key, 1 % residue");
	s = (struct split){.distance = 0.001, .query = 0.5, .key = 0.499, .rest = 0};
	assert_string_equal(split_show(&s, "shortest path", &arena),
			    "<1 % by shortest path, 50 % by query, 50 % by key");
	s = (struct split){.distance = 0, .rest = 1};
	assert_string_equal(split_show(&s, "distance", &arena), "0 % by distance, 100 % residue");
}
