/* axis.c: names of rows and columns, for people. */
#include <stdlib.h>
#include <string.h>

#include "model_in.h"
#include "posviz/base/text.h"

struct unit {
	const char *label;
	long token; /* -1 for inserted units, which come first, each on its own */
	size_t index;
};

static int compare(const void *left, const void *right)
{
	const struct unit *a = left, *b = right;
	const int order = strcmp(a->label, b->label);
	if (order != 0)
		return order;
	if (a->token != b->token)
		return a->token < b->token ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Returns whether the unit is a new occurrence of its word; several units of one token are a
 * single occurrence. */
static bool is_next(const struct unit *before, const struct unit *at)
{
	return at->token < 0 || at->token != before->token;
}

const char **axis_names(const struct axis *axis, struct arena *a)
{
	const char **const names = arena_calloc(a, axis->n, sizeof *names);
	struct unit *const all = arena_calloc(a, axis->n, sizeof *all);
	for (size_t i = 0; i < axis->n; i++)
		all[i] = (struct unit){axis->labels[i], axis->token ? axis->token[i] : -1, i};
	qsort(all, axis->n, sizeof *all, compare);
	for (size_t first = 0, end = 0; first < axis->n; first = end) {
		size_t occurrences = 1;
		for (end = first + 1;
		     end < axis->n && strcmp(all[end].label, all[first].label) == 0; end++)
			occurrences += is_next(&all[end - 1], &all[end]);
		const char *const word = text_joined(a, all[first].label);
		for (size_t i = first, number = 1; i < end; i++) {
			number += i > first && is_next(&all[i - 1], &all[i]);
			names[all[i].index] =
				occurrences > 1 ? text_occurrence(a, word, number) : word;
		}
	}
	return names;
}

void axis_copy(struct arena *a, struct axis *to, const struct axis *from)
{
	const char **labels = arena_calloc(a, from->n, sizeof *labels);
	long *token = arena_calloc(a, from->n, sizeof *token);
	for (size_t i = 0; i < from->n; i++) {
		labels[i] = arena_strdup(a, from->labels[i]);
		token[i] = from->token[i];
	}
	*to = (struct axis){.n = from->n, .labels = labels, .token = token};
	to->names = axis_names(to, a);
}

bool axis_same(const struct axis *a, const struct axis *b)
{
	return a->n == b->n && memcmp(a->token, b->token, a->n * sizeof *a->token) == 0;
}

const struct axis *trace_units(const struct trace *trace)
{
	return trace->memory ? &trace->key : &trace->query;
}

/* ---- tokens by their words ------------------------------------------------------------------- */

static bool err_no_token(const struct axis *axis, const char *word, const char *quoted,
			 struct err *err)
{
	const char *const near = text_nearest(word, axis->labels, axis->n);
	return near ? err_set(err, "no token %s in this sentence; did you mean '%s'?", quoted, near)
		    : err_set(err, "no token %s in this sentence", quoted);
}

bool axis_find(const struct axis *axis, const char *word, long number, size_t *unit,
	       struct arena *a, struct err *err)
{
	size_t found = 0, first = 0;
	bool several = false; /* several tokens, not one that members inserted repeatedly */
	const char *const quoted = arena_printf(a, "'%s'", word);
	const char *const name = number > 0 ? text_occurrence(a, word, (size_t)number) : NULL;
	for (size_t i = 0; i < axis->n; i++) {
		if (strcmp(axis->labels[i], word) != 0)
			continue;
		first = found++ == 0 ? i : first;
		several = several || strcmp(axis->names[i], axis->names[first]) != 0;
		if (name && strcmp(axis->names[i], name) == 0) {
			*unit = i;
			return true;
		}
	}
	if (found == 0)
		return err_no_token(axis, word, quoted, err);
	if (several && number == 0)
		return err_set(err, "%s stands %zu times; say which: %s#1 to %s#%zu", quoted, found,
			       quoted, quoted, found);
	if (number > 1 || several)
		return err_set(err, "%s stands %zu time%s, so there is no #%ld", quoted, found,
			       found == 1 ? "" : "s", number);
	*unit = first;
	return true;
}

const char *axis_say(const struct axis *axis, size_t unit, struct arena *a)
{
	const char *const label = axis->labels[unit];
	const char *const number = axis->names[unit] + strlen(text_joined(a, label));
	const char *const plain =
		*number ? text_occurrence_plain(a, arena_printf(a, "x%s", number)) + 1 : "";
	return arena_printf(a, "'%s'%s", label, plain);
}

void axis_pick(struct arena *a, struct axis *to, const struct axis *from, const size_t *at,
	       size_t n)
{
	const char **labels = arena_calloc(a, n + 1, sizeof *labels);
	const char **names = arena_calloc(a, n + 1, sizeof *names);
	long *token = arena_calloc(a, n + 1, sizeof *token);
	for (size_t i = 0; i < n; i++) {
		labels[i] = from->labels[at[i]];
		names[i] = from->names[at[i]];
		token[i] = from->token[at[i]];
	}
	*to = (struct axis){.n = n, .labels = labels, .token = token, .names = names};
}
