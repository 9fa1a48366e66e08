/* profile_own.c: the scheme's own kernels: what it adds to logits by positions alone, and its rotation. */
#include <math.h>
#include <string.h>

#include "profile_in.h"
#include "profile_run.h"

/* ---- beside the kernel of a head ----------------------------------------------------------------- */

/* Returns Σ_t Σ_s of x·y by distance, each without its mean over the row; over the pairs that count. */
static double inner(const struct profile_design *d, const double *x, const double *y)
{
	const size_t n = d->sizes->n;
	double all = 0;
	for (size_t t = 0; t < n; t++) {
		double xy = 0, sx = 0, sy = 0;
		for (size_t s = 0; s < n; s++) {
			if (!d->counts[t * n + s])
				continue;
			const size_t i = s + n - 1 - t;
			xy += x[i] * y[i];
			sx += x[i];
			sy += y[i];
		}
		all += d->row[t] > 0 ? xy - sx * sy / d->row[t] : 0;
	}
	return all;
}

/* Gets Σ_i cos(δ θ_i) / pairs by distance, of mean 0 over the pairs that count; false: nothing rotates. */
static bool turned(const struct profile *p, const struct profile_design *d, size_t layer,
		   double *out)
{
	const size_t n = p->at.n;
	double mean = 0;
	size_t turns = 0;
	for (size_t i = 0; p->own_rates.at && i < p->own_rates.cols; i++)
		turns += !isnan(mat_row(p->own_rates, layer)[i]);
	for (size_t k = 0; turns > 0 && k < 2 * n - 1; k++) {
		double sum = 0;
		for (size_t i = 0; i < p->own_rates.cols; i++) {
			const double rate = mat_row(p->own_rates, layer)[i];
			sum += isnan(rate) ? 0 : cos(rate * ((double)k - (double)(n - 1)));
		}
		out[k] = sum / (double)turns;
		mean += d->by[k] * out[k] / d->pairs;
	}
	for (size_t k = 0; k < 2 * n - 1; k++)
		out[k] = d->by[k] > 0 ? out[k] - mean : 0;
	return turns > 0;
}

void profile_own(const struct profile *p, const struct profile_design *d, size_t cell,
		 struct arena *a, struct profile_head *out)
{
	static const double rounding = 1e-18;
	const size_t m = p->at.d;
	double *const f = arena_calloc(a, m, sizeof *f), *const own =
								 arena_calloc(a, m, sizeof *own);
	double *const turn = arena_calloc(a, m, sizeof *turn), *const rest = arena_calloc(
								       a, m, sizeof *rest);
	const double *const added = p->own_added ? p->own_added[cell] : NULL;
	const bool turns = turned(p, d, cell / p->sizes.heads, turn);
	if (!added && !turns)
		return;
	for (size_t i = 0; i < m; i++) {
		f[i] = d->by[i] > 0 ? out->kernel[i] : 0;
		own[i] = added && d->by[i] > 0 ? added[i] : 0;
		rest[i] = f[i] - own[i];
	}
	const double by = turns ? inner(d, turn, turn) : 0;
	const double size = by > rounding ? fmax(0, inner(d, turn, rest) / by) : 0;
	for (size_t i = 0; i < m; i++) {
		own[i] += size * turn[i];
		rest[i] = f[i] - own[i];
	}
	const double all = inner(d, f, f), left = inner(d, rest, rest);
	const double most = fmax(all, inner(d, own, own));
	for (size_t i = 0; i < m; i++)
		own[i] = d->by[i] > 0 ? own[i] : NAN;
	out->own = own;
	out->own_like = all > rounding * d->pairs && all > 1e-24 * most ? 1 - left / all : NAN;
	out->own_apart = sqrt(fmax(0, left) / d->pairs);
}

double profile_apart(const struct profile *p, size_t cell, const double *x, const double *y)
{
	const struct profile_design *const d = p->designs[p->design[cell]];
	struct arena a;
	arena_init(&a);
	double *const apart = arena_calloc(&a, p->at.d, sizeof *apart);
	for (size_t i = 0; i < p->at.d; i++)
		apart[i] = d->by[i] > 0 ? y[i] - x[i] : 0;
	const double all = inner(d, apart, apart);
	arena_release(&a);
	return d->pairs > 0 ? sqrt(fmax(0, all) / d->pairs) : NAN;
}

/* ---- what a scheme adds ---------------------------------------------------------------------------- */

bool profile_give_own(struct profile *p, const struct mat *map, struct mat rates)
{
	const size_t cells = p->sizes.layers * p->sizes.heads, m = p->at.d;
	bool any = rates.at != NULL;
	p->own_rates = rates.at ? mat_copy(p->arena, rates) : (struct mat){0};
	p->own_added = arena_calloc(p->arena, cells, sizeof *p->own_added);
	for (size_t i = 0; i < cells && map; i++) {
		if (!map[i].at)
			continue;
		p->own_added[i] = arena_calloc(p->arena, m, sizeof **p->own_added);
		const struct arena_mark mark = arena_mark(p->arena);
		profile_kernel_of(p->designs[p->design[i]], map[i], p->own_added[i], p->arena);
		arena_rewind(p->arena, mark);
		any = true;
	}
	return any;
}

/* Returns whether a term is of positions alone, and not of vectors that were added to the tokens'. */
static bool is_own(const struct trace *trace, size_t layer, const struct trace_term *t)
{
	return t->kind == TERM_POSITION &&
	       !(layer == 0 && trace->position_vectors.at && strstr(t->label, "–"));
}

struct mat profile_own_term(const struct trace *trace, size_t layer, size_t head, struct arena *a)
{
	const struct trace_head *const h = &trace->layers[layer].heads[head];
	struct mat out = {0};
	for (size_t i = 0; i < h->n_terms; i++) {
		if (!is_own(trace, layer, &h->terms[i]))
			continue;
		if (!out.at)
			out = mat_zero(a, h->terms[i].at.rows, h->terms[i].at.cols);
		for (size_t k = 0; k < out.rows * out.cols; k++)
			out.at[k] += h->terms[i].at.at[k];
	}
	return out;
}

/* Returns whether two windows have the same, on the pairs that their masks allow. */
bool profile_own_same(const struct mat *x, const struct mat *y, size_t n)
{
	static const double rounding = 1e-9;
	for (size_t c = 0; c < n; c++) {
		if (!x[c].at != !y[c].at)
			return false;
		for (size_t i = 0; x[c].at && i < x[c].rows * x[c].cols; i++) {
			const double u = x[c].at[i], v = y[c].at[i];
			if (isfinite(u) != isfinite(v) ||
			    (isfinite(u) && fabs(u - v) > rounding * (1 + fabs(u))))
				return false;
		}
	}
	return true;
}
