/* freezepe.c: position vectors that stay as they were after pre-training (Liu et al. 2021b). */
#include "posviz/scheme/scheme.h"
#include "scheme/learned.h"

static const struct claim freezepe_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO,
	 "learned before, in pre-training, and frozen when the model is fine-tuned: the table is "
	 "counted, and takes no gradient"},
	{0},
};

const struct scheme scheme_freezepe[] = {
	{
		.id = "freezepe",
		.aliases = "frozen-positions frozen",
		.title = "Frozen position embeddings",
		.formula = "X_t = U_t + P_t,  P as pre-training left it",
		.authors = "Liu et al.",
		.cite = "@liu2021importance",
		.about = "Multilingual BERT's position vectors stay as they are while it is tuned "
			 "on one language, so it does not fit itself to that word order.",
		.year = 2021,
		.topic = TOPIC_CROSS,
		.table2 = TABLE2_CROSSLINGUAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey section 4.5 and the paper's abstract: a choice of what to "
				 "train, and no other computation",
		.demo_note = LEARNED_CURVES_NOTE,
		.claims = freezepe_claims,
		.expression = "learned(frozen=on)",
	},
	{0},
};
