/* rope.h: the hooks that every row of the family shares, their parameters, and common parts of
 * the rows. */
#ifndef SCHEME_ROPE_H
#define SCHEME_ROPE_H

#include "posviz/model/stage.h"
#include "scheme/rope_scaling.h"

enum rope_layout { ROPE_INTERLEAVED, ROPE_HALF };
/* On a grid: what the first half of the pairs rotates by; and the numbers of rows and columns,
 * from 0, or from -1 to 1 over a side of the picture, of its own or of both. */
enum rope_first { FIRST_ROWS, FIRST_COLUMNS };
enum rope_numbers { NUMBERS_INDEX, NUMBERS_SEPARATE, NUMBERS_MAX, NUMBERS_MIN };
enum rope_exponent { EXPONENT_PART, EXPONENT_HEAD };
enum rope_precision { PRECISION_EXACT, PRECISION_FLOAT32, PRECISION_FLOAT16, PRECISION_BFLOAT16 };
enum rope_rounds { ROUNDS_POSITIONS, ROUNDS_ANGLES, ROUNDS_TABLES };
extern const char *const rope_layout_names[];	 /* interleaved half, ends with NULL */
extern const char *const rope_exponent_names[];	 /* part head, ends with NULL */
extern const char *const rope_precision_names[]; /* exact float32 float16 bfloat16, NULL */
extern const char *const rope_rounds_names[];	 /* positions angles tables, NULL */

struct rope {
	int layout; /* enum rope_layout */
	double base, partial;
	long start;
	bool rotary_value;
	long grid;		/* W; 0: positions are on a line */
	int first, coordinates; /* enum rope_first, rope_numbers */
	int exponent;		/* enum rope_exponent */
	double cut;		/* pairs of longer wavelengths stay; 0: none */
	bool round;
	int precision, rounds; /* enum rope_precision, enum rope_rounds */
	struct rope_scaling scaling;
};

bool rope_declare(struct model *model, const struct member *m, struct err *err);
bool rope_prepare(struct run *run, const struct member *m, struct err *err);
bool rope_qk(struct head *head, const struct member *m, struct err *err);
bool rope_logits(struct head *head, const struct member *m, struct err *err);
bool rope_relation(struct run *run, const struct member *m, struct relation *out, struct err *err);
bool rope_only_qk(const struct member *m);
double rope_reach(const void *param, const struct model_config *config);

/* Returns whether the member is of this family. */
bool rope_is(const struct member *m);

/* The pairs of columns that a member rotates, by `rate` per position each. */
struct rope_rates {
	size_t pairs;
	bool half;
	const double *rate;
};

/* Fills in those of a member of this family; false if its rotations are no product of a position and
 * a frequency: on a grid, cached or rounded. */
bool rope_rates(struct run *run, const struct member *m, struct rope_rates *out);

/* The parameters that act with a scaling; NULL for SCALING_NONE. */
extern const struct param *const rope_scaled_params[SCALING_COUNT];

/* clang-format off */
#define ROPE_TURN_PARAMS \
	CHOICE_PARAM(struct rope, layout, ROPE_INTERLEAVED, rope_layout_names, \
		     "which columns are a pair: neighbours (RoFormer, GPT-J) or halves (NeoX, Llama)"), \
	RATIO_PARAM(struct rope, base, 10000, 1, 1e300, 10, \
		    "B: pair i of D/2 rotates by B^(-2i/D) per position"), \
	NUMBER_PARAM(struct rope, partial, 1, 0, 1, 0.125, \
		     "fraction of a head's columns that is rotated, the first D; 0 rotates none"), \
	NUMBER_PARAM(struct rope, start, 0, -1e6, 1e6, 1, \
		     "number of the first position; the logits do not depend on it"), \
	SWITCH_PARAM(struct rope, rotary_value, false, "rotate the values as well")

/* The parameters of rotations on a line, which a grid does not have. */
#define ROPE_EXPONENT_PARAM(def_) \
	CHOICE_PARAM(struct rope, exponent, def_, rope_exponent_names, \
		     "D of the exponent is the width of the part that rotates, or of the head: then " \
		     "the first pairs of the whole head rotate, the fast ones, with its frequencies")
#define ROPE_CUT_PARAM(def_) \
	PARAM_AT(struct rope, cut, cut, \
		 "pairs of a longer wavelength in positions do not rotate; 0: all do", \
		 NUMBER_TYPE(def_, 0, 1e15, 2), .type.geometric = true)
#define ROPE_ROUND_PARAM(def_) \
	SWITCH_PARAM(struct rope, round, def_, \
		     "wavelengths, after any scaling, are rounded to whole positions (Resonance RoPE)")
#define ROPE_PRECISION_PARAMS \
	CHOICE_PARAM(struct rope, precision, PRECISION_EXACT, rope_precision_names, \
		     "the type to which a program rounds what it rotates by; exact: double"), \
	CHOICE_PARAM(struct rope, rounds, ROUNDS_POSITIONS, rope_rounds_names, \
		     "what is rounded to it: position numbers, their products with frequencies, or " \
		     "cosines and sines")
#define ROPE_LINE_PARAMS \
	ROPE_EXPONENT_PARAM(EXPONENT_PART), ROPE_CUT_PARAM(0), ROPE_ROUND_PARAM(false), \
	ROPE_PRECISION_PARAMS
#define ROPE_PRECISION_CLAIM \
	{CLAIM_RELATIVE, ANSWER_UNSAID, "rounded numbers differ between pairs of one distance", \
	 "precision > 0"}

/* Rows of struct rope_scaling. */
#define ROPE_SCALING_PARAM(field, ...) PARAM_AT(struct rope, scaling.field, field, __VA_ARGS__)
#define ROPE_SCALING_RATIO(field, def_, min_, max_, ...) \
	ROPE_SCALING_PARAM(field, __VA_ARGS__, NUMBER_TYPE(def_, min_, max_, 2), .type.geometric = true)

#define ROPE_LONGER "f: how many times longer than L the context may be; 1: "

#define ROPE_FACTOR_PARAM(row, by, text) \
	PARAM_AT(struct rope, scaling.factor[row], factor, text, \
		 NUMBER_TYPE(by, 1, 1e6, 2), .type.geometric = true)

#define ROPE_ORIGINAL_PARAM \
	ROPE_SCALING_RATIO(original, 0, 0, 1e9, \
		      "L: the length trained on (original_max_position_embeddings), from 1; 0: t-max")

#define ROPE_ATTENTION_PARAM \
	ROPE_SCALING_PARAM(attention_factor, \
		      "multiplies rotated queries and keys, so logits by its square; 0: the rule of the scaling", \
		      NUMBER_TYPE(0, 0, 100, 0.25))

#define ROPE_READING_PARAM \
	ROPE_SCALING_PARAM(reading, \
		      "paper: L is original; code: L is f·original, the length of a model that was " \
		      "stretched, and long factors act at any length", .type.choices = scaling_reading_names)

#define ROPE_YARN_PARAMS \
	ROPE_SCALING_RATIO(beta_fast, 32, 1e-3, 1e6, \
		      "pairs that make more rotations than this within L keep their frequency"), \
	ROPE_SCALING_RATIO(beta_slow, 1, 1e-3, 1e6, \
		      "pairs that make fewer rotations than this within L rotate f times slower"), \
	ROPE_SCALING_PARAM(truncate, "the ramp between them begins and ends at whole pairs; gpt-oss: off", .type.def = true), \
	ROPE_SCALING_PARAM(mscale, \
		      "queries and keys are multiplied by μ(mscale)/μ(mscale_all_dim), μ(m) = 0.1 m ln f + " \
		      "1; 1 over 0, the paper's, unless both are given, as by DeepSeek", \
		      NUMBER_TYPE(1, 0, 100, 0.1)), \
	ROPE_SCALING_PARAM(mscale_all_dim, \
		      "of what divides; DeepSeek's own code and V3 of a library multiply all logits by " \
		      "μ(mscale_all_dim)^2 instead, which is in mla", \
		      NUMBER_TYPE(0, 0, 100, 0.1))

#define ROPE_CACHED_PARAM \
	ROPE_SCALING_PARAM(cached, \
		      "each token is rotated by the base of the length up to it, as keys that stay in a " \
		      "cache are; off: all by that of the whole input", .type.def = false)

#define ROPE_LLAMA3_PARAMS \
	ROPE_SCALING_RATIO(low_freq_factor, 1, 1e-3, 1e6, \
		      "pairs that make fewer rotations than this within L rotate f times slower"), \
	ROPE_SCALING_RATIO(high_freq_factor, 4, 1e-3, 1e6, \
		      "pairs that make more rotations than this within L keep their frequency")

#define ROPE_LONG_PARAMS \
	ROPE_SCALING_PARAM(short_factor, "a divisor for each pair within L; []: 1 for all", \
		      .type.min = 1e-3, .type.max = 1e6), \
	ROPE_SCALING_PARAM(long_factor, \
		      "a divisor for each pair beyond L; []: from 1 in the fastest to f in the slowest", \
		      .type.min = 1e-3, .type.max = 1e6)

#define ROPE_ROW ROPE_ROW_BY(EVIDENCE_PORT)
#define ROPE_ROW_BY(evidence_) \
	.ref = REF_RELATIVE, .inj = INJ_MATRIX, .evidence = evidence_, \
	.param_size = sizeof(struct rope), .reach = rope_reach, \
	.hooks = {.declare = rope_declare, .prepare = rope_prepare, .qk = rope_qk, \
		  .logits = rope_logits, .relation = rope_relation, .modulates = true, \
		  .only_qk = rope_only_qk}
#define ROPE_RECIPE \
	"q and k are q_raw and k_raw with pairs of columns rotated: (a, b) to (a cos - b sin, b cos + a " \
	"sin), cos and sin of member.NAME at [t, i] for the pair of columns 2i and 2i + 1, or, with " \
	"layout=half, of i and i + as many as cos has; columns behind stay; with rotary_value=on v is " \
	"rotated as k is"
#define ROPE_WARM_RECIPE \
	ROPE_RECIPE ", without the attention factor mu, the root of cos^2 + sin^2 of any pair; " \
	"term.temperature, where mu is not 1 and all columns are rotated, is the share 1 - 1/mu^2 of " \
	"c * q @ k.T"
#define ROPE_CLAIMS ROPE_PRECISION_CLAIM, ROPE_CUT_CLAIMS, ROPE_PARTIAL_CLAIMS
#define ROPE_PARTIAL_CLAIMS \
	{CLAIM_RELATIVE, ANSWER_NO, "no pair is rotated", "partial == 0"}, \
	{CLAIM_RECURRING, ANSWER_NO, "no pair is rotated", "partial == 0"}, \
	{CLAIM_RELATIVE, ANSWER_UNSAID, ROPE_FEW, "partial < 0.25"}, \
	{CLAIM_RECURRING, ANSWER_UNSAID, ROPE_FEW, "partial < 0.25"}
#define ROPE_CUT_CLAIMS \
	{CLAIM_RELATIVE, ANSWER_NO, "no pair is as fast as that", "cut > 0 && cut < 6.28"}, \
	{CLAIM_RECURRING, ANSWER_NO, "no pair is as fast as that", "cut > 0 && cut < 6.28"}
#define ROPE_FEW "whether a pair is left to rotate depends on the width of a head"
/* clang-format on */

#endif
