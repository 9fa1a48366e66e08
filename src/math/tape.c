/* tape.c: the table of operators, recording, and the backward pass.
 *
 * The list from tape->last through node->previous holds the nodes that want a gradient, newest
 * first. An operand is always older than its node, so one walk along it is enough. */
#include "posviz/math/tape.h"

#include <math.h>

#include "math/tape_op.h"

/* `operations` is meant to predict time in units of dgemm's: one is half a fused multiply-add,
 * about 1/50 ns on one core with AVX2. The weights below are measured nanoseconds per element (in
 * the cache, n = 512) times 50, rounded to a class; a factor of 2 either way is to be expected. */
enum {
	MOVE = 16,   /* 0.3 ns: read, combine, write */
	READ = 40,   /* 0.8 ns: waits for another read or sum, or lines are read crosswise */
	ROW = 64,    /* 1.3 ns: a row is read twice or divided; log, sin and cos, vectorised */
	STEPS = 100, /* 2 ns: a dozen steps; exp, erf and tanh, vectorised */
	CALL = 500,  /* 10 ns: a scalar function of the C library */
};

const struct tape_op tape_ops[OP_COUNT] = {
	[OP_CONST] = {"const", NULL, 0},
	[OP_LEAF] = {"leaf", NULL, 0},
	[OP_MATMUL] = {"matmul", tape_matmul_back, MOVE},
	[OP_ADD] = {"add", tape_add_back, MOVE, 1},
	[OP_SUB] = {"sub", tape_sub_back, MOVE, 1},
	[OP_MUL] = {"mul", tape_mul_back, MOVE, 1},
	[OP_SCALE] = {"scale", tape_scale_back, MOVE, 1},
	[OP_SOFTMAX] = {"softmax", tape_softmax_back, ROW},
	[OP_LAYER_NORM] = {"layer_norm", tape_layer_norm_back, ROW},
	[OP_ROW_NORMALISE] = {"row_normalise", tape_row_normalise_back, ROW},
	[OP_RELU] = {"relu", tape_unary_back, MOVE},
	[OP_LEAKY_RELU] = {"leaky_relu", tape_unary_back, MOVE},
	[OP_ELU] = {"elu", tape_unary_back, CALL},
	[OP_SILU] = {"silu", tape_unary_back, STEPS},
	[OP_GELU] = {"gelu", tape_unary_back, STEPS},
	[OP_TANH] = {"tanh", tape_unary_back, STEPS},
	[OP_SIGMOID] = {"sigmoid", tape_unary_back, STEPS},
	[OP_LOG_SIGMOID] = {"log_sigmoid", tape_unary_back, STEPS},
	[OP_SOFTPLUS] = {"softplus", tape_unary_back, STEPS},
	[OP_EXP] = {"exp", tape_unary_back, STEPS},
	[OP_LOG] = {"log", tape_unary_back, ROW},
	[OP_POW] = {"pow", tape_unary_back, CALL},
	[OP_SIN] = {"sin", tape_unary_back, ROW},
	[OP_COS] = {"cos", tape_unary_back, ROW},
	[OP_CLIP] = {"clip", tape_unary_back, MOVE},
	[OP_GATHER_ROWS] = {"gather_rows", tape_gather_rows_back, MOVE},
	[OP_GATHER] = {"gather", tape_gather_back, READ},
	[OP_SCATTER] = {"scatter", tape_scatter_back, STEPS, 1},
	[OP_GATHER_INTERP] = {"gather_interp", tape_gather_interp_back, STEPS, 2},
	[OP_TRIPLE] = {"triple", tape_triple_back, MOVE, 2},
	[OP_CHOSEN_DOTS] = {"chosen_dots", tape_chosen_dots_back, MOVE, 1},
	[OP_CHOSEN_MIX] = {"chosen_mix", tape_chosen_mix_back, MOVE, 1},
	[OP_ROTATE] = {"rotate", tape_rotate_back, MOVE, 2},
	[OP_CONCAT_COLS] = {"concat_cols", tape_concat_cols_back, MOVE},
	[OP_CONCAT_ROWS] = {"concat_rows", tape_concat_rows_back, MOVE},
	[OP_SLICE] = {"slice", NULL, 0},
	[OP_RESHAPE] = {"reshape", tape_reshape_back, MOVE},
	[OP_TRANSPOSE] = {"transpose", tape_transpose_back, READ},
	[OP_ROW_SUM] = {"row_sum", tape_row_sum_back, MOVE, 1},
	[OP_COL_SUM] = {"col_sum", tape_col_sum_back, MOVE, 1},
	[OP_PREFIX_SUM] = {"prefix_sum", tape_prefix_sum_back, READ, 1},
	[OP_SUFFIX_SUM] = {"suffix_sum", tape_suffix_sum_back, READ, 1},
	[OP_CONV1D] = {"conv1d", tape_conv1d_back, MOVE},
	[OP_LOWER] = {"lower", tape_lower_back, MOVE},
	[OP_SOLVE_LOWER] = {"solve_lower", tape_solve_lower_back, MOVE},
	[OP_EXPONENTIAL] = {"exponential", tape_exponential_back, MOVE},
	[OP_CROSS_ENTROPY] = {"cross_entropy", tape_cross_entropy_back, ROW},
};

void tape_init(struct tape *t, struct arena *arena, bool recording)
{
	*t = (struct tape){.arena = arena, .recording = recording};
}

void tape_count(struct tape *t, enum op op, double handled)
{
	t->operations += tape_ops[op].cost * handled;
	t->multiply_adds += tape_ops[op].adds * handled;
}

void tape_count_products(struct tape *t, double multiply_adds)
{
	t->operations += 2 * multiply_adds;
	t->multiply_adds += multiply_adds;
}

void tape_count_all(struct tape *t, const struct tape *other)
{
	t->operations += other->operations;
	t->multiply_adds += other->multiply_adds;
}

struct node *tape_node_of_size(struct tape *t, size_t size, enum op op, struct mat v,
			       double handled, bool wants)
{
	struct node *n = arena_calloc(t->arena, 1, size);
	n->v = v;
	n->op = op;
	n->wants = wants && t->recording;
	tape_count(t, op, handled);
	if (n->wants) {
		n->previous = t->last;
		t->last = n;
	}
	return n;
}

struct node *tape_node(struct tape *t, enum op op, struct mat v, double handled, struct node *a,
		       struct node *b)
{
	struct node *n =
		tape_node_of_size(t, sizeof(*n), op, v, handled, tape_wants(a) || tape_wants(b));
	if (n->wants) {
		n->in[0] = a;
		n->in[1] = b;
	}
	return n;
}

struct node *tape_const(struct tape *t, struct mat m)
{
	return tape_node_of_size(t, sizeof(struct node), OP_CONST, m, 0, false);
}

struct node *tape_leaf(struct tape *t, struct mat m)
{
	return tape_node_of_size(t, sizeof(struct node), OP_LEAF, m, 0, true);
}

struct node *tape_ones(struct tape *t, size_t rows, size_t cols)
{
	const struct mat ones = mat_new(t->arena, rows, cols);
	mat_fill(ones, 1);
	return tape_const(t, ones);
}

double tape_sum(const double *x, size_t n)
{
	double lane[4] = {0};
	size_t i = 0;
	for (; i + 4 <= n; i += 4)
		for (size_t k = 0; k < 4; k++)
			lane[k] += x[i + k];
	for (; i < n; i++)
		lane[0] += x[i];
	return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

double tape_dot(const double *x, const double *y, size_t n)
{
	double lane[4] = {0};
	size_t i = 0;
	for (; i + 4 <= n; i += 4)
		for (size_t k = 0; k < 4; k++)
			lane[k] += x[i + k] * y[i + k];
	for (; i < n; i++)
		lane[0] += x[i] * y[i];
	return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

void tape_add_to(struct mat m, struct mat x, double by)
{
	for (size_t r = 0; r < m.rows; r++) {
		double *to = mat_row(m, r);
		const double *from = mat_row(x, r);
		for (size_t c = 0; c < m.cols; c++)
			to[c] += by * from[c];
	}
}

/* Makes room for a node's gradient. That of a slice is a part of its operand's, and that of a reshape
 * without gaps is its operand's, so neither is added there. */
static void place_gradient(struct tape *t, struct node *n)
{
	if (n->g.at)
		return;
	if (n->op == OP_SLICE || n->op == OP_RESHAPE)
		place_gradient(t, n->in[0]);
	n->g = n->op == OP_SLICE     ? tape_slice_gradient(n)
	       : n->op == OP_RESHAPE ? tape_reshape_gradient(n, t->arena)
				     : mat_zero(t->arena, n->v.rows, n->v.cols);
}

void tape_backward(struct tape *t, struct node *of, const struct mat *seed)
{
	BUG_IF(!t->recording);
	BUG_IF(seed && !tape_same_shape(*seed, of->v));
	for (struct node *n = t->last; n; n = n->previous)
		if (n->g.at)
			mat_fill(n->g, 0);
		else
			place_gradient(t, n);
	if (!of->wants)
		return; /* no leaf among its ancestors: every gradient is 0 */
	if (seed)
		mat_set(of->g, *seed);
	else
		mat_fill(of->g, 1);
	for (struct node *n = of; n; n = n->previous)
		if (tape_ops[n->op].backward)
			tape_ops[n->op].backward(n);
}
