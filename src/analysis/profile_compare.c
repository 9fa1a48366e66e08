/* profile_compare.c: two profiles of models of the same layers and heads, head by head. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/analysis/profile_columns.h"
#include "posviz/base/strbuf.h"
#include "profile_in.h"

bool profile_comparable(const struct profile_sizes *a, const struct profile_sizes *b,
			const char *name, const char *other, struct err *err)
{
	if (a->layers != b->layers || a->heads != b->heads)
		return err_set(
			err,
			"compare: %s has %zu layers of %zu heads and %s %zu of %zu; a model of as many "
			"would be right",
			name, a->layers, a->heads, other, b->layers, b->heads);
	return a->n == b->n ||
	       err_set(err,
		       "compare: windows of %s have %zu tokens and those of %s %zu; --window-length %zu "
		       "would be right",
		       name, a->n, other, b->n, a->n < b->n ? a->n : b->n);
}

/* Returns whether a difference is more than both intervals. */
static bool is_beyond(double difference, double half, double other)
{
	return fabs(difference) > (isnan(half) ? 0 : half) + (isnan(other) ? 0 : other);
}

/* A kernel without what is not known. */
static double *known(const double *kernel, size_t n, struct arena *a)
{
	double *const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n && kernel; i++)
		out[i] = isnan(kernel[i]) ? 0 : kernel[i];
	return out;
}

struct profile_head *profile_differences(const struct profile *p, const struct profile_head *from,
					 const struct profile_head *to, struct arena *a)
{
	const size_t cells = p->sizes.layers * p->sizes.heads, d = p->at.d;
	struct profile_head *const out = arena_calloc(a, cells, sizeof *out);
	for (size_t c = 0; c < cells; c++) {
		const struct profile_head *const x = &from[c], *const y = &to[c];
		out[c] = (struct profile_head){.windows = x->windows,
					       .why = x->why ? x->why : y->why,
					       .sd = y->sd - x->sd,
					       .distance = y->distance - x->distance,
					       .key = y->key - x->key,
					       .content = y->content - x->content,
					       .peak = y->peak - x->peak,
					       .own_like = y->own_like - x->own_like,
					       .own_apart = NAN};
		out[c].kernel = arena_calloc(a, d, sizeof(double));
		for (size_t i = 0; i < d; i++)
			out[c].kernel[i] = y->kernel[i] - x->kernel[i];
		if (!out[c].why)
			out[c].own_apart =
				profile_apart(p, c, known(x->kernel, d, a), known(y->kernel, d, a));
		for (size_t i = 0; i < PROFILE_SCORES; i++) {
			out[c].score[i] = y->score[i] - x->score[i];
			out[c].stands[i] = is_beyond(out[c].score[i], x->half[i], y->half[i]);
		}
	}
	return out;
}

/* ---- sentences ----------------------------------------------------------------------------------- */

/* The numbers of which a sentence tells: those from 0 to 1. */
static const struct change {
	const char *column, *what;
} told[] = {
	{"position", "position makes %s of the variance of its logits"},
	{"previous", "the previous token has %s of its weight"},
	{"first", "the first token has %s of its weight"},
	{"same", "other occurrences of the token have %s of its weight"},
	{"induction", "what followed a token before has %s of its weight on repeated tokens"},
	{"local", "tokens up to 8 away have %s of its weight"},
	{"order", "a shuffle of far tokens moves %s of its weights"},
};

enum { TOLD = sizeof told / sizeof *told };
static const double enough = 0.1;

struct most {
	size_t head, row;
	double size;
};

static int largest_first(const void *a, const void *b)
{
	const struct most *const x = a, *const y = b;
	const int sizes = (x->size < y->size) - (x->size > y->size);
	return sizes ? sizes : (x->row > y->row) - (x->row < y->row);
}

/* Finds the head whose number differs most. */
static struct most most_of(const struct profile_sizes *z, const struct profile_head *by, size_t row)
{
	const size_t column = profile_name_find(told[row].column, strlen(told[row].column));
	const enum profile_score score = profile_columns[column].score;
	struct most out = {.row = row};
	for (size_t i = 0; i < z->layers * z->heads; i++) {
		const double size = fabs(profile_value(z, by, i, column));
		if (size > out.size && (score == PROFILE_SCORES || by[i].stands[score]))
			out = (struct most){i, row, size};
	}
	return out;
}

/* Returns "2·1", layer and head; of a single layer the head alone. */
static const char *name_of(const struct profile_sizes *z, size_t head, struct arena *a)
{
	return z->layers > 1 ? arena_printf(a, "%zu·%zu", head / z->heads + 1, head % z->heads + 1)
			     : arena_printf(a, "%zu", head + 1);
}

static const char *tell(const struct profile_sizes *z, const struct profile_head *from,
			const struct profile_head *to, const struct most *m, struct arena *a)
{
	const char *const name = told[m->row].column, *const what = told[m->row].what;
	const size_t column = profile_name_find(name, strlen(name));
	const char *const numbers = arena_printf(a, "first %.0f %%, then %.0f %%",
						 100 * profile_value(z, from, m->head, column),
						 100 * profile_value(z, to, m->head, column));
	const char *const gap = strstr(what, "%s");
	return arena_printf(a, "Head %s: %.*s%s%s.", name_of(z, m->head, a), (int)(gap - what),
			    what, numbers, gap + 2);
}

size_t profile_changes(const struct profile_sizes *z, const struct profile_head *from,
		       const struct profile_head *to, const struct profile_head *by,
		       struct arena *a, const char *out[PROFILE_FACTS])
{
	struct most all[TOLD];
	size_t n = 0, best = SIZE_MAX;
	for (size_t i = 0; i < TOLD; i++)
		all[i] = most_of(z, by, i);
	qsort(all, TOLD, sizeof *all, largest_first);
	for (size_t i = 0; i < TOLD && all[i].size >= enough; i++)
		out[n++] = tell(z, from, to, &all[i], a);
	if (n == 0)
		out[n++] =
			"No share or score of a head differs by 0.1 or more, beyond its interval.";
	for (size_t i = 0; i < z->layers * z->heads; i++)
		if (!isnan(by[i].own_apart) &&
		    (best == SIZE_MAX || by[i].own_apart > by[best].own_apart))
			best = i;
	if (best != SIZE_MAX)
		out[n++] = arena_printf(
			a, "The kernels of head %s differ most, by %.2g on the average of pairs.",
			name_of(z, best, a), by[best].own_apart);
	return n;
}
