/* pairwise_rows.c: the parameters and descriptions of the rules of pairwise.c. */
#include "scheme/mask.h"
#include "scheme/pairwise_rule.h"
#include "scheme/rotation.h"

static const char *const shift_names[] = {"code", "paper", NULL};

/* ---- parameters ------------------------------------------------------------------------------ */

static bool log_fits(double length, const char *name, struct err *err)
{
	return length <= 0 || length > 1 ||
	       err_set(err,
		       "%s: %g; queries are divided by its logarithm, so more than 1, or 0 for "
		       "none, would be right",
		       name, length);
}

static bool extend_check(const void *param, struct err *err)
{
	const struct pairwise *p = param;
	return log_fits(p->log_length, "scale_base", err);
}

static bool rerope_check(const void *param, struct err *err)
{
	const struct pairwise *p = param;
	if (p->leak > 0 && p->leak < 1)
		return err_set(err,
			       "leak: %g; distances beyond the window are divided by it, so 1 or "
			       "more, or 0 for all the same, would be right",
			       p->leak);
	return log_fits(p->log_length, "training_length", err);
}

static bool chunks_check(const void *param, struct err *err)
{
	const struct pairwise *p = param;
	return p->local < p->chunk ||
	       err_set(err,
		       "window: %ld; a chunk has chunk - window positions of its own, so less than "
		       "chunk=%ld would be right",
		       p->local, p->chunk);
}

#define LOG_LENGTH(id, text) \
	PARAM_AT(struct pairwise, log_length, id, text, NUMBER_TYPE(0, 0, 1e9, 2))

static const struct param extend_params[] = {
	NUMBER_PARAM(struct pairwise, group, 2, 1, 4096, 1,
		     "g: positions beyond the neighbours count once for g of them; the code has 8"),
	NUMBER_PARAM(struct pairwise, neighbours, 4, 1, 1e6, 1,
		     "w: keys less than w back keep their distance; the code has 1024"),
	CHOICE_PARAM(struct pairwise, shift, SHIFT_CODE, shift_names,
		     "far distances begin at w: by w - w/g, as the code divides, or w - floor(w/g) "
		     "(paper); the same where g divides w"),
	LOG_LENGTH(scale_base, "b: queries are multiplied by max(1, ln(t+1)/ln b); 0: not"),
	{0},
};

static const struct param rerope_params[] = {
	NUMBER_PARAM(struct pairwise, window, 4, 1, 1e6, 1,
		     "w: keys less than w back keep their distance; the code has 512"),
	NUMBER_PARAM(
		struct pairwise, leak, 0, 0, 1e6, 1,
		"k: farther ones have w + (t-s-w)/k, as in Leaky ReRoPE, whose code has 16; 0: "
		"all have w"),
	LOG_LENGTH(training_length,
		   "L: queries are multiplied by max(1, ln(t+1)/ln L), which the code always does, "
		   "with 4096; 0: not"),
	{0},
};

static const struct param chunks_params[] = {
	NUMBER_PARAM(struct pairwise, chunk, 6, 1, 1e9, 1,
		     "greatest difference; the code takes 3/4 of the length trained on"),
	PARAM_AT(
		struct pairwise, local, window,
		"positions of the chunk before that keep their distance at least; the code has 1/8 "
		"of the length trained on",
		NUMBER_TYPE(2, 0, 1e9, 1)),
	NUMBER_PARAM(struct pairwise, cap, 0, 0, 1e9, 1,
		     "position that queries of later chunks have at most: the paper has the length "
		     "trained on less 1; 0: chunk, as in the code"),
	PARAM_AT(struct pairwise, trained, original,
		 "L (max_position_embeddings): longer inputs multiply queries and keys by 0.05 "
		 "ln(n/L) + 1; 0: not",
		 NUMBER_TYPE(0, 0, 1e9, 1)),
	{0},
};

/* ---- rows ------------------------------------------------------------------------------------ */

#define BY_POSITION(param)                                                                            \
	{                                                                                             \
		CLAIM_RELATIVE, ANSWER_UNSAID,                                                        \
			"queries beyond that many positions are multiplied by a number of their own", \
			param " > 0"                                                                  \
	}

static const struct claim extend_claims[] = {
	BY_POSITION("scale_base"),
	{CLAIM_RELATIVE, ANSWER_YES, "in groups of one every pair keeps its distance",
	 "group == 1"},
	{CLAIM_RELATIVE, ANSWER_UNSAID, "inputs that are measured may lie within the neighbours",
	 "neighbours > 8 || group > 16"},
	{CLAIM_RELATIVE, ANSWER_NO, "a far difference depends on where groups begin, by up to one"},
	{0},
};

static const struct claim rerope_claims[] = {BY_POSITION("training_length"), {0}};

static const struct claim chunk_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, "inputs that are measured may lie within a chunk",
	 "chunk - window > 8"},
	{CLAIM_RELATIVE, ANSWER_NO, "a difference depends on where chunks begin"},
	{0},
};

/* clang-format off */
#define PAIRWISE_ROW(of) \
	.ref = REF_RELATIVE, .inj = INJ_MATRIX, \
	.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY, \
	.evidence = EVIDENCE_CODE, .params = of##_params, .check = of##_check, \
	.param_size = sizeof(struct pairwise), .reach = pairwise_own_reach, \
	.hooks = {.declare = rotation_has_pairs, .prepare = pairwise_prepare_##of, .qk = pairwise_qk, \
		  .mask = mask_causal, .content = pairwise_content, .content_of_units = true, \
		  .relation = pairwise_relation, .modulates = true, .matrices = 6}
#define PAIRWISE_RECIPE \
	"content instead of c q @ k.T is c times the sum over pairs of columns (a, b) of q_raw[t], " \
	"(x, y) of k_raw[s] of (a x + b y) cos u - (b x - a y) sin u, u = " \
	"member.NAME.difference[t,s] times the frequency of the pair in the rope beside it, without " \
	"one base 10000 and pairs (i, i + dk/2); all times member.NAME.factor[t] if there is one"
#define BESIDE " It changes the rope beside it, rope_yarn+"
/* clang-format on */

const struct scheme scheme_pairwise[] = {
	{
		.id = "selfextend",
		.aliases = "self-extend longlm",
		.title = "Self-Extend",
		.formula = "A_ts = q_t·R_{−ρ} k_s / √d_h,  ρ = t − s < w, else ⌊t/g⌋ − ⌊s/g⌋ + w − "
			   "w/g",
		.authors = "Jin et al.",
		.cite = "@jin2024longlm",
		.recipe = PAIRWISE_RECIPE,
		.about =
			"Near keys keep their distance, and positions farther away are counted in "
			"groups, so that a trained model reads on without distances it never saw." BESIDE
			"selfextend for YaRN's; alone it is upon rope(layout=half).",
		.year = 2024,
		PAIRWISE_ROW(extend),
		.claims = extend_claims,
		.evidence_note = "datamllab/LongLM cdbbb06, Llama.py, which divides w by g as real "
				 "numbers where the paper rounds down; g = 8 and w = 1024 there",
	},
	{
		.id = "rerope",
		.aliases = "re-rope rectified-rope",
		.title = "ReRoPE",
		.formula =
			"A_ts = q_t·R_{−ρ} k_s / √d_h,  ρ = min(t − s, w), or beyond w w + (t − s "
			"− w)/k",
		.authors = "Su",
		.cite = "@su2023rectified",
		.recipe = PAIRWISE_RECIPE,
		.about =
			"All keys that are w back or more are rotated as the one at w: far away is "
			"just far. With leak=16 distances go on growing, 16 times slower (Leaky "
			"ReRoPE)." BESIDE "rerope for YaRN's; alone it is upon rope(layout=half).",
		.year = 2023,
		PAIRWISE_ROW(rerope),
		.claims = rerope_claims,
		.evidence_note =
			"bojone/rerope acfe788, rerope_patch.py and leaky_rerope_patch.py, "
			"which always multiply queries too: training_length=4096 there",
	},
	{
		.id = "dca",
		.aliases = "dual-chunk-attention chunkllama dual-chunk",
		.title = "Dual chunk attention",
		.formula =
			"A_ts = q_t·R_{−ρ} k_s / √d_h,  ρ = p(t) − (s mod l),  l = chunk − window",
		.authors = "An et al.",
		.cite = "@an2024training",
		.recipe = PAIRWISE_RECIPE,
		.about =
			"Keys are numbered anew in every chunk of l positions; queries of the next "
			"chunk go on counting up to a limit, later ones are all at that limit. The "
			"order is kept within a chunk and near its end." BESIDE
			"dca for YaRN's; alone it is upon rope(layout=half).",
		.year = 2024,
		PAIRWISE_ROW(chunks),
		.claims = chunk_claims,
		.evidence_note =
			"HKUNLP/ChunkLlama 2add4d7: limit chunk, where the paper has the "
			"length trained on less 1 (cap); one softmax over all keys, as its "
			"merge of three is",
	},
	{0},
};
