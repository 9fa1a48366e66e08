/* spe_conv.c: stochastic positional encoding with filters (Liutkus et al. 2021, convSPE).
 *
 *   A_ts = c Σ_j q_tj k_sj [g_j + (1-g_j) P_j(t-s)],  P_j(t-s) = Σ_p a_jp b_j,p+t-s
 *
 * White noise is filtered by one filter for the queries and one for the keys; the covariance
 * between two positions is P, the correlation of the filters. In the limit of many draws P is
 * read for every pair. */
#include <math.h>

#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/spe_conv.h"

/* P decreases as exp(-|t-s|/τ): on the head's own side with τ = 2, 4, 8, 16 in turn, on the
 * other with 1. The key's kernel, value 0, determines the keys before the query, the query's
 * kernel those after it. */
static void make_kernel(struct mat at, const struct leaf_maker *of)
{
	const size_t dk = of->model->dk;
	const bool behind = of->value > 0;
	for (size_t r = 0; r < at.rows; r++) {
		const bool own = (r / dk % 2 == 0) == behind;
		const double tau = (double)(2 << r % dk % 4);
		const double keep = exp(-1 / (own ? tau : 1)), other = exp(-1 / (own ? 1 : tau));
		double x = sqrt(1 - keep * other);
		for (size_t p = 0; p < at.cols; p++, x *= keep)
			mat_row(at, r)[p] = x;
	}
}

static double make_paper_kernel(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row, (void)col;
	return rng_uniform(of->rng) / sqrt((double)of->cols / 2);
}

/* Computes Σ_p a[j][p] b[j][p + lag] for every feature, [d,1]. */
static struct node *correlate(struct tape *t, struct node *a, struct node *b, long lag)
{
	const size_t far = (size_t)(lag < 0 ? -lag : lag), left = a->v.cols - far, d = a->v.rows;
	struct node *x = tape_slice(t, a, 0, d, lag < 0 ? far : 0, left);
	struct node *y = tape_slice(t, b, 0, d, lag < 0 ? 0 : far, left);
	return tape_row_sum(t, tape_mul(t, x, y));
}

static long reach_of(struct run *run, const struct member *m, struct err *err)
{
	const struct spe_conv *p = m->param;
	long lo, hi;
	if (!run_delta_range(run, m, &lo, &hi, err))
		return -1;
	return hi < p->kernel - 1 ? hi : p->kernel - 1;
}

/* Returns [2·reach+2, d]: P for t - s from -reach to reach, and a row of zeros. When viewing,
 * the products of a lag are freed as soon as they are summed. */
static struct node *build_table(struct run *run, const struct member *m, struct err *err)
{
	const long reach = reach_of(run, m, err);
	if (reach < 0)
		return NULL;
	struct node *a = run_leaf(run, m, "conv_k"), *b = run_leaf(run, m, "conv_q");
	const size_t d = a->v.rows, lags = 2 * (size_t)reach + 1;
	struct tape *t = run->tape;
	struct node **columns = arena_calloc(run->arena, lags + 1, sizeof(struct node *));
	struct arena scratch;
	arena_init(&scratch);
	for (size_t i = 0; i < lags; i++) {
		struct tape own;
		tape_init(&own, &scratch, false);
		const long lag = (long)i - reach;
		columns[i] = correlate(t->recording ? t : &own, a, b, lag);
		if (!t->recording)
			columns[i] = tape_const(t, mat_copy(run->arena, columns[i]->v));
		tape_count_all(t, &own);
		arena_clear(&scratch);
	}
	arena_release(&scratch);
	columns[lags] = tape_const(t, mat_zero(run->arena, d, 1));
	return tape_transpose(t, tape_concat_cols(t, columns, lags + 1));
}

/* The table of the first input of a tape: that of a shorter one is a part of it. */
struct first_table {
	long reach;
	struct node *table;
};

static const void *build_first(struct run *run, const struct member *m, const void *context,
			       struct arena *own, struct err *err)
{
	(void)context;
	struct first_table *const out = arena_alloc(own, sizeof *out);
	*out = (struct first_table){reach_of(run, m, err), build_table(run, m, err)};
	return out->table ? out : NULL;
}

/* Sets the table and the distance that it reaches, at least that of this input. */
static bool find_table(struct run *run, const struct member *m, struct spe_conv_state *state,
		       struct err *err)
{
	static const struct cached what = {.name = "first P", .build = build_first};
	if (run->tape->recording) {
		const struct first_table *const first = run_cached_block(run, m, &what, err);
		if (!first)
			return false;
		if (first->reach >= state->reach) {
			state->reach = first->reach;
			state->table = first->table;
			return true;
		}
	}
	return (state->table = run_cached(run, m, "P", false, build_table, err)) != NULL;
}

static long table_row(const void *context, long delta)
{
	const long reach = *(const long *)context, far = -delta;
	return far < -reach || far > reach ? 2 * reach + 1 : far + reach;
}

static bool conv_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct spe_conv *p = m->param;
	struct spe_conv_state *state = run_state(run, m, sizeof *state);
	state->conv_q = run_leaf(run, m, "conv_q");
	state->conv_k = run_leaf(run, m, "conv_k");
	state->gate = p->gated ? run_leaf(run, m, "gate") : NULL;
	state->reach = reach_of(run, m, err);
	if (state->reach < 0 || (p->samples == 0 && !find_table(run, m, state, err)))
		return false;
	state->row = run_index_delta(run, m, "distance", 2 * (size_t)state->reach + 2, table_row,
				     &state->reach, err);
	if (!state->row)
		return false;
	return p->samples == 0 || (state->taps = spe_conv_taps(run, m, err)) != NULL;
}

/* The limit of many draws is added to the plain product: c Σ_j q_tj k_sj [g + (1-g)P - 1]. */
static bool conv_adjust(struct head *head, const struct member *m, struct err *err)
{
	const struct spe_conv *p = m->param;
	const struct spe_conv_state *s = head_state(head, m);
	struct tape *t = head->tape;
	if (p->samples > 0)
		return true;
	if (!head_needs_width(head, m, err))
		return false;
	const struct spe_gate g = spe_gate_of(head, s->gate);
	struct node *by = tape_add_scalar(t, head_slice(head, s->table, head->run->model->dk), -1);
	if (g.apart)
		by = tape_mul(t, by, tape_mul(t, g.apart, g.apart));
	struct node *q = tape_scale(t, head->q, head_scale(head));
	head_add_term(head, "noise − 1", TERM_OTHER, tape_triple(t, q, head->k, by, s->row));
	return true;
}

static const struct param conv_params[] = {
	NUMBER_PARAM(struct spe_conv, kernel, 200, 1, SPE_CONV_MAX_KERNEL, 1,
		     "taps of the filters: positions at a greater distance share no noise"),
	SPE_GATED_PARAM(struct spe_conv),
	SPE_SAMPLES_PARAM(struct spe_conv),
	{0},
};

static const struct claim conv_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "noise is drawn from the least position on: a shift of all moves nothing, but only the mean over "
	 "draws is a function of s − t",
	 "samples > 0"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "positions beyond the filters share no noise, but noise is another at each of them",
	 "samples > 0"},
	{0},
};

static const struct leaf_row spe_conv_leaves[] = {
	{"conv_q", "h d_h, kernel", "row of a column of q: the filter of its noise",
	 .by_layer = ALL_LAYERS, .demo = {.make = make_kernel, .value = 1},
	 .paper = {.entry = make_paper_kernel}},
	{"conv_k", "h d_h, kernel", "the same of k", .by_layer = ALL_LAYERS,
	 .demo = {.make = make_kernel}, .paper = {.entry = make_paper_kernel}},
	SPE_GATE_LEAF,
	{0},
};

const struct scheme scheme_spe_conv[] = {
	{
		.id = "spe_conv",
		.aliases = "convspe spe-conv",
		.title = "Stochastic positional encoding, filters",
		.formula = "A_ts = Σ_j q_tj k_sj [g_j + (1−g_j) P_j] / √d_h,  P_j = Σ_p a_{jp} "
			   "b_{j,p+t−s}",
		.authors = "Liutkus et al.",
		.cite = SPE_CITE,
		.recipe = "with samples=0 the terms are those of q and k and what P adds to them; "
			  "together c times the sum over features j of q[t,j] k[s,j] (g + (1 - g) "
			  "P[j](t - s)), g = sigmoid(gate), P = the sum over p of conv_k[j,p] "
			  "conv_q[j,p+t-s]; with samples q[t] is the sum over j of q_raw[t,j] "
			  "(sqrt(1 - g) (the sum over p of conv_k[j,p] z[t+p]) + sqrt(g) z[last]) "
			  "/ sqrt(samples), z = member.spe_conv.noise.H.j, t from the least "
			  "position, and k of k_raw and conv_q",
		.about = "White noise is filtered once for queries and once for keys, feature by "
			 "feature; two positions share as much of it as the filters overlap. "
			 "Beyond their length only the gate is left.",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = spe_conv_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "aliutkus/spe 3aa364b, where the filter named conv_q makes the "
				 "keys' code and conv_k the queries'",
		.demo_note = "P is exp(−|t−s|/τ): keys behind the query in odd heads, ahead of it "
			     "in even ones, with τ = 2, 4, 8, 16 in turn, the other side with 1; g "
			     "= 0.12",
		.claims = conv_claims,
		.params = conv_params,
		.param_size = sizeof(struct spe_conv),
		.hooks = {.declare = leaves_declare,
			  .prepare = conv_prepare,
			  .qk = spe_conv_qk,
			  .relation = encoding_relate_signed,
			  .adjust = conv_adjust,
			  .memory = spe_conv_memory,
			  .modulates = true,
			  .matrices = 1},
	},
	{0},
};
