/* heatmap.c: marks, names, words and numbers of a heatmap's values. */
#include <math.h>
#include <string.h>

#include "posviz/plot/heatmap.h"

const struct heatmap_name *heatmap_name(const struct heatmap *h, double value)
{
	for (size_t i = 0; i < h->n_names; i++)
		if (h->names[i].value == value)
			return &h->names[i];
	return NULL;
}

bool heatmap_points(const struct heatmap *h, size_t row, size_t col, size_t side)
{
	for (size_t i = 0; i < h->n_marks; i++) {
		const struct mark *const m = &h->marks[i];
		/* The mark's diagonal crosses the first row of the block at column `first`. It
		 * meets the block if it lies between the diagonals through two of the block's
		 * corners. */
		const long first = (long)row + m->diagonal + h->mark_from, n = (long)side;
		if (m->kind == MARK_CELL && m->row - row < side && m->col - col < side)
			return true;
		if (m->kind == MARK_DIAGONAL && first > (long)col - n && first < (long)col + n)
			return true;
	}
	return false;
}

bool heatmap_points_row(const struct heatmap *h, size_t row, size_t side, size_t *at)
{
	for (size_t i = 0; i < h->n_marks; i++) {
		const struct mark *const m = &h->marks[i];
		*at = m->row;
		if (((m->kind == MARK_CELL && !h->frames_are) || m->kind == MARK_ROW) &&
		    m->row - row < side)
			return true;
	}
	return false;
}

bool heatmap_points_col(const struct heatmap *h, size_t col, size_t side, size_t *at)
{
	for (size_t i = 0; i < h->n_marks; i++) {
		const struct mark *const m = &h->marks[i];
		*at = m->col;
		if (((m->kind == MARK_CELL && !h->frames_are) || m->kind == MARK_COLUMN) &&
		    m->col - col < side)
			return true;
	}
	return false;
}

const char *heatmap_name_means(const struct heatmap_name *name)
{
	return name->means ? name->means : name->name;
}

const char *heatmap_hidden(struct arena *a, const struct heatmap *h, size_t row, size_t col)
{
	const uint8_t mask = h->masked ? h->masked[row * h->values.cols + col] : HEATMAP_OPEN;
	if (mask == HEATMAP_MASKED_FIRST || mask == HEATMAP_MASKED_SECOND)
		return arena_printf(a, "masked in %s only",
				    mask == HEATMAP_MASKED_FIRST ? h->first : h->second);
	return mask == HEATMAP_OPEN ? NULL : h->masked_as ? h->masked_as : "masked";
}

const char *heatmap_one_sided(struct arena *a, const struct heatmap *h, const char *first_sign,
			      const char *second_sign, bool brief)
{
	const char *const only = brief ? "" : " only";
	const size_t n = h->masked && h->first ? h->values.rows * h->values.cols : 0;
	const bool first = n > 0 && memchr(h->masked, HEATMAP_MASKED_FIRST, n);
	const bool second = n > 0 && memchr(h->masked, HEATMAP_MASKED_SECOND, n);
	if (first && second)
		return arena_printf(a, "masked in %s %s, %s %s%s", first_sign, h->first,
				    second_sign, h->second, only);
	return first	? arena_printf(a, "%s masked in %s%s", first_sign, h->first, only)
	       : second ? arena_printf(a, "%s masked in %s%s", second_sign, h->second, only)
			: NULL;
}

const char *heatmap_end_words(struct arena *a, const struct heatmap *h, bool high, bool brief)
{
	const int side = high ? 1 : -1, half = h->scale.diverging ? h->scale.half : 1;
	const bool zero = (half != 0 && half != side) || !(h->scale.lo < h->scale.hi);
	const char *const word = high ? "more" : "less";
	if (h->ends[high])
		return NULL; /* the end has them instead of a number */
	if (h->first != NULL && !zero)
		return arena_printf(a, "%s%s", brief ? "in " : "more in ",
				    high ? h->first : h->second);
	if (h->more_of == NULL || zero)
		return NULL;
	return brief ? word : arena_printf(a, "%s %s", word, h->more_of);
}

bool heatmap_is_either(const struct heatmap *h)
{
	static const double same = 1e-9;
	const struct scale *const s = &h->scale;
	bool either = h->ends[0] != NULL && h->ends[1] != NULL;
	for (size_t i = 0; either && i < h->values.rows * h->values.cols; i++)
		either = (h->masked != NULL && h->masked[i]) ||
			 fabs(h->values.at[i] - s->lo) < same ||
			 fabs(h->values.at[i] - s->hi) < same;
	return either;
}

bool heatmap_is_uniform(const struct heatmap *h, double *value)
{
	const double rounding = 1e-12;
	const size_t n = h->values.rows * h->values.cols;
	size_t shown = 0;
	for (size_t i = 0; i < n; i++) {
		const double x = mat_row(h->values, i / h->values.cols)[i % h->values.cols];
		if (h->masked && h->masked[i] != HEATMAP_OPEN)
			continue;
		if (shown++ == 0)
			*value = fabs(x) <= rounding ? 0 : x;
		if (!(fabs(x - *value) <= rounding * fmax(1, fabs(*value))))
			return false;
	}
	return shown > 1;
}

const char *heatmap_number(struct arena *a, double value, int decimals, bool bare)
{
	const double rounding = 1e-12; /* smaller numbers are rounding errors of 0 */
	if (fabs(value) < rounding)
		return "0";
	/* Halves are rounded up, even if rounding errors left a little less, so that 1/8 looks
	 * alike in all cells. */
	const char *const digits = arena_printf(a, "%.*f", decimals, fabs(value) * (1 + rounding));
	const bool small = digits[strspn(digits, "0.")] == '\0';
	if (small && decimals == 0)
		return "<1";
	return arena_printf(a, "%s%s", value < 0 && !small ? "−" : "",
			    digits + (bare && decimals > 0 && digits[0] == '0'));
}
