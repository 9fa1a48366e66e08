/* recurrent.c: a recurrent network in the place of position embeddings: the GRU of the
 * RNN-Transformer (Neishi and Yoshinaga 2019), the LSTM of Rosendahl et al. 2019, and the
 * RR-Transformer, which is the GRU with Shaw et al.'s vectors.
 *
 * The layer's input is the network's state after each unit, so a unit's vector tells what came
 * before it, and thereby where it stands. What all units give the gates is one product; only the
 * state's part is computed step by step. */
#include <math.h>

#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/lstm.h"
#include "scheme/reading.h"
#include "scheme/unroll.h"

/* ---- the demonstration: what a recurrent network can say of positions ------------------------- */

/* Of a block of columns, the first half latches on to the units and the rest is a ring counter: each
 * component takes over its neighbour's last state, and the first one the last one's with the sign
 * changed. The product of two states of a ring of m falls evenly, from m at distance 0 to -m at
 * distance m. */
struct block {
	size_t ring, end; /* columns ring..end-1 are the ring */
};

static struct block block_of(size_t column, size_t width, size_t dk)
{
	const size_t start = column / dk * dk;
	const size_t size = width - start < dk ? width - start : dk;
	return (struct block){.ring = start + size - size / 2, .end = start + size};
}

/* tanh of three times a state of ±1 is about as large. */
static const double strong = 3;

/* at [width, width] += strong · (from each component's last state) */
static void demo_recurrent(struct mat at, size_t dk, bool latch)
{
	for (size_t j = 0; j < at.rows; j++) {
		const struct block b = block_of(j, at.rows, dk);
		if (j > b.ring)
			mat_row(at, j)[j - 1] = strong;
		else if (j == b.ring)
			mat_row(at, j)[b.end - 1] = -strong;
		else if (latch)
			mat_row(at, j)[j] = strong * (double)(j % 4) / 2;
	}
}

/* at [width, d]: a latch sees the unit's column that lies under it. */
static void demo_input(struct mat at, size_t dk)
{
	for (size_t j = 0; j < at.rows; j++)
		if (j < block_of(j, at.rows, dk).ring)
			mat_row(at, j)[j * (at.cols / at.rows)] = strong;
}

/* at [1, width]: from the state 0 the ring starts as +1, -1, -1, … */
static void demo_start(double *at, size_t width, size_t dk)
{
	for (size_t j = 0; j < width; j++) {
		const size_t ring = block_of(j, width, dk).ring;
		at[j] = j < ring ? 0 : j == ring ? 1 : -1;
	}
}

static void fill(double *at, size_t n, double value)
{
	for (size_t j = 0; j < n; j++)
		at[j] = value;
}

/* A gate that is open for σ(4) = 0.98, or shut as far. */
static const double open_gate = 4;

/* ---- one direction ---------------------------------------------------------------------------- */

/* Parameters of one direction. Rows of the weights are outputs, gate after gate, as in PyTorch. */
struct gates {
	struct node *input;  /* [n, gates · m]: W_i x + b_i, in reading order */
	struct node *weight; /* [gates · m, m]: W_h */
	struct node *bias;   /* [1, gates · m]: b_h, or NULL */
	size_t width;	     /* m */
};

static struct node *gate_input(struct run *run, const struct reading *r, struct node *x,
			       struct node *weight, struct node *bias)
{
	struct tape *t = run->tape;
	struct node *all = tape_matmul(t, reading_take(t, r, x), false, weight, true, 1);
	return tape_accumulate(t, all, bias);
}

static struct node *gate(struct tape *t, struct node *all, size_t row, size_t first, size_t count,
			 size_t width)
{
	return tape_slice(t, all, row, 1, first * width, count * width);
}

/* Runs one direction and puts the states back in the order of rows. */
static struct node *run_direction(struct run *run, const struct reading *r, unroll_step *step,
				  const struct gates *g)
{
	struct node *states = unroll(run->tape, run->n, g->width, NULL, step, g, NULL);
	return reading_put_back(run->tape, r, states);
}

/* ---- GRU ------------------------------------------------------------------------------------- */

struct gru {
	bool bidirectional;
};

enum { GRU_RESET, GRU_UPDATE, GRU_CANDIDATE, GRU_GATES };

struct gru_names {
	const char *weight_ih, *weight_hh, *bias_ih, *bias_hh;
};

static const struct gru_names gru_names[] = {
	{"weight_ih", "weight_hh", "bias_ih", "bias_hh"},
	{"weight_ih_reverse", "weight_hh_reverse", "bias_ih_reverse", "bias_hh_reverse"},
};

static void gru_demo_input(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	demo_input(mat_rows(at, GRU_CANDIDATE * at.cols, at.cols), of->model->dk);
}

static void gru_demo_recurrent(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	demo_recurrent(mat_rows(at, GRU_CANDIDATE * at.cols, at.cols), of->model->dk, true);
}

/* The reset gate is open and the update gate shut: the state is the candidate. */
static void gru_demo_bias(struct mat at, const struct leaf_maker *of)
{
	const size_t d = of->model->config.d;
	double *to = mat_row(at, 0);
	fill(to + GRU_RESET * d, d, open_gate);
	fill(to + GRU_UPDATE * d, d, -open_gate);
	demo_start(to + GRU_CANDIDATE * d, d, of->model->dk);
}

/* Two directions side by side, back to the width of the model: their mean. */
static void half_of_both(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	for (size_t j = 0; j < at.cols; j++)
		mat_row(at, j)[j] = mat_row(at, at.cols + j)[j] = 0.5;
}

static size_t directions(const struct gru *p)
{
	return p->bidirectional ? 2 : 1;
}

static bool gru_declare(struct model *model, const struct member *m, struct err *err)
{
	static const struct leaf_init in = {.make = gru_demo_input};
	static const struct leaf_init recur = {.make = gru_demo_recurrent};
	static const struct leaf_init bias = {.make = gru_demo_bias};
	static const struct leaf_init half = {.make = half_of_both};
	static const struct leaf_init zero = {.fill = FILL_CONSTANT, .value = 0};
	const struct gru *p = m->param;
	const size_t d = model->config.d, rows = GRU_GATES * d;
	const struct leaf_init paper = {.fill = FILL_UNIFORM, .value = 1 / sqrt((double)d)};
	const struct leaf_init linear = {.fill = FILL_UNIFORM, .value = 1 / sqrt(2 * (double)d)};
	for (size_t i = 0; i < directions(p); i++) {
		const struct gru_names *name = &gru_names[i];
		if (!model_leaf(model, m, name->weight_ih, rows, d, false, in, paper, err) ||
		    !model_leaf(model, m, name->weight_hh, rows, d, false, recur, paper, err) ||
		    !model_leaf(model, m, name->bias_ih, 1, rows, false, bias, paper, err) ||
		    !model_leaf(model, m, name->bias_hh, 1, rows, false, zero, paper, err))
			return false;
	}
	return !p->bidirectional ||
	       (model_leaf(model, m, "w_out", 2 * d, d, false, half, linear, err) &&
		model_leaf(model, m, "b_out", 1, d, false, zero, linear, err));
}

/* r, z = σ(i + W h + b), n = tanh(i_n + r∘(W_n h + b_n)), h' = (1 - z)∘n + z∘h */
static void gru_step(struct tape *t, const void *context, size_t at,
		     struct node *state[UNROLL_STATES])
{
	const struct gates *g = context;
	const size_t m = g->width;
	struct node *h = state[0];
	struct node *from_h = tape_matmul(t, h, false, g->weight, true, 1);
	from_h = tape_accumulate(t, from_h, g->bias);
	struct node *both = tape_sigmoid(t, tape_add(t, gate(t, g->input, at, GRU_RESET, 2, m),
						     gate(t, from_h, 0, GRU_RESET, 2, m)));
	struct node *kept = tape_mul(t, gate(t, both, 0, GRU_RESET, 1, m),
				     gate(t, from_h, 0, GRU_CANDIDATE, 1, m));
	struct node *candidate =
		tape_tanh(t, tape_add(t, gate(t, g->input, at, GRU_CANDIDATE, 1, m), kept));
	struct node *back =
		tape_mul(t, gate(t, both, 0, GRU_UPDATE, 1, m), tape_sub(t, h, candidate));
	state[0] = tape_add(t, candidate, back);
}

static bool gru_direction(struct run *run, const struct member *m, struct node *x, bool reverse,
			  struct node **out, struct err *err)
{
	const struct gru_names *name = &gru_names[reverse];
	struct reading r;
	if (!reading_of_text(run, m, reverse, &r, err))
		return false;
	const struct gates g = {
		.input = gate_input(run, &r, x, run_leaf(run, m, name->weight_ih),
				    run_leaf(run, m, name->bias_ih)),
		.weight = run_leaf(run, m, name->weight_hh),
		.bias = run_leaf(run, m, name->bias_hh),
		.width = run->model->config.d,
	};
	*out = run_direction(run, &r, gru_step, &g);
	return true;
}

/* X = GRU(U), or [GRU(U), GRU(U backwards)] W + b */
static bool gru_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct gru *p = m->param;
	struct tape *t = run->tape;
	struct node *x = run_sum_parts(run, &run->x), *both[2] = {0};
	for (size_t i = 0; i < directions(p); i++)
		if (!gru_direction(run, m, x, i == 1, &both[i], err))
			return false;
	struct node *out = both[0];
	if (p->bidirectional) {
		out = tape_matmul(t, tape_concat_cols(t, both, 2), false, run_leaf(run, m, "w_out"),
				  false, 1);
		out = tape_accumulate(t, out, run_leaf(run, m, "b_out"));
	}
	run_replace_x(run, "gru", out);
	return true;
}

/* ---- LSTM ------------------------------------------------------------------------------------ */

enum direction { DIRECTION_BOTH, DIRECTION_FORWARD };
static const char *const direction_names[] = {"both", "forward", NULL};

struct lstm {
	int direction;
};

static const struct {
	const char *weight_ih, *weight_hh, *bias;
} lstm_names[] = {
	{"weight_ih", "weight_hh", "bias"},
	{"weight_ih_reverse", "weight_hh_reverse", "bias_reverse"},
};

/* Each direction has half of the columns. */
static size_t lstm_width(const struct model *model, const struct member *m)
{
	const struct lstm *p = m->param;
	return p->direction == DIRECTION_BOTH ? model->config.d / 2 : model->config.d;
}

static void lstm_demo_input(struct mat at, const struct leaf_maker *of)
{
	const size_t width = lstm_width(of->model, of->m);
	mat_fill(at, 0);
	demo_input(mat_rows(at, LSTM_CELL * width, width), of->model->dk);
}

static void lstm_demo_recurrent(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	demo_recurrent(mat_rows(at, LSTM_CELL * at.cols, at.cols), of->model->dk, false);
}

/* Cells of latches keep exp(-1/τ) of what they held, τ = 1, 2, 4, 8 in turn; a ring keeps nothing. */
static void lstm_demo_bias(struct mat at, const struct leaf_maker *of)
{
	const size_t width = lstm_width(of->model, of->m);
	double *to = mat_row(at, 0);
	fill(to, LSTM_GATES * width, open_gate);
	for (size_t j = 0; j < width; j++) {
		const double kept = exp(-1 / (double)(1 << j % 4));
		const bool latch = j < block_of(j, width, of->model->dk).ring;
		to[LSTM_FORGET * width + j] = latch ? log(kept / (1 - kept)) : -open_gate;
	}
	demo_start(to + LSTM_CELL * width, width, of->model->dk);
}

static bool lstm_declare(struct model *model, const struct member *m, struct err *err)
{
	static const struct leaf_init in = {.make = lstm_demo_input};
	static const struct leaf_init recur = {.make = lstm_demo_recurrent};
	static const struct leaf_init bias = {.make = lstm_demo_bias};
	const struct lstm *p = m->param;
	const size_t d = model->config.d, width = lstm_width(model, m);
	const struct leaf_init paper = {.fill = FILL_UNIFORM, .value = 1 / sqrt((double)width)};
	if (p->direction == DIRECTION_BOTH && d % 2 != 0)
		return err_set(err, "%s gives each direction half of d-model, which is odd: %zu",
			       m->text, d);
	for (size_t i = 0; i < (p->direction == DIRECTION_BOTH ? 2 : 1); i++)
		if (!model_leaf(model, m, lstm_names[i].weight_ih, LSTM_GATES * width, d, false, in,
				paper, err) ||
		    !model_leaf(model, m, lstm_names[i].weight_hh, LSTM_GATES * width, width, false,
				recur, paper, err) ||
		    !model_leaf(model, m, lstm_names[i].bias, 1, LSTM_GATES * width, false, bias,
				paper, err))
			return false;
	return true;
}

/* The cell adds h W_hᵀ to what the units give the gates. */
static void lstm_step(struct tape *t, const void *context, size_t at,
		      struct node *state[UNROLL_STATES])
{
	const struct gates *g = context;
	struct node *from_h = tape_matmul(t, state[0], false, g->weight, true, 1);
	struct node *from_x = gate(t, g->input, at, 0, LSTM_GATES, g->width);
	lstm_cell(t, tape_accumulate(t, from_h, from_x), state);
}

/* X = [LSTM(U), LSTM(U backwards)] */
static bool lstm_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct lstm *p = m->param;
	struct node *x = run_sum_parts(run, &run->x), *parts[2];
	const size_t count = p->direction == DIRECTION_BOTH ? 2 : 1;
	for (size_t i = 0; i < count; i++) {
		struct reading r;
		if (!reading_of_text(run, m, i == 1, &r, err))
			return false;
		const struct gates g = {
			.input = gate_input(run, &r, x, run_leaf(run, m, lstm_names[i].weight_ih),
					    run_leaf(run, m, lstm_names[i].bias)),
			.weight = run_leaf(run, m, lstm_names[i].weight_hh),
			.width = lstm_width(run->model, m),
		};
		parts[i] = run_direction(run, &r, lstm_step, &g);
	}
	run_replace_x(run, "lstm", tape_concat_cols(run->tape, parts, count));
	return true;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static const struct param gru_params[] = {
	SWITCH_PARAM(struct gru, bidirectional, false,
		     "a second network reads backwards; a matrix brings both to the model's width"),
	{0},
};

static const struct param lstm_params[] = {
	CHOICE_PARAM(struct lstm, direction, DIRECTION_BOTH, direction_names,
		     "both: the encoder's, each with half the columns; forward: the decoder's"),
	{0},
};

static const struct claim gru_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with one bias for each gate; PyTorch's GRU, which the authors use, has two"},
	{0},
};

/* clang-format off */
#define RING_NOTE \
	"the other half is a ring counter: each takes over its neighbour's last state, the first " \
	"one the last one's with the sign changed"
/* clang-format on */

static const struct leaf_row gru_leaves[] = {
	{"weight_ih*", "3 d, d",
	 "from the unit to the gates r, z, n; a row for each output; _reverse: of the way back"},
	{"weight_hh*", "3 d, d", "from the state to the gates; a row for each output"},
	{"bias_ih*", "1, 3 d", "added to what weight_ih gives", .spare = true},
	{"bias_hh*", "1, 3 d", "added to what weight_hh gives", .spare = true},
	{"w_out", "2 d, d", "from the states of both directions to the output"},
	{"b_out", "1, d", "added to the output", .spare = true},
	{0},
};

static const struct leaf_row lstm_leaves[] = {
	{"weight_ih*", NULL,
	 "from the unit to the gates i, f, g, o; a row for each output; _reverse: of the way back"},
	{"weight_hh*", NULL, "from the state to the gates; a row for each output"},
	{"bias*", NULL, "added in the gates"},
	{0},
};

const struct scheme scheme_recurrent[] = {
	{
		.id = "gru",
		.aliases = "rnn rnn-transformer neishi",
		.title = "RNN-Transformer",
		.formula = "X_t = GRU(U_t, X_{t−1}) = (1−z)∘n + z∘X_{t−1}",
		.authors = "Neishi and Yoshinaga",
		.cite = "Neishi, Yoshinaga: On the relation between position information and "
			"sentence length in neural machine translation. CoNLL 2019",
		.recipe = "part.gru replaces the units: the hidden states of param.gru over them "
			  "in the order of the column",
		.about = "A recurrent network reads the sentence before the first layer, and its "
			 "states take the place of unit plus position. A state remembers what came "
			 "before it, and the nearer the better.",
		.year = 2019,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.leaves = gru_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "nem6ishi/conll19_relative_transformer ab8a959, one layer, "
				 "forward only as its settings have it; bidirectional as there, to "
				 "1.1e-15",
		.demo_note = "half of a head latches on to the units: tanh(3u + 3wx), w = 0, 0.5, "
			     "1, 1.5 in turn; " RING_NOTE,
		.count_printed = "6 d^2 + 3 d",
		.claims = gru_claims,
		.numbers_when = "0",
		.params = gru_params,
		.param_size = sizeof(struct gru),
		.hooks = {.declare = gru_declare, .embed = gru_embed, .nonlinear = true},
	},
	{
		.id = "lstm",
		.aliases = "bilstm lstm-pe",
		.title = "LSTM-based positional encoding",
		.formula = "X_t = [→LSTM(U)_t, ←LSTM(U)_t]",
		.authors = "Rosendahl et al.",
		.cite = "Rosendahl, Tran, Wang, Ney: Analysis of positional encodings for neural "
			"machine translation. IWSLT 2019",
		.about = "One layer of LSTM between the embedding and the encoder, in both "
			 "directions, instead of position vectors. It does as well as they up to "
			 "the lengths of training and lies between absolute and relative ones "
			 "beyond, with a fifth more parameters.",
		.year = 2019,
		.table2 = TABLE2_ANALYSIS,
		.ref = REF_RELATIVE,
		.inj = INJ_OTHER,
		.leaves = lstm_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3.3 of the paper; the cell is the usual one, without "
				 "peepholes, and the widths of the directions sum to d",
		.demo_note = "half of a head's cells hold units: they keep exp(−1/τ) of what they "
			     "held, τ = 1, 2, 4, 8 in turn; " RING_NOTE,
		.numbers_when = "0",
		.params = lstm_params,
		.param_size = sizeof(struct lstm),
		.hooks = {.declare = lstm_declare, .embed = lstm_embed, .nonlinear = true},
	},
	{
		.id = "rr",
		.aliases = "rr-transformer",
		.title = "RR-Transformer",
		.formula = "X_t = GRU(U_t, X_{t−1}),  A_ts = q_t·(k_s + w^K_{clip(s−t)}) / √d_h",
		.authors = "Neishi and Yoshinaga",
		.cite = "Neishi, Yoshinaga: On the relation between position information and "
			"sentence length in neural machine translation. CoNLL 2019",
		.about = "The recurrent network before the first layer and Shaw et al.'s vectors "
			 "in every layer. Each sees relative positions; together they do better "
			 "than either alone.",
		.year = 2019,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_BOTH,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "nem6ishi/conll19_relative_transformer ab8a959: vectors on keys "
				 "and values, clipped at 16, as in shaw",
		.demo_note = "those of gru and of shaw",
		.expression = "gru+shaw",
	},
	{0},
};
