/* kerple_power.c: a penalty that grows with a power of the distance (Chi et al. 2022).
 *
 *   A_ts = (c q_t·k_s) [exp(-w_a |t-s|^{w_p})] - a |t-s|^p,  a > 0, 0 < p <= 2
 *
 * The factor in brackets, with one or two more learned numbers, is used if `weight` selects it. */
#include "scheme/kerple.h"

#include <math.h>

#include "scheme/differences.h"

enum power_weight { WEIGHT_NONE, WEIGHT_A, WEIGHT_AP };
static const char *const weight_names[] = {"none", "a", "ap", NULL};

struct kerple_power {
	struct kerple common;
	int weight;
};

static const struct param kerple_power_params[] = {
	KERPLE_PARAMS,
	CHOICE_PARAM(struct kerple_power, weight, WEIGHT_NONE, weight_names,
		     "none; a: logits times exp(−w_a |t−s|), three numbers; ap: times "
		     "exp(−w_a |t−s|^{w_p}), four"),
	{0},
};

/* ---- leaves ---- */

static double make_p(const struct leaf_maker *of, size_t row, size_t i)
{
	(void)row;
	return 1.5 - kerple_from_first(i, of->cols);
}

static double make_w_a(const struct leaf_maker *of, size_t row, size_t i)
{
	(void)row;
	return exp2(2 * kerple_from_first(i, of->cols) - 4);
}

static const struct leaf_row kerple_power_leaves[] = {
	{"p", "1, h", "of a head: the exponent of the distance", KERPLE_LEAF(2),
	 .demo = {.entry = make_p}},
	{"a", "1, h", "of a head: multiplies that power", KERPLE_LEAF(1),
	 .demo = {FILL_CONSTANT, 0.5}},
	{"w_a", "1, h",
	 "of a head: multiplies the power of the distance in the factor of the logits",
	 KERPLE_LEAF(1), .when = "weight", .demo = {.entry = make_w_a}},
	{"w_p", "1, h", "of a head: the exponent in that factor", KERPLE_LEAF(2),
	 .when = "weight == ap", .demo = {FILL_CONSTANT, 1}},
	{0},
};

/* ---- hooks ---- */

struct kerple_power_state {
	struct differences d;
	struct node *distance, *logarithm; /* [1, count] */
	struct node *apart; /* 0 at distance 0, where the logarithm is set to 0, else 1 */
	struct node *p, *a, *w_p, *w_a; /* [1,h] */
};

static bool kerple_power_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct kerple_power *k = m->param;
	struct kerple_power_state *state = run_state(run, m, sizeof *state);
	if (!differences_init(&state->d, run, m, true, err))
		return false;
	const struct mat at = state->d.at, logarithm = mat_zero(run->arena, 1, at.rows);
	const struct mat apart = mat_zero(run->arena, 1, at.rows);
	for (size_t i = 0; i < at.rows; i++)
		if (at.at[i] > 0) {
			logarithm.at[i] = log(at.at[i]);
			apart.at[i] = 1;
		}
	state->distance = differences_row(run->tape, &state->d);
	state->logarithm = tape_const(run->tape, logarithm);
	state->apart = tape_const(run->tape, apart);
	state->p = run_leaf(run, m, "p");
	state->a = run_leaf(run, m, "a");
	state->w_a = k->weight >= WEIGHT_A ? run_leaf(run, m, "w_a") : NULL;
	state->w_p = k->weight >= WEIGHT_AP ? run_leaf(run, m, "w_p") : NULL;
	return true;
}

/* Computes |t-s|^p as exp(p ln|t-s|), with 0^p = 0, where p has no gradient. */
static struct node *power(struct head *head, const struct member *m, struct node *p)
{
	struct tape *t = head->tape;
	const struct kerple_power_state *state = head_state(head, m);
	struct node *own = kerple_number(head, m, p, 2);
	return tape_mul(t, tape_exp(t, tape_mul(t, state->logarithm, own)), state->apart);
}

static void add_bias(struct head *head, const struct member *m)
{
	const struct kerple_power_state *state = head_state(head, m);
	struct node *bias = tape_mul(head->tape, power(head, m, state->p),
				     kerple_number(head, m, state->a, HUGE_VAL));
	head_add_indexed(head, "distance", TERM_POSITION, bias, state->d.index, GATHER_SHARED, -1);
}

static bool kerple_power_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct kerple_power_state *state = head_state(head, m);
	if (!state->w_a)
		add_bias(head, m);
	return true;
}

/* The factor multiplies all logits so far, so the bias is added after it. */
static bool kerple_power_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct tape *t = head->tape;
	const struct kerple_power_state *state = head_state(head, m);
	if (!state->w_a)
		return true;
	struct node *grown = state->w_p ? power(head, m, state->w_p) : state->distance;
	struct node *rate = tape_scale(t, kerple_number(head, m, state->w_a, HUGE_VAL), -1);
	struct node *factor = tape_exp(t, tape_mul(t, grown, rate));
	struct node *of_pairs =
		tape_gather(t, factor, head_rows_of_index(head, state->d.index), GATHER_SHARED);
	head->logits = tape_mul(t, head->logits, of_pairs);
	add_bias(head, m);
	return true;
}

/* Without a factor of the logits. */
static bool kerple_power_only_terms(const struct member *m)
{
	const struct kerple_power *k = m->param;
	return k->weight < WEIGHT_A;
}

const struct scheme scheme_kerple_power[] = {
	{
		.id = "kerple_power",
		.aliases = "kerple-power",
		.title = "KERPLE, power",
		.formula = "A_ts = q_t·k_s / √d_h − a |t−s|^p,  a > 0, 0 < p ≤ 2 learned in each "
			   "head",
		KERPLE,
		.about = "Every head learns how its cost bends with the distance: below p = 1 near "
			 "steps count most, above it far ones; p = 1 is ALiBi, its slope learned.",
		.recipe = "with weight=ap the dot product times exp(-w_a |t-s|^w_p), with weight=a "
			  "w_p is 1; then plus -a |t-s|^p, p and a = param.kerple_power.p.L[H] and "
			  "a.L[H], held to least and 2",
		.leaves = kerple_power_leaves,
		.evidence_note = "chijames/KERPLE 25be3d7, ParallelKerplePower, its pos_emb x, a, "
				 "ap; distance 0 above the diagonal, where the mask forbids",
		.demo_note = "p from 1/2 in the first head to 3/2 in the last, a = 1/2; w_a from "
			     "1/4 down to 1/16, w_p = 1",
		.params = kerple_power_params,
		.param_size = sizeof(struct kerple_power),
		.hooks = {.declare = leaves_declare,
			  .relation = encoding_relate_apart,
			  .prepare = kerple_power_prepare,
			  .mask = mask_causal,
			  .logits = kerple_power_logits,
			  .adjust = kerple_power_adjust,
			  .by_rows = true,
			  .only_terms = kerple_power_only_terms,
			  .matrices = 2},
	},
	{0},
};
