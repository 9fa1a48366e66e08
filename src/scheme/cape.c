/* cape.c: sinusoids of real-valued positions around 0, in training shifted and scaled at random
 * (Likhomanenko et al. 2021).
 *
 *   X_t = U_t + [sin(p_t ω_i), cos(p_t ω_i)],  p_t = t - mean;  in training (p_t + Δ + ε_t) λ */
#include <math.h>

#include "scheme/draw.h"
#include "scheme/sinusoid.h"

struct cape {
	bool normalize, augment, scale_emb;
	double shift, local, scale, pos_scale, freq_scale;
	long draw;
};

static const struct param cape_params[] = {
	SWITCH_PARAM(struct cape, normalize, true,
		     "count from the middle: subtract the mean of the positions"),
	SWITCH_PARAM(struct cape, augment, false,
		     "move and stretch the positions at random, as in training"),
	NUMBER_PARAM(struct cape, shift, 5, 0, 1e4, 1,
		     "Δ_max: all positions move together by up to this, with augment=on"),
	NUMBER_PARAM(struct cape, local, 0.5, 0, 1e4, 0.25,
		     "ε_max: each position moves by up to this on its own, with augment=on"),
	NUMBER_PARAM(struct cape, scale, 1.4, 1, 100, 0.2,
		     "λ_max: distances stretch or shrink by up to this factor, with augment=on"),
	DRAW_PARAM(struct cape, 0, "of the augmentation"),
	RATIO_PARAM(struct cape, pos_scale, 1, 1e-6, 1e4, 2,
		    "positions per step, as seconds per frame of speech"),
	RATIO_PARAM(struct cape, freq_scale, 1, 1e-6, 1e4, 2, "factor of all frequencies"),
	SWITCH_PARAM(struct cape, scale_emb, false,
		     "multiply the token vectors by the root of d first"),
	{0},
};

/* The token vectors are scaled, not the sum, as in sinusoidal. */
static bool cape_units(struct run *run, const struct member *m, struct err *err)
{
	const struct cape *p = m->param;
	return !p->scale_emb || run_scale_units(run, m, err);
}

static double uniform(struct rng *rng, double most)
{
	return most * (2 * rng_uniform(rng) - 1);
}

/* p = (p + Δ + ε_t) λ with log λ uniform: expanding by a factor and shrinking by it are equally
 * likely. The local shifts are drawn last, so a longer sentence does not change those of a
 * shorter one. */
static void augment(double *at, size_t n, const struct cape *p, const struct run *run,
		    const struct member *m)
{
	struct rng rng = draw_of(run, m, p->draw, "shift");
	const double shift = uniform(&rng, p->shift), stretch = exp(uniform(&rng, log(p->scale)));
	for (size_t t = 0; t < n; t++)
		at[t] = (at[t] + shift + uniform(&rng, p->local * p->pos_scale)) * stretch;
}

static struct node *cape_table(struct run *run, const struct member *m, struct err *err)
{
	const struct cape *p = m->param;
	const double *positions = run_column(run, m, err);
	if (!positions)
		return NULL;
	const size_t n = run->n;
	double *at = arena_alloc(run->arena, n * sizeof *at), mean = 0;
	for (size_t t = 0; t < n; t++)
		mean += positions[t] / (double)n;
	for (size_t t = 0; t < n; t++)
		at[t] = p->pos_scale * (positions[t] - (p->normalize ? mean : 0));
	if (p->augment)
		augment(at, n, p, run, m);
	for (size_t t = 0; t < n; t++)
		at[t] *= p->freq_scale;
	run_keep(run, m, "positions", mat_view(at, 1, n));
	return sinusoid_node(run, at, &(struct sinusoid_param){.base = 10000});
}

static bool cape_embed(struct run *run, const struct member *m, struct err *err)
{
	return sinusoid_add(run, m, "table", cape_table, err);
}

static const struct claim cape_claims[] = {
	{CLAIM_RELATIVE, ANSWER_YES,
	 "positions are absolute, but counted from their mean: what moves all of them moves none",
	 "normalize"},
	{0},
};

const struct scheme scheme_cape[] = {
	{
		.id = "cape",
		.aliases = "continuous-augmented",
		.title = "Continuous augmented position embedding",
		.formula = "X_t = U_t + [sin(p_t ω_i), cos(p_t ω_i)],  p_t = t − mean;  in "
			   "training (p_t + Δ + ε_t) λ",
		.authors = "Likhomanenko et al.",
		.cite = "@likhomanenko2021cape",
		.recipe =
			"part.position = the sinusoids of member.cape.positions, drawn with "
			"augment=on; with scale_emb=on part.unit is sqrt(d) times the token vectors",
		.about = "Sinusoids of positions counted from the middle; in training they are "
			 "shifted and stretched at random, and only order and distance survive.",
		.year = 2021,
		.table2 = TABLE2_SINUSOIDAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "gcambara/cape 058df08, which halves ε_max; λ is uniform in the "
				 "survey, log λ in the code and here; sizes of the augmentation "
				 "are ours",
		.claims = cape_claims,
		.params = cape_params,
		.param_size = sizeof(struct cape),
		.hooks = {.units = cape_units, .embed = cape_embed},
	},
	{0},
};
