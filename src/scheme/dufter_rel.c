/* dufter_rel.c: a learned number for each distance (Dufter et al. 2020).
 *
 *   A_ts = c q_t·k_s + R_{(t-s) mod 2n}
 *
 * with optional temperatures and a convolution of the weights (convoluted.h). R is the first
 * column of a circulant matrix of size 2n whose corner is used, so entry n is never read. */
#include "scheme/convoluted.h"
#include "scheme/near_past.h"

static const struct param dufter_rel_params[] = {CONVOLUTED_PARAMS, {0}};

static void make_distances(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	const long n = (long)at.rows / 2;
	for (long i = 0; i < 2 * n; i++)
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, (size_t)i)[h] = near_past(h, i < n ? -i : 2 * n - i);
}

static const struct leaf_row dufter_rel_leaves[] = {
	/* Keras' glorot_normal: variance 2 over the sum of both sizes, or of two square roots
	 * for a vector. */
	{"r", "2 t_max, " SHARE_COPIES,
	 "row (t − s) mod 2 t_max: added to the logits, a column for each head",
	 .by_layer = SHARE_BY_LAYER, .demo = {.make = make_distances},
	 .paper = {FILL_NORMAL, .formula = "sqrt(2 / (2 * sqrt(2 t_max)))"}},
	CONVOLUTED_LEAVES,
	{0},
};

/* Returns (t - s) mod 2n. */
static long circulant(const struct encoding *e, long delta)
{
	return delta <= 0 ? -delta : e->most + 1 - delta;
}

static size_t dufter_rel_injects(const struct model *model, const struct member *m,
				 struct inject *out)
{
	*out = (struct inject){.at = INJECT_ADD,
			       .by = {.title = "(t − s) mod 2 t_max",
				      .number = circulant,
				      .most = 2 * (long)model->config.t_max - 1,
				      .bounded = true},
			       .leaf = "r",
			       .label = "R",
			       .share = convoluted_share(m)};
	return 1;
}

static bool dufter_rel_prepare(struct run *run, const struct member *m, struct err *err)
{
	return convoluted_fill(run, m, run_state(run, m, sizeof(struct convoluted_state)), err);
}

const struct scheme scheme_dufter_rel[] = {
	{
		.id = "dufter_rel",
		.aliases = "dufter-rel direct-rel circulant",
		.title = "Relative position biases",
		.formula = "A_ts = q_t·k_s / √d_h + R_{(t−s) mod 2 t_max}",
		CONVOLUTED,
		.recipe = "term.R[t,s] = param.dufter_rel.r[(t - s) mod 2 t_max, H], column "
			  "0 with share=head; " CONVOLUTED_RECIPE,
		.about = "A learned number for each distance is added to the logit: the corner of "
			 "a circulant matrix, which gives every diagonal one value.",
		.ref = REF_RELATIVE,
		.leaves = dufter_rel_leaves,
		.demo_note =
			"heads 1, 3, … R = 2 exp(−|s−t|/w): near; 2, 4, … ±(1 − exp(−|s−t|/w)): "
			"past; w = 2, 4, 8, 16 for two heads each; " CONVOLUTED_NOTE,
		.params = dufter_rel_params,
		.hooks = {CONVOLUTED_HOOKS, .injects = dufter_rel_injects,
			  .relation = inject_relation, .prepare = dufter_rel_prepare,
			  .logits = inject_logits, .memory = convoluted_memory},
	},
	{0},
};
