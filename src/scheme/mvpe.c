/* mvpe.c: sinusoids of positions times a large factor, so that neighbours differ strongly (Li et
 * al. 2019).
 *
 *   X_t = U_t + [sin(k t ω_i), cos(k t ω_i)],  ω_i = B^{-2i/d}  (survey eq. 25) */
#include "posviz/model/stage.h"
#include "scheme/sinusoid.h"

struct mvpe {
	struct sinusoid_param sinusoid;
	double k;
};

static const struct param mvpe_params[] = {
	RATIO_PARAM(struct mvpe, k, 1000, 1e-3, 1e6, 10,
		    "factor of the position; the survey gives k > 1000, and 1 is sinusoidal"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

static struct node *mvpe_table(struct run *run, const struct member *m, struct err *err)
{
	const struct mvpe *p = m->param;
	const double *positions = run_column(run, m, err);
	if (!positions)
		return NULL;
	double *scaled = arena_alloc(run->arena, run->n * sizeof *scaled);
	for (size_t t = 0; t < run->n; t++)
		scaled[t] = p->k * (positions[t] + (double)p->sinusoid.start);
	struct sinusoid_param sinusoid = p->sinusoid;
	sinusoid.start = 0; /* it is included already, and multiplied as well */
	return sinusoid_node(run, scaled, &sinusoid);
}

static bool mvpe_embed(struct run *run, const struct member *m, struct err *err)
{
	return sinusoid_add(run, m, "table", mvpe_table, err);
}

const struct scheme scheme_mvpe[] = {
	{
		.id = "mvpe",
		.aliases = "max-variance",
		.title = "Maximum-variance position embedding",
		.formula = "X_t = U_t + [sin(k t ω_i), cos(k t ω_i)],  ω_i = B^{−2i/d}",
		.authors = "Li et al.",
		.cite = "@li2019augmented",
		.about =
			"Sinusoids of k times the position: even slow columns move between "
			"neighbours, which then lie far from each other; what is lost is nearness.",
		.year = 2019,
		.table2 = TABLE2_SINUSOIDAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey eq. 25, which says k > 1000 and no more; k = 1000 is "
				 "ours; no code found",
		.count_printed = "0",
		.params = mvpe_params,
		.param_size = sizeof(struct mvpe),
		.hooks = {.embed = mvpe_embed},
	},
	{0},
};
