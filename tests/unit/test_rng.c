/* test_rng.c: the published sequences, and the distributions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "posviz/base/rng.h"

/* The first outputs of the authors' xoshiro256starstar.c from the state 1, 2, 3, 4. */
TEST(sequence_is_xoshiro256_star_star)
{
	static const uint64_t expected[] = {
		11520,
		0,
		1509978240,
		1215971899390074240,
		1216172134540287360,
		607988272756665600,
		UINT64_C(16172922978634559625),
		8476171486693032832,
		UINT64_C(10595114339597558777),
		2904607092377533576,
	};
	struct rng r = {{1, 2, 3, 4}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		assert_true(rng_u64(&r) == expected[i]);
}

/* The first outputs of the author's splitmix64.c from 1234567. */
TEST(seeding_is_splitmix64)
{
	static const uint64_t expected[4] = {6457827717110365317, 3203168211198807973,
					     UINT64_C(9817491932198370423), 4593380528125082431};
	struct rng r;
	rng_init(&r, 1234567);
	assert_memory_equal(r.s, expected, sizeof expected);
}

TEST(names_and_seeds_give_their_own_sequences)
{
	static const struct {
		uint64_t seed;
		const char *name;
	} rows[] = {{0, ""}, {0, "a"}, {0, "b"}, {0, "ab"}, {0, "ba"}, {1, ""}, {1, "a"}};
	enum { N = sizeof rows / sizeof *rows };
	uint64_t first[N];
	for (size_t i = 0; i < N; i++) {
		struct rng r, again;
		rng_init_name(&r, rows[i].seed, rows[i].name);
		rng_init_name(&again, rows[i].seed, rows[i].name);
		first[i] = rng_u64(&r);
		assert_true(first[i] == rng_u64(&again));
		for (size_t j = 0; j < i; j++)
			assert_true(first[i] != first[j]);
	}
}

/* Moments of 200000 draws; the bounds are about five standard errors. */
TEST(uniform_has_its_moments)
{
	enum { N = 200000 };
	struct rng r;
	rng_init(&r, 7);
	double sum = 0, squares = 0;
	for (int i = 0; i < N; i++) {
		const double u = rng_uniform(&r);
		assert_true(u >= 0 && u < 1);
		sum += u;
		squares += u * u;
	}
	assert_true(fabs(sum / N - 0.5) < 0.004);
	assert_true(fabs(squares / N - 1.0 / 3) < 0.004);
}

TEST(normal_has_its_moments)
{
	enum { N = 200000 };
	struct rng r;
	rng_init(&r, 8);
	double moments[5] = {0};
	for (int i = 0; i < N; i++) {
		const double x = rng_normal(&r);
		assert_true(isfinite(x));
		double power = 1;
		for (int k = 1; k < 5; k++)
			moments[k] += (power *= x) / N;
	}
	assert_true(fabs(moments[1]) < 0.012);
	assert_true(fabs(moments[2] - 1) < 0.016);
	assert_true(fabs(moments[3]) < 0.05);
	assert_true(fabs(moments[4] - 3) < 0.12);
}

TEST(below_is_uniform)
{
	enum { N = 70000, SIDES = 7 };
	struct rng r;
	rng_init(&r, 9);
	double chi2 = 0;
	size_t counts[SIDES] = {0};
	for (int i = 0; i < N; i++)
		counts[rng_below(&r, SIDES)]++;
	for (int i = 0; i < SIDES; i++)
		chi2 += pow((double)counts[i] - N / SIDES, 2) / (N / SIDES);
	assert_true(chi2 < 22.5); /* 6 degrees of freedom, p = 0.001 */
	assert_int_equal(rng_below(&r, 1), 0);
	assert_true(rng_below(&r, SIZE_MAX) < SIZE_MAX);
}

TEST(shuffle_is_a_permutation_and_fair)
{
	enum { ROUNDS = 24000 };
	struct rng r;
	rng_init(&r, 10);
	size_t seen[4][4] = {{0}};
	for (int round = 0; round < ROUNDS; round++) {
		size_t at[4] = {0, 1, 2, 3};
		unsigned present = 0;
		rng_shuffle(&r, at, 4);
		for (size_t i = 0; i < 4; i++) {
			present |= 1U << at[i];
			seen[i][at[i]]++;
		}
		assert_int_equal(present, 15);
	}
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++)
			assert_true(fabs((double)seen[i][j] - ROUNDS / 4.0) < 350);
	rng_shuffle(&r, NULL, 0);
}
