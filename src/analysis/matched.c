/* matched.c: the tokens of two inputs that are the same word, and matrices restricted to these.
 *
 * A word is identified by its label and by the number of its occurrence in the original order:
 * the first "the" is the first "the", wherever an order puts it. A token that appears several
 * times is one occurrence, and its rows are matched one after another; so are inserted tokens,
 * such as [CLS]. */
#include <stdlib.h>
#include <string.h>

#include "posviz/analysis/analysis.h"

struct unit {
	const char *label;
	long token;
	size_t index;
	size_t occurrence, turn;
};

static int by_token(const void *left, const void *right)
{
	const struct unit *x = left, *y = right;
	const int order = strcmp(x->label, y->label);
	if (order != 0)
		return order;
	if (x->token != y->token)
		return x->token < y->token ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Returns the tokens sorted by label, occurrence and turn. */
static struct unit *units_of(const struct axis *axis, struct arena *a)
{
	struct unit *const all = arena_calloc(a, axis->n + 1, sizeof *all);
	for (size_t i = 0; i < axis->n; i++)
		all[i] = (struct unit){axis->labels[i], axis->token ? axis->token[i] : -1, i, 0, 0};
	qsort(all, axis->n, sizeof *all, by_token);
	for (size_t i = 1; i < axis->n; i++) {
		if (strcmp(all[i].label, all[i - 1].label) != 0)
			continue;
		const bool same = all[i].token >= 0 && all[i].token == all[i - 1].token;
		all[i].occurrence = all[i - 1].occurrence + !same;
		all[i].turn = same ? all[i - 1].turn + 1 : 0;
	}
	return all;
}

static int by_word(const struct unit *x, const struct unit *y)
{
	const int order = strcmp(x->label, y->label);
	if (order != 0)
		return order;
	if (x->occurrence != y->occurrence)
		return x->occurrence < y->occurrence ? -1 : 1;
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}

size_t *axis_places(const struct axis *to, const struct axis *from, struct arena *a)
{
	size_t *const at = arena_calloc(a, to->n + 1, sizeof *at);
	const struct unit *const x = units_of(to, a), *const y = units_of(from, a);
	for (size_t i = 0, k = 0; i < to->n; i++) {
		while (k < from->n && by_word(&y[k], &x[i]) < 0)
			k++;
		at[x[i].index] = k < from->n && by_word(&y[k], &x[i]) == 0 ? y[k].index : SIZE_MAX;
	}
	return at;
}

void axis_match(const struct axis *first, const struct axis *second, struct arena *a,
		struct axis_match *out)
{
	const size_t *const place = axis_places(first, second, a);
	const size_t *const back = axis_places(second, first, a);
	*out = (struct axis_match){.first = arena_calloc(a, first->n + 1, sizeof *out->first),
				   .second = arena_calloc(a, second->n + 1, sizeof *out->second),
				   .n_first = first->n,
				   .n_second = second->n};
	for (size_t i = 0; i < first->n; i++) {
		if (place[i] == SIZE_MAX)
			continue;
		out->first[out->n] = i;
		out->second[out->n++] = place[i];
	}
	for (size_t i = 0, n = out->n; i < first->n; i++)
		if (place[i] == SIZE_MAX)
			out->first[n++] = i;
	for (size_t i = 0, n = out->n; i < second->n; i++)
		if (back[i] == SIZE_MAX)
			out->second[n++] = i;
}

/* Takes the columns of one side: the common ones, and with `rest` those that it alone has, which
 * are masked in the other. */
static void take_row(const struct matched *m, bool second, bool rest, const double *from,
		     const uint8_t *mask, double *to, uint8_t *to_mask)
{
	const struct axis_match *const k = &m->keys;
	const size_t *const at = second ? k->second : k->first;
	const size_t own = second ? k->n_second : k->n_first;
	const size_t begin = k->n + (second ? k->n_first - k->n : 0);
	for (size_t i = 0; i < (rest ? own : k->n); i++) {
		const size_t col = i < k->n ? i : begin + (i - k->n);
		to[col] = from[at[i]];
		/* With `rest`, a common word that is masked has weight 0 and still counts. */
		to_mask[col] = (rest && i < k->n) || !mask || mask[at[i]];
	}
}

void matched_take(const struct matched *m, bool second, bool rest, struct mat from,
		  const uint8_t *mask, struct arena *a, struct mat *out, const uint8_t **out_mask)
{
	const struct axis_match *const q = &m->queries, *const k = &m->keys;
	const size_t cols = rest ? k->n_first + k->n_second - k->n : k->n;
	uint8_t *const taken = arena_calloc(a, q->n * cols + 1, 1);
	*out = mat_zero(a, q->n, cols);
	for (size_t i = 0; i < q->n; i++) {
		const size_t row = second ? q->second[i] : q->first[i];
		take_row(m, second, rest, mat_row(from, row), mask ? mask + row * from.cols : NULL,
			 mat_row(*out, i), taken + i * cols);
	}
	*out_mask = taken;
}
