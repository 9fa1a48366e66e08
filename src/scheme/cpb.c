/* cpb.c: the log-spaced continuous position bias of Swin Transformer V2 (Liu et al. 2022).
 *
 *   A_ts = τ cos(q_t, k_s) + 16 σ(f(r_ts)),  τ = exp(min(logit_scale, ln 100))
 *   r = ±log2(8 |t-s| / (W-1) + 1) / log2(8)
 *
 * f is a network with one hidden layer. Here positions are on a line; grid=on has one number for
 * rows and one for columns, of a picture or of a text that fills rows of W. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>

#include "scheme/differences.h"
#include "scheme/grid.h"
#include "scheme/inject.h"
#include "scheme/leaves.h"

struct cpb {
	long width, window, pretrained;
	bool grid;
};

struct cpb_state {
	struct mat r;		   /* [count, 1 or 2] */
	const struct index *index; /* [n,n] → 0..count-1 */
	struct node *table;	   /* [h, count] */
	struct node *scale;	   /* τ of every head, [1,h] */
};

static bool cpb_check(const void *param, struct err *err)
{
	const struct cpb *p = param;
	return p->pretrained != 1 ||
	       err_set(err,
		       "pretrained: 1; a window of one position has no distance, say 0 or from 2");
}

/* Returns r of a distance in one dimension. */
static double log_spaced(const struct cpb *p, double distance)
{
	const double window = (double)(p->pretrained > 0 ? p->pretrained : p->window);
	return copysign(log2(8 * fabs(distance) / (window - 1) + 1) / 3, distance);
}

/* Returns the distance at which head i, from 0, has its maximum in the demonstration: t - s = 1,
 * -1, 2, -2, … */
static double target(size_t i)
{
	const double steps = 1 + (double)(i / 2);
	return i % 2 == 0 ? steps : -steps;
}

/* Two hidden numbers for each head and dimension rise from half a step beside its target, one to
 * each side. On a grid, heads vary along columns and have their maximum in their own row. */
enum { SIDES = 2 };

static double make_w1(const struct leaf_maker *of, size_t row, size_t col)
{
	if (row != of->rows - 1 - col / SIDES % of->rows)
		return 0;
	return col % SIDES == 0 ? 1 : -1;
}

static double make_b1(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	const struct cpb *p = of->m->param;
	const size_t i = col / SIDES / (1 + p->grid);
	const double side = col % SIDES == 0 ? 1 : -1;
	const double from = col / SIDES % (1 + p->grid) == 0 ? target(i) : 0;
	return -side * log_spaced(p, from + side / 2);
}

static void make_w2(struct mat at, const struct leaf_maker *of)
{
	const struct cpb *p = of->m->param;
	const size_t own = SIDES * (1 + p->grid);
	mat_fill(at, 0);
	for (size_t i = 0; i < at.cols; i++)
		for (size_t j = own * i; j < own * (i + 1); j++)
			mat_row(at, j % at.rows)[i] -= 2;
}

static bool line(struct run *run, const struct member *m, struct cpb_state *state, struct err *err)
{
	struct differences d;
	if (!differences_init(&d, run, m, false, err))
		return false;
	state->index = d.index;
	state->r = mat_new(run->arena, d.at.rows, 1);
	for (size_t i = 0; i < d.at.rows; i++)
		state->r.at[i] = log_spaced(m->param, -d.at.at[i]);
	return true;
}

/* On a grid two positions differ by two numbers, which no single number represents. */
static bool cpb_relation(struct run *run, const struct member *m, struct relation *out,
			 struct err *err)
{
	const struct cpb *p = m->param;
	return p->grid || encoding_relate_signed(run, m, out, err);
}

/* Combines row and column of a token into one number whose differences identify both: differences
 * of columns are less than half of `stride`. */
static bool grid(struct run *run, const struct member *m, struct cpb_state *state, struct err *err)
{
	struct grid g;
	struct differences d;
	double wide = 1;
	if (!grid_read(run, m, ((const struct cpb *)m->param)->window, false, &g, err))
		return false;
	for (size_t t = 0; t < g.n; t++)
		wide = fmax(wide, g.cols[t]);
	const double stride = 2 * wide - 1;
	double *const place = arena_calloc(run->arena, run->n, sizeof *place);
	for (size_t t = 0; t < run->n; t++)
		place[t] = g.row[t] * stride + g.col[t];
	if (!differences_of(&d, run, m, place, "place", err))
		return false;
	state->index = d.index;
	state->r = mat_new(run->arena, d.at.rows, 2);
	for (size_t i = 0; i < d.at.rows; i++) {
		const double by = -d.at.at[i], dy = floor((by + wide - 1) / stride);
		mat_row(state->r, i)[0] = log_spaced(m->param, dy);
		mat_row(state->r, i)[1] = log_spaced(m->param, by - dy * stride);
	}
	return true;
}

static struct node *network(const void *context, struct tape *t, struct node *x)
{
	struct node *const *const leaf = context; /* w1, b1, w2 */
	struct node *hidden = tape_matmul(t, x, false, leaf[0], false, 1);
	hidden = tape_relu(t, tape_accumulate(t, hidden, leaf[1]));
	struct node *out = tape_matmul(t, hidden, false, leaf[2], false, 1);
	return tape_scale(t, tape_sigmoid(t, out), 16);
}

static struct node *build_table(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct cpb_state *state = run_kept(run, m);
	struct node *leaf[] = {run_leaf(run, m, "w1"), run_leaf(run, m, "b1"),
			       run_leaf(run, m, "w2")};
	const size_t h = run->model->config.heads;
	return tape_transpose(run->tape, differences_apply(run->tape, state->r, h, network, leaf));
}

static bool cpb_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct cpb *p = m->param;
	struct cpb_state *state = run_state(run, m, sizeof *state);
	if (!(p->grid ? grid(run, m, state, err) : line(run, m, state, err)))
		return false;
	struct node *clamped =
		tape_clip(run->tape, run_leaf(run, m, "logit_scale"), -HUGE_VAL, log(100));
	state->scale = tape_exp(run->tape, clamped);
	state->table = run_cached(run, m, "table", true, build_table, err);
	return state->table != NULL;
}

/* Returns the memory of the network's hidden layer for all distances, before and after max(0,
 * x). */
static double cpb_memory(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds)
{
	(void)model, (void)kinds;
	const struct cpb *p = m->param;
	return 8 * 2 * 2 * (double)in->axis.n * (double)p->width;
}

/* τ cos(q, k), of q and k as earlier stages left them; no 1/√d_h. */
static bool cpb_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	static const double least = 1e-12; /* that of torch's normalize */
	struct tape *t = head->tape;
	const struct cpb_state *state = head_state(head, m);
	struct node *scale = tape_slice(t, state->scale, 0, 1, head->index, 1);
	struct node *q = tape_mul(t, tape_row_normalise(t, head->q, least), scale);
	struct node *k = tape_row_normalise(t, head->k, least);
	head->logits = tape_matmul(t, q, false, k, true, 1);
	return true;
}

static bool cpb_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct cpb_state *state = head_state(head, m);
	inject_numbers(head, "16σ(f(r))", TERM_POSITION, state->table, state->index, 1);
	return true;
}

/* The network is defined for any distance, but was trained on those below t_max. */
static double cpb_reach(const void *param, const struct model_config *config)
{
	(void)param;
	return (double)config->t_max - 1;
}

static const struct param cpb_params[] = {
	NUMBER_PARAM(struct cpb, window, 8, 2, 1024, 1,
		     "W: distances to W−1 span the network's usual input; the grid's width"),
	NUMBER_PARAM(struct cpb, pretrained, 0, 0, 1024, 8,
		     "the window that the network was trained on, where it is another; 0: the "
		     "same"),
	SWITCH_PARAM(
		struct cpb, grid, false,
		"off: positions are a line; on: rows and columns of a picture; a text fills rows of W"),
	RATIO_PARAM(struct cpb, width, 512, 1, 1024, 2, "hidden numbers of the network"),
	{0},
};

#define GRID                                                                                  \
	"the bias depends on differences of rows and of columns; only a shift within a row, " \
	"or by whole rows, keeps it"

static const struct claim cpb_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, GRID, "grid && window > 10"},
	{CLAIM_RELATIVE, ANSWER_NO, GRID, "grid"},
	{0},
};

static const struct leaf_row log_cpb_leaves[] = {
	{"w1", "2 grid + 1 - grid, width",
	 "from the logarithmic distance (of rows and columns with grid) to the hidden layer",
	 .by_layer = EACH_LAYER, .demo = {.entry = make_w1}, .paper = {FILL_NORMAL, 0.02}},
	{"b1", "1, width", "added in the hidden layer", .by_layer = EACH_LAYER,
	 .demo = {.entry = make_b1}, .paper = {FILL_CONSTANT}},
	{"w2", "width, h", "from the hidden layer to a number for each head",
	 .by_layer = EACH_LAYER, .demo = {.make = make_w2}, .paper = {FILL_NORMAL, 0.02}},
	/* τ is the logit that elsewhere a token has with itself. */
	{"logit_scale", "1, h", "logarithm of τ, which multiplies the cosine of query and key",
	 .by_layer = EACH_LAYER, .demo = {FILL_CONSTANT, .formula = "log(max(content, 0.01))"},
	 .paper = {FILL_CONSTANT, .formula = "log(10)"}},
	{0},
};

const struct scheme scheme_cpb[] = {
	{
		.id = "log_cpb",
		.aliases = "log-cpb swin-v2 swin2 cosine",
		.title = "Log-spaced continuous position bias",
		.formula = "A_ts = τ cos(q_t, k_s) + 16 σ(f(r)),  r = ±log_2(1 + 8 |t−s| / (W−1)) "
			   "/ 3",
		.authors = "Liu et al.",
		.cite = "@liu2022swin",
		.about = "A network reads the logarithm of the distance, so a larger window asks "
			 "little that is new of it, and makes a bias of 0 to 16 beside content "
			 "that is a cosine, at most τ.",
		.recipe = "content instead of c q @ k.T is exp(min(logit_scale[H], ln 100)) q/|q| "
			  "· k/|k|, and term.16σ(f(r)) = 16 sigmoid(relu(r @ w1 + b1) @ w2)[H], "
			  "all of param.log_cpb.NAME.L, r = sign(x) log2(8 |x| / (W - 1) + 1) / 3 "
			  "of x = t - s in the member's column (with grid=on of the differences of "
			  "rows and of columns, window to a row), W = pretrained, or window where "
			  "that is 0",
		.year = 2022,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = log_cpb_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "huggingface/transformers c85510f, modeling_swinv2.py, which is "
				 "grid=on; the line is the same with one number instead of two",
		.demo_note = "head i has its highest bias at t−s = 1, −1, 2, −2, … and falls to "
			     "both sides, at 2 in f for 1 in r; τ is content",
		.claims = cpb_claims,
		.cells_when = "grid",
		.params = cpb_params,
		.param_size = sizeof(struct cpb),
		.check = cpb_check,
		.reach = cpb_reach,
		.hooks = {.declare = leaves_declare,
			  .relation = cpb_relation,
			  .prepare = cpb_prepare,
			  .memory = cpb_memory,
			  .content = cpb_content,
			  .logits = cpb_logits,
			  .content_of_units = true,
			  .matrices = 1},
	},
	{0},
};
