/* length.c: positions that know the length: the length-difference and length-ratio embeddings of
 * Takase and Okazaki 2019, and length constraints with noise (Oka et al. 2020).
 *
 * The length is the member's own, else the one that a decoder is asked for, else that of the input. */
#include <math.h>

#include "scheme/draw.h"
#include "scheme/sinusoid.h"

enum encoding { ENCODING_LDPE, ENCODING_LRPE };
static const char *const encoding_names[] = {"ldpe", "lrpe", NULL};

enum count { COUNT_FORMULA, COUNT_CODE };
static const char *const count_names[] = {"formula", "code", NULL};

struct length {
	struct sinusoid_param sinusoid; /* base is for ldpe alone */
	long length;
	int encoding, count;
	long window, draw;
};

#define LENGTH_PARAM                                      \
	NUMBER_PARAM(struct length, length, 0, 0, 1e6, 1, \
		     "l, the length; 0: the one asked for (--length), else the input's")

static const struct param ldpe_params[] = {
	LENGTH_PARAM,
	CHOICE_PARAM(struct length, count, COUNT_FORMULA, count_names,
		     "down to 0 at t = l, or as the code: l+1−t, and at t = l a row of zeros"),
	SINUSOID_SHAPE_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER),
	SINUSOID_BASE_PARAM,
	{0},
};

static const struct param lrpe_params[] = {
	LENGTH_PARAM,
	SINUSOID_SHAPE_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER),
	SINUSOID_START_PARAM(0),
	{0},
};

static const struct param lennoise_params[] = {
	CHOICE_PARAM(struct length, encoding, ENCODING_LDPE, encoding_names,
		     "what the length goes into: the difference l−t, or the ratio's base"),
	NUMBER_PARAM(struct length, window, 4, 0, 1000, 1,
		     "the noise is a whole number from −window to window"),
	DRAW_PARAM(struct length, 1, "of the noise"),
	LENGTH_PARAM,
	SINUSOID_SHAPE_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER),
	SINUSOID_BASE_PARAM,
	{0},
};

/* Angle t l^(-2i/d) (survey eq. 33): sinusoids whose base is the length. */
static struct node *ratio(struct run *run, const double *positions, const struct length *p,
			  double l)
{
	struct sinusoid_param sinusoid = p->sinusoid;
	sinusoid.base = l;
	return sinusoid_node(run, positions, &sinusoid);
}

/* Angle (l - t) B^(-2i/d) (survey eq. 32). The code counts the end of sentence too, and stops at 2:
 * its row 1 is that of the padding. */
static struct node *difference(struct run *run, const double *positions, const struct length *p,
			       double l)
{
	double *left = arena_alloc(run->arena, run->n * sizeof *left);
	for (size_t t = 0; t < run->n; t++)
		left[t] = l - positions[t] + (p->count == COUNT_CODE);
	struct node *table = sinusoid_node(run, left, &p->sinusoid);
	for (size_t t = 0; p->count == COUNT_CODE && t < run->n; t++)
		if (fabs(left[t] - 1) < 1e-12)
			mat_fill(mat_rows(table->v, t, 1), 0);
	return table;
}

static double wanted_length(const struct run *run, const struct length *p)
{
	return p->length > 0	     ? (double)p->length
	       : run->in->length > 0 ? (double)run->in->length
				     : (double)run->n;
}

static struct node *ldpe_table(struct run *run, const struct member *m, struct err *err)
{
	const struct length *p = m->param;
	const double *positions = run_column(run, m, err);
	return positions ? difference(run, positions, p, wanted_length(run, p)) : NULL;
}

static struct node *lrpe_table(struct run *run, const struct member *m, struct err *err)
{
	const struct length *p = m->param;
	const double *positions = run_column(run, m, err);
	return positions ? ratio(run, positions, p, wanted_length(run, p)) : NULL;
}

/* One draw for the whole input; a length is at least 1. */
static double noisy_length(const struct run *run, const struct member *m)
{
	const struct length *p = m->param;
	struct rng rng = draw_of(run, m, p->draw, "noise");
	const long noise = (long)rng_below(&rng, 2 * (size_t)p->window + 1) - p->window;
	return fmax(1, wanted_length(run, p) + (double)noise);
}

static struct node *lennoise_table(struct run *run, const struct member *m, struct err *err)
{
	const struct length *p = m->param;
	const double *positions = run_column(run, m, err);
	if (positions == NULL)
		return NULL;
	double l = noisy_length(run, m);
	run_keep(run, m, "length", mat_view(&l, 1, 1));
	return p->encoding == ENCODING_LRPE ? ratio(run, positions, p, l)
					    : difference(run, positions, p, l);
}

/* What is kept between evaluations is a table for one length. */
static bool add_table(struct run *run, const struct member *m,
		      struct node *(*build)(struct run *run, const struct member *m,
					    struct err *err),
		      struct err *err)
{
	const char *name =
		arena_printf(run->arena, "table for %.17g", wanted_length(run, m->param));
	return sinusoid_add(run, m, name, build, err);
}

static bool ldpe_embed(struct run *run, const struct member *m, struct err *err)
{
	return add_table(run, m, ldpe_table, err);
}

static bool lrpe_embed(struct run *run, const struct member *m, struct err *err)
{
	return add_table(run, m, lrpe_table, err);
}

static bool lennoise_embed(struct run *run, const struct member *m, struct err *err)
{
	const double l = noisy_length(run, m), asked = wanted_length(run, m->param);
	run_note(run, m,
		 arena_printf(run->arena, "the length is %.0f, a noise of %+.0f on %.0f", l,
			      l - asked, asked));
	return add_table(run, m, lennoise_table, err);
}

const struct scheme scheme_length[] = {
	{
		.id = "ldpe",
		.aliases = "takase length-difference",
		.title = "Length-difference position embedding",
		.formula = "X_t = U_t + [sin((l−t) ω_i), cos((l−t) ω_i)],  ω_i = B^{−2i/d}",
		.authors = "Takase and Okazaki",
		.cite = "Takase, Okazaki: Positional encoding to control output sequence length. "
			"NAACL 2019",
		.about = "The sinusoidal embedding of what is still to come: the position is "
			 "counted down from the length asked for (--length, else that of the "
			 "input), so that a decoder knows when to stop.",
		.year = 2019,
		.topic = TOPIC_DECODER,
		.table2 = TABLE2_DECODER,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "survey eq. 32; takase/control-length c9eb632 counts the end of "
				 "sentence too, in tensor2tensor's layout: "
				 "count=code,layout=concat,freq=t2t",
		.count_printed = "0",
		.params = ldpe_params,
		.param_size = sizeof(struct length),
		.hooks = {.embed = ldpe_embed},
	},
	{
		.id = "lrpe",
		.aliases = "length-ratio",
		.title = "Length-ratio position embedding",
		.formula = "X_t = U_t + [sin(t ω_i), cos(t ω_i)],  ω_i = l^{−2i/d}",
		.authors = "Takase and Okazaki",
		.cite = "Takase, Okazaki: Positional encoding to control output sequence length. "
			"NAACL 2019",
		.about = "Sinusoids whose base is the length asked for: the slowest column turns "
			 "about once in 2π l positions, so its angle tells how much of the output "
			 "is done.",
		.year = 2019,
		.topic = TOPIC_DECODER,
		.table2 = TABLE2_DECODER,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "survey eq. 33; takase/control-length c9eb632 counts from 2 in "
				 "tensor2tensor's layout: start=2,layout=concat,freq=t2t",
		.count_printed = "0",
		.params = lrpe_params,
		.param_size = sizeof(struct length),
		.hooks = {.embed = lrpe_embed},
	},
	{
		.id = "lennoise",
		.aliases = "oka",
		.title = "Noisy length constraint",
		.formula = "X_t = U_t + [sin((l+ε−t) ω_i), cos((l+ε−t) ω_i)],  ε ∈ {−w, …, w}",
		.authors = "Oka et al.",
		.cite = "Oka, Chousa, Sudoh, Nakamura: Incorporating noisy length constraints into "
			"Transformer with length-aware positional encodings. COLING 2020",
		.recipe = "member.lennoise.length is the length with what was drawn added to it",
		.about = "The length-difference embedding (or the ratio) of a length that is off "
			 "by a random whole number: in training this teaches a decoder that the "
			 "predicted length is only about right.",
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
		.param_size = sizeof(struct length),
		.hooks = {.embed = lennoise_embed},
	},
	{0},
};
