/* dape.c: data-adaptive positions (Zheng et al. 2024): a small network over the heads of each pair.
 *
 *   A' = A + B + f([A; B]),  f = W_2 LeakyReLU(W_1 · + b_1) + b_2 of the 2h numbers of a pair
 *
 * A is c q·k of all heads, B a bias of theirs. With a kernel of K (DAPE V2, Zheng et al. 2025) both
 * layers are convolutions along the keys: tap j of key s reads key s + j - ⌊K/2⌋. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include "posviz/scheme/alibi_slopes.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"
#include "scheme/pair_net.h"

enum base { BASE_ALIBI };
static const char *const base_names[] = {"alibi", NULL};

struct dape {
	int base;
	long width, kernel;
	bool causal;
};

static bool dape_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct dape *p = m->param;
	const size_t heads = run->model->config.heads;
	struct pair_net *net = run_state(run, m, sizeof *net);
	double *slope = arena_calloc(run->arena, heads, sizeof *slope);
	alibi_slopes(slope, heads);
	*net = (struct pair_net){.position = run_column(run, m, err),
				 .slope = slope,
				 .causal = p->causal,
				 .taps = (size_t)p->kernel,
				 .w1 = run_leaf(run, m, "w1"),
				 .b1 = run_leaf(run, m, "b1"),
				 .w2 = run_leaf(run, m, "w2"),
				 .b2 = run_leaf(run, m, "b2")};
	return net->position != NULL;
}

static bool dape_adjust_heads(struct run *run, const struct member *m, struct err *err)
{
	return pair_net_add(run, m, head_state(&run->heads[0], m), err);
}

static bool dape_check(const void *param, struct err *err)
{
	const struct dape *p = param;
	return p->kernel % 2 == 1 ||
	       err_set(err,
		       "kernel: %ld; as many keys are read on each side, so it must be odd: %ld "
		       "would be right",
		       p->kernel, p->kernel + 1);
}

static const struct param dape_params[] = {
	CHOICE_PARAM(struct dape, base, BASE_ALIBI, base_names, "the bias that the network adapts"),
	RATIO_PARAM(struct dape, width, 32, 1, 512, 2, "hidden numbers of the network"),
	NUMBER_PARAM(struct dape, kernel, 1, 1, 31, 2,
		     "K: keys side by side that the network reads, an odd number; 1: each pair by "
		     "itself, as in the first version; DAPE V2 has 3"),
	SWITCH_PARAM(struct dape, causal, true,
		     "on: brings the causal mask; off: both directions, distance |t−s|"),
	{0},
};

static const struct claim dape_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "a shift changes nothing, but beyond the ends of a text a kernel reads zeros",
	 "kernel > 1"},
	{0},
};

static const struct leaf_row dape_leaves[] = {
	{"w1", "2 h kernel, width", "from the logits and biases of all heads to the hidden layer",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / sqrt(2 h kernel)"},
	 .paper = LINEAR_INIT("2 h kernel"), .taps = "kernel"},
	{"b1", "1, width", "added in the hidden layer", .spare = true, .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT("2 h kernel")},
	{"w2", "width kernel, h", "from the hidden layer to what each head gets added",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / sqrt(width kernel)"},
	 .paper = LINEAR_INIT("width kernel"), .taps = "kernel"},
	{"b2", "1, h", "added to that", .spare = true, .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT("width kernel")},
	{0},
};

const struct scheme scheme_dape[] = {
	{
		.id = "dape",
		.aliases = "data-adaptive",
		.title = "Data-adaptive positional encoding",
		.formula = "A' = A + B + f([A; B]),  A = q·k / √d_h of all heads, B their ALiBi",
		.authors = "Zheng et al.",
		.cite = "@zheng2024dape; @zheng2025dape",
		.recipe =
			"term.base bias[t,s] = -slope d, d = max(t - s, 0) with causal=on, |t - "
			"s| without, slope = " ALIBI_SLOPES "; term.f(A, B)[t,s] = column H of "
			"leaky relu([A, B] @ w1 + b1) @ w2 + b2, with 0.01 below 0, A the sums "
			"of the other terms and B the base biases of all heads at t and s, of "
			"param.dape.NAME.L; with kernel=K the rows of w1 and w2 are K blocks, block "
			"j for key s + j - floor(K / 2), 0 beyond the ends, and [A, B] is 0 for keys "
			"after the query with causal=on",
		.about = "A small network looks at the logits and the biases of all heads for a "
			 "pair of tokens and corrects the bias, so that it depends on what is "
			 "attended.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = dape_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "chuanyang-Zheng/DAPE 51cf9bd, AliBi_DAPE; kernel: bde344a, "
				 "Alibi_DAPEV2",
		.demo_note = "w1, w2 drawn with variance 1/inputs, b1 = b2 = 0: a network that "
			     "mixes the heads at random",
		.claims = dape_claims,
		.params = dape_params,
		.param_size = sizeof(struct dape),
		.check = dape_check,
		.hooks = {.declare = leaves_declare,
			  .prepare = dape_prepare,
			  .mask = mask_causal,
			  .adjust_heads = dape_adjust_heads},
	},
	{0},
};
