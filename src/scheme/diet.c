/* diet.c: decoupled positional attention (Chen et al. 2021): positions and segments meet in the
 * logits alone, head by head, and are not divided by √d_h.
 *
 *   abs     A_ts = c q_t·k_s + (P_Q P_Kᵀ)_ts + E_S(S(t), S(s))
 *   rel     A_ts = c q_t·k_s + R_{t-s} + E_S(S(t), S(s))
 *   abslin  A = c (X W_q)((E X) W_k)ᵀ + P_Q P_Kᵀ with k < n keys, values (E' X) W_v (Linformer)
 *
 * P_Q P_Kᵀ is multiplied out in every head: it costs what q·k costs, and keeping it for all heads and
 * layers would take their matrices. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/near_past.h"

struct diet {
	long rank, segments, keys;
	int share;
};

struct diet_state {
	struct injected segments; /* of diet_abs */
	struct node *p_q, *p_k;	  /* [n, h·rank], [keys, h·rank] */
};

static enum share share_of(const struct member *m)
{
	const struct diet *p = m->param;
	return (enum share)p->share;
}

static size_t rank_of(const struct model *model, const struct member *m)
{
	const struct diet *p = m->param;
	return p->rank > 0 ? (size_t)p->rank : model->dk;
}

/* ---- leaves ---- */

static const double pi = 3.14159265358979323846;

/* Component j of the vector for place x: the first one points at position 0, the others are pairs of
 * waves, periods 3 to 24, so that equal places meet in a product of 4 and far ones in little. */
static double wave(size_t j, size_t rank, double x)
{
	const size_t pairs = (rank - 1) / 2, pair = (j - 1) / 2;
	if (pair >= pairs)
		return 0;
	const double step = pairs > 1 ? (double)pair / (double)(pairs - 1) : 0.5;
	const double angle = 2 * pi * x / (3 * pow(8, step));
	return sqrt(4 / (double)pairs) * (j % 2 == 1 ? cos(angle) : sin(angle));
}

static void make_queries(struct mat at, const struct leaf_maker *of)
{
	const size_t rank = rank_of(of->model, of->m);
	for (size_t t = 0; t < at.rows; t++)
		for (size_t col = 0; col < at.cols; col++)
			mat_row(at, t)[col] =
				col % rank == 0 ? 2 : wave(col % rank, rank, (double)t);
}

/* Head i, from 0, looks i modulo 4 places back and one more. */
static void fill_keys(struct mat at, size_t rank, double first, double step)
{
	for (size_t s = 0; s < at.rows; s++)
		for (size_t col = 0; col < at.cols; col++) {
			const double back = (double)(share_head(col, rank) % 4 + 1);
			mat_row(at, s)[col] =
				col % rank == 0
					? s == 0
					: wave(col % rank, rank, first + step * (double)s + back);
		}
}

static void make_keys(struct mat at, const struct leaf_maker *of)
{
	fill_keys(at, rank_of(of->model, of->m), 0, 1);
}

/* Key s stands for positions 2s and 2s + 1. */
static void make_pair_keys(struct mat at, const struct leaf_maker *of)
{
	fill_keys(at, rank_of(of->model, of->m), 0.5, 2);
}

static void make_distances(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.rows; i++)
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, i)[h] = near_past(h, (long)(at.rows / 2) - (long)i);
}

/* Nothing within a segment; even heads are shut to the segments before, odd ones to those behind. */
static void make_segments(struct mat at, const struct leaf_maker *of)
{
	const struct diet *p = of->m->param;
	for (size_t i = 0; i < at.rows; i++) {
		const long from = (long)i / p->segments, to = (long)i % p->segments;
		for (size_t h = 0; h < at.cols; h++)
			mat_row(at, i)[h] = from == to ? 0 : (to < from) == (h % 2 == 0) ? -4 : -1;
	}
}

/* Mean of positions 2m and 2m + 1, and again every 2k positions. */
static void make_pooling(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	for (size_t s = 0; s < at.rows; s++)
		mat_row(at, s)[s / 2 % at.cols] = 0.5;
}

static const struct leaf_init small = {.fill = FILL_NORMAL, .value = 0.02};

static bool abs_declare(struct model *model, const struct member *m, struct err *err)
{
	static const struct leaf_init queries = {.make = make_queries}, keys = {.make = make_keys};
	const size_t n = model->config.t_max, rank = rank_of(model, m);
	return share_leaf(model, m, share_of(m), "p_q", n, rank, queries, small, err) &&
	       share_leaf(model, m, share_of(m), "p_k", n, rank, keys, small, err) &&
	       inject_declare(model, m, err);
}

/* ---- numbers of pairs ---- */

static size_t segment_injects(const struct model *model, const struct member *m, struct inject *out)
{
	(void)model;
	const struct diet *p = m->param;
	*out = (struct inject){.at = INJECT_ADD,
			       .by = encoding_segments(p->segments),
			       .leaf = "e_s",
			       .label = "E_S",
			       .kind = TERM_OTHER,
			       .share = share_of(m),
			       .demo = {.make = make_segments},
			       .paper = small};
	return p->segments > 0;
}

static size_t rel_injects(const struct model *model, const struct member *m, struct inject *out)
{
	*out = (struct inject){.at = INJECT_ADD,
			       .by = encoding_signed(true, (long)model->config.t_max - 1),
			       .leaf = "r",
			       .label = "R",
			       .share = share_of(m),
			       .demo = {.make = make_distances},
			       .paper = small};
	out->by.bounded = out->by.reached = true;
	return 1 + segment_injects(model, m, out + 1);
}

/* ---- hooks ---- */

static bool abs_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct diet_state *state = run_state(run, m, sizeof *state);
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (!rows || !inject_fill(run, m, &state->segments, err))
		return false;
	state->p_q = tape_gather_rows(run->tape, run_leaf(run, m, "p_q"), rows, run->n);
	state->p_k = tape_gather_rows(run->tape, run_leaf(run, m, "p_k"), rows, run->n);
	return true;
}

static bool abs_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct diet_state *state = head_state(head, m);
	const size_t rank = rank_of(head->run->model, m);
	struct node *p_q = share_slice(head, share_of(m), state->p_q, rank);
	struct node *p_k = share_slice(head, share_of(m), state->p_k, rank);
	head_add_term(head, "P_Q–P_K", TERM_POSITION,
		      tape_matmul(head->tape, p_q, false, p_k, true, 1));
	return inject_logits(head, m, err);
}

/* ---- Linformer's keys ---- */

/* Every part becomes Eᵀ part: what is added before the projections is shortened with the units. */
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

/* ---- descriptors ---- */

#define RANK_PARAM                                                                                \
	NUMBER_PARAM(struct diet, rank, 0, 0, 1024, 1,                                            \
		     "d_p: the largest rank that P_Q P_K^T can have; 0: d_h; 128 is best in the " \
		     "paper")
#define SEGMENTS_PARAM                                   \
	NUMBER_PARAM(struct diet, segments, 2, 0, 64, 1, \
		     "segments that the table E_S knows, parted by ||| in the text; 0: no E_S")

static const struct param abs_params[] = {
	RANK_PARAM,
	SEGMENTS_PARAM,
	SHARE_PARAM(struct diet, SHARE_LAYER),
	{0},
};

static const struct param rel_params[] = {
	SEGMENTS_PARAM,
	SHARE_PARAM(struct diet, SHARE_NONE),
	{0},
};

static const struct param lin_params[] = {
	NUMBER_PARAM(struct diet, keys, 4, 1, 1024, 1,
		     "k: keys and values that are left; 32 and 256 in the paper, of 128 and 512 "
		     "tokens"),
	RANK_PARAM,
	SHARE_PARAM(struct diet, SHARE_LAYER),
	{0},
};

#define COMMON                                                                           \
	.authors = "Chen et al.",                                                        \
	.cite = "Chen, Tsai, Bhojanapalli, Chung, Chang, Ferng: A simple and effective " \
		"positional encoding for Transformers. EMNLP 2021",                      \
	.year = 2021, .table2 = TABLE2_ANALYSIS, .inj = INJ_MATRIX,                      \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,             \
	.evidence = EVIDENCE_PAPER, .param_size = sizeof(struct diet)
#define NO_CODE "; √d there is read as √d_h; E_S is shared as the positions are; no code was found"
#define SEGMENTS_NOTE                                                                                    \
	"; E_S = 0 in the own segment, −4 to those before and −1 to those behind (heads 2, 4, …: " \
	"the other way round)"
#define WAVES_NOTE                                                                                \
	"P_Q P_K^T is 4 at one place back (2, 3, 4 by head in turn), from waves of periods 3 to " \
	"24, and 2 for the first position"

static const struct leaf_row diet_abs_leaves[] = {
	{"p_q", NULL, "row t: factor of the query's position; heads side by side in columns"},
	{"p_k", NULL, "row s: factor of the key's position; heads side by side in columns"},
	{"e_s", NULL,
	 "row S(t) segments + S(s): added to the logits of two segments, a column for each head"},
	{0},
};

static const struct leaf_row diet_rel_leaves[] = {
	{"r", NULL,
	 "row t_max − 1 + (t − s): added to the logits at that distance, a column for each head"},
	{"e_s", NULL,
	 "row S(t) segments + S(s): added to the logits of two segments, a column for each head"},
	{0},
};

#define RANKS SHARE_COPIES " (rank ? rank : d_h)"
/* Linformer draws its projections with variance 1 over the number of keys. */
#define POOLING                                                 \
	.by_layer = EACH_LAYER, .demo = {.make = make_pooling}, \
	.paper = {FILL_NORMAL, .formula = "1 / sqrt(keys)"}

static const struct leaf_row diet_abslin_leaves[] = {
	{"e_key", "t_max, keys",
	 "row s: what the key of position s gives to each of the fewer keys", POOLING},
	{"e_value", "t_max, keys", "the same of values", POOLING},
	{"p_q", "t_max, " RANKS,
	 "row t: factor of the query's position; heads side by side in columns",
	 .by_layer = SHARE_BY_LAYER, .demo = {.make = make_queries}, .paper = {FILL_NORMAL, 0.02}},
	{"p_k", "keys, " RANKS,
	 "row of a key that is left: its factor; heads side by side in columns",
	 .by_layer = SHARE_BY_LAYER, .demo = {.make = make_pair_keys},
	 .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_diet[] = {
	{
		.id = "diet_abs",
		.aliases = "diet-abs diet",
		.title = "Decoupled absolute positional attention",
		.formula = "A_ts = q_t·k_s / √d_h + (P_Q P_K^T)_ts + E_S(S(t), S(s))",
		COMMON,
		.leaves = diet_abs_leaves,
		.recipe = "term.P_Q–P_K[t,s] = p_q[t] · p_k[s] of head H's columns of "
			  "param.diet_abs.p_q and p_k (all columns with share=head), t and s in "
			  "the member's column; term.E_S[t,s] = param.diet_abs.e_s[row, H], row = "
			  "member.diet_abs.index.segments",
		.about = "Every head owns vectors of positions whose products are added to its "
			 "logits, and a table of segments. Nothing of it enters the units, so the "
			 "rank of the logits is not bounded by the width of a head.",
		.ref = REF_ABSOLUTE,
		.evidence_note =
			"eq. 1 and 2, sharing layer-wise as section 4.4 recommends" NO_CODE,
		.demo_note = WAVES_NOTE SEGMENTS_NOTE,
		.segments_when = "segments > 0",
		.params = abs_params,
		.hooks = {.injects = segment_injects,
			  .declare = abs_declare,
			  .prepare = abs_prepare,
			  .logits = abs_logits,
			  .matrices = 2},
	},
	{
		.id = "diet_rel",
		.aliases = "diet-rel",
		.title = "Decoupled relative positional attention",
		.formula = "A_ts = q_t·k_s / √d_h + R_{t−s} + E_S(S(t), S(s))",
		COMMON,
		.leaves = diet_rel_leaves,
		.recipe = "term.R[t,s] = param.diet_rel.r.L[t - s + t_max - 1, H], column 0 with "
			  "share=head and no .L with share=layer",
		.about = "T5's bias without its buckets: every head of every layer learns a number "
			 "for each distance, and a table of segments, and adds both to its logits.",
		.ref = REF_RELATIVE,
		.evidence_note = "eq. 3, without sharing as section 4.4 recommends" NO_CODE,
		.demo_note =
			"heads 1, 3, … R = 2 exp(−|s−t|/w): near; 2, 4, … ±(1 − exp(−|s−t|/w)): "
			"past; w = 2, 4, 8, 16 for two heads each" SEGMENTS_NOTE,
		.segments_when = "segments > 0",
		.params = rel_params,
		.hooks = {INJECT_HOOKS(rel_injects), .matrices = 1},
	},
	{
		.id = "diet_abslin",
		.aliases = "diet-abslin",
		.title = "Decoupled positions for shortened keys",
		.formula = "A = X W_q ((E X) W_k)^T / √d_h + P_Q P_K^T,  M = SoftMax(A) (E' X) W_v",
		COMMON,
		.leaves = diet_abslin_leaves,
		.recipe = "k = E @ input @ w_k and v = E' @ input @ w_v, E[m,s] = "
			  "param.diet_abslin.e_key.L[s,m] and E' of e_value",
		.about = "On top of Linformer, which mixes the sequence down to k keys: a key then "
			 "stands for no single position, and still every head can say which of "
			 "them it wants from where.",
		.ref = REF_ABSOLUTE,
		.evidence_note = "eq. 4, its width d read as h heads of d_h; E for keys and E' for "
				 "values one per layer, as in Linformer; no code was found",
		.demo_note = "E averages positions 2m and 2m + 1, and again every 2k; " WAVES_NOTE,
		.params = lin_params,
		.hooks = {.declare = leaves_declare,
			  .project = lin_project,
			  .prepare = lin_prepare,
			  .logits = abs_logits,
			  .matrices = 2,
			  .shortens = true},
	},
	{0},
};
