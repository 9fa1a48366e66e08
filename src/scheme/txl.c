/* txl.c: Transformer-XL's relative attention (Dai et al. 2019).
 *
 *   A_ts = c [(q_t + b)·k_s + (q_t + e)·(R_{t-s} V_k)],  s ≤ t */
#include "scheme/mask.h"
#include "scheme/xl.h"

struct txl {
	struct xl xl;
	bool causal;
};

static const struct param txl_params[] = {
	SWITCH_PARAM(struct txl, causal, true,
		     "on: the language model's mask; off: both directions, as in XLNet"),
	SWITCH_PARAM(struct xl, untie, false, "b and e of its own for every layer"),
	NUMBER_PARAM(struct xl, clamp, 0, 0, XL_MAX_DISTANCE, 1,
		     "distances beyond it count as it; 0: none"),
	{0},
};

static const struct leaf_row txl_leaves[] = {XL_LEAVES, {0}};

static const struct claim txl_claims[] = {
	XL_CLAMP_CLAIMS,
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with h times the matrix V_k; here V_k is d × d for all heads of a layer "
	 "together"},
	{0},
};

static bool txl_prepare(struct run *run, const struct member *m, struct err *err)
{
	return xl_fill(run, m, run_state(run, m, sizeof(struct xl_state)), err);
}

const struct scheme scheme_txl[] = {
	{
		.id = "txl",
		.aliases = "xl",
		.title = "Transformer-XL",
		.formula = "A_ts = [(q_t + b)·k_s + (q_t + e)·(R_{t−s} V_k)] / √d_h",
		.authors = "Dai et al.",
		.cite = "@dai2019transformerxl",
		.recipe = XL_RECIPE("txl"),
		.about = "The sinusoid of the distance takes the place of the key's position, two "
			 "learned vectors that of the query's, so no length is too long.",
		.year = 2019,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = txl_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "kimiyoung/transformer-xl 44781ed, mem_transformer.py; to 1.6e-15 "
				 "with a memory of 5, tokens in front here, and clamp=9",
		.demo_note = XL_DEMO_NOTE "b is drawn",
		.count_printed = "2 d + d^2 l h",
		.claims = txl_claims,
		.params = txl_params,
		.param_size = sizeof(struct txl),
		.hooks = {.declare = leaves_declare,
			  .relation = xl_relation,
			  .prepare = txl_prepare,
			  .mask = mask_causal,
			  .logits = xl_logits,
			  .matrices = 3},
		.reach = xl_reach,
	},
	{0},
};
