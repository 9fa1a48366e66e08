/* stickbreak.c: stick-breaking attention (Tan et al. 2025): nearer keys take their share first.
 *
 *   z_ts = c q_t·k_s,  α_ts = σ(z_ts) Π_{s<r<t} (1 - σ(z_tr))
 *
 * There is no softmax. As ln σ(z) = z - ln(1 + e^z) and ln(1 - σ(z)) = -ln(1 + e^z), the logarithm
 * of a weight is z minus a sum that grows with every key in between:
 *
 *   ln α_ts = z_ts - Σ_{s<=r<t} ln(1 + e^{z_tr})
 *
 * That sum is added as a term, so logits are ln α, and the loss of attention with distance is
 * visible. */
#include "scheme/mask.h"
#include "scheme/reading.h"

struct stickbreak {
	bool attend_current, remainder;
};

/* Keys at the same position are taken in the order of rows. */
static bool stickbreak_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct reading_sums *sums = run_state(run, m, sizeof *sums);
	return reading_sums_init(sums, run, m, false, err);
}

/* Allows keys before the query; with attend_current also the query's own. */
static bool stickbreak_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct stickbreak *p = m->param;
	return mask_others(head, m, p->attend_current ? MASK_BEFORE | MASK_SAME : MASK_BEFORE, err);
}

static bool stickbreak_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct tape *t = head->tape;
	struct node *taken = mask_where_allowed(head, tape_softplus(t, head->logits), true);
	struct node *sum = reading_sum_from(head, head_state(head, m), taken);
	head_add_term(head, "broken off", TERM_OTHER, tape_scale(t, sum, -1));
	return true;
}

/* Masked logits may be too large for exp: they are set to 0 before and after it. */
static bool stickbreak_weights(struct head *head, const struct member *m, struct err *err)
{
	(void)m, (void)err;
	struct tape *t = head->tape;
	struct node *taken =
		tape_unary(t, OP_EXP, mask_where_allowed(head, head->logits, false), true);
	head->weights = mask_where_allowed(head, taken, true);
	return true;
}

/* Returns a matrix with 1 + left[t] at the key of the query itself, 0 elsewhere. */
static struct node *on_diagonal(struct head *head, const struct node *left)
{
	const struct mat out =
		mat_zero(head->tape->arena, head->weights->v.rows, head->weights->v.cols);
	for (size_t t = 0; t < out.rows; t++)
		mat_row(out, t)[t] = 1 + mat_row(left->v, t)[0];
	return tape_const(head->tape, out);
}

/* o_t = Σ α_ts v_s + (1 - Σ α_ts) v_t */
static bool stickbreak_values(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct stickbreak *p = m->param;
	struct tape *t = head->tape;
	if (!p->remainder || head->context == NULL)
		return true;
	struct node *left = tape_scale(t, tape_row_sum(t, head->weights), -1);
	struct node *own = tape_mul(t, head_rows(head, head->v), tape_add_scalar(t, left, 1));
	const struct from_keys from = {.vectors = head->parted ? head->v : NULL,
				       .by = head->parted ? on_diagonal(head, left) : NULL};
	head_add_values(head, "remainder", own, &from);
	return true;
}

static const struct param stickbreak_params[] = {
	SWITCH_PARAM(struct stickbreak, attend_current, false,
		     "a query may take from its own key too, first of all"),
	SWITCH_PARAM(struct stickbreak, remainder, false,
		     "what is left of the stick goes to the query's own value"),
	{0},
};

const struct scheme scheme_stickbreak[] = {
	{
		.id = "stickbreak",
		.aliases = "stick-breaking",
		.title = "Stick-breaking attention",
		.formula = "α_ts = σ(z_ts) Π_{s<r<t} (1 − σ(z_tr)),  z_ts = q_t·k_s / √d_h",
		.authors = "Tan et al.",
		.cite = "@tan2025scaling",
		.recipe = "the term \"broken off\" is minus the sum, over the allowed keys r from "
			  "s on, of ln(1 + exp(z[t,r])), z being the logits before it; weights = "
			  "exp(logits) where allowed, no softmax; with remainder=on context[t] "
			  "also has (1 - the row's sum) times v[t]",
		.about = "There is no softmax: from the nearest key back, each takes its share of "
			 "what the nearer ones left of a stick. So recency needs no distances, "
			 "rows may sum to less than 1, and the first query sees nothing.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.rows = ROWS_SUB_STOCHASTIC,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "shawntan/stickbreaking-attention 3147a38, its reference and "
				 "tests; that logits are shown as ln α is ours",
		.numbers_when = "0",
		.params = stickbreak_params,
		.param_size = sizeof(struct stickbreak),
		.hooks = {.prepare = stickbreak_prepare,
			  .mask = stickbreak_mask,
			  .adjust = stickbreak_adjust,
			  .weights = stickbreak_weights,
			  .values = stickbreak_values,
			  .by_rows = true,
			  .matrices = 11},
	},
	{0},
};
