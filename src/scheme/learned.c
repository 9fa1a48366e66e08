/* learned.c: one learned vector per position, added to the token vectors once (Gehring et al. 2017,
 * BERT, GPT).
 *
 * The table ends at t_max, and positions beyond have no vector: the typical bounded scheme. */
#include "scheme/learned.h"

#include <math.h>

#include "posviz/base/rng.h"
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include "scheme/leaves.h"

enum { WAVES = 3, WALSH_ROWS = 8 };
static const double shortest_wave = 8, longest_wave = 512;
static const double pi = 3.14159265358979323846;

/* Wavelengths are drawn uniformly in their logarithm; mean square 1/2 as in sinusoids. The draws
 * do not depend on the number of rows, so a larger t_max extends the curves without changing
 * them. */
void learned_curves(struct mat at, const struct leaf_maker *of)
{
	const double gain = of->value != 0 ? of->value : 1;
	mat_fill(at, 0);
	for (size_t c = 0; c < at.cols; c++) {
		for (int w = 0; w < WAVES; w++) {
			const double wave = shortest_wave *
					    pow(longest_wave / shortest_wave, rng_uniform(of->rng));
			const double phase = 2 * pi * rng_uniform(of->rng);
			for (size_t t = 0; t < at.rows; t++)
				mat_row(at, t)[c] +=
					gain * cos(2 * pi * (double)t / wave + phase) / sqrt(WAVES);
		}
	}
}

/* Eight Walsh functions over the pairs of columns, times signs drawn for every eight rows. */
void learned_signs(struct mat at, const struct leaf_maker *of)
{
	const double gain = of->value != 0 ? of->value : 1;
	for (size_t r = 0; r < at.rows; r += WALSH_ROWS) {
		for (size_t c = 0; c < at.cols; c += 2) {
			const size_t flip = rng_below(of->rng, 2);
			for (size_t k = r; k < at.rows && k < r + WALSH_ROWS; k++) {
				const int ones = __builtin_popcountll((k - r) & (c / 2));
				double *row = mat_row(at, k);
				row[c] = ((size_t)ones + flip) % 2 ? -gain : gain;
				if (c + 1 < at.cols)
					row[c + 1] = -row[c];
			}
		}
	}
}

struct learned {
	bool frozen;
};

static const struct param learned_params[] = {
	SWITCH_PARAM(struct learned, frozen, false,
		     "the table was learned before and stays as it is: it takes no gradient"),
	{0},
};

static bool learned_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct learned *p = m->param;
	if (!leaves_declare(model, m, err))
		return false;
	if (p->frozen)
		model_freeze(model, m);
	return true;
}

/* X = U + P, row t of P for position t */
static bool learned_embed(struct run *run, const struct member *m, struct err *err)
{
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (rows == NULL)
		return false;
	run_add_part(run, "position", run_leaf_rows(run, m, "p", rows, run->n));
	return true;
}

static const struct claim learned_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "the table was learned before, and takes no gradient",
	 "frozen"},
	{0},
};

static const struct leaf_row learned_leaves[] = {
	{"p", "t_max, d", "row t: added to the token vector at position t", .by_layer = ALL_LAYERS,
	 .by_rows = true, .demo = {.make = learned_curves}, .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_learned[] = {
	{
		.id = "learned",
		.aliases = "ape",
		.title = "Learned absolute position embedding",
		.formula = "X_t = U_t + P_t",
		.authors = "Gehring et al.; Vaswani et al.",
		.cite = "@gehring2017convolutional; @vaswani2017attention; @devlin2019bert",
		.recipe = "part.position[t] = param.learned.p[position]",
		.about =
			"Every position up to t_max owns a learned vector that is added to the "
			"token vector once, before the first layer. Nothing says that neighbours are "
			"alike, and nothing stands behind the last row.",
		.year = 2017,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = learned_leaves,
		.flags = SCHEME_LEARNABLE,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "BERT and GPT-2 in huggingface/transformers: table from 0, no "
				 "LayerNorm of the sum here",
		.demo_note = LEARNED_CURVES_NOTE,
		.count_printed = "t_max d",
		.claims = learned_claims,
		.params = learned_params,
		.param_size = sizeof(struct learned),
		.hooks = {.declare = learned_declare, .embed = learned_embed},
	},
	{0},
};
