/* tape_norm.c: operators on a whole row: softmax, layer norm, row normalise, cross entropy.
 *
 * Each backward needs one or two dot products of a row before it can treat its elements. */
#include <math.h>
#include <string.h>

#include "posviz/math/rows.h"
#include "math/tape_op.h"
#include "math/vexp.h"

/* y = softmax(a) by rows over the allowed entries */
struct node *tape_softmax(struct tape *t, struct node *a, const uint8_t *allowed, bool consume)
{
	const struct mat v = tape_room(t, a->v, consume);
	t->spoiled |= !vexp_softmax(v, a->v, allowed);
	return tape_node(t, OP_SOFTMAX, v, tape_size(v), a, NULL);
}

/* da = y (dy - y·dy). This is 0 wherever y is, so the mask is not needed again. */
static void softmax_back_rows(void *context, size_t first, size_t count)
{
	const struct node *n = context;
	for (size_t r = first; r < first + count; r++) {
		double *to = mat_row(n->in[0]->g, r);
		const double *y = mat_row(n->v, r), *g = mat_row(n->g, r);
		const double mean = tape_dot(y, g, n->v.cols);
		for (size_t c = 0; c < n->v.cols; c++)
			to[c] += y[c] * (g[c] - mean);
	}
}

void tape_softmax_back(struct node *n)
{
	rows_parallel(n->v.rows, n->v.cols, softmax_back_rows, n);
}

/* Turns an infinite norm into NaN. The sum of squares may overflow though the numbers are
 * finite; divided by infinity they would all become 0, unnoticed. */
static double not_infinite(double norm)
{
	return isinf(norm) ? NAN : norm;
}

/* y = (x - mean) / sqrt(variance + eps); aux [r,1] keeps the divisor */
struct node *tape_layer_norm(struct tape *t, struct node *a, double eps)
{
	const size_t cols = a->v.cols;
	const struct mat v = mat_new(t->arena, a->v.rows, cols);
	const struct mat divisors = mat_new(t->arena, a->v.rows, 1);
	for (size_t r = 0; r < v.rows; r++) {
		const double *x = mat_row(a->v, r);
		const double mean = tape_sum(x, cols) / (double)cols;
		double *y = mat_row(v, r);
		for (size_t c = 0; c < cols; c++)
			y[c] = x[c] - mean;
		const double divisor =
			not_infinite(sqrt(tape_dot(y, y, cols) / (double)cols + eps));
		for (size_t c = 0; c < cols; c++)
			y[c] *= 1 / divisor;
		divisors.at[r] = divisor;
	}
	struct node *n = tape_node(t, OP_LAYER_NORM, v, tape_size(v), a, NULL);
	if (n->wants)
		n->aux = divisors;
	return n;
}

/* da = (dy - mean(dy) - y mean(y dy)) / divisor */
void tape_layer_norm_back(struct node *n)
{
	const size_t cols = n->v.cols;
	for (size_t r = 0; r < n->v.rows; r++) {
		double *to = mat_row(n->in[0]->g, r);
		const double *y = mat_row(n->v, r), *g = mat_row(n->g, r);
		const double mean = tape_sum(g, cols) / (double)cols;
		const double along = tape_dot(y, g, cols) / (double)cols;
		for (size_t c = 0; c < cols; c++)
			to[c] += (g[c] - mean - y[c] * along) / n->aux.at[r];
	}
}

/* y = x / max(|x|, eps); aux [r,1] keeps |x| */
struct node *tape_row_normalise(struct tape *t, struct node *a, double eps)
{
	const struct mat v = mat_new(t->arena, a->v.rows, a->v.cols);
	const struct mat norms = mat_new(t->arena, a->v.rows, 1);
	for (size_t r = 0; r < v.rows; r++) {
		const double *x = mat_row(a->v, r);
		const double norm = not_infinite(sqrt(tape_dot(x, x, v.cols)));
		const double divisor = norm < eps ? eps : norm;
		for (size_t c = 0; c < v.cols; c++)
			mat_row(v, r)[c] = x[c] / divisor;
		norms.at[r] = norm;
	}
	struct node *n = tape_node(t, OP_ROW_NORMALISE, v, tape_size(v), a, NULL);
	n->p[0] = eps;
	if (n->wants)
		n->aux = norms;
	return n;
}

/* dx = (dy - y (y·dy)) / |x|, or dy / eps where eps was the divisor */
void tape_row_normalise_back(struct node *n)
{
	const double eps = n->p[0];
	for (size_t r = 0; r < n->v.rows; r++) {
		double *to = mat_row(n->in[0]->g, r);
		const double *y = mat_row(n->v, r), *g = mat_row(n->g, r), norm = n->aux.at[r];
		const bool clamped = norm < eps;
		const double along = clamped ? 0 : tape_dot(y, g, n->v.cols);
		const double divisor = clamped ? eps : norm;
		for (size_t c = 0; c < n->v.cols; c++)
			to[c] += (g[c] - y[c] * along) / divisor;
	}
}

struct node *tape_inverse_rms(struct tape *t, struct node *a, double eps)
{
	struct node *const squares = tape_row_sum(t, tape_mul(t, a, a));
	struct node *const mean = tape_scale(t, squares, 1 / (double)a->v.cols);
	return tape_pow(t, tape_add_scalar(t, mean, eps), -0.5);
}

/* The targets of the rows as an index of one row, copied so that the caller may forget them. */
static const struct index *keep_targets(struct arena *a, const int32_t *target, size_t rows,
					size_t classes)
{
	struct index *index = arena_calloc(a, 1, sizeof(*index));
	int32_t *copy = arena_calloc(a, rows ? rows : 1, sizeof(*copy));
	if (rows)
		memcpy(copy, target, rows * sizeof(*copy));
	*index = (struct index){1, rows, classes, copy};
	return index;
}

static double log_sum_exp(const double *x, const double *weights, size_t n)
{
	/* With p = softmax(x), log sum exp(x) = x_k - log p_k at any k; the largest p is exact. */
	size_t k = 0;
	for (size_t c = 1; c < n; c++)
		if (weights[c] > weights[k])
			k = c;
	return x[k] - log(weights[k]);
}

/* loss = mean over rows with a target of log sum exp(a[r]) - a[r][target]; aux keeps softmax(a),
 * p[0] the number of these rows */
struct node *tape_cross_entropy(struct tape *t, struct node *a, const int32_t *target)
{
	const struct mat weights = mat_new(t->arena, a->v.rows, a->v.cols);
	mat_softmax(weights, a->v);
	double sum = 0, count = 0;
	for (size_t r = 0; r < a->v.rows; r++) {
		if (target[r] < 0)
			continue;
		BUG_IF((size_t)target[r] >= a->v.cols);
		const double *x = mat_row(a->v, r);
		sum += log_sum_exp(x, mat_row(weights, r), a->v.cols) - x[target[r]];
		count++;
	}
	const struct mat v = mat_new(t->arena, 1, 1);
	v.at[0] = count > 0 ? sum / count : 0;
	struct node *n = tape_node(t, OP_CROSS_ENTROPY, v, tape_size(a->v), a, NULL);
	n->p[0] = count;
	if (n->wants) {
		n->aux = weights;
		n->index = keep_targets(t->arena, target, a->v.rows, a->v.cols);
	}
	return n;
}

/* da = (softmax(a) - one at the target) / rows */
void tape_cross_entropy_back(struct node *n)
{
	for (size_t r = 0; r < n->aux.rows; r++) {
		const int32_t target = n->index->at[r];
		if (target < 0)
			continue;
		double *to = mat_row(n->in[0]->g, r);
		const double *p = mat_row(n->aux, r), by = n->g.at[0] / n->p[0];
		for (size_t c = 0; c < n->aux.cols; c++)
			to[c] += by * p[c];
		to[target] -= by;
	}
}
