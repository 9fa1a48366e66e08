/* alibi.c: attention with linear biases (Press, Smith, Lewis 2022), for one direction and for both.
 *
 *   A_ts = c q_t·k_s - m_i (t-s) in head i;  - m_i |t-s| with causal=off
 *
 * With the causal mask the same line continues upwards in the masked part. So the matrix is
 * Toeplitz, and it is the authors' +m·s minus a constant of the row, which softmax ignores. */
#include <math.h>

#include "posviz/scheme/alibi_slopes.h"
#include "scheme/differences.h"
#include "scheme/encoding.h"
#include "scheme/mask.h"

enum direction { DIRECTION_SYMMETRIC, DIRECTION_ASYMMETRIC, DIRECTION_HALVES };
static const char *const direction_names[] = {"symmetric", "asymmetric", "halves", NULL};

struct alibi {
	bool causal;
	int direction;
	double ahead, factor;
};

static const struct param alibi_params[] = {
	SWITCH_PARAM(struct alibi, causal, true,
		     "on: the causal mask, distance t-s; off: both directions, distance |t-s|"),
	CHOICE_PARAM(struct alibi, direction, DIRECTION_SYMMETRIC, direction_names,
		     "with causal=off: symmetric, one slope on both sides; asymmetric, times "
		     "`ahead` after the query; halves, half the heads look before it, half after"),
	RATIO_PARAM(struct alibi, ahead, 4, 0, 1024, 2,
		    "with direction=asymmetric: the slope after the query over the one before it"),
	RATIO_PARAM(struct alibi, factor, 1, 0, 1024, 2,
		    "multiplies the slopes of all heads; 0 leaves no bias"),
	{0},
};

static bool alibi_check(const void *param, struct err *err)
{
	const struct alibi *p = param;
	return !p->causal || p->direction == DIRECTION_SYMMETRIC ||
	       err_set(err, "direction: %s is for both directions, so say causal=off too",
		       direction_names[p->direction]);
}

/* Returns how many heads, from the first, look backwards: all, or with halves the first half,
 * one more if the number of heads is odd. */
static size_t heads_before(const struct head *head, const struct alibi *p)
{
	const size_t heads = head->run->model->config.heads;
	return p->direction == DIRECTION_HALVES ? (heads + 1) / 2 : heads;
}

/* Returns a head's slope; each half has the slopes of a model with that many heads. */
static double slope_of(const struct head *head, const struct alibi *p)
{
	const size_t heads = head->run->model->config.heads, before = heads_before(head, p);
	const size_t first = head->index < before ? 0 : before;
	double slopes[MODEL_MAX_HEADS];
	alibi_slopes(slopes, first == 0 ? before : heads - before);
	return p->factor * slopes[head->index - first];
}

static bool masks_differ(const struct member *m)
{
	const struct alibi *p = m->param;
	return p->direction == DIRECTION_HALVES;
}

/* The query's own position is allowed in both halves. */
static bool alibi_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct alibi *p = m->param;
	if (!p->causal && p->direction != DIRECTION_HALVES)
		return true;
	const unsigned side = head->index < heads_before(head, p) ? MASK_BEFORE : MASK_AFTER;
	return mask_others(head, m, MASK_SAME | side, err);
}

/* Returns the bias of a key at delta = s-t. */
static double bias(const struct alibi *p, double slope, double delta)
{
	if (p->causal)
		return slope * delta;
	return -slope * fabs(delta) *
	       (p->direction == DIRECTION_ASYMMETRIC && delta > 0 ? p->ahead : 1);
}

static bool alibi_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct differences *d = run_state(run, m, sizeof *d);
	return differences_init(d, run, m, false, err);
}

/* The bias is not scaled by c. */
static bool alibi_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct differences *d = head_state(head, m);
	const struct mat row = mat_new(head->tape->arena, 1, d->at.rows);
	const double rate = slope_of(head, m->param);
	for (size_t i = 0; i < row.cols; i++)
		row.at[i] = bias(m->param, rate, d->at.at[i]);
	head_add_indexed(head, "distance", TERM_POSITION, tape_const(head->tape, row), d->index,
			 GATHER_SHARED, 1);
	return true;
}

static const struct claim alibi_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, "with factor=0 no distance costs anything", "factor == 0"},
	{CLAIM_RECURRING, ANSWER_NO, "with factor=0 nothing acts", "factor == 0 && !causal"},
	{0},
};

const struct scheme scheme_alibi[] = {
	{
		.id = "alibi",
		.aliases = "linear-bias",
		.title = "Attention with linear biases",
		.formula = "A_ts = q_t·k_s / √d_h − m_i (t − s),  m_i = 2^{−8i/h} in head i of h",
		.authors = "Press et al.",
		.cite = "@press2022train",
		.recipe =
			"term.distance[t,s] = -slope (t - s) with causal=on, -slope |t - s| "
			"without, t and s in the member's column, slope = factor times " ALIBI_SLOPES
			"; with direction=halves each half of the heads, the first one more where "
			"h is odd, has the slopes of as many heads; with asymmetric slope is times "
			"ahead where s > t",
		.about =
			"Each head takes a fixed amount off a logit per step of distance: steep "
			"ones look near, flat ones far. Nothing is learned, no length too long. The "
			"formula of m_i is for h a power of two; of 12 heads the ninth is steepest.",
		.year = 2022,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "ofirpress/attention_with_linear_biases (adds m·s, equal after "
				 "softmax), BLOOM, MPT; causal=off as in x-transformers. For both "
				 "directions the authors propose (their issue 5) symmetric, "
				 "halves, and two slopes in a head, learned there and fixed here",
		.claims = alibi_claims,
		.params = alibi_params,
		.param_size = sizeof(struct alibi),
		.check = alibi_check,
		.hooks = {.relation = encoding_relate_signed,
			  .mask = alibi_mask,
			  .masks_differ = masks_differ,
			  .prepare = alibi_prepare,
			  .logits = alibi_logits,
			  .matrices = 1},
	},
	{0},
};
