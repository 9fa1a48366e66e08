/* tape_rotate.c: rotation of pairs of columns by an angle per row and pair.
 *
 * A rotation's transpose is the rotation back, so both directions are one loop with the sign of the
 * sine. */
#include "math/tape_op.h"

struct rotation {
	struct node node;
	struct mat cos, sin; /* [rows, pairs] */
	bool half;
};

/* out [+]= the pairs of x rotated by the angle, or back when sign is -1 */
static void rotate_row(double *out, const double *x, const double *cos, const double *sin,
		       double sign, size_t pairs, bool half, bool add)
{
	const size_t step = half ? 1 : 2, other = half ? pairs : 1;
	for (size_t i = 0; i < pairs; i++) {
		const size_t p = i * step, q = p + other;
		const double a = x[p] * cos[i] - x[q] * sign * sin[i];
		const double b = x[p] * sign * sin[i] + x[q] * cos[i];
		out[p] = add ? out[p] + a : a;
		out[q] = add ? out[q] + b : b;
	}
}

/* (a, b) -> (a cos - b sin, a sin + b cos) */
struct node *tape_rotate(struct tape *t, struct node *a, struct mat cos, struct mat sin, bool half)
{
	const size_t pairs = cos.cols;
	BUG_IF(!tape_same_shape(cos, sin) || cos.rows != a->v.rows || 2 * pairs > a->v.cols);
	const struct mat v = mat_new(t->arena, a->v.rows, a->v.cols);
	for (size_t r = 0; r < v.rows; r++) {
		const double *x = mat_row(a->v, r);
		rotate_row(mat_row(v, r), x, mat_row(cos, r), mat_row(sin, r), 1, pairs, half,
			   false);
		for (size_t c = 2 * pairs; c < v.cols; c++)
			mat_row(v, r)[c] = x[c];
	}
	struct rotation *k = (struct rotation *)tape_node_of_size(t, sizeof(*k), OP_ROTATE, v,
								  tape_size(v), tape_wants(a));
	if (k->node.wants) {
		k->node.in[0] = a;
		k->cos = cos;
		k->sin = sin;
		k->half = half;
	}
	return &k->node;
}

/* (da, db) = (dya cos + dyb sin, dyb cos - dya sin) */
void tape_rotate_back(struct node *n)
{
	const struct rotation *k = (const struct rotation *)n;
	for (size_t r = 0; r < n->v.rows; r++) {
		double *to = mat_row(n->in[0]->g, r);
		const double *g = mat_row(n->g, r);
		rotate_row(to, g, mat_row(k->cos, r), mat_row(k->sin, r), -1, k->cos.cols, k->half,
			   true);
		for (size_t c = 2 * k->cos.cols; c < n->v.cols; c++)
			to[c] += g[c];
	}
}
