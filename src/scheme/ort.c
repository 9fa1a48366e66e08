/* ort.c: less word order for other languages (Liu et al. 2021b): a Transformer that has convolutions
 * in place of positions, and training on shuffled words.
 *
 *   F = conv_2(max(0, conv_1(O))),  conv(x)_t = b + Σ_{|j| ≤ r} x_{t+j} K_j,  x = 0 beyond the ends
 *
 * A convolution tells neighbours apart and nothing beyond them: after L layers an output has seen 2 r L
 * places to each side through the convolutions, two of them in a layer. */
#include <math.h>
#include <string.h>

#include "scheme/draw.h"
#include "scheme/leaves.h"
#include "scheme/reading.h"
#include "scheme/sinusoid.h"

/* ---- order-reduced Transformer ----------------------------------------------------------------- */

enum { MAX_WIDTH = 31 };

struct ort {
	long width;
};

static const struct param ort_params[] = {
	NUMBER_PARAM(struct ort, width, 3, 1, MAX_WIDTH, 2,
		     "taps of each convolution: a unit and as many on each side; an odd number"),
	{0},
};

static bool ort_check(const void *param, struct err *err)
{
	const struct ort *p = param;
	return p->width % 2 == 1 ||
	       err_set(err, "ort: %ld taps have no middle; width takes an odd number", p->width);
}

/* One random matrix in all taps, halved with every step from the middle; the squares of the factors
 * sum to 1. So neighbours become alike, and reversing the input reverses the output. */
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

/* Streams of other members may have rows of their own: they are read as they stand. */
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

/* ---- shuffled words ------------------------------------------------------------------------------ */

struct shuffle {
	struct sinusoid_param sinusoid;
	double percent;
	long draw;
	bool sinusoids;
};

static const struct param shuffle_params[] = {
	NUMBER_PARAM(struct shuffle, percent, 100, 0, 100, 10,
		     "how many of the words change places with one another"),
	DRAW_PARAM(struct shuffle, 1, "is shown"),
	SWITCH_PARAM(struct shuffle, sinusoids, true,
		     "adds sinusoids of the positions; off: shuffles them for other members alone"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

static void swap(size_t *x, size_t *y)
{
	const size_t z = *x;
	*x = *y;
	*y = z;
}

/* The first `k` of at become a random choice of all `n`. */
static void draw_first(size_t *at, size_t k, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < k; i++)
		swap(&at[i], &at[i + rng_below(rng, n - i)]);
}

/* Where the words stand after the shuffle: those that were moved take their units along, so it is
 * positions that change places. */
static const double *shuffled(struct run *run, const struct member *m, struct err *err)
{
	const struct shuffle *p = m->param;
	const double *old = run_column(run, m, err);
	if (!old)
		return NULL;
	const size_t n = run->n;
	double *at = arena_calloc(run->arena, n + 1, sizeof *at);
	size_t *who = arena_calloc(run->arena, n + 1, sizeof *who), tokens = 0;
	size_t *to = arena_calloc(run->arena, n + 1, sizeof *to);
	for (size_t t = 0; t < n; t++) {
		at[t] = old[t];
		if (run->queries->token[t] >= 0)
			who[tokens++] = t;
	}
	const size_t k = (size_t)lround(p->percent / 100 * (double)tokens);
	struct rng rng = draw_of(run, m, p->draw, "draw");
	draw_first(who, k, tokens, &rng);
	memcpy(to, who, k * sizeof *to);
	draw_first(to, k, k, &rng);
	for (size_t i = 0; i < k; i++)
		at[who[i]] = old[to[i]];
	return at;
}

/* For members that read the shuffled order too. The column they come from stays: what is masked by it
 * must not see ahead. */
static bool shuffle_positions(struct run *run, const struct member *m, struct err *err)
{
	const double *at = shuffled(run, m, err);
	return at && run_add_column(run, "shuffled", at, err);
}

static struct node *shuffle_table(struct run *run, const struct member *m, struct err *err)
{
	const struct shuffle *p = m->param;
	const double *positions = shuffled(run, m, err);
	return positions ? sinusoid_node(run, positions, &p->sinusoid) : NULL;
}

/* X = U + P_π */
static bool shuffle_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct shuffle *p = m->param;
	return !p->sinusoids || sinusoid_add(run, m, "table", shuffle_table, err);
}

/* ---- descriptors --------------------------------------------------------------------------------- */

#define CITE                                                                             \
	"Liu, Winata, Cahyawijaya, Madotto, Lin, Fung: On the importance of word order " \
	"information in cross-lingual sequence labeling. AAAI 2021"

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
		.cite = CITE,
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
	{
		.id = "shuffle",
		.aliases = "shuffled-words",
		.title = "Training on shuffled words",
		.formula = "X_t = U_t + [sin(π(t) ω_i), cos(π(t) ω_i)],  π a random permutation",
		.authors = "Liu et al.",
		.cite = CITE,
		.about = "Sentences of the training have their words shuffled, so that the model "
			 "cannot rely on one language's order; shown is one draw. Other members "
			 "read it as pos=shuffled: t5(pos=shuffled)+shuffle(sinusoids=off).",
		.year = 2021,
		.topic = TOPIC_CROSS,
		.table2 = TABLE2_CROSSLINGUAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey section 4.5 and the paper's abstract; percent, and that "
				 "units stay while positions move, are ours",
		.params = shuffle_params,
		.param_size = sizeof(struct shuffle),
		.hooks = {.positions = shuffle_positions, .embed = shuffle_embed},
	},
	{0},
};
