/* cable.c: context-aware biases (Veisi et al. 2025): every token adds a step of its own to the
 * distance.
 *
 *   A_ts = c q_t·k_s - Σ_{s<r<=t} softplus(w·x_r + b)
 *
 * As -softplus(u) = ln σ(-u), these are the forget gates of fox with w and b negated. Steps that do
 * not depend on content are a slope of ALiBi, softplus(b). The released code divides q and k by a
 * root that is 1, so products are not scaled: c = 1. */
#include <math.h>

#include "scheme/forget.h"
#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

enum scale { SCALE_NONE, SCALE_RSQRT };
static const char *const scale_names[] = {"none", "rsqrt", NULL};

struct cable {
	int scale; /* enum scale */
};

/* A step as steep as the slopes of T5's demonstration: 1/2 in the first head, 1/16 in the last. */
static double make_step(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	return log(expm1(inject_slope(col, of->cols, -1)));
}

static double cable_scale(const struct model *model, const struct member *m)
{
	const struct cable *p = m->param;
	return p->scale == SCALE_RSQRT ? 1 / sqrt((double)model->dk) : 1;
}

static bool cable_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct node **sums = run_state(run, m, sizeof *sums);
	*sums = forget_sums(run, m, -1, err);
	return *sums != NULL;
}

static bool cable_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct node **sums = head_state(head, m);
	head_add_term(head, "steps", TERM_OTHER, forget_gains(head, *sums));
	return true;
}

static const struct param cable_params[] = {
	CHOICE_PARAM(struct cable, scale, SCALE_NONE, scale_names,
		     "factor of q·k: none, as released, or 1/√d_h"),
	{0},
};

static const struct leaf_row cable_leaves[] = {
	{"w_f", "d, h", "from the input to the step of each head", .by_layer = EACH_LAYER,
	 .demo = {FILL_BALANCED, .formula = "sqrt(2 / d)"}, .paper = LINEAR_INIT("d")},
	{"b_f", "1, h", "added before the softplus", .by_layer = EACH_LAYER,
	 .demo = {.entry = make_step}, .paper = LINEAR_INIT("d")},
	{0},
};

const struct scheme scheme_cable[] = {
	{
		.id = "cable",
		.aliases = "context-aware-biases",
		.title = "Context-aware biases",
		.formula = "A_ts = q_t·k_s − Σ_{s<r≤t} softplus(w·x_r + b)",
		.authors = "Veisi et al.",
		.cite = "@veisi2025context",
		.recipe =
			"term.steps[t,s] = minus the sum of softplus(input[r] @ w_f + b_f)[H] over s < "
			"r <= t in the order of the column, of param.cable.NAME.L; where s > t, which "
			"the mask forbids, that sum over t < r <= s",
		.about = "Every token says, to each head, how far it carries what stands before it "
			 "away: distance is the sum of these steps. With steps that do not look at "
			 "the token this is ALiBi; fox is the same with gates.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = cable_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "axiomlab/Cable 8bc6b83, src/Cable.py, whose q·k is not scaled; "
				 "scale=rsqrt is the usual 1/√d_h",
		.demo_note =
			"b: a token vector of ones is a step of 1/2 (first head) to 1/16 (last); w "
			"normal of variance 2/d less the mean of its column",
		.numbers_when = "0",
		.params = cable_params,
		.param_size = sizeof(struct cable),
		.hooks = {.declare = leaves_declare,
			  .scale = cable_scale,
			  .prepare = cable_prepare,
			  .mask = mask_later,
			  .logits = cable_logits,
			  .matrices = 1},
	},
	{0},
};
