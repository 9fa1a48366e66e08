/* retnet.c: retention (Sun et al. 2023): products that decay with the distance, and no softmax.
 *
 *   S_ts = c (R_t q_t)·(R_s k_s) γ_h^{t-s} / √(Σ_{r<=t} γ_h^{t-r}),  γ_h = 1 - 2^{-5-h}
 *   α_ts = S_ts / clip(Σ_s |S_ts|, 1, 5·10⁴)
 *
 * The paper divides by max(|Σ_s S_ts|, 1), its code by the sum of the absolute values. Behind
 * Σ_s α_ts v_s each head's context is divided by the root of its mean square, which takes away
 * any positive factor of a row: so the recurrent form gives the same. The rotation's frequencies
 * are those of tensor2tensor, 10000^{-i/(d_h/2-1)}. */
#include <math.h>

#include "scheme/mask.h"
#include "scheme/rotation.h"

enum divisor { DIVISOR_CODE, DIVISOR_PAPER };
static const char *const divisor_names[] = {"code", "paper", NULL};

struct retnet {
	bool rotate, decay, norm;
	int divisor; /* enum divisor */
};

struct retnet_state {
	struct rotation by; /* without rotation: no columns */
	const double *position;
};

static bool retnet_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct retnet *p = m->param;
	return !p->rotate || rotation_has_pairs(model, m, err);
}

static bool retnet_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct retnet *p = m->param;
	struct retnet_state *state = run_state(run, m, sizeof *state);
	const size_t pairs = p->rotate ? run->model->dk / 2 : 0;
	state->position = run_column(run, m, err);
	if (!state->position)
		return false;
	double *const rate = arena_calloc(run->arena, pairs + 1, sizeof *rate);
	for (size_t i = 0; i < pairs; i++)
		rate[i] = pairs > 1 ? pow(10000, -(double)i / (double)(pairs - 1)) : 1;
	const struct mat cosine = mat_new(run->arena, run->n, pairs);
	const struct mat sine = mat_new(run->arena, run->n, pairs);
	rotation_fill(cosine, sine, state->position, rate);
	state->by = (struct rotation){cosine, sine, cosine, sine};
	if (p->rotate) {
		run_keep(run, m, "cos", cosine);
		run_keep(run, m, "sin", sine);
	}
	return true;
}

static bool retnet_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct retnet_state *state = head_state(head, m);
	return state->by.q_cos.cols == 0 || rotation_turn(head, m, &state->by, false, err);
}

/* Returns the decay of the present block's pairs, 0 where the mask forbids, each row divided by
 * the root of its sum. */
static struct mat decay(const struct head *head, const struct retnet *p, const double *position)
{
	const size_t keys = head->k->v.rows;
	const struct mat out = mat_zero(head->tape->arena, head->rows, keys);
	const double rate = p->decay ? log1p(-exp2(-5 - (double)head->index)) : 0;
	for (size_t t = 0; t < head->rows; t++) {
		double *const row = mat_row(out, t), sum = 0;
		for (size_t s = 0; s < keys; s++) {
			const double behind = position[head->first + t] - position[s];
			if (behind >= 0 && head->allowed[t * keys + s])
				sum += row[s] = exp(rate * behind);
		}
		for (size_t s = 0; s < keys && sum > 0; s++)
			row[s] /= sqrt(sum);
	}
	return out;
}

static bool retnet_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct retnet_state *state = head_state(head, m);
	struct tape *t = head->tape;
	head->logits =
		tape_mul(t, head->logits, tape_const(t, decay(head, m->param, state->position)));
	return true;
}

/* |x| = max(x, 0) + max(-x, 0) */
static struct node *absolute(struct tape *t, struct node *x)
{
	return tape_add(t, tape_relu(t, x), tape_relu(t, tape_scale(t, x, -1)));
}

static bool retnet_weights(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct retnet *p = m->param;
	struct tape *t = head->tape;
	struct node *const scores = mask_where_allowed(head, head->logits, false);
	struct node *const sum =
		p->divisor == DIVISOR_CODE
			? tape_clip(t, tape_row_sum(t, absolute(t, scores)), 1, 5e4)
			: tape_clip(t, absolute(t, tape_row_sum(t, scores)), 1, INFINITY);
	head->weights = tape_mul(t, scores, tape_pow(t, sum, -1));
	return true;
}

/* The norm of a head's context, by its root mean square, as what it adds to the context. */
static bool retnet_values(struct head *head, const struct member *m, struct err *err)
{
	static const double eps = 1e-6;
	const struct retnet *p = m->param;
	struct tape *t = head->tape;
	if (!p->norm || !head->context)
		return true;
	if (!head_needs_one_plane(head, m, "set norm=off", err))
		return false;
	struct node *const x = head->context;
	struct node *const more = tape_add_scalar(t, tape_inverse_rms(t, x, eps), -1);
	head_add_values(head, "norm", tape_mul(t, x, more), NULL);
	return true;
}

static const struct param retnet_params[] = {
	SWITCH_PARAM(struct retnet, rotate, true,
		     "queries and keys are rotated by their positions"),
	SWITCH_PARAM(struct retnet, decay, true,
		     "off: γ = 1, nothing is lost with distance: linear attention with a rotation"),
	CHOICE_PARAM(
		struct retnet, divisor, DIVISOR_CODE, divisor_names,
		"of a row: code: the sum of its absolute scores; paper: the size of their sum"),
	SWITCH_PARAM(struct retnet, norm, true,
		     "each head's context is divided by the root of its mean square"),
	{0},
};

#define NO_POSITION "without rotation and decay the mask alone tells of order"

static const struct claim retnet_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, NO_POSITION, "!rotate && !decay"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, NO_POSITION, "!rotate && !decay"},
	{0},
};

const struct scheme scheme_retnet[] = {
	{
		.id = "retnet",
		.aliases = "retention ret-net",
		.title = "Retention",
		.formula =
			"S_ts = (R_t q_t)·(R_s k_s) γ^{t−s} / (√d_h √Σ_r γ^{t−r}),  α_ts = S_ts / "
			"max(1, Σ_r |S_tr|),  R_t rotates pair i by t·10000^{−i/(d_h/2−1)}",
		.authors = "Sun et al.",
		.cite = "@sun2023retentive",
		.recipe =
			"q and k are q_raw and k_raw with neighbouring columns rotated as pairs by cos "
			"and sin of member.retnet, with rotate=on; logits = c * q @ k.T times d[t,s] = "
			"gamma^(t - s) over the root of the row's sum of gamma^(t - s), where the mask "
			"is 1, gamma = 1 - 2^(-5 - H), 1 with decay=off; weights = logits / "
			"clip(the row's sum of |logits|, 1, 50000), with divisor=paper / max(|the row's "
			"sum of logits|, 1), no softmax; with norm=on the context is divided by "
			"sqrt(mean(context^2) + 1e-6)",
		.about =
			"There is no softmax: a product counts as it is, negative ones too, and decays "
			"by a fixed factor with each step of distance, a slower one in each head. "
			"So it can be computed step by step like a recurrent network.",
		.year = 2023,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.rows = ROWS_NEITHER,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"microsoft/torchscale 4d1e0e8, multiscale_retention.py, parallel form; "
			"the gate swish(x W_g) behind the norm is left out",
		.claims = retnet_claims,
		.rotates_when = "rotate",
		.params = retnet_params,
		.param_size = sizeof(struct retnet),
		.hooks = {.declare = retnet_declare,
			  .prepare = retnet_prepare,
			  .qk = retnet_qk,
			  .mask = mask_later,
			  .adjust = retnet_adjust,
			  .weights = retnet_weights,
			  .values = retnet_values,
			  .modulates = true,
			  .by_rows = true,
			  .matrices = 5},
	},
	{0},
};
