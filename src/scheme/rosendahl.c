/* rosendahl.c: the schemes that Rosendahl et al. 2019 compare: Shaw's vectors with the sign of the
 * index inverted, made of sinusoids, without the values, or added to absolute sinusoids.
 *
 * These are only names: the expressions define them exactly. */
#include "posviz/scheme/scheme.h"

#define CITE "@rosendahl2019analysis"
#define SHAW_VECTORS                                                                                        \
	"even components 2 exp(−|s−t|/w): near; odd ones ±(1 − exp(−|s−t|/w)): past; w = 2, 4, " \
	"8, "                                                                                               \
	"16 in turn"

const struct scheme scheme_rosendahl[] = {
	{
		.id = "ros_sin",
		.aliases = "ros-sin",
		.title = "Relative sinusoidal vectors",
		.formula = "A_ts = q_t·(k_s + γ_{t−s}) / √d_h,  M_t = Σ_s α_ts (v_s + γ_{t−s}),  "
			   "γ_δ = PE_{clip(δ)} up to d_h",
		.authors = "Rosendahl et al.",
		.cite = CITE,
		.about = "Shaw's vectors, not learned but taken from the sinusoids of the "
			 "distance. The first d_h components rotate fast, so only near distances "
			 "differ clearly; translation hardly minds that nothing is learned.",
		.year = 2019,
		.table2 = TABLE2_ANALYSIS,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "eq. 3, 8 and 9, read literally: frequencies of width d; no code "
				 "was found",
		.expression = "shaw(table=sinusoidal,sign=ts)",
	},
	{
		.id = "ros_konly",
		.aliases = "ros-konly",
		.title = "Relative vectors on keys only",
		.formula = "A_ts = q_t·(k_s + γ_{clip(t−s)}) / √d_h,  M_t = Σ_s α_ts v_s",
		.authors = "Rosendahl et al.",
		.cite = CITE,
		.about = "Shaw's learned vectors for the keys alone: distances decide where to "
			 "look and leave no trace in what is seen. Half the numbers, and "
			 "translation as good.",
		.year = 2019,
		.table2 = TABLE2_ANALYSIS,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "eq. 3 without the distance terms of the values; clipping 16; no "
				 "code was found",
		.demo_note = SHAW_VECTORS,
		.expression = "shaw(values=off,sign=ts)",
	},
	{
		.id = "ros_abs",
		.aliases = "ros-abs",
		.title = "Absolute and relative positions together",
		.formula = "X_t = U_t + PE_t,  A_ts = q_t·(k_s + γ_{clip(t−s)}) / √d_h,  M_t = Σ_s "
			   "α_ts (v_s + γ_{clip(t−s)})",
		.authors = "Rosendahl et al.",
		.cite = CITE,
		.about = "Sinusoids at the input and Shaw's vectors in every layer. On lengths "
			 "seen in training it is as good as either; beyond them the sinusoids "
			 "spoil what the relative vectors alone would carry.",
		.year = 2019,
		.table2 = TABLE2_ANALYSIS,
		.ref = REF_BOTH,
		.inj = INJ_BOTH,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3.2 on top of 3.1; no code was found",
		.demo_note = SHAW_VECTORS,
		.expression = "sinusoidal+shaw(sign=ts)",
	},
	{0},
};
