/* tape_basic.c: products, sums and broadcasting.
 *
 * In add, sub and mul the second operand may be smaller: read with a step of 0 along each axis on
 * which it has only one element; its gradient is summed along the same axes. */
#include "math/tape_op.h"

/* The operations that a multiply-add counts in addition when one factor is a single row: each
 * entry of the other matrix is then used only once, and memory limits the speed. Measured for a
 * matrix larger than the second-level cache. */
enum { ONE_ROW = 8 };

/* op(a) [m,k] · op(b) [k,n] · scale -> [m,n] */
struct node *tape_matmul(struct tape *t, struct node *a, bool ta, struct node *b, bool tb,
			 double scale)
{
	const size_t rows = ta ? a->v.cols : a->v.rows, inner = ta ? a->v.rows : a->v.cols;
	const struct mat v = mat_new(t->arena, rows, tb ? b->v.rows : b->v.cols);
	mat_mul(v, scale, a->v, ta, b->v, tb, 0);
	tape_count_products(t, tape_size(v) * (double)inner);
	t->operations += (rows == 1 ? ONE_ROW : 0) * tape_size(v) * (double)inner;
	struct node *n = tape_node(t, OP_MATMUL, v, tape_size(v), a, b);
	n->p[0] = scale;
	n->p[1] = ta;
	n->p[2] = tb;
	return n;
}

void tape_matmul_back(struct node *n)
{
	const struct node *a = n->in[0], *b = n->in[1];
	const double scale = n->p[0];
	const bool ta = n->p[1] != 0, tb = n->p[2] != 0;
	if (a->wants) {
		if (ta) /* y = a'·op(b): da = op(b)·dy' */
			mat_mul(a->g, scale, b->v, tb, n->g, true, 1);
		else /* y = a·op(b): da = dy·op(b)' */
			mat_mul(a->g, scale, n->g, false, b->v, !tb, 1);
	}
	if (b->wants) {
		if (tb) /* y = op(a)·b': db = dy'·op(a) */
			mat_mul(b->g, scale, n->g, true, a->v, ta, 1);
		else /* y = op(a)·b: db = op(a)'·dy */
			mat_mul(b->g, scale, a->v, !ta, n->g, false, 1);
	}
}

struct node *tape_pair_sums(struct tape *t, struct node *a, struct node *b, double scale)
{
	struct node *left[] = {a, tape_ones(t, a->v.rows, 1)};
	struct node *right[] = {tape_ones(t, b->v.rows, 1), b};
	return tape_matmul(t, tape_concat_cols(t, left, 2), false, tape_concat_cols(t, right, 2),
			   true, scale);
}

/* Combines one row, out = x ∘ y, where y advances by `step` (0 or 1). `out` may be x. */
static inline void combine_by(enum op op, double *out, const double *x, const double *y,
			      size_t step, size_t n)
{
	switch (op) {
	case OP_ADD:
#pragma omp simd
		for (size_t c = 0; c < n; c++)
			out[c] = x[c] + y[c * step];
		return;
	case OP_SUB:
#pragma omp simd
		for (size_t c = 0; c < n; c++)
			out[c] = x[c] - y[c * step];
		return;
	case OP_MUL:
#pragma omp simd
		for (size_t c = 0; c < n; c++)
			out[c] = x[c] * y[c * step];
		return;
	default:
		BUG("%s combines nothing", tape_ops[op].name);
	}
}

/* With a constant step the compiler can vectorise the loop. */
static void combine_row(enum op op, double *out, const double *x, const double *y, size_t step,
			size_t n)
{
	if (step)
		combine_by(op, out, x, y, 1, n);
	else
		combine_by(op, out, x, y, 0, n);
}

static void check_broadcast(enum op op, struct mat a, struct mat b)
{
	if ((b.rows != a.rows && b.rows != 1) || (b.cols != a.cols && b.cols != 1))
		BUG("%s of %zu x %zu and %zu x %zu", tape_ops[op].name, a.rows, a.cols, b.rows,
		    b.cols);
}

static const double *broadcast_row(struct mat b, size_t r)
{
	return mat_row(b, b.rows == 1 ? 0 : r);
}

static void combine(enum op op, struct mat out, struct mat a, struct mat b)
{
	check_broadcast(op, a, b);
	for (size_t r = 0; r < a.rows; r++)
		combine_row(op, mat_row(out, r), mat_row(a, r), broadcast_row(b, r), b.cols > 1,
			    a.cols);
}

static struct node *combine_node(struct tape *t, enum op op, struct node *a, struct node *b)
{
	const struct mat v = mat_new(t->arena, a->v.rows, a->v.cols);
	combine(op, v, a->v, b->v);
	return tape_node(t, op, v, tape_size(v), a, b);
}

/* The transpose of broadcasting: bg += by · g (∘ x, when given), summed onto b's shape. */
static void reduce_to(struct mat bg, struct mat g, const struct mat *x, double by)
{
	for (size_t r = 0; r < g.rows; r++) {
		double *to = mat_row(bg, bg.rows == 1 ? 0 : r);
		const double *gr = mat_row(g, r), *xr = x ? mat_row(*x, r) : NULL;
		if (bg.cols == 1)
			*to += by * (xr ? tape_dot(gr, xr, g.cols) : tape_sum(gr, g.cols));
		else if (xr)
			for (size_t c = 0; c < g.cols; c++)
				to[c] += by * gr[c] * xr[c];
		else
			for (size_t c = 0; c < g.cols; c++)
				to[c] += by * gr[c];
	}
}

struct node *tape_add(struct tape *t, struct node *a, struct node *b)
{
	return combine_node(t, OP_ADD, a, b);
}

void tape_add_back(struct node *n)
{
	if (n->in[0]->wants)
		tape_add_to(n->in[0]->g, n->g, 1);
	if (n->in[1]->wants)
		reduce_to(n->in[1]->g, n->g, NULL, 1);
}

struct node *tape_sub(struct tape *t, struct node *a, struct node *b)
{
	return combine_node(t, OP_SUB, a, b);
}

void tape_sub_back(struct node *n)
{
	if (n->in[0]->wants)
		tape_add_to(n->in[0]->g, n->g, 1);
	if (n->in[1]->wants)
		reduce_to(n->in[1]->g, n->g, NULL, -1);
}

struct node *tape_mul(struct tape *t, struct node *a, struct node *b)
{
	return combine_node(t, OP_MUL, a, b);
}

void tape_mul_back(struct node *n)
{
	struct node *a = n->in[0], *b = n->in[1];
	const size_t step = b->v.cols > 1;
	for (size_t r = 0; a->wants && r < n->g.rows; r++) {
		double *to = mat_row(a->g, r);
		const double *g = mat_row(n->g, r), *y = broadcast_row(b->v, r);
		for (size_t c = 0; c < n->g.cols; c++)
			to[c] += g[c] * y[c * step];
	}
	if (b->wants)
		reduce_to(b->g, n->g, &a->v, 1);
}

struct node *tape_scale(struct tape *t, struct node *a, double by)
{
	const bool one = mat_repeats(a->v);
	struct mat v = mat_new(t->arena, one ? 1 : a->v.rows, a->v.cols);
	for (size_t r = 0; r < v.rows; r++)
		combine_row(OP_MUL, mat_row(v, r), mat_row(a->v, r), &by, 0, v.cols);
	if (one)
		v = (struct mat){a->v.rows, v.cols, 0, v.at};
	struct node *n = tape_node(t, OP_SCALE, v, tape_size(v), a, NULL);
	n->p[0] = by;
	return n;
}

void tape_scale_back(struct node *n)
{
	tape_add_to(n->in[0]->g, n->g, n->p[0]);
}

struct node *tape_add_scalar(struct tape *t, struct node *a, double by)
{
	const struct mat b = mat_new(t->arena, 1, 1);
	mat_fill(b, by);
	return tape_add(t, a, tape_const(t, b));
}

struct node *tape_accumulate(struct tape *t, struct node *acc, struct node *b)
{
	if (t->recording)
		return tape_add(t, acc, b);
	if (mat_repeats(acc->v))
		acc->v = mat_copy(t->arena, acc->v);
	combine(OP_ADD, acc->v, acc->v, b->v);
	tape_count(t, OP_ADD, tape_size(acc->v));
	return acc;
}

/* [r,c] -> [r,1] */
struct node *tape_row_sum(struct tape *t, struct node *a)
{
	const struct mat v = mat_zero(t->arena, a->v.rows, 1);
	reduce_to(v, a->v, NULL, 1);
	return tape_node(t, OP_ROW_SUM, v, tape_size(a->v), a, NULL);
}

static void add_broadcast(struct mat to, struct mat from)
{
	for (size_t r = 0; r < to.rows; r++)
		combine_row(OP_ADD, mat_row(to, r), mat_row(to, r), broadcast_row(from, r),
			    from.cols > 1, to.cols);
}

void tape_row_sum_back(struct node *n)
{
	add_broadcast(n->in[0]->g, n->g);
}

/* [r,c] -> [1,c] */
struct node *tape_col_sum(struct tape *t, struct node *a)
{
	const struct mat v = mat_zero(t->arena, 1, a->v.cols);
	reduce_to(v, a->v, NULL, 1);
	return tape_node(t, OP_COL_SUM, v, tape_size(a->v), a, NULL);
}

void tape_col_sum_back(struct node *n)
{
	add_broadcast(n->in[0]->g, n->g);
}
