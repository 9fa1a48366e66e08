/* length.c: the length-difference and length-ratio embeddings of Takase and Okazaki 2019.
 *
 *   ldpe  angle (l - t) B^{-2i/d} (survey eq. 32)    lrpe  angle t l^{-2i/d} (eq. 33) */
#include "scheme/length.h"

#include <math.h>

#include "posviz/model/stage.h"

double length_wanted(const struct run *run, const struct length *p)
{
	return p->length > 0	     ? (double)p->length
	       : run->in->length > 0 ? (double)run->in->length
				     : (double)run->n;
}

/* The authors' code also counts the end of sentence, and stops at 2: its row 1 is that of the
 * padding. */
struct node *length_difference(struct run *run, const struct member *m, double l, struct err *err)
{
	const struct length *p = m->param;
	const double *positions = run_column(run, m, err);
	if (!positions)
		return NULL;
	double *left = arena_alloc(run->arena, run->n * sizeof *left);
	for (size_t t = 0; t < run->n; t++)
		left[t] = l - positions[t] + (p->count == LENGTH_CODE);
	struct node *table = sinusoid_node(run, left, &p->sinusoid);
	for (size_t t = 0; p->count == LENGTH_CODE && t < run->n; t++)
		if (fabs(left[t] - 1) < 1e-12)
			mat_fill(mat_rows(table->v, t, 1), 0);
	return table;
}

struct node *length_ratio(struct run *run, const struct member *m, double l, struct err *err)
{
	const struct length *p = m->param;
	struct sinusoid_param sinusoid = p->sinusoid;
	sinusoid.base = l;
	const double *positions = run_column(run, m, err);
	return positions ? sinusoid_node(run, positions, &sinusoid) : NULL;
}

bool length_add(struct run *run, const struct member *m,
		struct node *(*build)(struct run *run, const struct member *m, struct err *err),
		struct err *err)
{
	const double l = length_wanted(run, m->param);
	return sinusoid_add(run, m, arena_printf(run->arena, "table for %.17g", l), build, err);
}

static struct node *ldpe_table(struct run *run, const struct member *m, struct err *err)
{
	return length_difference(run, m, length_wanted(run, m->param), err);
}

static bool ldpe_embed(struct run *run, const struct member *m, struct err *err)
{
	return length_add(run, m, ldpe_table, err);
}

static struct node *lrpe_table(struct run *run, const struct member *m, struct err *err)
{
	return length_ratio(run, m, length_wanted(run, m->param), err);
}

static bool lrpe_embed(struct run *run, const struct member *m, struct err *err)
{
	return length_add(run, m, lrpe_table, err);
}

static const char *const count_names[] = {"formula", "code", NULL};

static const struct param ldpe_params[] = {
	LENGTH_PARAM,
	CHOICE_PARAM(struct length, count, LENGTH_FORMULA, count_names,
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

#define COMMON                                                                          \
	.authors = "Takase and Okazaki", .cite = "@takase2019positional", .year = 2019, \
	.topic = TOPIC_DECODER, .table2 = TABLE2_DECODER, .ref = REF_ABSOLUTE,          \
	.inj = INJ_EMBEDDING, .flags = SCHEME_UNBOUNDED, .evidence = EVIDENCE_CODE,     \
	.count_printed = "0", .param_size = sizeof(struct length)

const struct scheme scheme_length[] = {
	{
		.id = "ldpe",
		.aliases = "takase length-difference",
		.title = "Length-difference position embedding",
		.formula = "X_t = U_t + [sin((l−t) ω_i), cos((l−t) ω_i)],  ω_i = B^{−2i/d}",
		COMMON,
		.about = "The sinusoidal embedding of what is still to come: the position is "
			 "counted down from the length asked for, so a decoder knows when to stop.",
		.evidence_note = "survey eq. 32; takase/control-length c9eb632, which counts the "
				 "end of sentence too, is count=code,layout=concat,freq=t2t",
		.params = ldpe_params,
		.hooks = {.embed = ldpe_embed},
	},
	{
		.id = "lrpe",
		.aliases = "length-ratio",
		.title = "Length-ratio position embedding",
		.formula = "X_t = U_t + [sin(t ω_i), cos(t ω_i)],  ω_i = l^{−2i/d}",
		COMMON,
		.about = "Sinusoids whose base is the length asked for: the slowest column rotates "
			 "about once in 2π l positions, so its angle tells how much is done.",
		.evidence_note = "survey eq. 33; takase/control-length c9eb632, which counts from "
				 "2, is start=2,layout=concat,freq=t2t",
		.params = lrpe_params,
		.hooks = {.embed = lrpe_embed},
	},
	{0},
};
