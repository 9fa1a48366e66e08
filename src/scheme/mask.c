/* mask.c: see mask.h. What is later is a matter of the member's position column, not of the order
 * of rows, unless position ids were given. */
#include "scheme/mask.h"

#include <math.h>

bool mask_later(struct head *head, const struct member *m, struct err *err)
{
	const struct run *run = head->run;
	const size_t n = run->n;
	const double *position = run_order(run, m, err);
	if (position == NULL)
		return false;
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			if (position[s] > position[t])
				allowed[t * n + s] = 0;
	return true;
}

bool mask_causal(struct head *head, const struct member *m, struct err *err)
{
	return !scheme_is_causal(m->scheme, m->param) || mask_later(head, m, err);
}

double mask_reach(const void *param, const struct model_config *config)
{
	(void)param;
	(void)config;
	return INFINITY;
}
