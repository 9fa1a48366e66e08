/* cnn.c: a convolution instead of position embeddings (Islam, Jia and Bruce 2020).
 *
 *   y_t = b + Σ_j x_{t+j} K_j,  |j| ≤ r
 *
 * It is the same function everywhere and depends on the position only through the zeros beyond
 * the ends: after L layers the first and the last L·r tokens differ from the rest. */
#include <math.h>

#include "posviz/scheme/scheme.h"
#include "scheme/reading.h"

enum padding { PADDING_ZERO, PADDING_CIRCULAR, PADDING_REPLICATE };
static const char *const padding_names[] = {"zero", "circular", "replicate", NULL};

enum { MAX_DEPTH = 6, MAX_WIDTH = 31 };

struct cnn {
	int padding;
	long width, depth;
	bool relu;
};

static const char *const kernel_names[MAX_DEPTH] = {"kernel_1", "kernel_2", "kernel_3",
						    "kernel_4", "kernel_5", "kernel_6"};
static const char *const bias_names[MAX_DEPTH] = {"bias_1", "bias_2", "bias_3",
						  "bias_4", "bias_5", "bias_6"};

static bool cnn_check(const void *param, struct err *err)
{
	const struct cnn *p = param;
	return p->width % 2 == 1 ||
	       err_set(err, "width: %ld taps have no middle; take an odd number", p->width);
}

static bool cnn_declare(struct model *model, const struct member *m, struct err *err)
{
	/* Not 0: otherwise columns in which max(0, x) is 0 everywhere would be at its kink. */
	static const struct leaf_init small = {.fill = FILL_CONSTANT, .value = 0.01};
	const struct cnn *p = m->param;
	const size_t d = model->config.d, width = (size_t)p->width, rows = width * d;
	/* Neighbours are summed, and a sum of different token vectors has the size of one of
	 * them. */
	const struct leaf_init sum = {
		.fill = FILL_DIAGONAL, .value = 1 / sqrt((double)width), .taps = width};
	const struct leaf_init paper = {.fill = FILL_UNIFORM, .value = 1 / sqrt((double)rows)};
	for (long i = 0; i < p->depth; i++)
		if (!model_leaf(model, m, kernel_names[i], rows, d, false, sum, paper, err) ||
		    !model_leaf(model, m, bias_names[i], 1, d, false, small, paper, err))
			return false;
	return true;
}

/* tape_conv1d pads with zeros. For other paddings x gets r more rows at each end, those of the
 * other end or copies of the last one, and the results for them are cut off. */
static struct node *convolve(struct run *run, const struct cnn *p, struct node *x,
			     struct node *kernel)
{
	struct tape *t = run->tape;
	const size_t width = (size_t)p->width, r = width / 2, n = run->n, rows = n + 2 * r;
	if (p->padding == PADDING_ZERO)
		return tape_conv1d(t, x, kernel, width);
	int32_t *at = arena_alloc(run->arena, rows * sizeof *at);
	for (size_t i = 0; i < rows; i++) {
		const size_t last = i < r ? 0 : i - r < n ? i - r : n - 1;
		at[i] = (int32_t)(p->padding == PADDING_CIRCULAR ? (i + n * r - r) % n : last);
	}
	struct node *all = tape_conv1d(t, tape_gather_rows(t, x, at, rows), kernel, width);
	return tape_slice(t, all, r, n, 0, all->v.cols);
}

/* X = conv(… relu(conv(U) + b) …) + b */
static bool cnn_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct cnn *p = m->param;
	struct tape *t = run->tape;
	struct reading r;
	if (!reading_of_text(run, m, false, &r, err))
		return false;
	struct node *x = reading_take(t, &r, run_sum_parts(run, &run->x));
	for (long i = 0; i < p->depth; i++) {
		x = convolve(run, p, i > 0 && p->relu ? tape_relu(t, x) : x,
			     run_leaf(run, m, kernel_names[i]));
		x = tape_add(t, x, run_leaf(run, m, bias_names[i]));
	}
	run_replace_x(run, "convolution", reading_put_back(t, &r, x));
	return true;
}

static const struct param cnn_params[] = {
	CHOICE_PARAM(
		struct cnn, padding, PADDING_ZERO, padding_names,
		"what stands beyond the ends: zeros, the other end, or the last token vector again"),
	NUMBER_PARAM(struct cnn, width, 3, 1, MAX_WIDTH, 2,
		     "taps: a token and as many neighbours on each side; an odd number"),
	NUMBER_PARAM(struct cnn, depth, 2, 1, MAX_DEPTH, 1,
		     "convolutions one after the other; each lets the ends reach further in"),
	SWITCH_PARAM(struct cnn, relu, true, "max(0, x) between two convolutions"),
	{0},
};

static const struct claim cnn_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO,
	 "without zeros in reach nothing gives the ends away: equal token vectors stay equal",
	 "padding != zero || width == 1"},
	{CLAIM_RELATIVE, ANSWER_YES,
	 "the column is taken as an order, so a shift of it moves nothing; what the zeros give "
	 "away is the distance to the ends"},
	{0},
};

static const struct leaf_row cnn_leaves[] = {
	{"kernel_*", "width d, d",
	 "of a layer of the convolution: d rows for each neighbour, the farthest before first"},
	{"bias_*", "1, d", "added to what the kernel of the same number gives", .spare = true},
	{0},
};

const struct scheme scheme_cnn[] = {
	{
		.id = "cnn",
		.aliases = "cnn_pad convolution islam",
		.title = "Position from zero padding",
		.formula = "X_t = b + Σ_{|j| ≤ r} U_{t+j} K_j,  U = 0 beyond the ends",
		.authors = "Islam et al.",
		.cite = "@islam2020how",
		.about =
			"A convolution is the same at every position, and yet its output knows where "
			"the ends are: there it has met the zeros of the padding. With "
			"padding=circular or replicate equal token vectors stay equal.",
		.year = 2020,
		.ref = REF_ABSOLUTE,
		.inj = INJ_OTHER,
		.leaves = cnn_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "as Su Jianlin's survey of position encodings (kexue.fm 8130) "
				 "tells it; its place in front of a Transformer is ours",
		.demo_note = "every convolution adds up its taps, divided by the root of their "
			     "number; b = 0.01",
		.claims = cnn_claims,
		.numbers_when = "0",
		.params = cnn_params,
		.param_size = sizeof(struct cnn),
		.hooks = {.declare = cnn_declare, .embed = cnn_embed, .nonlinear = true},
		.check = cnn_check,
	},
	{0},
};
