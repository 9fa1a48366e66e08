/* qk_norm.c: queries and keys that are normalised before they are multiplied.
 *
 *   rms:    x / √(mean_j x_j² + ε) ∘ γ          (Llama 4, Qwen3, Gemma 3, OLMo 2)
 *   layer:  (x - mean x) / √(var x + ε) ∘ γ     (Dehghani et al. 2023)
 *   l2:     x / ‖x‖, and A_ts = g_h q̂_t·k̂_s     (Henry et al. 2020)
 *
 * x is a head's query or key as the members before this one leave it: rope+qk_norm normalises
 * after the rotation, qk_norm+rope before it. A rotation keeps lengths, so without γ both are
 * the same for rms and l2; the mean of a vector, and γ, do not commute with it.
 *
 * OLMo 2 takes the mean over the projected vectors of all heads together. It is taken of these before
 * any rotation, which would not change it. */
#include <math.h>

#include "scheme/leaves.h"
#include "scheme/mask.h"

enum kind { KIND_RMS, KIND_LAYER, KIND_L2 };
static const char *const kind_names[] = {"rms", "layer", "l2", NULL};
enum span { SPAN_HEAD, SPAN_OWN, SPAN_ALL };
static const char *const span_names[] = {"head", "own", "all", NULL};

struct qk_norm {
	int kind, span; /* enum kind, enum span */
	bool gain;
	double eps;
};

struct qk_norm_state {
	/* [1, dk]; with a row for each head, or all of them in a row; or NULL */
	struct node *q_gain, *k_gain;
	struct node *g; /* [1, h], or NULL */
};

/* The learned g of l2 stands in place of 1/√d_h. */
static double qk_norm_scale(const struct model *model, const struct member *m)
{
	(void)model;
	const struct qk_norm *p = m->param;
	return p->kind == KIND_L2 ? 1 : 0;
}

static bool qk_norm_prepare(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct qk_norm *p = m->param;
	run_note(run, m, "the bias holds what the norm does to equal vectors");
	struct qk_norm_state *state = run_state(run, m, sizeof *state);
	if (p->gain && p->kind == KIND_L2)
		state->g = run_leaf(run, m, "g");
	else if (p->gain)
		*state = (struct qk_norm_state){.q_gain = run_leaf(run, m, "q_gain"),
						.k_gain = run_leaf(run, m, "k_gain")};
	return true;
}

/* Returns the columns or the row of a gain that are of one head. */
static struct node *gain_of(struct head *head, const struct qk_norm *p, struct node *gain,
			    size_t at)
{
	const size_t dk = head->run->model->dk;
	if (!gain || p->span == SPAN_HEAD)
		return gain;
	return p->span == SPAN_OWN ? tape_slice(head->tape, gain, at, 1, 0, dk)
				   : tape_slice(head->tape, gain, 0, 1, at * dk, dk);
}

/* Normalises a part by the statistic of the whole. */
static struct node *by_whole(struct tape *t, struct node *x, struct node *whole,
			     const struct qk_norm *p)
{
	if (p->kind == KIND_LAYER) {
		struct node *const mean =
			tape_scale(t, tape_row_sum(t, whole), 1 / (double)whole->v.cols);
		whole = tape_sub(t, whole, mean);
		x = tape_sub(t, x, mean);
	}
	return tape_mul(t, x, tape_inverse_rms(t, whole, p->eps));
}

static struct node *normalised(struct tape *t, struct node *x, struct node *whole,
			       const struct qk_norm *p, struct node *gain)
{
	if (p->span == SPAN_ALL) {
		x = by_whole(t, x, whole, p);
		return gain ? tape_mul(t, x, gain) : x;
	}
	struct node *const out = p->kind == KIND_RMS
					 ? tape_mul(t, x, tape_inverse_rms(t, x, p->eps))
				 : p->kind == KIND_LAYER ? tape_layer_norm(t, x, p->eps)
							 : tape_row_normalise(t, x, p->eps);
	return gain ? tape_mul(t, out, gain) : out;
}

/* False: a vector is zero, or with kind=layer constant, and without ε there is nothing to divide by. */
static bool divides(const struct head *head, const struct member *m, struct mat x,
		    const struct node *out, const char *what, struct err *err)
{
	const char *const others = model_others(head->run->model, m, head->tape->arena);
	for (size_t t = 0; t < x.rows; t++)
		if (mat_is_finite(mat_rows(x, t, 1)) && !mat_is_finite(mat_rows(out->v, t, 1)))
			return err_set(err,
				       "layer %zu, head %zu: %s divides %s %zu by 0%s%s; eps above "
				       "0 would be right",
				       head->run->layer + 1, head->index + 1, m->text, what, t + 1,
				       *others ? " beside " : "", others);
	return true;
}

static bool qk_norm_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct qk_norm *p = m->param;
	const struct qk_norm_state *state = head_state(head, m);
	struct tape *t = head->tape;
	if (state->q_gain && !head_needs_width(head, m, err))
		return false;
	struct node *const g = state->g ? tape_slice(t, state->g, 0, 1, head->index, 1) : NULL;
	const size_t of = head->index, key = of / head->run->model->group;
	const struct mat q = head->q->v, k = head->k->v;
	head->q = normalised(t, head->q, head->q_whole, p,
			     g ? g : gain_of(head, p, state->q_gain, of));
	head->k = normalised(t, head->k, head->k_whole, p, gain_of(head, p, state->k_gain, key));
	return p->eps > 0 || (divides(head, m, q, head->q, "query", err) &&
			      divides(head, m, k, head->k, "key", err));
}

static const struct param qk_norm_params[] = {
	CHOICE_PARAM(struct qk_norm, kind, KIND_RMS, kind_names,
		     "what a query and a key are divided by: rms: the root of the mean of their "
		     "squares; layer: their standard deviation, less their mean first; l2: their "
		     "length, and g multiplies in place of 1/√d_h"),
	SWITCH_PARAM(struct qk_norm, gain, true,
		     "a learned factor: of each component, or with l2 of each head"),
	CHOICE_PARAM(
		struct qk_norm, span, SPAN_HEAD, span_names,
		"what a norm spans: head: each head, with one factor γ for all; own: each head, "
		"with a γ of its own, as in Command R+; all: the vectors of all heads together, "
		"as in OLMo 2"),
	NUMBER_PARAM(struct qk_norm, eps, 1e-6, 0, 1, 1e-6,
		     "added to the mean square or variance; with l2 the least length"),
	{0},
};

/* GAIN draws gains with which the logit of two equal unit vectors is `content`, as without a norm. */
#define GAIN                                                                               \
	.by_layer = EACH_LAYER, .when = "gain && kind != l2", .paper = {FILL_CONSTANT, 1}, \
	.demo = {FILL_CONSTANT, .formula = "sqrt(max(content, 0) / sqrt(d_h))"}

static const struct leaf_row qk_norm_leaves[] = {
	{"q_gain", "(span == own ? h : 1), (span == all ? h d_h : d_h)",
	 "γ of the queries: multiplies what is normalised, one for all heads unless span says "
	 "otherwise",
	 GAIN},
	{"k_gain", "(span == own ? h_k : 1), (span == all ? h_k d_h : d_h)",
	 "γ' of the keys, or of the heads of keys", GAIN},
	{"g", "1, h", "of a head: multiplies the cosine of query and key", .by_layer = EACH_LAYER,
	 .when = "gain && kind == l2", .demo = {FILL_CONSTANT, .formula = "max(content, 0.01)"},
	 .paper = {FILL_CONSTANT, .formula = "log(max(t_max t_max - t_max, 2)) / log(2)"}},
	{0},
};

static const struct claim qk_norm_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "nothing is learned without a gain", "!gain"},
	{0},
};

static bool qk_norm_check(const void *param, struct err *err)
{
	const struct qk_norm *p = param;
	return p->kind != KIND_L2 || p->span == SPAN_HEAD ||
	       err_set(err,
		       "span: with kind=l2 every head has its own length and one factor; span=head "
		       "would be right");
}

static const char *qk_norm_formula(const void *param, struct arena *a)
{
	const struct qk_norm *p = param;
	static const char *const without[] = {
		"A_ts = N(q_t)·N(k_s) / √d_h,  N(x) = x / √(mean x^2 + ε)",
		"A_ts = N(q_t)·N(k_s) / √d_h,  N(x) = (x − mean x) / √(var x + ε)",
		"A_ts = q_t·k_s / (‖q_t‖ ‖k_s‖)"};
	static const char *const with[] = {
		"A_ts = (γ N(q_t))·(γ' N(k_s)) / √d_h,  N(x) = x / √(mean x^2 + ε)",
		"A_ts = (γ N(q_t))·(γ' N(k_s)) / √d_h,  N(x) = (x − mean x) / √(var x + ε)",
		"A_ts = g q_t·k_s / (‖q_t‖ ‖k_s‖)"};
	static const char *const spans[] = {"", ",  γ for each head", ",  x of all heads"};
	const bool said = p->span == SPAN_ALL || p->gain;
	return arena_printf(a, "%s%s", (p->gain ? with : without)[p->kind],
			    said ? spans[p->span] : "");
}

const struct scheme scheme_qk_norm[] = {
	{
		.id = "qk_norm",
		.aliases = "qk-norm qknorm qk-layernorm query-key-norm",
		.title = "Query-key normalisation",
		.formula = "A_ts = (γ N(q_t))·(γ' N(k_s)) / √d_h,  N(x) = x / √(mean x^2 + ε)",
		.authors = "Henry et al.",
		.cite = "@henry2020query; @dehghani2023scaling",
		.recipe =
			"q and k, as the members written before leave them, are normalised: rms: x / "
			"sqrt(mean(x^2) + eps), layer: (x - mean(x)) / sqrt(var(x) + eps), each "
			"times param.NAME.q_gain.L or k_gain.L with gain=on; l2: x / max(|x|, "
			"eps), q times param.NAME.g.L[H] with gain=on, and c is 1; span=own: row H "
			"of the gain (of keys H / (heads / kv-heads)); span=all: means are over q_raw "
			"or k_raw of all heads, and the gain is columns H dk .. of its row",
		.about =
			"Queries and keys are brought to one length before they are multiplied, so "
			"that no logit grows with their lengths. It stands where it is written: "
			"behind rope it normalises what is rotated, before rope what is projected.",
		.year = 2020,
		.inj = INJ_OTHER,
		.leaves = qk_norm_leaves,
		.flags = SCHEME_RULE | SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "l2: the paper; layer: section 2.2 of Dehghani et al.; rms: "
				 "Qwen3 and Gemma 3 in huggingface/transformers ace7c37, Llama 4 "
				 "in meta-llama/llama-models a9c89c4; span: OLMo 2 and Cohere in "
				 "huggingface/transformers 7d9754a",
		.demo_note = "γ and g are constants: two equal tokens have the logit `content`",
		.claims = qk_norm_claims,
		.numbers_when = "0",
		.params = qk_norm_params,
		.param_size = sizeof(struct qk_norm),
		.check = qk_norm_check,
		.formula_of = qk_norm_formula,
		.reach = mask_reach,
		.hooks = {.declare = leaves_declare,
			  .scale = qk_norm_scale,
			  .prepare = qk_norm_prepare,
			  .qk = qk_norm_qk,
			  .nonlinear = true,
			  .modulates = true},
	},
	{0},
};
