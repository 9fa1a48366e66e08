/* fope.c: Fourier position embedding (Hua et al. 2025).
 *
 *   sin~_m(t) = Σ_D S_Dm sin(t θ_D),  cos~_m(t) = Σ_D C_Dm cos(t θ_D),  m < M
 *   (a, b) becomes (a cos~ + b sin~, b cos~ - a sin~),  halves
 *
 * Frequencies that do not complete a period within the training length are dropped; each pair
 * rotates by a mixture of the remaining ones, drawn once and never trained. The pairs beyond M
 * have sin~ = cos~ = 1 and do not depend on the position. The direction of rotation is opposite
 * to RoPE's, which affects the logits of real vectors. */
#include <math.h>

#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"
#include "scheme/fope_mix.h"
#include "scheme/rotation.h"

static const struct param fope_params[] = {
	RATIO_PARAM(struct fope, base, 10000, 1, 1e300, 10, "B: frequency i is B^(-2i/d_h)"),
	NUMBER_PARAM(struct fope, length, 512, 0, 1e15, 64,
		     "L: training length; frequencies below 2π/L are dropped; 0: t-max"),
	NUMBER_PARAM(struct fope, share, 0.5, 0, 1, 0.125,
		     "of the pairs, those that rotate at most; the others know no position"),
	NUMBER_PARAM(struct fope, gain, 0.3, 0, 10, 0.1,
		     "strength of the other frequencies in a pair; 0: each rotates by one alone"),
	SWITCH_PARAM(struct fope, normalise, true,
		     "divide a pair's mix by its sum, as the listing; off: as models were trained"),
	{0},
};

/* Computes cos~ or -sin~ of all heads, [n, h·d_h/2]: the minus makes tape_rotate rotate in the
 * opposite direction. */
static struct node *build_waves(struct run *run, const struct member *m, bool sine, struct err *err)
{
	const struct fope *p = m->param;
	const double *positions = run_column(run, m, err);
	if (positions == NULL)
		return NULL;
	const size_t n = run->n, heads = run->model->config.heads;
	const struct fope_mix mix = fope_mix_of(run, p);
	const struct mat cosines = mat_new(run->arena, n, mix.kept);
	const struct mat sines = mat_new(run->arena, n, mix.kept);
	rotation_fill(cosines, sines, positions, mix.rate);
	const struct mat out = mat_new(run->arena, n, heads * mix.all);
	const double sign = sine ? -1 : 1;
	const char *const name = sine ? "s" : "c";
	const struct mat drawn = mat_new(run->arena, heads * mix.kept, mix.pairs);
	mat_fill(out, sign);
	for (size_t i = 0; i < heads && mix.pairs > 0; i++) {
		const struct mat own = mat_rows(drawn, i * mix.kept, mix.kept);
		fope_mix_draw(own, run, m, name, i, &mix);
		mat_mul(mat_cols(out, i * mix.all, mix.pairs), sign, sine ? sines : cosines, false,
			own, false, 0);
	}
	if (mix.pairs > 0)
		step_keep(run, m, name, drawn);
	return tape_const(run->tape, out);
}

static struct node *build_cos(struct run *run, const struct member *m, struct err *err)
{
	return build_waves(run, m, false, err);
}

static struct node *build_sin(struct run *run, const struct member *m, struct err *err)
{
	return build_waves(run, m, true, err);
}

struct fope_state {
	struct mat cos, sin; /* [n, h·d_h/2], of the rotation as for tape_rotate */
};

static bool fope_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct fope_state *state = run_state(run, m, sizeof *state);
	if (run_column(run, m, err) == NULL)
		return false;
	const struct node *cosine = run_cached(run, m, "cos", true, build_cos, err);
	const struct node *sine = run_cached(run, m, "sin", true, build_sin, err);
	if (cosine == NULL || sine == NULL)
		return false;
	*state = (struct fope_state){cosine->v, sine->v};
	return true;
}

static bool fope_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct fope_state *state = head_state(head, m);
	const size_t pairs = head->run->model->dk / 2;
	const struct mat cosine = mat_cols(state->cos, head->index * pairs, pairs);
	const struct mat sine = mat_cols(state->sin, head->index * pairs, pairs);
	const struct rotation by = {cosine, sine, cosine, sine};
	return rotation_turn(head, m, &by, true, err);
}

static double fope_reach(const void *param, const struct model_config *config)
{
	const struct fope *p = param;
	const size_t pairs = model_dk(config) / 2;
	const size_t kept = fope_kept(p, pairs, config->t_max);
	return kept ? rotation_reach(rotation_rate(p->base, kept - 1, 2 * pairs), config)
		    : INFINITY;
}

static const struct claim fope_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "how many frequencies there are to mix depends on base, length, share and the width of a "
	 "head; of a single one only distances count",
	 "base < 100 || base > 10^9 || length < 64 || share < 0.25"},
	{CLAIM_RELATIVE, ANSWER_YES, "each pair rotates by one frequency, so only distances count",
	 "gain == 0"},
	{CLAIM_RELATIVE, ANSWER_NO,
	 "products of different frequencies in a pair depend on t and s, not on their distance"},
	{0},
};

const struct scheme scheme_fope[] = {
	{
		.id = "fope",
		.aliases = "fourier",
		.title = "Fourier position embedding",
		.formula = "A_ts = q'_t·k'_s / √d_h,  pair m rotated by Σ_i C_im cos(tθ_i), −Σ_i "
			   "S_im sin(tθ_i)",
		.authors = "Hua et al.",
		.cite = "@hua2025fourier",
		.recipe =
			"q and k are q_raw and k_raw with pairs of columns (i, i + dk/2) rotated: "
			"(a, b) to (a cos - b sin, b cos + a sin), cos and sin = "
			"layer.L.member.fope.cos and .sin[:, H dk/2 + i]; these are cosines of "
			"position * base^(-2D/dk) @ c[H D' ..] and minus sines @ s, D < D' the "
			"frequencies that are kept, c and s of layer.L.member.fope; 1 and -1 for "
			"the pairs that c has no column for",
		.about =
			"RoPE without the frequencies that training never saw rotate fully, and "
			"with a little of every other frequency in each pair, so that a layer "
			"that mixes frequencies does no harm. Pairs that are left without position "
			"count twice in q·k.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "the paper's listing; S and C are drawn for every layer and head "
				 "and not trained; the models used gains of 0.3 and 0.4",
		.claims = fope_claims,
		.rotates_when = "1",
		.params = fope_params,
		.param_size = sizeof(struct fope),
		.hooks = {.declare = rotation_has_pairs,
			  .prepare = fope_prepare,
			  .qk = fope_qk,
			  .relation = encoding_relate_signed,
			  .modulates = true},
		.reach = fope_reach,
	},
	{0},
};
