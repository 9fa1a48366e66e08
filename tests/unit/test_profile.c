/* test_profile.c: what heads do with position: heads made by hand, constructed sums, least squares over the
 * whole design, bands of a rotation, noise. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_mat.h"
#include "posviz/analysis/profile_run.h"
#include "posviz/base/rng.h"
#include "posviz/math/machine.h"

FIXTURE(open_arena, close_arena)

static const struct profile_sizes small = {.layers = 1, .heads = 1, .n = 12};

static uint8_t *causal(size_t n)
{
	uint8_t *const mask = arena_calloc(&arena, n * n, 1);
	for (size_t i = 0; i < n * n; i++)
		mask[i] = i % n <= i / n;
	return mask;
}

/* Weights 1 on the keys that a rule chooses, else on the query itself; of several equal ones. */
typedef bool chooses(const long *ids, size_t n, size_t t, size_t s);

static bool previous(const long *ids, size_t n, size_t t, size_t s)
{
	return (void)ids, (void)n, s + 1 == t;
}

static bool first(const long *ids, size_t n, size_t t, size_t s)
{
	return (void)ids, (void)n, (void)t, s == 0;
}

static bool same(const long *ids, size_t n, size_t t, size_t s)
{
	return (void)n, s != t && ids[s] == ids[t];
}

static bool induction(const long *ids, size_t n, size_t t, size_t s)
{
	return (void)n, s > 0 && s <= t && ids[s - 1] == ids[t];
}

static bool within_two(const long *ids, size_t n, size_t t, size_t s)
{
	return (void)ids, (void)n, (s > t ? s - t : t - s) <= 2;
}

static bool all(const long *ids, size_t n, size_t t, size_t s)
{
	return (void)ids, (void)n, (void)t, (void)s, true;
}

static struct mat head_of(chooses *rule, const long *ids, size_t n)
{
	const struct mat out = mat_zero(&arena, n, n);
	for (size_t t = 0; t < n; t++) {
		double count = 0;
		for (size_t s = 0; s <= t; s++)
			count += rule(ids, n, t, s);
		for (size_t s = 0; s <= t; s++)
			mat_row(out, t)[s] = count > 0 ? rule(ids, n, t, s) / count : s == t;
	}
	return out;
}

enum { N = 40 };

/* Each head scores 1 where its rule says so, and stands out there. */
TEST(heads_made_by_hand_are_what_they_are)
{
	static const struct {
		chooses *rule;
		enum profile_score score;
		double value;
	} rows[] = {{previous, PROFILE_PREVIOUS, 1}, {first, PROFILE_FIRST, 1},
		    {same, PROFILE_SAME, 1},	     {induction, PROFILE_INDUCTION, 1},
		    {within_two, PROFILE_LOCAL, 1},  {all, PROFILE_ENTROPY, NAN}};
	enum { ROWS = sizeof rows / sizeof *rows };
	const struct profile_sizes sizes = {.layers = 1, .heads = ROWS, .n = N};
	struct profile *const p = profile_new(&sizes, &arena);
	const uint8_t *const mask = causal(N);
	struct profile_in heads[ROWS] = {{{0}}};
	long ids[N], repeated[N];
	struct err err = {""};
	assert_int_equal(profile_block(&sizes), 10);
	for (size_t i = 0; i < N; i++) {
		ids[i] = (long)(i % 7);
		repeated[i] = (long)(i % 10);
	}
	for (size_t i = 0; i < ROWS; i++)
		heads[i] =
			(struct profile_in){.weights = head_of(rows[i].rule, ids, N), .mask = mask};
	assert_true(profile_add(p, heads, ids, &err));
	for (size_t i = 0; i < ROWS; i++)
		heads[i].weights = head_of(rows[i].rule, repeated, N);
	profile_add_repeated(p, heads);
	for (size_t i = 0; i < ROWS; i++) {
		struct profile_head h;
		profile_result(p, 0, i, true, &arena, &h);
		if (!isnan(rows[i].value))
			assert_within(h.score[rows[i].score], rows[i].value, 1e-12);
		assert_true(h.stands[rows[i].score]);
		assert_int_equal(h.stands[PROFILE_PREVIOUS],
				 rows[i].rule == previous || rows[i].rule == within_two);
		assert_int_equal(h.stands[PROFILE_INDUCTION], rows[i].rule == induction);
		assert_int_equal(h.stands[PROFILE_FIRST], rows[i].score == PROFILE_FIRST);
	}
	/* Of a constant head: the mean of ln t, and of (t−1)/2, over 40 queries. */
	struct profile_head h;
	double entropy = 0;
	for (size_t t = 1; t <= N; t++)
		entropy += log((double)t) / N;
	profile_result(p, 0, 5, false, &arena, &h);
	assert_within(h.score[PROFILE_ENTROPY], entropy, 1e-12);
	assert_within(h.score[PROFILE_DISTANCE], 39.0 / 4, 1e-12);
	assert_within(h.sd, 0, 0);
	profile_result(p, 0, 0, false, &arena, &h);
	assert_within(h.weight[N - 2], 1, 1e-12);
	assert_within(h.weight[N - 3], 0, 1e-12);
	assert_true(isnan(h.weight[N]) && isnan(h.score[PROFILE_ORDER]));
	assert_string_equal(h.why, "some logit is not finite, or weight 0");
}

/* Sentences on the same heads, and on kernels made by hand, name them with their numbers. */
TEST(heads_made_by_hand_are_told_in_words)
{
	enum { ALONE, CONTENT, ITSELF, SLOPE, PREVIOUS, FIRST, HEADS };
	const struct profile_run run = {.sizes = {.layers = 2, .heads = 3, .n = 3}};
	static double kernel[HEADS][5] = {
		[ITSELF] = {NAN, .1, 2, NAN, NAN}, [SLOPE] = {-2, -1, 0, NAN, NAN}};
	struct profile_head heads[HEADS] = {{0}};
	const char *said[PROFILE_FACTS];
	for (size_t i = 0; i < HEADS; i++) {
		heads[i].distance = .3;
		heads[i].kernel = kernel[i];
	}
	kernel[ITSELF][0] = -.1;
	heads[ALONE].distance = .9;
	heads[ALONE].key = .07;
	heads[CONTENT].distance = .004;
	heads[PREVIOUS].stands[PROFILE_PREVIOUS] = heads[FIRST].stands[PROFILE_FIRST] = true;
	heads[PREVIOUS].score[PROFILE_PREVIOUS] = 1;
	heads[FIRST].score[PROFILE_FIRST] = .75;
	heads[SLOPE].score[PROFILE_FIRST] = .75; /* no more than noise */
	static const char *const expected[] = {
		"Position explains most of the logits' variance in 1 of 6 heads: 1·1 (97 %).",
		"1 of 6 heads gives most of its weight to the previous token: 2·2 (100 %).",
		"1 of 6 heads gives most of its weight to the first token, a sink: 2·3 (75 %).",
		("The kernel of head 1·3 stands out at distance 0 alone, where a token meets itself, "
		 "which needs no positions."),
		"1 of 6 heads ignores position, which explains 1 % or less: 1·2."};
	const size_t n = profile_facts(&run, heads, &arena, said);
	assert_int_equal(n, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(said[i], expected[i]);
}

/* The first sentence is about position whatever the heads are, and names them if they are at most three. */
TEST(the_first_sentence_is_about_position)
{
	enum { HEADS = 5 };
	static const struct {
		double share[HEADS];
		size_t layers;
		const char *said;
	} rows[] = {
		{{.91, .6, .2, .1, .7},
		 1,
		 "Position explains most of the logits' variance in 3 of 5 heads: 1 (91 %), 5 (70 %), 2 (60 %)."},
		{{.91, .6, .55, .1, .7},
		 1,
		 "Position explains most of the logits' variance in 4 of 5 heads, up to 91 % (1)."},
		{{.91, .6, .55, .5, .7},
		 5,
		 "Position explains most of the logits' variance in all 5 heads, 50 % (4·1) to 91 % (1·1)."},
		{{.1, .31, .2, .1, NAN},
		 1,
		 "No head goes mostly by position, which explains at most 31 % of the logits' variance (2)."},
		{{.01, .002, .003, 0, 0},
		 5,
		 "No head goes by position, which explains at most 1 % of the logits' variance (1·1)."},
		{{.001, .002, .003, 0, 0},
		 5,
		 "No head goes by position, which explains less than 1 % of the logits' variance."},
		{{NAN, NAN, NAN, NAN, NAN},
		 1,
		 "No head's logits vary within rows, and none gives most of its weight to one kind of token."},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct profile_run run = {.sizes = {.layers = rows[i].layers,
							  .heads = HEADS / rows[i].layers,
							  .n = 3}};
		struct profile_head heads[HEADS] = {{0}};
		const char *said[PROFILE_FACTS];
		for (size_t h = 0; h < HEADS; h++)
			heads[h].distance = rows[i].share[h];
		assert_true(profile_facts(&run, heads, &arena, said) > 0);
		assert_string_equal(said[0], rows[i].said);
	}
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Near tokens and the frame stay, the others move; the shuffle is a permutation. */
TEST(only_far_tokens_are_shuffled)
{
	const struct profile_sizes sizes = {.layers = 1, .heads = 1, .n = N, .front = 1, .back = 2};
	size_t order[N], seen[N] = {0}, moved = 0;
	assert_int_equal(profile_shuffle(&sizes, 3, order), 20);
	for (size_t i = 0; i < N; i++) {
		seen[order[i]]++;
		moved += order[i] != i;
		if (i == 0 || i >= N - 2 || (i >= 12 && i <= 28))
			assert_int_equal(order[i], i);
	}
	for (size_t i = 0; i < N; i++)
		assert_int_equal(seen[i], 1);
	assert_true(moved > 10);
}

/* A head that reads words alone finds them again: 0. One that reads positions has all of its weight on other
 * words, where they moved: here on one token that did, 1. */
TEST(order_sensitivity_of_words_and_of_positions)
{
	const struct profile_sizes sizes = {.layers = 1, .heads = 2, .n = N};
	struct profile *const p = profile_new(&sizes, &arena);
	const struct mat words = mat_zero(&arena, N, N), moved = mat_zero(&arena, N, N),
			 place = mat_zero(&arena, N, N);
	size_t order[N], token = 0;
	struct err err = {""};
	profile_shuffle(&sizes, 3, order);
	while (order[token] == token)
		token++;
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s < N; s++) {
			mat_row(words, t)[s] = (double)(s + 1);
			mat_row(moved, t)[s] = (double)(order[s] + 1);
			mat_row(place, t)[s] = s == token;
		}
	const struct profile_in before[2] = {{.weights = words}, {.weights = place}};
	const struct profile_in after[2] = {{.weights = moved}, {.weights = place}};
	assert_true(profile_add(p, before, NULL, &err));
	profile_add_shuffled(p, before, after, order);
	struct profile_head h;
	profile_result(p, 0, 0, false, &arena, &h);
	assert_within(h.score[PROFILE_ORDER], 0, 1e-12);
	assert_true(isnan(h.score[PROFILE_SAME]));
	profile_result(p, 0, 1, false, &arena, &h);
	assert_within(h.score[PROFILE_ORDER], 1, 1e-12);
}

/* ---- kernels and shares ------------------------------------------------------------------------- */

static void add(struct profile *p, struct mat logits, const uint8_t *mask)
{
	struct err err = {""};
	const struct profile_in in = {.logits = logits, .weights = logits, .mask = mask};
	if (!profile_add(p, &in, NULL, &err))
		fail_msg("%s", err.text);
}

/* Whatever a row adds to all of its keys, the kernel is the bias by distance, up to a constant: also a slope
 * under a causal mask, where far distances are those of long rows. Weights alone tell the same. */
TEST(kernel_is_the_bias_by_distance)
{
	for (int is_causal = 0; is_causal < 2; is_causal++) {
		const size_t n = small.n;
		const uint8_t *const mask = is_causal ? causal(n) : NULL;
		struct profile *const p = profile_new(&small, &arena);
		const struct mat logits = mat_new(&arena, n, n), weights = mat_zero(&arena, n, n);
		double bias[23], mean = 0, n_pairs = 0;
		for (size_t i = 0; i < 23; i++)
			bias[i] = -0.5 * fabs((double)i - 11) + (i == 10 ? 3 : 0);
		for (size_t t = 0; t < n; t++) {
			double sum = 0;
			for (size_t s = 0; s < n; s++) {
				mat_row(logits, t)[s] = bias[s + 11 - t] + (double)(t * t);
				if (mask && !mask[t * n + s])
					continue;
				mat_row(weights, t)[s] = exp(bias[s + 11 - t]);
				sum += mat_row(weights, t)[s];
				mean += bias[s + 11 - t];
				n_pairs++;
			}
			for (size_t s = 0; s < n; s++)
				mat_row(weights, t)[s] /= sum;
		}
		add(p, logits, mask);
		struct profile *const q = profile_new(&small, &arena);
		struct err err = {""};
		assert_true(profile_add(q, &(struct profile_in){.weights = weights, .mask = mask},
					NULL, &err));
		struct profile_head h, w;
		profile_result(p, 0, 0, false, &arena, &h);
		profile_result(q, 0, 0, false, &arena, &w);
		for (size_t i = 0; i < 23; i++) {
			if (is_causal && i > 11) {
				assert_true(isnan(h.kernel[i]));
				continue;
			}
			assert_within(h.kernel[i], bias[i] - mean / n_pairs, 1e-9);
			assert_within(w.kernel[i], h.kernel[i], 1e-9);
		}
		assert_within(h.distance, 1, 1e-12);
		assert_within(h.content + h.key, 0, 1e-9);
		assert_null(h.why);
	}
}

/* Three windows of f(s−t) + g(s) + noise: the same as least squares over indicators of all rows, distances
 * and keys. */
static double explained(const struct mat *windows, size_t n_windows, const uint8_t *mask, size_t n,
			size_t front, bool distance, bool key)
{
	const size_t cols = n_windows * n + 3 * n;
	const struct mat x = mat_zero(&arena, n_windows * n * n, cols),
			 b = mat_zero(&arena, cols, 1), y = mat_zero(&arena, n_windows * n * n, 1);
	size_t rows = 0;
	for (size_t w = 0; w < n_windows; w++)
		for (size_t i = 0; i < n * n; i++) {
			const size_t t = i / n, s = i % n;
			if (!mask[i] || t < front || s < front)
				continue;
			y.at[rows] = mat_row(windows[w], t)[s];
			mat_row(x, rows)[w * n + t] = 1;
			mat_row(x, rows)[n_windows * n + s + n - t] = distance;
			mat_row(x, rows)[n_windows * n + 2 * n + s] = key;
			rows++;
		}
	struct err err = {""};
	const struct mat some = mat_rows(x, 0, rows), of = mat_rows(y, 0, rows);
	assert_true(mat_least_squares(some, of, b, &arena, &err));
	mat_mul(of, -1, some, false, b, false, 1);
	return mat_dot(of, of);
}

TEST(shares_are_those_of_least_squares)
{
	enum { WINDOWS = 3, M = 10 };
	for (size_t front = 0; front < 2; front++) {
		const struct profile_sizes sizes = {
			.layers = 1, .heads = 1, .n = M, .front = front};
		const uint8_t *const mask = causal(M);
		struct profile *const p = profile_new(&sizes, &arena);
		struct mat windows[WINDOWS];
		struct rng rng;
		rng_init(&rng, 5);
		for (size_t w = 0; w < WINDOWS; w++) {
			windows[w] = mat_new(&arena, M, M);
			for (size_t i = 0; i < M * M; i++) {
				const double distance = (double)(i % M) - (double)(i / M);
				windows[w].at[i] = sin(distance) + 0.2 * (double)(i % M % 3) +
						   0.3 * rng_normal(&rng) + (double)w;
			}
			add(p, windows[w], mask);
		}
		const double all = explained(windows, WINDOWS, mask, M, front, false, false),
			     f = explained(windows, WINDOWS, mask, M, front, true, false),
			     fg = explained(windows, WINDOWS, mask, M, front, true, true);
		struct profile_head h;
		profile_result(p, 0, 0, false, &arena, &h);
		assert_within(h.distance, (all - f) / all, 1e-9);
		assert_within(h.key, (f - fg) / all, 1e-9);
		assert_within(h.content, fg / all, 1e-9);
		assert_true(h.distance > 0.5 && h.key > 0.01 && h.content > 0.05);
	}
}

/* Without a mask a checkerboard of signs, (−1)^(s+t), is a function of distance; g(s) = 1 for one key is not:
 * in rows of 12, 11/12 of its squares are left by rows, and all but what distances explain is of the key.
 * Noise of opposite signs in two windows is content. */
TEST(shares_of_known_sums)
{
	const size_t n = small.n;
	struct profile *const p = profile_new(&small, &arena);
	const struct mat plus = mat_new(&arena, n, n), minus = mat_new(&arena, n, n);
	struct rng rng;
	double noise = 0;
	rng_init(&rng, 1);
	for (size_t t = 0; t < n; t++) {
		double e[12], mean = 0;
		for (size_t s = 0; s < n; s++)
			mean += (e[s] = rng_normal(&rng)) / 12;
		for (size_t s = 0; s < n; s++) {
			const double sign = (s + t) % 2 ? -1 : 1;
			mat_row(plus, t)[s] = sign + (e[s] - mean);
			mat_row(minus, t)[s] = sign - (e[s] - mean);
			noise += 2 * (e[s] - mean) * (e[s] - mean);
		}
	}
	add(p, plus, NULL);
	add(p, minus, NULL);
	struct profile_head h;
	profile_result(p, 0, 0, false, &arena, &h);
	assert_within(h.distance, 288 / (288 + noise), 1e-9);
	assert_within(h.content, noise / (288 + noise), 1e-9);
	assert_within(h.key, 0, 1e-9);
	assert_within(h.kernel[11], 1, 1e-9);
	assert_within(h.kernel[12], -1, 1e-9);
	assert_within(h.sd, sqrt((288 + noise) / 288), 1e-9);
	const struct mat mean = profile_pairs(p, 0, 0, &arena);
	assert_within(mat_row(mean, 3)[4], -1, 1e-12);
}

/* Each window twice, in another order, and computed by one thread. */
static void add_all(void *context, size_t i, size_t worker)
{
	(void)worker;
	struct profile *const *const p = context;
	const size_t n = small.n;
	for (size_t k = 0; k < 5; k++) {
		struct rng rng;
		const struct mat m = mat_new(&arena, n, n);
		rng_init(&rng, i < 2 ? k : 4 - k);
		mat_fill_normal(m, 1, &rng);
		for (size_t s = 0; s < n * n; s++)
			m.at[s] = exp(m.at[s]);
		add(p[i], m, NULL);
	}
}

TEST(neither_threads_nor_the_order_of_windows_matter)
{
	struct profile *p[4];
	struct profile_head h[3];
	for (size_t i = 0; i < 3; i++)
		p[i] = profile_new(&small, &arena);
	p[3] = p[1];
	add_all(p, 0, 0);
	machine_parallel(1, add_all, p + 1); /* within it everything is of one thread */
	add_all(p, 2, 0);
	for (size_t i = 0; i < 3; i++)
		profile_result(p[i], 0, 0, false, &arena, &h[i]);
	assert_true(h[0].distance == h[1].distance && h[0].kernel[3] == h[1].kernel[3]);
	assert_within(h[0].distance, h[2].distance, 1e-12);
	assert_within(h[0].key, h[2].key, 1e-12);
	for (size_t i = 0; i < 23; i++) {
		assert_within(h[0].kernel[i], h[2].kernel[i], 1e-12);
		assert_within(h[0].kernel_half[i], h[2].kernel_half[i], 1e-12);
	}
}

/* t(0.975) of 1 and 199 degrees of freedom is 12.7062 and 1.971957. */
TEST(half_widths_are_students)
{
	assert_true(isnan(profile_half_width(1, 3, 9)));
	assert_within(profile_half_width(2, 4, 10), 12.7062, 1e-4);
	assert_within(profile_half_width(200, 0, 199), 1.971957 / sqrt(200), 1e-6);
	assert_within(profile_half_width(12, 0, 11), 2.200985 / sqrt(12), 5e-5);
	assert_within(profile_half_width(50, 50 * 0.1, 50 * (0.1 * 0.1)), 0, 0);
}

/* ---- bands ----------------------------------------------------------------------------------- */

/* Vectors that are equal everywhere and turn by 1 and 0.3 radians: the bands are cos(s−t)/2 and
 * 4 cos(0.3 (s−t))/2, their sum the logits, and the kernel is all. */
TEST(bands_sum_to_the_logits)
{
	for (int half = 0; half < 2; half++) {
		const struct profile_sizes sizes = {.layers = 1, .heads = 1, .n = 12, .bands = 2};
		struct profile *const p = profile_new(&sizes, &arena);
		const struct mat q = mat_new(&arena, 12, 4), logits = mat_new(&arena, 12, 12);
		double cov[2] = {0}, all = 0;
		struct err err = {""};
		for (size_t t = 0; t < 12; t++)
			for (size_t i = 0; i < 2; i++) {
				const double angle = (double)t * (i ? 0.3 : 1), length = i ? 2 : 1;
				mat_row(q, t)[half ? i : 2 * i] = length * cos(angle);
				mat_row(q, t)[half ? i + 2 : 2 * i + 1] = length * sin(angle);
			}
		mat_mul(logits, 0.5, q, false, q, true, 0);
		for (size_t t = 0; t < 12; t++) {
			double band[2][12], mean[2] = {0};
			for (size_t s = 0; s < 12; s++)
				for (size_t i = 0; i < 2; i++) {
					band[i][s] = (i ? 2 : 0.5) *
						     cos(((double)s - (double)t) * (i ? 0.3 : 1));
					mean[i] += band[i][s] / 12;
				}
			for (size_t s = 0; s < 12; s++) {
				const double sum = band[0][s] - mean[0] + band[1][s] - mean[1];
				all += sum * sum;
				cov[0] += (band[0][s] - mean[0]) * sum;
				cov[1] += (band[1][s] - mean[1]) * sum;
			}
		}
		assert_true(profile_add(p,
					&(struct profile_in){.logits = logits,
							     .weights = logits,
							     .q = q,
							     .k = q,
							     .pairs = 2,
							     .half = half,
							     .c = 0.5},
					NULL, &err));
		struct profile_head h;
		profile_result(p, 0, 0, false, &arena, &h);
		assert_within(h.band[0], cov[0] / all, 1e-12);
		assert_within(h.band[1], cov[1] / all, 1e-12);
		assert_within(h.band[2], 0, 1e-12);
		assert_within(h.band_mean[0], h.band[0], 1e-9);
		assert_within(h.band_mean[2], 0, 1e-12);
		assert_within(h.distance, 1, 1e-12);
		assert_true(h.band[0] > 0.01 && h.band[1] > 0.01);
	}
}

/* ---- noise, and what is refused ------------------------------------------------------------------ */

TEST(noise_passes_no_score)
{
	enum { HEADS = 60 };
	const struct profile_sizes sizes = {.layers = 1, .heads = HEADS, .n = N};
	struct profile *const p = profile_new(&sizes, &arena);
	const uint8_t *const mask = causal(N);
	struct profile_in heads[HEADS];
	size_t order[N];
	long ids[N];
	struct err err = {""};
	for (size_t i = 0; i < N; i++)
		order[i] = i;
	for (size_t w = 0; w < 3; w++) {
		struct rng rng;
		rng_init(&rng, 100 + w);
		for (size_t i = 0; i < N; i++)
			ids[i] = (long)rng_below(&rng, 12);
		for (size_t i = 0; i < HEADS; i++) {
			const struct mat m = mat_new(&arena, N, N);
			mat_fill_normal(m, 1, &rng);
			for (size_t k = 0; k < N * N; k++)
				m.at[k] = mask[k] ? m.at[k] : -INFINITY;
			mat_softmax(m, m);
			heads[i] = (struct profile_in){.weights = m, .mask = mask};
		}
		assert_true(profile_add(p, heads, ids, &err));
		profile_add_repeated(p, heads);
		profile_add_shuffled(p, heads, heads, order);
	}
	for (size_t i = 0; i < HEADS; i++) {
		struct profile_head h;
		profile_result(p, 0, i, true, &arena, &h);
		for (size_t k = 0; k < PROFILE_SCORES; k++) {
			assert_false(h.stands[k]);
			assert_true(h.low[k] < h.high[k]);
		}
		assert_true(h.content > 0.9);
	}
}

TEST(a_mask_that_differs_is_refused)
{
	struct profile *const p = profile_new(&small, &arena);
	const struct mat m = mat_zero(&arena, 12, 12);
	struct err err = {""};
	add(p, m, NULL);
	assert_false(
		profile_add(p, &(struct profile_in){.weights = m, .mask = causal(12)}, NULL, &err));
	assert_string_equal(err.text,
			    "the mask of layer 1, head 1 differs between windows; one that "
			    "depends on positions alone would be right");
}

TEST(scores_have_names)
{
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		assert_int_equal(profile_score_find(profile_scores[i].name), i);
	assert_int_equal(profile_score_find("none"), PROFILE_SCORES);
}
