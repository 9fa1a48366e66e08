/* test_map.c: signatures and distances by hand and against the measures of the view Compare; planes of points whose
 * places are known. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/analysis/analysis.h"
#include "posviz/analysis/map.h"
#include "posviz/base/rng.h"

FIXTURE(open_arena, close_arena)

/* A trace of n tokens, with its matrices in `head`. */
static struct trace trace_of(size_t n)
{
	long *const token = arena_calloc(&arena, n + 1, sizeof *token);
	for (size_t i = 0; i < n; i++)
		token[i] = (long)i;
	const struct axis axis = {.n = n, .token = token};
	return (struct trace){.query = axis, .key = axis};
}

static struct map_signature signed_by(const struct trace *t, struct mat bias, struct mat weights,
				      const uint8_t *mask)
{
	struct map_signature s;
	const struct trace_head head = {.bias = bias, .weights = weights, .mask = mask};
	map_signature(t, &head, &head, (struct mat){0}, NULL, 0, &arena, &s);
	return s;
}

static struct mat drawn(size_t n, uint64_t seed)
{
	struct rng rng;
	const struct mat m = mat_new(&arena, n, n);
	rng_init(&rng, seed);
	mat_fill_normal(m, 1, &rng);
	return m;
}

/* Rows of sum 1 over the allowed keys. */
static struct mat shares(size_t n, uint64_t seed, const uint8_t *mask)
{
	const struct mat m = drawn(n, seed);
	for (size_t t = 0; t < n; t++) {
		double sum = 0;
		for (size_t s = 0; s < n; s++) {
			double *const v = &mat_row(m, t)[s];
			*v = mask && !mask[t * n + s] ? 0 : exp(*v);
			sum += *v;
		}
		for (size_t s = 0; s < n; s++)
			mat_row(m, t)[s] /= sum;
	}
	return m;
}

static uint8_t *causal(size_t n, size_t back)
{
	uint8_t *const mask = arena_calloc(&arena, n * n + 1, 1);
	for (size_t i = 0; i < n * n; i++)
		mask[i] = i % n <= i / n && i % n + back >= i / n;
	return mask;
}

/* ---- by hand ------------------------------------------------------------------------------------ */

/* Differences (−1, 0) and (2, 0); less their means (∓½) and (±1): (¼ + ¼ + 1 + 1)/4. */
TEST(biases_are_apart_less_the_means_of_rows)
{
	const struct trace t = trace_of(2);
	const struct mat w = shares(2, 1, NULL);
	const struct map_signature a =
		signed_by(&t, mat_view((double[]){0, 1, 2, 0}, 2, 2), w, NULL);
	const struct map_signature b =
		signed_by(&t, mat_view((double[]){1, 1, 0, 0}, 2, 2), w, NULL);
	const struct map_signature c =
		signed_by(&t, mat_view((double[]){7, 8, 3, 1}, 2, 2), w, NULL);
	assert_within(map_apart(&a, &b, DISTANCE_BIAS), sqrt(2.5 / 4), 1e-15);
	assert_within(map_apart(&a, &c, DISTANCE_BIAS), 0,
		      1e-15); /* each row of c has a constant more */
}

/* By distance (0, 3 | 5, 2) is (1, 3 | 5, 1): 1 is the mean of 0 and 2. */
TEST(curves_are_the_means_of_distances)
{
	const struct trace t = trace_of(2);
	const struct mat w = shares(2, 1, NULL);
	const struct map_signature a =
		signed_by(&t, mat_view((double[]){0, 3, 5, 2}, 2, 2), w, NULL);
	const struct map_signature b =
		signed_by(&t, mat_view((double[]){1, 3, 5, 1}, 2, 2), w, NULL);
	assert_within(map_apart(&a, &b, DISTANCE_CURVE), 0, 1e-15);
	assert_true(map_apart(&a, &b, DISTANCE_BIAS) > 0.1);
	assert_within(mat_row(a.at[DISTANCE_CURVE], 0)[0], -1, 1e-15);
	assert_within(mat_row(a.thumb[DISTANCE_CURVE], 1)[0], 5, 1e-15);
}

/* A unit that stands for no token has no distance. */
TEST(units_without_a_place_have_no_curve)
{
	struct trace t = trace_of(3);
	long token[] = {-1, 0, 1};
	t.query.token = t.key.token = token;
	const struct map_signature a = signed_by(&t, drawn(3, 5), shares(3, 1, NULL), NULL);
	for (size_t s = 0; s < 3; s++) {
		assert_true(isnan(mat_row(a.at[DISTANCE_CURVE], 0)[s]));
		assert_true(isnan(mat_row(a.at[DISTANCE_CURVE], s)[0]));
		assert_false(isnan(mat_row(a.at[DISTANCE_BIAS], 0)[s]));
	}
	const struct trace other = trace_of(3);
	const struct map_signature b = signed_by(&other, drawn(3, 5), shares(3, 1, NULL), NULL);
	assert_false(map_same_units(&a, &b));
	assert_true(map_same_units(&a, &a));
}

/* ½(½ + ½) in a row that sees both keys against one that sees the first. */
TEST(a_masked_key_has_weight_0)
{
	const struct trace t = trace_of(2);
	const struct map_signature a =
		signed_by(&t, drawn(2, 1), mat_view((double[]){0.5, 0.5, 0.5, 0.5}, 2, 2), NULL);
	const struct map_signature b =
		signed_by(&t, drawn(2, 1), mat_view((double[]){1, 9, 0.5, 0.5}, 2, 2),
			  (const uint8_t[]){1, 0, 1, 1});
	assert_within(map_apart(&a, &b, DISTANCE_WEIGHTS), 0.25, 1e-15);
}

/* ---- against the view Compare, and what a distance is ------------------------------------------- */

TEST(scores_are_those_of_the_view_compare)
{
	enum { N = 7 };
	const struct trace t = trace_of(N);
	const uint8_t *const masks[] = {NULL, causal(N, N), causal(N, 2)};
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++) {
			const struct mat x = drawn(N, 3 + i), y = drawn(N, 30 + k);
			const struct mat p = shares(N, 7 + i, masks[i]),
					 q = shares(N, 70 + k, masks[k]);
			const struct map_signature a = signed_by(&t, x, p, masks[i]);
			const struct map_signature b = signed_by(&t, y, q, masks[k]);
			struct apart apart;
			apart_scores(x, masks[i], y, masks[k], &apart);
			assert_within(map_apart(&a, &b, DISTANCE_BIAS), apart.distance, 1e-14);
			apart_weights(p, masks[i], q, masks[k], &apart);
			if (i == k)
				assert_within(map_apart(&a, &b, DISTANCE_WEIGHTS), apart.distance,
					      1e-14);
		}
}

TEST(weights_are_a_metric)
{
	enum { N = 6, MANY = 12 };
	const struct trace t = trace_of(N);
	struct map_signature s[MANY];
	for (size_t i = 0; i < MANY; i++) {
		const uint8_t *const mask = i % 3 ? causal(N, i % 3 * 2) : NULL;
		s[i] = signed_by(&t, drawn(N, i), shares(N, 40 + i, mask), mask);
	}
	for (size_t i = 0; i < MANY; i++)
		for (size_t k = 0; k < MANY; k++) {
			const double d = map_apart(&s[i], &s[k], DISTANCE_WEIGHTS);
			assert_true(i == k ? d <= 0 : d > 0 && d <= 1);
			for (size_t m = 0; m < DISTANCE_OF_COUNT; m++)
				assert_within(map_apart(&s[i], &s[k], (enum distance_of)m),
					      map_apart(&s[k], &s[i], (enum distance_of)m), 1e-15);
			for (size_t m = 0; m < MANY; m++)
				assert_true(d <= map_apart(&s[i], &s[m], DISTANCE_WEIGHTS) +
							 map_apart(&s[m], &s[k], DISTANCE_WEIGHTS) +
							 1e-15);
		}
}

/* Some rows of many, with whole rows behind their means. */
TEST(of_large_matrices_some_rows_are_read)
{
	enum { N = 300 };
	const struct trace t = trace_of(N);
	const struct map_signature a = signed_by(&t, drawn(N, 1), shares(N, 2, NULL), NULL);
	const struct map_signature b = signed_by(&t, drawn(N, 3), shares(N, 4, NULL), NULL);
	assert_int_equal(a.at[DISTANCE_BIAS].rows, MAP_PAIRS / N);
	assert_int_equal(a.at[DISTANCE_BIAS].cols, N);
	assert_int_equal(a.thumb[DISTANCE_BIAS].rows, MAP_SIDE);
	/* Of N(0, 1) and N(0, 1): √2, with 27·300 pairs to about 2 %. */
	assert_within(map_apart(&a, &b, DISTANCE_BIAS), sqrt(2), 0.05);
	double sum = 0;
	for (size_t s = 0; s < N; s++)
		sum += mat_row(a.at[DISTANCE_BIAS], 5)[s];
	assert_within(sum, 0, 1e-10);
}

/* Blocks of 16 rows are read whole; of more rows 16 different ones of the block, with all its columns. */
TEST(small_pictures_are_means_of_blocks)
{
	enum { N = MAP_SIDE * MAP_BLOCK_ROWS, MANY = 2 * N, AT = MANY / MAP_SIDE };
	struct trace t = trace_of(N);
	const struct mat m = drawn(N, 7);
	const struct map_signature a = signed_by(&t, m, shares(N, 2, NULL), NULL);
	for (size_t i = 0; i < MAP_SIDE; i++)
		for (size_t k = 0; k < MAP_SIDE; k++) {
			double sum = 0;
			for (size_t c = 0; c < MAP_BLOCK_ROWS * MAP_BLOCK_ROWS; c++)
				sum += mat_row(m, i * MAP_BLOCK_ROWS +
							  c / MAP_BLOCK_ROWS)[k * MAP_BLOCK_ROWS +
									      c % MAP_BLOCK_ROWS];
			assert_within(mat_row(a.thumb[DISTANCE_BIAS], i)[k],
				      sum / (MAP_BLOCK_ROWS * MAP_BLOCK_ROWS), 1e-12);
		}
	/* Row r has 2 to the (r modulo AT): a sum says which rows were read, and all columns are alike. */
	const struct mat powers = mat_new(&arena, MANY, MANY);
	for (size_t i = 0; i < (size_t)MANY * MANY; i++)
		powers.at[i] = ldexp(1, (int)(i / MANY % AT));
	t = trace_of(MANY);
	const struct map_signature b = signed_by(&t, powers, shares(MANY, 2, NULL), NULL);
	const double read = mat_row(b.thumb[DISTANCE_BIAS], 3)[4] * MAP_BLOCK_ROWS;
	unsigned long bits = (unsigned long)read, n = 0;
	for (; bits > 0; bits &= bits - 1)
		n++;
	assert_within(read, floor(read), 0);
	assert_int_equal(n, MAP_BLOCK_ROWS);
}

TEST(without_a_bias_there_are_weights_alone)
{
	const struct trace t = trace_of(3);
	const struct trace_head head = {.weights = shares(3, 1, NULL)};
	struct map_signature a;
	map_signature(&t, &head, &head, (struct mat){0}, "no logits", 0, &arena, &a);
	assert_string_equal(a.no_bias, "no logits");
	assert_true(isnan(map_apart(&a, &a, DISTANCE_BIAS)));
	assert_within(map_apart(&a, &a, DISTANCE_WEIGHTS), 0, 0);
}

/* ---- planes ------------------------------------------------------------------------------------- */

static struct mat distances_of(const double (*at)[2], size_t n)
{
	const struct mat d = mat_new(&arena, n, n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			mat_row(d, i)[k] = hypot(at[i][0] - at[k][0], at[i][1] - at[k][1]);
	return d;
}

static struct map_plane plane_of(struct mat d, size_t own)
{
	struct map_plane p;
	struct err err = {""};
	const struct map_fix fix = {.anchors = &own, .n_anchors = d.rows > 0};
	if (!map_plane(d, &fix, &arena, &p, &err))
		fail_msg("%s", err.text);
	return p;
}

/* The longer side is the first direction; what is looked at is right of the middle and above it. */
TEST(points_of_a_plane_come_back)
{
	static const double at[][2] = {{0, 0}, {8, 0}, {8, 1}, {0, 1}, {3, 5}};
	const struct mat d = distances_of(at, 5);
	for (size_t own = 0; own < 5; own++) {
		const struct map_plane p = plane_of(d, own);
		assert_within(p.share[0] + p.share[1], 1, 1e-12);
		assert_within(p.negative, 0, 1e-12);
		assert_true(p.share[0] > p.share[1]);
		assert_true(mat_row(p.at, own)[0] > 0 && mat_row(p.at, own)[1] > 0);
		for (size_t i = 0; i < 5; i++)
			for (size_t k = 0; k < 5; k++)
				assert_within(hypot(mat_row(p.at, i)[0] - mat_row(p.at, k)[0],
						    mat_row(p.at, i)[1] - mat_row(p.at, k)[1]),
					      mat_row(d, i)[k], 1e-12);
	}
}

/* A rectangle of 6 by 2 about its middle: (±3, ±1), λ = 4·9 and 4·1. */
TEST(a_rectangle_has_its_axes)
{
	static const double at[][2] = {{0, 0}, {6, 0}, {6, 2}, {0, 2}};
	const struct map_plane p = plane_of(distances_of(at, 4), 2);
	assert_within(p.share[0], 0.9, 1e-12);
	assert_within(p.share[1], 0.1, 1e-12);
	static const double places[][2] = {{-3, -1}, {3, -1}, {3, 1}, {-3, 1}};
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 2; k++)
			assert_within(mat_row(p.at, i)[k], places[i][k], 1e-12);
}

/* Four points that are all 1 apart have three equal directions: a tetrahedron. */
TEST(a_tetrahedron_has_a_third_outside)
{
	const struct mat d = mat_new(&arena, 4, 4);
	for (size_t i = 0; i < 16; i++)
		d.at[i] = i / 4 == i % 4 ? 0 : 1;
	const struct map_plane p = plane_of(d, 0);
	assert_within(p.share[0], 1.0 / 3, 1e-12);
	assert_within(p.share[1], 1.0 / 3, 1e-12);
	assert_within(p.negative, 0, 1e-12);
}

/* A star: its middle is 1 from three leaves that are 2 apart. λ = 2, 2, 0, −¼ by hand. */
TEST(a_star_is_in_no_flat_space)
{
	const struct mat d = mat_new(&arena, 4, 4);
	for (size_t i = 0; i < 16; i++)
		d.at[i] = i / 4 == i % 4 ? 0 : i / 4 == 0 || i % 4 == 0 ? 1 : 2;
	const struct map_plane p = plane_of(d, 1);
	assert_within(p.share[0] + p.share[1], 1, 1e-12);
	assert_within(p.negative, 0.25 / 4.25, 1e-12);
	assert_within(mat_row(p.at, 0)[0], 0, 1e-12);
}

TEST(few_points_have_few_directions)
{
	static const double at[][2] = {{1, 1}, {4, 5}};
	const struct map_plane none = plane_of(mat_new(&arena, 0, 0), 0);
	const struct map_plane one = plane_of(mat_zero(&arena, 1, 1), 0);
	const struct map_plane two = plane_of(distances_of(at, 2), 0);
	const struct map_plane same = plane_of(mat_zero(&arena, 5, 5), 0);
	assert_int_equal(none.at.rows, 0);
	assert_within(one.share[0] + fabs(mat_row(one.at, 0)[0]), 0, 0);
	assert_within(two.share[0], 1, 1e-12);
	assert_within(two.share[1], 0, 0);
	assert_within(mat_row(two.at, 0)[0], 2.5, 1e-12);
	assert_within(mat_row(two.at, 1)[0], -2.5, 1e-12);
	assert_within(same.share[0], 0, 0);
}

TEST(points_of_one_place_are_one)
{
	static const double at[][2] = {{0, 0}, {1, 0}, {0, 0}, {1, 1e-12}, {2, 0}};
	const struct mat d = distances_of(at, 5);
	const size_t *const first = map_first(d, &arena);
	static const size_t firsts[] = {0, 1, 0, 1, 4}, order[] = {2, 1, 3, 4};
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(first[i], firsts[i]);
	const size_t *const nearest = map_nearest(d, 0, &arena);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(nearest[i], order[i]);
}
