/* test_metrics.c: properties of matrices: worked and reference cases, closed forms, and what must come out
 * bad; word reordering and probes against the authors' numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_mat.h"
#include "help_arena.h"
#include "help_tensors.h"
#include "posviz/analysis/metrics.h"
#include "posviz/analysis/split.h"
#include "posviz/base/rng.h"
#include "posviz/format/tensor.h"

FIXTURE(open_arena, close_arena)

static double measured(const char *name, struct mat m, const uint8_t *mask)
{
	int32_t *const distance = arena_calloc(&arena, m.rows * m.cols, sizeof *distance);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		distance[i] = (int32_t)(i % m.cols) - (int32_t)(i / m.cols);
	const struct metric_of of = {.m = m, .mask = mask, .distance = distance};
	const struct metric *metric = metrics;
	while (strcmp(metric->name, name) != 0)
		metric++;
	return metric->measure(&of);
}

static struct tensor_set read_case(const char *name)
{
	struct tensor_set set;
	struct err err = {""};
	tensor_set_init(&set, &arena);
	if (!help_tensors(&set, arena_printf(&arena, "%s/struct/%s", test_data, name), &err))
		fail_msg("%s", err.text);
	return set;
}

/* ---- matrices ------------------------------------------------------------------------------------ */

TEST(metrics_of_the_reference_case)
{
	static const char *const names[] = {"worked", "identity", "uniform", "random", "decay"};
	static const char *const columns[] = {"locality", "row-symmetry", "translation",
					      "symmetry"};
	const struct tensor_set set = read_case("locality-symmetry-a.safetensors");
	const struct mat wanted = help_tensor_named(&set, "metrics");
	for (size_t i = 0; i < 5; i++) {
		const struct mat m =
			help_tensor_named(&set, arena_printf(&arena, "matrix.%s", names[i]));
		for (size_t k = 0; k < 4; k++)
			assert_within(measured(columns[k], m, NULL), mat_row(wanted, i)[k], 1e-12);
	}
}

/* To the digits of the definitions. */
TEST(metrics_of_the_worked_matrix)
{
	double at[16] = {.6, .3, .1, 0, .2, .5, .2, .1, .1, .2, .5, .2, 0, .1, .3, .6};
	const struct mat m = mat_view(at, 4, 4);
	assert_within(measured("locality", m, NULL), 0.75, 5e-5);
	assert_within(measured("row-symmetry", m, NULL), 1, 5e-5);
	assert_within(measured("translation", m, NULL), 0.9611, 5e-5);
	assert_within(measured("symmetry", m, NULL), 0.9207, 5e-5);
	assert_within(measured("monotonicity", m, NULL), 1, 1e-12);
	/* Rows: .3 + .2, −.2 + .3, −.3 + .2, −.4: to later keys less to earlier ones. */
	assert_within(measured("direction", m, NULL), (0.4 + 0.1 - 0.1 - 0.4) / 4, 1e-12);
	assert_within(measured("distance", m, NULL), (0.5 + 0.6 + 0.6 + 0.5) / 4, 1e-12);
}

TEST(metrics_of_matrices_in_closed_form)
{
	enum { N = 9 };
	const struct mat uniform = mat_new(&arena, N, N), identity = mat_eye(&arena, N);
	double near_all = 0, far = 0;
	mat_fill(uniform, 1.0 / N);
	for (int i = 0; i < N * N; i++) {
		near_all += exp2(-abs(i % N - i / N)) / (N * N);
		far += abs(i % N - i / N) / (double)(N * N);
	}
	assert_within(measured("locality", identity, NULL), 1, 1e-15);
	assert_within(measured("entropy", identity, NULL), 0, 1e-15);
	assert_within(measured("distance", identity, NULL), 0, 1e-15);
	assert_within(measured("locality", uniform, NULL), near_all, 1e-14);
	assert_within(measured("distance", uniform, NULL), far, 1e-14);
	assert_within(measured("entropy", uniform, NULL), log(N), 1e-14);
	assert_within(measured("direction", uniform, NULL), 0, 1e-15);
	assert_within(measured("translation", uniform, NULL), 1, 0);
	assert_within(measured("monotonicity", uniform, NULL), 0, 0);
	assert_within(measured("symmetry", uniform, NULL), 1, 0);
}

/* Nearness and its opposite, under a causal mask too, where there is one side. */
TEST(monotonicity_has_a_sign)
{
	enum { N = 12 };
	const struct mat m = mat_new(&arena, N, N), other = mat_new(&arena, N, N);
	uint8_t mask[N * N];
	for (int i = 0; i < N * N; i++) {
		m.at[i] = -abs(i % N - i / N);
		other.at[i] = -m.at[i];
		mask[i] = i % N <= i / N;
	}
	assert_within(measured("monotonicity", m, NULL), 1, 0);
	assert_within(measured("monotonicity", other, NULL), -1, 0);
	assert_within(measured("monotonicity", m, mask), 1, 0);
	assert_within(measured("direction", mat_eye(&arena, N), mask), 0, 0);
}

TEST(what_must_come_out_bad)
{
	enum { N = 24 };
	const struct mat m = help_normal(N, N, 4), skew = mat_new(&arena, N, N);
	for (size_t i = 0; i < N * N; i++)
		skew.at[i] = (double)(i % N) - (double)(i / N);
	assert_true(measured("translation", m, NULL) < 0.2);
	assert_true(fabs(measured("monotonicity", m, NULL)) < 0.2);
	assert_true(measured("symmetry", m, NULL) < 0.3);
	assert_true(isinf(measured("symmetry", skew, NULL)));
	const struct mat last = mat_zero(&arena, N, N);
	for (size_t t = 0; t < N; t++)
		mat_row(last, t)[N - 1] = 1;
	assert_true(measured("direction", last, NULL) > 0.9);
	assert_true(measured("locality", last, NULL) < 0.1);
}

TEST(metrics_that_are_not_defined)
{
	static const uint8_t none[9] = {0};
	double one[1] = {1};
	const struct mat zero = mat_zero(&arena, 3, 3), m = help_normal(3, 3, 1);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (strcmp(metrics[i].name, "entropy") != 0)
			assert_true(isnan(measured(metrics[i].name, m, none)));
		if (metrics[i].of_weights && strcmp(metrics[i].name, "row-symmetry") != 0)
			assert_true(isnan(measured(metrics[i].name, zero, NULL)));
	}
	assert_true(isnan(measured("locality", m, NULL))); /* negative weights */
	assert_true(isnan(measured("monotonicity", mat_view(one, 1, 1), NULL)));
	assert_within(measured("locality", mat_view(one, 1, 1), NULL), 1, 0);
	m.at[4] = INFINITY;
	assert_true(isfinite(measured("translation", m, NULL)));
}

/* τ of each side by counting over all keys, not by places. */
TEST(monotonicity_is_that_of_counting)
{
	enum { N = 7 };
	const struct mat m = help_normal(N, N, 3);
	double sum = 0, sides = 0;
	for (int t = 0; t < N; t++)
		for (int sign = -1; sign <= 1; sign += 2) {
			double order = 0, n = 0;
			for (int x = 0; x < N; x++)
				for (int y = 0; y < N; y++) {
					const int u = sign * (x - t), v = sign * (y - t);
					if (u < 1 || v < 1 || u >= v)
						continue;
					order += m.at[t * N + x] > m.at[t * N + y] ? 1 : -1;
					n++;
				}
			sum += n > 0 ? order / n : 0;
			sides += n > 0;
		}
	assert_within(measured("monotonicity", m, NULL), sum / sides, 1e-14);
}

/* ---- word reordering ----------------------------------------------------------------------------- */

TEST(reorderings_of_the_reference_case)
{
	const struct tensor_set set = read_case("wrd-a.safetensors");
	const struct mat moves = help_tensor_named(&set, "moves"),
			 labels = help_tensor_named(&set, "labels"),
			 order = help_tensor_named(&set, "order");
	for (size_t i = 0; i < moves.rows; i++) {
		const double *const move = mat_row(moves, i);
		const struct reordering r = reorder_move((size_t)move[1], (size_t)move[2]);
		size_t is[9], n = 0;
		while (n < 9 && mat_row(order, i)[n] >= 0)
			n++;
		reorder_apply(&r, n, is);
		assert_int_equal(r.inserted, (size_t)mat_row(labels, i)[0]);
		assert_int_equal(r.original, (size_t)mat_row(labels, i)[1]);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(is[k], (size_t)mat_row(order, i)[k]);
	}
}

/* Taking the word at I out and putting it before the word at O brings the sentence back. */
TEST(reorderings_can_be_undone)
{
	for (size_t n = 2; n < 9; n++)
		for (uint64_t seed = 0; seed < 200; seed++) {
			const struct reordering r = reorder_draw(n, seed);
			size_t order[9], back[9], at = 0;
			assert_true(r.from < n && r.to < n && r.from != r.to);
			assert_true(r.inserted != r.original && r.original <= n);
			reorder_apply(&r, n, order);
			for (size_t i = 0; i <= n; i++) {
				if (i == r.original)
					back[at++] = order[r.inserted];
				if (i < n && i != r.inserted)
					back[at++] = order[i];
			}
			assert_int_equal(at, n);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(back[i], i);
		}
}

TEST(reorderings_are_worked)
{
	size_t order[5];
	const struct reordering a = reorder_move(3, 1), b = reorder_move(1, 3);
	assert_true(a.inserted == 1 && a.original == 4 && b.inserted == 3 && b.original == 1);
	reorder_apply(&a, 5, order); /* I small saw the boat */
	assert_true(order[0] == 0 && order[1] == 3 && order[2] == 1 && order[3] == 2 &&
		    order[4] == 4);
	reorder_apply(&b, 5, order); /* I the small saw boat */
	assert_true(order[0] == 0 && order[1] == 2 && order[2] == 3 && order[3] == 1 &&
		    order[4] == 4);
}

/* ---- probes -------------------------------------------------------------------------------------- */

TEST(probes_of_the_reference_case)
{
	const struct tensor_set set = read_case("posreg-relreg-a.safetensors");
	const struct mat vectors = help_tensor_named(&set, "position.vectors"),
			 order = help_tensor_named(&set, "absolute.order"),
			 wanted = help_tensor_named(&set, "absolute.prediction"),
			 pairs = help_tensor_named(&set, "relative.pairs"),
			 errors = help_tensor_named(&set, "relative.fold_error"),
			 weights = help_tensor_named(&set, "relative.converged_coefficients");
	enum { N = 60 };
	size_t rows[N], pair[N][2];
	double predicted[N];
	struct probe p;
	struct err err = {""};
	for (size_t i = 0; i < N; i++) {
		rows[i] = (size_t)order.at[i];
		pair[i][0] = (size_t)mat_row(pairs, i)[0];
		pair[i][1] = (size_t)mat_row(pairs, i)[1];
	}
	assert_true(probe_place_order(vectors, rows, predicted, &p, &err));
	for (size_t i = 0; i < N; i++)
		assert_within(predicted[i], wanted.at[i], 1e-6);
	assert_within(p.error, 0, 0);
	const struct mat found = mat_new(&arena, PROBE_FOLDS, weights.cols);
	assert_true(probe_pairs(vectors, (const size_t(*)[2])pair, N, found, &arena, &p, &err));
	for (size_t f = 0; f < PROBE_FOLDS; f++) {
		assert_within(p.folds[f], errors.at[f], 1e-12);
		for (size_t k = 0; k < weights.cols; k++)
			assert_within(mat_row(found, f)[k], mat_row(weights, f)[k], 1e-5);
	}
}

/* One-hot rows tell nothing of places that were held out; noise neither; a ramp tells all. */
TEST(probes_tell_noise_from_places)
{
	enum { N = 64, D = 4 };
	struct probe p;
	struct rng rng;
	rng_init(&rng, 2);
	const struct mat noise = mat_new(&arena, N, D), ramp = mat_new(&arena, N, D);
	mat_fill_normal(noise, 1, &rng);
	mat_fill_normal(ramp, 1e-3, &rng);
	for (size_t t = 0; t < N; t++)
		mat_row(ramp, t)[1] += (double)t;
	probe_place(noise, 0, &arena, &p);
	assert_true(p.error > 0.8 * p.chance);
	probe_pair(noise, 0, &arena, &p);
	assert_true(p.error > 0.2 && p.chance > 0.4);
	probe_place(ramp, 0, &arena, &p);
	assert_within(p.error, 0, 0);
	probe_pair(ramp, 0, &arena, &p);
	assert_true(p.error < 0.05);
}

/* Vectors that are equal but for three of them, as degrees of the nodes of a chain are, tell no position
 * of the others: least squares must not fit the rounding of a mean, whatever the seed puts into a fold.
 */
TEST(probes_fit_no_rounding)
{
	enum { PLACES = 129, WIDTH = 64 };
	const struct mat m = mat_new(&arena, PLACES, WIDTH);
	struct rng rng;
	rng_init(&rng, 7);
	const struct mat kinds = mat_new(&arena, 4, WIDTH);
	mat_fill_normal(kinds, 0.01, &rng);
	for (size_t j = 0; j < WIDTH; j++) /* three that are nearly the common one */
		for (size_t i = 0; i < 4; i++)
			mat_row(kinds, i)[j] = i == 0 ? 100 * mat_row(kinds, 0)[j]
						      : mat_row(kinds, 0)[j] + mat_row(kinds, i)[j];
	for (size_t i = 0; i < PLACES; i++)
		memcpy(mat_row(m, i),
		       mat_row(kinds, i == 0		? 1
				      : i == 1		? 2
				      : i == PLACES - 1 ? 3
							: 0),
		       WIDTH * sizeof(double));
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct probe p;
		probe_place(m, seed, &arena, &p);
		if (!(p.error > 0.8 * p.chance && p.error < 1.2 * p.chance))
			fail_msg("seed %d: %g, by guessing %g", (int)seed, p.error, p.chance);
	}
	/* Neither are there positions in rounding alone. */
	for (size_t i = 0; i < PLACES; i++)
		for (size_t j = 0; j < WIDTH; j++)
			mat_row(m, i)[j] = 0.1 * (double)(j + 1) + (double)(i % 3) * 0x1p-54;
	struct probe p;
	probe_place(m, 0, &arena, &p);
	assert_true(p.error < 1.2 * p.chance);
}

TEST(probes_need_places)
{
	struct probe p;
	probe_place(mat_zero(&arena, 9, 3), 0, &arena, &p);
	assert_true(p.why && isnan(p.error));
	probe_pair(mat_zero(&arena, 4, 3), 0, &arena, &p);
	assert_true(p.why && isnan(p.error));
	probe_pair(mat_zero(&arena, 20, 200), 0, &arena, &p);
	assert_true(!p.why && p.error > 0.3); /* nothing can be read off zeros */
	probe_place(mat_zero(&arena, 20, 3), 0, &arena, &p);
	assert_true(p.error > 4 && !p.why);
	const struct mat bad = mat_zero(&arena, 20, 3);
	bad.at[7] = NAN;
	probe_place(bad, 0, &arena, &p);
	assert_true(p.why && isnan(p.error));
}

/* Columns that are nothing new change nothing: of 200 numbers and of the same rows in fewer columns what is learned
 * is the same. */
TEST(probe_of_wide_vectors_is_that_of_their_rows)
{
	struct rng rng;
	rng_init(&rng, 8);
	const struct mat narrow = mat_new(&arena, 40, 6), turn = mat_new(&arena, 6, 200),
			 wide = mat_new(&arena, 40, 200);
	mat_fill_normal(narrow, 1, &rng);
	mat_fill(turn, 0);
	for (size_t i = 0; i < 6; i++)
		mat_row(turn, i)[31 * i] = i % 2 ? -1 : 1;
	mat_mul(wide, 1, narrow, false, turn, false, 0);
	struct probe few, many;
	probe_pair(narrow, 3, &arena, &few);
	probe_pair(wide, 3, &arena, &many);
	assert_true(!few.why && !many.why);
	for (size_t f = 0; f < PROBE_FOLDS; f++)
		assert_true(fabs(few.folds[f] - many.folds[f]) < 1e-12);
}
