/* profile.c: sums over windows, a row of numbers for each head, and what follows from them. */
#include <math.h>
#include <string.h>

#include "posviz/math/machine.h"
#include "profile_in.h"

/* ---- sums ------------------------------------------------------------------------------------ */

static struct profile_layout lay_out(const struct profile_sizes *z)
{
	const size_t n = z->n, d = 2 * n - 1;
	struct profile_layout l = {.n = n, .d = d, .bands = z->bands};
	size_t at = 1; /* windows */
	l.logits = at++;
	l.squares = at++;
	l.most = at++;
	l.map = at;
	l.weight = l.map + n * n;
	l.f2 = l.weight + n * n;
	l.w2 = l.f2 + d;
	l.scores = l.w2 + d;
	l.cov = l.scores + 3 * (size_t)PROFILE_SCORES;
	l.band = l.cov + z->bands;
	l.size = l.band + z->bands * d;
	return l;
}

size_t profile_bytes(const struct profile_sizes *z)
{
	return z->layers * z->heads * lay_out(z).size * sizeof(double);
}

struct profile *profile_new(const struct profile_sizes *sizes, struct arena *a)
{
	const size_t cells = sizes->layers * sizes->heads;
	struct profile *const p = arena_calloc(a, 1, sizeof *p);
	*p = (struct profile){.sizes = *sizes, .at = lay_out(sizes), .arena = a};
	p->sums = arena_calloc(a, cells * p->at.size, sizeof *p->sums);
	p->design = arena_calloc(a, cells, sizeof *p->design);
	p->designs = arena_calloc(a, cells, sizeof(struct profile_design *));
	p->ids = arena_calloc(a, PROFILE_IDS, sizeof *p->ids);
	for (size_t i = 0; i < cells; i++)
		p->design[i] = SIZE_MAX;
	return p;
}

const struct profile_sizes *profile_sizes_of(const struct profile *p)
{
	return &p->sizes;
}

/* ---- masks ----------------------------------------------------------------------------------- */

static bool same_mask(const struct profile_design *d, const uint8_t *mask)
{
	const size_t n = d->sizes->n;
	for (size_t i = 0; i < n * n; i++)
		if (d->mask[i] != (!mask || mask[i]))
			return false;
	return true;
}

static size_t design_of(struct profile *p, const uint8_t *mask)
{
	for (size_t i = 0; i < p->n_designs; i++)
		if (same_mask(p->designs[i], mask))
			return i;
	p->designs[p->n_designs] = profile_design_new(&p->sizes, mask, p->arena);
	return p->n_designs++;
}

static bool find_designs(struct profile *p, const struct profile_in *heads, struct err *err)
{
	const size_t cells = p->sizes.layers * p->sizes.heads;
	for (size_t i = 0; i < cells; i++) {
		if (p->design[i] == SIZE_MAX)
			p->design[i] = design_of(p, heads[i].mask);
		else if (!same_mask(p->designs[p->design[i]], heads[i].mask))
			return err_set(
				err,
				"the mask of layer %zu, head %zu differs between windows; one "
				"that depends on positions alone would be right",
				i / p->sizes.heads + 1, i % p->sizes.heads + 1);
	}
	return true;
}

/* ---- a window -------------------------------------------------------------------------------- */

struct adding {
	struct profile *p;
	const struct profile_in *heads, *after;
	const long *ids;
	const size_t *order;
};

/* A row of a matrix without its mean over the keys that count; 0 elsewhere. */
void profile_centre(const struct profile_design *d, size_t t, const double *from, double *out)
{
	const uint8_t *const counts = d->counts + t * d->sizes->n;
	double mean = 0;
	for (size_t s = 0; s < d->sizes->n; s++)
		mean += counts[s] ? from[s] : 0;
	mean /= d->row[t] > 0 ? d->row[t] : 1;
	for (size_t s = 0; s < d->sizes->n; s++)
		out[s] = counts[s] ? from[s] - mean : 0;
}

/* Returns the logits of all pairs that count, or those that the weights give; at NULL: one is not
 * finite. */
static struct mat find_logits(const struct profile_design *d, const struct profile_in *in,
			      struct arena *a)
{
	const size_t n = d->sizes->n;
	const struct mat from = in->logits.at ? in->logits : in->weights, out = mat_zero(a, n, n);
	for (size_t i = 0; i < n * n; i++) {
		if (!d->counts[i])
			continue;
		const double value = mat_row(from, i / n)[i % n];
		out.at[i] = in->logits.at ? value : log(value);
		if (!isfinite(out.at[i]))
			return (struct mat){0};
	}
	return out;
}

/* Adds the squares of the window's kernel, of sum 0 over the pairs. */
static void add_kernel(const struct profile_design *d, const double *map, double *f2,
		       struct arena *a)
{
	const size_t m = 2 * d->sizes->n - 1;
	double *const by = arena_calloc(a, m, sizeof *by), *const f = arena_calloc(a, m, sizeof *f);
	profile_by_distance(d, map, by);
	profile_solve(&d->distance, by, f, a);
	double mean = 0;
	for (size_t i = 0; i < m; i++)
		mean += d->by[i] * f[i] / d->pairs;
	for (size_t i = 0; i < m; i++)
		f2[i] += d->by[i] > 0 ? (f[i] - mean) * (f[i] - mean) : 0;
}

static void add_band(const struct profile *p, const struct profile_design *d,
		     const struct profile_in *in, const double *map, size_t i, double *sums,
		     struct arena *a)
{
	const struct profile_layout *const l = &p->at;
	const size_t n = l->n, x = in->half ? i : 2 * i, y = in->half ? i + in->pairs : 2 * i + 1;
	double *const row = arena_calloc(a, n, sizeof *row), *const out = arena_calloc(a, n,
										       sizeof *out);
	double *const kx = arena_calloc(a, n, sizeof *kx), *const ky =
								   arena_calloc(a, n, sizeof *ky);
	double *const by = sums + l->band + i * l->d;
	for (size_t s = 0; s < n; s++) {
		kx[s] = in->c * mat_row(in->k, s)[x];
		ky[s] = in->c * mat_row(in->k, s)[y];
	}
	for (size_t t = 0; t < n; t++) {
		const double qx = mat_row(in->q, t)[x], qy = mat_row(in->q, t)[y];
		double sum = 0;
		if (!(d->row[t] > 0))
			continue;
		for (size_t s = 0; s < n; s++)
			row[s] = qx * kx[s] + qy * ky[s];
		profile_centre(d, t, row, out);
		for (size_t s = 0; s < n; s++) {
			sum += out[s] * map[t * n + s];
			by[s + n - 1 - t] += out[s];
		}
		sums[l->cov + i] += sum;
	}
}

static void add_logits(const struct profile *p, const struct profile_design *d,
		       const struct profile_in *in, double *sums, struct arena *a)
{
	const struct profile_layout *const l = &p->at;
	const struct mat logits = find_logits(d, in, a);
	if (!logits.at)
		return;
	const struct mat map = mat_zero(a, l->n, l->n);
	for (size_t t = 0; t < l->n; t++)
		profile_centre(d, t, mat_row(logits, t), mat_row(map, t));
	for (size_t i = 0; i < l->n * l->n; i++) {
		sums[l->map + i] += map.at[i];
		sums[l->squares] += map.at[i] * map.at[i];
		sums[l->most] = fmax(sums[l->most], fabs(logits.at[i]));
	}
	sums[l->logits]++;
	add_kernel(d, map.at, sums + l->f2, a);
	for (size_t i = 0; i < in->pairs && i < l->bands; i++) {
		const struct arena_mark mark = arena_mark(a);
		add_band(p, d, in, map.at, i, sums, a);
		arena_rewind(a, mark);
	}
}

static void add_weights(const struct profile *p, const struct profile_design *d, struct mat weights,
			double *sums, struct arena *a)
{
	const struct profile_layout *const l = &p->at;
	double *const by = arena_calloc(a, l->d, sizeof *by);
	const struct mat all = mat_copy(a, weights);
	for (size_t i = 0; i < l->n * l->n; i++)
		sums[l->weight + i] += d->counts[i] ? all.at[i] : 0;
	profile_by_distance(d, all.at, by);
	for (size_t i = 0; i < l->d; i++)
		sums[l->w2 + i] += d->by[i] > 0 ? by[i] / d->by[i] * (by[i] / d->by[i]) : 0;
}

static void add_score(const struct profile *p, double *sums, size_t i, double value)
{
	double *const to = sums + p->at.scores + 3 * i;
	if (isnan(value))
		return;
	to[0]++;
	to[1] += value;
	to[2] += value * value;
}

static void add_window(void *context, size_t cell, size_t worker)
{
	(void)worker;
	const struct adding *const w = context;
	const struct profile_design *const d = w->p->designs[w->p->design[cell]];
	const struct profile_in *const in = &w->heads[cell];
	double *const sums = profile_sums(w->p, cell), scores[PROFILE_SCORES];
	struct arena a;
	arena_init(&a);
	sums[0]++;
	add_logits(w->p, d, in, sums, &a);
	add_weights(w->p, d, in->weights, sums, &a);
	profile_score_window(d, in->weights, w->ids, scores);
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		add_score(w->p, sums, i, scores[i]);
	arena_release(&a);
}

bool profile_add(struct profile *p, const struct profile_in *heads, const long *ids,
		 struct err *err)
{
	struct adding w = {.p = p, .heads = heads, .ids = ids};
	if (!find_designs(p, heads, err))
		return false;
	if (ids && p->n_ids < PROFILE_IDS) {
		long *const own = arena_calloc(p->arena, p->sizes.n, sizeof *own);
		memcpy(own, ids, p->sizes.n * sizeof *own);
		p->ids[p->n_ids++] = own;
	}
	machine_parallel(p->sizes.layers * p->sizes.heads, add_window, &w);
	return true;
}

void profile_add_repeated(struct profile *p, const struct profile_in *heads)
{
	for (size_t i = 0; i < p->sizes.layers * p->sizes.heads; i++)
		add_score(p, profile_sums(p, i), PROFILE_INDUCTION,
			  profile_score_repeated(p->designs[p->design[i]], heads[i].weights));
}

void profile_add_shuffled(struct profile *p, const struct profile_in *before,
			  const struct profile_in *after, const size_t *order)
{
	for (size_t i = 0; i < p->sizes.layers * p->sizes.heads; i++)
		add_score(p, profile_sums(p, i), PROFILE_ORDER,
			  profile_score_order(p->designs[p->design[i]], before[i].weights,
					      after[i].weights, order));
}
