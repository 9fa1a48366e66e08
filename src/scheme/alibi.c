/* alibi.c: attention with linear biases (Press, Smith, Lewis 2022), for one direction and for both.
 *
 * A head pays for distance at its own fixed rate. With the causal mask the rule is -m(t-s) for
 * every pair: above the diagonal, where the mask forbids, the same line goes on upwards. So the
 * matrix is Toeplitz, and it is the authors' +m·s less a constant of the row, which softmax does
 * not see. */
#include "scheme/alibi.h"

#include <math.h>

#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/differences.h"
#include "scheme/encoding.h"
#include "scheme/mask.h"

/* Without the mask: the same rate on both sides; a rate for each; or a side for each half of heads. */
enum direction { DIRECTION_SYMMETRIC, DIRECTION_ASYMMETRIC, DIRECTION_HALVES };
static const char *const direction_names[] = {"symmetric", "asymmetric", "halves", NULL};

struct alibi {
	bool causal;
	int direction;
	double ahead, factor;
};

static const struct param alibi_params[] = {
	SWITCH_PARAM(struct alibi, causal, true,
		     "on: brings the causal mask, distance t-s; off: both directions, distance "
		     "|t-s|"),
	CHOICE_PARAM(struct alibi, direction, DIRECTION_SYMMETRIC, direction_names,
		     "with causal=off: symmetric, the same slope on both sides; asymmetric, slopes "
		     "times `ahead` for keys after the query; halves, half the heads see keys "
		     "before it and half those after it"),
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
	       err_set(err,
		       "direction: %s; with the causal mask there is one direction, so say "
		       "causal=off too",
		       direction_names[p->direction]);
}

/* Slope of head i when the number of heads is a power of two: 2^(-8(i+1)/heads). */
static double geometric_slope(size_t i, size_t heads)
{
	return exp2(-8 * (double)(i + 1) / (double)heads);
}

/* Otherwise the slopes of the power of two below, then every second one of the power above. */
void alibi_slopes(double *out, size_t heads)
{
	size_t below = 1;
	while (2 * below <= heads)
		below *= 2;
	for (size_t i = 0; i < heads; i++)
		out[i] = i < below ? geometric_slope(i, below)
				   : geometric_slope(2 * (i - below), 2 * below);
}

/* ---- who sees what ---- */

struct alibi_state {
	struct differences d;
	double slopes[MODEL_MAX_HEADS];
};

/* With halves, the first heads see keys before the query; of an odd number they are one more. */
static size_t heads_before(size_t heads)
{
	return (heads + 1) / 2;
}

static bool sees_after_only(const struct head *head, const struct alibi *p)
{
	return p->direction == DIRECTION_HALVES &&
	       head->index >= heads_before(head->run->model->config.heads);
}

/* Both halves have the slopes of as many heads as they are. */
static void make_slopes(double *out, const struct alibi *p, size_t heads)
{
	const size_t before = p->direction == DIRECTION_HALVES ? heads_before(heads) : heads;
	alibi_slopes(out, before);
	if (before < heads)
		alibi_slopes(out + before, heads - before);
}

static bool masks_differ(const struct member *m)
{
	const struct alibi *p = m->param;
	return p->direction == DIRECTION_HALVES;
}

static bool mask_earlier(struct head *head, const struct member *m, struct err *err)
{
	const struct run *run = head->run;
	const double *position = run_order(run, m, err);
	if (!position)
		return false;
	uint8_t *allowed = head_mask(head);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++)
			if (position[s] < position[t])
				allowed[t * run->n + s] = 0;
	return true;
}

/* Keys at the query's own position are seen by all. */
static bool alibi_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct alibi *p = m->param;
	if (!p->causal && p->direction != DIRECTION_HALVES)
		return true;
	return sees_after_only(head, p) ? mask_earlier(head, m, err) : mask_later(head, m, err);
}

/* ---- the bias ---- */

/* What a step of the column costs in a head; delta is s-t. */
static double bias(const struct alibi *p, double m, double delta)
{
	if (p->causal)
		return m * delta;
	return -m * fabs(delta) *
	       (p->direction == DIRECTION_ASYMMETRIC && delta > 0 ? p->ahead : 1);
}

static bool alibi_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct alibi_state *state = run_state(run, m, sizeof *state);
	make_slopes(state->slopes, m->param, run->model->config.heads);
	return differences_init(&state->d, run, m, false, err);
}

/* A_ts = c q_t·k_s - m (t-s): the bias is not scaled by c */
static bool alibi_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct alibi *p = m->param;
	const struct alibi_state *state = head_state(head, m);
	const double rate = p->factor * state->slopes[head->index];
	const struct mat at = state->d.at, row = mat_new(head->tape->arena, 1, at.rows);
	for (size_t i = 0; i < row.cols; i++)
		row.at[i] = bias(p, rate, at.at[i]);
	head_add_indexed(head, "distance", TERM_POSITION, tape_const(head->tape, row),
			 state->d.index, GATHER_SHARED, 1);
	return true;
}

#define FLAT "with factor=0 no distance costs anything"

static const struct claim alibi_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, FLAT, "factor == 0"},
	{CLAIM_RECURRING, ANSWER_NO, FLAT, "factor == 0 && !causal"},
	{0},
};

const struct scheme scheme_alibi[] = {
	{
		.id = "alibi",
		.aliases = "linear-bias",
		.title = "Attention with linear biases",
		.formula = "A_ts = q_t·k_s / √d_h − m_i (t − s),  m_i = 2^{−8i/h} in head i of h",
		.authors = "Press et al.",
		.cite = "Press, Smith, Lewis: Train short, test long: attention with linear biases "
			"enables input length extrapolation. ICLR 2022",
		.recipe =
			"term.distance[t,s] = -slope (t - s) with causal=on, -slope |t - s| "
			"without, t and s in the member's column, slope = factor times " ALIBI_SLOPES
			"; with direction=halves each half of the heads, the first "
			"one more where h is odd, has the slopes of as many heads; with "
			"asymmetric slope is times ahead where s > t",
		.about = "Every head takes a fixed amount off a logit for each step of distance: "
			 "steep heads look nearby, flat heads far. Nothing is learned and no "
			 "length is too long.",
		.year = 2022,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "ofirpress/attention_with_linear_biases (adds m·s, equal after "
				 "softmax), BLOOM, MPT; causal=off as in x-transformers. For both "
				 "directions the authors have only proposals (their issue 5): "
				 "symmetric, halves, and two slopes in a head, which they learn "
				 "and direction=asymmetric fixes",
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
