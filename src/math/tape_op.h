/* tape_op.h: functions that the operators of the tape share. Private to the tape_*.c files.
 *
 * An operator is a constructor (tape.h) that checks shapes, computes the value and makes the
 * node, and a backward function that adds to the gradients of its operands. A node that wants no
 * gradient refers to nothing beyond its value: operands, index and aux are set only when
 * node->wants. */
#ifndef MATH_TAPE_OP_H
#define MATH_TAPE_OP_H

#include <string.h>

#include "posviz/math/tape.h"

/* Makes a node of value v over the operands a and b (NULL when fewer), and counts `handled`
 * elements at the operator's cost. The node is recorded when an operand wants a gradient. */
struct node *tape_node(struct tape *t, enum op op, struct mat v, double handled, struct node *a,
		       struct node *b);

/* Makes a node for an operator that needs more than a node holds: `size` bytes of a struct that
 * begins with a node, with zeros after it; `wants` says whether any operand wants a gradient. */
struct node *tape_node_of_size(struct tape *t, size_t size, enum op op, struct mat v,
			       double handled, bool wants);

static inline bool tape_wants(const struct node *n)
{
	return n && n->wants;
}

static inline bool tape_same_shape(struct mat a, struct mat b)
{
	return a.rows == b.rows && a.cols == b.cols;
}

/* Returns the number of elements, for counting costs. */
static inline double tape_size(struct mat m)
{
	return (double)m.rows * (double)m.cols;
}

/* Returns the matrix itself when the tape may overwrite it, else a new one of its shape. */
static inline struct mat tape_room(const struct tape *t, struct mat v, bool overwrite)
{
	return overwrite && !t->recording ? v : mat_new(t->arena, v.rows, v.cols);
}

/* Returns x if the mask is all ones, +0 if it is 0: without a branch, which random signs and
 * indices would mispredict. */
static inline double tape_mask(uint64_t mask, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof(bits));
	bits &= mask;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Sums of x and of x · y in several lanes, so that additions need not wait for each other. */
double tape_sum(const double *x, size_t n);
double tape_dot(const double *x, const double *y, size_t n);

/* The operands of a recorded concatenation. */
struct node *const *tape_concat_parts(const struct node *n, size_t *parts);

/* Return the place of a node's gradient in that of its operand; if a reshape has none, new zeros. */
struct mat tape_slice_gradient(const struct node *n);
struct mat tape_reshape_gradient(const struct node *n, struct arena *a);

/* m += by · x */
void tape_add_to(struct mat m, struct mat x, double by);

void tape_matmul_back(struct node *n);
void tape_add_back(struct node *n);
void tape_sub_back(struct node *n);
void tape_mul_back(struct node *n);
void tape_scale_back(struct node *n);
void tape_row_sum_back(struct node *n);
void tape_col_sum_back(struct node *n);
void tape_softmax_back(struct node *n);
void tape_layer_norm_back(struct node *n);
void tape_row_normalise_back(struct node *n);
void tape_cross_entropy_back(struct node *n);
void tape_unary_back(struct node *n);
void tape_gather_rows_back(struct node *n);
void tape_gather_back(struct node *n);
void tape_scatter_back(struct node *n);
void tape_gather_interp_back(struct node *n);
void tape_triple_back(struct node *n);
void tape_chosen_dots_back(struct node *n);
void tape_chosen_mix_back(struct node *n);
void tape_rotate_back(struct node *n);
void tape_concat_cols_back(struct node *n);
void tape_concat_rows_back(struct node *n);
void tape_reshape_back(struct node *n);
void tape_transpose_back(struct node *n);
void tape_prefix_sum_back(struct node *n);
void tape_suffix_sum_back(struct node *n);
void tape_conv1d_back(struct node *n);
void tape_lower_back(struct node *n);
void tape_solve_lower_back(struct node *n);
void tape_exponential_back(struct node *n);

#endif
