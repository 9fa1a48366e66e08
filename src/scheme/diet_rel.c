/* diet_rel.c: decoupled relative positional attention (Chen et al. 2021).
 *
 *   A_ts = c q_t·k_s + R_{t-s} + E_S(S(t), S(s)) */
#include "scheme/diet.h"
#include "scheme/near_past.h"

static const struct param diet_rel_params[] = {
	DIET_SEGMENTS_PARAM,
	SHARE_PARAM(struct diet, SHARE_NONE),
	{0},
};

static void make_distances(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.rows; i++)
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, i)[h] = near_past(h, (long)(at.rows / 2) - (long)i);
}

static const struct leaf_row diet_rel_leaves[] = {
	{"r", "(2 t_max - 1), " SHARE_COPIES,
	 "row t_max − 1 + (t − s): added to the logits at that distance, a column for each head",
	 DIET_LEAF(make_distances)},
	DIET_E_S,
	{0},
};

static size_t diet_rel_injects(const struct model *model, const struct member *m,
			       struct inject *out)
{
	*out = (struct inject){.at = INJECT_ADD,
			       .by = encoding_signed(true, (long)model->config.t_max - 1),
			       .leaf = "r",
			       .label = "R",
			       .share = diet_share(m)};
	out->by.bounded = out->by.reached = true;
	return 1 + diet_segments(model, m, out + 1);
}

const struct scheme scheme_diet_rel[] = {
	{
		.id = "diet_rel",
		.aliases = "diet-rel",
		.title = "Decoupled relative positional attention",
		.formula = "A_ts = q_t·k_s / √d_h + R_{t−s} + E_S(S(t), S(s))",
		DIET,
		.leaves = diet_rel_leaves,
		.recipe = "term.R[t,s] = param.diet_rel.r.L[t - s + t_max - 1, H], column 0 with "
			  "share=head and no .L with share=layer",
		.about = "T5's bias without its buckets: every head of every layer learns a number "
			 "for each distance, and a table of segments, and adds both to its logits.",
		.ref = REF_RELATIVE,
		.evidence_note = "eq. 3, without sharing as section 4.4 recommends" DIET_NO_CODE,
		.demo_note =
			"heads 1, 3, … R = 2 exp(−|s−t|/w): near; 2, 4, … ±(1 − exp(−|s−t|/w)): "
			"past; w = 2, 4, 8, 16 for two heads each" DIET_SEGMENTS_NOTE,
		.segments_when = "segments > 0",
		.params = diet_rel_params,
		.hooks = {INJECT_MADE_HOOKS(diet_rel_injects, leaves_declare), .matrices = 1},
	},
	{0},
};
