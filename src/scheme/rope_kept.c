/* rope_kept.c: rope with other frequencies: only the fast pairs of a head rotate (proportional,
 * Barbero et al. 2024), only those that complete a rotation within the training length (HoPE, Chen
 * et al. 2025), or all in whole numbers of positions (Resonance, Wang et al. 2024).
 *
 *   θ_i = B^{-2i/d_h} for i < p d_h/2;  for 2π B^{2i/d_h} <= L;  2π/round(2π B^{2i/d_h}) */
#include "scheme/rope_precision.h"

/* clang-format off */
#define HALVES_PARAM \
	CHOICE_PARAM(struct rope, layout, ROPE_HALF, rope_layout_names, \
		     "which columns are a pair: neighbours, or halves of the head")
#define BASE_PARAM \
	RATIO_PARAM(struct rope, base, 10000, 1, 1e300, 10, \
		    "B: pair i of a head rotates by B^(-2i/d_h) per position")
#define SHARED_PARAMS \
	NUMBER_PARAM(struct rope, start, 0, -1e6, 1e6, 1, \
		     "number of the first position; the logits do not depend on it"), \
	SWITCH_PARAM(struct rope, rotary_value, false, "rotate the values as well"), \
	ROPE_PRECISION_PARAMS
/* clang-format on */

static const struct param prope_params[] = {
	HALVES_PARAM,
	BASE_PARAM,
	NUMBER_PARAM(struct rope, partial, 0.5, 0, 1, 0.125,
		     "p: fraction of a head's pairs that rotate, the fast ones; Gemma 4: 0.25; 0 "
		     "rotates none"),
	SHARED_PARAMS,
	ROPE_EXPONENT_PARAM(EXPONENT_HEAD),
	ROPE_FACTOR_PARAM(SCALING_PI, 1, ROPE_LONGER "no scaling"),
	{0},
};

static const struct param hope_params[] = {
	HALVES_PARAM,
	BASE_PARAM,
	NUMBER_PARAM(struct rope, partial, 1, 0, 1, 0.125,
		     "fraction of a head's columns that is rotated, the first D; 0 rotates none"),
	SHARED_PARAMS,
	ROPE_CUT_PARAM(512),
	{0},
};

static const struct param resonance_params[] = {
	ROPE_TURN_PARAMS, ROPE_ROUND_PARAM(true), ROPE_PRECISION_PARAMS, {0}};

static const struct claim hope_claims[] = {ROPE_CLAIMS, {0}};
static const struct claim partial_claims[] = {ROPE_PRECISION_CLAIM, ROPE_PARTIAL_CLAIMS, {0}};

static bool kept_check(const void *param, struct err *err)
{
	return precision_check(param, err);
}

#define KEPT_ROW(of, evidence_)                                                      \
	ROPE_ROW_BY(evidence_),                                                      \
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY, \
		.params = of##_params, .recipe = ROPE_RECIPE, .check = kept_check

const struct scheme scheme_rope_kept[] = {
	{
		.id = "prope",
		.aliases = "p-rope proportional-rope proportional",
		.title = "Proportional RoPE",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m rotates pair i < p d_h/2 by "
			   "m·B^{−2i/d_h}, no other",
		.authors = "Barbero et al.",
		.cite = "@barbero2024round",
		.about =
			"Only the fast pairs of a head rotate, with the frequencies that they have "
			"in a full one; the slow ones, which carry content over any distance, "
			"stay. rope(partial=p) instead gives the first D columns all frequencies "
			"from fast to slow.",
		.year = 2024,
		KEPT_ROW(prope, EVIDENCE_PORT),
		.evidence_note =
			"the proportional rule of huggingface/transformers, "
			"modeling_rope_utils.py, of which one function was transcribed; Gemma "
			"4's global layers have p = 0.25 and base 10^6",
		.claims = partial_claims,
	},
	{
		.id = "hope",
		.aliases = "high-frequency-rope",
		.title = "High-frequency RoPE",
		.formula =
			"A_ts = q_t·R_{s−t} k_s / √d_h, R_m rotates pair i by m·B^{−2i/d_h} if its "
			"wavelength ≤ L",
		.authors = "Chen et al.",
		.cite = "@chen2025hope",
		.about = "Pairs that do not complete a rotation within the training length do not "
			 "rotate at all, so that no pair comes to an angle that it never saw.",
		.year = 2025,
		KEPT_ROW(hope, EVIDENCE_PAPER),
		.evidence_note =
			"our reading of the paper's idea: its equation and its code were not "
			"seen; the length is the parameter cut. Other papers use this name "
			"for other things",
		.claims = hope_claims,
	},
	{
		.id = "resonance",
		.aliases = "resonance-rope",
		.title = "Resonance RoPE",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m rotates pair i by 2πm/round(2π "
			   "B^{2i/d_h})",
		.authors = "Wang et al.",
		.cite = "@wang2024resonance",
		.about =
			"Wavelengths are whole numbers of positions, so that a fast pair comes back "
			"to exactly the angles of training. With a scaling it is the switch round: "
			"rope_yarn(round=on) is Resonance YaRN.",
		.year = 2024,
		KEPT_ROW(resonance, EVIDENCE_CODE),
		.evidence_note =
			"sheryc/resonance_rope 4a7f5a7, rotary_resonance.py, which rounds half "
			"to even; with YaRN after its frequencies",
		.claims = partial_claims,
	},
	{0},
};
