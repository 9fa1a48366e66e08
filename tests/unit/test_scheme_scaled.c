/* test_scheme_scaled.c: sinusoids of moved positions: mvPE, CAPE, and two that know the length. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static size_t wanted_d;
static uint64_t wanted_seed;

static void narrow(struct help_run *r)
{
	r->config.d = wanted_d;
	r->config.heads = 1;
	r->config.seed = wanted_seed;
}

/* The position vectors of an expression for n units of width d. */
static struct mat vectors(struct help_run *r, const char *expression, size_t n, size_t d,
			  uint64_t seed)
{
	wanted_d = d;
	wanted_seed = seed;
	help_run_must_open(r, expression, n, 0, narrow);
	assert_int_equal(r->trace.position_vectors.rows, n);
	return r->trace.position_vectors;
}

static double vectors_apart(const char *a, const char *b, size_t n, size_t d)
{
	struct help_run first, second;
	const double apart =
		mat_max_abs_diff(vectors(&first, a, n, d, 1), vectors(&second, b, n, d, 1));
	help_run_close(&first);
	help_run_close(&second);
	return apart;
}

/* Products of all pairs of rows: what an identity projection sees of the positions. */
static struct mat products(struct arena *a, struct mat p)
{
	const struct mat out = mat_new(a, p.rows, p.rows);
	mat_mul(out, 1, p, false, p, true, 0);
	return out;
}

/* Everything of the second equals the first's: logits and outputs of both layers. */
static void assert_same(const char *first, const char *second)
{
	struct help_run r;
	help_run_must_open(&r, first, 9, 4, NULL);
	const struct trace *other = help_again(&r, second, NULL);
	for (size_t l = 0; l < 2; l++)
		if (!(help_logits_apart(&r.trace, other, l, 4) < 1e-12) ||
		    !(help_output_apart(&r.trace, other, l) < 1e-12))
			fail_msg("%s and %s differ in layer %zu", first, second, l);
	help_run_close(&r);
}

/* ---- mvpe ---------------------------------------------------------------------------------- */

TEST(mvpe_is_the_row_of_the_definition)
{
	static const double row[] = {.826879541, .562379076, -.544021111, -.839071529};
	struct help_run r;
	const struct mat p = vectors(&r, "mvpe", 3, 4, 1);
	for (size_t j = 0; j < 4; j++)
		assert_true(fabs(mat_row(p, 1)[j] - row[j]) < 1e-9);
	help_run_close(&r);
}

/* mvpe(k, t) = sinusoidal(k t) */
TEST(mvpe_is_sinusoidal_of_multiples)
{
	assert_same("mvpe(k=1)", "sinusoidal");
	assert_same("mvpe(k=1,start=1,layout=concat,freq=t2t,base=500)",
		    "sinusoidal(start=1,layout=concat,freq=t2t,base=500)");
	struct help_run r, far;
	const struct mat p = vectors(&r, "mvpe(k=7,start=1)", 9, 16, 1);
	const struct mat all = vectors(&far, "sinusoidal", 64, 16, 1);
	for (size_t t = 0; t < 9; t++)
		assert_true(mat_max_abs_diff(mat_rows(p, t, 1), mat_rows(all, 7 * (t + 1), 1)) <
			    1e-12);
	help_run_close(&r);
	help_run_close(&far);
}

/* P_t·P_{t+r} = Σ cos(k r ω): still a function of the distance, and no longer of nearness. */
TEST(mvpe_products_depend_on_the_distance)
{
	struct help_run r;
	const struct mat p = vectors(&r, "mvpe", 40, 16, 1);
	const struct mat a = products(&r.arena, p);
	assert_true(help_toeplitz_error(a) < 1e-9);
	for (size_t s = 0; s < 40; s++) {
		double sum = 0;
		for (size_t i = 0; i < 8; i++)
			sum += cos(1000 * (double)s * pow(10000, -(double)i / 8));
		assert_true(fabs(mat_row(a, 0)[s] - sum) < 1e-9);
	}
	help_run_close(&r);
}

/* What it is for: rows of neighbours lie farther apart than sinusoids do. */
TEST(mvpe_tells_neighbours_apart)
{
	double step[2] = {0, 0};
	static const char *const expressions[] = {"sinusoidal", "mvpe"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		const struct mat p = vectors(&r, expressions[i], 50, 64, 1);
		for (size_t t = 1; t < 50; t++)
			for (size_t j = 0; j < 64; j++)
				step[i] += fabs(mat_row(p, t)[j] - mat_row(p, t - 1)[j]);
		help_run_close(&r);
	}
	assert_true(step[1] > 3 * step[0]);
}

/* ---- cape ---------------------------------------------------------------------------------- */

TEST(cape_without_its_changes_is_sinusoidal)
{
	assert_same("cape(normalize=off)", "sinusoidal");
	assert_same("cape(normalize=off,scale_emb=on)", "sinusoidal(scale_emb=on)");
	assert_same("cape(normalize=off,pos_scale=3)", "mvpe(k=3)");
	assert_same("cape(normalize=off,freq_scale=0.5)", "mvpe(k=0.5)");
	assert_same("cape(normalize=off,augment=on,shift=0,local=0,scale=1)", "sinusoidal");
	assert_true(vectors_apart("cape", "sinusoidal", 9, 16) > 0.1);
}

/* Positions counted from their mean: sines odd and cosines even about the centre. */
TEST(cape_is_symmetric_about_the_centre)
{
	for (size_t n = 1; n <= 10; n++) {
		struct help_run r;
		const struct mat p = vectors(&r, "cape", n, 16, 1);
		for (size_t t = 0; t < n; t++) {
			const double *here = mat_row(p, t), *there = mat_row(p, n - 1 - t);
			for (size_t j = 0; j < 16; j += 2) {
				assert_true(fabs(here[j] + there[j]) < 1e-12);
				assert_true(fabs(here[j + 1] - there[j + 1]) < 1e-12);
			}
			assert_true(fabs(here[0] - sin((double)t - (double)(n - 1) / 2)) < 1e-12);
		}
		help_run_close(&r);
	}
}

TEST(cape_does_not_see_a_shift_of_all_positions)
{
	help_is_relative("cape", "seq");
	struct help_run r;
	help_run_must_open(&r, "cape(normalize=off)", 9, 0, NULL);
	r.in.shift_column = "seq";
	r.in.shift_by = 5;
	assert_true(help_logits_apart(&r.trace, help_again(&r, "cape(normalize=off)", NULL), 0, 4) >
		    1e-3);
	help_run_close(&r);
}

/* Δ alone leaves all products alone; ε does not; λ multiplies distances, and 1/λ is as likely. */
TEST(cape_augments_as_said)
{
	struct help_run plain, moved;
	const struct mat p = vectors(&plain, "cape", 9, 16, 1);
	const struct mat a = products(&plain.arena, p);
	size_t longer = 0, shorter = 0;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct mat q = vectors(&moved, "cape(augment=on,local=0,scale=1)", 9, 16, seed);
		assert_true(mat_max_abs_diff(products(&moved.arena, q), a) < 1e-12);
		assert_true(mat_max_abs_diff(p, q) > 1e-6);
		help_run_close(&moved);
		q = vectors(&moved, "cape(augment=on,shift=0,local=0,scale=1.5,pos_scale=0.1)", 9,
			    16, seed);
		const double stretch = asin(mat_row(q, 5)[0]) / 0.1;
		assert_true(stretch > 1 / 1.5 && stretch < 1.5);
		for (size_t t = 0; t < 9; t++)
			assert_true(fabs(asin(mat_row(q, t)[0]) - 0.1 * stretch * ((double)t - 4)) <
				    1e-12);
		longer += stretch > 1;
		shorter += stretch < 1;
		help_run_close(&moved);
	}
	assert_true(longer >= 4 && shorter >= 4);
	help_run_close(&plain);
}

/* ε_max counts in units: times pos_scale in positions. */
TEST(cape_moves_each_position_within_its_bound)
{
	double most = 0;
	struct help_run r, other;
	const char *text = "cape(augment=on,shift=0,scale=1,local=0.5,pos_scale=0.01)";
	const struct mat p = vectors(&r, text, 64, 16, 3);
	for (size_t t = 0; t < 64; t++) {
		const double off = asin(mat_row(p, t)[0]) - 0.01 * ((double)t - 31.5);
		assert_true(fabs(off) <= 0.005);
		most = fmax(most, fabs(off));
	}
	assert_true(most > 0.004);
	assert_true(mat_max_abs_diff(p, vectors(&other, text, 64, 16, 3)) == 0);
	help_run_close(&other);
	assert_true(mat_max_abs_diff(p, vectors(&other, text, 64, 16, 4)) > 1e-4);
	help_run_close(&other);
	help_run_close(&r);
}

/* ---- lrpe ---------------------------------------------------------------------------------- */

TEST(lrpe_rows_are_those_of_the_definition)
{
	static const struct {
		size_t t;
		double row[4];
	} rows[] = {{1, {.8415, .5403, .4325, .9017}},
		    {4, {-.7568, -.6536, .9763, -.2163}},
		    {5, {-.9589, .2837, .7867, -.6173}}};
	struct help_run r;
	const struct mat p = vectors(&r, "lrpe(length=5)", 6, 4, 1);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 4; j++)
			assert_true(fabs(mat_row(p, rows[i].t)[j] - rows[i].row[j]) < 6e-5);
	help_run_close(&r);
}

TEST(lrpe_has_the_length_for_its_base)
{
	assert_same("lrpe(length=10000)", "sinusoidal");
	assert_same("lrpe", "sinusoidal(base=9)"); /* of nine units */
	assert_same("lrpe(length=7,start=1,layout=concat)",
		    "sinusoidal(base=7,start=1,layout=concat)");
	struct help_run r;
	const struct mat p = vectors(&r, "lrpe(length=1)", 5, 8, 1);
	for (size_t j = 0; j < 8; j += 2)
		assert_true(fabs(mat_row(p, 3)[j] - sin(3.0)) < 1e-15);
	help_run_close(&r);
}

/* ---- lennoise ------------------------------------------------------------------------------ */

TEST(lennoise_without_a_window_is_the_encoding)
{
	assert_same("lennoise(window=0)", "ldpe");
	assert_same("lennoise(window=0,encoding=lrpe)", "lrpe");
	assert_same("lennoise(window=0,length=20,encoding=lrpe,layout=concat)",
		    "lrpe(length=20,layout=concat)");
}

/* The whole number ε for which all rows are those of length l + ε; fails when there is not one. */
static long noise_of(uint64_t seed, const char *noisy, const char *plain, long length, long window)
{
	struct help_run r, other;
	const struct mat p = vectors(&r, noisy, 7, 16, seed);
	long found = window + 1;
	for (long e = -window; e <= window; e++) {
		const char *text = arena_printf(&r.arena, plain, length + e);
		if (mat_max_abs_diff(p, vectors(&other, text, 7, 16, seed)) < 1e-12) {
			assert_int_equal(found, window + 1);
			found = e;
		}
		help_run_close(&other);
	}
	assert_true(found <= window);
	help_run_close(&r);
	return found;
}

TEST(lennoise_adds_one_whole_number_to_the_length)
{
	size_t seen[9] = {0};
	for (uint64_t seed = 0; seed < 60; seed++) {
		const long e = noise_of(seed, "lennoise(length=30,draw=0)",
					"lennoise(length=%ld,window=0)", 30, 4);
		seen[e + 4]++;
		if (seed % 20 == 0)
			assert_int_equal(noise_of(seed, "lennoise(length=30,encoding=lrpe,draw=0)",
						  "lrpe(length=%ld)", 30, 4),
					 e);
	}
	for (size_t i = 0; i < 9; i++)
		assert_true(seen[i] > 0);
}

/* Draws are counted; the seed has a say only in draw 0. */
TEST(a_numbered_draw_does_not_hang_on_the_seed)
{
	static const char *const texts[][3] = {
		{"lennoise(length=30,draw=5)", "lennoise(length=30,draw=2)", "lennoise(draw=0)"},
		{"cape(augment=on,draw=5)", "cape(augment=on,draw=2)", "cape(augment=on)"}};
	for (size_t i = 0; i < 2; i++) {
		struct help_run five, again, two;
		const struct mat p = vectors(&five, texts[i][0], 7, 16, 1);
		assert_true(mat_max_abs_diff(p, vectors(&again, texts[i][0], 7, 16, 9)) < 1e-12);
		assert_true(mat_max_abs_diff(p, vectors(&two, texts[i][1], 7, 16, 1)) > 1e-3);
		help_run_close(&again);
		help_run_close(&two);
		const struct mat q = vectors(&two, texts[i][2], 7, 16, 1);
		assert_true(mat_max_abs_diff(q, vectors(&again, texts[i][2], 7, 16, 9)) > 1e-3);
		help_run_close(&again);
		help_run_close(&two);
		help_run_close(&five);
	}
}

/* Half of all noise takes a length of 1 below 1: there it stays 1. */
TEST(a_noisy_length_is_at_least_one)
{
	static const char *const texts[] = {"lennoise(length=1,window=1,encoding=lrpe,draw=0)",
					    "lennoise(length=1,window=1000,encoding=lrpe,draw=0)"};
	for (size_t i = 0; i < 2; i++) {
		size_t ones = 0;
		for (uint64_t seed = 0; seed < 30; seed++) {
			struct help_run r, one;
			const struct mat p = vectors(&r, texts[i], 5, 16, seed);
			const struct mat q = vectors(&one, "lrpe(length=1)", 5, 16, seed);
			assert_true(help_is_finite(p));
			ones += mat_max_abs_diff(p, q) < 1e-12;
			help_run_close(&r);
			help_run_close(&one);
		}
		assert_true(ones >= 8 && ones < 30);
	}
}
