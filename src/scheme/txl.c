/* txl.c: Transformer-XL's relative attention (Dai et al. 2019), and XLNet's (Yang et al. 2019).
 *
 *   A_ts = c [(q_t + b)·k_s + (q_t + e)·(R_{t-s} V_k)]  XLNet: + c (q_t + r)·g_{same or different}
 *
 * R_{t-s} depends on the distance alone, so R V_k is one table with a row for each distance, made
 * once per layer and read by distance. The original shifts rows instead, which leaves other rows'
 * values above the diagonal; reading by distance gives the same below it and R_{t-s} above, which
 * is what XLNet, looking both ways, computes. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"
#include "scheme/sinusoid.h"

/* R V_k of 2 · 16383 + 1 distances at d = 768 takes 200 MB. */
enum { MAX_DISTANCE = 16383 };

struct txl {
	bool causal, untie;
	long clamp;
	bool bi_data, segments; /* XLNet's */
};

struct txl_state {
	const struct index *row; /* [n,n] → row of the table */
	struct node *table;	 /* [2r+1, d]: R V_k for distances -r..r */
	struct node *b, *e;	 /* [h, dk] */
	struct node *ones;	 /* [n,1] */

	const struct index *segment; /* [n,n] → 0: the same segment, 1: another; NULL: off */
	struct node *r, *g;	     /* [h, dk], [2, d] */
};

/* ---- leaves ---- */

/* Column j of head i reads column j·h + i of R: every head gets slow and fast waves alike. */
static void make_spread(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	for (size_t i = 0; i < of->model->config.heads; i++)
		for (size_t j = 0; j < of->model->dk; j++)
			mat_row(at, j * of->model->config.heads + i)[i * of->model->dk + j] = 1;
}

/* As strong as content: c Σ_j e_j of a head is config.content. Even heads (from 0) read the cosines
 * alone: near. Odd heads read the sines alone: past before future. */
static void make_near_or_past(struct mat at, const struct leaf_maker *of)
{
	const size_t h = of->model->config.heads, d = of->model->config.d;
	const double e = 2 * of->model->config.content / (of->model->c * (double)of->model->dk);
	for (size_t i = 0; i < h; i++)
		for (size_t j = 0; j < of->model->dk; j++) {
			const bool is_sine = j * h + i < d / 2;
			mat_row(at, i)[j] = is_sine == (i % 2 == 1) ? e : 0;
		}
}

static void make_content(struct mat at, const struct leaf_maker *of)
{
	const struct model *model = of->model;
	mat_fill_normal(at, model->config.content / model->c / (double)model->dk, of->rng);
}

/* ---- the table of distances ---- */

static bool reach(struct run *run, const struct member *m, long *r, struct err *err)
{
	const struct txl *p = m->param;
	long lo;
	if (!run_delta_range(run, m, &lo, r, err))
		return false;
	if (p->clamp > 0 && *r > p->clamp)
		*r = p->clamp;
	if (*r > MAX_DISTANCE)
		return err_set(
			err,
			"%s makes a row for each distance, and column %s has distances up to %ld; "
			"set clamp, %d at most",
			m->text, m->pos, *r, MAX_DISTANCE);
	return true;
}

/* R [2r+1, d]: row i is the sinusoid of the distance i - r. */
static struct node *build_sinusoids(struct run *run, const struct member *m, struct err *err)
{
	long r;
	if (!reach(run, m, &r, err))
		return NULL;
	return tape_const(run->tape, sinusoid_distances(run->arena, r, run->model->config.d,
							SINUSOID_CONCAT, SINUSOID_PAPER));
}

/* R V_k [2r+1, d] */
static struct node *build_table(struct run *run, const struct member *m, struct err *err)
{
	struct node *r = run_cached(run, m, "R", false, build_sinusoids, err);
	return r ? tape_matmul(run->tape, r, false, run_leaf(run, m, "w_r"), false, 1) : NULL;
}

/* R_{t-s}, or with bi_data R_{s-t}, of the numbers from -r to r that the input reaches. */
static bool encoding_of(struct run *run, const struct member *m, struct encoding *out,
			struct err *err)
{
	const struct txl *p = m->param;
	long r;
	if (!reach(run, m, &r, err))
		return false;
	*out = p->clamp > 0 ? encoding_clipped(!p->bi_data, p->clamp)
			    : encoding_signed(!p->bi_data, r);
	out->least = -r;
	out->most = r;
	return true;
}

static long other_segment(const void *column, size_t t, size_t s)
{
	const double *segment = column;
	return segment[t] < segment[s] || segment[t] > segment[s];
}

/* ---- hooks ---- */

static bool txl_relation(struct run *run, const struct member *m, struct relation *out,
			 struct err *err)
{
	struct encoding e;
	return encoding_of(run, m, &e, err) && encoding_relation(run, m, &e, out, err);
}

static bool txl_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct txl *p = m->param;
	struct txl_state *state = run_state(run, m, sizeof *state);
	struct encoding e;
	if (!encoding_of(run, m, &e, err))
		return false;
	state->row = encoding_index(run, m, &e, err);
	state->table = run_cached(run, m, "R V_k", true, build_table, err);
	state->b = run_leaf(run, m, "r_w_bias");
	state->e = run_leaf(run, m, "r_r_bias");
	const struct mat ones = mat_new(run->arena, run->n, 1);
	mat_fill(ones, 1);
	state->ones = tape_const(run->tape, ones);
	if (p->segments) {
		state->segment = run_index_places(run, m, "segment", 2, other_segment,
						  run_find_column(run, "segment"), err);
		state->r = run_leaf(run, m, "r_s_bias");
		state->g = run_leaf(run, m, "seg_embed");
	}
	return state->row && state->table && (!p->segments || state->segment);
}

/* c (q_t + r)·g_i */
static void add_segments(struct head *head, const struct txl_state *state)
{
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	struct node *r = tape_slice(t, state->r, head->index, 1, 0, dk);
	struct node *q = tape_add(t, head->q_raw, r);
	struct node *by_row = tape_matmul(t, q, false, head_slice(head, state->g, dk), true, 1);
	head_add_indexed(head, "segment", TERM_OTHER, by_row, state->segment, GATHER_BY_ROW,
			 head_scale(head));
}

static bool txl_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct txl_state *state = head_state(head, m);
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	const double c = head_scale(head);
	struct node *table = head_slice(head, state->table, dk);
	struct node *b = tape_slice(t, state->b, head->index, 1, 0, dk);
	struct node *e = tape_slice(t, state->e, head->index, 1, 0, dk);
	if (state->segment)
		add_segments(head, state);
	struct node *key_bias = tape_matmul(t, b, false, head->k_raw, true, c); /* [1,n] */
	if (!head->split) {
		head->logits = tape_accumulate(t, head->logits, key_bias);
		struct node *q = tape_add(t, head->q_raw, e);
		struct node *by_row = tape_matmul(t, q, false, table, true, 1);
		head_add_indexed(head, "position", TERM_OTHER, by_row, state->row, GATHER_BY_ROW,
				 c);
		return true;
	}
	head_add_term(head, "b–key", TERM_POSITION_UNIT,
		      tape_matmul(t, state->ones, false, key_bias, false, 1));
	head_add_indexed(head, "query–R", TERM_UNIT_POSITION,
			 tape_matmul(t, head->q_raw, false, table, true, 1), state->row,
			 GATHER_BY_ROW, c);
	head_add_indexed(head, "e–R", TERM_POSITION, tape_matmul(t, e, false, table, true, 1),
			 state->row, GATHER_SHARED, c);
	return true;
}

/* Beyond `clamp` all is as at it. */
static double txl_reach(const void *param, const struct model_config *config)
{
	const struct txl *p = param;
	const double seen = (double)config->t_max - 1;
	return p->clamp > 0 && (double)p->clamp <= seen ? INFINITY : seen;
}

/* ---- descriptor ---- */

static const struct param txl_params[] = {
	SWITCH_PARAM(struct txl, causal, true,
		     "on: the language model's mask; off: both directions, as in XLNet"),
	SWITCH_PARAM(struct txl, untie, false, "b and e of its own for every layer"),
	NUMBER_PARAM(struct txl, clamp, 0, 0, MAX_DISTANCE, 1,
		     "distances beyond it count as it; 0: none"),
	{0},
};

static const struct param xlnet_params[] = {
	SWITCH_PARAM(struct txl, untie, false,
		     "b, e and r of its own for every layer, as the released models have"),
	NUMBER_PARAM(struct txl, clamp, 0, 0, MAX_DISTANCE, 1,
		     "distances beyond it, either way, count as it; 0: none"),
	SWITCH_PARAM(struct txl, bi_data, false,
		     "R_{s−t} for R_{t−s}: what the second half of a batch is given, read "
		     "backwards"),
	SWITCH_PARAM(struct txl, segments, false,
		     "a vector for keys of the same segment and one for those of another"),
	{0},
};

/* clang-format off */
#define CLAMP_CLAIMS \
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, \
	 "distances beyond clamp count as it, and it is farther than what is measured", \
	 "clamp > 448"}, \
	{CLAIM_UNBOUNDED, ANSWER_NO, "distances beyond clamp count as it", "clamp > 0"}
/* clang-format on */

static const struct claim xlnet_claims[] = {CLAMP_CLAIMS, {0}};

static const struct claim txl_claims[] = {
	CLAMP_CLAIMS,
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with h times the matrix V_k; here V_k is d × d for all heads of a layer "
	 "together"},
	{0},
};

/* The first two are XLNet's alone. */
static const struct leaf_row txl_leaves[] = {
	{"r_s_bias", "h, d_h", "row of a head: r, added to the query before vectors of segments",
	 .by_layer = "untie", .when = "segments", .demo = {.make = make_content},
	 .paper = {FILL_NORMAL, 0.02}},
	{"seg_embed", "2, d",
	 "row 0: of pairs in one segment, row 1: of pairs in two; multiplied by the query",
	 .by_layer = EACH_LAYER, .when = "segments", .demo = {.make = make_content},
	 .paper = {FILL_NORMAL, 0.02}},
	{"r_w_bias", "h, d_h", "row of a head: b, added to the query before keys",
	 .by_layer = "untie", .demo = {.make = make_content}, .paper = {FILL_NORMAL, 0.02}},
	{"r_r_bias", "h, d_h", "row of a head: e, added to the query before vectors of distances",
	 .by_layer = "untie", .demo = {.make = make_near_or_past}, .paper = {FILL_NORMAL, 0.02}},
	{"w_r", "d, d", "V_k, from the sinusoid of a distance to keys", .by_layer = EACH_LAYER,
	 .demo = {.make = make_spread}, .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_txl[] = {
	{
		.id = "txl",
		.aliases = "xl",
		.title = "Transformer-XL",
		.formula = "A_ts = [(q_t + b)·k_s + (q_t + e)·(R_{t−s} V_k)] / √d_h",
		.authors = "Dai et al.",
		.cite = "Dai et al.: Transformer-XL: attentive language models beyond a "
			"fixed-length context. ACL 2019",
		.recipe = "with R_ts = columns of H of layer.L.member.txl.R V_k[row], that is "
			  "member.txl.R @ param.txl.w_r.L, R the [sin | cos] of distances and row "
			  "= member.txl.index.*: term.query–R = c q_raw[t] . R_ts, term.b–key = c "
			  "r_w_bias[H] . k_raw[s], term.e–R = c r_r_bias[H] . R_ts (.L with "
			  "untie=on); with segments term.segment = c (q_raw[t] + r_s_bias[H]) . "
			  "seg_embed.L[0 where t and s are of one segment, else 1]",
		.about = "The sinusoid of the distance takes the place of the key's position, and "
			 "two learned vectors that of the query's. Any distance has a sinusoid, so "
			 "no length is too long.",
		.year = 2019,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = txl_leaves + 2,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "kimiyoung/transformer-xl 44781ed, mem_transformer.py, without "
				 "memory, and to 1.6e-15 with one of 5, tokens in front here, and "
				 "clamp=9",
		.demo_note = "V_k spreads the waves over the heads; e: odd heads read the cosines, "
			     "near, even heads the sines, past; b is drawn",
		.count_printed = "2 d + d^2 l h",
		.claims = txl_claims,
		.params = txl_params,
		.param_size = sizeof(struct txl),
		.hooks = {.declare = leaves_declare,
			  .relation = txl_relation,
			  .prepare = txl_prepare,
			  .mask = mask_causal,
			  .logits = txl_logits,
			  .matrices = 3},
		.reach = txl_reach,
	},
	{
		.id = "xlnet",
		.aliases = "xl-net",
		.title = "XLNet's relative attention",
		.formula = "A_ts = [(q_t + b)·k_s + (q_t + e)·(R_{t−s} V_k)] / √d_h,  all s",
		.authors = "Yang et al.",
		.cite = "Yang, Dai, Yang, Carbonell, Salakhutdinov, Le: XLNet: generalized "
			"autoregressive pretraining for language understanding. NeurIPS 2019",
		.recipe = "with R_ts = columns of H of layer.L.member.xlnet.R V_k[row], that is "
			  "member.xlnet.R @ param.xlnet.w_r.L, R the [sin | cos] of distances and "
			  "row = member.xlnet.index.*: term.query–R = c q_raw[t] . R_ts, "
			  "term.b–key = c r_w_bias[H] . k_raw[s], term.e–R = c r_r_bias[H] . R_ts "
			  "(.L with untie=on); with segments term.segment = c (q_raw[t] + "
			  "r_s_bias[H]) . seg_embed.L[0 where t and s are of one segment, else 1]",
		.about = "Transformer-XL's attention without its mask: the distance t−s has a "
			 "sinusoid for keys behind the query and for keys ahead of it. Sines "
			 "change their sign there, so a head can tell the two apart.",
		.year = 2019,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = txl_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "huggingface/transformers c85510f, modeling_xlnet.py, attn_type "
				 "bi, a port of zihangdai/xlnet; segments as there, those that "
				 "come back too, to 3.6e-15; bi_data as there, its numbers not "
				 "compared",
		.demo_note = "V_k spreads the waves over the heads; e: odd heads read the cosines, "
			     "near, even heads the sines, past; b, r and g are drawn",
		.claims = xlnet_claims,
		.segments_when = "segments",
		.params = xlnet_params,
		.param_size = sizeof(struct txl),
		.hooks = {.declare = leaves_declare,
			  .relation = txl_relation,
			  .prepare = txl_prepare,
			  .logits = txl_logits,
			  .matrices = 3},
		.reach = txl_reach,
	},
	{0},
};
