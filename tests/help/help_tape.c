/* help_tape.c: see help_tape.h. */
#include "help_tape.h"

#include <math.h>

struct check {
	struct node *(*build)(void *context, struct tape *t);
	void *context;
	struct arena *scratch;
	struct mat weights; /* of the result's entries; 0 where the result is not finite */
};

/* Returns the result when h·direction is added to the leaf's content `at`. It is a copy, since
 * the result may share the leaf's memory. */
static struct mat value_at(const struct check *k, struct mat leaf, struct mat at,
			   struct mat direction, double h)
{
	struct tape t;
	tape_init(&t, k->scratch, false);
	for (size_t r = 0; r < leaf.rows; r++)
		for (size_t c = 0; c < leaf.cols; c++)
			mat_row(leaf, r)[c] = mat_row(at, r)[c] + h * mat_row(direction, r)[c];
	const struct mat value = mat_copy(k->scratch, k->build(k->context, &t)->v);
	mat_set(leaf, at);
	return value;
}

/* (f(x + h u) - f(x - h u)) / 2h for the weighted result f, with h near the cube root of
 * epsilon. */
static double central_difference(const struct check *k, struct mat leaf, struct mat direction)
{
	const struct arena_mark mark = arena_mark(k->scratch);
	const struct mat at = mat_copy(k->scratch, leaf);
	const double h = 6e-6;
	double sum = 0;
	const struct mat hi = value_at(k, leaf, at, direction, h);
	const struct mat lo = value_at(k, leaf, at, direction, -h);
	for (size_t r = 0; r < hi.rows; r++)
		for (size_t c = 0; c < hi.cols; c++) {
			const double w = mat_row(k->weights, r)[c];
			sum += w == 0 ? 0 : w * (mat_row(hi, r)[c] - mat_row(lo, r)[c]);
		}
	arena_rewind(k->scratch, mark);
	return sum / (2 * h);
}

static const struct node *leaf_of(const struct tape *t, struct mat leaf)
{
	for (const struct node *n = t->last; n; n = n->previous)
		if (n->op == OP_LEAF && n->v.at == leaf.at && n->v.rows == leaf.rows &&
		    n->v.cols == leaf.cols)
			return n;
	BUG("the function to check has no leaf of this matrix");
}

/* Returns the worst difference along random directions of length 1 over all entries of the leaf:
 * an error in any entry shows. */
static double worst_of_leaf(const struct check *k, struct mat leaf, struct mat g, size_t directions)
{
	const struct arena_mark mark = arena_mark(k->scratch);
	const struct mat u = mat_new(k->scratch, leaf.rows, leaf.cols);
	double worst = 0;
	struct rng rng;
	rng_init(&rng, 2);
	while (directions-- > 0) {
		double analytic = 0;
		mat_fill_normal(u, 1 / sqrt((double)(leaf.rows * leaf.cols)), &rng);
		for (size_t r = 0; r < leaf.rows; r++)
			for (size_t c = 0; c < leaf.cols; c++)
				analytic += mat_row(g, r)[c] * mat_row(u, r)[c];
		const double numeric = central_difference(k, leaf, u);
		const double scale = fmax(1, fmax(fabs(analytic), fabs(numeric)));
		const double off = fabs(analytic - numeric) / scale;
		worst = off <= worst ? worst : off; /* a NaN stays */
	}
	arena_rewind(k->scratch, mark);
	return worst;
}

double help_tape_check(struct node *(*build)(void *context, struct tape *t), void *context,
		       const struct mat *leaves, size_t n, size_t directions, size_t *where,
		       struct arena *scratch)
{
	const struct arena_mark mark = arena_mark(scratch);
	struct tape t;
	tape_init(&t, scratch, true);
	struct node *of = build(context, &t);
	struct check k = {build, context, scratch, mat_new(scratch, of->v.rows, of->v.cols)};
	struct rng rng;
	rng_init(&rng, 1);
	mat_fill_normal(k.weights, 1, &rng);
	for (size_t r = 0; r < of->v.rows; r++)
		for (size_t c = 0; c < of->v.cols; c++)
			if (!isfinite(mat_row(of->v, r)[c]))
				mat_row(k.weights, r)[c] = 0;
	tape_backward(&t, of, &k.weights);
	double worst = 0;
	for (size_t i = 0; i < n; i++) {
		const struct mat g = leaf_of(&t, leaves[i])->g;
		const double off = worst_of_leaf(&k, leaves[i], g, directions);
		if (where && !(off <= worst))
			*where = i;
		worst = off <= worst ? worst : off;
	}
	arena_rewind(scratch, mark);
	return worst;
}
