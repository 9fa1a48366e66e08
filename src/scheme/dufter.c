/* dufter.c: a learned number for each pair of positions, or for each distance, added to the logits
 * (Dufter, Schmitt, Schütze 2020).
 *
 *   A_ts = c q_t·k_s + P_ts   and   A_ts = c q_t·k_s + R_{(t-s) mod 2n}
 *
 * with learned temperatures and a convolution of the weights where asked for (convoluted.h). The code
 * has one head and one layer of them; here every head has a table and layers share unless told
 * otherwise. R is the first column of a circulant of size 2n of which the corner is used, so entry
 * n is never read. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/convoluted.h"
#include "scheme/inject.h"
#include "scheme/near_past.h"

struct dufter {
	int share;
	struct convoluted convoluted;
};

struct dufter_state {
	struct injected r;
	const struct index *key; /* [n,n]: key's place */
	struct node *p;		 /* of the queries' places [n, h·t_max] */
	struct convoluted_state convoluted;
};

static enum share share_of(const struct member *m)
{
	const struct dufter *p = m->param;
	return (enum share)p->share;
}

static const struct convoluted *convoluted_of(const struct member *m)
{
	const struct dufter *p = m->param;
	return &p->convoluted;
}

/* ---- leaves ---- */

/* Heads in turn are near or past; the first position is what no relative table can point at. */
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

static void make_distances(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	const long n = (long)at.rows / 2;
	for (long i = 0; i < 2 * n; i++)
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, (size_t)i)[h] = near_past(h, i < n ? -i : 2 * n - i);
}

/* ---- hooks ---- */

static bool dufter_qk(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct dufter_state *state = head_state(head, m);
	convoluted_qk(head, &state->convoluted);
	return true;
}

static bool dufter_values(struct head *head, const struct member *m, struct err *err)
{
	const struct dufter_state *state = head_state(head, m);
	return convoluted_values(head, m, &state->convoluted, err);
}

static double dufter_memory(const struct model *model, const struct member *m,
			    const struct model_input *in, unsigned kinds)
{
	(void)kinds;
	return convoluted_memory(model, in, convoluted_of(m));
}

static bool dufter_adds(const struct member *m)
{
	return !convoluted_of(m)->temperature;
}

static long key_row(const void *rows, size_t t, size_t s)
{
	(void)t;
	return ((const int32_t *)rows)[s];
}

static bool abs_prepare(struct run *run, const struct member *m, struct err *err)
{
	const size_t n = run->model->config.t_max;
	struct dufter_state *state = run_state(run, m, sizeof *state);
	const int32_t *rows = run_rows(run, m, n, err);
	if (!rows)
		return false;
	state->key = run_index_places(run, m, "key's place", n, key_row, rows, err);
	state->p = tape_gather_rows(run->tape, run_leaf(run, m, "p"), rows, run->n);
	return state->key != NULL &&
	       convoluted_prepare(run, m, convoluted_of(m), &state->convoluted, err);
}

static bool abs_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct dufter_state *state = head_state(head, m);
	struct node *p = share_slice(head, share_of(m), state->p, head->run->model->config.t_max);
	head_add_indexed(head, "P", TERM_POSITION, p, state->key, GATHER_BY_ROW, 1);
	return true;
}

/* The rows of the table that the input reads, in every step. */
static double abs_memory(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds)
{
	const double tables = share_of(m) == SHARE_HEAD ? 1 : (double)model->config.heads;
	return dufter_memory(model, m, in, kinds) + 8 * (double)model->n_steps *
							    (double)in->axis.n * tables *
							    (double)model->config.t_max;
}

/* (t - s) mod 2n */
static long circulant(const struct encoding *e, long delta)
{
	return delta <= 0 ? -delta : e->most + 1 - delta;
}

/* Keras' glorot_normal: variance 2 over the sum of both sizes, or of two roots for a vector. */
static size_t rel_injects(const struct model *model, const struct member *m, struct inject *out)
{
	const long rows = 2 * (long)model->config.t_max;
	*out = (struct inject){
		.at = INJECT_ADD,
		.by = {.title = "(t − s) mod 2 t_max",
		       .number = circulant,
		       .most = rows - 1,
		       .bounded = true},
		.leaf = "r",
		.label = "R",
		.share = share_of(m),
		.demo = {.make = make_distances},
		.paper = {.fill = FILL_NORMAL, .value = sqrt(2 / (2 * sqrt((double)rows)))}};
	return 1;
}

static bool rel_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct dufter_state *state = run_state(run, m, sizeof *state);
	return inject_fill(run, m, &state->r, err) &&
	       convoluted_prepare(run, m, convoluted_of(m), &state->convoluted, err);
}

/* ---- descriptors ---- */

static const struct param dufter_params[] = {
	SHARE_PARAM(struct dufter, SHARE_LAYER),
	CONVOLUTED_PARAMS(struct dufter, convoluted),
	{0},
};

#define CITE                                                                                      \
	"Dufter, Schmitt, Schütze: Increasing learning efficiency of self-attention networks "   \
	"through direct position interactions, learnable temperature, and convoluted attention. " \
	"COLING 2020"
#define EVIDENCE                                                                                \
	"pdufter/convatt 7307daf, selfattention.py, seqlabel.py: positions in the first layer " \
	"alone (layers=1). conv is its two-dimensional form with relu; the other, with a "      \
	"matrix for each offset of rows, is left out"
#define HOOKS .qk = dufter_qk, .values = dufter_values, .modulates = true, .only_adds = dufter_adds

static const struct leaf_row dufter_abs_leaves[] = {
	{"p", "t_max, " SHARE_COPIES " t_max",
	 "row t, column s: added to the logits of that pair; heads side by side",
	 .by_layer = SHARE_BY_LAYER, .demo = {.make = make_pairs},
	 .paper = {FILL_NORMAL, .formula = "sqrt(2 / (2 t_max))"}},
	CONVOLUTED_LEAVES,
	{0},
};

static const struct leaf_row dufter_rel_leaves[] = {
	{"r", NULL, "row (t − s) mod 2 t_max: added to the logits, a column for each head"},
	CONVOLUTED_LEAVES,
	{0},
};

const struct scheme scheme_dufter[] = {
	{
		.id = "dufter_abs",
		.aliases = "dufter-abs direct-abs",
		.title = "Absolute position biases",
		.formula = "A_ts = q_t·k_s / √d_h + P_ts",
		.authors = "Dufter et al.",
		.cite = CITE,
		.recipe =
			"term.P[t,s] = param.dufter_abs.p[t, H * t_max + s], without H * "
			"t_max with share=head, t and s in the member's column; " CONVOLUTED_RECIPE,
		.about = "A learned number for every pair of positions is added to the logit. It "
			 "is the freest position bias there is: any other bias of a fixed length "
			 "is a special case of it.",
		.year = 2020,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_MATRIX,
		.leaves = dufter_abs_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = EVIDENCE,
		.demo_note =
			"heads 1, 3, … P = 2 exp(−|s−t|/w): near; 2, 4, … ±(1 − exp(−|s−t|/w)): "
			"past; w = 2, 4, 8, 16 for two heads each; 2 for the first "
			"position; " CONVOLUTED_NOTE,
		.params = dufter_params,
		.param_size = sizeof(struct dufter),
		.hooks = {.declare = leaves_declare,
			  .prepare = abs_prepare,
			  .logits = abs_logits,
			  .memory = abs_memory,
			  HOOKS},
	},
	{
		.id = "dufter_rel",
		.aliases = "dufter-rel direct-rel circulant",
		.title = "Relative position biases",
		.formula = "A_ts = q_t·k_s / √d_h + R_{(t−s) mod 2 t_max}",
		.authors = "Dufter et al.",
		.cite = CITE,
		.recipe = "term.R[t,s] = param.dufter_rel.r[(t - s) mod 2 t_max, H], column "
			  "0 with share=head; " CONVOLUTED_RECIPE,
		.about = "A learned number for each distance is added to the logit: the corner of "
			 "a circulant matrix, which gives every diagonal one value.",
		.year = 2020,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = dufter_rel_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = EVIDENCE,
		.demo_note =
			"heads 1, 3, … R = 2 exp(−|s−t|/w): near; 2, 4, … ±(1 − exp(−|s−t|/w)): "
			"past; w = 2, 4, 8, 16 for two heads each; " CONVOLUTED_NOTE,
		.params = dufter_params,
		.param_size = sizeof(struct dufter),
		.hooks = {.injects = rel_injects,
			  .declare = inject_declare,
			  .relation = inject_relation,
			  .prepare = rel_prepare,
			  .logits = inject_logits,
			  .memory = dufter_memory,
			  HOOKS},
	},
	{0},
};
