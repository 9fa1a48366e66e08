/* mla.c: latent attention with a rotated part beside the content (DeepSeek-AI 2024).
 *
 *   [q^C | q^R] = RMS(x W_dq) W_uq,  [c | k^R] = x W_dkv,  [k^C | v] = RMS(c) W_ukv,
 *   A_ts = c (q^C_t·k^C_s + (R_t q^R_t)·(R_s k^R_s))
 *
 * Only c and k^R are kept of a key: k^R is one for all heads, and no norm is taken of it. A head
 * of d_h components has `rope` that rotate and d_h - rope of content. */
#include <math.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/rates.h"
#include "scheme/rope.h"
#include "scheme/rotation.h"

static const double eps = 1e-6; /* of RMS */

struct mla {
	long q_rank, kv_rank, rope;
	int layout; /* enum rope_layout */
	double base, factor, original, beta_fast, beta_slow, mscale, mscale_all_dim;
	bool truncate;
};

struct mla_state {
	size_t content, rope; /* components of a head */
	struct node *q;	      /* [n, h·d_h] */
	struct node *kv;      /* [n, h (content + d_v)] */
	struct node *k_raw;   /* [n, rope], before the rotation */
	struct node *k_rope;  /* [n, rope], rotated */
	struct mat cos, sin;  /* [n, rope/2] */
};

/* Returns μ(m), which YaRN multiplies by. */
static double warm(const struct mla *p, double m)
{
	return p->factor > 1 ? 0.1 * m * log(p->factor) + 1 : 1;
}

static double mla_scale(const struct model *model, const struct member *m)
{
	const struct mla *p = m->param;
	const double mu = warm(p, p->mscale_all_dim);
	return mu > 1 ? mu * mu / sqrt((double)model->dk) : 0;
}

static bool mla_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct mla *p = m->param;
	if ((size_t)p->rope > model->dk)
		return err_set(
			err,
			"rope: %s rotates %ld components of a head, which has %zu; rope=%zu, "
			"or head-dim %ld, would be right",
			m->text, p->rope, model->dk, model->dk / 2 - model->dk / 2 % 2,
			2 * p->rope);
	if (model->kv_heads != model->config.heads)
		return err_set(err,
			       "kv-heads: %s has a key for each of %zu heads, made of one latent; "
			       "kv-heads %zu would be right",
			       m->text, model->config.heads, model->config.heads);
	return leaves_declare(model, m, err);
}

/* ---- projections ----------------------------------------------------------------------------- */

/* x / √(mean of x² + eps), times the weight. */
static struct node *rms(struct tape *t, struct node *x, struct node *weight)
{
	return tape_mul(t, tape_mul(t, x, tape_inverse_rms(t, x, eps)), weight);
}

static struct node *product(struct run *run, const struct member *m, struct node *x,
			    const char *leaf)
{
	return tape_matmul(run->tape, x, false, run_leaf(run, m, leaf), false, 1);
}

/* Returns YaRN of the rotated part, or no scaling. */
static struct rope_scaling scaling_of(const struct mla *p)
{
	return (struct rope_scaling){.named = p->factor > 1 ? SCALING_YARN : SCALING_NONE,
				     .factor = {p->factor},
				     .beta_fast = p->beta_fast,
				     .beta_slow = p->beta_slow,
				     .truncate = p->truncate};
}

static struct rope_wheel wheel_of(const struct mla *p, const struct rope_scaling *scaling,
				  size_t t_max)
{
	const size_t pairs = (size_t)p->rope / 2;
	return (struct rope_wheel){.scaling = scaling,
				   .base = p->base,
				   .pairs = pairs,
				   .rotating = pairs,
				   .trained =
					   p->original > 0 ? fmax(p->original, 1) : (double)t_max};
}

/* Returns the frequencies of the rotated part. */
static const double *rates(struct run *run, const struct mla *p, size_t pairs)
{
	const struct rope_scaling scaling = scaling_of(p);
	const struct rope_wheel w = wheel_of(p, &scaling, run->model->config.t_max);
	double *const rate = arena_calloc(run->arena, pairs + 1, sizeof *rate);
	for (size_t i = 0; i < pairs; i++)
		rate[i] = scaling_frequency(&w, i);
	return rate;
}

/* Returns what cosines and sines are multiplied by. */
static double rotated_factor(const struct mla *p)
{
	return warm(p, p->mscale) / warm(p, p->mscale_all_dim);
}

bool mla_member_rates(const void *param, size_t dk, size_t t_max, double n, struct arena *a,
		      struct member_rates *out)
{
	(void)dk, (void)n;
	const struct mla *p = param;
	const struct rope_scaling scaling = scaling_of(p);
	if (p->rope == 0)
		return false;
	const struct rope_wheel w = wheel_of(p, &scaling, t_max);
	wheel_rates(&w, a, out);
	out->half = p->layout == ROPE_HALF;
	out->attention = rotated_factor(p);
	return true;
}

static void fill_rotation(struct run *run, const struct member *m, struct mla_state *state,
			  const double *position)
{
	const struct mla *p = m->param;
	const size_t pairs = state->rope / 2;
	const double by = rotated_factor(p);
	state->cos = mat_new(run->arena, run->n, pairs);
	state->sin = mat_new(run->arena, run->n, pairs);
	rotation_fill(state->cos, state->sin, position, rates(run, p, pairs));
	for (size_t i = 0; i < run->n * pairs; i++) {
		state->cos.at[i] *= by;
		state->sin.at[i] *= by;
	}
	run_keep(run, m, "cos", state->cos);
	run_keep(run, m, "sin", state->sin);
}

static struct node *turned(struct tape *t, const struct member *m, const struct mla_state *state,
			   struct node *x)
{
	const struct mla *p = m->param;
	return tape_rotate(t, x, state->cos, state->sin, p->layout == ROPE_HALF);
}

/* Puts the member's values in the place of those of its heads. */
static void replace_values(struct run *run, const struct member *m, const struct mla_state *state)
{
	const size_t heads = run->model->config.heads, dv = run->model->dv, n = run->n;
	struct node **parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++)
		parts[i] = member_on_head(m, i)
				   ? tape_slice(run->tape, state->kv, 0, n,
						i * (state->content + dv) + state->content, dv)
				   : tape_slice(run->tape, run->v, 0, n, i * dv, dv);
	run->v = tape_concat_cols(run->tape, parts, heads);
}

/* Returns the name of the member that acted, if it is known, else of one beside m. */
static const char *other_name(const struct model *model, const struct member *m,
			      const struct member *acted)
{
	for (size_t i = 0; !acted && i < model->n_members; i++)
		acted = &model->members[i] != m ? &model->members[i] : NULL;
	return acted ? acted->name : "another member";
}

static bool mla_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct mla *p = m->param;
	struct mla_state *const state = run_state(run, m, sizeof *state);
	const double *position = run_column(run, m, err);
	struct tape *const t = run->tape;
	if (!position)
		return false;
	if (run->q_bias || run->k_bias || run->v_bias)
		return err_set(
			err,
			"%s makes queries, keys and values of its own latent vectors, so what "
			"%s adds to the model's is read by nobody; leave one of them out",
			m->text, other_name(run->model, m, NULL));
	state->rope = (size_t)p->rope - (size_t)p->rope % 2;
	state->content = run->model->dk - state->rope;
	struct node *const x = run_sum_parts(run, &run->xq);
	struct node *const y = run_sum_parts(run, &run->xk);
	struct node *const from =
		p->q_rank > 0 ? rms(t, product(run, m, x, "w_dq"), run_leaf(run, m, "q_norm")) : x;
	state->q = product(run, m, from, "w_uq");
	struct node *const both = product(run, m, y, "w_dkv");
	const size_t rank = (size_t)p->kv_rank;
	struct node *const latent =
		rms(t, tape_slice(t, both, 0, run->n, 0, rank), run_leaf(run, m, "kv_norm"));
	state->kv = product(run, m, latent, "w_ukv");
	fill_rotation(run, m, state, position);
	if (state->rope > 0) {
		state->k_raw = tape_slice(t, both, 0, run->n, rank, state->rope);
		state->k_rope = turned(t, m, state, state->k_raw);
	}
	if (run->v)
		replace_values(run, m, state);
	return true;
}

/* ---- a head ---------------------------------------------------------------------------------- */

/* Returns the columns of the head's queries that rotate, before that. */
static struct node *query_raw(struct head *head, const struct mla_state *state)
{
	const size_t dk = head->run->model->dk, at = head->index * dk + state->content;
	return tape_slice(head->tape, state->q, 0, head->run->n, at, state->rope);
}

static void rotate_beside(struct head *head, const struct member *m, const struct mla_state *state)
{
	struct node *const q = query_raw(head, state);
	head->beside = (struct head_beside){.by = m,
					    .q_raw = q,
					    .k_raw = state->k_raw,
					    .q = turned(head->tape, m, state, q),
					    .k = state->k_rope};
}

/* q and k are those of the content, beside which others rotate; without content they are those. */
static bool mla_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct mla_state *const state = head_state(head, m);
	const size_t n = head->run->n, dk = head->run->model->dk, dv = head->run->model->dv;
	if (head->q != head->q_raw || head->k != head->k_raw)
		return err_set(
			err,
			"%s makes queries and keys of its own, and nobody reads those of the "
			"model, which %s has changed; write %s first, or leave one of them "
			"out",
			m->text, other_name(head->run->model, m, head->changed_by), m->name);
	if (state->content == 0) {
		head->q = turned(head->tape, m, state, query_raw(head, state));
		head->k = state->k_rope;
		return true;
	}
	head->q = tape_slice(head->tape, state->q, 0, n, head->index * dk, state->content);
	head->k = tape_slice(head->tape, state->kv, 0, n, head->index * (state->content + dv),
			     state->content);
	if (state->rope > 0)
		rotate_beside(head, m, state);
	return true;
}

static bool mla_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct head_beside *const beside = &head->beside;
	if (beside->by == m)
		head_add_term(head, "rope", TERM_OTHER,
			      tape_matmul(head->tape, beside->q, false, beside->k, true,
					  head_scale(head)));
	return true;
}

/* Returns the memory of the latent vectors, before, within and after their norms, and of the queries,
 * keys and values that are made of them. */
static double mla_memory(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds)
{
	(void)kinds;
	const struct mla *const p = m->param;
	const double latent = (double)(p->q_rank + p->kv_rank + p->rope);
	const double made = (double)(model->config.heads * (2 * model->dk + model->dv));
	return 8 * (double)in->axis.n * (8 * latent + 3 * made);
}

static double mla_reach(const void *param, const struct model_config *config)
{
	const struct mla *p = param;
	const struct rope_scaling scaling = scaling_of(p);
	return p->rope > 0 ? scaling_reach(wheel_of(p, &scaling, config->t_max)) : INFINITY;
}

static bool mla_check(const void *param, struct err *err)
{
	const struct mla *p = param;
	if (p->rope % 2 != 0)
		return err_set(err,
			       "rope: %ld; pairs of components rotate: an even number is wanted",
			       p->rope);
	return p->beta_fast >= p->beta_slow ||
	       err_set(err,
		       "beta_fast=%g rotations are fewer than beta_slow=%g; fast pairs make more of "
		       "them",
		       p->beta_fast, p->beta_slow);
}

static const struct param mla_params[] = {
	NUMBER_PARAM(
		struct mla, rope, 2, 0, 4096, 2,
		"components of a head that rotate, of head-dim; the others are content. V3: 64 "
		"of 192"),
	NUMBER_PARAM(struct mla, q_rank, 8, 0, 16384, 1,
		     "width of the queries' latent vector; V3: 1536; 0: none, as in V2-Lite"),
	NUMBER_PARAM(struct mla, kv_rank, 8, 1, 16384, 1,
		     "width of the latent vector of keys and values; V3: 512"),
	CHOICE_PARAM(struct mla, layout, ROPE_INTERLEAVED, rope_layout_names,
		     "which components are a pair: neighbours, or halves of those that rotate"),
	RATIO_PARAM(struct mla, base, 10000, 1, 1e300, 10,
		    "B: pair i of rope/2 rotates by B^(-2i/rope) per position"),
	RATIO_PARAM(struct mla, factor, 1, 1, 1e6, 2, "f of YaRN; 1: no scaling; V3: 40"),
	RATIO_PARAM(struct mla, original, 0, 0, 1e9, 2,
		    "L: the length trained on, from 1; 0: t-max; V3: 4096"),
	RATIO_PARAM(struct mla, beta_fast, 32, 1e-3, 1e6, 2,
		    "pairs that make more rotations than this within L keep their frequency"),
	RATIO_PARAM(struct mla, beta_slow, 1, 1e-3, 1e6, 2,
		    "pairs that make fewer rotations than this within L rotate f times slower"),
	SWITCH_PARAM(struct mla, truncate, true,
		     "the ramp between them begins and ends at whole pairs"),
	NUMBER_PARAM(
		struct mla, mscale, 1, 0, 100, 0.1,
		"what rotates is multiplied by μ(mscale)/μ(mscale_all_dim), μ(m) = 0.1 m ln f + "
		"1; V2: 0.707, V3: 1"),
	NUMBER_PARAM(struct mla, mscale_all_dim, 1, 0, 100, 0.1,
		     "all logits are multiplied by μ(mscale_all_dim)^2; a port of V2 leaves that "
		     "out: 0"),
	{0},
};

#define BY_RANK(rank)                                                                   \
	.by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / sqrt(" rank ")"}, \
	.paper = {FILL_NORMAL, 0.02}

static const struct leaf_row mla_leaves[] = {
	{"w_dq", "d, q_rank", "from token vectors to the latent vector of queries",
	 .when = "q_rank > 0", BY_RANK("d")},
	{"q_norm", "1, q_rank", "weight of its norm", .by_layer = EACH_LAYER, .when = "q_rank > 0",
	 .demo = {FILL_CONSTANT, 1}, .paper = {FILL_CONSTANT, 1}},
	{"w_uq", "q_rank + (q_rank == 0) d, h d_h",
	 "to queries, for each head the content, then what rotates",
	 BY_RANK("q_rank + (q_rank == 0) d")},
	{"w_dkv", "d, kv_rank + rope",
	 "from token vectors to the latent vector of keys and values, then to what rotates",
	 BY_RANK("d")},
	{"kv_norm", "1, kv_rank", "weight of the norm of that latent vector",
	 .by_layer = EACH_LAYER, .demo = {FILL_CONSTANT, 1}, .paper = {FILL_CONSTANT, 1}},
	{"w_ukv", "kv_rank, h (d_h - rope + d_v)", "to keys' content and values, for each head",
	 BY_RANK("kv_rank")},
	{0},
};

static const struct claim mla_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, "nothing rotates", "rope == 0"},
	{CLAIM_RECURRING, ANSWER_UNSAID, "nothing rotates, and the latent vectors are left",
	 "rope == 0"},
	{0},
};

const struct scheme scheme_mla[] = {
	{
		.id = "mla",
		.aliases = "multi-head-latent-attention latent-attention decoupled-rope",
		.title = "Latent attention with decoupled RoPE",
		.formula =
			"A_ts = (q^C_t·k^C_s + (R_t q^R_t)·(R_s k^R_s)) / √d_h,  one k^R for all "
			"heads",
		.authors = "DeepSeek-AI",
		.cite = "@deepseek2024v2",
		.recipe =
			"q is columns [H dk ..] of queries = rms(input @ w_dq) * q_norm @ w_uq (input "
			"@ w_uq with q_rank=0), its first dk - rope; k and v are columns of rms(c) * "
			"kv_norm @ w_ukv, dk - rope and dv for each head, [c | r] = input @ w_dkv; "
			"rms(x) = x / sqrt(mean of x^2 + 1e-6); term.rope = c times the last rope "
			"columns of the query with r, pairs of both rotated by member.NAME.cos and "
			"sin; without content q and k are these; w are param.NAME.w.LAYER",
		.about =
			"Keys and values are made from one narrow vector of a token, which is all "
			"that is kept of it. That could not be rotated, so a few components beside "
			"it rotate, on the keys' side the same for all heads.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = mla_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"deepseek-ai/DeepSeek-V3 9b4e978, inference/model.py, which has one "
			"mscale and multiplies logits by μ^2; the causal mask is +causal; "
			"a library's V3 does both mscales, its V2 never μ^2",
		.demo_note = "weights drawn with variance 1/inputs, norms 1: contents are as far "
			     "from each other as drawn queries and keys are",
		.claims = mla_claims,
		.rotates_when = "rope > 0",
		.params = mla_params,
		.param_size = sizeof(struct mla),
		.check = mla_check,
		.hooks = {.declare = mla_declare,
			  .scale = mla_scale,
			  .prepare = mla_prepare,
			  .qk = mla_qk,
			  .logits = mla_logits,
			  .relation = encoding_relate_signed,
			  .memory = mla_memory,
			  .nonlinear = true,
			  .matrices = 1},
		.reach = mla_reach,
	},
	{0},
};
