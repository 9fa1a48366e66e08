/* profile_design.c: the least-squares fits of a profile for one mask.
 *
 * With rows taken out, Z'(I−P)Z x = Z'l̃, where Z has a column for each distance, and for each key
 * in the larger fit, and P takes the mean over each row. */
#include <math.h>
#include <string.h>

#include "profile_in.h"

static const double null_space = 1e-10; /* of the largest eigenvalue */

static void count_pairs(struct profile_design *d)
{
	const struct profile_sizes *const z = d->sizes;
	for (size_t t = z->front; t + z->back < z->n; t++) {
		for (size_t s = z->front; s + z->back < z->n; s++) {
			if (!d->mask[t * z->n + s])
				continue;
			d->counts[t * z->n + s] = 1;
			d->row[t]++;
			d->by[s + z->n - 1 - t]++;
			d->pairs++;
		}
	}
}

/* Lists the unknowns that occur in a pair, and where each is in the list. */
static size_t list_unknowns(const struct profile_design *d, bool keys, size_t *of, size_t *where)
{
	const size_t n = d->sizes->n, distances = 2 * n - 1;
	size_t m = 0;
	for (size_t i = 0; i < distances; i++)
		if (d->by[i] > 0)
			of[where[i] = m++] = i;
	for (size_t s = 0; s < n && keys; s++) {
		bool any = false;
		for (size_t t = 0; t < n; t++)
			any |= d->counts[t * n + s] != 0;
		if (any)
			of[where[distances + s] = m++] = distances + s;
	}
	return m;
}

/* Adds what row t has of Z'(I−P)Z. */
static void add_row(const struct profile_design *d, bool keys, const size_t *where, size_t t,
		    size_t *list, struct mat to)
{
	const size_t n = d->sizes->n, distances = 2 * n - 1;
	const double share = d->row[t] > 0 ? 1 / d->row[t] : 0;
	size_t m = 0;
	for (size_t s = 0; s < n; s++) {
		if (!d->counts[t * n + s])
			continue;
		const size_t f = where[s + n - 1 - t], g = where[distances + s];
		mat_row(to, f)[f]++;
		list[m++] = f;
		if (!keys)
			continue;
		mat_row(to, g)[g]++;
		mat_row(to, f)[g]++;
		mat_row(to, g)[f]++;
		list[m++] = g;
	}
	for (size_t i = 0; i < m; i++)
		for (size_t k = 0; k < m; k++)
			mat_row(to, list[i])[list[k]] -= share;
}

static void solve(const struct profile_design *d, bool keys, struct solved *out, struct arena *a)
{
	const size_t n = d->sizes->n, unknowns = 3 * n - 1;
	struct arena scratch;
	struct err err;
	arena_init(&scratch);
	size_t *const where = arena_calloc(&scratch, unknowns, sizeof *where);
	size_t *const list = arena_calloc(&scratch, 2 * n, sizeof *list);
	out->of = arena_calloc(a, unknowns, sizeof *out->of);
	out->m = list_unknowns(d, keys, out->of, where);
	const struct mat normal = mat_zero(&scratch, out->m, out->m);
	for (size_t t = 0; t < n; t++)
		add_row(d, keys, where, t, list, normal);
	out->vector = mat_new(a, out->m, out->m);
	out->inverse = arena_calloc(a, out->m + 1, sizeof *out->inverse);
	if (out->m > 0 && !mat_eigen_largest(normal, 1, out->inverse, out->vector, &scratch, &err))
		BUG("%s", err.text);
	const double largest = out->m > 0 ? out->inverse[out->m - 1] : 0;
	for (size_t i = 0; i < out->m; i++)
		out->inverse[i] = out->inverse[i] > null_space * largest ? 1 / out->inverse[i] : 0;
	arena_release(&scratch);
}

struct profile_design *profile_design_new(const struct profile_sizes *sizes, const uint8_t *mask,
					  struct arena *a)
{
	const size_t n = sizes->n;
	struct profile_design *const d = arena_calloc(a, 1, sizeof *d);
	uint8_t *const own = arena_calloc(a, n, n);
	memset(own, 1, n * n);
	for (size_t i = 0; i < n * n && mask; i++)
		own[i] = mask[i] != 0;
	*d = (struct profile_design){.sizes = sizes,
				     .mask = own,
				     .counts = arena_calloc(a, n, n),
				     .row = arena_calloc(a, n, sizeof(double)),
				     .by = arena_calloc(a, 2 * n, sizeof(double))};
	count_pairs(d);
	solve(d, false, &d->distance, a);
	solve(d, true, &d->both, a);
	return d;
}

void profile_solve(const struct solved *s, const double *right, double *out, struct arena *a)
{
	const struct arena_mark mark = arena_mark(a);
	const struct mat b = mat_new(a, s->m, 1), y = mat_new(a, s->m, 1), x = mat_new(a, s->m, 1);
	for (size_t i = 0; i < s->m; i++)
		b.at[i] = right[s->of[i]];
	if (s->m > 0) {
		mat_mul(y, 1, s->vector, false, b, false, 0);
		for (size_t i = 0; i < s->m; i++)
			y.at[i] *= s->inverse[i];
		mat_mul(x, 1, s->vector, true, y, false, 0);
	}
	for (size_t i = 0; i < s->m; i++)
		out[s->of[i]] = x.at[i];
	arena_rewind(a, mark);
}

void profile_by_distance(const struct profile_design *d, const double *m, double *out)
{
	const size_t n = d->sizes->n;
	memset(out, 0, (2 * n - 1) * sizeof *out);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			out[s + n - 1 - t] += d->counts[t * n + s] ? m[t * n + s] : 0;
}
