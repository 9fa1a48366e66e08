/* temperature.c: rules that sharpen or flatten the softmax by a factor of the logits.
 *
 *   temperature         A_ts / τ, τ learned for each head, or for each position of the query
 *   ssmax               (s_h ln n_t + b_h) A_ts, n_t the number of keys that t may see
 *   logn                q_t max(1, ln(t+1) / ln L)
 *   temperature_tuning  q_t (1 + a ln(⌊(t+1)/f⌋ + 1))
 *
 * The first two multiply all logits, and the change is a term of its own. The others multiply
 * the query, so a bias that is added to the logits stays as it is. */
#include <math.h>

#include "posviz/base/num.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

/* ---- factors of the logits ----------------------------------------------------------------- */

static void note_bias(struct run *run, const struct member *m)
{
	run_note(run, m, "the bias holds what the factor makes of the logits of equal vectors");
}

/* Multiplies the logits by 1 + more, a number or a column with one for each query. */
static void multiply(struct head *head, const char *label, struct node *more)
{
	head_add_term(head, label, TERM_OTHER, tape_mul(head->tape, head->logits, more));
}

enum per { PER_HEAD, PER_POSITION };
static const char *const per_names[] = {"head", "position", NULL};

struct temperature {
	int per; /* enum per */
};

/* From 1/2 in the first head, which is sharp, to 2 in the last; 1 if there is one. */
static double make_temperature(const struct leaf_maker *of, size_t row, size_t col)
{
	const struct temperature *p = of->m->param;
	if (p->per == PER_POSITION)
		return 1 / (1 + log1p((double)row) / 4);
	return of->cols > 1 ? exp2(2 * (double)col / (double)(of->cols - 1) - 1) : 1;
}

/* 1/τ - 1 of every head [1,h], or of every query [n,1]. */
static bool temperature_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct temperature *p = m->param;
	struct tape *t = run->tape;
	struct node **more = run_state(run, m, sizeof *more);
	struct node *tau = run_leaf(run, m, "tau");
	note_bias(run, m);
	if (p->per == PER_POSITION) {
		const int32_t *const rows = run_rows(run, m, run->model->config.t_max, err);
		if (!rows)
			return false;
		tau = tape_gather_rows(t, tau, rows, run->n);
	}
	*more = tape_add_scalar(t, tape_pow(t, tau, -1), -1);
	return true;
}

static bool temperature_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct temperature *p = m->param;
	struct node *const *more = head_state(head, m);
	multiply(head, "1/τ − 1",
		 p->per == PER_POSITION ? head_rows(head, *more)
					: tape_slice(head->tape, *more, 0, 1, head->index, 1));
	return true;
}

struct ssmax {
	bool bias;
};

struct ssmax_state {
	struct node *s, *b; /* [1,h]; b NULL: 0 */
};

static double make_ssmax(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	return of->cols > 1 ? 0.25 * exp2(2 * (double)col / (double)(of->cols - 1)) : 0.43;
}

static bool ssmax_prepare(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct ssmax *p = m->param;
	struct ssmax_state *state = run_state(run, m, sizeof *state);
	note_bias(run, m);
	state->s = run_leaf(run, m, "s");
	state->b = p->bias ? run_leaf(run, m, "b") : NULL;
	return true;
}

/* Returns ln n of the queries of the present block, 0 for one that sees no key. [rows,1] */
static struct mat log_keys(const struct head *head)
{
	const size_t keys = head->k->v.rows;
	const struct mat out = mat_new(head->tape->arena, head->rows, 1);
	for (size_t t = 0; t < head->rows; t++) {
		size_t n = head->allowed ? 0 : keys;
		for (size_t s = 0; head->allowed && s < keys; s++)
			n += head->allowed[t * keys + s];
		out.at[t] = n > 0 ? log((double)n) : 0;
	}
	return out;
}

static bool ssmax_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct ssmax_state *state = head_state(head, m);
	struct tape *t = head->tape;
	struct node *const s = tape_slice(t, state->s, 0, 1, head->index, 1);
	struct node *more = tape_mul(t, tape_const(t, log_keys(head)), s);
	if (state->b)
		more = tape_add(t, more, tape_slice(t, state->b, 0, 1, head->index, 1));
	multiply(head, "s ln n − 1", tape_add_scalar(t, more, -1));
	return true;
}

/* ---- factors of the query ------------------------------------------------------------------ */

struct logn {
	long length;
	bool least;
};

static double logn_factor(const struct model *model, const void *param, double t)
{
	const struct logn *p = param;
	const double length =
		p->length > 0 ? (double)p->length : fmax(2, (double)model->config.t_max);
	const double by = t > -1 ? log1p(t) / log(length) : -INFINITY;
	return p->least || !isfinite(by) ? fmax(1, by) : by;
}

static bool logn_check(const void *param, struct err *err)
{
	const struct logn *p = param;
	return p->length != 1 ||
	       err_set(err,
		       "length: 1; λ divides by ln L, which is 0: 0 for t-max, or a number from 2, "
		       "would be right");
}

struct tuning {
	double attn_scale, floor_scale;
};

static double tuning_factor(const struct model *model, const void *param, double t)
{
	(void)model;
	const struct tuning *p = param;
	return 1 + p->attn_scale * log1p(fmax(0, floor((t + 1) / p->floor_scale)));
}

static void note_factors(struct run *run, const struct member *m, struct mat by)
{
	char least[32], most[32];
	double lo = 1, hi = 1;
	mat_range(by, &lo, &hi);
	num_show(least, sizeof least, lo, 3);
	num_show(most, sizeof most, hi, 3);
	run_note(run, m,
		 lo >= 1 && hi <= 1 ? "the text is too short for a factor other than 1"
				    : arena_printf(run->arena, "queries are multiplied by %s to %s",
						   least, most));
}

/* The factors of the queries [n,1], kept as member.NAME.factor. */
static bool prepare_factors(struct run *run, const struct member *m,
			    double (*factor)(const struct model *model, const void *param,
					     double t),
			    struct err *err)
{
	struct node **state = run_state(run, m, sizeof *state);
	const double *position = run_column(run, m, err);
	if (!position)
		return false;
	const struct mat by = mat_new(run->arena, run->n, 1);
	for (size_t t = 0; t < run->n; t++)
		by.at[t] = factor(run->model, m->param, position[t]);
	run_keep(run, m, "factor", by);
	note_factors(run, m, by);
	*state = tape_const(run->tape, by);
	return true;
}

static bool logn_prepare(struct run *run, const struct member *m, struct err *err)
{
	return prepare_factors(run, m, logn_factor, err);
}

static bool tuning_prepare(struct run *run, const struct member *m, struct err *err)
{
	return prepare_factors(run, m, tuning_factor, err);
}

static bool multiply_query(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	struct node *const *by = head_state(head, m);
	head->q = tape_mul(head->tape, head->q, *by);
	return true;
}

/* ---- descriptors --------------------------------------------------------------------------- */

static const struct param temperature_params[] = {
	CHOICE_PARAM(struct temperature, per, PER_HEAD, per_names,
		     "what has a temperature of its own: each head, or each position of a query"),
	{0},
};

static const struct param ssmax_params[] = {
	SWITCH_PARAM(struct ssmax, bias, false,
		     "a learned number b of each head is added to s ln n"),
	{0},
};

static const struct param logn_params[] = {
	RATIO_PARAM(struct logn, length, 0, 0, 1e9, 2,
		    "L: the length trained on, from which on queries grow; 0: t-max"),
	SWITCH_PARAM(struct logn, least, true,
		     "the factor is at least 1; off: the first query's is 0"),
	{0},
};

static const struct param tuning_params[] = {
	NUMBER_PARAM(struct tuning, attn_scale, 0.1, 0, 100, 0.05,
		     "a: what each factor e of the length adds; 0: nothing"),
	RATIO_PARAM(struct tuning, floor_scale, 8192, 1, 1e9, 2,
		    "f: positions to a step; the first is at position f − 1"),
	{0},
};

static enum reference temperature_reference(const void *param)
{
	const struct temperature *p = param;
	return p->per == PER_POSITION ? REF_ABSOLUTE : REF_NONE;
}

static const struct claim temperature_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_NO, "there is a row for each of t-max positions",
	 "per == position"},
	{0},
};

static const struct claim logn_claims[] = {
	{CLAIM_RECURRING, ANSWER_UNSAID,
	 "it acts beyond L, and the inputs that are measured are short",
	 "length == 0 || length > 4"},
	{0},
};

static const struct claim tuning_claims[] = {
	{CLAIM_RECURRING, ANSWER_NO, "the factor is 1", "attn_scale == 0"},
	{CLAIM_RECURRING, ANSWER_UNSAID,
	 "it acts from position f − 1 on, and the inputs that are measured are short",
	 "floor_scale > 4"},
	{0},
};

static const struct leaf_row temperature_leaves[] = {
	{"tau", "(per == head ? 1 : t_max), (per == head ? h : 1)",
	 "τ of each head; with per=position a row for each position", .by_layer = EACH_LAYER,
	 .demo = {.entry = make_temperature}, .paper = {FILL_CONSTANT, 1}},
	{0},
};

static const struct leaf_row ssmax_leaves[] = {
	{"s", "1, h", "of a head: how fast its logits grow with ln n", .by_layer = EACH_LAYER,
	 .demo = {.entry = make_ssmax}, .paper = {FILL_CONSTANT, 0.43}},
	{"b", "1, h", "of a head: added to s ln n", .by_layer = EACH_LAYER, .when = "bias",
	 .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{0},
};

/* clang-format off */
#define RULE .reach = mask_reach
#define RULE_FLAGS SCHEME_RULE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY
#define OF_QUERIES(function) \
	.ref = REF_ABSOLUTE, .inj = INJ_MATRIX, \
	.hooks = {.prepare = function, .qk = multiply_query, .modulates = true}
#define FACTOR_RECIPE(is) "q = q_raw, or what members before make of it, times " is ", which is member.NAME.factor[t]"
/* clang-format on */

const struct scheme scheme_temperature[] = {
	{
		.id = "temperature",
		.aliases = "softmax-temperature",
		.title = "Temperature of the softmax",
		.formula = "A'_ts = A_ts / τ",
		.authors = "posviz",
		.cite = "ours: the definition of a temperature, learned; τ = 1 is none",
		.recipe = "term.1/τ − 1 = (1/tau - 1) times the sum of the terms before it, tau = "
			  "param.NAME.tau.L[0, H], with per=position [t, 0]",
		.about =
			"The logits of a head, or of a query's position, are divided by a number "
			"before the softmax: below 1 it sharpens the weights, above 1 it evens them.",
		.year = 2026,
		.inj = INJ_OTHER,
		.leaves = temperature_leaves,
		.flags = RULE_FLAGS | SCHEME_LEARNABLE,
		RULE,
		.evidence = EVIDENCE_OURS,
		.evidence_note =
			"A / τ, with τ learned; where the positions of a model set it, that is "
			"logn, ssmax or temperature_tuning",
		.demo_note =
			"τ from 1/2 in the first head to 2 in the last; with per=position 1 / (1 + "
			"ln(1 + t) / 4)",
		.claims = temperature_claims,
		.numbers_when = "per == position",
		.reference_of = temperature_reference,
		.params = temperature_params,
		.param_size = sizeof(struct temperature),
		.hooks = {.declare = leaves_declare,
			  .prepare = temperature_prepare,
			  .adjust = temperature_adjust,
			  .by_rows = true,
			  .matrices = 1},
	},
	{
		.id = "ssmax",
		.aliases = "scalable-softmax scalable_softmax",
		.title = "Scalable softmax",
		.formula = "A'_ts = s ln n_t A_ts,  n_t keys for query t",
		.authors = "Nakanishi",
		.cite = "@nakanishi2025scalable",
		.recipe =
			"term.s ln n − 1 = (s ln n + b - 1) times the sum of the terms before it, n the "
			"number of keys whose mask is 1 in the row, s = param.NAME.s.L[0, H], b alike "
			"with bias=on, else 0",
		.about =
			"Logits grow with the logarithm of the number of keys that a query sees, so "
			"that the largest weight does not fade as the text becomes longer.",
		.year = 2025,
		.inj = INJ_OTHER,
		.leaves = ssmax_leaves,
		.flags = RULE_FLAGS | SCHEME_LEARNABLE,
		RULE,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "the equation of the paper; s begins with 0.43 as in a port, its "
				 "start was not found",
		.demo_note = "s from 1/4 in the first head to 1 in the last; 0.43 if there is one",
		.numbers_when = "0",
		.params = ssmax_params,
		.param_size = sizeof(struct ssmax),
		.hooks = {.declare = leaves_declare,
			  .prepare = ssmax_prepare,
			  .adjust = ssmax_adjust,
			  .by_rows = true,
			  .matrices = 1},
	},
	{
		.id = "logn",
		.aliases = "log-n logn-attn",
		.title = "Logarithmic scale of queries",
		.formula = "A_ts = λ_t q_t·k_s / √d_h,  λ_t = max(1, ln(t+1) / ln L)",
		.authors = "Su",
		.cite = "@su2021entropy",
		.recipe = FACTOR_RECIPE("max(1, ln(t + 1) / ln L)"),
		.about =
			"Beyond the length L of its training a query grows with the logarithm of its "
			"position, so that its weights stay as concentrated as they were.",
		.year = 2021,
		.flags = RULE_FLAGS,
		RULE,
		.evidence = EVIDENCE_PORT,
		.evidence_note =
			"the rule as in bojone/rerope acfe788 and Qwen 1, where it is used beyond "
			"the length of training",
		.claims = logn_claims,
		.params = logn_params,
		.param_size = sizeof(struct logn),
		.check = logn_check,
		OF_QUERIES(logn_prepare),
	},
	{
		.id = "temperature_tuning",
		.aliases = "temperature-tuning attn-temperature floor-scale",
		.title = "Temperature tuning of Llama 4",
		.formula = "A_ts = λ_t q_t·k_s / √d_h,  λ_t = 1 + a ln(⌊(t+1)/f⌋ + 1)",
		.authors = "Meta AI",
		.cite = "@meta2025llama4",
		.recipe = FACTOR_RECIPE("1 + attn_scale ln(floor((t + 1) / floor_scale) + 1)"),
		.about =
			"Queries of far positions are multiplied by a factor that rises by steps with "
			"the logarithm of the position: what layers without positions need to "
			"find few keys among very many.",
		.year = 2025,
		.flags = RULE_FLAGS,
		RULE,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"meta-llama/llama-models a9c89c4, models/llama4/model.py: in layers "
			"without rotation alone",
		.claims = tuning_claims,
		.params = tuning_params,
		.param_size = sizeof(struct tuning),
		OF_QUERIES(tuning_prepare),
	},
	{0},
};
