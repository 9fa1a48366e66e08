/* sink.c: a logit of no key in the softmax of every row.
 *
 *   α_ts = exp(A_ts) / (exp(σ_h) + Σ_r exp(A_tr)),  r the keys that t may see
 *
 * What the sink takes is written to no output, so a row sums to less than 1. σ is not scaled; as
 * it is a constant, adding a number to all logits of a row is no longer without effect. σ = 0 is
 * "softmax1", with 1 in the denominator; σ = -∞ is the softmax. */
#include <string.h>

#include "scheme/leaves.h"
#include "scheme/mask.h"

struct sink {
	bool learned;
	double sigma;
};

/* From −1 to 2 over the heads: the sink takes little from the first and much from the last. */
static double make_sink(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	return of->cols > 1 ? -1 + 3 * (double)col / (double)(of->cols - 1) : 0;
}

static bool sink_prepare(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct sink *p = m->param;
	struct node **sinks = run_state(run, m, sizeof *sinks);
	const struct mat same = mat_new(run->arena, 1, run->model->config.heads);
	mat_fill(same, p->sigma);
	*sinks = p->learned ? run_leaf(run, m, "sinks") : tape_const(run->tape, same);
	return true;
}

/* Returns the mask with a column of ones behind it; NULL: there is no mask. */
static const uint8_t *with_sink(struct head *head)
{
	const size_t keys = head->k->v.rows;
	if (!head->allowed)
		return NULL;
	uint8_t *const out = arena_alloc(head->tape->arena, head->rows * (keys + 1));
	for (size_t t = 0; t < head->rows; t++) {
		memcpy(out + t * (keys + 1), head->allowed + t * keys, keys);
		out[t * (keys + 1) + keys] = 1;
	}
	return out;
}

/* The sink is one more column of the logits, so that the largest of a row is that of both. */
static bool sink_weights(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct node *const *sinks = head_state(head, m);
	struct tape *t = head->tape;
	const size_t rows = head->rows, keys = head->k->v.rows;
	struct node *const own = tape_slice(t, *sinks, 0, 1, head->index, 1);
	struct node *const column = tape_mul(t, tape_ones(t, rows, 1), own);
	struct node *const both[] = {head->logits, column};
	struct node *const all =
		tape_softmax(t, tape_concat_cols(t, both, 2), with_sink(head), true);
	head->weights = tape_slice(t, all, 0, rows, 0, keys);
	head->sink_logit = own->v.at;
	return true;
}

static bool sigma_is_used(const struct param *p, const void *params)
{
	(void)p;
	return !((const struct sink *)params)->learned;
}

static const struct param sink_params[] = {
	SWITCH_PARAM(struct sink, learned, true,
		     "on: every head of every layer has a σ of its own; off: sigma is that of all"),
	NUMBER_PARAM(struct sink, sigma, 0, -1e6, 1e3, 0.5,
		     "σ with learned=off: 0 is softmax1, −1000000 no sink", .used = sigma_is_used),
	{0},
};

static bool sink_check(const void *param, struct err *err)
{
	const struct sink *p = param;
	return !p->learned || (p->sigma <= 0 && p->sigma >= 0) ||
	       err_set(err,
		       "sigma: %g does nothing with learned=on, where every head has a σ of its own; "
		       "learned=off would be right",
		       p->sigma);
}

static const struct claim sink_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "σ is given", "!learned"},
	{0},
};

static const struct leaf_row sink_leaves[] = {
	{"sinks", "1, h", "σ: the logit of no key, of each head", .by_layer = EACH_LAYER,
	 .when = "learned", .demo = {.entry = make_sink}, .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_sink[] = {
	{
		.id = "sink",
		.aliases = "attention-sink learned-sink sinks",
		.title = "Sink in the softmax",
		.formula = "α_ts = e^{A_ts} / (e^σ + Σ_r e^{A_tr})",
		.authors = "OpenAI",
		.cite = "@openai2025gptoss; @miller2023attention",
		.recipe =
			"weights = exp(logits) / (exp(sigma) + the row's sum of exp(logits)) over the "
			"keys whose mask is 1, sigma = param.NAME.sinks.L[H], or the parameter sigma "
			"with learned=off; rows sum to 1 - exp(sigma) / that denominator",
		.about =
			"A logit that belongs to no key takes part in the softmax, so that a query "
			"which finds nothing may attend to nothing: its row sums to less than 1, "
			"and what the sink takes is written nowhere.",
		.year = 2025,
		.inj = INJ_OTHER,
		.rows = ROWS_SUB_STOCHASTIC,
		.leaves = sink_leaves,
		.flags = SCHEME_RULE | SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"openai/gpt-oss 7b58334, torch/model.py, sdpa; it does not say how σ "
			"starts: init=paper draws it as huggingface/transformers does",
		.demo_note = "σ from −1 in the first head to 2 in the last; 0 if there is one",
		.claims = sink_claims,
		.numbers_when = "0",
		.params = sink_params,
		.param_size = sizeof(struct sink),
		.check = sink_check,
		.hooks = {.declare = leaves_declare,
			  .prepare = sink_prepare,
			  .weights = sink_weights,
			  .by_rows = true,
			  .matrices = 3},
		.reach = mask_reach,
	},
	{0},
};
