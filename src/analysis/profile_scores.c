/* profile_scores.c: scores of attention weights, and what noise heads have of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/rng.h"
#include "posviz/math/machine.h"
#include "profile_in.h"

const struct profile_score_row profile_scores[PROFILE_SCORES] = {
	[PROFILE_PREVIOUS] = {"previous", "previous token", "p of key t−1", "Clark et al. 2019"},
	[PROFILE_FIRST] = {"first", "first token", "p of key 1, for the queries behind it",
			   "Xiao et al. 2024, attention sinks"},
	[PROFILE_SAME] = {"same", "same token",
			  "Σ p of the other keys whose token is the query's, over the queries that "
			  "have one",
			  "Olsson et al. 2022, copying"},
	[PROFILE_INDUCTION] = {"induction", "induction",
			       "on random tokens that are repeated: Σ p of the keys that follow "
			       "an earlier occurrence of the query's token",
			       "Olsson et al. 2022, prefix matching"},
	[PROFILE_LOCAL] = {"local", "local mass", "Σ p of the keys with |s−t| ≤ 8",
			   "Sukhbaatar et al. 2019"},
	[PROFILE_ENTROPY] = {"entropy", "entropy", "−Σ p ln p, in nats", "Clark et al. 2019", true},
	[PROFILE_DISTANCE] = {"distance", "mean distance", "Σ p |s−t|, in tokens",
			      "Vig and Belinkov 2019", true},
	[PROFILE_ORDER] = {"order", "order sensitivity",
			   "½ Σ |p − p'| of the query in the middle, where p' is after a shuffle "
			   "of all tokens farther than 8, with each weight at its token",
			   "ours: total variation"},
};

enum profile_score profile_score_find(const char *name)
{
	size_t i = 0;
	while (i < PROFILE_SCORES && strcmp(profile_scores[i].name, name) != 0)
		i++;
	return (enum profile_score)i;
}

/* ---- one window ------------------------------------------------------------------------------ */

struct mean {
	double sum, n;
};

static void mean_add(struct mean *m, double value)
{
	m->sum += value;
	m->n++;
}

static double mean_of(const struct mean *m)
{
	return m->n > 0 ? m->sum / m->n : NAN;
}

static double row_sum(const struct profile_design *d, struct mat weights, size_t t)
{
	const uint8_t *const mask = d->mask + t * d->sizes->n;
	double sum = 0;
	for (size_t s = 0; s < d->sizes->n; s++)
		sum += mask[s] ? mat_row(weights, t)[s] : 0;
	return sum;
}

/* Adds to the scores that need all keys of a row. */
static void add_spread(const struct profile_design *d, const double *p, double sum, size_t t,
		       struct mean *means)
{
	const uint8_t *const mask = d->mask + t * d->sizes->n;
	double near = 0, entropy = 0, far = 0;
	for (size_t s = 0; s < d->sizes->n; s++) {
		const double w = mask[s] ? p[s] / sum : 0;
		const size_t apart = s > t ? s - t : t - s;
		near += apart <= PROFILE_NEAR ? w : 0;
		entropy -= w > 0 ? w * log(w) : 0;
		far += w * (double)apart;
	}
	mean_add(&means[PROFILE_LOCAL], near);
	mean_add(&means[PROFILE_ENTROPY], entropy);
	mean_add(&means[PROFILE_DISTANCE], far);
}

static void add_same(const struct profile_design *d, const double *p, double sum, size_t t,
		     const long *ids, struct mean *to)
{
	const size_t n = d->sizes->n;
	double same = 0;
	bool any = false;
	for (size_t s = 0; s < n; s++) {
		if (s == t || !d->counts[t * n + s] || ids[s] != ids[t])
			continue;
		same += p[s] / sum;
		any = true;
	}
	if (any)
		mean_add(to, same);
}

void profile_score_window(const struct profile_design *d, struct mat weights, const long *ids,
			  double out[PROFILE_SCORES])
{
	const struct profile_sizes *const z = d->sizes;
	struct mean means[PROFILE_SCORES] = {{0}};
	for (size_t t = z->front; t + z->back < z->n; t++) {
		const double *const p = mat_row(weights, t), sum = row_sum(d, weights, t);
		const uint8_t *const counts = d->counts + t * z->n;
		if (!(sum > 0))
			continue;
		if (t > z->front && counts[t - 1])
			mean_add(&means[PROFILE_PREVIOUS], p[t - 1] / sum);
		if (t > 0 && d->mask[t * z->n])
			mean_add(&means[PROFILE_FIRST], p[0] / sum);
		if (ids)
			add_same(d, p, sum, t, ids, &means[PROFILE_SAME]);
		add_spread(d, p, sum, t, means);
	}
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		out[i] = mean_of(&means[i]);
}

size_t profile_block(const struct profile_sizes *z)
{
	const size_t inner = z->n - z->front - z->back;
	const size_t block = inner / PROFILE_REPEATS;
	return block < 2 ? 0 : block < PROFILE_BLOCK ? block : PROFILE_BLOCK;
}

double profile_score_repeated(const struct profile_design *d, struct mat weights)
{
	const struct profile_sizes *const z = d->sizes;
	const size_t block = profile_block(z);
	struct mean mean = {0};
	for (size_t t = z->front + block; block > 0 && t + z->back < z->n; t++) {
		const double sum = row_sum(d, weights, t);
		double found = 0;
		bool any = false;
		for (size_t s = t; s >= z->front + block;) {
			s -= block;
			if (!d->counts[t * z->n + s + 1])
				continue;
			found += mat_row(weights, t)[s + 1];
			any = true;
		}
		if (any && sum > 0)
			mean_add(&mean, found / sum);
	}
	return mean_of(&mean);
}

/* ---- order ----------------------------------------------------------------------------------- */

size_t profile_shuffle(const struct profile_sizes *z, uint64_t seed, size_t *order)
{
	const size_t query = z->n / 2;
	struct arena a;
	struct rng rng;
	size_t n = 0;
	arena_init(&a);
	size_t *const far = arena_calloc(&a, z->n, sizeof *far);
	size_t *const to = arena_calloc(&a, z->n, sizeof *to);
	for (size_t s = 0; s < z->n; s++) {
		order[s] = s;
		if (s >= z->front && s + z->back < z->n &&
		    (s > query ? s - query : query - s) > PROFILE_NEAR)
			far[n++] = s;
	}
	memcpy(to, far, n * sizeof *to);
	rng_init_name(&rng, seed, "profile shuffle");
	rng_shuffle(&rng, to, n);
	for (size_t i = 0; i < n; i++)
		order[far[i]] = to[i];
	arena_release(&a);
	return query;
}

/* A token that the mask allows before and forbids afterwards has no weight there. */
double profile_score_order(const struct profile_design *d, struct mat before, struct mat after,
			   const size_t *order)
{
	const size_t n = d->sizes->n, t = n / 2;
	const uint8_t *const mask = d->mask + t * n;
	const double was = row_sum(d, before, t), is = row_sum(d, after, t);
	double *const p = calloc(n, sizeof *p), sum = 0;
	if (!p)
		die("no memory");
	for (size_t s = 0; s < n; s++) {
		p[s] += mask[s] ? mat_row(before, t)[s] / was : 0;
		p[order[s]] -= mask[s] ? mat_row(after, t)[s] / is : 0;
	}
	for (size_t s = 0; s < n; s++)
		sum += fabs(p[s]);
	free(p);
	return was > 0 && is > 0 ? sum / 2 : NAN;
}

/* ---- noise ----------------------------------------------------------------------------------- */

enum { TABLE = 1 << 16 };

struct noise {
	const struct profile *p;
	const struct profile_design *d;
	double *exps;	     /* [TABLE] of normal numbers */
	double *at;	     /* [PROFILE_SCORES][PROFILE_NOISE] */
	struct mat *weights; /* [threads] */
	struct mat *other;   /* [threads] the row of the order */
	size_t *order;	     /* none is moved: a noise head is drawn anew */
};

/* Draws unnormalised weights of a row: exp of a normal number for each key, from a table of them. */
static void draw_row(const struct noise *z, struct mat to, size_t t, struct rng *rng)
{
	const size_t n = z->d->sizes->n;
	const uint8_t *const mask = z->d->mask + t * n;
	uint64_t bits = 0;
	for (size_t s = 0; s < n; s++) {
		if (s % 4 == 0)
			bits = rng_u64(rng);
		mat_row(to, t)[s] = mask[s] ? z->exps[bits & (TABLE - 1)] : 0;
		bits >>= 16;
	}
}

static void draw_head(void *context, size_t i, size_t worker)
{
	const struct noise *const z = context;
	const struct profile *const p = z->p;
	const size_t n = z->d->sizes->n, t = n / 2;
	const struct mat weights = z->weights[worker], other = z->other[worker];
	double scores[PROFILE_SCORES];
	char name[40];
	struct rng rng;
	snprintf(name, sizeof name, "noise head %zu", i);
	rng_init_name(&rng, n, name);
	for (size_t r = 0; r < n; r++)
		draw_row(z, weights, r, &rng);
	profile_score_window(z->d, weights, p->n_ids ? p->ids[i % p->n_ids] : NULL, scores);
	scores[PROFILE_INDUCTION] = profile_score_repeated(z->d, weights);
	draw_row(z, other, t, &rng);
	for (size_t s = 0; s < n; s++)
		if ((s > t ? s - t : t - s) <= PROFILE_NEAR)
			mat_row(other, t)[s] = mat_row(weights, t)[s];
	scores[PROFILE_ORDER] = profile_score_order(z->d, weights, other, z->order);
	for (size_t k = 0; k < PROFILE_SCORES; k++)
		z->at[k * PROFILE_NOISE + i] = scores[k];
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void profile_noise(const struct profile *p, struct profile_design *d)
{
	const size_t n = d->sizes->n, threads = machine_threads();
	struct arena a;
	struct rng rng;
	arena_init(&a);
	struct noise z = {
		.p = p,
		.d = d,
		.exps = arena_calloc(&a, TABLE, sizeof(double)),
		.at = arena_calloc(&a, (size_t)PROFILE_SCORES * PROFILE_NOISE, sizeof(double)),
		.weights = arena_calloc(&a, threads, sizeof(struct mat)),
		.other = arena_calloc(&a, threads, sizeof(struct mat)),
		.order = arena_calloc(&a, n, sizeof(size_t))};
	rng_init_name(&rng, 0, "noise heads");
	for (size_t i = 0; i < TABLE; i++)
		z.exps[i] = exp(rng_normal(&rng));
	for (size_t i = 0; i < threads; i++) {
		z.weights[i] = mat_new(&a, n, n);
		z.other[i] = mat_new(&a, n, n);
	}
	for (size_t s = 0; s < n; s++)
		z.order[s] = s;
	machine_parallel(PROFILE_NOISE, draw_head, &z);
	for (size_t k = 0; k < PROFILE_SCORES; k++) {
		double *const of = z.at + k * PROFILE_NOISE;
		size_t there = 0; /* some windows have no token twice */
		for (size_t i = 0; i < PROFILE_NOISE; i++)
			if (!isnan(of[i]))
				of[there++] = of[i];
		qsort(of, there, sizeof *of, ascending);
		d->low[k] = there >= 1000 ? of[there / 1000 - 1] : NAN;
		d->high[k] = there >= 1000 ? of[there - there / 1000] : NAN;
	}
	d->noisy = true;
	arena_release(&a);
}
