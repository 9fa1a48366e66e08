/* tape.h: matrices that remember how they were computed, and reverse-mode differentiation over
 * them.
 *
 * A node is appended and computed when it is built. With recording off it is just a matrix: nothing
 * is remembered and the arena is the only cost. With recording on, creation order is the
 * topological order and tape_backward walks it in reverse. So a scheme is written once, for viewing
 * and for learning. The table tape_ops has a row for each operator: name, shape, forward, backward
 * and cost.
 *
 * Broadcasting: in add and mul, b may be of a's shape, one row [1,c], one column [r,1], or a
 * scalar [1,1]; the gradient is summed back. Masks are constants, -inf in logits means
 * forbidden. */
#ifndef POSVIZ_TAPE_H
#define POSVIZ_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/math/mat.h"

enum op {
	OP_CONST, /* no gradient */
	OP_LEAF,  /* a parameter: gradient wanted */
	OP_MATMUL,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_SCALE,
	OP_SOFTMAX,
	OP_LAYER_NORM,
	OP_ROW_NORMALISE,
	OP_RELU,
	OP_LEAKY_RELU,
	OP_ELU,
	OP_SILU,
	OP_GELU,
	OP_TANH,
	OP_SIGMOID,
	OP_LOG_SIGMOID,
	OP_SOFTPLUS,
	OP_EXP,
	OP_LOG,
	OP_POW,
	OP_SIN,
	OP_COS,
	OP_CLIP,
	OP_GATHER_ROWS,
	OP_GATHER,
	OP_SCATTER,
	OP_GATHER_INTERP,
	OP_TRIPLE,
	OP_CHOSEN_DOTS,
	OP_CHOSEN_MIX,
	OP_ROTATE,
	OP_CONCAT_COLS,
	OP_CONCAT_ROWS,
	OP_SLICE,
	OP_RESHAPE,
	OP_TRANSPOSE,
	OP_ROW_SUM,
	OP_COL_SUM,
	OP_PREFIX_SUM,
	OP_SUFFIX_SUM,
	OP_CONV1D,
	OP_LOWER,
	OP_SOLVE_LOWER,
	OP_EXPONENTIAL,
	OP_CROSS_ENTROPY,
	OP_COUNT
};

/* The row r of the table that an index matrix reads, table[r][i]: the query's row (BY_ROW), the
 * key's row (BY_COL, the "transposed" gather), or row 0 of a one-row table of scalars (SHARED). */
enum gather { GATHER_BY_ROW, GATHER_BY_COL, GATHER_SHARED };

/* A relation between two axes as small integers: entry (t, s) is in 0..count-1, or -1 for none
 * (reads 0, takes no gradient). Row-major without gaps. Must outlive the tape that uses it. */
struct index {
	size_t rows, cols, count;
	const int32_t *at;
};

struct node {
	struct mat v; /* value */
	struct mat g; /* gradient of the loss; at == NULL until tape_backward, or when not wanted */
	enum op op;
	bool wants;		   /* a leaf is among its ancestors */
	struct node *in[3];	   /* operands, NULL when fewer */
	double p[4];		   /* scalar arguments of the operator */
	const struct index *index; /* gather, scatter */
	struct mat aux;		   /* data of the backward pass besides operands and value */
	struct node *previous;	   /* recording order */
};

struct tape {
	struct arena *arena;
	bool recording;
	struct node *last;
	bool spoiled; /* a softmax met a number that was not finite at an allowed entry */
	/* The counts so far. An operation is a unit of time: a fused multiply-add counts 2; see
	 * tape_ops[].cost. Multiply-adds are those of products and sums alone, each counts 1. */
	double operations, multiply_adds;
};

/* The table of operators. `cost` is the number of operations per element handled (of the result,
 * or of the operand if the operator sums), `adds` its multiply-adds; both are added to those
 * that matmul and conv1d count themselves. Functions of one number, softmax, norms and look-ups
 * have no multiply-adds. */
struct tape_op {
	const char *name;
	void (*backward)(struct node *n);
	double cost, adds;
};
extern const struct tape_op tape_ops[OP_COUNT];

void tape_init(struct tape *t, struct arena *arena, bool recording);

/* Counts work that is done without an operator: `handled` elements at the cost of `op`, the
 * multiply-adds of a product, a number of exponentials of [g,g], or all that another tape has
 * counted. */
void tape_count(struct tape *t, enum op op, double handled);
void tape_count_products(struct tape *t, double multiply_adds);
void tape_count_exponentials(struct tape *t, double number, size_t g);
void tape_count_all(struct tape *t, const struct tape *other);

struct node *tape_const(struct tape *t, struct mat m); /* a view: m must outlive the tape */
struct node *tape_leaf(struct tape *t, struct mat m);
/* Makes a constant that is 1 everywhere. */
struct node *tape_ones(struct tape *t, size_t rows, size_t cols);

/* Returns op(a)·op(b)·scale. */
struct node *tape_matmul(struct tape *t, struct node *a, bool ta, struct node *b, bool tb,
			 double scale);
/* Returns (a_t + b_s)·scale of two columns, as a product of width 2: a·1ᵀ + 1·bᵀ. */
struct node *tape_pair_sums(struct tape *t, struct node *a, struct node *b, double scale);
struct node *tape_add(struct tape *t, struct node *a, struct node *b);
struct node *tape_sub(struct tape *t, struct node *a, struct node *b);
struct node *tape_mul(struct tape *t, struct node *a, struct node *b);
struct node *tape_scale(struct tape *t, struct node *a, double by);
struct node *tape_add_scalar(struct tape *t, struct node *a, double by);

/* Returns acc + b. The caller owns acc and no longer needs its old value: computed in place when
 * not recording. */
struct node *tape_accumulate(struct tape *t, struct node *acc, struct node *b);
/* Returns acc + scale · gather(table, index), fused and in place when not recording. */
struct node *tape_accumulate_gather(struct tape *t, struct node *acc, struct node *table,
				    const struct index *index, enum gather how, double scale);

/* Softmax by rows over the pairs that `allowed` (rows*cols bytes, NULL: all) permits; a row
 * without any is zero. `consume`: the caller no longer needs a; computed in place when not
 * recording. */
struct node *tape_softmax(struct tape *t, struct node *a, const uint8_t *allowed, bool consume);
/* (x - mean) / sqrt(variance + eps) by rows; no affine part (compose it with mul and add). */
struct node *tape_layer_norm(struct tape *t, struct node *a, double eps);
/* Divides each row by its Euclidean norm (at least eps). */
struct node *tape_row_normalise(struct tape *t, struct node *a, double eps);
/* [rows, 1]: 1 / √(mean of a row's squares + eps), by which a row is multiplied to normalise it. */
struct node *tape_inverse_rms(struct tape *t, struct node *a, double eps);

/* Applies the function of an operator without parameters, OP_RELU to OP_COS. `consume`: the
 * caller no longer needs a; computed in place when not recording. */
struct node *tape_unary(struct tape *t, enum op op, struct node *a, bool consume);
struct node *tape_relu(struct tape *t, struct node *a);
struct node *tape_leaky_relu(struct tape *t, struct node *a, double slope);
struct node *tape_elu(struct tape *t, struct node *a);
struct node *tape_silu(struct tape *t, struct node *a);
struct node *tape_gelu(struct tape *t, struct node *a); /* with erf */
struct node *tape_tanh(struct tape *t, struct node *a);
struct node *tape_sigmoid(struct tape *t, struct node *a);
struct node *tape_log_sigmoid(struct tape *t, struct node *a);
struct node *tape_softplus(struct tape *t, struct node *a);
struct node *tape_exp(struct tape *t, struct node *a);
struct node *tape_log(struct tape *t, struct node *a);
struct node *tape_pow(struct tape *t, struct node *a, double exponent);
struct node *tape_sin(struct tape *t, struct node *a);
struct node *tape_cos(struct tape *t, struct node *a);
struct node *tape_clip(struct tape *t, struct node *a, double lo, double hi);

/* Row i of the result is row rows[i] of the table; the gradient is added back row by row. */
struct node *tape_gather_rows(struct tape *t, struct node *table, const int32_t *rows, size_t n);
/* out[t][s] = table[r][index[t][s]], where `how` chooses the row r. */
struct node *tape_gather(struct tape *t, struct node *table, const struct index *index,
			 enum gather how);
/* The adjoint of GATHER_BY_ROW: out[t][i] = sum of a[t][s] over s with index[t][s] == i; the result
 * is [rows, index->count]. With `transposed`, out[s][i] sums over t (adjoint of GATHER_BY_COL). */
struct node *tape_scatter(struct tape *t, struct node *a, const struct index *index,
			  bool transposed);
/* Linear interpolation in the query's row of the table at real positions: out[t][s] =
 * (1-w)·table[t][floor p] + w·table[t][ceil p], p = position[t][s] clamped to the columns. */
struct node *tape_gather_interp(struct tape *t, struct node *table, struct node *position);

/* The scalar product of three vectors: out[t][s] = sum over j of a[t][j] · b[s][j] ·
 * table[index[t][s]][j], 0 where the index is -1. */
struct node *tape_triple(struct tape *t, struct node *a, struct node *b, struct node *table,
			 const struct index *index);

/* Attention over rows that an index chooses, with the columns cut into `parts` equal parts
 * (heads). Returns scores [rows, parts · cols] with the index's shape for each part: out[t][p,s]
 * = a[t]·table[index[t][s]] in part p, 0 where the index is -1. Row t of the index belongs to
 * row row[t] of a, or to row t (`row` NULL). `row` must outlive the tape. */
struct node *tape_chosen_dots(struct tape *t, struct node *a, const int32_t *row,
			      struct node *table, const struct index *index, size_t parts);
/* Sums the chosen rows with the weights a, which have the shape of such scores: out[t] = sum
 * over s of a[t][p,s] · table[index[t][s]] in part p. */
struct node *tape_chosen_mix(struct tape *t, struct node *a, struct node *table,
			     const struct index *index, size_t parts);

/* Rotates pairs of the first 2·cos->cols columns by the angle whose cosine and sine are given per
 * row: pairs (2i, 2i+1), or (i, i+cols) when `half`; the remaining columns pass through.
 * (a, b) becomes (a cos - b sin, a sin + b cos). Both matrices outlive the tape. */
struct node *tape_rotate(struct tape *t, struct node *a, struct mat cos, struct mat sin, bool half);

struct node *tape_concat_cols(struct tape *t, struct node *const *parts, size_t n);
struct node *tape_concat_rows(struct tape *t, struct node *const *parts, size_t n);
struct node *tape_slice(struct tape *t, struct node *a, size_t row, size_t rows, size_t col,
			size_t cols); /* a view */
struct node *tape_reshape(struct tape *t, struct node *a, size_t rows, size_t cols);
struct node *tape_transpose(struct tape *t, struct node *a);
struct node *tape_row_sum(struct tape *t, struct node *a); /* [r,1]: each row summed */
struct node *tape_col_sum(struct tape *t, struct node *a); /* [1,c]: each column summed */
/* Inclusive running sums along each row, from the left (prefix) or from the right (suffix). */
struct node *tape_prefix_sum(struct tape *t, struct node *a);
struct node *tape_suffix_sum(struct tape *t, struct node *a);
/* 1-D convolution over the rows, zero padding: a [n,ci], kernel [width*ci, co], out [n,co];
 * out[t] = sum over j of a[t + j - (width-1)/2] · kernel rows j*ci.. (cross-correlation). */
struct node *tape_conv1d(struct tape *t, struct node *a, struct node *kernel, size_t width);
/* Keeps the entries on and below the diagonal, or only those below it when `strict`; the others
 * become 0. `consume`: the caller no longer needs a; computed in place when not recording. */
struct node *tape_lower(struct tape *t, struct node *a, bool strict, bool consume);
/* Returns the x of T·x = b, where T is unit lower triangular with the entries of l below its
 * diagonal; the rest of l is ignored. `consume`: the caller no longer needs b. */
struct node *tape_solve_lower(struct tape *t, struct node *l, struct node *b, bool consume);
/* Computes e^A of square matrices A [g,g] that stand one below the other: a [n·g,g]. */
struct node *tape_exponential(struct tape *t, struct node *a);
/* Mean over rows of -log softmax(a)[t][target[t]]; rows with target < 0 do not count. [1,1] */
struct node *tape_cross_entropy(struct tape *t, struct node *a, const int32_t *target);

/* Computes the gradient of the sum of the entries of `of`, weighted by `seed` (NULL: all ones),
 * in every node that wants one; gradients are zeroed first. Needs recording. */
void tape_backward(struct tape *t, struct node *of, const struct mat *seed);

/* The rows and columns of a recorded node that the results read: [rows] and [cols] of its value,
 * from `scratch`. They are exact for look-ups, and all where an operator cannot tell; NULL: the
 * node is not recorded. */
struct tape_read {
	const struct node *of;
	bool *rows, *cols;
};
void tape_reads(const struct tape *t, struct node *const *results, size_t n, struct arena *scratch,
		struct tape_read *of, size_t n_of);

#endif
