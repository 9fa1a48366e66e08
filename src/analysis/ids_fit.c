/* ids_fit.c: position ids of a file against those that a model gives a text. */
#include "posviz/analysis/bias_fit.h"

#include <math.h>

static bool is(double x, double y)
{
	return fabs(x - y) <= 0;
}

/* Returns how many numbers from `at` on count up by one from `first`. */
static size_t counts(const double *at, size_t n, double first)
{
	size_t i = 0;
	while (i < n && is(at[i], first + (double)i))
		i++;
	return i;
}

static size_t same(const double *at, size_t n)
{
	size_t i = 0;
	while (i < n && is(at[i], at[0]))
		i++;
	return i;
}

/* Returns whether the ids are several texts, each counted from the start of the first. */
static bool begin_anew(const double *at, size_t n, size_t *where)
{
	const size_t first = counts(at, n, at[0]);
	*where = first;
	for (size_t i = 0; i < n;) {
		const size_t run = counts(at + i, n - i, at[0]);
		if (run == 0)
			return false;
		i += run;
	}
	return first < n;
}

/* Names the setting that gives a row of ids; NULL: none that is known. */
static const char *explain(const struct known *k, const double *at, size_t n, struct arena *a)
{
	const double start = (double)k->first_row;
	const size_t front = same(at, n);
	size_t where;
	if (counts(at, n, at[0]) == n && is(at[0], 0))
		return arena_printf(
			a,
			"positions from 0; the model's begin at %.0f, padding_idx + 1 or "
			"the rows that its table keeps in front",
			start);
	if (counts(at, n, at[0]) == n)
		return start > 0
			       ? arena_printf(
					 a,
					 "positions from %.0f; the model's begin at %.0f, padding_idx + 1",
					 at[0], start)
			       : arena_printf(a,
					      "positions from %.0f, as behind padding_idx %.0f or "
					      "tokens that came before; the model's begin at 0",
					      at[0], at[0] - 1);
	if (n > 1 && is(at[0], start + (double)n - 1) && is(at[n - 1], start) &&
	    is(at[1], at[0] - 1))
		return "positions counted backwards, from the end of the text";
	if (front > 1 && front < n && counts(at + front, n - front, start) == n - front)
		return arena_printf(
			a, "%zu tokens of padding in front, after which positions begin", front);
	if (front == 1 && n > 2 && counts(at + 1, n - 1, start) == n - 1)
		return "one token of padding in front, after which positions begin";
	const size_t text = counts(at, n, start);
	if (text > 0 && same(at + text, n - text) == n - text)
		return arena_printf(
			a, "padding behind the %zu tokens of the text, all with the id %.0f", text,
			at[text]);
	if (begin_anew(at, n, &where))
		return arena_printf(
			a,
			"texts that share a row, each counted anew; the second begins at "
			"position %zu",
			where);
	return NULL;
}

/* Returns whether there are three rows, as of pictures, and the model has sections for them. */
static bool three_of_pictures(const struct known *k, size_t rows)
{
	return rows == 3 && k->n_rotations > 0 && k->rotations[0].sections.n > 0;
}

void ids_fit(const struct known *k, const struct tensor *t, struct arena *a, struct bias_fit *out)
{
	const struct mat m = tensor_mat(t);
	const double start = (double)k->first_row;
	out->equal = true;
	out->heads = m.rows;
	out->positions = out->compared = m.cols;
	for (size_t r = 0; r < m.rows; r++)
		for (size_t i = 0; i < m.cols; i++) {
			const double want = start + (double)i, x = mat_row(m, r)[i];
			out->difference = fmax(out->difference, fabs(x - want));
			if (is(x, want) || !out->equal)
				continue;
			out->equal = false;
			out->query = r;
			out->key = i;
			out->expected = want;
			out->found = x;
		}
	if (out->equal)
		return;
	const char *const why = explain(k, mat_row(m, out->query), m.cols, a);
	out->fits =
		!why && three_of_pictures(k, m.rows)
			? "ids of a picture in the text: rows of temporal, height and width part there"
			: why;
}
