/* lstm.c: an LSTM instead of position embeddings (Rosendahl et al. 2019), and its cell.
 *
 *   X_t = [→LSTM(U)_t, ←LSTM(U)_t] */
#include "scheme/lstm.h"

#include <math.h>

#include "scheme/recurrent.h"

void lstm_cell(struct tape *t, struct node *gates, struct node *state[UNROLL_STATES])
{
	const size_t m = gates->v.cols / LSTM_GATES;
	struct node *both = tape_sigmoid(t, tape_slice(t, gates, 0, 1, LSTM_INPUT * m, 2 * m));
	struct node *in = tape_slice(t, both, 0, 1, 0, m);
	struct node *forget = tape_slice(t, both, 0, 1, m, m);
	struct node *cell = tape_tanh(t, tape_slice(t, gates, 0, 1, LSTM_CELL * m, m));
	struct node *out = tape_sigmoid(t, tape_slice(t, gates, 0, 1, LSTM_OUTPUT * m, m));
	state[1] = tape_add(t, tape_mul(t, forget, state[1]), tape_mul(t, in, cell));
	state[0] = tape_mul(t, out, tape_tanh(t, state[1]));
}

enum direction { DIRECTION_BOTH, DIRECTION_FORWARD };
static const char *const direction_names[] = {"both", "forward", NULL};

struct lstm {
	int direction;
};

static const struct param lstm_params[] = {
	CHOICE_PARAM(struct lstm, direction, DIRECTION_BOTH, direction_names,
		     "both: the encoder's, each with half the columns; forward: the decoder's"),
	{0},
};

/* ---- leaves ---- */

static void make_input(struct mat at, const struct leaf_maker *of)
{
	const size_t width = at.rows / LSTM_GATES;
	mat_fill(at, 0);
	recurrent_demo_input(mat_rows(at, LSTM_CELL * width, width), of->model->dk);
}

static void make_hidden(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	recurrent_demo_hidden(mat_rows(at, LSTM_CELL * at.cols, at.cols), of->model->dk, false);
}

/* Cells of latches keep exp(-1/τ) of their content per step, τ = 1, 2, 4, 8 in turn; a ring
 * keeps nothing. */
static void make_bias(struct mat at, const struct leaf_maker *of)
{
	const size_t width = at.cols / LSTM_GATES, dk = of->model->dk;
	mat_fill(at, recurrent_open);
	for (size_t j = 0; j < width; j++) {
		const double kept = exp(-1 / (double)(1 << j % 4));
		at.at[LSTM_FORGET * width + j] =
			recurrent_is_latch(j, width, dk) ? log(kept / (1 - kept)) : -recurrent_open;
	}
	recurrent_demo_bias(at.at + LSTM_CELL * width, width, dk);
}

/* clang-format off */
#define LSTM_LEAVES(way, said, there) \
	{"weight_ih" way, WIDTHS(2, 4) " d, d", \
	 "from the token vector to the gates i, f, g, o; a row for each output" said, .by_layer = ALL_LAYERS, \
	 .when = there, .demo = {.make = make_input}, .paper = WITHIN}, \
	{"weight_hh" way, WIDTHS(2, 4) " d, d / " WIDTHS(2, 1), \
	 "from the state to the gates; a row for each output" said, .by_layer = ALL_LAYERS, \
	 .when = there, .demo = {.make = make_hidden}, .paper = WITHIN}, \
	{"bias" way, "1, " WIDTHS(2, 4) " d", "added in the gates" said, .by_layer = ALL_LAYERS, \
	 .when = there, .demo = {.make = make_bias}, .paper = WITHIN}
#define WIDTHS(both, forward) "(direction == both ? " #both " : " #forward ")"
#define WITHIN LINEAR_INIT("d / " WIDTHS(2, 1))
/* clang-format on */

static const struct leaf_row lstm_leaves[] = {
	LSTM_LEAVES("", "", NULL),
	LSTM_LEAVES("_reverse", "; of the way back", "direction == both"),
	{0},
};

static size_t directions(const struct member *m)
{
	const struct lstm *p = m->param;
	return p->direction == DIRECTION_BOTH ? 2 : 1;
}

static bool lstm_declare(struct model *model, const struct member *m, struct err *err)
{
	const size_t d = model->config.d;
	if (d % directions(m) != 0)
		return err_set(err, "%s gives each direction half of d-model, which is odd: %zu",
			       m->text, d);
	return leaves_declare(model, m, err);
}

/* ---- hooks ---- */

/* The cell adds h W_hᵀ to the gates' input from the token vectors. */
static void lstm_step(struct tape *t, const void *context, size_t at,
		      struct node *state[UNROLL_STATES])
{
	const struct recurrent *g = context;
	struct node *from_h = tape_matmul(t, state[0], false, g->weight, true, 1);
	struct node *from_x = tape_slice(t, g->input, at, 1, 0, g->input->v.cols);
	lstm_cell(t, tape_accumulate(t, from_h, from_x), state);
}

static bool lstm_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct recurrent_net net = {lstm_step, "bias", NULL,
					  run->model->config.d / directions(m), directions(m)};
	struct node *x = recurrent_states(run, m, &net, err);
	if (x)
		run_replace_x(run, "lstm", x);
	return x != NULL;
}

const struct scheme scheme_lstm[] = {
	{
		.id = "lstm",
		.aliases = "bilstm lstm-pe",
		.title = "LSTM-based positional encoding",
		.formula = "X_t = [→LSTM(U)_t, ←LSTM(U)_t]",
		.authors = "Rosendahl et al.",
		.cite = "@rosendahl2019analysis",
		.about = "One layer of LSTM in both directions instead of position vectors. It "
			 "does as well as they up to the lengths of training and lies between "
			 "absolute and relative ones beyond, with a fifth more parameters.",
		.year = 2019,
		.table2 = TABLE2_ANALYSIS,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.leaves = lstm_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3.3 of the paper; the cell is the usual one, without "
				 "peepholes, and the widths of the directions sum to d",
		.demo_note =
			"half of a head's cells hold token vectors: they keep exp(−1/τ) of what they "
			"held, τ = 1, 2, 4, 8 in turn; " RECURRENT_RING_NOTE,
		.numbers_when = "0",
		.params = lstm_params,
		.param_size = sizeof(struct lstm),
		.hooks = {.declare = lstm_declare, .embed = lstm_embed, .nonlinear = true},
	},
	{0},
};
