/* terms_largest.c: which terms of the view Terms are large, and which are small beside the others; which cells
 * have a factor. */
#include <math.h>
#include <string.h>

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

size_t term_largest(const struct trace_head *head, const struct term_sum *sum)
{
	size_t out = 1;
	for (size_t i = sum->n; i-- > 1;)
		out = head->terms[i].kind == TERM_POSITION ? i : out;
	for (size_t i = 1; i < sum->n; i++)
		out = sum->sd_within[i] > sum->sd_within[out] ? i : out;
	return out;
}

/* Returns "unit–unit (token vectors alone, 92 % of what softmax sees)". */
static const char *told(const struct trace_head *head, const char *const *shares, size_t i,
			const char *of, bool above, struct arena *a)
{
	const struct trace_term *const term = &head->terms[i];
	return arena_printf(a, "%s (%s, %s%s)", figure_scripts(a, term->label),
			    term_kind(term, above), shares[i], of);
}

const char *term_finding(const struct trace_head *head, const struct term_sum *sum,
			 const char *const *shares, bool above, struct arena *a)
{
	static const char of[] = " of what softmax sees";
	size_t most = 0;
	bool against = false;
	if (sum->n < 2 || !sum->varies_within || sum->n_on < sum->n)
		return NULL;
	for (size_t i = 0; i < sum->n; i++) {
		most = sum->within[i] > sum->within[most] ? i : most;
		against |= strncmp(shares[i], "−", strlen("−")) == 0;
	}
	const char *const sign = against ? " A negative share works against the others." : "";
	if (sum->n == 2)
		return arena_printf(a, "Each logit is %s + %s.%s",
				    told(head, shares, 0, of, above, a),
				    told(head, shares, 1, "", above, a), sign);
	return arena_printf(a, "Each logit is a sum of %zu terms, the largest %s.%s", sum->n,
			    told(head, shares, most, of, above, a), sign);
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
