/* rope_rows.c: rotary position embedding, its scalings and its grid, as rows of one family.
 *
 * The row `rope` has every parameter and refuses those that do not act with its scaling; a row of a
 * scaling has those that act. */
#include "scheme/rope.h"

#include <string.h>

/* ---- parameters ---- */

/* clang-format off */
#define ROTARY_PARAMS \
	CHOICE_PARAM(struct rope, layout, ROPE_INTERLEAVED, rope_layout_names, \
		     "which columns are a pair: neighbours (RoFormer, GPT-J) or halves (NeoX, Llama)"), \
	RATIO_PARAM(struct rope, base, 10000, 1, 1e300, 10, \
		    "B: pair i of D/2 turns by B^(-2i/D) per position"), \
	NUMBER_PARAM(struct rope, partial, 1, 0, 1, 0.125, \
		     "fraction of a head's columns that is turned, the first D; 0 turns none"), \
	NUMBER_PARAM(struct rope, start, 0, -1e6, 1e6, 1, \
		     "number of the first position; the logits do not depend on it"), \
	SWITCH_PARAM(struct rope, rotary_value, false, "turn the values as well")

#define GRID_PARAM(width) \
	NUMBER_PARAM(struct rope, grid, width, 0, 1e6, 1, \
		     "W: tokens fill rows of W; half of the pairs turn by row, half by column; 0: a line")

/* Rows of struct rope_scaling. */
#define SCALING_PARAM(field, ...) PARAM_AT(struct rope, scaling.field, field, __VA_ARGS__)
#define SCALING_RATIO(field, def_, min_, max_, ...) \
	SCALING_PARAM(field, __VA_ARGS__, .def = def_, .min = min_, .max = max_, .step = 2, .geometric = true)

#define LONGER "f: how many times longer than L the context may be; 1: "

#define FACTOR_PARAM(row, by, text) \
	PARAM_AT(struct rope, scaling.factor[row], factor, text, \
		 .def = by, .min = 1, .max = 1e6, .step = 2, .geometric = true)

#define ORIGINAL_PARAM \
	SCALING_RATIO(original, 0, 0, 1e9, \
		      "L: the length trained on (original_max_position_embeddings), from 1; 0: t-max")

#define ATTENTION_PARAM \
	SCALING_PARAM(attention_factor, \
		      "multiplies turned queries and keys, so logits by its square; 0: the rule of the scaling", \
		      .max = 100, .step = 0.25)

#define READING_PARAM \
	SCALING_PARAM(reading, \
		      "paper: L is original; code: L is f·original, the length of a model that was " \
		      "stretched, and long factors act at any length", .choices = scaling_reading_names)

#define YARN_PARAMS \
	SCALING_RATIO(beta_fast, 32, 1e-3, 1e6, \
		      "pairs that make more turns than this within L keep their frequency"), \
	SCALING_RATIO(beta_slow, 1, 1e-3, 1e6, \
		      "pairs that make fewer turns than this within L turn f times slower"), \
	SCALING_PARAM(truncate, "the ramp between them begins and ends at whole pairs", .def = true)

#define LLAMA3_PARAMS \
	SCALING_RATIO(low_freq_factor, 1, 1e-3, 1e6, \
		      "pairs that make fewer turns than this within L turn f times slower"), \
	SCALING_RATIO(high_freq_factor, 4, 1e-3, 1e6, \
		      "pairs that make more turns than this within L keep their frequency")

#define LONG_PARAMS \
	SCALING_PARAM(short_factor, "a divisor for each pair within L; []: 1 for all", \
		      .min = 1e-3, .max = 1e6), \
	SCALING_PARAM(long_factor, \
		      "a divisor for each pair beyond L; []: from 1 in the fastest to f in the slowest", \
		      .min = 1e-3, .max = 1e6)
/* clang-format on */

static const struct param rope_params[] = {
	ROTARY_PARAMS,
	GRID_PARAM(0),
	PARAM_AT(struct rope, scaling.named, scaling,
		 "how pairs are slowed down for contexts longer than the one trained on",
		 .choices = scaling_names),
	FACTOR_PARAM(SCALING_NONE, 4, LONGER "as none, but dynamic still grows beyond L"),
	ORIGINAL_PARAM,
	ATTENTION_PARAM,
	READING_PARAM,
	YARN_PARAMS,
	LLAMA3_PARAMS,
	LONG_PARAMS,
	{0},
};

static const struct param pi_params[] = {
	ROTARY_PARAMS, FACTOR_PARAM(SCALING_PI, 4, LONGER "no scaling"), {0}};
static const struct param ntk_params[] = {
	ROTARY_PARAMS, FACTOR_PARAM(SCALING_NTK, 4, LONGER "no scaling"), {0}};
static const struct param dynamic_params[] = {
	ROTARY_PARAMS,
	FACTOR_PARAM(SCALING_DYNAMIC, 4,
		     "f: beyond L tokens the base grows with f n/L − f + 1, at f = 1 with n/L; up "
		     "to L: rope"),
	ORIGINAL_PARAM,
	{0}};
static const struct param yarn_params[] = {ROTARY_PARAMS,
					   FACTOR_PARAM(SCALING_YARN, 4, LONGER "no scaling"),
					   ORIGINAL_PARAM,
					   ATTENTION_PARAM,
					   READING_PARAM,
					   YARN_PARAMS,
					   {0}};
static const struct param llama3_params[] = {ROTARY_PARAMS,
					     FACTOR_PARAM(SCALING_LLAMA3, 8, LONGER "no scaling"),
					     ORIGINAL_PARAM,
					     LLAMA3_PARAMS,
					     {0}};
static const struct param long_params[] = {
	ROTARY_PARAMS,
	FACTOR_PARAM(SCALING_LONG, 4, LONGER "only lists that are given divide"),
	ORIGINAL_PARAM,
	ATTENTION_PARAM,
	READING_PARAM,
	LONG_PARAMS,
	{0}};
static const struct param grid_params[] = {ROTARY_PARAMS, GRID_PARAM(4), {0}};

/* ---- what fits together ---- */

enum {
	PI = 1 << SCALING_PI,
	NTK = 1 << SCALING_NTK,
	DYNAMIC = 1 << SCALING_DYNAMIC,
	YARN = 1 << SCALING_YARN,
	LLAMA3 = 1 << SCALING_LLAMA3,
	LONG = 1 << SCALING_LONG,
};

static const struct {
	const char *param;
	unsigned scalings;
	const char *which;
} acting[] = {
	{"factor", PI | NTK | DYNAMIC | YARN | LLAMA3 | LONG, "any other"},
	{"original", DYNAMIC | YARN | LLAMA3 | LONG, "dynamic, yarn, llama3 or long"},
	{"attention_factor", YARN | LONG, "yarn or long"},
	{"reading", YARN | LONG, "yarn or long"},
	{"beta_fast", YARN, "yarn"},
	{"beta_slow", YARN, "yarn"},
	{"truncate", YARN, "yarn"},
	{"low_freq_factor", LLAMA3, "llama3"},
	{"high_freq_factor", LLAMA3, "llama3"},
	{"short_factor", LONG, "long"},
	{"long_factor", LONG, "long"},
};

static bool rope_check(const void *param, struct err *err)
{
	const struct rope *p = param;
	const enum scaling kind = scaling_kind(&p->scaling);
	if (p->grid > 0 && kind != SCALING_NONE)
		return err_set(err, "a scaling stretches a line; with grid=%ld it must be none",
			       p->grid);
	for (const struct param *q = rope_params; q->name; q++)
		for (size_t i = 0; i < sizeof acting / sizeof acting[0]; i++)
			if (strcmp(acting[i].param, q->name) == 0 &&
			    !(acting[i].scalings & 1u << kind) && !param_is_default(q, param))
				return err_set(err, "%s does nothing with scaling=%s; it is for %s",
					       q->name, scaling_names[kind], acting[i].which);
	return scaling_check(&p->scaling, err);
}

static bool row_check(const void *param, struct err *err)
{
	const struct rope *p = param;
	return scaling_check(&p->scaling, err);
}

/* ---- rows ---- */

enum { OUR_FLAGS = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY };

/* clang-format off */
#define ROTATION \
	.ref = REF_RELATIVE, .inj = INJ_MATRIX, .evidence = EVIDENCE_PORT, \
	.param_size = sizeof(struct rope), .reach = rope_reach, \
	.hooks = {.declare = rope_declare, .prepare = rope_prepare, .qk = rope_qk, \
		  .logits = rope_logits, .modulates = true, .only_qk = rope_only_qk}
#define SCALED_ROTATION(params_) \
	ROTATION, .flags = OUR_FLAGS, .params = params_, .claims = line_claims, .check = row_check
#define VALUES \
	"q and k are q_raw and k_raw with pairs of columns turned: (a, b) to (a cos - b sin, b cos + a " \
	"sin), cos and sin of member.NAME at [t, i] for the pair of columns 2i and 2i + 1, or, with " \
	"layout=half, of i and i + as many as cos has; columns behind stay; with rotary_value=on v is " \
	"turned as k is"
#define SCALED_VALUES \
	VALUES ", without the attention factor mu, the root of cos^2 + sin^2 of any pair; " \
	"term.temperature, where mu is not 1 and all columns are turned, is the share 1 - 1/mu^2 of " \
	"c * q @ k.T"
#define TURNED_CLAIMS \
	{CLAIM_RELATIVE, ANSWER_NO, "no pair is turned", "partial == 0"}, \
	{CLAIM_RECURRING, ANSWER_NO, "no pair is turned", "partial == 0"}, \
	{CLAIM_RELATIVE, ANSWER_UNSAID, FEW_TURNED, "partial < 0.25"}, \
	{CLAIM_RECURRING, ANSWER_UNSAID, FEW_TURNED, "partial < 0.25"}
#define FEW_TURNED "whether a pair is left to turn depends on the width of a head"
#define GRID \
	"logits depend on differences of rows and of columns; only a shift within a row, or by " \
	"whole rows, keeps them"
/* clang-format on */

static const struct claim line_claims[] = {TURNED_CLAIMS, {0}};

static const struct claim grid_claims[] = {
	TURNED_CLAIMS,
	{CLAIM_RELATIVE, ANSWER_UNSAID, GRID, "grid > 10"},
	{CLAIM_RELATIVE, ANSWER_NO, GRID, "grid > 1"},
	{0},
};

const struct scheme scheme_rope[] = {
	{
		.id = "rope",
		.aliases = "rotary",
		.title = "Rotary position embedding",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m turns pair i by m·B^{−2i/d_h}",
		.authors = "Su et al.",
		.cite = "Su, Lu, Pan, Murtadha, Wen, Liu: RoFormer: enhanced Transformer with "
			"rotary position embedding. arXiv 2104.09864, 2021",
		.recipe = SCALED_VALUES,
		.about = "Each pair of columns of a query or key is turned by an angle "
			 "proportional to its position. Lengths stay, and the product of query and "
			 "key sees their distance only.",
		.year = 2021,
		ROTATION,
		.table2 = TABLE2_SINUSOIDAL,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence_note = "RoFormer, GPT-J, GPT-NeoX and Llama in huggingface/transformers; "
				 "survey eq. 26 prints t−s for s−t, the turn in the other sense",
		.count_printed = "0",
		.claims = grid_claims,
		.params = rope_params,
		.check = rope_check,
	},
	{
		.id = "rope_2d",
		.aliases = "rope-2d rope-grid axial-rope",
		.title = "Rotary embedding on a grid",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h, R_t turns pair i by "
			   "⌊t/W⌋·B^{−4i/d_h}, pair i + d_h/4 by (t mod W)·B^{−4i/d_h}",
		.authors = "Fang et al.",
		.cite = "Fang, Sun, Wang, Huang, Wang, Cao: EVA-02: a visual representation for "
			"neon genesis. arXiv 2303.11331, 2023",
		.recipe = VALUES,
		.about = "Tokens fill the rows of an image, W to a row: half of the pairs turn by "
			 "the row, half by the column. What is above or below is as near as what "
			 "is beside.",
		.year = 2023,
		ROTATION,
		.flags = OUR_FLAGS,
		.evidence_note = "the rotary classes of EVA's vision transformers (neighbours) and "
				 "of Qwen2-VL's (halves): rows first, pairs as in a head half as "
				 "wide; W = 4 and counting from 0 are ours",
		.claims = grid_claims,
		.params = grid_params,
	},
	{
		.id = "rope_pi",
		.aliases = "rope-pi rope-linear position-interpolation",
		.title = "Position interpolation",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m turns pair i by (m/f)·B^{−2i/d_h}",
		.authors = "Chen et al.",
		.cite = "Chen, Wong, Chen, Tian: Extending context window of large language models "
			"via positional interpolation. arXiv 2306.15595, 2023",
		.recipe = VALUES,
		.about = "RoPE at positions t/f: a context f times as long as the one trained on "
			 "has the angles that are known, but neighbours come closer together.",
		.year = 2023,
		SCALED_ROTATION(pi_params),
		.evidence_note = "huggingface/transformers c85510f, modeling_rope_utils.py, linear",
	},
	{
		.id = "rope_ntk",
		.aliases = "rope-ntk ntk-aware",
		.title = "NTK-aware scaling of RoPE",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m turns pair i by m·(B "
			   "f^{d_h/(d_h−2)})^{−2i/d_h}",
		.authors = "bloc97",
		.cite = "bloc97: NTK-aware scaled RoPE. Reddit r/LocalLLaMA, 2023; in Peng, "
			"Quesnelle, Fan, Shippole: YaRN. ICLR 2024, section 3.1",
		.recipe = VALUES,
		.about = "RoPE with a greater base: the fastest pair stays as it is, the slowest "
			 "turns f times slower, the others in between. Neighbours stay apart, but "
			 "some pairs come to angles never trained on.",
		.year = 2023,
		SCALED_ROTATION(ntk_params),
		.evidence_note = "lucidrains/x-transformers 9252ed7, base_rescale_factor",
	},
	{
		.id = "rope_dyn",
		.aliases = "rope-dyn rope-dynamic dynamic-ntk",
		.title = "Dynamic NTK scaling of RoPE",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m turns pair i by m·(B (f n/L − f + "
			   "1)^{d_h/(d_h−2)})^{−2i/d_h}, n ≥ L",
		.authors = "emozilla",
		.cite = "emozilla: Dynamically scaled RoPE. Reddit r/LocalLLaMA, 2023; in Peng, "
			"Quesnelle, Fan, Shippole: YaRN. ICLR 2024, section 3.3",
		.recipe = VALUES,
		.about = "Up to L tokens, by default t-max, it is RoPE and shows no difference; "
			 "beyond, the base grows with the length n of the input, so all angles "
			 "change when a token is added, at f = 1 too; of given position ids, n is "
			 "the greatest and one more. A curve is that of an input as long as it "
			 "reaches.",
		.year = 2023,
		SCALED_ROTATION(dynamic_params),
		.evidence_note =
			"huggingface/transformers c85510f, modeling_rope_utils.py, dynamic",
	},
	{
		.id = "rope_yarn",
		.aliases = "rope-yarn yarn",
		.title = "YaRN",
		.formula = "A_ts = μ^2 q_t·R_{s−t} k_s / √d_h, R_m turns pair i by m·(γ_i + (1 − "
			   "γ_i)/f)·B^{−2i/d_h}, μ = 0.1 ln f + 1",
		.authors = "Peng et al.",
		.cite = "Peng, Quesnelle, Fan, Shippole: YaRN: efficient context window extension "
			"of large language models. ICLR 2024",
		.recipe = SCALED_VALUES,
		.about = "Pairs that turn many times within L keep their frequency, those that do "
			 "not come round turn f times slower, and a ramp γ from 1 to 0 joins them. "
			 "Logits grow by a constant factor, which sharpens the weights.",
		.year = 2023,
		SCALED_ROTATION(yarn_params),
		.evidence_note = "huggingface/transformers c85510f, modeling_rope_utils.py, yarn: "
				 "its L is max_position_embeddings, so original=that number is its "
				 "result; where that number is of the stretched model, "
				 "original=the length trained on with reading=code. Shown: L as in "
				 "the paper",
	},
	{
		.id = "rope_llama3",
		.aliases = "rope-llama3",
		.title = "Scaling of RoPE in Llama 3.1",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m turns pair i by m·(σ_i + (1 − "
			   "σ_i)/f)·B^{−2i/d_h}",
		.authors = "Grattafiori et al.",
		.cite = "Grattafiori et al.: The Llama 3 herd of models. arXiv 2407.21783, 2024",
		.recipe = VALUES,
		.about = "Waves shorter than L/4 are kept, waves longer than L are stretched f "
			 "times, and σ joins them smoothly by the number of turns within L.",
		.year = 2024,
		SCALED_ROTATION(llama3_params),
		.evidence_note = "huggingface/transformers c85510f, modeling_rope_utils.py, "
				 "llama3; its L is 8192 and its base 500000, here t-max and 10000",
	},
	{
		.id = "rope_long",
		.aliases = "rope-long longrope",
		.title = "LongRoPE",
		.formula = "A_ts = μ^2 q_t·R_{s−t} k_s / √d_h, R_m turns pair i by "
			   "(m/g_i)·B^{−2i/d_h}, μ^2 = 1 + ln f / ln L",
		.authors = "Ding et al.",
		.cite = "Ding et al.: LongRoPE: extending LLM context window beyond 2 million "
			"tokens. ICML 2024",
		.recipe = SCALED_VALUES,
		.about = "A divisor of its own for every pair, found by search over a model: one "
			 "list for inputs up to L tokens, one for longer ones; of given position "
			 "ids the greatest and one more is the length. Logits grow by a constant "
			 "factor at any length.",
		.year = 2024,
		SCALED_ROTATION(long_params),
		.evidence_note = "huggingface/transformers c85510f, modeling_rope_utils.py, "
				 "longrope: long factors whenever f > 1, as reading=code; shown: "
				 "beyond L. The divisors when no list is given are ours",
	},
	{0},
};
