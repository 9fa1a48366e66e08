/* pope.c: polar coordinates (Gopalakrishnan et al. 2025): content as lengths, position as angles.
 *
 *   q~_tj = sp(q_tj) e^(i t θ_j),  k~_sj = sp(k_sj) e^(i (s θ_j + δ_j)),  sp(x) = log(1 + e^x),
 *   A_ts = c Σ_j sp(q_tj) sp(k_sj) cos((s-t) θ_j + δ_j),  θ_j = B^(-j/d_h),  c = 1/√d_h
 *
 * Every column has a frequency of its own, so the vectors double in width: real parts, then
 * imaginary ones. The learned δ_j is clamped to [-2π, 0]. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>

#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/rotation.h"

struct pope {
	double base;
};

struct pope_state {
	struct mat cos, sin; /* [n,dk] of t θ_j */
	struct node *delta;  /* [h,dk] */
};

enum { NEAREST = 1, SPACING = 4 };

/* cos((s-t) θ_j + δ_j) is 1 in every column where t-s is 1, 5, 9, … in heads 0, 1, 2, …, up to a
 * small step away from the limits of the clamp, where the derivative jumps. */
static void make_distances(struct mat at, const struct leaf_maker *of)
{
	static const double off = 1e-3;
	const struct pope *p = of->m->param;
	for (size_t i = 0; i < at.rows; i++)
		for (size_t j = 0; j < at.cols; j++) {
			const double distance = (double)(NEAREST + SPACING * i);
			const double angle =
				fmod(distance * rotation_rate(p->base, j, 2 * at.cols), 2 * M_PI);
			mat_row(at, i)[j] = fmin(fmax(angle, off), 2 * M_PI - off) - 2 * M_PI;
		}
}

static bool pope_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct pope *p = m->param;
	const size_t dk = run->model->dk;
	struct pope_state *state = run_state(run, m, sizeof *state);
	const double *positions = run_column(run, m, err);
	if (positions == NULL)
		return false;
	double *rate = arena_calloc(run->arena, dk, sizeof *rate);
	for (size_t j = 0; j < dk; j++)
		rate[j] = rotation_rate(p->base, j, 2 * dk);
	state->cos = mat_new(run->arena, run->n, dk);
	state->sin = mat_new(run->arena, run->n, dk);
	rotation_fill(state->cos, state->sin, positions, rate);
	run_keep(run, m, "cos", state->cos);
	run_keep(run, m, "sin", state->sin);
	state->delta = tape_clip(run->tape, run_leaf(run, m, "delta"), -2 * M_PI, 0);
	return true;
}

/* Returns [n, 2dk]: length·cos, then length·sin, of one angle per row or for all. */
static struct node *polar(struct tape *t, struct node *length, struct node *cosine,
			  struct node *sine)
{
	struct node *parts[] = {tape_mul(t, length, cosine), tape_mul(t, length, sine)};
	return tape_concat_cols(t, parts, 2);
}

static bool pope_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct pope_state *state = head_state(head, m);
	struct tape *t = head->tape;
	if (!head_needs_width(head, m, err))
		return false;
	struct node *delta = head_row(head, state->delta);
	head->q = polar(t, tape_softplus(t, head->q), tape_const(t, state->cos),
			tape_const(t, state->sin));
	/* The phase first, then the position: one rotation of dk pairs. */
	struct node *k =
		polar(t, tape_softplus(t, head->k), tape_cos(t, delta), tape_sin(t, delta));
	head->k = tape_rotate(t, k, state->cos, state->sin, true);
	return true;
}

static double pope_reach(const void *param, const struct model_config *config)
{
	const struct pope *p = param;
	const size_t dk = model_dk(config);
	return rotation_reach(rotation_rate(p->base, dk - 1, 2 * dk), config);
}

static const struct param pope_params[] = {
	RATIO_PARAM(struct pope, base, 10000, 1, 1e300, 10,
		    "B: column j rotates by B^(-j/d_h) per position"),
	{0},
};

static const struct leaf_row pope_leaves[] = {
	{"delta", "h, d_h", "row of a head: the phase of each column, from −2π to 0",
	 .by_layer = EACH_LAYER, .demo = {.make = make_distances}, .paper = {FILL_CONSTANT}},
	{0},
};

const struct scheme scheme_pope[] = {
	{
		.id = "pope",
		.aliases = "polar",
		.title = "Polar coordinate position embedding",
		.formula = "A_ts = Σ_j μ(q_tj) μ(k_sj) cos((s−t)θ_j + δ_j) / √d_h,  μ = softplus, "
			   "θ_j = B^{−j/d_h}",
		.authors = "Gopalakrishnan et al.",
		.cite = "@gopalakrishnan2025decoupling",
		.recipe = "q and k have 2 dk columns: with mu = ln(1 + exp(q_raw)), q = [mu cos | "
			  "mu sin] of member.pope; k likewise of k_raw and of the angles "
			  "member.pope's plus param.pope.delta.L[H], held between -2 pi and 0",
		.about = "The size of a component says what, its angle says where and nothing "
			 "else; a learned phase lets a head prefer any distance, whatever the "
			 "tokens are.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = pope_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "x-transformers 9252ed7: δ stands on the key's side, clamped to "
				 "[−2π, 0]; here every layer has its own",
		.demo_note =
			"δ undoes the rotation over one distance: head i of 0, 1, … prefers the "
			"key 1 + 4i positions back",
		.rotates_when = "1",
		.params = pope_params,
		.param_size = sizeof(struct pope),
		.hooks = {.declare = leaves_declare,
			  .prepare = pope_prepare,
			  .qk = pope_qk,
			  .relation = encoding_relate_signed,
			  .nonlinear = true,
			  .modulates = true},
		.reach = pope_reach,
	},
	{0},
};
