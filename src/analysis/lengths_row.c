/* lengths_row.c: the measures of a single query: its row of weights in a few numbers. */
#include <math.h>
#include <stdlib.h>

#include "lengths_in.h"

/* ---- one query ------------------------------------------------------------------------------- */

static const double share_of_window = 0.99;

double lengths_row_sum(const double *w, size_t n)
{
	double sum = 0;
	for (size_t s = 0; s < n; s++) {
		if (w[s] < weight_least || !isfinite(w[s]))
			return NAN;
		sum += w[s];
	}
	return sum > 0 ? sum : (double)NAN;
}

bool lengths_has_places(const struct axis *key)
{
	size_t tokens = 0;
	for (size_t s = 0; s < key->n; s++)
		tokens += key->token[s] >= 0;
	return tokens > 0;
}

void lengths_measure_row(struct mat row, const struct axis *key, long t, long within, double *out)
{
	const double *const w = row.at;
	const double sum = lengths_row_sum(w, key->n);
	double distance = 0, near = 0, first = 0;
	for (size_t i = 0; i < LENGTHS_MEASURES; i++)
		out[i] = NAN;
	if (isnan(sum))
		return;
	out[LENGTHS_ENTROPY] = weights_entropy(row);
	if (!lengths_has_places(key))
		return;
	for (size_t s = 0; s < key->n; s++) {
		const long apart = labs(key->token[s] - t);
		if (key->token[s] < 0)
			continue;
		distance += w[s] * (double)apart;
		near += apart <= within ? w[s] : 0;
		first += key->token[s] == 0 ? w[s] : 0;
	}
	out[LENGTHS_DISTANCE] = distance / sum;
	out[LENGTHS_WITHIN] = near / sum;
	out[LENGTHS_FIRST_TOKEN] = first / sum;
}

/* ---- the last query, by distance ------------------------------------------------------------- */

double *lengths_by_distance(const double *row, const struct axis *key, size_t n, struct arena *a)
{
	double *const at = arena_alloc(a, n * sizeof *at);
	for (size_t d = 0; d < n; d++)
		at[d] = NAN;
	for (size_t s = 0; s < key->n; s++)
		if (key->token[s] >= 0 && (size_t)key->token[s] < n)
			at[n - 1 - (size_t)key->token[s]] = row[s];
	return at;
}

double lengths_window(const double *at, size_t n, double sum)
{
	double mass = 0;
	for (size_t d = 0; d < n; d++) {
		mass += isnan(at[d]) ? 0 : at[d];
		if (mass >= share_of_window * sum * (1 - 1e-12))
			return (double)d;
	}
	return NAN;
}

double lengths_beyond(const double *at, size_t n, double sum, double reach)
{
	double mass = 0;
	for (size_t d = 0; d < n; d++)
		mass += (double)d > reach && !isnan(at[d]) ? at[d] : 0;
	return mass / sum;
}

double lengths_saturation(const double *at, size_t n)
{
	double lo = INFINITY, hi = -INFINITY;
	size_t from = n;
	for (size_t d = 0; d < n; d++) {
		if (!isfinite(at[d]))
			return NAN;
		lo = fmin(lo, at[d]);
		hi = fmax(hi, at[d]);
	}
	const double same = relative_tolerance * (1 + fmax(fabs(lo), fabs(hi)));
	while (from > 0 && fabs(at[from - 1] - at[n - 1]) <= same)
		from--;
	return from == 0 || (n > 1 && 2 * from <= n) ? (double)from : (double)NAN;
}
