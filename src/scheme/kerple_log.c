/* kerple_log.c: a penalty that grows with the logarithm of the distance (Chi et al. 2022).
 *
 *   A_ts = c q_t·k_s - p ln(1 + a |t-s|)
 *
 * p, a > 0 are learned in each head. */
#include "scheme/kerple.h"

#include <math.h>

#include "scheme/differences.h"

static const struct param kerple_log_params[] = {KERPLE_PARAMS, {0}};

static double make_p(const struct leaf_maker *of, size_t row, size_t i)
{
	(void)row;
	return exp2(2 - 2 * kerple_from_first(i, of->cols));
}

static const struct leaf_row kerple_log_leaves[] = {
	{"p", "1, h", "of a head: multiplies the logarithm", KERPLE_LEAF(2),
	 .demo = {.entry = make_p}},
	{"a", "1, h", "of a head: multiplies the distance in ln(1 + a |t − s|)", KERPLE_LEAF(1),
	 .demo = {FILL_CONSTANT, 1}},
	{0},
};

struct kerple_log_state {
	struct differences d;
	struct node *distance; /* [1, count] */
	struct node *p, *a;    /* [1,h] */
};

static bool kerple_log_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct kerple_log_state *state = run_state(run, m, sizeof *state);
	if (!differences_init(&state->d, run, m, true, err))
		return false;
	state->distance = differences_row(run->tape, &state->d);
	state->p = run_leaf(run, m, "p");
	state->a = run_leaf(run, m, "a");
	return true;
}

static bool kerple_log_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct tape *t = head->tape;
	const struct kerple_log_state *state = head_state(head, m);
	struct node *a = kerple_number(head, m, state->a, HUGE_VAL);
	struct node *p = kerple_number(head, m, state->p, HUGE_VAL);
	struct node *grown = tape_log(t, tape_add_scalar(t, tape_mul(t, state->distance, a), 1));
	head_add_indexed(head, "distance", TERM_POSITION, tape_mul(t, grown, p), state->d.index,
			 GATHER_SHARED, -1);
	return true;
}

const struct scheme scheme_kerple_log[] = {
	{
		.id = "kerple_log",
		.aliases = "kerple-log kerple",
		.title = "KERPLE, logarithmic",
		.formula = "A_ts = q_t·k_s / √d_h − p ln(1 + a |t−s|),  p, a > 0 learned in each "
			   "head",
		KERPLE,
		.recipe = "term.distance[t,s] = -p ln(1 + a |s - t|), p and a = "
			  "param.kerple_log.p.L[H] and a.L[H], at least `least`",
		.about = "Every head learns how fast it forgets: the cost grows with the logarithm "
			 "of the distance, so a step far away costs less than one nearby.",
		.leaves = kerple_log_leaves,
		.evidence_note = "chijames/KERPLE 25be3d7, ParallelKerpleLog; it takes distance 0 "
				 "above the diagonal, where the mask forbids",
		.demo_note = "p from 1 in the first head to 4 in the last, a = 1",
		.params = kerple_log_params,
		.param_size = sizeof(struct kerple),
		.hooks = {.declare = leaves_declare,
			  .relation = encoding_relate_apart,
			  .prepare = kerple_log_prepare,
			  .mask = mask_causal,
			  .logits = kerple_log_logits},
	},
	{0},
};
