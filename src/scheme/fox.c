/* fox.c: the Forgetting Transformer (Lin et al. 2025): every token decides how much of the past it
 * keeps.
 *
 *   f_t = σ(w_f·x_t + b_f),  F_t = Σ_{r<=t} ln f_r,  A_ts = c q_t·k_s + F_t - F_s
 *
 * A gate that does not depend on content is a slope of ALiBi. The term is F_t - F_s for every pair,
 * also above the diagonal, where it is masked.
 *
 * Without the mask, later tokens are forgotten through gates g of their own (x-transformers):
 *
 *   A_ts = c q_t·k_s + F_t - F_s for s <= t,  + G_s - G_t for s > t,  G_t = Σ_{r<=t} ln g_r */
#include <math.h>

#include "posviz/math/machine.h"
#include "scheme/forget.h"
#include "scheme/mask.h"

enum start { START_LINEAR, START_OPEN };
static const char *const start_names[] = {"linear", "open", NULL};

struct fox {
	int start; /* enum start */
	bool causal;
};

/* Sums decrease along the text, so a positive difference belongs to the other direction. */
static struct node *both_ways(struct head *head, struct node *sums)
{
	struct tape *t = head->tape;
	const size_t column = head->run->model->config.heads + head->index;
	struct node *back = tape_slice(t, sums, 0, sums->v.rows, column, 1);
	struct node *past = tape_clip(t, forget_gains(head, sums), -INFINITY, 0);
	struct node *later =
		tape_clip(t, tape_pair_sums(t, back, tape_scale(t, back, -1), -1), -INFINITY, 0);
	return tape_accumulate(t, past, later);
}

static bool declare(struct model *model, const struct member *m, struct err *err)
{
	const struct fox *p = m->param;
	return forget_declare(model, m, p->start == START_OPEN, !p->causal, err);
}

static bool prepare(struct run *run, const struct member *m, struct err *err)
{
	struct node **sums = run_state(run, m, sizeof *sums);
	*sums = forget_sums(run, m, 1, err);
	return *sums != NULL;
}

static bool logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct fox *p = m->param;
	struct node **sums = head_state(head, m);
	head_add_term(head, "forgetting", TERM_OTHER,
		      p->causal ? forget_gains(head, *sums) : both_ways(head, *sums));
	return true;
}

/* Returns the memory of the gains of both directions, and each without the other's half: three
 * more than causal ones. */
static double fox_memory(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds)
{
	(void)kinds;
	const struct fox *p = m->param;
	const double n = (double)in->axis.n;
	const size_t threads = machine_threads(), heads = model->config.heads;
	return p->causal ? 0 : 3 * 8 * n * n * (double)(threads < heads ? threads : heads);
}

static const struct param fox_params[] = {
	CHOICE_PARAM(struct fox, start, START_LINEAR, start_names,
		     "what init=paper draws for b_f: as PyTorch's linear layers do, or 5 (gates of "
		     "0.993)"),
	SWITCH_PARAM(struct fox, causal, true,
		     "on: brings the causal mask; off: gates of their own for what comes later"),
	{0},
};

static const struct leaf_row fox_leaves[] = {
	{"w_f", "d, (2 - causal) h",
	 "from the input to the forget gate of each head; with causal=off behind them those for "
	 "what comes later"},
	{"b_f", "1, (2 - causal) h", "added in the forget gate"},
	{0},
};

const struct scheme scheme_fox[] = {
	{
		.id = "fox",
		.aliases = "forgetting forget-gate data-dependent-alibi",
		.title = "Forgetting Transformer",
		.formula = "A_ts = q_t·k_s / √d_h + Σ_{s<r≤t} ln f_r,  f_r = σ(w·x_r + b)",
		.authors = "Lin et al.",
		.cite = "@lin2025forgetting",
		.recipe = "term.forgetting[t,s] = " FORGET_SUM ", of param.fox.NAME.L; with "
			  "causal=off the sum itself there, of column h + H of h heads for H",
		.about = "Every token says, to each head, how much of the past it lets through. "
			 "Distance is what was forgotten on the way: with gates that do not look "
			 "at the token this is ALiBi.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = fox_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "the reference in fla-org/flash-linear-attention bc3b101; "
				 "x-transformers 9252ed7 agrees, starts with open gates "
				 "(start=open) and has causal=off. Without the paper's output "
				 "gates and norms",
		.demo_note = FORGET_NOTE,
		.numbers_when = "0",
		.params = fox_params,
		.param_size = sizeof(struct fox),
		.hooks = {.declare = declare,
			  .prepare = prepare,
			  .mask = mask_causal,
			  .logits = logits,
			  .memory = fox_memory,
			  .matrices = 1},
	},
	{0},
};
