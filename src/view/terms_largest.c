/* terms_largest.c: which terms of the view Terms are large, and which are small beside the others. */
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

size_t term_largest(const struct trace_head *head, const struct term_sum *sum)
{
	size_t out = 1;
	for (size_t i = sum->n; i-- > 1;)
		out = head->terms[i].kind == TERM_POSITION ? i : out;
	for (size_t i = 1; i < sum->n; i++)
		out = sum->sd_within[i] > sum->sd_within[out] ? i : out;
	return out;
}

const char *term_finding(const struct trace_head *head, const struct term_sum *sum,
			 const char *const *shares, struct arena *a)
{
	size_t most = 0;
	for (size_t i = 0; i < sum->n; i++)
		if (sum->within[i] > sum->within[most])
			most = i;
	if (sum->n < 2 || !sum->varies_within || sum->n_on < sum->n)
		return NULL;
	bool against = false;
	for (size_t i = 0; i < sum->n; i++)
		against |= strncmp(shares[i], "−", strlen("−")) == 0;
	return arena_printf(a, "Each logit is a sum of %zu terms; %s of what softmax sees is %s.%s",
			    sum->n, shares[most], figure_scripts(a, head->terms[most].label),
			    against ? " A negative share works against the others." : "");
}
