/* tupe_a.c: TUPE-A, untied absolute positions (Ke, He, Liu 2021).
 *
 *   A_ts = c q_t·k_s + reset(c (p_t V_q)·(p_s V_k)),  c = 1/√(2 d_k) */
#include "scheme/tupe.h"

static const struct param tupe_a_params[] = {TUPE_PARAMS, {0}};

static const struct leaf_row tupe_a_leaves[] = {TUPE_LEAVES, {0}};

static const struct claim tupe_a_claims[] = {TUPE_RESET_CLAIM, {0}};

const struct scheme scheme_tupe_a[] = {
	{
		.id = "tupe_a",
		.aliases = "tupe-a",
		.title = "TUPE-A: untied absolute positions",
		.formula =
			"A_ts = (q_t·k_s + p_t V_q · p_s V_k) / √(2 d_h),  θ_1 and θ_2 for [CLS]",
		TUPE,
		.recipe = TUPE_RECIPE("tupe_a"),
		.about = "Positions meet positions in a product of their own, untied from the "
			 "words. [CLS] is taken out of it, since where it stands means nothing.",
		.ref = REF_ABSOLUTE,
		.leaves = tupe_a_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence_note = "the paper's equation; the authors' code, guolinke/TUPE 4c64ff7, "
				 "is theta=rows,ln_p=on,bias=on",
		.demo_note = TUPE_DEMO_NOTE,
		.claims = tupe_a_claims,
		.params = tupe_a_params,
		.param_size = sizeof(struct tupe),
		.hooks = {TUPE_HOOKS},
	},
	{0},
};
