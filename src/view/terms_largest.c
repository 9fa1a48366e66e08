/* terms_largest.c: which terms of the view Terms are large, and which are small beside the others; which cells
 * have a factor. */
#include <math.h>

#include "view_in.h"

bool term_is_small(const struct term_sum *sum, size_t term)
{
	enum { TENTH = 10 };
	double most = 0;
	for (size_t i = 0; i < sum->n; i++)
		most = fmax(most, sum->sd_within[i]);
	return sum->n >= MANY_TERMS && TENTH * sum->sd_within[term] <= most;
}

size_t term_count_large(const struct term_sum *sum)
{
	size_t n = 0;
	for (size_t i = 0; i < sum->n; i++)
		n += !term_is_small(sum, i);
	return n;
}

unsigned char term_rank(const struct term_sum *sum, size_t term)
{
	const double own = fabs(sum->within[term]);
	size_t n = 0;
	for (size_t i = 0; i < sum->n; i++) {
		const double other = fabs(sum->within[i]);
		n += other > own || (other >= own && i < term);
	}
	return (unsigned char)n;
}

void term_order(const struct term_sum *sum, size_t *order)
{
	for (size_t i = 0; i < sum->n; i++)
		order[term_rank(sum, i)] = i;
}

size_t term_largest(const struct trace_head *head, const struct term_sum *sum)
{
	size_t out = 1;
	for (size_t i = sum->n; i-- > 1;)
		out = head->terms[i].kind == TERM_POSITION ? i : out;
	for (size_t i = 1; i < sum->n; i++)
		out = sum->sd_within[i] > sum->sd_within[out] ? i : out;
	return out;
}

const uint8_t *term_defined(struct mat m, const uint8_t *mask, bool *all, struct arena *a)
{
	uint8_t *at = arena_alloc(a, m.rows * m.cols);
	*all = true;
	for (size_t i = 0; i < m.rows * m.cols; i++) {
		const bool allowed = !mask || mask[i];
		at[i] = allowed && !isnan(mat_row(m, i / m.cols)[i % m.cols]);
		*all &= at[i] || !allowed;
	}
	return *all ? mask : at;
}
