/* gauss.c: hard-coded Gaussian attention (You, Sun, Iyyer 2020).
 *
 * There are no queries and keys: a head's weights are a Gaussian around the query's position
 * plus the head's offset. They are densities, not probabilities: rows lose the part beyond the
 * ends, and a narrow Gaussian sums to more than one. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>

struct gauss {
	struct value_list offsets;
	double std, threshold;
	bool renorm;
};

static const struct param gauss_params[] = {
	LIST_PARAM(struct gauss, offsets, "[-1,1]", -1e6, 1e6,
		   "where the heads look, in positions from the query; in turn when there are more "
		   "heads"),
	RATIO_PARAM(struct gauss, std, 1, 0.01, 1e6, 1.25,
		    "standard deviation of the bell, in positions"),
	NUMBER_PARAM(struct gauss, threshold, 0, 0, 1, 0.01, "densities below it become 0"),
	SWITCH_PARAM(struct gauss, renorm, false, "make each row sum to 1"),
	{0},
};

static bool gauss_check(const void *param, struct err *err)
{
	const struct gauss *p = param;
	return p->offsets.n > 0 || err_set(err, "offsets is empty; write at least one, as [-1,1]");
}

static void forbid(double *row, const uint8_t *allowed, size_t n, double least)
{
	for (size_t s = 0; s < n; s++)
		if ((allowed != NULL && !allowed[s]) || row[s] < least)
			row[s] = -HUGE_VAL;
}

/* Computes exponentials relative to the largest exponent, so that renormalising works even if
 * the centre lies far outside. Returns the factor that makes the row sum to one, 0 for an empty
 * row. */
static double exp_row(double *row, size_t n)
{
	double most = -HUGE_VAL, sum = 0;
	for (size_t s = 0; s < n; s++)
		most = row[s] > most ? row[s] : most;
	for (size_t s = 0; s < n && isfinite(most); s++)
		row[s] -= most;
	vec_exp(row, row, n);
	for (size_t s = 0; s < n; s++)
		sum += row[s];
	return sum > 0 ? 1 / sum : 0;
}

/* Turns one row of exponents into densities, 0 where masked or below the threshold. */
static void weigh_row(double *row, const uint8_t *allowed, size_t n, const struct gauss *p)
{
	static const double root_two_pi = 2.50662827463100050242;
	double by = 1 / (p->std * root_two_pi);
	const double least = p->threshold > 0 ? log(p->threshold / by) : -HUGE_VAL;
	if (allowed != NULL || p->threshold > 0)
		forbid(row, allowed, n, least);
	if (p->renorm)
		by = exp_row(row, n);
	else
		vec_exp(row, row, n);
	for (size_t s = 0; s < n; s++)
		row[s] *= by;
}

/* α_ts = exp(-(s-(t+o))²/2σ²) / (σ √2π) */
static bool gauss_weights(struct head *head, const struct member *m, struct err *err)
{
	const struct gauss *p = m->param;
	const size_t n = head->run->n;
	const double *positions = run_column(head->run, m, err);
	if (positions == NULL)
		return false;
	const double offset = p->offsets.at[head->index % p->offsets.n];
	const double narrow = -0.5 / (p->std * p->std);
	const struct mat weights = mat_new(head->tape->arena, n, n);
	for (size_t t = 0; t < n; t++) {
		double *row = mat_row(weights, t);
		const double centre = positions[t] + offset;
		for (size_t s = 0; s < n; s++) {
			const double z = positions[s] - centre;
			row[s] = narrow * z * z;
		}
		weigh_row(row, head->allowed != NULL ? head->allowed + t * n : NULL, n, p);
	}
	tape_count(head->tape, OP_SOFTMAX, (double)n * (double)n);
	head->weights = tape_const(head->tape, weights);
	return true;
}

static const struct claim gauss_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "densities are below the threshold, or the bell is so wide that none is told from another",
	 "threshold && std > 0.3989 || std > 1000"},
	{0},
};

const struct scheme scheme_gauss[] = {
	{
		.id = "gauss",
		.aliases = "gaussian hard-coded",
		.title = "Hard-coded Gaussian attention",
		.formula = "α_ts = exp(−(s − t − o_i)² / 2σ²) / (σ√(2π))",
		.authors = "You et al.",
		.cite = "@you2020hardcoded",
		.recipe = "there are no logits; weights[t,s] = exp(-(s - t - offset)^2 / (2 "
			  "std^2)) / (std sqrt(2 pi)), 0 below threshold or masked, each row "
			  "divided by its sum with renorm=on",
		.about =
			"Attention without looking: each head puts a fixed bell around the position "
			"next to the query, whatever the words are, and translation hardly "
			"suffers. The bell is a density: rows need not sum to 1.",
		.year = 2020,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.rows = ROWS_NEITHER,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "fallcat/stupidNMT 2d5111a; its README trains encoders with these "
				 "offsets, decoders with offsets=[-1,0] and +causal",
		.claims = gauss_claims,
		.params = gauss_params,
		.param_size = sizeof(struct gauss),
		.hooks = {.weights = gauss_weights, .no_logits = true},
		.check = gauss_check,
	},
	{0},
};
