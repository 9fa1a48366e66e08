/* xpos.c: rotation with decay (Sun et al. 2023, LeX).
 *
 *   q'_t = ζ^(e_t) R_t q_t,  k'_s = ζ^(-e_s) R_s k_s,  e_p = (p - centre)/512,
 *   A_ts = c Σ_i ζ_i^((t-s)/512) · (pair i as in RoPE),  ζ_i = (2i + γ d_h)/((1+γ) d_h)
 *
 * An interpolation factor f divides only the angles: R_{t/f}; the powers of ζ stay the same.
 * Only t-s of e remains in the product, so the centre is arbitrary: in the middle of the
 * positions both powers stay small for any length that fits in memory. Towards the future the
 * factor grows, hence the causal mask. */
#include <math.h>

#include "scheme/encoding.h"
#include "scheme/mask.h"
#include "scheme/rotation.h"

/* ζ^e of a query times ζ^-e of a key, times their components, must fit into a double. */
static const double most_log = 300;

enum centre { CENTRE_TORCHSCALE, CENTRE_XT };
static const char *const centre_names[] = {"torchscale", "x-transformers", NULL};

struct xpos {
	bool causal;
	double base, gamma, scale_base, interpolation;
	int centre;
};

static const struct param xpos_params[] = {
	SWITCH_PARAM(struct xpos, causal, true,
		     "on: brings the causal mask; off: all pairs, and the future grows"),
	RATIO_PARAM(struct xpos, base, 10000, 1, 1e300, 10,
		    "B: pair i rotates by B^(-2i/d_h) per position"),
	RATIO_PARAM(struct xpos, gamma, 0.4, 0.001, 1e300, 2,
		    "γ: the smaller, the more the fast pairs decay; a huge one leaves rope"),
	RATIO_PARAM(struct xpos, scale_base, 512, 1, 1e9, 2,
		    "S: positions after which pair i has decayed by ζ_i once"),
	CHOICE_PARAM(struct xpos, centre, CENTRE_TORCHSCALE, centre_names,
		     "where ζ has power 0: half an odd number of positions, rounded up "
		     "(torchscale) or down (x-transformers); the logits do not depend on it"),
	RATIO_PARAM(struct xpos, interpolation, 1, 1, 1e6, 2,
		    "f: positions are divided by it where they rotate, and not where they decay"),
	{0},
};

static double log_zeta(const struct xpos *p, size_t i, size_t width)
{
	const double d = (double)width;
	return log((2 * (double)i + p->gamma * d) / ((1 + p->gamma) * d));
}

static double angle_rate(const struct xpos *p, size_t i, size_t pairs)
{
	return rotation_rate(p->base, i, 2 * pairs) / p->interpolation;
}

/* The published codes have positions 0..n-1 and use n/2; here a column may start anywhere. */
static double find_centre(const struct xpos *p, const double *positions, size_t n, double *half)
{
	double lo = positions[0], hi = positions[0];
	for (size_t t = 1; t < n; t++) {
		lo = fmin(lo, positions[t]);
		hi = fmax(hi, positions[t]);
	}
	*half = (hi - lo + 1) / 2;
	return lo + (p->centre == CENTRE_TORCHSCALE ? ceil(*half) : floor(*half));
}

/* Fills in cosines and sines times ζ^e for queries, times ζ^-e for keys. */
static void fill_decay(struct run *run, const struct xpos *p, const double *positions,
		       double centre, struct rotation *out)
{
	const size_t n = run->n, pairs = run->model->dk / 2;
	double *rate = arena_calloc(run->arena, pairs, sizeof *rate);
	for (size_t i = 0; i < pairs; i++)
		rate[i] = angle_rate(p, i, pairs);
	out->q_cos = mat_new(run->arena, n, pairs);
	out->q_sin = mat_new(run->arena, n, pairs);
	rotation_fill(out->q_cos, out->q_sin, positions, rate);
	out->k_cos = mat_copy(run->arena, out->q_cos);
	out->k_sin = mat_copy(run->arena, out->q_sin);
	for (size_t i = 0; i < pairs; i++) {
		const double log_z = log_zeta(p, i, 2 * pairs);
		for (size_t t = 0; t < n; t++) {
			const double e = log_z * ((positions[t] - centre) / p->scale_base);
			const double grows = exp(e), shrinks = exp(-e);
			mat_row(out->q_cos, t)[i] *= grows;
			mat_row(out->q_sin, t)[i] *= grows;
			mat_row(out->k_cos, t)[i] *= shrinks;
			mat_row(out->k_sin, t)[i] *= shrinks;
		}
	}
}

static bool xpos_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct xpos *p = m->param;
	struct rotation *by = run_state(run, m, sizeof *by);
	const double *positions = run_column(run, m, err);
	if (positions == NULL)
		return false;
	double half;
	const double centre = find_centre(p, positions, run->n, &half);
	const double most = -log_zeta(p, 0, run->model->dk) * half / p->scale_base;
	if (most > most_log)
		return err_set(err,
			       "%s: over %g positions its factors leave the range of numbers; take "
			       "a scale_base of at least %g",
			       m->text, 2 * half, ceil(p->scale_base * most / most_log));
	fill_decay(run, p, positions, centre, by);
	run_keep(run, m, "q_cos", by->q_cos);
	run_keep(run, m, "q_sin", by->q_sin);
	run_keep(run, m, "k_cos", by->k_cos);
	run_keep(run, m, "k_sin", by->k_sin);
	return true;
}

static bool xpos_qk(struct head *head, const struct member *m, struct err *err)
{
	return rotation_turn(head, m, head_state(head, m), false, err);
}

/* The factors of decay do not depend on training; only angles may be new. */
static double xpos_reach(const void *param, const struct model_config *config)
{
	const struct xpos *p = param;
	const size_t pairs = model_dk(config) / 2;
	return rotation_reach(pairs ? angle_rate(p, pairs - 1, pairs) : 1, config);
}

static const struct claim xpos_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "no length is refused but by the range of numbers, which its factors leave where "
	 "positions are many times scale_base",
	 "scale_base < 8"},
	{0},
};

const struct scheme scheme_xpos[] = {
	{
		.id = "xpos",
		.aliases = "lex",
		.title = "Rotation with decay",
		.formula = "A_ts = ζ^{(t−s)/S}·(q_t·R_{s−t} k_s) / √d_h pair by pair,  ζ_i = (2i + "
			   "γd_h) / ((1+γ)d_h)",
		.authors = "Sun et al.",
		.cite = "@sun2023length",
		.recipe = "q and k are q_raw and k_raw with pairs of columns (2i, 2i+1) rotated: "
			  "(a, b) to (a cos - b sin, b cos + a sin), q by member.xpos.q_cos and "
			  "q_sin, which are z^e cos(u) and z^e sin(u), k by k_cos and k_sin, alike "
			  "with z^-e: u = t / interpolation * base^(-2i/dk), z = (2i/dk + gamma) / "
			  "(1 + gamma), e = (t - m) / scale_base, t in the member's column from a "
			  "to b, m = a + (b - a + 1) / 2 rounded down, or up with "
			  "centre=torchscale",
		.about = "RoPE whose pairs of columns fade with distance, the fast ones most: near "
			 "order stays sharp, and what would oscillate far away is damped.",
		.year = 2023,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "microsoft/torchscale 4d1e0e8; x-transformers 9252ed7 differs in "
				 "q' and k' for odd n alone, and has the interpolation; blockwise "
				 "attention of the paper is left out",
		.claims = xpos_claims,
		.rotates_when = "1",
		.params = xpos_params,
		.param_size = sizeof(struct xpos),
		.hooks = {.declare = rotation_has_pairs,
			  .prepare = xpos_prepare,
			  .qk = xpos_qk,
			  .relation = encoding_relate_signed,
			  .mask = mask_causal,
			  .modulates = true},
		.reach = xpos_reach,
	},
	{0},
};
