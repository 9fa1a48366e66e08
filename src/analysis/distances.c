/* distances.c: a matrix summarised along its diagonals, by the distance s−t of two positions; or by
 * another number of each pair.
 *
 * Positions are those of the tokens in the present order of the sentence; an inserted token
 * ([CLS], a global node) has none and is left out. Tokens of a memory come before the first
 * token. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "analysis_in.h"
#include "posviz/analysis/split.h"

static const long nowhere = LONG_MIN;

enum { MOST_NUMBERS = 1 << 16 }; /* size of the range of the numbers */

/* Returns the position of each token, counted after the first `memory`, or `nowhere` for
 * inserted ones. */
static long *positions_of(const struct axis *axis, size_t memory, struct arena *a)
{
	long *at = arena_calloc(a, axis->n, sizeof *at);
	long next = 0;
	for (size_t i = 0; i < axis->n; i++)
		at[i] = i < memory	      ? (long)i - (long)memory
			: axis->token[i] >= 0 ? next++
					      : nowhere;
	return at;
}

static void make_rows(struct distances *d, struct arena *a)
{
	const size_t n = d->heads * d->n;
	d->mean = arena_calloc(a, n, sizeof *d->mean);
	d->min = arena_calloc(a, n, sizeof *d->min);
	d->max = arena_calloc(a, n, sizeof *d->max);
	for (size_t i = 0; i < n; i++)
		d->mean[i] = d->min[i] = d->max[i] = NAN;
}

void distances_init(struct distances *d, const struct trace *trace, size_t heads, struct arena *a)
{
	long tokens = 0;
	for (size_t i = 0; i < trace->query.n; i++)
		tokens += trace->query.token[i] >= 0;
	const size_t memory = trace->memory;
	*d = (struct distances){.heads = heads,
				.memory = memory,
				.lo = 1 - tokens - (long)memory,
				.hi = tokens - 1,
				.n = (size_t)(2 * tokens - 1) + memory,
				.skipped = trace->query.n - (size_t)tokens};
	make_rows(d, a);
}

bool distances_init_by(struct distances *d, const int32_t *number, size_t rows, size_t cols,
		       size_t heads, struct arena *a)
{
	long lo = LONG_MAX, hi = LONG_MIN;
	*d = (struct distances){.heads = heads, .number = number, .rows = rows, .cols = cols};
	for (size_t i = 0; i < rows * cols; i++) {
		d->skipped += number[i] == RELATION_NO_PATH;
		if (number[i] == RELATION_NO_PATH)
			continue;
		lo = number[i] < lo ? number[i] : lo;
		hi = number[i] > hi ? number[i] : hi;
	}
	if (lo > hi || hi - lo > MOST_NUMBERS)
		return false;
	d->lo = lo;
	d->hi = hi;
	d->n = (size_t)(hi - lo) + 1;
	make_rows(d, a);
	return true;
}

/* The numbers by which pairs are grouped. */
struct counted {
	const struct distances *d;
	const long *row_place, *col_place; /* for distances */
};

/* Returns the number of a pair, or `nowhere`. */
static long number_of(const struct counted *c, size_t t, size_t s)
{
	if (c->d->number) {
		const int32_t number = c->d->number[t * c->d->cols + s];
		return number == RELATION_NO_PATH ? nowhere : number;
	}
	return c->row_place[t] == nowhere || c->col_place[s] == nowhere
		       ? nowhere
		       : c->col_place[s] - c->row_place[t];
}

double weights_distance(const struct trace *trace, struct mat weights)
{
	struct arena scratch;
	arena_init(&scratch);
	const size_t memory = trace->key.n == trace->query.n + trace->memory ? trace->memory : 0;
	const long *const row_place = positions_of(&trace->query, 0, &scratch);
	const long *const col_place = positions_of(&trace->key, memory, &scratch);
	double sum = 0, rows = 0;
	for (size_t t = 0; t < weights.rows; t++) {
		double all = 0, far = 0;
		for (size_t s = 0; s < weights.cols && row_place[t] != nowhere; s++) {
			const double weight = mat_row(weights, t)[s];
			if (weight < weight_least)
				rows = NAN;
			if (col_place[s] == nowhere)
				continue;
			all += weight;
			far += weight * (double)labs(col_place[s] - row_place[t]);
		}
		sum += all > 0 ? far / all : 0;
		rows += all > 0;
	}
	arena_release(&scratch);
	return rows > 0 ? sum / rows : NAN;
}

void distances_add(struct distances *d, const struct axis *query, const struct axis *key,
		   size_t head, struct mat m, const uint8_t *mask)
{
	if (d->number && (m.rows != d->rows || m.cols != d->cols))
		return;
	struct arena scratch;
	arena_init(&scratch);
	/* If the keys are not the tokens, they contain neither memory nor tokens. */
	const size_t memory = key->n == query->n + d->memory ? d->memory : 0;
	const struct counted c = {d, positions_of(query, 0, &scratch),
				  positions_of(key, memory, &scratch)};
	double *const sum = arena_calloc(&scratch, d->n, sizeof *sum);
	double *const count = arena_calloc(&scratch, d->n, sizeof *count);
	double *const min = d->min + head * d->n, *const max = d->max + head * d->n;
	for (size_t t = 0; t < m.rows; t++) {
		for (size_t s = 0; s < m.cols; s++) {
			const long number = number_of(&c, t, s);
			if (number == nowhere || (mask && !mask[t * m.cols + s]))
				continue;
			const size_t at = (size_t)(number - d->lo);
			const double value = mat_row(m, t)[s];
			sum[at] += value;
			min[at] = count[at] > 0 ? fmin(min[at], value) : value;
			max[at] = count[at] > 0 ? fmax(max[at], value) : value;
			count[at]++;
		}
	}
	for (size_t i = 0; i < d->n; i++)
		if (count[i] > 0)
			d->mean[head * d->n + i] = sum[i] / count[i];
	arena_release(&scratch);
}

const int32_t *split_distances(const struct trace *trace, struct arena *a)
{
	const struct axis *const query = &trace->query, *const key = &trace->key;
	const size_t memory = key->n == query->n + trace->memory ? trace->memory : 0;
	const long *const row_place = positions_of(query, 0, a), *const col_place = positions_of(
									 key, memory, a);
	int32_t *const number = arena_alloc(a, (query->n * key->n + 1) * sizeof *number);
	for (size_t t = 0; t < query->n; t++)
		for (size_t s = 0; s < key->n; s++)
			number[t * key->n + s] = row_place[t] == nowhere || col_place[s] == nowhere
							 ? RELATION_NO_PATH
							 : (int32_t)(col_place[s] - row_place[t]);
	return number;
}
