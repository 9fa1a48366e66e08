/* rel_proj.c: a bias by distance that every token mixes for itself (x-transformers).
 *
 *   A_ts = c q_t·k_s + Σ_b w_b(x_t) B[b][t-s],  0 where t-s < 0 or t-s >= distances
 *
 * A bank B of few functions of the distance serves all heads of a layer; a linear map of the
 * query token, w = x_t·W + b, gives the factor of each function in a head. */
#include <math.h>

#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

struct rel_proj {
	long basis, distances;
	bool causal;
};

struct rel_proj_state {
	const struct index *index; /* [n,n]: t-s, or -1 */
	struct node *shares;	   /* w of all tokens [n, h·basis] */
	struct node *bank;	   /* [basis, distances] */
};

static size_t distances_of(const struct rel_proj *p, const struct model_config *config)
{
	return p->distances > 0 ? (size_t)p->distances : config->t_max;
}

/* Head i uses function i of the bank, and heads beyond the last function begin again. */
static double make_shares(const struct leaf_maker *of, size_t row, size_t i)
{
	(void)row;
	const size_t basis = (size_t)((const struct rel_proj *)of->m->param)->basis;
	return i % basis == i / basis % basis;
}

static double make_bank(const struct leaf_maker *of, size_t b, size_t i)
{
	(void)of;
	return 2 * exp(-(double)i / (double)(2 << b % 6));
}

static struct encoding encoding_of(const struct run *run, const struct member *m)
{
	return encoding_past((long)distances_of(m->param, &run->model->config));
}

static bool rel_proj_relation(struct run *run, const struct member *m, struct relation *out,
			      struct err *err)
{
	const struct encoding e = encoding_of(run, m);
	return encoding_relation(run, m, &e, out, err);
}

static bool rel_proj_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct tape *t = run->tape;
	struct rel_proj_state *state = run_state(run, m, sizeof *state);
	const struct encoding e = encoding_of(run, m);
	struct node *x = run_sum_parts(run, &run->x);
	state->index = encoding_index(run, m, &e, err);
	state->shares = tape_add(t, tape_matmul(t, x, false, run_leaf(run, m, "w"), false, 1),
				 run_leaf(run, m, "b"));
	state->bank = run_leaf(run, m, "bank");
	return state->index != NULL;
}

static bool rel_proj_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct rel_proj *p = m->param;
	const struct rel_proj_state *state = head_state(head, m);
	struct node *shares = head_slice(head, state->shares, (size_t)p->basis);
	struct node *table = tape_matmul(head->tape, shares, false, state->bank, false, 1);
	head_add_indexed(head, "w·bank", TERM_OTHER, table, state->index, GATHER_BY_ROW, 1);
	return true;
}

/* Distances beyond the bank are equivalent. */
static double rel_proj_reach(const void *param, const struct model_config *config)
{
	const size_t known = distances_of(param, config);
	return fmin((double)known, (double)config->t_max) - 1;
}

static const struct param rel_proj_params[] = {
	RATIO_PARAM(struct rel_proj, basis, 16, 1, 256, 2, "functions of the distance in the bank"),
	NUMBER_PARAM(struct rel_proj, distances, 0, 0, 4096, 16,
		     "distances t−s in the bank, from 0: the bias beyond is 0; 0: as many as "
		     "t-max"),
	SWITCH_PARAM(struct rel_proj, causal, true,
		     "on: brings the causal mask; off: all pairs, and keys after the query get no "
		     "bias"),
	{0},
};

static const struct leaf_row rel_proj_leaves[] = {
	/* A vector of ones gives 0: the probe shows the effect of b. */
	{"w", "d, basis h", "from the input to the shares of the bank's functions, head by head",
	 .by_layer = EACH_LAYER, .demo = {FILL_BALANCED, .formula = "1 / sqrt(d)"},
	 .paper = LINEAR_INIT("d")},
	{"b", "1, basis h", "added to these shares", .by_layer = EACH_LAYER,
	 .demo = {.entry = make_shares}, .paper = LINEAR_INIT("d")},
	{"bank", "basis, (distances ? distances : t_max)",
	 "row b, column t − s: function b of the bank at that distance", .by_layer = EACH_LAYER,
	 .demo = {.entry = make_bank}, .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_rel_proj[] = {
	{
		.id = "rel_proj",
		.aliases = "relative-projection distance-bank",
		.title = "Projected relative bias",
		.formula = "A_ts = q_t·k_s / √d_h + Σ_b w_b(x_t) B_{b,t−s},  w(x) = x W + b",
		.authors = "x-transformers",
		.cite = "@wang2026xtransformers, RelativeProjPositionalBias",
		.recipe = "term.w·bank[t,s] = the sum over i < basis of (input[t] @ w + b)[H * "
			  "basis + i] * bank[i, t - s], of param.rel_proj.NAME.L, t and s in the "
			  "member's column; 0 where t - s is below 0 or not below distances (t_max "
			  "with distances=0)",
		.about = "A few learned functions of the distance serve all heads, and every token "
			 "says how much of each it takes: one word can look at its neighbours, "
			 "another far back.",
		.year = 2026,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = rel_proj_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "x-transformers 9252ed7, whose bank has 1024 distances and which "
				 "names the Inkling model of Thinking Machines as the source; no "
				 "paper was found",
		.demo_note = "b: head i takes function i of the bank, 2 exp(−(t−s)/w) with w = 2, "
			     "4, … 64 in turn; W normal of variance 1/d less the mean of its "
			     "column",
		.params = rel_proj_params,
		.param_size = sizeof(struct rel_proj),
		.reach = rel_proj_reach,
		.hooks = {.declare = leaves_declare,
			  .relation = rel_proj_relation,
			  .prepare = rel_proj_prepare,
			  .mask = mask_causal,
			  .logits = rel_proj_logits,
			  .matrices = 1},
	},
	{0},
};
