/* rope_scaled.c: rotary positions scaled for contexts longer than the training length, each
 * scaling a row (rope_scaling.h has the frequencies of each). */
#include "scheme/rope_precision.h"

static const struct param pi_params[] = {ROPE_TURN_PARAMS,
					 ROPE_LINE_PARAMS,
					 ROPE_FACTOR_PARAM(SCALING_PI, 4, ROPE_LONGER "no scaling"),
					 {0}};
static const struct param ntk_params[] = {
	ROPE_TURN_PARAMS,
	ROPE_LINE_PARAMS,
	ROPE_FACTOR_PARAM(SCALING_NTK, 4, ROPE_LONGER "no scaling"),
	{0}};
static const struct param dynamic_params[] = {
	ROPE_TURN_PARAMS,
	ROPE_LINE_PARAMS,
	ROPE_FACTOR_PARAM(
		SCALING_DYNAMIC, 4,
		"f: beyond L tokens the base grows with f n/L − f + 1, at f = 1 with n/L; up "
		"to L: rope"),
	ROPE_ORIGINAL_PARAM,
	ROPE_CACHED_PARAM,
	{0}};
static const struct param yarn_params[] = {
	ROPE_TURN_PARAMS,
	ROPE_LINE_PARAMS,
	ROPE_FACTOR_PARAM(SCALING_YARN, 4, ROPE_LONGER "no scaling"),
	ROPE_ORIGINAL_PARAM,
	ROPE_ATTENTION_PARAM,
	ROPE_READING_PARAM,
	ROPE_YARN_PARAMS,
	{0}};
static const struct param llama3_params[] = {
	ROPE_TURN_PARAMS,
	ROPE_LINE_PARAMS,
	ROPE_FACTOR_PARAM(SCALING_LLAMA3, 8, ROPE_LONGER "no scaling"),
	ROPE_ORIGINAL_PARAM,
	ROPE_LLAMA3_PARAMS,
	{0}};
static const struct param long_params[] = {
	ROPE_TURN_PARAMS,
	ROPE_LINE_PARAMS,
	ROPE_FACTOR_PARAM(SCALING_LONG, 4, ROPE_LONGER "only lists that are given divide"),
	ROPE_ORIGINAL_PARAM,
	ROPE_ATTENTION_PARAM,
	ROPE_READING_PARAM,
	ROPE_LONG_PARAMS,
	{0}};

const struct param *const rope_scaled_params[SCALING_COUNT] = {
	[SCALING_PI] = pi_params,	    [SCALING_NTK] = ntk_params,
	[SCALING_DYNAMIC] = dynamic_params, [SCALING_YARN] = yarn_params,
	[SCALING_LLAMA3] = llama3_params,   [SCALING_LONG] = long_params};

static const struct claim scaled_claims[] = {ROPE_CLAIMS, {0}};
/* Their attention factor multiplies logits whether pairs rotate or not. */
static const struct claim tempered_claims[] = {
	{CLAIM_RECURRING, ANSWER_UNSAID,
	 "no pair is as fast as that, and the attention factor is left", "cut > 0 && cut < 6.28"},
	ROPE_CLAIMS,
	{0},
};
static const struct claim dynamic_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "beyond L two tokens are rotated by different bases, and inputs that are measured may lie "
	 "within it",
	 "cached"},
	ROPE_CLAIMS,
	{0},
};

static bool scaled_check(const void *param, struct err *err)
{
	const struct rope *p = param;
	return precision_check(p, err) && scaling_check(&p->scaling, err);
}

#define SCALED_ROW(params_, claims_)                                                   \
	ROPE_ROW, .flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY, \
		  .params = params_, .claims = claims_, .check = scaled_check
#define TURNS "q_t·R_{s−t} k_s / √d_h, R_m rotates pair i by "
#define UTILS "huggingface/transformers c85510f, modeling_rope_utils.py, "

const struct scheme scheme_rope_scaled[] = {
	{
		.id = "rope_pi",
		.aliases = "rope-pi rope-linear position-interpolation",
		.title = "Position interpolation",
		.formula = "A_ts = " TURNS "(m/f)·B^{−2i/d_h}",
		.authors = "Chen et al.",
		.cite = "@chen2023extending",
		.recipe = ROPE_RECIPE,
		.about = "RoPE at positions t/f: a context f times as long as the one trained on "
			 "has the angles that are known, but neighbours come closer together.",
		.year = 2023,
		SCALED_ROW(pi_params, scaled_claims),
		.evidence_note = UTILS "linear",
	},
	{
		.id = "rope_ntk",
		.aliases = "rope-ntk ntk-aware",
		.title = "NTK-aware scaling of RoPE",
		.formula = "A_ts = " TURNS "m·(B f^{d_h/(d_h−2)})^{−2i/d_h}",
		.authors = "bloc97",
		.cite = "@bloc972023ntk; in @peng2024yarn, section 3.1",
		.recipe = ROPE_RECIPE,
		.about =
			"RoPE with a greater base: the fastest pair stays as it is, the slowest "
			"rotates f times slower, the others in between. Neighbours stay distinct, but "
			"some pairs come to angles never trained on.",
		.year = 2023,
		SCALED_ROW(ntk_params, scaled_claims),
		.evidence_note = "lucidrains/x-transformers 9252ed7, base_rescale_factor",
	},
	{
		.id = "rope_dyn",
		.aliases = "rope-dyn rope-dynamic dynamic-ntk",
		.title = "Dynamic NTK scaling of RoPE",
		.formula = "A_ts = " TURNS "m·(B (f n/L − f + 1)^{d_h/(d_h−2)})^{−2i/d_h}, n ≥ L",
		.authors = "emozilla",
		.cite = "@emozilla2023dynamically; in @peng2024yarn, section 3.3",
		.recipe = ROPE_RECIPE,
		.about = "Up to L tokens it is RoPE; beyond, the base grows with the length n of "
			 "the input, of given position ids the greatest and one more, so all "
			 "angles change when a token is added, at f = 1 too. A curve is that of an "
			 "input as long as it reaches.",
		.year = 2023,
		SCALED_ROW(dynamic_params, dynamic_claims),
		.evidence_note = UTILS "dynamic",
	},
	{
		.id = "rope_yarn",
		.aliases = "rope-yarn yarn",
		.title = "YaRN",
		.formula =
			"A_ts = μ^2 " TURNS "m·(γ_i + (1 − γ_i)/f)·B^{−2i/d_h}, μ = 0.1 ln f + 1",
		.authors = "Peng et al.",
		.cite = "@peng2024yarn",
		.recipe = ROPE_WARM_RECIPE,
		.about =
			"Pairs that rotate many times within L keep their frequency, those that do "
			"not rotate fully rotate f times slower, and a ramp γ from 1 to 0 joins them. "
			"Logits grow by a constant factor, which sharpens the weights.",
		.year = 2024,
		SCALED_ROW(yarn_params, tempered_claims),
		.evidence_note = UTILS "yarn: its L is max_position_embeddings, so original=that "
				       "number is its result; where that number is of the "
				       "stretched model, original=the length trained on with "
				       "reading=code. Shown: L as in the paper",
	},
	{
		.id = "rope_llama3",
		.aliases = "rope-llama3",
		.title = "Scaling of RoPE in Llama 3.1",
		.formula = "A_ts = " TURNS "m·(σ_i + (1 − σ_i)/f)·B^{−2i/d_h}",
		.authors = "Grattafiori et al.",
		.cite = "@grattafiori2024llama3",
		.recipe = ROPE_RECIPE,
		.about = "Wavelengths below L/4 are kept, those above L are stretched f "
			 "times, and σ joins them smoothly by the number of rotations within L.",
		.year = 2024,
		SCALED_ROW(llama3_params, scaled_claims),
		.evidence_note = UTILS "llama3; its L is 8192 and its base 500000, here t-max and "
				       "10000",
	},
	{
		.id = "rope_long",
		.aliases = "rope-long longrope",
		.title = "LongRoPE",
		.formula = "A_ts = μ^2 " TURNS "(m/g_i)·B^{−2i/d_h}, μ^2 = 1 + ln f / ln L",
		.authors = "Ding et al.",
		.cite = "@ding2024longrope",
		.recipe = ROPE_WARM_RECIPE,
		.about = "A divisor of its own for every pair, found by search over a model: one "
			 "list for inputs up to L tokens, one for longer ones; of given position "
			 "ids the greatest and one more is the length. Logits grow by a constant "
			 "factor at any length.",
		.year = 2024,
		SCALED_ROW(long_params, tempered_claims),
		.evidence_note = UTILS "longrope: long factors whenever f > 1, as reading=code; "
				       "shown: beyond L. The divisors when no list is given are "
				       "ours",
	},
	{0},
};
