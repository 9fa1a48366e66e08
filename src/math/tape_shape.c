/* tape_shape.c: operators that move numbers about: concatenation, slice, reshape, transpose.
 *
 * A slice, and a reshape of data without gaps, is a view of its operand even when recording: values
 * are never changed once built, except by operators that recording turns off. So are their gradients:
 * whatever is added to them is added to the operand's. */
#include <string.h>

#include "math/tape_op.h"

/* A concatenation has any number of operands, so it keeps its own list. */
struct concat {
	struct node node;
	struct node **parts;
	size_t n;
};

static struct node *concat_node(struct tape *t, enum op op, struct mat v, struct node *const *parts,
				size_t n)
{
	bool wants = false;
	for (size_t i = 0; i < n; i++)
		wants |= parts[i]->wants;
	struct concat *k =
		(struct concat *)tape_node_of_size(t, sizeof(*k), op, v, tape_size(v), wants);
	if (k->node.wants) {
		k->parts = arena_calloc(t->arena, n, sizeof(struct node *));
		memcpy(k->parts, parts, n * sizeof(struct node *));
		k->n = n;
	}
	return &k->node;
}

struct node *const *tape_concat_parts(const struct node *n, size_t *parts)
{
	const struct concat *const k = (const struct concat *)n;
	*parts = k->n;
	return k->parts;
}

/* [r,c1] [r,c2] ... -> [r, c1 + c2 + ...] */
struct node *tape_concat_cols(struct tape *t, struct node *const *parts, size_t n)
{
	BUG_IF(n == 0);
	size_t cols = 0;
	for (size_t i = 0; i < n; i++) {
		BUG_IF(parts[i]->v.rows != parts[0]->v.rows);
		cols += parts[i]->v.cols;
	}
	const struct mat v = mat_new(t->arena, parts[0]->v.rows, cols);
	for (size_t i = 0, at = 0; i < n; at += parts[i++]->v.cols)
		mat_set(mat_cols(v, at, parts[i]->v.cols), parts[i]->v);
	return concat_node(t, OP_CONCAT_COLS, v, parts, n);
}

void tape_concat_cols_back(struct node *n)
{
	const struct concat *k = (const struct concat *)n;
	for (size_t i = 0, at = 0; i < k->n; at += k->parts[i++]->v.cols)
		if (k->parts[i]->wants)
			tape_add_to(k->parts[i]->g, mat_cols(n->g, at, k->parts[i]->v.cols), 1);
}

/* [r1,c] [r2,c] ... -> [r1 + r2 + ..., c] */
struct node *tape_concat_rows(struct tape *t, struct node *const *parts, size_t n)
{
	BUG_IF(n == 0);
	size_t rows = 0;
	for (size_t i = 0; i < n; i++) {
		BUG_IF(parts[i]->v.cols != parts[0]->v.cols);
		rows += parts[i]->v.rows;
	}
	const struct mat v = mat_new(t->arena, rows, parts[0]->v.cols);
	for (size_t i = 0, at = 0; i < n; at += parts[i++]->v.rows)
		mat_set(mat_rows(v, at, parts[i]->v.rows), parts[i]->v);
	return concat_node(t, OP_CONCAT_ROWS, v, parts, n);
}

void tape_concat_rows_back(struct node *n)
{
	const struct concat *k = (const struct concat *)n;
	for (size_t i = 0, at = 0; i < k->n; at += k->parts[i++]->v.rows)
		if (k->parts[i]->wants)
			tape_add_to(k->parts[i]->g, mat_rows(n->g, at, k->parts[i]->v.rows), 1);
}

static struct mat block(struct mat m, size_t row, size_t rows, size_t col, size_t cols)
{
	return mat_cols(mat_rows(m, row, rows), col, cols);
}

struct node *tape_slice(struct tape *t, struct node *a, size_t row, size_t rows, size_t col,
			size_t cols)
{
	struct node *n = tape_node(t, OP_SLICE, block(a->v, row, rows, col, cols), 0, a, NULL);
	n->p[0] = (double)row;
	n->p[1] = (double)col;
	return n;
}

struct mat tape_slice_gradient(const struct node *n)
{
	return block(n->in[0]->g, (size_t)n->p[0], n->v.rows, (size_t)n->p[1], n->v.cols);
}

static bool has_gaps(struct mat m)
{
	return m.stride != m.cols && m.rows > 1;
}

/* [r,c] -> [rows,cols] with rows * cols = r * c, in row-major order */
struct node *tape_reshape(struct tape *t, struct node *a, size_t rows, size_t cols)
{
	BUG_IF(rows * cols != a->v.rows * a->v.cols);
	const bool gaps = has_gaps(a->v);
	const struct mat whole = gaps ? mat_copy(t->arena, a->v) : a->v;
	return tape_node(t, OP_RESHAPE, mat_view(whole.at, rows, cols), gaps ? tape_size(a->v) : 0,
			 a, NULL);
}

struct mat tape_reshape_gradient(const struct node *n, struct arena *a)
{
	const struct mat of = n->in[0]->g;
	return has_gaps(of) ? mat_zero(a, n->v.rows, n->v.cols)
			    : mat_view(of.at, n->v.rows, n->v.cols);
}

/* Adds to an operand whose gradient has gaps; without them the two are the same. */
void tape_reshape_back(struct node *n)
{
	const struct mat to = n->in[0]->g;
	for (size_t i = 0; to.at != n->g.at && i < to.rows; i++)
		for (size_t c = 0; c < to.cols; c++)
			mat_row(to, i)[c] += n->g.at[i * to.cols + c];
}

struct node *tape_transpose(struct tape *t, struct node *a)
{
	const struct mat v = mat_transpose(t->arena, a->v);
	return tape_node(t, OP_TRANSPOSE, v, tape_size(v), a, NULL);
}

void tape_transpose_back(struct node *n)
{
	for (size_t r = 0; r < n->g.rows; r++)
		for (size_t c = 0; c < n->g.cols; c++)
			mat_row(n->in[0]->g, c)[r] += mat_row(n->g, r)[c];
}
