/* mask.c: see mask.h. The member's position column decides which keys are later, not the order
 * of rows, unless position ids were given. */
#include "scheme/mask.h"

#include <math.h>
#include <string.h>

static unsigned compare_positions(double key, double query)
{
	return key < query ? MASK_BEFORE : key > query ? MASK_AFTER : MASK_SAME;
}

static bool ascend(const double *position, size_t n)
{
	bool all = true;
	for (size_t i = 1; i < n; i++)
		all &= position[i] > position[i - 1];
	return all;
}

/* Masks if positions increase from row to row. */
static void forbid_in_order(uint8_t *allowed, size_t n, unsigned sees)
{
	for (size_t t = 0; t < n; t++) {
		uint8_t *const row = allowed + t * n;
		if (!(sees & MASK_BEFORE))
			memset(row, 0, t);
		if (!(sees & MASK_SAME))
			row[t] = 0;
		if (!(sees & MASK_AFTER))
			memset(row + t + 1, 0, n - t - 1);
	}
}

bool mask_others(struct head *head, const struct member *m, unsigned sees, struct err *err)
{
	const size_t n = head->run->n;
	const double *position = run_order(head->run, m, err);
	if (position == NULL)
		return false;
	uint8_t *allowed = head_mask(head);
	if (ascend(position, n)) {
		forbid_in_order(allowed, n, sees);
		return true;
	}
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			if (!(compare_positions(position[s], position[t]) & sees))
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

/* Returns 1 where the mask allows, else 0, as a node. */
static struct node *mask_node(struct head *head)
{
	const struct mat at = mat_new(head->tape->arena, head->rows, head->run->keys->n);
	for (size_t i = 0; i < at.rows * at.cols; i++)
		at.at[i] = head->allowed[i];
	return tape_const(head->tape, at);
}

/* Returns x or 0 without a branch, which would be mispredicted once in each row. */
static double value_if(bool may, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits &= -(uint64_t)may;
	memcpy(&x, &bits, sizeof x);
	return x;
}

struct node *mask_where_allowed(struct head *head, struct node *x, bool consume)
{
	struct tape *const t = head->tape;
	const size_t rows = x->v.rows, cols = x->v.cols;
	if (t->recording)
		return tape_mul(t, x, mask_node(head));
	const struct mat out = consume ? x->v : mat_new(t->arena, rows, cols);
	for (size_t r = 0; r < rows; r++) {
		const uint8_t *const allowed = head->allowed + r * cols;
		const double *const from = mat_row(x->v, r);
		double *const to = mat_row(out, r);
		for (size_t c = 0; c < cols; c++)
			to[c] = value_if(allowed[c] != 0, from[c]);
	}
	tape_count(t, OP_MUL, (double)(rows * cols));
	return tape_const(t, out);
}

double mask_reach(const void *param, const struct model_config *config)
{
	(void)param;
	(void)config;
	return INFINITY;
}
