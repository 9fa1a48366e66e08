/* kerple.c: kernelised biases, a logarithm or a power of the distance (Chi et al. 2022).
 *
 *   log:   A_ts = c q_t·k_s - p ln(1 + a |t-s|)
 *   power: A_ts = (c q_t·k_s) [exp(-w_a |t-s|^{w_p})] - a |t-s|^p,  p <= 2
 *
 * All are kernels that are conditionally positive definite, and have two learned numbers for each head
 * (and up to two more for the factor in brackets). The code clamps them where they are used. */
#include "posviz/rng.h"
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/differences.h"
#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

enum weight { WEIGHT_NONE, WEIGHT_A, WEIGHT_AP };
static const char *const weight_names[] = {"none", "a", "ap", NULL};

struct kerple {
	bool causal;
	double least;
	int weight; /* power alone */
};

struct kerple_state {
	struct differences d;
	struct node *distance;		/* [1, count] */
	struct node *logarithm, *apart; /* power: of the distance, 0 at 0; and 0 at 0, else 1 */
	struct node *p, *a, *w_p, *w_a; /* [1,h] */
};

/* ---- leaves ---- */

/* 1 in the first head to 0 in the last; 1/2 where there is only one. */
static double from_first(size_t i, size_t heads)
{
	return heads > 1 ? 1 - (double)i / (double)(heads - 1) : 0.5;
}

static void fill_heads(struct mat at, double (*rule)(double first))
{
	for (size_t i = 0; i < at.cols; i++)
		at.at[i] = rule(from_first(i, at.cols));
}

static double log_strength(double first)
{
	return exp2(2 - 2 * first);
}

static double power_exponent(double first)
{
	return 1.5 - first;
}

static double decay_rate(double first)
{
	return exp2(2 * first - 4);
}

static void make_log_p(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	fill_heads(at, log_strength);
}

static void make_power_p(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	fill_heads(at, power_exponent);
}

static void make_w_a(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	fill_heads(at, decay_rate);
}

/* U(0,value): a starts within 1 in the code, p within 2. */
static void make_uniform(struct mat at, const struct leaf_maker *of)
{
	for (size_t i = 0; i < at.cols; i++)
		at.at[i] = of->value * rng_uniform(of->rng);
}

/* ---- hooks ---- */

static struct kerple_state *prepare(struct run *run, const struct member *m, struct err *err)
{
	struct kerple_state *state = run_state(run, m, sizeof *state);
	if (!differences_init(&state->d, run, m, true, err))
		return NULL;
	state->distance = differences_row(run->tape, &state->d);
	state->p = run_leaf(run, m, "p");
	state->a = run_leaf(run, m, "a");
	return state;
}

static bool log_prepare(struct run *run, const struct member *m, struct err *err)
{
	return prepare(run, m, err) != NULL;
}

static bool power_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct kerple *k = m->param;
	struct kerple_state *state = prepare(run, m, err);
	if (!state)
		return false;
	const struct mat at = state->d.at;
	const struct mat logarithm = mat_zero(run->arena, 1, at.rows);
	const struct mat apart = mat_zero(run->arena, 1, at.rows);
	for (size_t i = 0; i < at.rows; i++)
		if (at.at[i] > 0) {
			logarithm.at[i] = log(at.at[i]);
			apart.at[i] = 1;
		}
	state->logarithm = tape_const(run->tape, logarithm);
	state->apart = tape_const(run->tape, apart);
	state->w_a = k->weight >= WEIGHT_A ? run_leaf(run, m, "w_a") : NULL;
	state->w_p = k->weight >= WEIGHT_AP ? run_leaf(run, m, "w_p") : NULL;
	return true;
}

/* A head's number, [1,1], clamped as the code does. */
static struct node *number(struct head *head, const struct member *m, struct node *leaf,
			   double most)
{
	const struct kerple *k = m->param;
	struct node *own = tape_slice(head->tape, leaf, 0, 1, head->index, 1);
	return tape_clip(head->tape, own, k->least, most);
}

/* |t-s|^p as exp(p ln|t-s|), with 0^p = 0: there p has no gradient. */
static struct node *power(struct head *head, const struct kerple_state *state, struct node *p)
{
	struct tape *t = head->tape;
	return tape_mul(t, tape_exp(t, tape_mul(t, state->logarithm, p)), state->apart);
}

static bool log_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct tape *t = head->tape;
	const struct kerple_state *state = head_state(head, m);
	struct node *steps = tape_mul(t, state->distance, number(head, m, state->a, HUGE_VAL));
	struct node *grown = tape_log(t, tape_add_scalar(t, steps, 1));
	struct node *bias = tape_mul(t, grown, number(head, m, state->p, HUGE_VAL));
	head_add_indexed(head, "distance", TERM_POSITION, bias, state->d.index, GATHER_SHARED, -1);
	return true;
}

static void power_bias(struct head *head, const struct member *m)
{
	struct tape *t = head->tape;
	const struct kerple_state *state = head_state(head, m);
	struct node *grown = power(head, state, number(head, m, state->p, 2));
	struct node *bias = tape_mul(t, grown, number(head, m, state->a, HUGE_VAL));
	head_add_indexed(head, "distance", TERM_POSITION, bias, state->d.index, GATHER_SHARED, -1);
}

static bool power_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct kerple *k = m->param;
	if (k->weight == WEIGHT_NONE)
		power_bias(head, m);
	return true;
}

/* The factor takes all logits there are, so the bias waits until it has been applied. */
static bool power_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct kerple *k = m->param;
	if (k->weight == WEIGHT_NONE)
		return true;
	struct tape *t = head->tape;
	const struct kerple_state *state = head_state(head, m);
	struct node *grown =
		state->w_p ? power(head, state, number(head, m, state->w_p, 2)) : state->distance;
	struct node *rate = tape_scale(t, number(head, m, state->w_a, HUGE_VAL), -1);
	struct node *factor = tape_exp(t, tape_mul(t, grown, rate));
	struct node *of_pairs = tape_gather(t, factor, state->d.index, GATHER_SHARED);
	head->logits = tape_mul(t, head->logits, of_pairs);
	power_bias(head, m);
	return true;
}

/* ---- descriptors ---- */

#define CAUSAL_PARAM                              \
	SWITCH_PARAM(struct kerple, causal, true, \
		     "on: brings the causal mask; off: both directions, distance |t−s|")
#define LEAST_PARAM                                            \
	NUMBER_PARAM(struct kerple, least, 0.01, 0, 0.1, 0.01, \
		     "smaller learned numbers are taken for this one")

static const struct param log_params[] = {CAUSAL_PARAM, LEAST_PARAM, {0}};

static const struct param power_params[] = {
	CAUSAL_PARAM,
	LEAST_PARAM,
	CHOICE_PARAM(struct kerple, weight, WEIGHT_NONE, weight_names,
		     "none; a: logits times exp(−w_a |t−s|), three numbers; ap: times "
		     "exp(−w_a |t−s|^{w_p}), four"),
	{0},
};

#define KERPLE_FLAGS                                                              \
	(SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | \
	 SCHEME_NOT_IN_SURVEY)
#define KERPLE_CITE                                                                          \
	"Chi, Fan, Ramadge, Rudnicky: KERPLE: kernelized relative positional embedding for " \
	"length extrapolation. NeurIPS 2022"

static const struct leaf_row kerple_log_leaves[] = {
	{"p", "1, h", "of a head: multiplies the logarithm", .by_layer = EACH_LAYER,
	 .demo = {.make = make_log_p}, .paper = {.value = 2, .make = make_uniform}},
	{"a", "1, h", "of a head: multiplies the distance in ln(1 + a |t − s|)",
	 .by_layer = EACH_LAYER, .demo = {FILL_CONSTANT, 1},
	 .paper = {.value = 1, .make = make_uniform}},
	{0},
};

static const struct leaf_row kerple_power_leaves[] = {
	{"p", "1, h", "of a head: the exponent of the distance", .by_layer = EACH_LAYER,
	 .demo = {.make = make_power_p}, .paper = {.value = 2, .make = make_uniform}},
	{"a", "1, h", "of a head: multiplies that power", .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT, 0.5}, .paper = {.value = 1, .make = make_uniform}},
	{"w_a", "1, h",
	 "of a head: multiplies the power of the distance in the factor of the logits",
	 .by_layer = EACH_LAYER, .when = "weight", .demo = {.make = make_w_a},
	 .paper = {.value = 1, .make = make_uniform}},
	{"w_p", "1, h", "of a head: the exponent in that factor", .by_layer = EACH_LAYER,
	 .when = "weight == ap", .demo = {FILL_CONSTANT, 1},
	 .paper = {.value = 2, .make = make_uniform}},
	{0},
};

const struct scheme scheme_kerple[] = {
	{
		.id = "kerple_log",
		.aliases = "kerple-log kerple",
		.title = "KERPLE, logarithmic",
		.formula = "A_ts = q_t·k_s / √d_h − p ln(1 + a |t−s|),  p, a > 0 learned in each "
			   "head",
		.authors = "Chi et al.",
		.cite = KERPLE_CITE,
		.recipe = "term.distance[t,s] = -p ln(1 + a |s - t|), p and a = "
			  "param.kerple_log.p.L[H] and a.L[H], at least `least`",
		.about = "Every head learns how fast it forgets: the cost grows with the logarithm "
			 "of the distance, so a step far away costs less than one nearby.",
		.year = 2022,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = kerple_log_leaves,
		.flags = KERPLE_FLAGS,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "chijames/KERPLE 25be3d7, ParallelKerpleLog; it takes distance 0 "
				 "above the diagonal, where the mask forbids",
		.demo_note = "p from 1 in the first head to 4 in the last, a = 1",
		.params = log_params,
		.param_size = sizeof(struct kerple),
		.hooks = {.declare = leaves_declare,
			  .relation = encoding_relate_apart,
			  .prepare = log_prepare,
			  .mask = mask_causal,
			  .logits = log_logits},
	},
	{
		.id = "kerple_power",
		.aliases = "kerple-power",
		.title = "KERPLE, power",
		.formula = "A_ts = q_t·k_s / √d_h − a |t−s|^p,  a > 0, 0 < p ≤ 2 learned in each "
			   "head",
		.authors = "Chi et al.",
		.cite = KERPLE_CITE,
		.about = "Every head learns how its cost bends with the distance: below p = 1 near "
			 "steps count most, above it far ones; at p = 1 it is ALiBi with a learned "
			 "slope.",
		.recipe = "with weight=ap the dot product is multiplied by exp(-w_a |t-s|^w_p) "
			  "before the bias is added; with weight=a, w_p is 1; the bias is -a "
			  "|t-s|^p, p and a = param.kerple_power.p.L[H] and a.L[H], held to least "
			  "and 2",
		.year = 2022,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = kerple_power_leaves,
		.flags = KERPLE_FLAGS,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "chijames/KERPLE 25be3d7, ParallelKerplePower: weight= is the end "
				 "of its pos_emb (x, a, ap); distance 0 above the diagonal, where "
				 "the mask forbids",
		.demo_note = "p from 1/2 in the first head to 3/2 in the last, a = 1/2; w_a from "
			     "1/4 down to 1/16, w_p = 1",
		.params = power_params,
		.param_size = sizeof(struct kerple),
		.hooks = {.declare = leaves_declare,
			  .relation = encoding_relate_apart,
			  .prepare = power_prepare,
			  .mask = mask_causal,
			  .logits = power_logits,
			  .adjust = power_adjust,
			  .matrices = 2},
	},
	{0},
};
