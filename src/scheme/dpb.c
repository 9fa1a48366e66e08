/* dpb.c: dynamic position bias, a network from the distance to a number for each head.
 *
 *   A_ts = c q_t·k_s + f(t-s),  f: depth hidden layers of SiLU
 *
 * The form of x-transformers, after Wang et al. 2022 (CrossFormer). The input is the distance,
 * or its signed logarithm; the network is evaluated once for each. */
#include <math.h>

#include "scheme/distance_net.h"
#include "scheme/inject.h"

enum own { OWN_OF_LAYERS, OWN_OF_ALL };
static const char *const own_names[] = {"none", "layer", NULL};

struct dpb {
	long depth, width;
	int share;
	bool log_distance;
};

static struct distance_net net_of(const struct model *model, const struct dpb *p)
{
	const size_t quarter = (model->config.d + 3) / 4;
	return (struct distance_net){.depth = (size_t)p->depth,
				     .width = p->width > 0 ? (size_t)p->width : quarter,
				     .each_layer = p->share == OWN_OF_LAYERS};
}

static double input_of(const struct dpb *p, double distance)
{
	return p->log_distance ? copysign(log1p(fabs(distance)), distance) : distance;
}

/* Returns the input at which head i, from 0, has its maximum in the demonstration: t - s = 1,
 * -1, 2, -2, … */
static double target(const struct dpb *p, size_t i)
{
	const double steps = 1 + (double)(i / 2);
	return input_of(p, i % 2 == 0 ? steps : -steps);
}

static double make_rises(const struct leaf_maker *of, size_t row, size_t j)
{
	(void)row;
	return distance_net_rises(j, target(of->m->param, j / 2));
}

static bool dpb_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct distance_net net = net_of(model, m->param);
	return distance_net_declare(model, m, &net, (struct leaf_init){.entry = make_rises}, err);
}

static struct node *build_table(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct distance_net net = net_of(run->model, m->param);
	const struct mat at = inject_encoded(run, m, 0)->at, x = mat_new(run->arena, at.rows, 1);
	for (size_t i = 0; i < x.rows; i++)
		x.at[i] = input_of(m->param, -at.at[i]);
	return distance_net_table(run, m, &net, x);
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

static const struct param dpb_params[] = {
	NUMBER_PARAM(struct dpb, depth, 2, 1, DISTANCE_NET_DEPTH, 1,
		     "hidden layers of the network"),
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
		.cite = "@wang2022crossformer; in one dimension as in x-transformers",
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
		.hooks = {INJECT_MADE_HOOKS(dpb_injects, dpb_declare), .matrices = 1},
	},
	{0},
};
