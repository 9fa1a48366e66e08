/* selrope.c: selective rotation (Movahedi et al. 2025): the tokens determine the angles.
 *
 *   φ_t = conv(proj(x_t/√(‖x_t‖² + ε) by heads)) in [h, d_h/2],  Φ_t = Σ_{r<=t} φ_r,
 *   pair (i, i + d_h/2) of q_t and k_t rotates by T_i Φ_ti,  T_i = B^(-2i/d_h)
 *
 * So A_ts depends on Φ_t - Φ_s: if tokens have φ = 1 it is RoPE, if they have φ = 0 they take no
 * distance. The member's column only determines the order. */
#include "posviz/model/stage.h"

#include "scheme/leaves.h"
#include "scheme/reading.h"
#include "scheme/rotation.h"
#include "scheme/selrope.h"

static const char *const proj_names[] = {"low-rank", "per-head", NULL};

struct selrope_state {
	struct node *cos, *sin; /* [n, h·d_h/2] */
};

static bool selrope_declare(struct model *model, const struct member *m, struct err *err)
{
	if (model->config.d % model->config.heads != 0)
		return err_set(
			err,
			"%s makes the angles of a head of its part of the token vector, and %zu "
			"heads do not divide d-model %zu",
			m->text, model->config.heads, model->config.d);
	if (model->dk % 2 == 0)
		return leaves_declare(model, m, err);
	return err_set(
		err,
		"%s rotates the halves of a head, but a head has %zu columns; take d-model / "
		"heads even",
		m->text, model->dk);
}

/* Computes sums down the columns, each times its temperature. */
static struct node *angles(struct run *run, const struct selrope *p, struct node *phi)
{
	struct tape *t = run->tape;
	const size_t dk = run->model->dk;
	const struct mat rate = mat_new(run->arena, 1, phi->v.cols);
	for (size_t i = 0; i < rate.cols; i++)
		rate.at[i] = rotation_rate(p->base, i % (dk / 2), dk);
	struct node *sums = tape_prefix_sum(t, tape_transpose(t, phi));
	return tape_mul(t, tape_transpose(t, sums), tape_const(t, rate));
}

static bool selrope_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct selrope_state *state = run_state(run, m, sizeof *state);
	struct reading r;
	if (run_column(run, m, err) == NULL || !reading_of_text(run, m, false, &r, err))
		return false;
	struct tape *t = run->tape;
	struct node *x = reading_take(t, &r, run_sum_parts(run, &run->x));
	struct node *angle = angles(run, m->param, selrope_phases(run, m, x));
	state->cos = reading_put_back(t, &r, tape_cos(t, angle));
	state->sin = reading_put_back(t, &r, tape_sin(t, angle));
	step_keep(run, m, "cos", state->cos->v);
	step_keep(run, m, "sin", state->sin->v);
	return true;
}

static bool selrope_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct selrope_state *state = head_state(head, m);
	return rotation_by_nodes(head, m, state->cos, state->sin, head->run->model->dk / 2, err);
}

static const struct param selrope_params[] = {
	CHOICE_PARAM(
		struct selrope, proj, LOW_RANK, proj_names,
		"phases from all heads' token vectors through few numbers, or from each head's own"),
	RATIO_PARAM(struct selrope, rank, 16, 1, 512, 2,
		    "how many numbers proj=low-rank goes through"),
	SWITCH_PARAM(struct selrope, bias, false,
		     "adds exp(b) to every phase: a rotation that no token can do without"),
	SWITCH_PARAM(struct selrope, gate, false,
		     "multiplies a head's phases by a sigmoid of the token vector"),
	RATIO_PARAM(struct selrope, base, 500000, 1, 1e300, 10, "B: temperature i is B^(-2i/d_h)"),
	{0},
};

const struct scheme scheme_selrope[] = {
	{
		.id = "selrope",
		.aliases = "selective-rope",
		.title = "Selective rotary position embedding",
		.formula = "A_ts = q_t·R(T(Φ_s − Φ_t)) k_s / √d_h,  Φ_t = Σ_{r≤t} φ_r,  φ from x_r "
			   "and the three before it",
		.authors = "Movahedi et al.",
		.cite = "@movahedi2025selective",
		.recipe = "q and k are q_raw and k_raw with pairs of columns rotated: (a, b) to (a "
			  "cos - b sin, b cos + a sin), pair i = columns (i, i + dk/2), cos and "
			  "sin = those of layer.L.member.selrope, [:, H dk/2 + i], of angle "
			  "base^(-2i/dk) times the sum up to t, in the order of the column, of "
			  "phi: x = each head's columns of input divided by the root of the sum of "
			  "their squares + 1e-6, y = x @ w_down @ w_up (per-head: x of the head @ "
			  "w_phi with columns of length scalar[H]), phi[t] = the sum over j < 4 of "
			  "conv[j] y[t + j - 3], + exp(bias), times sigmoid(x @ w_gate + "
			  "b_gate)[H] with gate=on, all param.selrope.NAME.L",
		.about = "RoPE with steps of content: every token says how far it rotates what "
			 "follows, so distance is counted in what was said and may run backwards.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = selrope_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "timurcarstensen/selective-rope 9d06c33, which divides x_r by "
				 "√(‖x_r‖² + 10⁻⁶), head by head; its norm of the rotated q and k, "
				 "off by default, is left out",
		.demo_note =
			"a token vector of ones rotates by 1 as in RoPE; others by their mean and "
			"numbers drawn with variance about 1; conv reads the token itself",
		.numbers_when = "0",
		.rotates_when = "1",
		.params = selrope_params,
		.param_size = sizeof(struct selrope),
		.hooks = {.declare = selrope_declare,
			  .prepare = selrope_prepare,
			  .qk = selrope_qk,
			  .modulates = true},
	},
	{0},
};
