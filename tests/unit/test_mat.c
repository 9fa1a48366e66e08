/* test_mat.c: matrices against their definitions: loops, long double, and identities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "math/vexp.h"
#include "posviz/math/machine.h"
#include "posviz/math/mat.h"

FIXTURE(open_arena, close_arena)

/* A view with gaps between its rows, filled with normal numbers. */
static struct mat strided(struct arena *a, size_t rows, size_t cols, struct rng *rng)
{
	const struct mat wide = mat_new(a, rows + 1, cols + 3);
	mat_fill_normal(wide, 1, rng);
	return mat_cols(mat_rows(wide, 1, rows), 2, cols);
}

static double product_entry(struct mat a, bool ta, struct mat b, bool tb, size_t r, size_t c)
{
	long double sum = 0;
	for (size_t k = 0; k < (ta ? a.rows : a.cols); k++)
		sum += (long double)(ta ? mat_row(a, k)[r] : mat_row(a, r)[k]) *
		       (long double)(tb ? mat_row(b, c)[k] : mat_row(b, k)[c]);
	return (double)sum;
}

TEST(mat_mul_is_the_triple_loop)
{
	static const size_t sizes[][3] = {{1, 1, 1},   {3, 4, 5},    {7, 1, 2},	  {1, 9, 1},
					  {1, 4, 7},   {1, 1, 3},    {17, 33, 8}, {3, 256, 2},
					  {3, 257, 2}, {70, 64, 70}, {1, 300, 40}};
	struct rng rng;
	rng_init(&rng, 1);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (int flags = 0; flags < 4; flags++) {
			const bool ta = flags & 1, tb = flags & 2;
			const size_t m = sizes[i][0], k = sizes[i][1], n = sizes[i][2];
			const struct mat a = strided(*state, ta ? k : m, ta ? m : k, &rng);
			const struct mat b = strided(*state, tb ? n : k, tb ? k : n, &rng);
			const struct mat out = strided(*state, m, n, &rng);
			const struct mat old = mat_copy(*state, out);
			mat_mul(out, 2, a, ta, b, tb, 0.5);
			for (size_t r = 0; r < m; r++)
				for (size_t c = 0; c < n; c++) {
					const double want = 2 * product_entry(a, ta, b, tb, r, c) +
							    0.5 * mat_row(old, r)[c];
					assert_true(fabs(mat_row(out, r)[c] - want) < 1e-13);
				}
		}
}

TEST(mat_mul_with_beta_zero_forgets_what_was_there)
{
	const struct mat a = mat_eye(*state, 3), out = mat_new(*state, 3, 3);
	mat_fill(out, NAN);
	mat_mul(out, 1, a, false, a, false, 0);
	assert_true(mat_max_abs_diff(out, a) == 0);
	mat_fill(out, NAN);
	for (size_t r = 0; r < 3; r++)
		mat_mul(mat_rows(out, r, 1), 1, mat_rows(a, r, 1), false, a, false, 0);
	assert_true(mat_max_abs_diff(out, a) == 0);
}

TEST(mat_mul_over_nothing_is_zero)
{
	const struct mat a = mat_new(*state, 2, 0), b = mat_new(*state, 0, 3);
	const struct mat out = mat_new(*state, 2, 3);
	mat_fill(out, 5);
	mat_mul(out, 1, a, false, b, false, 0);
	assert_true(mat_norm(out) == 0);
	mat_fill(out, 5);
	mat_mul(mat_rows(out, 0, 1), 1, mat_rows(a, 0, 1), false, b, false, 0);
	assert_true(mat_norm(mat_rows(out, 0, 1)) == 0);
	mat_mul(mat_new(*state, 0, 3), 1, mat_new(*state, 0, 2), false, mat_new(*state, 2, 3),
		false, 0);
}

TEST(views_share_and_copies_do_not)
{
	const struct mat m = mat_zero(*state, 3, 4);
	const struct mat corner = mat_cols(mat_rows(m, 1, 2), 2, 2);
	mat_row(corner, 1)[0] = 7;
	assert_true(mat_row(m, 2)[2] == 7);
	const struct mat copy = mat_copy(*state, corner);
	assert_int_equal(copy.stride, 2);
	mat_row(copy, 1)[0] = 8;
	assert_true(mat_row(m, 2)[2] == 7);
	mat_set(corner, copy);
	assert_true(mat_row(m, 2)[2] == 8);
}

TEST(mat_transpose_swaps_indices)
{
	struct rng rng;
	rng_init(&rng, 2);
	const struct mat m = strided(*state, 13, 70, &rng), t = mat_transpose(*state, m);
	assert_int_equal(t.rows, 70);
	assert_int_equal(t.cols, 13);
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			assert_true(mat_row(t, c)[r] == mat_row(m, r)[c]);
}

TEST(mat_fill_normal_has_its_deviation)
{
	struct rng rng;
	rng_init(&rng, 3);
	const struct mat m = mat_new(*state, 100, 100);
	mat_fill_normal(m, 3, &rng);
	assert_true(fabs(mat_norm(m) / 100 - 3) < 0.1);
}

TEST(mat_norm_is_frobenius)
{
	double at[] = {1, 2, 99, 2, 4, 99};
	const struct mat m = {2, 2, 3, at};
	assert_true(fabs(mat_norm(m) - 5) < 1e-15);
}

TEST(mat_max_abs_diff_knows_nan_and_infinity)
{
	static const struct {
		double a, b, want;
	} rows[] = {
		{1, 3.5, 2.5},	    {NAN, 1, INFINITY},
		{1, NAN, INFINITY}, {-INFINITY, -INFINITY, 0},
		{NAN, NAN, 0},	    {-INFINITY, 0, INFINITY},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double a = rows[i].a, b = rows[i].b;
		assert_true(mat_max_abs_diff(mat_view(&a, 1, 1), mat_view(&b, 1, 1)) ==
			    rows[i].want);
	}
}

TEST(mat_range_is_of_finite_entries)
{
	double at[] = {-INFINITY, 3, NAN, -2, INFINITY}, none[] = {NAN, -INFINITY}, lo, hi;
	assert_true(mat_range(mat_view(at, 1, 5), &lo, &hi));
	assert_true(lo == -2 && hi == 3);
	assert_false(mat_range(mat_view(none, 1, 2), &lo, &hi));
}

/* Rows of all lengths around those that are compared at once, with gaps, NaN, infinities and masked
 * entries in turn. */
TEST(ranges_of_some_entries_are_those_of_a_loop)
{
	struct rng rng;
	rng_init(&rng, 5);
	for (size_t cols = 1; cols <= 40; cols++)
		for (size_t kind = 0; kind < 4; kind++) {
			const struct mat m = strided(&arena, 3, cols, &rng);
			uint8_t *const allowed = arena_calloc(&arena, 3 * cols, 1);
			double lo = INFINITY, hi = -INFINITY, least, most;
			for (size_t i = 0; i < 3 * cols; i++) {
				double *const x = mat_row(m, i / cols) + i % cols;
				allowed[i] = kind < 2 || rng_below(&rng, 3) > 0;
				if (kind % 2 == 1 && rng_below(&rng, 4) == 0)
					*x = rng_below(&rng, 2)	  ? NAN
					     : rng_below(&rng, 2) ? INFINITY
								  : -INFINITY;
				if (!isfinite(*x) || !allowed[i])
					continue;
				lo = fmin(lo, *x);
				hi = fmax(hi, *x);
			}
			assert_true(mat_range_where(m, kind < 2 ? NULL : allowed, &least, &most) ==
				    (lo <= hi));
			assert_true(!(least < lo) && !(least > lo) && !(most < hi) && !(most > hi));
		}
}

/* Kernels this machine can run: all up to the fitting one. */
static size_t kernels(const struct vexp *out[3])
{
	size_t n = 0;
	do
		out[n] = vexp_built[n];
	while (out[n++] != vexp_fitting());
	return n;
}

/* One product of each kernel, into a view whose surroundings stay as they are. */
static void check_small(struct arena *a, const struct vexp *kernel, const size_t size[3], int flags,
			struct rng *rng)
{
	const bool ta = flags & 1, tb = flags & 2, adds = flags & 4;
	const size_t m = size[0], k = size[1], n = size[2];
	const struct mat x = strided(a, ta ? k : m, ta ? m : k, rng);
	const struct mat y = strided(a, tb ? n : k, tb ? k : n, rng);
	const struct mat wide = mat_new(a, m + 2, n + 5);
	mat_fill(wide, adds ? 3 : NAN);
	const struct mat out = mat_cols(mat_rows(wide, 1, m), 2, n);
	kernel->multiply(&(struct small_product){
		out.at, x.at, y.at, m, k, n, out.stride, ta ? 1 : x.stride, ta ? x.stride : 1,
		tb ? 1 : y.stride, tb ? y.stride : 1, 2, adds ? 0.5 : 0});
	for (size_t r = 0; r < wide.rows; r++)
		for (size_t c = 0; c < wide.cols; c++) {
			const double at = mat_row(wide, r)[c];
			if (r - 1 >= m || c - 2 >= n) {
				assert_true(adds ? at == 3 : isnan(at));
				continue;
			}
			const double want = 2 * product_entry(x, ta, y, tb, r - 1, c - 2);
			assert_true(fabs(at - want - (adds ? 1.5 : 0)) < 1e-13);
		}
}

TEST(small_products_of_every_kernel_are_the_triple_loop)
{
	static const size_t rows[] = {1, 2, 3, 8, 15}, inner[] = {0, 1, 12},
			    cols[] = {1, 2, 4, 7, 8, 12, 16, 19, 33};
	const struct vexp *kernel[3];
	struct rng rng;
	rng_init(&rng, 5);
	for (size_t v = kernels(kernel); v-- > 0;)
		for (size_t i = 0; i < 5 * 3 * 9; i++)
			for (int flags = 0; flags < 8; flags++) {
				const size_t size[] = {rows[i % 5], inner[i / 5 % 3], cols[i / 15]};
				check_small(*state, kernel[v], size, flags, &rng);
			}
}

TEST(vec_exp_is_exact_to_4_ulp)
{
	const struct vexp *kernel[3];
	const size_t n = kernels(kernel), count = 1403;
	double *in = mat_new(*state, 1, count).at, *out = mat_new(*state, 1, count).at;
	for (size_t i = 0; i < count; i++)
		in[i] = -701 + (double)i + 1.0 / (double)(i + 3);
	for (size_t k = 0; k < n; k++) {
		kernel[k]->apply[VEC_EXP](out, in, count);
		for (size_t i = 0; i < count; i++) {
			const long double want = expl((long double)in[i]);
			const double ulp = nextafter((double)want, INFINITY) - (double)want;
			if (want < 1e-304L) /* flushed to 0: see mat.h */
				assert_true(out[i] >= 0 && out[i] <= (double)(want * 1.0001L));
			else
				assert_true(fabsl((long double)out[i] - want) <=
					    4 * (long double)ulp);
		}
	}
}

TEST(vec_exp_keeps_special_values)
{
	const struct vexp *kernel[3];
	const size_t n = kernels(kernel);
	for (size_t k = 0; k < n; k++) {
		double x[] = {-INFINITY, -1000, 0, -0.0, 1000, INFINITY, NAN, -745, 1};
		kernel[k]->apply[VEC_EXP](x, x, 9);
		assert_true(x[0] == 0 && x[1] == 0 && x[2] == 1 && x[3] == 1);
		assert_true(isinf(x[4]) && isinf(x[5]) && isnan(x[6]));
		assert_true(x[7] == 0 && fabs(x[8] - M_E) < 1e-15);
	}
}

TEST(vec_tanh_is_exact_to_4_ulp)
{
	const struct vexp *kernel[3];
	const size_t n = kernels(kernel), count = 2003;
	double *in = mat_new(*state, 1, count).at, *out = mat_new(*state, 1, count).at;
	/* From 1e-20 to 1e5, both signs. */
	for (size_t i = 0; i < count; i++)
		in[i] = (i % 2 ? -1 : 1) * pow(10, -20 + 25 * (double)i / (double)count);
	for (size_t k = 0; k < n; k++) {
		kernel[k]->apply[VEC_TANH](out, in, count);
		for (size_t i = 0; i < count; i++) {
			const double want = (double)tanhl((long double)in[i]);
			const double ulp = nextafter(fabs(want), INFINITY) - fabs(want);
			assert_true(fabs(out[i] - want) <= 4 * ulp);
		}
		double x[] = {-INFINITY, -0.0, 1e-310, INFINITY, NAN};
		kernel[k]->apply[VEC_TANH](x, x, 5);
		assert_true(x[0] == -1 && x[1] == 0 && signbit(x[1]) && x[2] == 1e-310);
		assert_true(x[3] == 1 && isnan(x[4]));
	}
}

static long double log1p_exp(long double x)
{
	return log1pl(expl(-fabsl(x)));
}

TEST(other_functions_are_exact_to_4_ulp)
{
	static const struct {
		enum vec_function f;
		long double (*exact)(long double x);
		double lo, hi;
		double special[4], of_special[4];
	} rows[] = {
		{VEC_ERF, erfl, -6, 6, {INFINITY, -INFINITY, NAN, 0}, {1, -1, NAN, 0}},
		{VEC_LOG, logl, 1e-3, 1e6, {INFINITY, 0, -1, NAN}, {INFINITY, -INFINITY, NAN, NAN}},
		{VEC_SIN, sinl, -1000, 1000, {INFINITY, -INFINITY, NAN, 0}, {NAN, NAN, NAN, 0}},
		{VEC_COS, cosl, -1000, 1000, {INFINITY, -INFINITY, NAN, 0}, {NAN, NAN, NAN, 1}},
		{VEC_LOG1P_EXP,
		 log1p_exp,
		 -690,
		 690,
		 {INFINITY, -INFINITY, NAN, 1e4},
		 {0, 0, NAN, 0}},
	};
	const struct vexp *kernel[3];
	const size_t n = kernels(kernel), count = 2003;
	double *in = mat_new(*state, 1, count).at, *out = mat_new(*state, 1, count).at;
	for (size_t j = 0; j < sizeof rows / sizeof *rows; j++)
		for (size_t k = 0; k < n; k++) {
			for (size_t i = 0; i < count; i++)
				in[i] = rows[j].lo + (rows[j].hi - rows[j].lo) * ((double)i + 0.3) /
							     (double)count;
			kernel[k]->apply[rows[j].f](out, in, count);
			for (size_t i = 0; i < count; i++) {
				const double want = (double)rows[j].exact((long double)in[i]);
				const double ulp = nextafter(fabs(want), INFINITY) - fabs(want);
				assert_true(fabs(out[i] - want) <= 4 * ulp);
			}
			kernel[k]->apply[rows[j].f](out, rows[j].special, 4);
			for (size_t i = 0; i < 4; i++)
				assert_true(isnan(rows[j].of_special[i])
						    ? isnan(out[i])
						    : out[i] == rows[j].of_special[i]);
		}
}

TEST(vec_gru_is_the_definition)
{
	enum { WIDTH = 21 };
	const struct vexp *kernel[3];
	const size_t n = kernels(kernel);
	struct rng rng;
	rng_init(&rng, 3);
	const struct mat all = mat_new(*state, 4, 3 * WIDTH), h = mat_new(*state, 1, WIDTH);
	mat_fill_normal(all, 2, &rng);
	mat_fill_normal(h, 1, &rng);
	mat_row(all, 2)[0] = 1000;	    /* a gate that is open, */
	mat_row(all, 2)[WIDTH + 1] = -1000; /* and one that is shut */
	const struct gru_inputs of = {mat_row(all, 0), mat_row(all, 1), mat_row(all, 2),
				      mat_row(all, 3), h.at};
	double out[WIDTH];
	for (size_t k = 0; k < n; k++) {
		kernel[k]->gru(out, &of, WIDTH);
		for (size_t i = 0; i < WIDTH; i++) {
			const size_t z = i + WIDTH, c = z + WIDTH;
			const double reset =
				1 / (1 + exp(-(of.x[i] + of.y[i] + of.from_h[i] + of.bias[i])));
			const double update =
				1 / (1 + exp(-(of.x[z] + of.y[z] + of.from_h[z] + of.bias[z])));
			const double candidate =
				tanh(of.x[c] + of.y[c] + reset * (of.from_h[c] + of.bias[c]));
			const double want = (1 - update) * candidate + update * h.at[i];
			assert_true(fabs(out[i] - want) < 1e-14);
		}
	}
}

static void check_softmax_row(const struct vexp *kernel, const double *in, const uint8_t *allowed,
			      size_t n)
{
	double out[64];
	long double max = -INFINITY, sum = 0;
	for (size_t i = 0; i < n; i++)
		if ((!allowed || allowed[i]) && in[i] > max)
			max = in[i];
	for (size_t i = 0; i < n; i++)
		if ((!allowed || allowed[i]) && in[i] > -INFINITY)
			sum += expl(in[i] - max);
	kernel->softmax_row(out, in, allowed, n);
	for (size_t i = 0; i < n; i++) {
		const bool counts = (!allowed || allowed[i]) && in[i] > -INFINITY;
		const long double want = counts ? expl(in[i] - max) / sum : 0;
		assert_true(counts || out[i] == 0);
		/* The difference to the maximum is rounded before exp sees it. */
		const long double relative = 4e-15L + 2e-16L * (counts ? max - in[i] : 0);
		assert_true(fabsl(out[i] - want) <= relative * want + 1e-300L);
	}
}

TEST(softmax_is_the_definition)
{
	const struct vexp *kernel[3];
	const size_t kinds = kernels(kernel);
	static const double sd[] = {1e-3, 1, 30, 1e3, 1e300};
	struct rng rng;
	rng_init(&rng, 4);
	for (size_t k = 0; k < kinds; k++)
		for (size_t n = 1; n < 40; n++)
			for (size_t s = 0; s < 5; s++) {
				double in[64];
				uint8_t allowed[64];
				for (size_t i = 0; i < n; i++) {
					in[i] = sd[s] * rng_normal(&rng);
					if (rng_below(&rng, 4) == 0)
						in[i] = -INFINITY;
					allowed[i] = rng_below(&rng, 3) != 0;
				}
				check_softmax_row(kernel[k], in, NULL, n);
				check_softmax_row(kernel[k], in, allowed, n);
				/* Allowed in the middle alone, or nowhere. */
				const size_t first = rng_below(&rng, n),
					     end = rng_below(&rng, n + 1);
				for (size_t i = 0; i < n; i++)
					allowed[i] = i >= first && i < end;
				check_softmax_row(kernel[k], in, allowed, n);
			}
}

TEST(softmax_of_nothing_is_zero)
{
	const struct vexp *kernel[3];
	const size_t kinds = kernels(kernel);
	for (size_t k = 0; k < kinds; k++)
		for (size_t n = 0; n < 20; n++) {
			double x[20];
			for (size_t i = 0; i < n; i++)
				x[i] = -INFINITY;
			kernel[k]->softmax_row(x, x, NULL, n);
			for (size_t i = 0; i < n; i++)
				assert_true(x[i] == 0);
		}
}

TEST(one_number_that_is_not_finite_is_found)
{
	static const double bad[] = {NAN, INFINITY, -INFINITY};
	const struct vexp *kernel[3];
	const size_t kinds = kernels(kernel);
	for (size_t n = 1; n < 40; n++)
		for (size_t i = 0; i < n; i++) {
			double at[40];
			for (size_t k = 0; k < n; k++)
				at[k] = k % 2 ? -1.7e308 : 1.7e308;
			assert_true(mat_is_finite(mat_view(at, 1, n)));
			at[i] = bad[(i + n) % 3];
			assert_false(mat_is_finite(mat_view(at, 1, n)));
			for (size_t k = 0; k < kinds; k++)
				assert_false(kernel[k]->finite_row(at, n));
		}
}

/* A NaN among the allowed spoils all weights but those of forbidden entries; one among the
 * forbidden spoils nothing. */
TEST(softmax_keeps_nan)
{
	const struct vexp *kernel[3];
	const size_t kinds = kernels(kernel), n = 21;
	for (size_t k = 0; k < kinds; k++)
		for (size_t bad = 0; bad < n; bad++) {
			double x[21], y[21];
			uint8_t allowed[21];
			for (size_t i = 0; i < n; i++) {
				x[i] = i % 3 == 1 ? -INFINITY : (double)i;
				allowed[i] = i != bad;
			}
			x[bad] = NAN;
			kernel[k]->softmax_row(y, x, NULL, n);
			for (size_t i = 0; i < n; i++)
				assert_true(i % 3 == 1 && i != bad ? y[i] == 0 : isnan(y[i]));
			check_softmax_row(kernel[k], x, allowed, n);
		}
}

/* Large enough to be shared among threads. */
TEST(mat_softmax_treats_rows_alike_in_place_and_in_views)
{
	struct rng rng;
	rng_init(&rng, 5);
	const struct mat m = strided(*state, 300, 257, &rng);
	const struct mat out = mat_new(*state, 300, 257);
	mat_softmax(out, m);
	double row[257];
	for (size_t r = 0; r < m.rows; r++) {
		vexp_fitting()->softmax_row(row, mat_row(m, r), NULL, m.cols);
		assert_memory_equal(row, mat_row(out, r), sizeof(row));
	}
	mat_softmax(m, m);
	assert_true(mat_max_abs_diff(out, m) == 0);
}

/* [[3,0],[4,5]]: A'A has trace 50 and determinant 225, so the squares are 45 and 5. */
TEST(singular_values_of_a_known_matrix)
{
	double at[] = {3, 0, -1, 4, 5, -1}, values[2];
	const struct mat m = {2, 2, 3, at};
	struct err err;
	assert_true(mat_singular_values(m, values, *state, &err));
	assert_true(fabs(values[0] - sqrt(45)) < 1e-14 && fabs(values[1] - sqrt(5)) < 1e-14);
}

TEST(singular_values_are_invariants)
{
	static const size_t sizes[][2] = {{1, 1}, {6, 6}, {5, 9}, {9, 5}, {1, 7}, {7, 1}};
	struct rng rng;
	rng_init(&rng, 6);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct mat m = strided(*state, sizes[i][0], sizes[i][1], &rng);
		const struct mat before = mat_copy(*state, m);
		const size_t n = m.rows < m.cols ? m.rows : m.cols;
		double values[9], same[9], squares = 0;
		assert_true(mat_singular_values(m, values, *state, NULL));
		assert_true(mat_max_abs_diff(m, before) == 0);
		assert_true(mat_singular_values(mat_transpose(*state, m), same, *state, NULL));
		for (size_t k = 0; k < n; k++) {
			assert_true(values[k] >= 0 && (k == 0 || values[k] <= values[k - 1]));
			assert_true(fabs(values[k] - same[k]) < 1e-13);
			squares += values[k] * values[k];
		}
		assert_true(fabs(sqrt(squares) - mat_norm(m)) < 1e-13);
	}
}

TEST(singular_values_show_the_rank)
{
	struct rng rng;
	rng_init(&rng, 7);
	const struct mat a = strided(*state, 12, 3, &rng), b = strided(*state, 3, 10, &rng);
	const struct mat m = mat_new(*state, 12, 10);
	mat_mul(m, 1, a, false, b, false, 0);
	double values[10];
	assert_true(mat_singular_values(m, values, *state, NULL));
	assert_true(values[2] > 1e-3 && values[3] < 1e-12);
}

/* [3,4]: length 5; the second column has 4 along it, and 3 is left of it. */
TEST(triangle_of_a_known_matrix)
{
	double at[] = {3, 0, -1, 4, 5, -1};
	const struct mat m = {2, 2, 3, at}, out = mat_new(*state, 2, 2);
	assert_true(mat_triangle(m, out, *state, NULL));
	assert_true(fabs(fabs(out.at[0]) - 5) < 1e-14 && fabs(fabs(out.at[1]) - 4) < 1e-14);
	assert_true(fabs(out.at[2]) <= 0 && fabs(fabs(out.at[3]) - 3) < 1e-14);
}

/* RᵀR = mᵀm; and what the triangles are for. */
TEST(triangles_keep_what_rows_have_to_do_with_each_other)
{
	struct rng rng;
	rng_init(&rng, 8);
	const struct mat a = strided(*state, 9, 4, &rng), b = strided(*state, 7, 4, &rng);
	const struct mat before = mat_copy(*state, a), product = mat_new(*state, 9, 7);
	const struct mat r_a = mat_new(*state, 4, 4), r_b = mat_new(*state, 4, 4),
			 small = mat_new(*state, 4, 4), gram = mat_new(*state, 4, 4);
	double values[7], same[4];
	assert_true(mat_triangle(a, r_a, *state, NULL) && mat_triangle(b, r_b, *state, NULL));
	assert_true(mat_max_abs_diff(a, before) == 0);
	mat_mul(gram, 1, a, true, a, false, 0);
	mat_mul(small, 1, r_a, true, r_a, false, 0);
	assert_true(mat_max_abs_diff(gram, small) < 1e-13);
	mat_mul(product, 1, a, false, b, true, 0);
	mat_mul(small, 1, r_a, false, r_b, true, 0);
	assert_true(mat_singular_values(product, values, *state, NULL));
	assert_true(mat_singular_values(small, same, *state, NULL));
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(values[i] - same[i]) < 1e-13);
}

TEST(decompositions_refuse_what_is_not_finite)
{
	const struct mat m = mat_eye(*state, 3), vectors = mat_new(*state, 3, 3);
	double values[3];
	struct err err = {""};
	mat_row(m, 1)[2] = NAN;
	assert_false(mat_singular_values(m, values, *state, &err));
	assert_non_null(strstr(err.text, "row 2, column 3"));
	assert_false(mat_triangle(m, vectors, *state, &err));
	mat_row(m, 1)[2] = -INFINITY;
	err.text[0] = '\0';
	assert_false(mat_eigen_symmetric(m, values, vectors, *state, &err));
	assert_non_null(strstr(err.text, "row 2, column 3"));
}

TEST(eigenvectors_rebuild_the_matrix)
{
	struct rng rng;
	rng_init(&rng, 8);
	for (size_t n = 1; n <= 20; n += 3) {
		const struct mat half = strided(*state, n, n, &rng);
		const struct mat m = mat_new(*state, n, n), vectors = strided(*state, n, n, &rng);
		mat_mul(m, 1, half, false, half, true, 0);
		double values[20];
		assert_true(mat_eigen_symmetric(m, values, vectors, *state, NULL));
		const struct mat product = mat_new(*state, n, n),
				 scaled = mat_copy(*state, vectors);
		mat_mul(product, 1, vectors, false, vectors, true, 0);
		assert_true(mat_max_abs_diff(product, mat_eye(*state, n)) < 1e-13);
		for (size_t k = 0; k < n; k++) {
			assert_true(k == 0 || values[k] >= values[k - 1]);
			for (size_t c = 0; c < n; c++)
				mat_row(scaled, k)[c] *= values[k];
		}
		mat_mul(product, 1, vectors, true, scaled, false, 0);
		assert_true(mat_max_abs_diff(product, m) < 1e-12 * (1 + mat_norm(m)));
	}
}

/* The Laplacian of a path of n nodes has the eigenvalues 2 - 2 cos(pi k / n). */
TEST(eigenvalues_of_a_path_are_known)
{
	enum { N = 9 };
	const struct mat m = mat_zero(*state, N, N), vectors = mat_new(*state, N, N);
	for (size_t i = 0; i + 1 < N; i++) {
		mat_row(m, i)[i] += 1;
		mat_row(m, i + 1)[i + 1] += 1;
		mat_row(m, i)[i + 1] = mat_row(m, i + 1)[i] = -1;
	}
	double values[N];
	assert_true(mat_eigen_symmetric(m, values, vectors, *state, NULL));
	for (size_t k = 0; k < N; k++)
		assert_true(fabs(values[k] - (2 - 2 * cos(M_PI * (double)k / N))) < 1e-14);
	for (size_t c = 0; c < N; c++)
		assert_true(fabs(mat_row(vectors, 0)[c] - 1 / 3.0) < 1e-14);
}

TEST(eigenvectors_have_a_fixed_sign)
{
	double at[] = {2, 1, 1, 2}, values[2];
	const struct mat vectors = mat_new(*state, 2, 2);
	assert_true(mat_eigen_symmetric(mat_view(at, 2, 2), values, vectors, *state, NULL));
	const double h = sqrt(0.5), want[] = {h, -h, h, h};
	assert_true(fabs(values[0] - 1) < 1e-15 && fabs(values[1] - 3) < 1e-15);
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(vectors.at[i] - want[i]) < 1e-15);
}

/* All ones: 0 is the value of all that is across (1, 1, 1). Of the axes, all as near, the first comes first. */
TEST(eigenvectors_of_one_value_are_the_same_everywhere)
{
	double at[9], values[3];
	for (size_t i = 0; i < 9; i++)
		at[i] = 1;
	const struct mat vectors = mat_new(*state, 3, 3);
	assert_true(mat_eigen_symmetric(mat_view(at, 3, 3), values, vectors, *state, NULL));
	const double s = sqrt(1 / 6.0), h = sqrt(0.5), t = sqrt(1 / 3.0),
		     want[] = {2 * s, -s, -s, 0, h, -h, t, t, t};
	assert_true(fabs(values[0]) < 1e-14 && fabs(values[1]) < 1e-14);
	for (size_t i = 0; i < 9; i++)
		assert_true(fabs(vectors.at[i] - want[i]) < 1e-14);
}

/* (1, 2, 2) / 3 is of value 1 and what is across it of value 0: axis 1 is nearest, and of the two that are equally
 * near to what is left the earlier comes next. */
TEST(the_axis_nearest_to_a_space_comes_first)
{
	const double u[] = {1 / 3.0, 2 / 3.0, 2 / 3.0};
	double at[9], values[3];
	for (size_t i = 0; i < 9; i++)
		at[i] = u[i / 3] * u[i % 3];
	const struct mat vectors = mat_new(*state, 3, 3);
	assert_true(mat_eigen_symmetric(mat_view(at, 3, 3), values, vectors, *state, NULL));
	const double l = sqrt(8) / 3, h = sqrt(0.5),
		     want[] = {l, -2 / 9.0 / l, -2 / 9.0 / l, 0, h, -h};
	for (size_t i = 0; i < 6; i++)
		assert_true(fabs(vectors.at[i] - want[i]) < 1e-14);
}

/* What is forbidden does not count, in place or not. */
TEST(softmax_tells_what_is_not_finite)
{
	static const double odd[] = {INFINITY, -INFINITY, NAN};
	const struct vexp *const kernel = vexp_fitting();
	for (size_t k = 0; k < 3; k++)
		for (size_t at = 0; at < 19; at++) {
			double in[19] = {0}, out[19];
			uint8_t allowed[19];
			memset(allowed, 1, sizeof allowed);
			assert_true(kernel->softmax_row(out, in, NULL, 19));
			in[at] = odd[k];
			assert_false(kernel->softmax_row(out, in, NULL, 19));
			assert_false(kernel->softmax_row(out, in, allowed, 19));
			allowed[at] = 0;
			assert_true(kernel->softmax_row(in, in, allowed, 19));
		}
}

struct shared_product {
	struct mat out, a, b;
	bool ta, tb;
};

static void multiply_alone(void *context, size_t i, size_t worker)
{
	const struct shared_product *p = context;
	(void)worker;
	if (i == 0)
		mat_mul(p->out, -1.5, p->a, p->ta, p->b, p->tb, 0.5);
}

/* Entries of each row and each column. */
static void check_some(const struct shared_product *p, struct mat old)
{
	const size_t rows = p->out.rows, cols = p->out.cols, most = rows > cols ? rows : cols;
	for (size_t i = 0; i < most; i++) {
		const size_t r = i % rows, c = i % cols;
		const double want = -1.5 * product_entry(p->a, p->ta, p->b, p->tb, r, c) +
				    0.5 * mat_row(old, r)[c];
		assert_true(fabs(mat_row(p->out, r)[c] - want) < 1e-11);
	}
}

/* In a body of the pool a product is one thread's: to the last digit the same. */
TEST(products_shared_among_threads_are_those_of_one)
{
	static const size_t sizes[][3] = {{512, 192, 300}, {1001, 77, 130}, {65, 1030, 259},
					  {64, 768, 97},   {40, 4001, 33},  {4097, 16, 65}};
	struct rng rng;
	rng_init(&rng, 3);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int flags = 0; flags < 4; flags++) {
			const bool ta = flags & 1, tb = flags & 2;
			const size_t m = sizes[i][0], n = sizes[i][1], k = sizes[i][2];
			const struct mat a = strided(*state, ta ? k : m, ta ? m : k, &rng);
			const struct mat b = strided(*state, tb ? n : k, tb ? k : n, &rng);
			const struct mat shared = strided(*state, m, n, &rng);
			const struct mat single = mat_copy(*state, shared);
			const struct mat old = mat_copy(*state, shared);
			assert_true(m * n * k >= 1 << 22); /* as few as are shared */
			mat_mul(shared, -1.5, a, ta, b, tb, 0.5);
			machine_parallel(2, multiply_alone,
					 &(struct shared_product){single, a, b, ta, tb});
			for (size_t r = 0; r < m; r++)
				assert_memory_equal(mat_row(shared, r), mat_row(single, r),
						    n * sizeof(double));
			check_some(&(struct shared_product){shared, a, b, ta, tb}, old);
		}
}
