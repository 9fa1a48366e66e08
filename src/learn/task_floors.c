/* task_floors.c: the accuracy that no model without position passes, computed exactly.
 *
 * Without a mask and without position the state at a token is a function of its letter and of the
 * multiset of all letters; with a causal mask and one layer, of its letter and of the multiset of
 * the letters up to it. All arrangements of a multiset are equally likely, so the best answer is
 * the one that most arrangements give. M(n) below is the expected largest count of n letters drawn
 * uniformly from 8. */
#include "task_floors.h"

#include <math.h>
#include <string.h>

#include "posviz/math/mat.h"

enum { LETTERS = 8, DISTANCES = 8 };
static const double capitals = 0.25;

/* Fills out[0..n] with C(n, k) p^k (1 - p)^(n - k). */
static void binomial(size_t n, double p, double *out)
{
	memset(out, 0, (n + 1) * sizeof *out);
	if (p >= 1) {
		out[n] = 1;
		return;
	}
	out[0] = pow(1 - p, (double)n);
	for (size_t k = 0; k < n; k++)
		out[k + 1] = out[k] * (double)(n - k) / (double)(k + 1) * (p / (1 - p));
}

/* P(no count exceeds `most`): the letters one after another, of which each takes a binomial share of
 * what is left. left[r]: the probability that r places are left. */
static double none_exceeds(size_t n, size_t letters, size_t most, const struct mat *share,
			   double *left, double *next)
{
	memset(left, 0, (n + 1) * sizeof *left);
	left[n] = 1;
	for (size_t l = 0; l < letters; l++) {
		memset(next, 0, (n + 1) * sizeof *next);
		for (size_t r = 0; r <= n; r++)
			for (size_t k = 0; left[r] > 0 && k <= r && k <= most; k++)
				next[r - k] += left[r] * mat_row(share[l], r)[k];
		memcpy(left, next, (n + 1) * sizeof *left);
	}
	return left[0];
}

/* E max = Σ_m P(max > m) */
double task_largest_count(size_t n, size_t letters)
{
	struct arena a;
	arena_init(&a);
	struct mat *const share = arena_calloc(&a, letters, sizeof *share);
	for (size_t l = 0; l < letters; l++) {
		share[l] = mat_zero(&a, n + 1, n + 1);
		for (size_t r = 0; r <= n; r++)
			binomial(r, 1 / (double)(letters - l), mat_row(share[l], r));
	}
	double *const left = arena_calloc(&a, n + 1, sizeof *left);
	double *const next = arena_calloc(&a, n + 1, sizeof *next);
	double sum = 0;
	for (size_t m = 0; m < n; m++) {
		const double above = 1 - none_exceeds(n, letters, m, share, left, next);
		sum += above;
		if (m > n / letters && above < 1e-15)
			break;
	}
	arena_release(&a);
	return sum;
}

/* The answer is one of the other letters, each as likely: M(n - 1)/(n - 1). Of a prefix it is one of
 * the t letters before. */
double floor_shift(size_t n, enum sight sight)
{
	double sum = 0;
	if (sight == SIGHT_WHOLE)
		return task_largest_count(n - 1, LETTERS) / (double)(n - 1);
	for (size_t t = 1; t < n; t++)
		sum += task_largest_count(t, LETTERS) / (double)t;
	return sum / (double)(n - 1);
}

/* In a sentence of odd length one token in n mirrors itself: M(n)/n. Behind a causal mask half of the
 * answers cannot be known; there is no floor to give. */
double floor_reverse(size_t n, enum sight sight)
{
	if (sight == SIGHT_PREFIX)
		return NAN;
	return n % 2 ? task_largest_count(n, LETTERS) / (double)n : floor_shift(n, SIGHT_WHOLE);
}

/* A sentence and its twin have the same multiset and opposite answers. */
double floor_order(size_t n, enum sight sight)
{
	(void)n, (void)sight;
	return 0.5;
}

/* Capitals know themselves. Among n letters with C capitals, n - C are not, of which (n - C)/(C + 1)
 * stand before the first and are not asked; at the others each of the C capitals is as likely to
 * be the latest: (n - C)/(C + 1)·M(C) right answers. Of a prefix with C capitals: M(C)/C. */
double floor_nearest(size_t n, enum sight sight)
{
	struct arena a;
	arena_init(&a);
	double right = capitals * (double)n, asked = 0;
	double *const chance = arena_calloc(&a, n + 1, sizeof *chance);
	double *const largest = arena_calloc(&a, n + 1, sizeof *largest);
	for (size_t c = 1; c <= n; c++)
		largest[c] = task_largest_count(c, LETTERS);
	for (size_t t = 0; t < n; t++)
		asked += 1 - pow(1 - capitals, (double)t + 1);
	for (size_t t = sight == SIGHT_WHOLE ? n : 1; t < n + (sight == SIGHT_WHOLE); t++) {
		binomial(t, capitals, chance);
		for (size_t c = 1; c <= t; c++)
			right +=
				sight == SIGHT_WHOLE
					? chance[c] * (double)(n - c) / ((double)c + 1) * largest[c]
					: (1 - capitals) * chance[c] / (double)c * largest[c];
	}
	arena_release(&a);
	return right / asked;
}

/* The marker, uniform over n places, knows itself. Behind it each distance δ has (n - δ)/n tokens
 * a sentence, and distance 1 is the best guess. */
double floor_dist(size_t n, enum sight sight)
{
	(void)sight;
	double asked = 0;
	for (size_t distance = 0; distance < DISTANCES && distance < n; distance++)
		asked += (double)(n - distance) / (double)n;
	return (1 + (double)(n - 1) / (double)n) / asked;
}

/* A prefix betrays its length by what fractions its letters make; what that is worth is not known. */
double floor_parity(size_t n, enum sight sight)
{
	return sight == SIGHT_PREFIX ? NAN : (double)((n + 1) / 2) / (double)n;
}

double floor_none(size_t n, enum sight sight)
{
	(void)n, (void)sight;
	return 1;
}
