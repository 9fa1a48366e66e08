/* diff.c: the Differential Transformer (Ye et al. 2025): the difference of two softmaxes.
 *
 *   A^i_ts = (R_t q^i_t)·(R_s k^i_s) / √w,  i = 1, 2,  w = d_h / 2
 *   α_ts = softmax(A^1)_ts - λ softmax(A^2)_ts
 *   λ = exp(λ_q1·λ_k1) - exp(λ_q2·λ_k2) + λ_init,  λ_init = 0.8 - 0.6 exp(-0.3 l), l from 0
 *
 * A head's queries and keys are two halves, each a map of its own; its values are whole. What
 * members add to the logits is added to both maps. The context of a head is divided by the root
 * of its mean square and multiplied by γ (1 - λ_init). */
#include <math.h>

#include "scheme/leaves.h"
#include "scheme/mask.h"
#include "scheme/rotation.h"

struct diff {
	bool rotate, learned, norm;
	double base, lambda;
};

struct diff_state {
	struct mat cos, sin; /* [n, w/2] */
	struct node *lambda; /* [1,1] */
	struct node *gain;   /* [1,dv], or NULL */
	double lambda_init;
};

static bool diff_declare(struct model *model, const struct member *m, struct err *err)
{
	if (model->dk % 2 != 0)
		return err_set(err,
			       "%s halves the queries and keys of a head, and %zu columns have no "
			       "halves; head-dim %zu would be right",
			       m->text, model->dk, model->dk + 1);
	return leaves_declare(model, m, err);
}

/* The widths of the maps, not of the head. */
static double diff_scale(const struct model *model, const struct member *m)
{
	(void)m;
	return 1 / sqrt((double)model->dk / 2);
}

static struct node *exp_dot(struct run *run, const struct member *m, const char *a, const char *b)
{
	struct tape *t = run->tape;
	return tape_exp(t,
			tape_matmul(t, run_leaf(run, m, a), false, run_leaf(run, m, b), true, 1));
}

static struct node *make_lambda(struct run *run, const struct member *m, double init)
{
	const struct diff *p = m->param;
	struct tape *t = run->tape;
	if (p->learned)
		return tape_add_scalar(t,
				       tape_sub(t, exp_dot(run, m, "lambda_q1", "lambda_k1"),
						exp_dot(run, m, "lambda_q2", "lambda_k2")),
				       init);
	const struct mat given = mat_new(run->arena, 1, 1);
	given.at[0] = p->lambda;
	return tape_const(t, given);
}

/* Returns the pairs of both maps side by side, as they lie in a head. */
static struct mat of_both_maps(struct arena *a, struct mat m)
{
	const struct mat out = mat_new(a, m.rows, 2 * m.cols);
	mat_set(mat_cols(out, 0, m.cols), m);
	mat_set(mat_cols(out, m.cols, m.cols), m);
	return out;
}

static bool diff_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct diff *p = m->param;
	struct diff_state *state = run_state(run, m, sizeof *state);
	const size_t width = run->model->dk / 2, pairs = p->rotate ? width / 2 : 0;
	const double *position = run_column(run, m, err);
	if (!position)
		return false;
	double *const rate = arena_calloc(run->arena, pairs + 1, sizeof *rate);
	for (size_t i = 0; i < pairs; i++)
		rate[i] = rotation_rate(p->base, i, 2 * pairs);
	state->cos = mat_new(run->arena, run->n, pairs);
	state->sin = mat_new(run->arena, run->n, pairs);
	rotation_fill(state->cos, state->sin, position, rate);
	state->lambda_init = 0.8 - 0.6 * exp(-0.3 * (double)run->layer);
	state->lambda = make_lambda(run, m, state->lambda_init);
	state->gain = p->norm ? run_leaf(run, m, "subln") : NULL;
	step_keep(run, m, "lambda", state->lambda->v);
	if (pairs > 0) {
		run_keep(run, m, "cos", of_both_maps(run->arena, state->cos));
		run_keep(run, m, "sin", of_both_maps(run->arena, state->sin));
	}
	return true;
}

static struct node *map_of(struct tape *t, struct node *x, size_t i)
{
	const size_t width = x->v.cols / 2;
	return tape_slice(t, x, 0, x->v.rows, i * width, width);
}

static struct node *turn_maps(struct tape *t, struct node *x, const struct diff_state *state)
{
	struct node *both[2];
	for (size_t i = 0; i < 2; i++)
		both[i] = tape_rotate(t, map_of(t, x, i), state->cos, state->sin, false);
	return tape_concat_cols(t, both, 2);
}

static bool diff_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct diff_state *state = head_state(head, m);
	if (!head_needs_width(head, m, err))
		return false;
	if (state->cos.cols == 0)
		return true;
	head->q = turn_maps(head->tape, head->q, state);
	head->k = turn_maps(head->tape, head->k, state);
	return true;
}

static struct node *product(struct head *head, size_t i, double by)
{
	struct tape *t = head->tape;
	return tape_matmul(t, map_of(t, head->q, i), false, map_of(t, head->k, i), true,
			   by * head_scale(head));
}

/* The logits that are seen are those of the first map. */
static bool diff_content(struct head *head, const struct member *m, struct err *err)
{
	if (!head_needs_width(head, m, err))
		return false;
	head->logits = product(head, 0, 1);
	return true;
}

/* Returns false, with an error that names it, if another member changes the logits when all terms
 * are added: it would change those of the first map alone. */
static bool needs_sums(const struct head *head, const struct member *m, struct err *err)
{
	const struct model *const model = head->run->model;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const o = &model->members[i];
		if (o->hooks->only_adds && o->hooks->only_adds(o))
			continue;
		if ((o->hooks->adjust || o->hooks->adjust_heads) &&
		    subset_has(&o->layers, head->run->layer) && member_on_head(o, head->index))
			return err_set(
				err,
				"%s has two maps of logits, and %s changes the first alone; one "
				"of them, or other heads= or layers= for each, would be right",
				m->text, o->text);
	}
	return true;
}

static bool diff_weights(struct head *head, const struct member *m, struct err *err)
{
	const struct diff_state *state = head_state(head, m);
	struct tape *t = head->tape;
	if (!needs_sums(head, m, err))
		return false;
	struct node *second = tape_add(t, head->logits, product(head, 0, -1));
	second = tape_accumulate(t, second, product(head, 1, 1));
	struct node *const first = tape_softmax(t, head->logits, head->allowed, false);
	second = tape_softmax(t, second, head->allowed, true);
	head->weights = tape_sub(t, first, tape_mul(t, second, state->lambda));
	return true;
}

static bool diff_values(struct head *head, const struct member *m, struct err *err)
{
	static const double eps = 1e-5;
	const struct diff_state *state = head_state(head, m);
	struct tape *t = head->tape;
	if (!state->gain || !head->context)
		return true;
	if (!head_needs_one_plane(head, m, "set norm=off", err))
		return false;
	struct node *const x = head->context;
	struct node *const normed = tape_mul(t, tape_mul(t, x, tape_inverse_rms(t, x, eps)),
					     tape_scale(t, state->gain, 1 - state->lambda_init));
	head_add_values(head, "norm", tape_sub(t, normed, x), NULL);
	return true;
}

static bool base_is_used(const struct param *p, const void *params)
{
	(void)p;
	return ((const struct diff *)params)->rotate;
}

static bool lambda_is_used(const struct param *p, const void *params)
{
	(void)p;
	return !((const struct diff *)params)->learned;
}

static const struct param diff_params[] = {
	SWITCH_PARAM(struct diff, rotate, true, "both maps are rotated by their positions"),
	RATIO_PARAM(struct diff, base, 10000, 1, 1e300, 10,
		    "B: pair i of a map of width w rotates by B^(-2i/w) per position",
		    .used = base_is_used),
	SWITCH_PARAM(struct diff, learned, true,
		     "on: λ comes from four learned vectors; off: it is lambda"),
	NUMBER_PARAM(struct diff, lambda, 0.2, -10, 10, 0.1,
		     "λ with learned=off: what of the second softmax is taken away; 0: nothing",
		     .used = lambda_is_used),
	SWITCH_PARAM(
		struct diff, norm, true,
		"each head's context is divided by the root of its mean square, and multiplied "
		"by γ (1 − λ_init)"),
	{0},
};

static bool diff_check(const void *param, struct err *err)
{
	const struct diff *p = param;
	if (p->learned && (p->lambda < 0.2 || p->lambda > 0.2))
		return err_set(
			err,
			"lambda: %g does nothing with learned=on, where λ comes from learned "
			"vectors; learned=off would be right",
			p->lambda);
	return true;
}

/* clang-format off */
#define LAMBDA(n, x) \
	{"lambda_" x n, "1, d_h / 2", "λ_" x n ": λ is exp(λ_q1·λ_k1) − exp(λ_q2·λ_k2) + λ_init", \
	 .by_layer = EACH_LAYER, .when = "learned", .demo = {FILL_NORMAL, 0.1}, .paper = {FILL_NORMAL, 0.1}}
/* clang-format on */

static const struct leaf_row diff_leaves[] = {
	LAMBDA("1", "q"),
	LAMBDA("1", "k"),
	LAMBDA("2", "q"),
	LAMBDA("2", "k"),
	{"subln", "1, d_v", "γ: multiplies the normalised context of every head",
	 .by_layer = EACH_LAYER, .when = "norm", .demo = {FILL_CONSTANT, 1},
	 .paper = {FILL_CONSTANT, 1}},
	{0},
};

#define NO_POSITION "nothing tells of positions without the rotation"

static const struct claim diff_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, NO_POSITION, "!rotate"},
	{CLAIM_LEARNABLE, ANSWER_NO, "λ is given, and there is no norm", "!learned && !norm"},
	{0},
};

const struct scheme scheme_diff[] = {
	{
		.id = "diff",
		.aliases = "differential diff-transformer",
		.title = "Differential Transformer",
		.formula = "α_ts = softmax(A^1)_ts − λ softmax(A^2)_ts,  A^i = (R_t q^i_t)·(R_s "
			   "k^i_s) / √(d_h/2)",
		.authors = "Ye et al.",
		.cite = "@ye2025differential",
		.recipe =
			"a head's q and k are two halves of w = dk / 2 columns, in each of which "
			"neighbouring columns are rotated as pairs by cos and sin of member.diff "
			"where given; logits = c * q1 @ k1.T + what other members add, a = c * q2 @ "
			"k2.T + the same; weights = softmax(logits) - lambda softmax(a) over the "
			"keys whose mask is 1, lambda = layer.L.member.diff.lambda = "
			"exp(lambda_q1 . lambda_k1) - exp(lambda_q2 . lambda_k2) + 0.8 - 0.6 exp(-0.3 "
			"l) of layer l from 0, of param.diff.NAME.L, or the parameter; with norm=on "
			"context = context / sqrt(mean(context^2) + 1e-5) * subln * (0.2 + 0.6 "
			"exp(-0.3 l))",
		.about =
			"Two maps of attention of each head, and what the second has is taken from "
			"the first, as an amplifier takes away the noise that both its inputs have. "
			"Rows sum to 1 − λ, and a weight may be negative.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.rows = ROWS_NEITHER,
		.leaves = diff_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"microsoft/unilm 768a3c8, Diff-Transformer/multihead_diffattn.py; it "
			"counts layers from 0, the paper from 1: the same numbers",
		.demo_note =
			"λ_q, λ_k normal of deviation 0.1, so that λ is near λ_init, 0.2 in layer "
			"1; γ = 1",
		.claims = diff_claims,
		.rotates_when = "rotate",
		.params = diff_params,
		.param_size = sizeof(struct diff),
		.check = diff_check,
		.hooks = {.declare = diff_declare,
			  .scale = diff_scale,
			  .prepare = diff_prepare,
			  .qk = diff_qk,
			  .content = diff_content,
			  .weights = diff_weights,
			  .values = diff_values,
			  .content_of_units = true,
			  .matrices = 4},
	},
	{0},
};
