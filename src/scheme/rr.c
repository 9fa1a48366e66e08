/* rr.c: the RR-Transformer: a GRU instead of position embeddings, and Shaw et al.'s vectors
 * (Neishi and Yoshinaga 2019). */
#include "posviz/scheme/scheme.h"

const struct scheme scheme_rr[] = {
	{
		.id = "rr",
		.aliases = "rr-transformer",
		.title = "RR-Transformer",
		.formula = "X_t = GRU(U_t, X_{t−1}),  A_ts = q_t·(k_s + w^K_{clip(s−t)}) / √d_h",
		.authors = "Neishi and Yoshinaga",
		.cite = "@neishi2019relation",
		.about = "The recurrent network before the first layer and Shaw et al.'s vectors "
			 "in every layer: together they do better than either alone.",
		.year = 2019,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_BOTH,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "nem6ishi/conll19_relative_transformer ab8a959: vectors on keys "
				 "and values, clipped at 16, as in shaw",
		.demo_note = "those of gru and of shaw",
		.expression = "gru+shaw",
	},
	{0},
};
