/* xlpe.c: two positions for a word: its own, and the one it has in the sentence re-ordered like
 * another language (Ding, Wang and Tao 2020).
 *
 *   inxl    P_t = tanh(S_t A + S_{o(t)} B), added to the token vectors
 *   headxl  some heads read U + S_{o(t)}, the others U + S_t
 *
 * S are sinusoids. A re-ordering by swapping neighbours, as a bracketing transduction grammar
 * makes it, is a separable permutation; others are mentioned in a note, or refused. */
#include <math.h>

#include "scheme/leaves.h"
#include "scheme/reordered.h"
#include "scheme/sinusoid.h"

enum strategy { STRATEGY_INXL, STRATEGY_HEADXL };
static const char *const strategy_names[] = {"inxl", "headxl", NULL};

enum crossing { CROSSING_WARN, CROSSING_ERROR };
static const char *const crossing_names[] = {"warn", "error", NULL};

struct xlpe {
	struct sinusoid_param sinusoid;
	int strategy, crossing;
	long tau;
};

static const struct param xlpe_params[] = {
	CHOICE_PARAM(struct xlpe, strategy, STRATEGY_INXL, strategy_names,
		     "inxl: both positions in one vector at the input; headxl: each has its own "
		     "heads"),
	NUMBER_PARAM(struct xlpe, tau, 0, 0, MODEL_MAX_HEADS, 1,
		     "headxl: how many heads, from the first, read the new order; 0: half of them"),
	CHOICE_PARAM(struct xlpe, crossing, CROSSING_WARN, crossing_names,
		     "what a re-ordering that swapping neighbours cannot make is met with"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

static bool xlpe_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct xlpe *p = m->param;
	if (p->strategy == STRATEGY_HEADXL && p->tau > (long)model->config.heads)
		return err_set(err, "%s: tau=%ld, but there are %zu heads", m->text, p->tau,
			       model->config.heads);
	return leaves_declare(model, m, err);
}

/* Finds the re-ordering; crossing: the remark about it, or NULL. */
static bool find_order(struct run *run, const struct member *m, struct reordered *r,
		       const char **crossing, struct err *err)
{
	const struct xlpe *p = m->param;
	if (!reordered_given(run, m, r, err))
		return false;
	*crossing = r->given ? reordered_crossing(run, r)
			     : "no re-ordering is given: o(t) = t; --reorder gives one";
	return !r->given || !*crossing || p->crossing == CROSSING_WARN ||
	       err_set(err, "%s: %s", m->text, *crossing);
}

static bool xlpe_relation(struct run *run, const struct member *m, struct relation *out,
			  struct err *err)
{
	struct reordered r;
	const char *note;
	if (!find_order(run, m, &r, &note, err))
		return false;
	reordered_relation(&r, run->arena, out);
	out->note = note;
	return true;
}

struct xlpe_state {
	struct node *moved; /* S_{o(t)} - S_t; NULL if nothing has moved */
	size_t step;	    /* the next one */
};

static bool xlpe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct xlpe *p = m->param;
	struct tape *t = run->tape;
	struct reordered r;
	const char *note;
	struct node *own = run_cached(run, m, "table", false, sinusoid_table, err);
	if (!own || !find_order(run, m, &r, &note, err))
		return false;
	if (note)
		run_note(run, m, note);
	struct node *other = reordered_rows(t, &r, own);
	if (p->strategy == STRATEGY_HEADXL) {
		struct xlpe_state *state = run_state(run, m, sizeof *state);
		state->moved = r.plain ? NULL : tape_sub(t, other, own);
		state->step = run->step_index;
		run_add_part(run, "position", own);
		return true;
	}
	struct node *both = tape_add(t, tape_matmul(t, own, false, run_leaf(run, m, "a"), false, 1),
				     tape_matmul(t, other, false, run_leaf(run, m, "b"), false, 1));
	run_add_part(run, "position", tape_tanh(t, both));
	return true;
}

/* Returns ones in the columns, `width` of each head, of the heads that read the new order. */
static struct node *chosen_columns(struct run *run, const struct member *m, size_t width)
{
	const struct xlpe *p = m->param;
	const struct model *model = run->model;
	const size_t heads = model->config.heads, half = heads > 1 ? heads / 2 : 1;
	const size_t tau = p->tau > 0 ? (size_t)p->tau : half;
	const struct mat out = mat_zero(run->arena, 1, heads * width);
	for (size_t j = 0; j < tau * width; j++)
		out.at[j] = 1;
	return tape_const(run->tape, out);
}

static void add_moved(struct run *run, struct node **bias, struct node *moved, struct node *chosen,
		      const char *weight)
{
	struct tape *t = run->tape;
	struct node *more = tape_matmul(t, moved, false, run_weight(run, weight), false, 1);
	more = tape_mul(t, more, chosen);
	*bias = *bias ? tape_add(t, *bias, more) : more;
}

/* (U + S_t) W + (S_{o(t)} - S_t) W: the tokens and, in the columns of some heads, the new order. */
static bool xlpe_project(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct xlpe *p = m->param;
	const struct xlpe_state *state = run_kept(run, m);
	if (p->strategy != STRATEGY_HEADXL || !state || !state->moved ||
	    state->step != run->step_index)
		return true;
	struct node *chosen = chosen_columns(run, m, run->model->dk);
	struct node *values = chosen_columns(run, m, run->model->dv);
	add_moved(run, &run->q_bias, state->moved, chosen, "w_q");
	add_moved(run, &run->k_bias, state->moved, chosen, "w_k");
	add_moved(run, &run->v_bias, state->moved, values, "w_v");
	return true;
}

static const struct claim xlpe_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "A and B are inxl's; headxl has nothing to learn",
	 "strategy == headxl"},
	{0},
};

static const struct leaf_row xlpe_leaves[] = {
	{"a", "d, d", "from the sinusoid of the own position to the position vector",
	 .by_layer = ALL_LAYERS, .when = "strategy == inxl", .demo = {FILL_DIAGONAL, 0.5},
	 .paper = {FILL_XAVIER, 1}},
	{"b", "d, d", "from the sinusoid of the position in the re-ordered sentence to it",
	 .by_layer = ALL_LAYERS, .when = "strategy == inxl", .demo = {FILL_DIAGONAL, 0.5},
	 .paper = {FILL_XAVIER, 1}},
	{0},
};

const struct scheme scheme_xlpe[] = {
	{
		.id = "xlpe",
		.aliases = "xl-pe cross-lingual ding",
		.title = "Cross-lingual position representation",
		.formula = "X_t = U_t + tanh(S_t A + S_{o(t)} B),  S_t = [sin(t ω_i), cos(t ω_i)]",
		.authors = "Ding et al.",
		.cite = "@ding2020crosslingual",
		.recipe = "with strategy=headxl the first tau heads (0: half) of layer 1 take q, k "
			  "and v from input + S[o(t)] - S[t]",
		.about =
			"A word has two positions: its own, and the one it has after the sentence "
			"was re-ordered like the target language; --reorder gives it, as positions "
			"or as brackets, [a <b c>]. Both go into one vector (inxl), or to "
			"different heads (headxl).",
		.year = 2020,
		.topic = TOPIC_CROSS,
		.table2 = TABLE2_CROSSLINGUAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = xlpe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_OURS,
		.evidence_note = "the paper's abstract names both strategies; the formulas here "
				 "are ours, as are half of the heads; no code found",
		.demo_note = "A = B = I/2: the mean of both sinusoids, through tanh",
		.claims = xlpe_claims,
		.sample = "reorder 2 4 1 3 6 5 8 7",
		.params = xlpe_params,
		.param_size = sizeof(struct xlpe),
		.hooks = {.reads_weights = true,
			  .declare = xlpe_declare,
			  .relation = xlpe_relation,
			  .embed = xlpe_embed,
			  .project = xlpe_project},
	},
	{0},
};
