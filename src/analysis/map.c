/* map.c: signatures of schemes on one input, their distances, and the plane of all.
 *
 * Most pairs of a map have the same mask. Their biases are compared as they are, since the same
 * means were subtracted from the same rows; otherwise the mean of the difference over the common
 * pairs is subtracted. */
#include "posviz/analysis/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/analysis/outputs.h"
#include "posviz/analysis/sample.h"
#include "posviz/analysis/split.h"

const double map_same = 1e-9;

/* ---- signatures ------------------------------------------------------------------------------ */

static size_t rows_read(size_t n_q, size_t n_k)
{
	const size_t most = MAP_PAIRS / (n_k > 0 ? n_k : 1);
	const size_t least = most > MAP_LEAST_ROWS ? most : MAP_LEAST_ROWS;
	return n_q < least ? n_q : least;
}

/* A matrix as it is read: only the rows and the thumbnail that a signature keeps are copied. */
struct source {
	struct mat m;
	const uint8_t *mask;   /* NULL: all is allowed */
	const int32_t *number; /* the number of each pair, whose mean replaces its value; or NULL */
	const double *mean;    /* by number, from -(m.rows + m.cols) on */
};

/* Returns the value of a cell, NaN if it is masked or not finite. */
static double value_of(const struct source *from, size_t t, size_t s)
{
	const size_t at = t * from->m.cols + s;
	const double v = mat_row(from->m, t)[s];
	if (!isfinite(v) || (from->mask && !from->mask[at]))
		return NAN;
	if (!from->number)
		return v;
	const long middle = (long)(from->m.rows + from->m.cols);
	return from->number[at] == RELATION_NO_PATH ? NAN : from->mean[middle + from->number[at]];
}

static struct mat rows_of(const struct source *from, double hidden, const struct row_sample *rows,
			  struct arena *a)
{
	const struct mat out = mat_new(a, rows->n, from->m.cols);
	for (size_t i = 0; i < rows->n; i++)
		for (size_t s = 0; s < from->m.cols; s++) {
			const double v = value_of(from, rows->at[i], s);
			mat_row(out, i)[s] = isnan(v) ? hidden : v;
		}
	return out;
}

/* Replaces each value by the mean of those with the same number. */
static struct source by_number(const struct source *from, const int32_t *number, struct arena *a)
{
	const size_t rows = from->m.rows, cols = from->m.cols, n = rows + 2 * cols + 1;
	double *const sum = arena_calloc(a, n, sizeof *sum);
	size_t *const count = arena_calloc(a, n, sizeof *count);
	for (size_t t = 0; t < rows; t++)
		for (size_t s = 0; s < cols; s++) {
			const double v = value_of(from, t, s);
			const int32_t of = number[t * cols + s];
			if (isnan(v) || of == RELATION_NO_PATH)
				continue;
			sum[(long)(rows + cols) + of] += v;
			count[(long)(rows + cols) + of]++;
		}
	for (size_t i = 0; i < n; i++)
		sum[i] /= count[i] > 0 ? (double)count[i] : 1;
	return (struct source){from->m, from->mask, number, sum};
}

static void take_means_away(struct mat m)
{
	for (size_t t = 0; t < m.rows; t++) {
		double *const row = mat_row(m, t), sum = 0;
		size_t n = 0;
		for (size_t s = 0; s < m.cols; s++) {
			sum += isnan(row[s]) ? 0 : row[s];
			n += !isnan(row[s]);
		}
		for (size_t s = 0; s < m.cols && n > 0; s++)
			row[s] -= sum / (double)n;
	}
}

/* Returns a hash of the pattern of NaN (FNV-1a), never 0. */
static uint64_t nan_pattern(struct mat m)
{
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < m.rows * m.cols; i++)
		hash = (hash ^ (uint64_t)(isnan(m.at[i]) ? 1 : 0)) * 1099511628211u;
	return hash ? hash : 1;
}

/* Returns the mean of the values in some rows from r0 on, and columns [c0, c1). */
static double mean_of_block(const struct source *from, const struct row_sample *rows, size_t r0,
			    size_t c0, size_t c1)
{
	double sum = 0;
	size_t n = 0;
	for (size_t r = 0; r < rows->n; r++)
		for (size_t c = c0; c < c1; c++) {
			const double v = value_of(from, r0 + rows->at[r], c);
			sum += isnan(v) ? 0 : v;
			n += !isnan(v);
		}
	return n > 0 ? sum / (double)n : NAN;
}

/* Makes the means of blocks; NaN if a whole block is. */
static struct mat thumb_of(const struct source *from, uint64_t seed, struct arena *a)
{
	const struct mat m = from->m;
	const size_t rows = m.rows < MAP_SIDE ? m.rows : MAP_SIDE;
	const size_t cols = m.cols < MAP_SIDE ? m.cols : MAP_SIDE;
	const struct mat out = mat_new(a, rows, cols);
	struct arena scratch;
	arena_init(&scratch);
	for (size_t i = 0; i < rows; i++) {
		const size_t r0 = i * m.rows / rows, r1 = (i + 1) * m.rows / rows;
		const size_t read = r1 - r0 < MAP_BLOCK_ROWS ? r1 - r0 : MAP_BLOCK_ROWS;
		const struct row_sample some = sample_rows(r1 - r0, read, seed, &scratch);
		for (size_t k = 0; k < cols; k++)
			mat_row(out, i)[k] = mean_of_block(from, &some, r0, k * m.cols / cols,
							   (k + 1) * m.cols / cols);
	}
	arena_release(&scratch);
	return out;
}

static const long *copied(const struct axis *axis, struct arena *a)
{
	return memcpy(arena_alloc(a, (axis->n + 1) * sizeof *axis->token), axis->token,
		      axis->n * sizeof *axis->token);
}

static void set_scores(struct map_signature *s, enum distance_of kind, const struct source *from,
		       const struct row_sample *rows, uint64_t seed, struct arena *a)
{
	s->thumb[kind] = thumb_of(from, seed, a);
	s->at[kind] = rows_of(from, NAN, rows, a);
	take_means_away(s->at[kind]);
	s->mask[kind] = nan_pattern(s->at[kind]);
}

void map_signature(const struct trace *trace, const struct trace_head *bias,
		   const struct trace_head *shown, struct mat outputs, const char *no_bias,
		   uint64_t seed, struct arena *a, struct map_signature *out)
{
	struct arena scratch;
	arena_init(&scratch);
	const size_t n_q = trace->query.n, n_k = trace->key.n;
	const struct row_sample rows = sample_rows(n_q, rows_read(n_q, n_k), seed, &scratch);
	*out = (struct map_signature){.no_bias = no_bias ? arena_strdup(a, no_bias) : NULL,
				      .query = copied(&trace->query, a),
				      .key = copied(&trace->key, a),
				      .n_q = n_q,
				      .n_k = n_k,
				      .memory = trace->memory};
	if (!no_bias) {
		const struct source own = {.m = bias->bias.at ? bias->bias
							      : mat_zero(&scratch, n_q, n_k),
					   .mask = bias->mask};
		const struct source curve =
			by_number(&own, split_distances(trace, &scratch), &scratch);
		set_scores(out, DISTANCE_BIAS, &own, &rows, seed, a);
		set_scores(out, DISTANCE_CURVE, &curve, &rows, seed, a);
	}
	if (shown->weights.at) {
		const struct source own = {.m = shown->weights, .mask = shown->mask};
		out->at[DISTANCE_WEIGHTS] = rows_of(&own, 0, &rows, a);
		out->thumb[DISTANCE_WEIGHTS] = thumb_of(&own, seed, a);
		out->mask[DISTANCE_WEIGHTS] = nan_pattern(out->at[DISTANCE_WEIGHTS]);
	}
	if (outputs.at) {
		out->outputs = mat_new(a, rows.n, outputs.cols);
		for (size_t i = 0; i < rows.n; i++)
			mat_set(mat_rows(out->outputs, i, 1), mat_rows(outputs, rows.at[i], 1));
	}
	arena_release(&scratch);
}

double map_outputs_apart(const struct map_signature *a, const struct map_signature *b)
{
	return a->outputs.at && b->outputs.at ? outputs_apart(a->outputs, b->outputs) : NAN;
}

bool map_same_units(const struct map_signature *a, const struct map_signature *b)
{
	return a->n_q == b->n_q && a->n_k == b->n_k && a->memory == b->memory &&
	       memcmp(a->query, b->query, a->n_q * sizeof *a->query) == 0 &&
	       memcmp(a->key, b->key, a->n_k * sizeof *a->key) == 0;
}

/* ---- distances ------------------------------------------------------------------------------- */

/* Compares matrices with the same NaN cells: NaN minus NaN is NaN, which is left out of the sum. */
static double apart_alike(struct mat a, struct mat b)
{
	double sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < a.rows * a.cols; i++) {
		const double off = a.at[i] - b.at[i];
		sum += isnan(off) ? 0 : off * off;
		n += !isnan(off);
	}
	return n > 0 ? sqrt(sum / (double)n) : NAN;
}

static double apart_otherwise(struct mat a, struct mat b)
{
	double squares = 0;
	size_t all = 0;
	for (size_t t = 0; t < a.rows; t++) {
		const double *const x = mat_row(a, t), *const y = mat_row(b, t);
		double sum = 0, square = 0;
		size_t n = 0;
		for (size_t s = 0; s < a.cols; s++) {
			const double off = x[s] - y[s];
			sum += isnan(off) ? 0 : off;
			n += !isnan(off);
		}
		for (size_t s = 0; s < a.cols && n > 0; s++) {
			const double off = x[s] - y[s] - sum / (double)n;
			square += isnan(off) ? 0 : off * off;
		}
		squares += square;
		all += n;
	}
	return all > 0 ? sqrt(squares / (double)all) : NAN;
}

static double variation(struct mat a, struct mat b)
{
	double sum = 0;
	for (size_t i = 0; i < a.rows * a.cols; i++)
		sum += fabs(a.at[i] - b.at[i]);
	return a.rows > 0 ? sum / 2 / (double)a.rows : NAN;
}

double map_apart(const struct map_signature *a, const struct map_signature *b,
		 enum distance_of kind)
{
	const struct mat x = a->at[kind], y = b->at[kind];
	if (!x.at || !y.at || x.rows != y.rows || x.cols != y.cols)
		return NAN;
	if (kind == DISTANCE_WEIGHTS)
		return variation(x, y);
	return a->mask[kind] == b->mask[kind] ? apart_alike(x, y) : apart_otherwise(x, y);
}

/* ---- the plane ------------------------------------------------------------------------------- */

/* B = −½ J D² J: b_ij = −½ (d²_ij − mean of row i − mean of row j + mean of all). */
static struct mat centred_squares(struct mat d, struct arena *a)
{
	const size_t n = d.rows;
	const struct mat b = mat_new(a, n, n);
	double *const mean = arena_calloc(a, n + 1, sizeof *mean), all = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			mean[i] += mat_row(d, i)[j] * mat_row(d, i)[j] / (double)n;
		all += mean[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			mat_row(b, i)[j] = -0.5 * (mat_row(d, i)[j] * mat_row(d, i)[j] - mean[i] -
						   mean[j] + all);
	return b;
}

static void choose_sign(struct mat at, const struct map_fix *fix, size_t axis)
{
	double most = 0, sign = 0;
	for (size_t i = 0; i < at.rows; i++)
		most = fmax(most, fabs(mat_row(at, i)[axis]));
	for (size_t i = 0; i < fix->n_anchors && !(fabs(sign) > 1e-6 * most); i++)
		sign = mat_row(at, fix->anchors[i])[axis];
	if (!(fabs(sign) > 1e-6 * most)) {
		sign = 0;
		for (size_t i = 0; i < at.rows; i++)
			sign += pow(mat_row(at, i)[axis], 3);
	}
	for (size_t i = 0; i < at.rows && sign < 0; i++)
		mat_row(at, i)[axis] *= -1;
}

/* The points that the axes are made of: all that are not aside. */
struct basis {
	const size_t *at; /* [n] */
	size_t n;
	struct mat d; /* [n, n] */
};

static struct basis basis_of(struct mat d, const struct map_fix *fix, struct arena *a)
{
	size_t *const at = arena_calloc(a, d.rows + 1, sizeof *at), n = 0;
	for (size_t i = 0; i < d.rows; i++)
		if (!fix->aside || !fix->aside[i])
			at[n++] = i;
	for (size_t i = 0; n == 0 && i < d.rows; i++)
		at[i] = i;
	struct basis out = {at, n > 0 ? n : d.rows, {0}};
	out.d = mat_new(a, out.n, out.n);
	for (size_t i = 0; i < out.n; i++)
		for (size_t k = 0; k < out.n; k++)
			mat_row(out.d, i)[k] = mat_row(d, at[i])[at[k]];
	return out;
}

/* Places point i, with the coordinates of the basis [n] along an axis of this eigenvalue. */
static double placed(struct mat d, const struct basis *b, size_t i, const double *along,
		     double value)
{
	double sum = 0;
	for (size_t k = 0; k < b->n; k++) {
		double mean = 0;
		for (size_t o = 0; o < b->n; o++)
			mean += mat_row(b->d, k)[o] * mat_row(b->d, k)[o] / (double)b->n;
		const double away = mat_row(d, i)[b->at[k]];
		sum += along[k] * (mean - away * away);
	}
	return sum / (2 * value);
}

static void fill_axis(struct mat d, const struct basis *b, const double *vector, double value,
		      size_t axis, struct map_plane *out, struct arena *a)
{
	double *const along = arena_calloc(a, b->n + 1, sizeof *along);
	bool *const done = arena_calloc(a, d.rows + 1, sizeof *done);
	for (size_t k = 0; k < b->n; k++) {
		along[k] = sqrt(value) * vector[k];
		mat_row(out->at, b->at[k])[axis] = along[k];
		done[b->at[k]] = true;
	}
	for (size_t i = 0; i < d.rows; i++)
		if (!done[i])
			mat_row(out->at, i)[axis] = placed(d, b, i, along, value);
}

bool map_plane(struct mat d, const struct map_fix *fix, struct arena *a, struct map_plane *out,
	       struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	*out = (struct map_plane){.at = mat_zero(a, d.rows, 2)};
	const struct basis basis = basis_of(d, fix, &scratch);
	const size_t n = basis.n;
	double *const values = arena_calloc(&scratch, n + 1, sizeof *values);
	const struct mat vectors = mat_new(&scratch, n, n);
	const struct mat b = centred_squares(basis.d, &scratch);
	const size_t wanted = n < 2 ? n : 2;
	const bool ok = n == 0 || mat_eigen_largest(b, wanted, values, vectors, &scratch, err);
	double plus = 0, minus = 0;
	for (size_t i = 0; ok && i < n; i++) {
		plus += values[i] > 0 ? values[i] : 0;
		minus += values[i] < 0 ? -values[i] : 0;
	}
	out->negative = plus + minus > 0 ? minus / (plus + minus) : 0;
	for (size_t axis = 0; ok && axis < wanted; axis++) {
		const double value = values[n - 1 - axis];
		if (!(value > 1e-12 * plus))
			continue;
		out->share[axis] = value / plus;
		fill_axis(d, &basis, mat_row(vectors, n - 1 - axis), value, axis, out, &scratch);
		choose_sign(out->at, fix, axis);
	}
	arena_release(&scratch);
	return ok;
}

size_t *map_first(struct mat d, struct arena *a)
{
	size_t *const first = arena_calloc(a, d.rows + 1, sizeof *first);
	for (size_t i = 0; i < d.rows; i++) {
		first[i] = 0;
		while (first[i] < i &&
		       !(first[first[i]] == first[i] && mat_row(d, i)[first[i]] <= map_same))
			first[i]++;
	}
	return first;
}

struct entry {
	double apart;
	size_t at;
};

static int by_distance(const void *x, const void *y)
{
	const struct entry *const a = x, *const b = y;
	return a->apart < b->apart ? -1 : a->apart > b->apart ? 1 : a->at < b->at ? -1 : 1;
}

size_t *map_nearest(struct mat d, size_t own, struct arena *a)
{
	size_t n = 0;
	struct entry *const entries = arena_calloc(a, d.rows + 1, sizeof *entries);
	size_t *const out = arena_calloc(a, d.rows + 1, sizeof *out);
	for (size_t i = 0; i < d.rows; i++) {
		const double apart = mat_row(d, own)[i];
		if (i != own)
			entries[n++] = (struct entry){apart <= map_same ? 0 : apart, i};
	}
	qsort(entries, n, sizeof *entries, by_distance);
	for (size_t i = 0; i < n; i++)
		out[i] = entries[i].at;
	return out;
}
