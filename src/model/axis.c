/* axis.c: what rows and columns are called, for people. */
#include <stdlib.h>
#include <string.h>

#include "model_in.h"
#include "posviz/text.h"

struct unit {
	const char *label;
	long token; /* inserted ones, -1, in front, each for itself */
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

/* A token that stands in several places is one occurrence of its word. */
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
