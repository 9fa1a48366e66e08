/* stickbreak.c: stick-breaking attention (Tan et al. 2025): nearer keys take their share first.
 *
 *   z_ts = c q_t·k_s,  α_ts = σ(z_ts) Π_{s<r<t} (1 - σ(z_tr))
 *
 * There is no softmax. As ln σ(z) = z - ln(1 + e^z) and ln(1 - σ(z)) = -ln(1 + e^z), the logarithm
 * of a weight is z less a sum that grows with every key on the way:
 *
 *   ln α_ts = z_ts - Σ_{s<=r<t} ln(1 + e^{z_tr})
 *
 * That sum is added as a term, so logits are ln α, and what attention loses by distance is seen. */
#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/mask.h"
#include "scheme/reading.h"

struct stickbreak {
	bool attend_current, remainder;
};

struct stickbreak_state {
	const struct index *sort, *rank; /* [n,n]: columns in reading order and back; or NULL */
};

/* ---- the order of keys ---- */

static long column_of(const void *columns, size_t t, size_t s)
{
	(void)t;
	return ((const int32_t *)columns)[s];
}

/* Keys of one position are taken in the order of rows. */
static bool stickbreak_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct stickbreak_state *state = run_state(run, m, sizeof *state);
	struct reading r;
	if (!reading_of_text(run, m, false, &r, err))
		return false;
	if (r.plain)
		return true;
	state->sort = run_index_places(run, m, "sort", r.n, column_of, r.order, err);
	state->rank = run_index_places(run, m, "rank", r.n, column_of, r.place, err);
	return state->sort != NULL && state->rank != NULL;
}

/* Keys before the query; with attend_current also its own. */
static bool stickbreak_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct stickbreak *p = m->param;
	if (!mask_later(head, m, err))
		return false;
	const size_t n = head->run->n;
	const double *position = run_order(head->run, m, err);
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; !p->attend_current && t < n; t++)
		for (size_t s = 0; s < n; s++)
			if (position[s] >= position[t])
				allowed[t * n + s] = 0;
	return true;
}

/* x where the mask allows, else 0 */
static struct node *where_allowed(struct head *head, struct node *x)
{
	const size_t n = head->run->n;
	const struct mat ones = mat_new(head->tape->arena, n, n);
	for (size_t i = 0; i < n * n; i++)
		ones.at[i] = head->allowed[i];
	head->tape->operations += (double)(n * n) * tape_ops[OP_ADD].cost;
	return tape_mul(head->tape, x, tape_const(head->tape, ones));
}

/* ---- hooks ---- */

static struct node *sum_from_right(struct tape *t, const struct stickbreak_state *state,
				   struct node *x)
{
	if (state->sort == NULL)
		return tape_suffix_sum(t, x);
	struct node *sorted = tape_gather(t, x, state->sort, GATHER_BY_ROW);
	return tape_gather(t, tape_suffix_sum(t, sorted), state->rank, GATHER_BY_ROW);
}

static bool stickbreak_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct tape *t = head->tape;
	struct node *taken = where_allowed(head, tape_softplus(t, head->logits));
	struct node *sum = sum_from_right(t, head_state(head, m), taken);
	head_add_term(head, "broken off", TERM_OTHER, tape_scale(t, sum, -1));
	return true;
}

/* What is not allowed could be too large for exp: it becomes 0 before and after. */
static bool stickbreak_weights(struct head *head, const struct member *m, struct err *err)
{
	(void)m, (void)err;
	struct node *taken = tape_exp(head->tape, where_allowed(head, head->logits));
	head->weights = where_allowed(head, taken);
	return true;
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
	struct node *own = tape_mul(t, head->v, tape_add_scalar(t, left, 1));
	head->context = tape_add(t, head->context, own);
	return true;
}

/* ---- descriptor ---- */

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
		.cite = "Tan, Shen, Yang, Courville, Panda: Stick-breaking attention. ICLR 2025",
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
			  .matrices = 11},
	},
	{0},
};
