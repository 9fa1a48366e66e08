/* resdrop.c: a middle layer without the residual around its attention (Liu et al. 2021a).
 *
 * The residual carries each position straight through; without it a row only has what its
 * attention collects, and the output is no longer tied to the order of the input. It does not
 * provide positions itself: use it with a scheme, as in sinusoidal+resdrop. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/sinusoid.h"

#include <math.h>

enum residual { RESIDUAL_NONE, RESIDUAL_MEAN };
static const char *const residual_names[] = {"none", "mean", NULL};

enum query { QUERY_OFF, QUERY_PLAIN, QUERY_REVERSED, QUERY_SHORT };
static const char *const query_names[] = {"off", "plain", "reversed", "short", NULL};

struct resdrop {
	long layer;
	int residual, query;
};

static const struct param resdrop_params[] = {
	NUMBER_PARAM(struct resdrop, layer, 0, 0, MODEL_MAX_LAYERS, 1,
		     "which layer, from 1; 0 takes the middle one"),
	CHOICE_PARAM(struct resdrop, residual, RESIDUAL_NONE, residual_names,
		     "what stands in its place: nothing, or the mean over all positions"),
	CHOICE_PARAM(struct resdrop, query, QUERY_OFF, query_names,
		     "make that layer's queries from sinusoids alone: base 10000, reversed, or "
		     "base 10"),
	{0},
};

/* Returns the layer, from 0; by default the third of five. */
static size_t chosen_layer(const struct model *model, const struct resdrop *p)
{
	return (p->layer > 0 ? (size_t)p->layer : (model->config.layers + 1) / 2) - 1;
}

static bool resdrop_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct resdrop *p = m->param;
	if (chosen_layer(model, p) < model->config.layers)
		return true;
	return err_set(err, "%s: layer=%ld, but there are %zu layers", m->text, p->layer,
		       model->config.layers);
}

/* Returns the positions counted from the other end of the column: n-1-t for the column seq. */
static const double *reversed(struct run *run, const double *positions)
{
	double least = positions[0], most = positions[0];
	for (size_t t = 1; t < run->n; t++) {
		least = fmin(least, positions[t]);
		most = fmax(most, positions[t]);
	}
	double *out = arena_alloc(run->arena, run->n * sizeof *out);
	for (size_t t = 0; t < run->n; t++)
		out[t] = least + most - positions[t];
	return out;
}

/* q = P W_q: the query does not contain the token at all */
static bool resdrop_project(struct run *run, const struct member *m, struct err *err)
{
	const struct resdrop *p = m->param;
	if (p->query == QUERY_OFF || run->layer != chosen_layer(run->model, p))
		return true;
	const double *positions = run_column(run, m, err);
	if (positions == NULL)
		return false;
	if (p->query == QUERY_REVERSED)
		positions = reversed(run, positions);
	run->xq.n = 0;
	const struct sinusoid_param sinusoid = {.layout = SINUSOID_CONCAT,
						.freq = SINUSOID_T2T,
						.base = p->query == QUERY_SHORT ? 10 : 10000};
	parts_add(&run->xq, "position", sinusoid_node(run, positions, &sinusoid));
	return true;
}

static bool resdrop_block(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct resdrop *p = m->param;
	if (run->layer != chosen_layer(run->model, p) || run->residual == NULL)
		return true;
	struct node *sum = tape_col_sum(run->tape, run->residual);
	run->residual = p->residual == RESIDUAL_NONE
				? NULL
				: tape_scale(run->tape, sum, 1 / (double)run->n);
	return true;
}

/* Its only positions are the sinusoids of `query`. */
static double resdrop_reach(const void *param, const struct model_config *config)
{
	const struct resdrop *p = param;
	return p->query == QUERY_OFF ? INFINITY : (double)config->t_max - 1;
}

const struct scheme scheme_resdrop[] = {
	{
		.id = "resdrop",
		.aliases = "residual-drop",
		.title = "Dropped residual in a middle layer",
		.formula = "O = LayerNorm(M) instead of LayerNorm(M + X), in one layer",
		.authors = "Liu et al.",
		.cite = "@liu2021improving",
		.recipe = "with query other than off the dropped layer takes q from [sin | cos] of "
			  "position B^(-i/(d/2-1)) instead of input, B = 10 for short, else 10000",
		.about = "One middle layer of the encoder loses the residual connection around its "
			 "attention, so its output is not bound to the input's order word by word. "
			 "Combine it with a scheme: sinusoidal+resdrop.",
		.year = 2021,
		.topic = TOPIC_CROSS,
		.table2 = TABLE2_CROSSLINGUAL,
		.inj = INJ_OTHER,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "read in nlp-dke/NMTGMinor (pre-norm there, layer 3 of 5); no "
				 "numbers of theirs to compare with",
		.numbers_when = "query != off",
		.params = resdrop_params,
		.param_size = sizeof(struct resdrop),
		.hooks = {.declare = resdrop_declare,
			  .project = resdrop_project,
			  .block = resdrop_block},
		.reach = resdrop_reach,
	},
	{0},
};
