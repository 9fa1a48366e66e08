/* metrics.c: properties of a matrix over positions: one function each, in a table. */
#include "posviz/analysis/metrics.h"

#include <math.h>
#include <string.h>

#include "analysis_in.h"
#include "posviz/analysis/split.h"

static bool counts(const struct metric_of *of, size_t t, size_t s)
{
	const size_t at = t * of->m.cols + s;
	return (!of->mask || of->mask[at]) && of->distance[at] != RELATION_NO_PATH &&
	       isfinite(mat_row(of->m, t)[s]);
}

static double value(const struct metric_of *of, size_t t, size_t s)
{
	return mat_row(of->m, t)[s];
}

static int32_t distance(const struct metric_of *of, size_t t, size_t s)
{
	return of->distance[t * of->m.cols + s];
}

/* Returns 1 − Σ(F − mean of its diagonal)² / Σ(F − mean)²; for a constant, where that is 0/0, 1. */
static double translation(const struct metric_of *of)
{
	struct arena a;
	struct split split;
	arena_init(&a);
	const struct split_of parts = {.m = of->m,
				       .mask = of->mask,
				       .number = of->distance,
				       .seed = of->seed,
				       .by_distance_only = true};
	split_make(&parts, false, &a, &split);
	const bool constant = split.why && split.pairs > 1;
	arena_release(&a);
	return constant ? 1 : split.distance;
}

/* ---- monotonicity ---------------------------------------------------------------------------- */

/* Collects the keys of a row to one side, the nearest first. */
static size_t collect_side(const struct metric_of *of, size_t t, int sign,
			   double out[METRIC_WINDOW])
{
	bool there[METRIC_WINDOW] = {false};
	double found[METRIC_WINDOW] = {0};
	size_t n = 0;
	for (size_t s = 0; s < of->m.cols; s++) {
		const long far = counts(of, t, s) ? sign * (long)distance(of, t, s) : 0;
		if (far < 1 || far > METRIC_WINDOW)
			continue;
		there[far - 1] = true;
		found[far - 1] = value(of, t, s);
	}
	for (size_t i = 0; i < METRIC_WINDOW; i++)
		if (there[i])
			out[n++] = found[i];
	return n;
}

/* Returns Kendall's τ between nearness and value: the share of ordered pairs minus that of
 * inverted pairs; equal values count as neither. */
static double tau(const double *at, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			sum += (at[i] > at[k]) - (at[i] < at[k]);
	return sum / ((double)(n * (n - 1)) / 2);
}

static double monotonicity(const struct metric_of *of)
{
	struct arena a;
	double sum = 0, sides = 0;
	arena_init(&a);
	const struct row_sample rows = sample_rows(of->m.rows, SAMPLE_ROWS, of->seed, &a);
	for (size_t i = 0; i < rows.n; i++)
		for (int sign = -1; sign <= 1; sign += 2) {
			double at[METRIC_WINDOW];
			const size_t n = collect_side(of, rows.at[i], sign, at);
			if (n < 2)
				continue;
			sum += tau(at, n);
			sides++;
		}
	arena_release(&a);
	return sides > 0 ? sum / sides : NAN;
}

/* ---- symmetry -------------------------------------------------------------------------------- */

/* Returns 1 − ‖K‖/‖S‖ with S = (F + Fᵀ)/2 and K = (F − Fᵀ)/2, over pairs that count in both
 * directions; −∞ if F = −Fᵀ. */
static double symmetry(const struct metric_of *of)
{
	const size_t memory = of->m.cols - of->m.rows; /* keys without a query */
	double even = 0, odd = 0;
	if (of->m.cols < of->m.rows)
		return NAN;
	for (size_t t = 0; t < of->m.rows; t++)
		for (size_t s = 0; s < of->m.rows; s++) {
			if (!counts(of, t, memory + s) || !counts(of, s, memory + t))
				continue;
			const double x = value(of, t, memory + s), y = value(of, s, memory + t);
			even += (x + y) * (x + y);
			odd += (x - y) * (x - y);
		}
	return even + odd > 0 ? 1 - sqrt(odd) / sqrt(even) : NAN;
}

/* Adds up the |differences| of left and right neighbours of a row at equal distance, scaled to
 * 0…1 within the row. */
static void compare_sides(const struct metric_of *of, size_t t, double *sum, double *n)
{
	double least = INFINITY, most = -INFINITY, total = 0, compared = 0;
	size_t here = 0;
	while (here < of->m.cols && (!counts(of, t, here) || distance(of, t, here) != 0))
		here++;
	for (size_t far = 1; here < of->m.cols && far <= here && here + far < of->m.cols; far++) {
		if (!counts(of, t, here - far) || !counts(of, t, here + far))
			continue;
		const double d = fabs(value(of, t, here - far) - value(of, t, here + far));
		least = fmin(least, d);
		most = fmax(most, d);
		total += d;
		compared++;
	}
	*n += compared;
	*sum += most > least ? (total - compared * least) / (most - least) : 0;
}

static double row_symmetry(const struct metric_of *of)
{
	double sum = 0, n = 0;
	for (size_t t = 0; t < of->m.rows; t++)
		compare_sides(of, t, &sum, &n);
	return n > 0 ? 1 - sum / n : NAN;
}

/* ---- the spread of weights
 * ------------------------------------------------------------------------ */

/* Returns the mean over rows of Σ weight·weigh(distance), each row taken relative to its sum. */
static double row_mean(const struct metric_of *of, double (*weigh)(double distance))
{
	double sum = 0, rows = 0;
	for (size_t t = 0; t < of->m.rows; t++) {
		double all = 0, part = 0;
		for (size_t s = 0; s < of->m.cols; s++) {
			if (!counts(of, t, s))
				continue;
			if (value(of, t, s) < weight_least)
				return NAN;
			all += value(of, t, s);
			part += value(of, t, s) * weigh(distance(of, t, s));
		}
		sum += all > 0 ? part / all : 0;
		rows += all > 0;
	}
	return rows > 0 ? sum / rows : NAN;
}

static double halved(double distance)
{
	return exp2(-fabs(distance));
}

static double sign(double distance)
{
	return (distance > 0) - (distance < 0);
}

static double length(double distance)
{
	return fabs(distance);
}

static double locality(const struct metric_of *of)
{
	return row_mean(of, halved);
}

static double direction(const struct metric_of *of)
{
	return row_mean(of, sign);
}

static double mean_distance(const struct metric_of *of)
{
	return row_mean(of, length);
}

static double entropy(const struct metric_of *of)
{
	return weights_entropy(of->m);
}

/* ---- the table ------------------------------------------------------------------------------- */

const struct metric metrics[METRIC_COUNT] = {
	{"translation", "translation invariance", "0 … 1", "distance only",
	 "1: the same wherever the two stand; 0: distance tells nothing of it",
	 "Wang et al. 2021; the indicator is ours", false, translation},
	{"monotonicity", "monotonicity", "−1 … 1", "always falls",
	 "1: always less to a farther key, within 8 positions; −1: always more",
	 "Wang et al. 2021; the indicator is ours: Kendall's τ", false, monotonicity},
	{"symmetry", "symmetry", "≤ 1", "t→s as s→t",
	 "1: s to t as t to s; 0: as much of it changes its sign as keeps it",
	 "Wang et al. 2021; the indicator is ours: 1 − ‖K‖/‖S‖", false, symmetry},
	{"row-symmetry", "symmetry of rows", "0 … 1", "left = right",
	 "1: as much to the left as to the right, at each distance; scaled within each row",
	 "Chen et al. 2023", true, row_symmetry},
	{"locality", "locality", "0 … 1", "all to self",
	 "1: all to the word itself; each position farther halves it", "Chen et al. 2023", true,
	 locality},
	{"direction", "direction", "−1 … 1", "to the right",
	 "−1: all to earlier keys; 1: all to later ones", "ours: Σ weight·sign(s−t)", true,
	 direction},
	{"distance", "mean distance", "positions", "(positions)", "between query and key, weighted",
	 "Vig and Belinkov 2019", true, mean_distance},
	{"entropy", "entropy", "nats", "(nats)",
	 "0: each query sees one key; ln n: it sees n alike", "mean over rows", true, entropy},
};

/* ---- word reordering ------------------------------------------------------------------------- */

struct reordering reorder_move(size_t from, size_t to)
{
	return (struct reordering){from, to, to, from > to ? from + 1 : from};
}

struct reordering reorder_draw(size_t n, uint64_t seed)
{
	struct rng rng;
	rng_init_name(&rng, seed, "reorder");
	const size_t from = rng_below(&rng, n - 1);
	const size_t to = n > 2 ? rng_below(&rng, n - 2) : 1;
	return reorder_move(from, n > 2 && to >= from ? to + 1 : to);
}

void reorder_apply(const struct reordering *r, size_t n, size_t *order)
{
	for (size_t i = 0, next = 0; i < n; i++) {
		if (i == r->to) {
			order[i] = r->from;
			continue;
		}
		next += next == r->from;
		order[i] = next++;
	}
}
