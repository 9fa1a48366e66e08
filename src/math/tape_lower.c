/* tape_lower.c: triangular matrices: their lower part, and the solution of unit triangular systems.
 *
 * A product of rank-one updates, one for each step, is the solution of a triangular system: so a
 * recurrence along the rows becomes one call of BLAS. */
#include "math/tape_op.h"

/* Copies the entries (r, c) with c <= r, or c < r when strict; the others become 0 ([+]= adds to
 * out). */
static void lower(struct mat out, struct mat x, bool strict, bool add)
{
	for (size_t r = 0; r < x.rows; r++) {
		const size_t below = r + !strict, kept = below < x.cols ? below : x.cols;
		double *to = mat_row(out, r);
		const double *from = mat_row(x, r);
		for (size_t c = 0; add && c < kept; c++)
			to[c] += from[c];
		if (add)
			continue;
		if (to != from)
			memcpy(to, from, kept * sizeof *to);
		memset(to + kept, 0, (x.cols - kept) * sizeof *to);
	}
}

struct node *tape_lower(struct tape *t, struct node *a, bool strict, bool consume)
{
	const struct mat v = tape_room(t, a->v, consume);
	lower(v, a->v, strict, false);
	struct node *n = tape_node(t, OP_LOWER, v, tape_size(v), a, NULL);
	n->p[0] = strict;
	return n;
}

void tape_lower_back(struct node *n)
{
	lower(n->in[0]->g, n->g, n->p[0] > 0, true);
}

struct node *tape_solve_lower(struct tape *t, struct node *l, struct node *b, bool consume)
{
	BUG_IF(l->v.rows != l->v.cols || l->v.rows != b->v.rows);
	const struct mat v = tape_room(t, b->v, consume);
	mat_set(v, b->v);
	mat_solve_unit_lower(v, l->v, false);
	tape_count_products(t, tape_size(v) * (double)v.rows / 2); /* half of a product */
	struct node *n = tape_node(t, OP_SOLVE_LOWER, v, tape_size(v), l, b);
	if (n->wants) /* counted for l's gradient and for b's */
		n->aux = mat_new(t->arena, v.rows, v.cols);
	return n;
}

/* x = T⁻¹ b: db = T⁻ᵀ dx, and dT = -db xᵀ where T is not fixed, strictly below the diagonal. */
void tape_solve_lower_back(struct node *n)
{
	const struct node *l = n->in[0], *b = n->in[1];
	mat_set(n->aux, n->g);
	mat_solve_unit_lower(n->aux, l->v, true);
	if (b->wants)
		tape_add_to(b->g, n->aux, 1);
	for (size_t r = 1; l->wants && r < l->v.rows; r++)
		mat_mul(mat_cols(mat_rows(l->g, r, 1), 0, r), -1, mat_rows(n->aux, r, 1), false,
			mat_rows(n->v, 0, r), true, 1);
}
