/* gru.c: the RNN-Transformer: a GRU instead of position embeddings (Neishi and Yoshinaga 2019).
 *
 *   X_t = GRU(U_t, X_{t-1}) = (1 - z)∘n + z∘X_{t-1}
 *
 * A token's vector contains what came before it, and thereby its position. */
#include "scheme/recurrent.h"

struct gru {
	bool bidirectional;
};

static const struct param gru_params[] = {
	SWITCH_PARAM(struct gru, bidirectional, false,
		     "a second network reads backwards; a matrix brings both to the model's width"),
	{0},
};

/* ---- leaves ---- */

static void make_input(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	recurrent_demo_input(mat_rows(at, GRU_CANDIDATE * at.cols, at.cols), of->model->dk);
}

static void make_hidden(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	recurrent_demo_hidden(mat_rows(at, GRU_CANDIDATE * at.cols, at.cols), of->model->dk, true);
}

/* The reset gate is open and the update gate closed: the state is the candidate. */
static void make_bias(struct mat at, const struct leaf_maker *of)
{
	const size_t d = of->model->config.d;
	mat_fill(mat_view(at.at + GRU_RESET * d, 1, d), recurrent_open);
	mat_fill(mat_view(at.at + GRU_UPDATE * d, 1, d), -recurrent_open);
	recurrent_demo_bias(at.at + GRU_CANDIDATE * d, d, of->model->dk);
}

/* clang-format off */
#define GRU_LEAVES(way, said, there) \
	{"weight_ih" way, "3 d, d", "from the token vector to the gates r, z, n; a row for each output" said, \
	 .by_layer = ALL_LAYERS, .when = there, .demo = {.make = make_input}, .paper = WITHIN}, \
	{"weight_hh" way, "3 d, d", "from the state to the gates; a row for each output" said, \
	 .by_layer = ALL_LAYERS, .when = there, .demo = {.make = make_hidden}, .paper = WITHIN}, \
	{"bias_ih" way, "1, 3 d", "added to what weight_ih" way " gives", .spare = true, \
	 .by_layer = ALL_LAYERS, .when = there, .demo = {.make = make_bias}, .paper = WITHIN}, \
	{"bias_hh" way, "1, 3 d", "added to what weight_hh" way " gives", .spare = true, \
	 .by_layer = ALL_LAYERS, .when = there, .demo = {FILL_CONSTANT}, .paper = WITHIN}
#define WITHIN LINEAR_INIT("d")
/* clang-format on */

static const struct leaf_row gru_leaves[] = {
	GRU_LEAVES("", "", NULL),
	GRU_LEAVES("_reverse", "; of the way back", "bidirectional"),
	/* The mean of two directions that are in columns side by side. */
	{"w_out", "2 d, d", "from the states of both directions to the output",
	 .by_layer = ALL_LAYERS, .when = "bidirectional", .demo = {FILL_DIAGONAL, 0.5},
	 .paper = LINEAR_INIT("2 d")},
	{"b_out", "1, d", "added to the output", .spare = true, .by_layer = ALL_LAYERS,
	 .when = "bidirectional", .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT("2 d")},
	{0},
};

/* ---- hooks ---- */

static void gru_step(struct tape *t, const void *context, size_t at,
		     struct node *state[UNROLL_STATES])
{
	const struct recurrent *g = context;
	const struct gru_step step = {
		.x = {tape_slice(t, g->input, at, 1, 0, g->input->v.cols)},
		.from_h = {tape_matmul(t, state[0], false, g->weight, true, 1)},
		.bias = g->bias,
		.h = {state[0]},
	};
	state[0] = recurrent_gru(t, &step, 1);
}

/* X = GRU(U), or [GRU(U), GRU(U backwards)] W + b */
static bool gru_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct gru *p = m->param;
	struct tape *t = run->tape;
	const struct recurrent_net net = {gru_step, "bias_ih", "bias_hh", run->model->config.d,
					  p->bidirectional ? 2 : 1};
	struct node *x = recurrent_states(run, m, &net, err);
	if (!x)
		return false;
	if (p->bidirectional)
		x = tape_accumulate(t,
				    tape_matmul(t, x, false, run_leaf(run, m, "w_out"), false, 1),
				    run_leaf(run, m, "b_out"));
	run_replace_x(run, "gru", x);
	return true;
}

static const struct claim gru_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with one bias for each gate; PyTorch's GRU, which the authors use, has two"},
	{0},
};

const struct scheme scheme_gru[] = {
	{
		.id = "gru",
		.aliases = "rnn rnn-transformer neishi",
		.title = "RNN-Transformer",
		.formula = "X_t = GRU(U_t, X_{t−1}) = (1−z)∘n + z∘X_{t−1}",
		.authors = "Neishi and Yoshinaga",
		.cite = "@neishi2019relation",
		.recipe =
			"part.gru replaces the token vectors: the hidden states of param.gru over them "
			"in the order of the column",
		.about =
			"A recurrent network reads the sentence before the first layer, and its "
			"states take the place of token vector plus position. A state remembers what came "
			"before it, and the nearer the better.",
		.year = 2019,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.leaves = gru_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "nem6ishi/conll19_relative_transformer ab8a959, one layer, "
				 "forward as its settings have it; bidirectional to 1.1e-15",
		.demo_note =
			"half of a head latches on to the token vectors: tanh(3u + 3wx), w = 0, 0.5, "
			"1, 1.5 in turn; " RECURRENT_RING_NOTE,
		.count_printed = "6 d^2 + 3 d",
		.claims = gru_claims,
		.numbers_when = "0",
		.params = gru_params,
		.param_size = sizeof(struct gru),
		.hooks = {.declare = leaves_declare, .embed = gru_embed, .nonlinear = true},
	},
	{0},
};
