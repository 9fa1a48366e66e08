/* da.c: DA-Transformer, attention multiplied by a function of the distance (Wu, Wu, Huang 2021).
 *
 *   A_ts = c ReLU(q_t·k_s) R̂_ts,  R̂ = (1 + e^v) / (1 + e^{v - w|t-s|})   (survey eq. 16, 17)
 *
 * R̂ is 1 at distance 0; it rises to 1 + e^v for w > 0 and falls to 0 for w < 0. It is a
 * function of one number, so a head computes it once for each distance and looks it up n² times. */
#include <math.h>

#include "scheme/differences.h"
#include "scheme/encoding.h"
#include "scheme/leaves.h"

struct da {
	bool shared;
};

struct da_state {
	struct differences d;	/* no index: positions are far apart, and each pair is computed */
	struct node *distances; /* [1, count], or [n,n] */
	struct node *w, *v;	/* [h,1] */
};

/* |w| from 1/2 down to 1/32; odd heads (from 1) favour near keys, even ones far keys. */
static void make_near_or_far(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.rows; i++) {
		const double part = at.rows > 1 ? (double)i / (double)(at.rows - 1) : 0.5;
		at.at[i] = exp2(-1 - 4 * part) * (i % 2 == 0 ? -1 : 1);
	}
}

/* Returns |t-s| of every pair. [n,n] */
static struct mat all_distances(struct run *run, const double *position)
{
	const size_t n = run->n;
	const struct mat out = mat_new(run->arena, n, n);
	for (size_t i = 0; i < n * n; i++)
		out.at[i] = fabs(position[i / n] - position[i % n]);
	return out;
}

static bool da_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct da_state *state = run_state(run, m, sizeof *state);
	const double *position = run_column(run, m, err);
	long lo, hi = 0;
	if (!position)
		return false;
	state->w = run_leaf(run, m, "w");
	state->v = run_leaf(run, m, "v");
	/* A table longer than a few rows of the matrix would save no time. */
	if (!run_delta_range(run, m, &lo, &hi, NULL) || (size_t)hi > 4 * run->n) {
		state->distances = tape_const(run->tape, all_distances(run, position));
		return true;
	}
	if (!differences_init(&state->d, run, m, true, err))
		return false;
	state->distances = differences_row(run->tape, &state->d);
	return true;
}

/* Computes R̂ as exp(softplus(v) - softplus(v - w|t-s|)): no e^v can overflow. */
static struct node *rescaled(struct head *head, const struct da_state *state)
{
	struct tape *t = head->tape;
	struct node *w = head_row(head, state->w), *v = head_row(head, state->v);
	struct node *beyond = tape_sub(t, tape_mul(t, state->distances, w), v);
	struct node *below = tape_softplus(t, tape_scale(t, beyond, -1));
	struct node *logarithm = tape_sub(t, below, tape_softplus(t, v));
	struct node *factor = tape_exp(t, tape_scale(t, logarithm, -1));
	return state->d.index ? tape_gather(t, factor, state->d.index, GATHER_SHARED) : factor;
}

static bool da_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct da_state *state = head_state(head, m);
	head->logits =
		tape_mul(head->tape, tape_relu(head->tape, head->logits), rescaled(head, state));
	return true;
}

static const struct param da_params[] = {
	SWITCH_PARAM(struct da, shared, false,
		     "one w and v for all layers, as the survey's count can be read"),
	{0},
};

static const struct claim da_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed without the number of layers; here every layer has numbers of its own unless "
	 "shared=on"},
	{0},
};

static const struct leaf_row da_leaves[] = {
	{"w", "h, 1", "of a head: how fast its factor changes with the distance",
	 .by_layer = "!shared", .demo = {.make = make_near_or_far}, .paper = {FILL_NORMAL, 0.02}},
	{"v", "h, 1", "of a head: how far, up to 1 + e^v", .by_layer = "!shared",
	 .demo = {FILL_CONSTANT, 1}, .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_da[] = {
	{
		.id = "da",
		.aliases = "da-transformer distance-aware",
		.title = "Distance-aware Transformer",
		.formula = "A_ts = ReLU(q_t·k_s) R̂_ts / √d_h,  R̂_ts = (1 + e^v) / (1 + e^{v − "
			   "w|t−s|})",
		.authors = "Wu et al.",
		.cite = "@wu2021datransformer",
		.about = "Each head learns whether distance helps or hurts: what a query and a key "
			 "have in common is multiplied by a factor that grows with their distance "
			 "or dies away. It does not see on which side a key stands.",
		.recipe = "logits = relu(c * q @ k.T) * (1 + exp(v)) / (1 + exp(v - w * |t - s|)), "
			  "c q @ k.T with all other terms but rest, w = param.da.w.LAYER[head] and "
			  "v alike, t and s in position.seq",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = da_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "eq. 16 and 17 of the survey; the original code was not found, "
				 "nor whether layers share w and v, nor how they start",
		.demo_note = "|w| from 1/2 down to 1/32 over the heads, odd heads −: near, even "
			     "heads +: far; v = 1",
		.count_printed = "2 h",
		.claims = da_claims,
		.params = da_params,
		.param_size = sizeof(struct da),
		.hooks = {.declare = leaves_declare,
			  .relation = encoding_relate_apart,
			  .prepare = da_prepare,
			  .adjust = da_adjust,
			  .modulates = true,
			  .matrices = 3},
	},
	{0},
};
