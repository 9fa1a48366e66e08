/* diet_abs.c: decoupled absolute positional attention (Chen et al. 2021).
 *
 *   A_ts = c q_t·k_s + (P_Q P_Kᵀ)_ts + E_S(S(t), S(s)) */
#include "scheme/diet.h"

static const struct param diet_abs_params[] = {
	DIET_RANK_PARAM,
	DIET_SEGMENTS_PARAM,
	SHARE_PARAM(struct diet, SHARE_LAYER),
	{0},
};

static const struct leaf_row diet_abs_leaves[] = {
	DIET_P_Q,
	{"p_k", "t_max, " DIET_RANKS,
	 "row s: factor of the key's position; heads side by side in columns",
	 DIET_LEAF(diet_make_keys, .value = 1)},
	DIET_E_S,
	{0},
};

static bool diet_abs_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct diet_state *state = run_state(run, m, sizeof *state);
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (!rows || !inject_fill(run, m, &state->segments, err))
		return false;
	state->p_q = tape_gather_rows(run->tape, run_leaf(run, m, "p_q"), rows, run->n);
	state->p_k = tape_gather_rows(run->tape, run_leaf(run, m, "p_k"), rows, run->n);
	return true;
}

const struct scheme scheme_diet_abs[] = {
	{
		.id = "diet_abs",
		.aliases = "diet-abs diet",
		.title = "Decoupled absolute positional attention",
		.formula = "A_ts = q_t·k_s / √d_h + (P_Q P_K^T)_ts + E_S(S(t), S(s))",
		DIET,
		.leaves = diet_abs_leaves,
		.recipe = "term.P_Q–P_K[t,s] = p_q[t] · p_k[s] of head H's columns of "
			  "param.diet_abs.p_q and p_k (all columns with share=head), t and s in "
			  "the member's column; term.E_S[t,s] = param.diet_abs.e_s[row, H], row = "
			  "member.diet_abs.index.segments",
		.about =
			"Every head owns vectors of positions whose products are added to its "
			"logits, and a table of segments. Nothing of it enters the token vectors, so the "
			"rank of the logits is not bounded by the width of a head.",
		.ref = REF_ABSOLUTE,
		.evidence_note =
			"eq. 1 and 2, sharing layer-wise as section 4.4 recommends" DIET_NO_CODE,
		.demo_note = DIET_WAVES_NOTE DIET_SEGMENTS_NOTE,
		.segments_when = "segments > 0",
		.added_rank = "rank ? rank : d_h",
		.params = diet_abs_params,
		.hooks = {.injects = diet_segments,
			  .declare = leaves_declare,
			  .prepare = diet_abs_prepare,
			  .logits = diet_logits,
			  .matrices = 2},
	},
	{0},
};
