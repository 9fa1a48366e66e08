/* probe.c: linear probes on position vectors, evaluated on held-out rows. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/metrics.h"

/* ---- folds ----------------------------------------------------------------------------------- */

/* Returns the fold of example i: contiguous blocks, the first ones one larger if the division
 * leaves a remainder. */
static size_t block_of(size_t i, size_t n)
{
	const size_t small = n / PROBE_FOLDS, larger = n % PROBE_FOLDS;
	const size_t cut = larger * (small + 1);
	return i < cut ? i / (small + 1) : larger + (i - cut) / (small > 0 ? small : 1);
}

/* Assigns folds so that each has its share of both answers, as a fifth of the sorted answers
 * has; within an answer the examples go to the folds in order. */
static void stratify(const bool *label, size_t n, size_t *fold)
{
	size_t of[2] = {0}, share[PROBE_FOLDS][2] = {{0}};
	for (size_t i = 0; i < n; i++)
		of[label[i] == label[0] ? 0 : 1]++;
	for (size_t i = 0; i < n; i++)
		share[i % PROBE_FOLDS][i < of[0] ? 0 : 1]++;
	for (size_t k = 0; k < 2; k++) {
		size_t at = 0;
		for (size_t i = 0; i < n; i++) {
			if ((label[i] != label[0]) != (k == 1))
				continue;
			while (share[at][k] == 0)
				at++;
			share[at][k]--;
			fold[i] = at;
		}
	}
}

static void finish(struct probe *out)
{
	double sum = 0;
	for (size_t f = 0; f < PROBE_FOLDS; f++)
		sum += out->folds[f];
	out->error = sum / PROBE_FOLDS;
}

/* ---- positions
 * ------------------------------------------------------------------------------------ */

/* The mean of the rows that are fitted, as a sum of two numbers: the first is rounded as numbers of
 * its size are, the second is what that leaves. Vectors that are equal but for one of them differ by
 * one direction then, and not by the rounding of their mean too, which least squares would fit: its
 * tolerance is relative to the differences, however small. */
struct centre {
	const double *mean, *left;
	double rounding; /* differences up to this are none */
};

static double from_centre(const struct centre *c, double x, size_t j)
{
	const double difference = x - c->mean[j];
	return fabs(difference) <= c->rounding ? 0 : difference - c->left[j];
}

/* Returns the rounding of the mean of numbers as large as the largest of these. */
static double rounding_of(struct mat vectors)
{
	const size_t longer = vectors.rows > vectors.cols ? vectors.rows : vectors.cols;
	double most = 0;
	for (size_t i = 0; i < vectors.rows; i++)
		for (size_t j = 0; j < vectors.cols; j++)
			most = fmax(most, fabs(mat_row(vectors, i)[j]));
	return 0x1p-52 * (double)longer * most;
}

/* Fits least squares on the rows outside of this fold; predicts those in it. */
static bool predict_fold(struct mat vectors, const size_t *order, size_t fold, double *predicted,
			 struct arena *a, struct err *err)
{
	const size_t n = vectors.rows, d = vectors.cols;
	size_t train = 0;
	for (size_t i = 0; i < n; i++)
		train += block_of(i, n) != fold;
	const struct mat x = mat_new(a, train, d), y = mat_new(a, train, 1), w = mat_new(a, d, 1);
	double *const mean = arena_calloc(a, d, sizeof *mean), target = 0;
	double *const left = arena_calloc(a, d, sizeof *left);
	const struct centre centre = {mean, left, rounding_of(vectors)};
	for (size_t i = 0, at = 0; i < n; i++) {
		if (block_of(i, n) == fold)
			continue;
		memcpy(mat_row(x, at), mat_row(vectors, order[i]), d * sizeof *mean);
		y.at[at++] = (double)order[i];
		target += (double)order[i] / (double)train;
		for (size_t j = 0; j < d; j++)
			mean[j] += mat_row(vectors, order[i])[j] / (double)train;
	}
	for (size_t i = 0; i < train; i++)
		for (size_t j = 0; j < d; j++)
			left[j] += (mat_row(x, i)[j] - mean[j]) / (double)train;
	for (size_t i = 0; i < train; i++) {
		y.at[i] -= target;
		for (size_t j = 0; j < d; j++)
			mat_row(x, i)[j] = from_centre(&centre, mat_row(x, i)[j], j);
	}
	if (!mat_least_squares(x, y, w, a, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (block_of(i, n) != fold)
			continue;
		predicted[i] = target;
		for (size_t j = 0; j < d; j++)
			predicted[i] +=
				from_centre(&centre, mat_row(vectors, order[i])[j], j) * w.at[j];
	}
	return true;
}

bool probe_place_order(struct mat vectors, const size_t *order, double *predicted,
		       struct probe *out, struct err *err)
{
	const size_t n = vectors.rows;
	*out = (struct probe){.n = n};
	for (size_t f = 0; f < PROBE_FOLDS; f++) {
		struct arena scratch;
		double sum = 0, count = 0;
		arena_init(&scratch);
		const bool ok = predict_fold(vectors, order, f, predicted, &scratch, err);
		arena_release(&scratch);
		if (!ok)
			return false;
		for (size_t i = 0; i < n; i++) {
			if (block_of(i, n) != f)
				continue;
			sum += fabs(nearbyint(predicted[i]) - (double)order[i]);
			count++;
		}
		out->folds[f] = sum / count;
	}
	finish(out);
	return true;
}

/* Returns the mean distance of n positions to the one in their middle. */
static double place_chance(size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += fabs((double)i - (double)((n - 1) / 2));
	return sum / (double)n;
}

void probe_place(struct mat vectors, uint64_t seed, struct arena *a, struct probe *out)
{
	const size_t n = vectors.rows;
	struct err err = {""};
	struct rng rng;
	*out = (struct probe){.n = n, .error = NAN, .chance = NAN};
	if (n < 2 * PROBE_FOLDS) {
		out->why = "fewer than ten positions";
		return;
	}
	size_t *const order = arena_calloc(a, n, sizeof *order);
	double *const predicted = arena_calloc(a, n, sizeof *predicted);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	rng_init_name(&rng, seed, "probe.place");
	rng_shuffle(&rng, order, n);
	if (!probe_place_order(vectors, order, predicted, out, &err)) {
		out->error = NAN;
		out->why = arena_strdup(a, err.text);
	}
	out->chance = place_chance(n);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

struct logistic {
	struct mat x;	   /* [n, k] the last column is 1 */
	const bool *label; /* [n] */
	const size_t *fold;
	size_t held;	   /* the fold that is held out */
	struct mat curved; /* [n, k] scratch: rows times the root of p (1 − p) */
};

/* Computes gradient and second derivatives of ½‖w‖² + Σ log(1 + e^(−y·z)) without the held-out
 * fold; returns its value. */
static double derivatives(const struct logistic *l, const double *w, double *g, struct mat h)
{
	const size_t k = l->x.cols;
	double loss = 0;
	memset(g, 0, k * sizeof *g);
	for (size_t j = 0; j + 1 < k; j++) {
		g[j] = w[j];
		loss += w[j] * w[j] / 2;
	}
	mat_fill(l->curved, 0);
	for (size_t i = 0; i < l->x.rows; i++) {
		const double *const x = mat_row(l->x, i);
		double *const curved = mat_row(l->curved, i), z = 0;
		if (l->fold[i] == l->held)
			continue;
		for (size_t j = 0; j < k; j++)
			z += w[j] * x[j];
		const double p = 1 / (1 + exp(-z)), y = l->label[i] ? z : -z;
		loss += y > 0 ? log1p(exp(-y)) : log1p(exp(y)) - y;
		const double e = p - (l->label[i] ? 1 : 0), curve = sqrt(p * (1 - p));
		for (size_t j = 0; j < k; j++) {
			g[j] += e * x[j];
			curved[j] = curve * x[j];
		}
	}
	mat_mul(h, 1, l->curved, true, l->curved, false, 0);
	for (size_t j = 0; j + 1 < k; j++)
		mat_row(h, j)[j] += 1;
	return loss;
}

/* Newton's method, with steps halved until the loss decreases. */
static bool fit(const struct logistic *l, double *w, struct arena *a, struct err *err)
{
	enum { STEPS = 60 };
	static const double enough = 1e-12;
	const size_t k = l->x.cols;
	const struct mat h = mat_new(a, k, k), step = mat_new(a, 1, k);
	double *const g = arena_calloc(a, k, sizeof *g), *const next =
								 arena_calloc(a, k, sizeof *g);
	double loss = derivatives(l, w, g, h);
	for (size_t n = 0; n < STEPS; n++) {
		double size = 0, rate = 1, now;
		memcpy(step.at, g, k * sizeof *g);
		if (!mat_solve_positive(h, step, err))
			return false;
		for (size_t j = 0; j < k; j++)
			size = fmax(size, fabs(step.at[j]));
		do {
			for (size_t j = 0; j < k; j++)
				next[j] = w[j] - rate * step.at[j];
			now = derivatives(l, next, g, h);
			rate /= 2;
		} while (now > loss + enough * fabs(loss) && rate > 1e-9);
		memcpy(w, next, k * sizeof *w);
		loss = now;
		if (size < enough)
			break;
	}
	return true;
}

static double wrong_part(const struct logistic *l, const double *w)
{
	double wrong = 0, n = 0;
	for (size_t i = 0; i < l->x.rows; i++) {
		double z = 0;
		if (l->fold[i] != l->held)
			continue;
		for (size_t j = 0; j < l->x.cols; j++)
			z += w[j] * mat_row(l->x, i)[j];
		wrong += (z > 0) != l->label[i];
		n++;
	}
	return wrong / n;
}

static struct mat features(struct mat vectors, const size_t (*pairs)[2], size_t n, struct arena *a)
{
	const size_t d = vectors.cols;
	const struct mat x = mat_new(a, n, 2 * d + 1);
	for (size_t i = 0; i < n; i++) {
		double *const row = mat_row(x, i);
		memcpy(row, mat_row(vectors, pairs[i][0]), d * sizeof *row);
		memcpy(row + d, mat_row(vectors, pairs[i][1]), d * sizeof *row);
		row[2 * d] = 1;
	}
	return x;
}

bool probe_pairs(struct mat vectors, const size_t (*pairs)[2], size_t n, struct mat coefficients,
		 struct arena *a, struct probe *out, struct err *err)
{
	bool *const label = arena_calloc(a, n + 1, sizeof *label), ok = true;
	size_t *const fold = arena_calloc(a, n + 1, sizeof *fold);
	struct logistic l = {.x = features(vectors, pairs, n, a), .label = label, .fold = fold};
	l.curved = mat_new(a, l.x.rows, l.x.cols);
	*out = (struct probe){.n = n};
	for (size_t i = 0; i < n; i++)
		label[i] = pairs[i][1] > pairs[i][0];
	stratify(label, n, fold);
	for (l.held = 0; l.held < PROBE_FOLDS && ok; l.held++) {
		double *const w = arena_calloc(a, l.x.cols, sizeof *w);
		ok = fit(&l, w, a, err);
		out->folds[l.held] = ok ? wrong_part(&l, w) : NAN;
		if (ok && coefficients.at)
			memcpy(mat_row(coefficients, l.held), w, l.x.cols * sizeof *w);
	}
	finish(out);
	return ok;
}

enum { PAIRS = 512 };

/* Draws pairs of different positions without replacement. */
static size_t draw_pairs(size_t n, uint64_t seed, size_t (*out)[2], struct arena *a)
{
	const size_t all = n * (n - 1), most = all < PAIRS ? all : PAIRS;
	struct rng rng;
	size_t *const at = arena_calloc(a, all + 1, sizeof *at);
	for (size_t i = 0; i < all; i++)
		at[i] = i;
	rng_init_name(&rng, seed, "probe.pair");
	rng_shuffle(&rng, at, all);
	for (size_t i = 0; i < most; i++) {
		const size_t first = at[i] / (n - 1), second = at[i] % (n - 1);
		out[i][0] = first;
		out[i][1] = second + (second >= first);
	}
	return most;
}

/* Rotates the rows into as many columns as there are rows, if that is fewer: their scalar
 * products, and so the solution of ½‖w‖² + Σ log-loss, do not change. */
static bool rotate_rows(struct mat vectors, struct mat *out, struct arena *a, struct err *err)
{
	const size_t n = vectors.rows;
	*out = vectors;
	if (vectors.cols <= n)
		return true;
	const struct mat gram = mat_new(a, n, n), basis = mat_new(a, n, n);
	double *const values = arena_calloc(a, n, sizeof *values);
	mat_mul(gram, 1, vectors, false, vectors, true, 0);
	if (!mat_eigen_largest(gram, 0, values, basis, a, err))
		return false;
	*out = mat_new(a, n, n);
	for (size_t t = 0; t < n; t++)
		for (size_t j = 0; j < n; j++)
			mat_row(*out, t)[j] = sqrt(fmax(0, values[j])) * mat_row(basis, j)[t];
	return true;
}

void probe_pair(struct mat vectors, uint64_t seed, struct arena *a, struct probe *out)
{
	struct err err = {""};
	size_t ones = 0;
	*out = (struct probe){.error = NAN, .chance = NAN};
	if (vectors.rows < PROBE_FOLDS) {
		out->why = "fewer than five positions";
		return;
	}
	struct arena scratch;
	arena_init(&scratch);
	size_t(*const pairs)[2] = arena_calloc(&scratch, PAIRS, sizeof *pairs);
	const size_t n = draw_pairs(vectors.rows, seed, pairs, &scratch);
	for (size_t i = 0; i < n; i++)
		ones += pairs[i][1] > pairs[i][0];
	struct mat rows;
	if (!rotate_rows(vectors, &rows, &scratch, &err) ||
	    !probe_pairs(rows, (const size_t(*)[2])pairs, n, (struct mat){0}, &scratch, out,
			 &err)) {
		out->error = NAN;
		out->why = arena_strdup(a, err.text);
	}
	out->chance = fmin((double)ones, (double)(n - ones)) / (double)n;
	arena_release(&scratch);
}
