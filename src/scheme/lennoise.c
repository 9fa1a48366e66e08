/* lennoise.c: the length-difference or length-ratio embedding of a length with noise (Oka et al.
 * 2020).
 *
 *   X_t = U_t + [sin((l + ε - t) ω_i), cos((l + ε - t) ω_i)],  ε ∈ {-w, …, w} */
#include <math.h>

#include "scheme/draw.h"
#include "scheme/length.h"

enum encoding { ENCODING_LDPE, ENCODING_LRPE };
static const char *const encoding_names[] = {"ldpe", "lrpe", NULL};

struct lennoise {
	struct length length;
	int encoding;
	long window, draw;
};

static const struct param lennoise_params[] = {
	CHOICE_PARAM(struct lennoise, encoding, ENCODING_LDPE, encoding_names,
		     "what the length goes into: the difference l−t, or the ratio's base"),
	NUMBER_PARAM(struct lennoise, window, 4, 0, 1000, 1,
		     "the noise is a whole number from −window to window"),
	DRAW_PARAM(struct lennoise, 1, "of the noise"),
	LENGTH_PARAM,
	SINUSOID_SHAPE_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER),
	SINUSOID_BASE_PARAM,
	{0},
};

/* Draws the noise once for the whole input; a length is at least 1. */
static double noisy_length(const struct run *run, const struct member *m)
{
	const struct lennoise *p = m->param;
	struct rng rng = draw_of(run, m, p->draw, "noise");
	const long noise = (long)rng_below(&rng, 2 * (size_t)p->window + 1) - p->window;
	return fmax(1, length_wanted(run, m->param) + (double)noise);
}

static struct node *lennoise_table(struct run *run, const struct member *m, struct err *err)
{
	const struct lennoise *p = m->param;
	double l = noisy_length(run, m);
	run_keep(run, m, "length", mat_view(&l, 1, 1));
	return p->encoding == ENCODING_LRPE ? length_ratio(run, m, l, err)
					    : length_difference(run, m, l, err);
}

static bool lennoise_embed(struct run *run, const struct member *m, struct err *err)
{
	const double l = noisy_length(run, m), asked = length_wanted(run, m->param);
	run_note(run, m,
		 arena_printf(run->arena, "the length is %.0f, a noise of %+.0f on %.0f", l,
			      l - asked, asked));
	return length_add(run, m, lennoise_table, err);
}

const struct scheme scheme_lennoise[] = {
	{
		.id = "lennoise",
		.aliases = "oka",
		.title = "Noisy length constraint",
		.formula = "X_t = U_t + [sin((l+ε−t) ω_i), cos((l+ε−t) ω_i)],  ε ∈ {−w, …, w}",
		.authors = "Oka et al.",
		.cite = "@oka2020incorporating",
		.recipe = "member.lennoise.length is the length with what was drawn added to it",
		.about = "The length-difference embedding (or the ratio) of a length off by a "
			 "random whole number, so that a decoder learns to take it as about right.",
		.year = 2020,
		.topic = TOPIC_DECODER,
		.table2 = TABLE2_DECODER,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey section 4.4 (a random integer is added to the length); "
				 "that it is uniform, and window=4, are ours; no code found",
		.count_printed = "0",
		.params = lennoise_params,
		.param_size = sizeof(struct lennoise),
		.hooks = {.embed = lennoise_embed},
	},
	{0},
};
