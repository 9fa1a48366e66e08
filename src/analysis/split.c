/* split.c: a matrix as a function of distance, parts of rows and columns, and a rest.
 *
 * Pairs that count are stored as runs: neighbours in a row whose numbers increase by one, which
 * for distances is a whole row. r and c solve the normal equations of the design's columns minus
 * their projection on functions of the number, Z'(I−P)Z x = Z'(I−P)m, with P that projection.
 * The equations are singular, because constants and trends are represented twice, but they have
 * solutions: conjugate gradients from 0 find the one of least norm without making the matrix. */
#include "posviz/analysis/split.h"
#include "posviz/base/percent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis_in.h"

enum { MOST_NUMBERS = 1 << 20 }; /* size of the range of the numbers */

struct run_of_pairs {
	uint32_t row, col, len; /* row: index among the selected rows */
	uint32_t number;	/* minus the smallest number */
};

struct design {
	const struct split_of *of;
	const struct row_sample *rows;
	struct run_of_pairs *runs;
	size_t n_runs, n, cols; /* n: numbers */
	double *count;		/* [n] */
	double *scratch;	/* [n] */
	bool query, key;	/* the parts it contains */
};

/* ---- the pairs ------------------------------------------------------------------------------- */

static bool counts(const struct split_of *of, size_t t, size_t s)
{
	const size_t at = t * of->m.cols + s;
	return (!of->mask || of->mask[at]) && of->number[at] != RELATION_NO_PATH &&
	       isfinite(mat_row(of->m, t)[s]);
}

static bool goes_on(const struct split_of *of, size_t t, size_t s)
{
	const int32_t *const number = of->number + t * of->m.cols + s;
	return s > 0 && counts(of, t, s - 1) && (int64_t)number[0] - number[-1] == 1;
}

/* Returns the number of runs; writes them if `runs` is given. */
static size_t find_runs(const struct split_of *of, const struct row_sample *rows, long lo,
			struct run_of_pairs *runs)
{
	size_t n = 0;
	for (size_t i = 0; i < rows->n; i++) {
		const size_t t = rows->at[i];
		for (size_t s = 0; s < of->m.cols; s++) {
			if (!counts(of, t, s))
				continue;
			const bool same = goes_on(of, t, s);
			n += !same;
			if (runs && same)
				runs[n - 1].len++;
			else if (runs)
				runs[n - 1] = (struct run_of_pairs){
					(uint32_t)i, (uint32_t)s, 1,
					(uint32_t)(of->number[t * of->m.cols + s] - lo)};
		}
	}
	return n;
}

/* Finds the least and the largest number of a pair that counts; false: there is none. */
static bool find_range(const struct split_of *of, struct split *out, long *hi)
{
	bool any = false;
	for (size_t i = 0; i < out->sample.n; i++) {
		const size_t t = out->sample.at[i];
		for (size_t s = 0; s < of->m.cols; s++) {
			const size_t at = t * of->m.cols + s;
			const long number = of->number[at];
			if (number == RELATION_NO_PATH || (of->mask && !of->mask[at]))
				continue;
			if (!isfinite(mat_row(of->m, t)[s])) {
				out->infinite++;
				continue;
			}
			out->lo = !any || number < out->lo ? number : out->lo;
			*hi = !any || number > *hi ? number : *hi;
			any = true;
			out->pairs++;
		}
	}
	return any;
}

static const double *values_of(const struct design *d, const struct run_of_pairs *run)
{
	return mat_row(d->of->m, d->rows->at[run->row]) + run->col;
}

/* ---- by number ------------------------------------------------------------------------------- */

static void find_means(const struct design *d, struct split *out)
{
	double *const f = out->f;
	for (size_t i = 0; i < d->n; i++) {
		out->least[i] = INFINITY;
		out->most[i] = -INFINITY;
	}
	for (size_t k = 0; k < d->n_runs; k++) {
		const struct run_of_pairs *const run = &d->runs[k];
		const double *const m = values_of(d, run);
		for (size_t i = 0; i < run->len; i++) {
			const size_t at = run->number + i;
			f[at] += m[i];
			d->count[at]++;
			out->least[at] = fmin(out->least[at], m[i]);
			out->most[at] = fmax(out->most[at], m[i]);
		}
	}
	for (size_t i = 0; i < d->n; i++) {
		const bool there = d->count[i] > 0;
		f[i] = there ? f[i] / d->count[i] : NAN;
		out->least[i] = there ? out->least[i] : NAN;
		out->most[i] = there ? out->most[i] : NAN;
	}
}

/* ---- rows and columns ------------------------------------------------------------------------ */

/* Computes the means of r_t + c_s over each number, into d->scratch. x: [rows + cols]. */
static void project_on_numbers(const struct design *d, const double *x)
{
	const double *const c = x + d->rows->n;
	double *const g = d->scratch;
	memset(g, 0, d->n * sizeof *g);
	for (size_t k = 0; k < d->n_runs; k++) {
		const struct run_of_pairs *const run = &d->runs[k];
		const double r = x[run->row], *const cs = c + run->col;
		double *const to = g + run->number;
		for (size_t i = 0; i < run->len; i++)
			to[i] += r + cs[i];
	}
	for (size_t i = 0; i < d->n; i++)
		g[i] = d->count[i] > 0 ? g[i] / d->count[i] : 0;
}

/* out = Z'(I−P)Z x */
static void apply_normal(const struct design *d, const double *x, double *out)
{
	const size_t rows = d->rows->n;
	const double *const c = x + rows, *const g = d->scratch;
	project_on_numbers(d, x);
	memset(out, 0, (rows + d->cols) * sizeof *out);
	for (size_t k = 0; k < d->n_runs; k++) {
		const struct run_of_pairs *const run = &d->runs[k];
		const double r = x[run->row], *const cs = c + run->col, *const gs = g + run->number;
		double *const to = out + rows + run->col, sum = 0;
		for (size_t i = 0; i < run->len; i++) {
			const double u = r + cs[i] - gs[i];
			to[i] += u;
			sum += u;
		}
		out[run->row] += sum;
	}
	if (!d->query)
		memset(out, 0, rows * sizeof *out);
	if (!d->key)
		memset(out + rows, 0, d->cols * sizeof *out);
}

/* out = Z'(m − f) */
static void right_side(const struct design *d, const double *f, double *out)
{
	const size_t rows = d->rows->n;
	memset(out, 0, (rows + d->cols) * sizeof *out);
	for (size_t k = 0; k < d->n_runs; k++) {
		const struct run_of_pairs *const run = &d->runs[k];
		const double *const m = values_of(d, run);
		for (size_t i = 0; i < run->len; i++) {
			const double e = m[i] - f[run->number + i];
			out[run->row] += d->query ? e : 0;
			out[rows + run->col + i] += d->key ? e : 0;
		}
	}
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Computes the solution x; returns the squares that it explains, x·Z'(m−f). */
static double solve(const struct design *d, const double *f, double *x, struct arena *a)
{
	static const double enough = 1e-28; /* relative to the squares of the right side */
	const size_t n = d->rows->n + d->cols, most = 4 * n + 16;
	double *const b = arena_calloc(a, n, sizeof *b), *const r = arena_calloc(a, n, sizeof *r);
	double *const p = arena_calloc(a, n, sizeof *p), *const q = arena_calloc(a, n, sizeof *q);
	memset(x, 0, n * sizeof *x);
	right_side(d, f, b);
	memcpy(r, b, n * sizeof *r);
	memcpy(p, b, n * sizeof *p);
	const double all = dot(b, b, n);
	double left = all;
	for (size_t i = 0; i < most && left > enough * all; i++) {
		if (d->of->watch && watch_cancelled(d->of->watch))
			break;
		apply_normal(d, p, q);
		const double curve = dot(p, q, n);
		if (!(curve > 0))
			break;
		const double step = left / curve;
		for (size_t k = 0; k < n; k++) {
			x[k] += step * p[k];
			r[k] -= step * q[k];
		}
		const double now = dot(r, r, n), keep = now / left;
		for (size_t k = 0; k < n; k++)
			p[k] = r[k] + keep * p[k];
		left = now;
	}
	return dot(x, b, n);
}

/* ---- the split ------------------------------------------------------------------------------- */

/* Returns the squares about the mean, in two passes. */
static double squares_about(const struct design *d, double mean, const double *f)
{
	double sum = 0;
	for (size_t k = 0; k < d->n_runs; k++) {
		const struct run_of_pairs *const run = &d->runs[k];
		const double *const m = values_of(d, run);
		for (size_t i = 0; i < run->len; i++) {
			const double e = m[i] - (f ? f[run->number + i] : mean);
			sum += e * e;
		}
	}
	return sum;
}

static double part(double squares, double all)
{
	return fmin(1, fmax(0, squares / all));
}

static void share_places(struct design *d, double all, double after_distance, double *x,
			 struct split *out, struct arena *a)
{
	d->query = true;
	const double query = part(solve(d, out->f, x, a), all);
	d->query = false;
	d->key = true;
	const double key = part(solve(d, out->f, x, a), all);
	d->query = true;
	const double both = part(fmin(solve(d, out->f, x, a), after_distance), all);
	out->query = fmax(0, (query + both - key) / 2);
	out->key = fmax(0, both - out->query);
	out->rest = fmax(0, 1 - out->distance - both);
}

static void keep_places(const struct design *d, const double *x, struct split *out, struct arena *a)
{
	const size_t rows = d->rows->n;
	out->row = arena_calloc(a, rows + 1, sizeof *out->row);
	out->col = arena_calloc(a, d->cols + 1, sizeof *out->col);
	if (!x)
		return;
	memcpy(out->row, x, rows * sizeof *x);
	memcpy(out->col, x + rows, d->cols * sizeof *x);
}

static struct mat empty(struct mat like, struct arena *a)
{
	const struct mat m = mat_new(a, like.rows, like.cols);
	mat_fill(m, NAN);
	return m;
}

/* Makes the matrices; x NULL: no part by place. */
static void make_matrices(const struct design *d, const double *x, struct split *out,
			  struct arena *a)
{
	out->by_distance = empty(d->of->m, a);
	out->by_place = empty(d->of->m, a);
	out->left = empty(d->of->m, a);
	if (x)
		project_on_numbers(d, x);
	for (size_t k = 0; k < d->n_runs; k++) {
		const struct run_of_pairs *const run = &d->runs[k];
		const size_t t = d->rows->at[run->row];
		const double *const m = values_of(d, run);
		for (size_t i = 0; i < run->len; i++) {
			const size_t s = run->col + i, number = run->number + i;
			const double place =
				x ? x[run->row] + x[d->rows->n + s] - d->scratch[number] : 0;
			mat_row(out->by_distance, t)[s] = out->f[number];
			mat_row(out->by_place, t)[s] = place;
			mat_row(out->left, t)[s] = m[i] - out->f[number] - place;
		}
	}
}

/* Returns whether the matrix varies by more than rounding relative to its largest value. */
static bool varies(const struct design *d, const struct split *out, double all)
{
	static const double rounding = 1e-12;
	double most = 1;
	for (size_t i = 0; i < d->n; i++)
		if (d->count[i] > 0)
			most = fmax(most, fmax(fabs(out->least[i]), fabs(out->most[i])));
	return all > rounding * rounding * most * most * (double)out->pairs;
}

static void divide(struct design *d, bool matrices, struct split *out, struct arena *a,
		   struct arena *scratch)
{
	const double enough = 1e-24;
	find_means(d, out);
	double sum = 0;
	for (size_t i = 0; i < d->n; i++)
		sum += d->count[i] > 0 ? out->f[i] * d->count[i] : 0;
	out->mean = sum / (double)out->pairs;
	const double all = squares_about(d, out->mean, NULL);
	const double left = squares_about(d, 0, out->f);
	double *x = NULL;
	out->sd = sqrt(all / (double)out->pairs);
	if (!varies(d, out, all)) {
		out->why = "the same everywhere";
	} else {
		out->distance = part(all - left, all);
		out->query = out->key = 0;
		out->rest = 1 - out->distance;
	}
	if (!out->why && !d->of->by_distance_only && left > enough * all) {
		x = arena_calloc(scratch, d->rows->n + d->cols, sizeof *x);
		share_places(d, all, left, x, out, scratch);
	}
	keep_places(d, x, out, a);
	if (matrices && out->sample.n == out->sample.of)
		make_matrices(d, x, out, a);
}

void split_make(const struct split_of *of, bool matrices, struct arena *a, struct split *out)
{
	struct arena scratch;
	long hi = 0;
	*out = (struct split){.mean = NAN,
			      .sd = NAN,
			      .distance = NAN,
			      .query = NAN,
			      .key = NAN,
			      .rest = NAN,
			      .sample = sample_rows(of->m.rows, SAMPLE_ROWS, of->seed, a)};
	if (!find_range(of, out, &hi)) {
		out->why = out->infinite ? "no value is finite" : "no pair counts";
		return;
	}
	if (hi - out->lo >= MOST_NUMBERS) {
		out->why = "its numbers lie too far apart";
		return;
	}
	out->n = (size_t)(hi - out->lo) + 1;
	out->f = arena_calloc(a, out->n, sizeof *out->f);
	out->least = arena_calloc(a, out->n, sizeof *out->least);
	out->most = arena_calloc(a, out->n, sizeof *out->most);
	arena_init(&scratch);
	struct design d = {.of = of, .rows = &out->sample, .n = out->n, .cols = of->m.cols};
	d.n_runs = find_runs(of, d.rows, out->lo, NULL);
	d.runs = arena_calloc(&scratch, d.n_runs, sizeof *d.runs);
	find_runs(of, d.rows, out->lo, d.runs);
	d.count = arena_calloc(&scratch, d.n, sizeof *d.count);
	d.scratch = arena_calloc(&scratch, d.n, sizeof *d.scratch);
	divide(&d, matrices, out, a, &scratch);
	arena_release(&scratch);
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *split_show(const struct split *s, const char *by, struct arena *a)
{
	if (s->why)
		return s->why;
	enum { PARTS = 4 };
	const double shares[PARTS] = {s->distance, s->query, s->key, s->rest};
	const char *const names[PARTS] = {arena_printf(a, "by %s", by), "by query", "by key",
					  "residue"};
	const char *const *const texts = percent_texts(shares, PARTS, a);
	const char *out = "";
	for (size_t i = 0; i < PARTS; i++)
		if (shares[i] >= 0.005 || i == 0)
			out = arena_printf(a, "%s%s%s %s", out, *out ? ", " : "", texts[i],
					   names[i]);
	return out;
}
