/* mask.c: see mask.h. What is later is a matter of the member's position column, not of the order
 * of rows, unless position ids were given. */
#include "scheme/mask.h"

#include <math.h>

static unsigned stands(double key, double query)
{
	return key < query ? MASK_BEFORE : key > query ? MASK_AFTER : MASK_SAME;
}

bool mask_others(struct head *head, const struct member *m, unsigned sees, struct err *err)
{
	const size_t n = head->run->n;
	const double *position = run_order(head->run, m, err);
	if (position == NULL)
		return false;
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			if (!(stands(position[s], position[t]) & sees))
				allowed[t * n + s] = 0;
	return true;
}

bool mask_later(struct head *head, const struct member *m, struct err *err)
{
	return mask_others(head, m, MASK_BEFORE | MASK_SAME, err);
}

bool mask_causal(struct head *head, const struct member *m, struct err *err)
{
	return !scheme_is_causal(m->scheme, m->param) || mask_later(head, m, err);
}

struct node *mask_node(struct head *head)
{
	const struct mat at = mat_new(head->tape->arena, head->rows, head->run->keys->n);
	for (size_t i = 0; i < at.rows * at.cols; i++)
		at.at[i] = head->allowed[i];
	return tape_const(head->tape, at);
}

double mask_reach(const void *param, const struct model_config *config)
{
	(void)param;
	(void)config;
	return INFINITY;
}
