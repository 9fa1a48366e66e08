/* shortformer.c: position-infused attention (Press, Smith, Lewis 2021).
 *
 * The position is added to the inputs of queries and keys, in every layer, and to nothing else:
 * values and the residual do not contain it. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/sinusoid.h"

static const struct param shortformer_params[] = {
	SINUSOID_PARAMS(SINUSOID_CONCAT, SINUSOID_T2T, 2),
	{0},
};

/* q = (X + P) W_q, k = (X + P) W_k, v = X W_v (survey eq. 7) */
static bool shortformer_project(struct run *run, const struct member *m, struct err *err)
{
	struct node *table = run_cached(run, m, "table", false, sinusoid_table, err);
	if (table == NULL)
		return false;
	table = run_nudged(run, table);
	parts_add(&run->xq, "position", table);
	parts_add(&run->xk, "position", table);
	return true;
}

static bool shortformer_only_qk(const struct member *m)
{
	(void)m;
	return true;
}

const struct scheme scheme_shortformer[] = {
	{
		.id = "shortformer",
		.aliases = "pia",
		.title = "Position-infused attention",
		.formula = "A_ts = (X_t + P_t) W_q · (X_s + P_s) W_k / √d_h, v_s = X_s W_v",
		.authors = "Press et al.",
		.cite = "@press2021shortformer",
		.recipe = "q = (input + P) @ w_q and k = (input + P) @ w_k, P the sinusoids of "
			  "position + start in layout and freq: by default [sin | cos] of its "
			  "products with base^(-i/(d/2-1))",
		.about = "Sinusoids are added to the queries and keys of every layer, but not to "
			 "the values: positions decide where to look and never become part of what "
			 "is seen, so cached tokens can be given new positions.",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "ofirpress/shortformer 6c5453e: fairseq's sinusoids, counted from "
				 "2; with pre-norm it adds them after LayerNorm. Survey eq. 7 "
				 "leaves P open",
		.count_printed = "0",
		.params = shortformer_params,
		.param_size = sizeof(struct sinusoid_param),
		.hooks = {.project = shortformer_project, .only_qk = shortformer_only_qk},
	},
	{0},
};
