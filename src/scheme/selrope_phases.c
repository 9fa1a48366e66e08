/* selrope_phases.c: see selrope.h: the network of phases, and its leaves. */
#include <math.h>

#include "posviz/model/stage.h"
#include "scheme/leaves.h"
#include "scheme/selrope.h"

enum { TAPS = 4 };
static const double norm_eps = 1e-6; /* ε, of the l2_norm that the authors' code calls */

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Draws n numbers with sum 0 whose squares sum to `squares`. */
static void draw_balanced(double *out, size_t stride, size_t n, double squares, struct rng *rng)
{
	double mean = 0, sum = 0;
	for (size_t i = 0; i < n; i++) {
		out[i * stride] = rng_normal(rng);
		mean += out[i * stride] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		out[i * stride] -= mean;
		sum += out[i * stride] * out[i * stride];
	}
	for (size_t i = 0; i < n && sum > 0; i++)
		out[i * stride] *= sqrt(squares / sum);
}

/* [d,rank]: the first column gives 1 for a vector of ones, the others 0 for it and about N(0,1)
 * for any other. A vector of ones is 1/√(d/h + ε) everywhere when each head is normalised. */
static void make_down(struct mat at, const struct leaf_maker *of)
{
	const double of_head = (double)selrope_input(of->model), d = (double)at.rows;
	mat_fill(mat_cols(at, 0, 1), sqrt(of_head + norm_eps) / d);
	for (size_t j = 1; j < at.cols; j++)
		draw_balanced(at.at + j, at.stride, at.rows, of_head, of->rng);
}

/* [rank, h·d_h/2] */
static void make_up(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, at.rows > 1 ? 1 / sqrt((double)at.rows - 1) : 1, of->rng);
	mat_fill(mat_rows(at, 0, 1), 1);
}

/* [d, d_h/2], the blocks of the heads below each other: ones, plus as much that sums to 0. */
static void make_by_head(struct mat at, const struct leaf_maker *of)
{
	const size_t in = selrope_input(of->model);
	for (size_t row = 0; row < at.rows; row += in)
		for (size_t j = 0; j < at.cols; j++)
			draw_balanced(mat_row(at, row) + j, at.stride, in, (double)in, of->rng);
	for (size_t row = 0; row < at.rows; row++)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, row)[j] += 1;
}

/* [4, h·d_h/2]: the tap of the token itself, and not those of the three before it */
static double make_last_tap(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)of, (void)col;
	return row == TAPS - 1;
}

const struct leaf_row selrope_leaves[] = {
	{"w_phi", "d, d_h / 2", "from the input of a head to its angles", .by_layer = EACH_LAYER,
	 .when = "proj", .demo = {.make = make_by_head},
	 .paper = {FILL_UNIFORM, .formula = "sqrt(6 / (d_h / 2))"}},
	{"scalar", "1, h", "of a head: multiplies its angles", .by_layer = EACH_LAYER,
	 .when = "proj", .demo = {FILL_CONSTANT, .formula = "sqrt(2 + 2 * 0.000001 / (d / h))"},
	 .paper = {FILL_CONSTANT, 1}},
	{"w_down", "d, rank", "from the input to the narrow middle of that map",
	 .by_layer = EACH_LAYER, .when = "!proj", .demo = {.make = make_down},
	 .paper = LINEAR_INIT("d")},
	{"w_up", "rank, h d_h / 2", "from the middle to the angles of all heads",
	 .by_layer = EACH_LAYER, .when = "!proj", .demo = {.make = make_up},
	 .paper = LINEAR_INIT("rank")},
	{"conv", "4, h d_h / 2",
	 "the short convolution of the angles: row of a tap, the earliest token first",
	 .by_layer = EACH_LAYER, .demo = {.entry = make_last_tap}, .paper = LINEAR_INIT("4")},
	{"bias", "1, h d_h / 2", "added to the angles", .spare = true, .by_layer = EACH_LAYER,
	 .when = "bias", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"w_gate", "d, h", "from the input to the gate of each head", .by_layer = EACH_LAYER,
	 .when = "gate", .demo = LINEAR_INIT("d"), .paper = LINEAR_INIT("d")},
	{"b_gate", "1, h", "added in the gate", .by_layer = EACH_LAYER, .when = "gate",
	 .demo = LINEAR_INIT("d"), .paper = LINEAR_INIT("d")},
	{0},
};

/* ---- phases ---------------------------------------------------------------------------------- */

/* Divides each head's columns of x by √(‖x‖² + ε). */
static struct node *normalise_heads(struct run *run, struct node *x)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, d = x->v.cols, in = selrope_input(run->model);
	struct node *rows = tape_reshape(t, x, n * d / in, in);
	struct node *squares =
		tape_add_scalar(t, tape_row_sum(t, tape_mul(t, rows, rows)), norm_eps);
	return tape_reshape(t, tape_mul(t, rows, tape_pow(t, squares, -0.5)), n, d);
}

/* Multiplies a head's columns by its own matrix, whose columns have length `scalar`. */
static struct node *project_heads(struct run *run, const struct member *m, struct node *x)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, half = run->model->dk / 2, heads = run->model->config.heads;
	const size_t in = selrope_input(run->model);
	struct node *w = run_leaf(run, m, "w_phi"), *scalar = run_leaf(run, m, "scalar");
	struct node **parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++) {
		struct node *block = tape_slice(t, w, i * in, in, 0, half);
		struct node *unit = tape_row_normalise(t, tape_transpose(t, block), 1e-12);
		struct node *phi =
			tape_matmul(t, tape_slice(t, x, 0, n, i * in, in), false, unit, true, 1);
		parts[i] = tape_mul(t, phi, tape_slice(t, scalar, 0, 1, i, 1));
	}
	return tape_concat_cols(t, parts, heads);
}

static struct node *project(struct run *run, const struct member *m, struct node *x)
{
	const struct selrope *p = m->param;
	if (p->proj == PER_HEAD)
		return project_heads(run, m, x);
	struct node *down = tape_matmul(run->tape, x, false, run_leaf(run, m, "w_down"), false, 1);
	return tape_matmul(run->tape, down, false, run_leaf(run, m, "w_up"), false, 1);
}

/* y_t = Σ_j kernel_j · x_{t+j-3}, column by column: nothing after t */
static struct node *convolve(struct run *run, struct node *x, struct node *kernel)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, cols = x->v.cols;
	struct node *padded[] = {tape_const(t, mat_zero(run->arena, TAPS - 1, cols)), x};
	struct node *wide = tape_concat_rows(t, padded, 2), *sum = NULL;
	for (size_t j = 0; j < TAPS; j++) {
		struct node *tap = tape_mul(t, tape_slice(t, wide, j, n, 0, cols),
					    tape_slice(t, kernel, j, 1, 0, cols));
		sum = sum ? tape_accumulate(t, sum, tap) : tap;
	}
	return sum;
}

/* Multiplies phi by σ(x W + b), one gate per head. */
static struct node *gated(struct run *run, const struct member *m, struct node *phi, struct node *x)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, half = run->model->dk / 2, heads = run->model->config.heads;
	struct node *z = tape_matmul(t, x, false, run_leaf(run, m, "w_gate"), false, 1);
	struct node *gate = tape_sigmoid(t, tape_add(t, z, run_leaf(run, m, "b_gate")));
	struct node **parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++)
		parts[i] = tape_mul(t, tape_slice(t, phi, 0, n, i * half, half),
				    tape_slice(t, gate, 0, n, i, 1));
	return tape_concat_cols(t, parts, heads);
}

struct node *selrope_phases(struct run *run, const struct member *m, struct node *units)
{
	const struct selrope *p = m->param;
	struct node *x = normalise_heads(run, units);
	struct node *phi = convolve(run, project(run, m, x), run_leaf(run, m, "conv"));
	if (p->bias)
		phi = tape_add(run->tape, phi, tape_exp(run->tape, run_leaf(run, m, "bias")));
	return p->gate ? gated(run, m, phi, x) : phi;
}
