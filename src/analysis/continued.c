/* continued.c: the text of a scene continued by drawn words. */
#include "posviz/analysis/continued.h"

#include <string.h>

#include "posviz/analysis/lengths.h"

const char *continued_why_not(const struct built *b, struct arena *a)
{
	if (b->given_units.at)
		return "token vectors are given for these tokens, and for no others";
	return lengths_why_none(b, a);
}

static struct mat drawn(const struct built *b, size_t n, const char **labels, struct arena *a)
{
	size_t *const len = arena_calloc(a, n + 1, sizeof *len);
	for (size_t i = 0; i < n; i++) {
		labels[i] = arena_printf(a, "word%zu", i + 1);
		len[i] = strlen(labels[i]);
	}
	return model_units(a, &b->model.config, labels, len, n);
}

void continued_input(const struct built *b, size_t n, struct arena *a, struct model_input *out)
{
	const struct model_input *const text = &b->model_input;
	const size_t own = text->axis.n, more = n > own ? n - own : 0, all = own + more;
	const char **const labels = arena_calloc(a, all + 1, sizeof *labels);
	long *const token = arena_calloc(a, all + 1, sizeof *token);
	double *const word = arena_calloc(a, all + 1, sizeof *word);
	double *const segment = arena_calloc(a, all + 1, sizeof *segment);
	long next = 0;
	double words = 0;
	for (size_t i = 0; i < own; i++) {
		labels[i] = text->axis.labels[i];
		token[i] = text->axis.token[i];
		word[i] = text->word ? text->word[i] : 0;
		segment[i] = text->segment ? text->segment[i] : 0;
		next = token[i] >= next ? token[i] + 1 : next;
		words = word[i] + 1 > words ? word[i] + 1 : words;
	}
	*out = *text;
	out->units = mat_new(a, all, text->units.cols);
	mat_set(mat_rows(out->units, 0, own), text->units);
	if (more > 0)
		mat_set(mat_rows(out->units, own, more), drawn(b, more, labels + own, a));
	for (size_t i = own; i < all; i++) {
		token[i] = next++;
		word[i] = words++;
		segment[i] = own > 0 ? segment[own - 1] : 0;
	}
	out->axis = (struct axis){.n = all, .labels = labels, .token = token};
	out->word = word;
	out->segment = text->segment ? segment : NULL;
}
