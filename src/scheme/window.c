/* window.c: sliding-window attention with dilation and global tokens (Beltagy et al. 2020).
 *
 * A mask: a query sees the keys up to half the width away, of which dilation leaves every so many;
 * a global token sees all and is seen by all. Nothing else says where anything is. Longformer gives
 * the rows of global tokens projections of their own, which is more than a mask, and an option. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/leaves.h"
#include "scheme/mask.h"

struct window {
	long width, dilation;
	struct param_list global;
	bool projections;
};

/* With projections: the rows of the global tokens, computed anew. */
struct window_state {
	size_t g;		/* how many of them are in the input */
	int32_t *rows;		/* [g] */
	struct node *spread;	/* [n,g]: 1 where unit t is the j-th of them */
	struct node *q, *k, *v; /* [g,d], [n,d], [n,d] */
};

static bool window_check(const void *param, struct err *err)
{
	const struct window *p = param;
	if (p->width % 2 != 0)
		return err_set(err, "width: %ld; it must be even, half of it on each side",
			       p->width);
	if (p->projections && p->global.n == 0)
		return err_set(err, "projections=on is for global tokens, and global is empty; "
				    "write their places, as global=[1]");
	return true;
}

/* Places count from 1, positions from 0. */
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
	if (fabs(behind) > (double)p->width / 2 * gap)
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
			if (!near)
				allowed[t * n + s] = 0;
		}
	return true;
}

static bool window_only_mask(const struct member *m)
{
	const struct window *p = m->param;
	return !p->projections;
}

/* ---- projections of global tokens ---- */

static void make_queries(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, of->model->gain * (1 / sqrt((double)at.rows)), of->rng);
}

static struct node *projected(struct run *run, const struct member *m, const struct parts *x,
			      const char *weight)
{
	return tape_matmul(run->tape, run_sum_parts(run, x), false, run_leaf(run, m, weight), false,
			   1);
}

static bool window_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct window *p = m->param;
	struct window_state *state = run_state(run, m, sizeof *state);
	if (!p->projections)
		return true;
	const double *position = run_order(run, m, err);
	if (!position)
		return false;
	state->rows = arena_calloc(run->arena, run->n, sizeof *state->rows);
	for (size_t t = 0; t < run->n; t++)
		if (is_global(p, position[t]))
			state->rows[state->g++] = (int32_t)t;
	if (state->g == 0)
		return true;
	const struct mat spread = mat_zero(run->arena, run->n, state->g);
	for (size_t j = 0; j < state->g; j++)
		mat_row(spread, (size_t)state->rows[j])[j] = 1;
	state->spread = tape_const(run->tape, spread);
	state->q = tape_gather_rows(run->tape, projected(run, m, &run->xq, "w_qg"), state->rows,
				    state->g);
	state->k = projected(run, m, &run->xk, "w_kg");
	state->v = projected(run, m, &run->xv, "w_vg");
	return true;
}

/* The rows of global tokens: their own product in place of q·k. [g,n] spread to [n,n] */
static bool window_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct window_state *state = head_state(head, m);
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	const double c = head_scale(head);
	if (state->g == 0)
		return true;
	struct node *own = tape_matmul(t, head_slice(head, state->q, dk), false,
				       head_slice(head, state->k, dk), true, c);
	struct node *plain = tape_matmul(t, tape_gather_rows(t, head->q, state->rows, state->g),
					 false, head->k, true, c);
	struct node *change = tape_sub(t, own, plain);
	head_add_term(head, "global", TERM_OTHER,
		      tape_matmul(t, state->spread, false, change, false, 1));
	return true;
}

static bool window_values(struct head *head, const struct member *m, struct err *err)
{
	const struct window_state *state = head_state(head, m);
	struct tape *t = head->tape;
	if (state->g == 0)
		return true;
	if (!head_needs_one_plane(head, m, "set projections=off", err))
		return false;
	struct node *v = tape_sub(t, head_slice(head, state->v, head->run->model->dk), head->v);
	struct node *weights = tape_gather_rows(t, head->weights, state->rows, state->g);
	struct node *change = tape_matmul(t, weights, false, v, false, 1);
	head->context = tape_accumulate(t, head->context,
					tape_matmul(t, state->spread, false, change, false, 1));
	return true;
}

/* ---- descriptor ---- */

static const struct param window_params[] = {
	NUMBER_PARAM(struct window, width, 4, 0, 65536, 2,
		     "keys that a query sees beside itself, half on each side; Longformer has 512"),
	NUMBER_PARAM(struct window, dilation, 1, 1, 4096, 1,
		     "sees every so many of the keys, and as many times farther; 1: all"),
	LIST_PARAM(struct window, global, "[]", 1, 1e6,
		   "places, from 1, of tokens that see all and are seen by all, as [1]"),
	SWITCH_PARAM(struct window, projections, false,
		     "rows of global tokens have queries, keys and values of their own"),
	{0},
};

static const struct claim window_claims[] = {
	{CLAIM_RECURRING, ANSWER_UNSAID,
	 "in every layer, but the inputs that are measured lie within its width",
	 "width dilation > 16"},
	{CLAIM_RELATIVE, ANSWER_NO,
	 "the mask goes by distance, the logits before it know nothing of positions"},
	{0},
};

static const struct leaf_row window_leaves[] = {
	{"w_qg", "d, d", "queries of global tokens", .by_layer = EACH_LAYER, .when = "projections",
	 .demo = {.make = make_queries}, .paper = {FILL_NORMAL, 0.02}},
	{"w_kg", "d, d", "keys that global tokens see", .by_layer = EACH_LAYER,
	 .when = "projections", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"},
	 .paper = {FILL_NORMAL, 0.02}},
	{"w_vg", "d, d", "values that global tokens see", .by_layer = EACH_LAYER,
	 .when = "projections", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"},
	 .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_window[] = {
	{
		.id = "window",
		.aliases = "sliding-window",
		.title = "Sliding window",
		.formula = "A_ts = −∞ unless t − s = kδ with |k| ≤ w/2, or t or s is global",
		.authors = "Beltagy et al.",
		.cite = "Beltagy, Peters, Cohan: Longformer: the long-document Transformer. arXiv "
			"2004.05150, 2020",
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
		.evidence_note = "huggingface/transformers c85510f, modeling_longformer.py, for "
				 "the band and, to 1.3e-15, for global tokens; dilation "
				 "from the paper, section 3",
		.demo_note =
			"with projections=on they are drawn as W_q, W_k and W_v of proj=random",
		.claims = window_claims,
		.numbers_when = "0",
		.params = window_params,
		.param_size = sizeof(struct window),
		.check = window_check,
		.hooks = {.declare = leaves_declare,
			  .prepare = window_prepare,
			  .mask = window_mask,
			  .logits = window_logits,
			  .values = window_values,
			  .only_mask = window_only_mask,
			  .matrices = 1},
		.reach = mask_reach,
	},
	{0},
};
