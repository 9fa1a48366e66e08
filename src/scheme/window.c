/* window.c: sliding-window attention with dilation and global tokens (Beltagy et al. 2020).
 *
 *   A_ts = -∞ unless t - s = kδ with |k| <= w/2, or t or s is global
 *   A_ts = -∞ unless t - s = kδ with 0 <= k < keys, or t or s is global and s <= t
 *
 * The second is a decoder's window as its settings count it (Mistral's sliding_window): the
 * query is one of the keys. There is no other position information. Projections of global tokens
 * are more than a mask. */
#include <math.h>

#include "scheme/global_rows.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

enum { WIDTH = 4 }; /* the default */

struct window {
	long width, keys, dilation;
	struct value_list global;
	bool projections;
};

static bool window_check(const void *param, struct err *err)
{
	const struct window *p = param;
	if (p->width % 2 != 0)
		return err_set(err,
			       "width: %ld; half is on each side: it must be even; a decoder's "
			       "window of that many keys is keys=%ld",
			       p->width, p->width);
	if (p->keys > 0 && p->width != WIDTH)
		return err_set(err, "width and keys: %ld and %ld; one of them says how many",
			       p->width, p->keys);
	if (p->projections && p->global.n == 0)
		return err_set(err,
			       "projections=on is for global tokens; write their positions, as "
			       "global=[1]");
	return true;
}

/* The parameter counts from 1, positions from 0. */
static bool is_global(const struct window *p, double position)
{
	for (size_t i = 0; i < p->global.n; i++)
		if (fabs(p->global.at[i] - 1 - position) < 0.5)
			return true;
	return false;
}

static bool sees(const struct window *p, double behind)
{
	const double gap = (double)p->dilation;
	if (p->keys > 0 ? behind >= (double)p->keys * gap
			: fabs(behind) > (double)p->width / 2 * gap)
		return false;
	return p->dilation == 1 || fabs(remainder(behind, gap)) < 1e-9;
}

static bool window_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct window *p = m->param;
	const struct run *run = head->run;
	const size_t n = run->n;
	const double *position = run_order(run, m, err);
	if (!position)
		return false;
	bool *global = arena_calloc(run->arena, n, sizeof *global);
	for (size_t t = 0; t < n; t++)
		global[t] = is_global(p, position[t]);
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const double behind = position[t] - position[s];
			const bool near = global[t] || global[s] || sees(p, behind);
			if (!near || (p->keys > 0 && behind < 0))
				allowed[t * n + s] = 0;
		}
	return true;
}

/* Keys between those of a dilated window are hidden, and global tokens are seen from everywhere. */
static bool window_interval(const void *param, double query, double *first, double *last)
{
	const struct window *p = param;
	if (p->dilation != 1 || p->global.n > 0)
		return false;
	const bool decoder = p->keys > 0;
	const double behind = decoder ? (double)p->keys - 1 : (double)p->width / 2;
	*first = fmax(*first, query - behind);
	*last = fmin(*last, decoder ? query : query + behind);
	return true;
}

static bool window_only_mask(const struct member *m)
{
	const struct window *p = m->param;
	return !p->projections;
}

static bool window_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct window *p = m->param;
	struct global_rows *state = run_state(run, m, sizeof *state);
	const double *position = run_order(run, m, err);
	if (!position)
		return false;
	bool *global = arena_calloc(run->arena, run->n, sizeof *global);
	for (size_t t = 0; t < run->n; t++)
		global[t] = p->projections && is_global(p, position[t]);
	global_rows_init(state, run, m, global);
	return true;
}

static const struct param window_params[] = {
	NUMBER_PARAM(struct window, width, WIDTH, 0, 65536, 2,
		     "keys that a query sees beside itself, half on each side; Longformer has 512"),
	NUMBER_PARAM(struct window, keys, 0, 1, 1e9, 1,
		     "of a decoder: keys that a query sees, itself the last, as sliding_window "
		     "counts: width=2(keys-1) with causal; off: width counts",
		     .type.zero = "off"),
	NUMBER_PARAM(struct window, dilation, 1, 1, 4096, 1,
		     "sees every so many of the keys, and as many times farther; 1: all"),
	LIST_PARAM(struct window, global, "[]", 1, 1e6,
		   "positions, from 1, of tokens that see all and are seen by all, as [1]"),
	SWITCH_PARAM(struct window, projections, false,
		     "rows of global tokens have queries, keys and values of their own"),
	{0},
};

static const struct claim window_claims[] = {
	{CLAIM_RECURRING, ANSWER_UNSAID,
	 "in every layer, but the inputs that are measured lie within its width",
	 "keys == 0 && width dilation > 16"},
	{CLAIM_RELATIVE, ANSWER_NO,
	 "the mask goes by distance, the logits before it know nothing of positions"},
	{0},
};

static const struct leaf_row window_leaves[] = {GLOBAL_ROWS_LEAVES, {0}};

const struct scheme scheme_window[] = {
	{
		.id = "window",
		.aliases = "sliding-window local-attention",
		.title = "Sliding window",
		.formula = "A_ts = −∞ unless t − s = kδ with |k| ≤ w/2, or t or s is global; with "
			   "keys 0 ≤ k < keys",
		.authors = "Beltagy et al.",
		.cite = "@beltagy2020longformer",
		.about = "A query sees a band of keys around itself, so the cost grows with the "
			 "length and not with its square; chosen tokens see everything. Layer upon "
			 "layer the view widens by half a window.",
		.recipe = "with projections=on the rows of global tokens have context = weights @ "
			  "(input @ param.window.w_vg.LAYER)[columns of head]; their logits are c "
			  "* (input @ w_qg) @ (input @ w_kg).T",
		.year = 2020,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.leaves = window_leaves,
		.flags = SCHEME_MASK | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "huggingface/transformers c85510f, modeling_longformer.py: band "
				 "and, to 1.3e-15, global tokens; dilation: section 3 of the paper",
		.demo_note = "projections are drawn as W_q, W_k and W_v of proj=random",
		.claims = window_claims,
		.causal_when = "keys > 0",
		.numbers_when = "0",
		.params = window_params,
		.param_size = sizeof(struct window),
		.check = window_check,
		.hooks = {.declare = leaves_declare,
			  .prepare = window_prepare,
			  .mask = window_mask,
			  .interval = window_interval,
			  .logits = global_rows_logits,
			  .values = global_rows_values,
			  .only_mask = window_only_mask,
			  .matrices = 1},
		.reach = mask_reach,
	},
	{0},
};
