/* cope.c: contextual positions (Golovneva et al. 2024): the query decides which tokens count as a
 * step.
 *
 *   z_ts = c q_t·k_s,  g_ts = σ(z_ts),  p_ts = Σ_{s<=r<=t} g_tr clamped to p_max - 1,
 *   A_ts = z_ts + (1-w) q_t·e[⌊p⌋] + w q_t·e[⌈p⌉],  w = p - ⌊p⌋
 *
 * z is the logits as they are when the stage is reached. The member's column defines which
 * tokens lie between s and t; if it differs from the order of the tokens, gates are sorted and
 * sums put back. */
#include <math.h>

#include "scheme/leaves.h"
#include "scheme/mask.h"
#include "scheme/reading.h"

struct cope {
	long p_max;
};

struct cope_state {
	struct reading_sums order;
	struct node *e; /* [p_max, dk] */
};

/* c q·e[p] of a query of ones with content's gain is -content/2 · log(1 + p). */
static double make_recency(const struct leaf_maker *of, size_t p, size_t j)
{
	(void)j;
	return -of->model->c / 2 * log1p((double)p);
}

static bool cope_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct cope_state *state = run_state(run, m, sizeof *state);
	state->e = run_leaf(run, m, "e");
	return reading_sums_init(&state->order, run, m, true, err);
}

/* The position term is not scaled by c. Interpolating between the rows of e clamps p to p_max -
 * 1. */
static bool cope_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct cope_state *state = head_state(head, m);
	struct tape *t = head->tape;
	struct node *gates = mask_where_allowed(head, tape_sigmoid(t, head->logits), true);
	struct node *steps = reading_sum_from(head, &state->order, gates);
	struct node *table = tape_matmul(t, head->q_raw, false, state->e, true, 1);
	head_add_term(head, "query–e", TERM_OTHER, tape_gather_interp(t, table, steps));
	return true;
}

/* The hook adjust only adds, although it also reads the logits so far. */
static bool cope_only_terms(const struct member *m)
{
	(void)m;
	return true;
}

static const struct param cope_params[] = {
	RATIO_PARAM(struct cope, p_max, 64, 1, 4096, 2,
		    "positions that have a vector, from 0; counts beyond the last are clamped"),
	{0},
};

#define ONE_VECTOR "all counts have one vector, so none is told"

static const struct claim cope_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, ONE_VECTOR, "p_max == 1"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, ONE_VECTOR, "p_max == 1"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "bounded at p_max, and no count comes so far in what is measured", "p_max > 200"},
	{0},
};

static const struct leaf_row cope_leaves[] = {
	{"e", "p_max, d_h", "row p: multiplied by the query at contextual position p",
	 .by_layer = EACH_LAYER, .demo = {.entry = make_recency}, .paper = {FILL_CONSTANT}},
	{0},
};

const struct scheme scheme_cope[] = {
	{
		.id = "cope",
		.aliases = "contextual",
		.title = "Contextual position encoding",
		.formula = "A_ts = q_t·k_s / √d_h + q_t·e[p_{ts}],  p_{ts} = Σ_{s≤r≤t} σ(q_t·k_r / "
			   "√d_h)",
		.authors = "Golovneva et al.",
		.cite = "@golovneva2024contextual",
		.recipe = "term.query–e = q_raw[t] . e[p], between whole numbers linear in p, "
			  "p[t,s] = the sum of sigmoid(the other terms[t,r]) over the allowed keys "
			  "r from s on, at most rows of e - 1, e = param.cope.e.L",
		.about = "Distance is counted by gates: a key adds to the count as far as the "
			 "query attends to it, so one head can count words and another sentences.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = cope_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "x-transformers 9252ed7; the listing of the paper, appendix B, "
				 "agrees",
		.demo_note = "e[p] = −c log(1 + p) / 2 in every component, c the factor of q·k: "
			     "the query of ones prefers what few steps part from it",
		.claims = cope_claims,
		.numbers_when = "0",
		.params = cope_params,
		.param_size = sizeof(struct cope),
		.hooks = {.declare = leaves_declare,
			  .prepare = cope_prepare,
			  .mask = mask_later,
			  .adjust = cope_adjust,
			  .only_terms = cope_only_terms,
			  .by_rows = true,
			  .matrices = 5},
	},
	{0},
};
