/* diet_abslin.c: decoupled absolute positional attention to shortened keys (Chen et al. 2021).
 *
 *   A = c (X W_q)((E X) W_k)ᵀ + P_Q P_Kᵀ,  k < n keys, values (E' X) W_v (Linformer) */
#include "scheme/diet.h"

static const struct param diet_abslin_params[] = {
	NUMBER_PARAM(struct diet, keys, 4, 1, 1024, 1,
		     "k: keys and values that are left; 32 and 256 in the paper, of 128 and 512 "
		     "tokens"),
	DIET_RANK_PARAM,
	SHARE_PARAM(struct diet, SHARE_LAYER),
	{0},
};

/* ---- leaves ---- */

/* Averages positions 2m and 2m + 1, repeating every 2k positions. */
static void make_pooling(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	for (size_t s = 0; s < at.rows; s++)
		mat_row(at, s)[s / 2 % at.cols] = 0.5;
}

/* Linformer draws its projections with variance 1 over the number of keys. */
#define POOLING                                                 \
	.by_layer = EACH_LAYER, .demo = {.make = make_pooling}, \
	.paper = {FILL_NORMAL, .formula = "1 / sqrt(keys)"}

static const struct leaf_row diet_abslin_leaves[] = {
	{"e_key", "t_max, keys",
	 "row s: what the key of position s gives to each of the fewer keys", POOLING},
	{"e_value", "t_max, keys", "the same of values", POOLING},
	DIET_P_Q,
	{"p_k", "keys, " DIET_RANKS,
	 "row of a key that is left: its factor; heads side by side in columns",
	 DIET_LEAF(diet_make_keys, .value = 2)},
	{0},
};

/* ---- hooks ---- */

/* Multiplies every part by Eᵀ: vectors that are added before the projections are shortened with
 * the tokens. */
static void shorten(struct run *run, struct parts *parts, struct node *e)
{
	for (size_t i = 0; i < parts->n; i++)
		parts->at[i].at = tape_matmul(run->tape, e, true, parts->at[i].at, false, 1);
}

static void label_keys(struct run *run, size_t k)
{
	const char **labels = arena_calloc(run->arena, k, sizeof *labels);
	long *token = arena_calloc(run->arena, k, sizeof *token);
	for (size_t i = 0; i < k; i++) {
		labels[i] = arena_printf(run->arena, "E%zu", i + 1);
		token[i] = -1;
	}
	*run->keys = (struct axis){.n = k, .labels = labels, .token = token};
}

static bool lin_project(struct run *run, const struct member *m, struct err *err)
{
	const struct diet *p = m->param;
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (!rows)
		return false;
	struct tape *t = run->tape;
	shorten(run, &run->xk, tape_gather_rows(t, run_leaf(run, m, "e_key"), rows, run->n));
	shorten(run, &run->xv, tape_gather_rows(t, run_leaf(run, m, "e_value"), rows, run->n));
	label_keys(run, (size_t)p->keys);
	return true;
}

static bool lin_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct diet_state *state = run_state(run, m, sizeof *state);
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (!rows)
		return false;
	state->p_q = tape_gather_rows(run->tape, run_leaf(run, m, "p_q"), rows, run->n);
	state->p_k = run_leaf(run, m, "p_k");
	return true;
}

const struct scheme scheme_diet_abslin[] = {
	{
		.id = "diet_abslin",
		.aliases = "diet-abslin",
		.title = "Decoupled positions for shortened keys",
		.formula = "A = X W_q ((E X) W_k)^T / √d_h + P_Q P_K^T,  M = SoftMax(A) (E' X) W_v",
		DIET,
		.leaves = diet_abslin_leaves,
		.recipe = "k = E @ input @ w_k and v = E' @ input @ w_v, E[m,s] = "
			  "param.diet_abslin.e_key.L[s,m] and E' of e_value",
		.about = "Linformer mixes the sequence down to k keys: a key stands for no single "
			 "position, and still every head can say which it wants from where.",
		.ref = REF_ABSOLUTE,
		.evidence_note = "eq. 4, its width d read as h heads of d_h; E for keys and E' for "
				 "values one per layer, as in Linformer; no code was found",
		.demo_note =
			"E averages positions 2m and 2m + 1, and again every 2k; " DIET_WAVES_NOTE,
		.params = diet_abslin_params,
		.hooks = {.declare = leaves_declare,
			  .project = lin_project,
			  .prepare = lin_prepare,
			  .logits = diet_logits,
			  .matrices = 2,
			  .shortens = true},
	},
	{0},
};
