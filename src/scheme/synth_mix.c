/* synth_mix.c: a Synthesizer's logits mixed with the product of query and key (Tay et al. 2021).
 *
 *   A = (1 - σ(α)) q·k + σ(α) R */
#include "scheme/synth.h"

#include <math.h>

enum of { OF_RANDOM, OF_DENSE };
static const char *const of_names[] = {"random", "dense", NULL};

enum scale { SCALE_NONE, SCALE_RSQRT };
static const char *const scale_names[] = {"none", "rsqrt", NULL};

struct mix {
	int of, scale;
	bool alpha;
};

static const struct param mix_params[] = {
	CHOICE_PARAM(struct mix, of, OF_RANDOM, of_names,
		     "what is mixed with q·k: a random table, or ReLU(q_t) W"),
	SWITCH_PARAM(struct mix, alpha, true,
		     "on: the shares 1 − σ(α) and σ(α) are learned; off: the sum"),
	CHOICE_PARAM(struct mix, scale, SCALE_NONE, scale_names,
		     "none: q·k as in T5; rsqrt: q·k/√d_h"),
	{0},
};

/* The query's length is in W_q's gain: q_t of a typical token has this size per component. */
static void make_out(struct mat at, const struct leaf_maker *of)
{
	const double part = of->model->gain > 0 ? of->model->gain : 1;
	mat_fill_normal(at, of->model->config.content * sqrt(2 / (double)at.rows) / part, of->rng);
}

static const struct leaf_row synth_mix_leaves[] = {
	{"alpha", "1, 1", "logit of the share of what is not q·k", .by_layer = EACH_LAYER,
	 .when = "alpha", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	SYNTH_TABLE("of == random"),
	{"pi", "d_h, t_max", "from a head's queries to the logits of every key",
	 .by_layer = EACH_LAYER, .when = "of == dense", .demo = {.make = make_out},
	 .paper = {FILL_XAVIER, 1}},
	{0},
};

struct mix_state {
	struct places places;
	struct node *r;		    /* random: [t_max, h·t_max]; dense: W's columns [dk,n] */
	struct node *sigma, *minus; /* σ(α), 1 - σ(α): [1,1]; NULL: 1 */
};

static double mix_scale(const struct model *model, const struct member *m)
{
	const struct mix *p = m->param;
	return p->scale == SCALE_NONE ? 1 : 1 / sqrt((double)model->dk);
}

static bool mix_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct mix *p = m->param;
	struct mix_state *state = run_state(run, m, sizeof *state);
	struct tape *t = run->tape;
	if (!places_init(&state->places, run, m, run->model->config.t_max, err))
		return false;
	state->r = p->of == OF_RANDOM ? run_leaf(run, m, "r")
				      : places_cols(t, run_leaf(run, m, "pi"), &state->places);
	if (p->alpha) {
		struct node *alpha = run_leaf(run, m, "alpha");
		state->sigma = tape_sigmoid(t, alpha);
		state->minus = tape_sigmoid(t, tape_scale(t, alpha, -1));
	}
	return true;
}

/* The factor of q·k is applied to q, so that its parts stay parts. */
static bool mix_qk(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct mix_state *state = head_state(head, m);
	if (state->minus)
		head->q = tape_mul(head->tape, head->q, state->minus);
	return true;
}

static bool mix_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct mix *p = m->param;
	const struct mix_state *state = head_state(head, m);
	struct tape *t = head->tape;
	const bool random = p->of == OF_RANDOM;
	const size_t t_max = head->run->model->config.t_max;
	struct node *r =
		random ? places_pairs(t, head_slice(head, state->r, t_max), &state->places)
		       : tape_matmul(t, tape_relu(t, head->q_raw), false, state->r, false, 1);
	if (state->sigma)
		r = tape_mul(t, r, state->sigma);
	head_add_term(head, random ? "R" : "ReLU(q) W", random ? TERM_POSITION : TERM_UNIT_POSITION,
		      random && !state->sigma ? tape_scale(t, r, 1) : r);
	return true;
}

const struct scheme scheme_synth_mix[] = {
	{
		.id = "synth_mix",
		.aliases = "synth-mix",
		.title = "Mixture of dot product and Synthesizer",
		.formula = "A_ts = (1 − σ(α)) q_t·k_s + σ(α) R_ts",
		SYNTH,
		.leaves = synth_mix_leaves,
		.about = "Random tables alone do well, beside the dot product better: a learned "
			 "share decides how much the words have to say and how much the positions.",
		.recipe = "q is q_raw times 1 - sigmoid(param.synth_mix.alpha.LAYER), the other "
			  "term sigmoid(alpha) r[t, head * t_max + s], t and s in position.seq, or "
			  "of=dense sigmoid(alpha) relu(q_raw) @ pi[:, s]; with alpha=off both "
			  "factors are 1",
		.evidence = EVIDENCE_PORT,
		.evidence_note =
			SYNTH_MESH ", modes random_plus_alpha, random_plus, dense_plus_alpha "
				   "and dense_plus: its text read, not run",
		.demo_note = "α = 0: half of each; R uniform, its deviation the logit of content",
		.params = mix_params,
		.param_size = sizeof(struct mix),
		.hooks = {.declare = leaves_declare,
			  .scale = mix_scale,
			  .prepare = mix_prepare,
			  .qk = mix_qk,
			  .logits = mix_logits,
			  .modulates = true,
			  .matrices = 2},
	},
	{0},
};
