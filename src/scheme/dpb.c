/* dpb.c: dynamic position bias, a network from the distance to a number for each head.
 *
 *   A_ts = c q_t·k_s + f(t-s),  f: depth hidden layers of SiLU
 *
 * The form of x-transformers, after Wang et al. 2022 (CrossFormer). The distance goes in as it is, or
 * as its signed logarithm; the network is evaluated once for each. */
#include <math.h>

#include "scheme/differences.h"
#include "scheme/inject.h"

enum own { OWN_OF_LAYERS, OWN_OF_ALL };
static const char *const own_names[] = {"none", "layer", NULL};

enum { DEPTH_MAX = 6 };

struct dpb {
	long depth, width;
	int share;
	bool log_distance;
};

struct layers {
	struct node *weight[DEPTH_MAX + 1], *bias[DEPTH_MAX + 1];
	size_t n;
};

/* Hidden numbers of a layer. */
static size_t width_of(const struct model *model, const struct dpb *p)
{
	return p->width > 0 ? (size_t)p->width : (model->config.d + 3) / 4;
}

/* "w0", "b0", …: names outlive the model. */
static const char *const weight_names[] = {"w0", "w1", "w2", "w3", "w4", "w5", "w6"};
static const char *const bias_names[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6"};

static double input_of(const struct dpb *p, double distance)
{
	return p->log_distance ? copysign(log1p(fabs(distance)), distance) : distance;
}

/* Where head i, from 0, looks in the demonstration: t - s = 1, -1, 2, -2, … */
static double target(const struct dpb *p, size_t i)
{
	const double steps = 1 + (double)(i / 2);
	return input_of(p, i % 2 == 0 ? steps : -steps);
}

/* Hidden numbers 2i and 2i + 1 rise to both sides of head i's target. */
static void make_rise(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t j = 0; j < at.cols; j++)
		at.at[j] = j % 2 == 0 ? 2 : -2;
}

static void make_targets(struct mat at, const struct leaf_maker *of)
{
	for (size_t j = 0; j < at.cols; j++)
		at.at[j] = (j % 2 == 0 ? -2 : 2) * target(of->m->param, j / 2);
}

static void make_out(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	for (size_t i = 0; i < at.cols; i++)
		for (size_t j = 2 * i; j < 2 * i + 2; j++)
			mat_row(at, j % at.rows)[i] -= 1.5;
}

static bool declare_layer(struct model *model, const struct member *m, size_t i, size_t in,
			  size_t out, struct err *err)
{
	static const struct leaf_init rise = {.make = make_rise}, targets = {.make = make_targets};
	static const struct leaf_init pass = {.fill = FILL_DIAGONAL, .value = 1};
	static const struct leaf_init sum = {.make = make_out};
	static const struct leaf_init zero = {.fill = FILL_CONSTANT, .value = 0};
	const struct dpb *p = m->param;
	const bool first = i == 0, last = i == (size_t)p->depth, own = p->share == OWN_OF_LAYERS;
	const struct leaf_init paper = {.fill = FILL_UNIFORM, .value = 1 / sqrt((double)in)};
	const struct leaf_init demo = first ? rise : last ? sum : pass;
	return model_leaf(model, m, weight_names[i], in, out, own, demo, paper, err) &&
	       model_leaf(model, m, bias_names[i], 1, out, own, first ? targets : zero, paper, err);
}

static bool dpb_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct dpb *p = m->param;
	const size_t width = width_of(model, p), depth = (size_t)p->depth;
	for (size_t i = 0; i <= depth; i++)
		if (!declare_layer(model, m, i, i == 0 ? 1 : width,
				   i == depth ? model->config.heads : width, err))
			return false;
	return true;
}

static struct node *network(const void *context, struct tape *t, struct node *x)
{
	const struct layers *layers = context;
	for (size_t i = 0; i < layers->n; i++) {
		x = tape_matmul(t, x, false, layers->weight[i], false, 1);
		x = tape_accumulate(t, x, layers->bias[i]);
		if (i + 1 < layers->n)
			x = tape_silu(t, x);
	}
	return x;
}

static struct node *build_table(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct dpb *p = m->param;
	const struct mat at = inject_encoded(run, m, 0)->at;
	struct layers layers = {.n = (size_t)p->depth + 1};
	for (size_t i = 0; i < layers.n; i++) {
		layers.weight[i] = run_leaf(run, m, weight_names[i]);
		layers.bias[i] = run_leaf(run, m, bias_names[i]);
	}
	const struct mat x = mat_new(run->arena, at.rows, 1);
	for (size_t i = 0; i < x.rows; i++)
		x.at[i] = input_of(p, -at.at[i]);
	const size_t h = run->model->config.heads;
	return tape_transpose(run->tape, differences_apply(run->tape, x, h, network, &layers));
}

static size_t dpb_injects(const struct model *model, const struct member *m, struct inject *out)
{
	(void)model;
	const struct dpb *p = m->param;
	*out = (struct inject){.at = INJECT_ADD,
			       .by = encoding_any(false),
			       .leaf = "table",
			       .label = "f(t−s)",
			       .share = p->share == OWN_OF_LAYERS ? SHARE_NONE : SHARE_LAYER,
			       .made = build_table};
	return 1;
}

/* The network gives a number for any distance; it has learned from those below t_max. */
static double dpb_reach(const void *param, const struct model_config *config)
{
	(void)param;
	return (double)config->t_max - 1;
}

static const struct param dpb_params[] = {
	NUMBER_PARAM(struct dpb, depth, 2, 1, DEPTH_MAX, 1, "hidden layers of the network"),
	NUMBER_PARAM(struct dpb, width, 0, 0, 512, 4, "hidden numbers in each; 0: d/4, rounded up"),
	SWITCH_PARAM(struct dpb, log_distance, false,
		     "the network reads ±log(|t−s| + 1) instead of t−s"),
	CHOICE_PARAM(struct dpb, share, OWN_OF_ALL, own_names,
		     "layer: the layers share one network, as in x-transformers; none: each its "
		     "own"),
	{0},
};

static const struct leaf_row dpb_leaves[] = {
	{"w*", NULL,
	 "a layer of the network from the distance t − s to a number for each head, w0 first"},
	{"b*", NULL, "added in the layer of the same number"},
	{0},
};

const struct scheme scheme_dpb[] = {
	{
		.id = "dpb",
		.aliases = "dynamic-position-bias",
		.title = "Dynamic position bias",
		.formula = "A_ts = q_t·k_s / √d_h + f(t−s),  f a network of SiLU",
		.authors = "Wang et al.",
		.cite = "Wang et al.: CrossFormer: a versatile vision Transformer hinging on "
			"cross-scale attention. ICLR 2022; in one dimension as in x-transformers",
		.recipe = "term.f(t−s)[t,s] = number H of the network of param.dpb.NAME (.L with "
			  "share=none) at t - s in the member's column, with log_distance=on at "
			  "its signed ln(1 + |t - s|): x w_i + b_i for i = 0..depth, x sigmoid(x) "
			  "between",
		.about = "A network makes the bias of all heads out of the signed distance, so "
			 "there is a number for distances never met, and near ones inform each "
			 "other.",
		.year = 2022,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = dpb_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "x-transformers 9252ed7, DynamicPositionBias without its optional "
				 "norms; CrossFormer itself has two dimensions, ReLU and norms",
		.demo_note = "head i falls to both sides of t−s = 1, −1, 2, −2, …: two hidden "
			     "numbers rise from there at 2, later layers pass them on, the last "
			     "takes them times −3/2",
		.params = dpb_params,
		.param_size = sizeof(struct dpb),
		.reach = dpb_reach,
		.hooks = {INJECT_MADE_HOOKS(dpb_injects, dpb_declare), .matrices = 1},
	},
	{0},
};
