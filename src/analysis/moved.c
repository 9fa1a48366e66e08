/* moved.c: a matrix of the same tokens in two orders: the difference after one is permuted to the
 * other.
 *
 * A token is identified by its place in the original order, which its row carries; so P needs no
 * order, only two axes. */
#include <math.h>

#include "posviz/analysis/analysis.h"

/* Finds the (k+1)-th row of the axis with this token; -1: inserted ones. */
static bool find_unit(const struct axis *axis, long token, size_t k, size_t *at)
{
	for (size_t i = 0; i < axis->n; i++) {
		if (axis->token[i] != token)
			continue;
		if (k-- == 0) {
			*at = i;
			return true;
		}
	}
	return false;
}

const size_t *order_places(const struct axis *to, const struct axis *from, struct arena *a)
{
	if (to->n != from->n)
		return NULL;
	long last = -1;
	for (size_t i = 0; i < to->n; i++)
		last = to->token[i] > last ? to->token[i] : last;
	size_t *place = arena_calloc(a, to->n, sizeof *place);
	/* The number of rows of each token so far: a hook may repeat a token. */
	size_t *seen = arena_calloc(a, (size_t)(last + 2), sizeof *seen);
	for (size_t i = 0; i < to->n; i++)
		if (!find_unit(from, to->token[i], seen[to->token[i] + 1]++, &place[i]))
			return NULL;
	return place;
}

/* Returns the pairs allowed in either order, NULL when these are all. */
static const uint8_t *allowed_in_one(struct mat m, const uint8_t *shown, const uint8_t *written,
				     const size_t *rows, const size_t *cols, struct arena *a)
{
	if (!shown || !written)
		return NULL;
	uint8_t *allowed = arena_alloc(a, m.rows * m.cols);
	bool all = true;
	for (size_t t = 0; t < m.rows; t++) {
		for (size_t s = 0; s < m.cols; s++) {
			allowed[t * m.cols + s] =
				shown[t * m.cols + s] || written[rows[t] * m.cols + cols[s]];
			all &= allowed[t * m.cols + s];
		}
	}
	return all ? NULL : allowed;
}

void order_compare(struct mat shown, const uint8_t *shown_mask, struct mat written,
		   const uint8_t *written_mask, const size_t *rows, const size_t *cols,
		   struct arena *a, struct order_change *out)
{
	BUG_IF(shown.rows != written.rows || shown.cols != written.cols);
	*out = (struct order_change){.difference = mat_new(a, shown.rows, shown.cols)};
	out->allowed = allowed_in_one(shown, shown_mask, written_mask, rows, cols, a);
	double off = 0, all = 0;
	for (size_t t = 0; t < shown.rows; t++) {
		for (size_t s = 0; s < shown.cols; s++) {
			const double old = mat_row(written, rows[t])[cols[s]];
			const double change = mat_row(shown, t)[s] - old;
			mat_row(out->difference, t)[s] = change;
			if (out->allowed && !out->allowed[t * shown.cols + s])
				continue;
			out->most = fmax(out->most, fabs(change));
			off += change * change;
			all += old * old;
		}
	}
	out->relative = off <= 0 ? 0 : sqrt(off / all);
}
