/* ort.c: convolutions instead of positions, for transfer to other languages (Liu et al. 2021b).
 *
 *   F = conv_2(max(0, conv_1(O))),  conv(x)_t = b + Σ_{|j| ≤ r} x_{t+j} K_j,  x = 0 beyond the ends
 *
 * A convolution distinguishes neighbours and nothing farther: after L layers an output depends
 * on 2 r L positions to each side through the convolutions, two of them in a layer. */
#include <math.h>

#include "posviz/model/stage.h"
#include "scheme/leaves.h"
#include "scheme/reading.h"

enum { MAX_WIDTH = 31 };

struct ort {
	long width;
};

static const struct param ort_params[] = {
	NUMBER_PARAM(struct ort, width, 3, 1, MAX_WIDTH, 2,
		     "taps of each convolution: a token and as many on each side; an odd number"),
	{0},
};

static bool ort_check(const void *param, struct err *err)
{
	const struct ort *p = param;
	return p->width % 2 == 1 ||
	       err_set(err, "ort: %ld taps have no middle; width takes an odd number", p->width);
}

/* The taps are one random matrix, halved with every step from the middle; the squares of the
 * factors sum to 1. So neighbours become similar, and reversing the input reverses the output. */
static void make_taps(struct mat at, const struct leaf_maker *of)
{
	const struct ort *p = of->m->param;
	const size_t rows = at.rows / (size_t)p->width, r = (size_t)p->width / 2;
	double squares = 0;
	for (size_t j = 0; j < (size_t)p->width; j++)
		squares += exp2(-2 * fabs((double)j - (double)r));
	const struct mat middle = mat_rows(at, r * rows, rows);
	mat_fill_normal(middle, sqrt(2 / (double)(rows + at.cols)), of->rng);
	for (size_t j = 0; j <= 2 * r; j++) {
		const double factor = exp2(-fabs((double)j - (double)r)) / sqrt(squares);
		for (size_t i = 0; j != r && i < rows; i++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, j * rows + i)[c] = factor * mat_row(middle, i)[c];
	}
	for (size_t i = 0; i < rows; i++)
		for (size_t c = 0; c < at.cols; c++)
			mat_row(middle, i)[c] /= sqrt(squares);
}

static bool ort_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct reading *r = run_state(run, m, sizeof *r);
	return reading_of_text(run, m, false, r, err);
}

/* Streams of other members may have rows of their own: they are read in their order. */
static struct node *ort_feed_forward(struct run *run, const struct member *m, struct node *x)
{
	const struct ort *p = m->param;
	const size_t width = (size_t)p->width;
	struct tape *t = run->tape;
	const struct reading *r = run_kept(run, m);
	const bool units = r && x->v.rows == r->n;
	struct node *f = units ? reading_take(t, r, x) : x;
	f = tape_add(t, tape_conv1d(t, f, run_leaf(run, m, "kernel_1"), width),
		     run_leaf(run, m, "bias_1"));
	f = run->model->config.activation == ACT_GELU ? tape_gelu(t, f) : tape_relu(t, f);
	f = tape_add(t, tape_conv1d(t, f, run_leaf(run, m, "kernel_2"), width),
		     run_leaf(run, m, "bias_2"));
	return units ? reading_put_back(t, r, f) : f;
}

static const struct leaf_row ort_leaves[] = {
	{"kernel_1", "width d, d_f",
	 "first convolution: d rows for each neighbour, the farthest before first",
	 .by_layer = EACH_LAYER, .demo = {.make = make_taps}, .paper = LINEAR_INIT("width d"),
	 .taps = "width"},
	{"bias_1", "1, d_f", "added in the hidden layer", .spare = true, .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT("width d")},
	{"kernel_2", "width d_f, d", "second convolution: d_f rows for each neighbour",
	 .by_layer = EACH_LAYER, .demo = {.make = make_taps}, .paper = LINEAR_INIT("width d_f"),
	 .taps = "width"},
	{"bias_2", "1, d", "added to the result", .spare = true, .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT("width d_f")},
	{0},
};

const struct scheme scheme_ort[] = {
	{
		.id = "ort",
		.aliases = "order-reduced",
		.title = "Order-reduced Transformer",
		.formula = "F = conv_2(ReLU(conv_1(O))),  conv(x)_t = b + Σ_{|j| ≤ r} x_{t+j} K_j",
		.authors = "Liu et al.",
		.cite = "@liu2021importance",
		.recipe = "f = conv_2(relu(conv_1(o))) instead of the feed-forward block (gelu "
			  "where the model has it), conv_i(x)[t] = bias_i + the sum over j < width "
			  "of x[t + j - (width - 1) / 2] @ rows j * rows(x) .. of kernel_i, 0 "
			  "beyond the ends, of param.ort.kernel_1.L and so on; t counts in the "
			  "order of the member's column",
		.about = "No positions: the feed-forward block becomes two convolutions, which "
			 "know the neighbours of a word and nothing of the order beyond them. With "
			 "width=1 it is the plain Transformer; what it does shows from layer 2 on.",
		.year = 2021,
		.topic = TOPIC_CROSS,
		.table2 = TABLE2_CROSSLINGUAL,
		.inj = INJ_OTHER,
		.leaves = ort_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "the paper's abstract; survey section 4.5 has the convolutions in "
				 "place of the positions; width 3 is ours; no code found",
		.demo_note = "all taps of a kernel are one random matrix, halved with every step "
			     "from the middle; b = 0",
		.numbers_when = "0",
		.params = ort_params,
		.param_size = sizeof(struct ort),
		.hooks = {.declare = leaves_declare,
			  .prepare = ort_prepare,
			  .feed_forward = ort_feed_forward,
			  .any_keys = true},
		.check = ort_check,
	},
	{0},
};
