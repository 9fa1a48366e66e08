/* softcap.c: logits that no longer grow beyond a cap (Gemma Team 2024).
 *
 *   A' = c tanh(A / c)
 *
 * A is the logits as they are when all terms are added, and after the members before this one
 * have changed them. The difference A' - A is a term of its own. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include "scheme/mask.h"

struct softcap {
	double cap;
};

static bool softcap_prepare(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	run_note(run, m, "the bias holds what the cap takes from the logits of equal vectors");
	return true;
}

static bool softcap_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct softcap *p = m->param;
	struct tape *t = head->tape;
	struct node *const bent =
		tape_unary(t, OP_TANH, tape_scale(t, head->logits, 1 / p->cap), true);
	head_add_term(head, "soft cap", TERM_OTHER,
		      tape_sub(t, tape_scale(t, bent, p->cap), head->logits));
	return true;
}

static const struct param softcap_params[] = {
	RATIO_PARAM(struct softcap, cap, 50, 1e-3, 1e12, 2,
		    "c: no logit is larger than c, nor smaller than −c; Gemma 2 has 50"),
	{0},
};

static const struct claim softcap_claims[] = {
	{CLAIM_RECURRING, ANSWER_UNSAID, "logits far below the cap stay as they are", "cap > 1000"},
	{0},
};

const struct scheme scheme_softcap[] = {
	{
		.id = "softcap",
		.aliases = "soft-cap soft_cap logit-softcap soft-capping",
		.title = "Soft cap of the logits",
		.formula = "A'_ts = c tanh(A_ts / c)",
		.authors = "Gemma Team",
		.cite = "@gemma2024gemma2, section 2",
		.recipe =
			"term.soft cap = cap * tanh(a / cap) - a, a the sum of the terms before it",
		.about =
			"Logits are bent so that none exceeds c in size: small ones stay as they "
			"are, large ones come close to c. It acts before the mask and the softmax.",
		.year = 2024,
		.inj = INJ_OTHER,
		.flags = SCHEME_RULE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note =
			"google/gemma_pytorch 014acb7, attn_logit_softcapping: after the scale "
			"1/√d_h, before the mask",
		.numbers_when = "0",
		.params = softcap_params,
		.param_size = sizeof(struct softcap),
		.claims = softcap_claims,
		.hooks = {.prepare = softcap_prepare,
			  .adjust = softcap_adjust,
			  .by_rows = true,
			  .matrices = 2},
		.reach = mask_reach,
	},
	{0},
};
