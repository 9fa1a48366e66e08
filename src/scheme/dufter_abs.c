/* dufter_abs.c: a learned number for each pair of positions (Dufter et al. 2020).
 *
 *   A_ts = c q_t·k_s + P_ts
 *
 * with optional temperatures and a convolution of the weights (convoluted.h). */
#include "scheme/convoluted.h"
#include "scheme/near_past.h"

static const struct param dufter_abs_params[] = {CONVOLUTED_PARAMS, {0}};

/* Heads alternately favour near keys and the past; the first position is special, which no
 * relative table can express. */
static void make_pairs(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	const size_t n = at.rows;
	for (size_t t = 0; t < n; t++)
		for (size_t col = 0; col < at.cols; col++) {
			const size_t s = col % n;
			mat_row(at, t)[col] =
				s == 0 ? 2 : near_past(share_head(col, n), (long)s - (long)t);
		}
}

static const struct leaf_row dufter_abs_leaves[] = {
	{"p", "t_max, " SHARE_COPIES " t_max",
	 "row t, column s: added to the logits of that pair; heads side by side",
	 .by_layer = SHARE_BY_LAYER, .demo = {.make = make_pairs},
	 .paper = {FILL_NORMAL, .formula = "sqrt(2 / (2 t_max))"}},
	CONVOLUTED_LEAVES,
	{0},
};

struct dufter_abs_state {
	struct convoluted_state convoluted;
	const struct index *key; /* [n,n]: the key's position */
	struct node *p;		 /* for the queries' positions [n, h·t_max] */
};

static long key_row(const void *rows, size_t t, size_t s)
{
	(void)t;
	return ((const int32_t *)rows)[s];
}

static bool dufter_abs_prepare(struct run *run, const struct member *m, struct err *err)
{
	const size_t n = run->model->config.t_max;
	struct dufter_abs_state *state = run_state(run, m, sizeof *state);
	const int32_t *rows = run_rows(run, m, n, err);
	if (!rows)
		return false;
	state->key = run_index_places(run, m, "key's position", n, key_row, rows, err);
	state->p = tape_gather_rows(run->tape, run_leaf(run, m, "p"), rows, run->n);
	return state->key && convoluted_fill(run, m, &state->convoluted, err);
}

static bool dufter_abs_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct dufter_abs_state *state = head_state(head, m);
	struct node *p =
		share_slice(head, convoluted_share(m), state->p, head->run->model->config.t_max);
	head_add_indexed(head, "P", TERM_POSITION, p, state->key, GATHER_BY_ROW, 1);
	return true;
}

/* Returns the memory of the rows that the input reads, in every step. */
static double dufter_abs_memory(const struct model *model, const struct member *m,
				const struct model_input *in, unsigned kinds)
{
	const struct model_config *config = &model->config;
	const double tables = convoluted_share(m) == SHARE_HEAD ? 1 : (double)config->heads;
	return convoluted_memory(model, m, in, kinds) +
	       8 * (double)model->n_steps * (double)in->axis.n * tables * (double)config->t_max;
}

const struct scheme scheme_dufter_abs[] = {
	{
		.id = "dufter_abs",
		.aliases = "dufter-abs direct-abs",
		.title = "Absolute position biases",
		.formula = "A_ts = q_t·k_s / √d_h + P_ts",
		CONVOLUTED,
		.recipe =
			"term.P[t,s] = param.dufter_abs.p[t, H * t_max + s], without H * "
			"t_max with share=head, t and s in the member's column; " CONVOLUTED_RECIPE,
		.about = "A learned number for every pair of positions: the freest position bias "
			 "there is, of which any other of a fixed length is a special case.",
		.ref = REF_ABSOLUTE,
		.leaves = dufter_abs_leaves,
		.demo_note =
			"heads 1, 3, … P = 2 exp(−|s−t|/w): near; 2, 4, … ±(1 − exp(−|s−t|/w)): "
			"past; w = 2, 4, 8, 16 for two heads each; 2 for the first "
			"position; " CONVOLUTED_NOTE,
		.params = dufter_abs_params,
		.hooks = {CONVOLUTED_HOOKS, .prepare = dufter_abs_prepare,
			  .logits = dufter_abs_logits, .memory = dufter_abs_memory},
	},
	{0},
};
