/* order_leaves.c: the leaves of PNAT (pnat.h). Matrices of the LSTMs have a row for each output,
 * as in the authors' code, the others a column. In the demonstration both networks order words
 * along one direction. */
#include <math.h>

#include "scheme/leaves.h"
#include "scheme/lstm.h"
#include "scheme/order_net.h"
#include "scheme/pnat.h"

/* The direction e in the space of token vectors: columns alternate in sign; length 1. */
static double along(size_t column, size_t d)
{
	const size_t pairs = d / 2;
	return column < 2 * pairs ? (column % 2 ? -1 : 1) / sqrt(2 * (double)pairs) : 0;
}

/* ---- classifier ------------------------------------------------------------------------------ */

/* The same for every pair and much longer than the difference of two token vectors, orthogonal
 * to e: LayerNorm then divides all pairs by about the same number, and the component along e is
 * proportional to the difference. */
static const double long_bias = 10;

static double demo_fc2_bias(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	const size_t fours = of->cols / 4;
	return col < 4 * fours ? long_bias * (col % 4 < 2 ? 1 : -1) : 0;
}

/* 2 v s - v² is greatest for the position v nearest to s. Two words are K/2 positions apart for
 * each 1 between their vectors along e. */
static double demo_classes(const struct leaf_maker *of, size_t row, size_t col)
{
	const double by = long_bias * ((double)(of->cols / 2) / 2);
	return 2 * order_place(col, of->cols / 2) * by * along(row, of->rows);
}

static double demo_classes_bias(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	return -pow(order_place(col, of->cols / 2), 2);
}

/* ---- pointer --------------------------------------------------------------------------------- */

/* Gates are open or closed, so that cell 0 is tanh of its input, and keeps nothing. */
static const double open_gate = 8;

static double demo_gates(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	const size_t gate = col / (of->cols / LSTM_GATES);
	return gate == LSTM_CELL ? 0 : gate == LSTM_FORGET ? -open_gate : open_gate;
}

/* Cell 0 of the first layer gets half of a word's coordinate along e ... */
static double demo_read_words(const struct leaf_maker *of, size_t row, size_t col)
{
	return row == LSTM_CELL * (of->rows / LSTM_GATES) ? along(col, of->cols) / 2 : 0;
}

/* ... and that of each further layer the output of cell 0 below. */
static double demo_read_below(const struct leaf_maker *of, size_t row, size_t col)
{
	return row == LSTM_CELL * (of->rows / LSTM_GATES) && col == 0;
}

/* The state with the largest value in cell 0 comes last. */
static double demo_first(const struct leaf_maker *of, size_t row, size_t col)
{
	return row == 0 && col == 0 ? of->value : 0;
}

const char *order_encoder_leaf(struct arena *a, const char *base, size_t layer)
{
	return arena_printf(a, "encoder_%s_l%zu", base, layer);
}

static bool declare_layer(struct model *model, const struct member *m, size_t layer,
			  struct err *err)
{
	static const struct leaf_init words = {.entry = demo_read_words};
	static const struct leaf_init below = {.entry = demo_read_below};
	static const struct leaf_init open = {.entry = demo_gates};
	static const struct leaf_init zero = {.fill = FILL_CONSTANT};
	const size_t f = model->config.ff, rows = LSTM_GATES * f;
	const struct leaf_init paper = {FILL_UNIFORM, 1 / sqrt((double)f)};
	const size_t in = layer == 0 ? model->config.d : f;
	struct arena *a = model->arena;
	return model_leaf(model, m, order_encoder_leaf(a, "ih", layer), rows, in, false,
			  layer == 0 ? words : below, paper, err) &&
	       model_leaf(model, m, order_encoder_leaf(a, "hh", layer), rows, f, false, zero, paper,
			  err) &&
	       model_leaf(model, m, order_encoder_leaf(a, "bias_ih", layer), 1, rows, false, open,
			  paper, err) &&
	       model_leaf(model, m, order_encoder_leaf(a, "bias_hh", layer), 1, rows, false, zero,
			  paper, err);
}

static bool declare_encoder(struct model *model, const struct member *m, struct err *err)
{
	const struct pnat *p = m->param;
	for (size_t l = 0; l < (size_t)p->depth; l++)
		if (!declare_layer(model, m, l, err))
			return false;
	return true;
}

/* ---- table ----------------------------------------------------------------------------------- */

/* clang-format off */
#define CLASSIFIER .by_layer = ALL_LAYERS, .when = "from == classifier"
#define POINTER	   .by_layer = ALL_LAYERS, .when = "from == pointer"
#define ZERO	   {FILL_CONSTANT}
#define XAVIER	   {FILL_XAVIER, 1}
/* clang-format on */

const struct leaf_row order_leaves[] = {
	{"target", "t_max, d", "row i: the word that stands at position i of the target",
	 .by_layer = ALL_LAYERS, .when = "from == target", .demo = {FILL_NORMAL, 1},
	 .paper = {FILL_NORMAL, 1}},
	{"fc1", "d, d_f", "classifier: from the input to the hidden layer", CLASSIFIER,
	 .demo = ZERO, .paper = XAVIER},
	{"fc1_bias", "1, d_f", "classifier: added in the hidden layer", CLASSIFIER, .spare = true,
	 .demo = ZERO, .paper = ZERO},
	{"fc2", "d_f, d", "classifier: from the hidden layer back to d", CLASSIFIER, .demo = ZERO,
	 .paper = XAVIER},
	{"fc2_bias", "1, d", "classifier: added to that", CLASSIFIER, .spare = true,
	 .demo = {.entry = demo_fc2_bias}, .paper = ZERO},
	{"norm", "1, d", "classifier: LayerNorm, multiplies", CLASSIFIER,
	 .demo = {FILL_CONSTANT, 1}, .paper = {FILL_CONSTANT, 1}},
	{"norm_bias", "1, d", "classifier: LayerNorm, added", CLASSIFIER, .demo = ZERO,
	 .paper = ZERO},
	{"classes", "d, 2 clip", "classifier: to the classes of relative positions", CLASSIFIER,
	 .demo = {.entry = demo_classes}, .paper = LINEAR_INIT("d")},
	{"classes_bias", "1, 2 clip", "classifier: added to the classes", CLASSIFIER, .spare = true,
	 .demo = {.entry = demo_classes_bias}, .paper = LINEAR_INIT("d")},
	{"encoder_ih_*", NULL,
	 "pointer: LSTM that reads, one layer: from the input to its gates i, f, g, o; a row for "
	 "each output",
	 .declare = declare_encoder, .when = "from == pointer"},
	{"encoder_hh_*", "4 d_f, d_f", "pointer: LSTM that reads: from its state to the gates"},
	{"encoder_bias_ih_*", "1, 4 d_f",
	 "pointer: LSTM that reads: added to what encoder_ih gives", .spare = true},
	{"encoder_bias_hh_*", "1, 4 d_f",
	 "pointer: LSTM that reads: added to what encoder_hh gives", .spare = true},
	{"start", "1, d", "pointer: the first input of the LSTM that points", POINTER, .demo = ZERO,
	 .paper = {FILL_UNIFORM, 1}},
	{"decoder_ih", "4 d_f, d",
	 "pointer: LSTM that points: from the input to its gates; a row for each output", POINTER,
	 .demo = ZERO, .paper = LINEAR_INIT("d")},
	{"decoder_hh", "4 d_f, d_f", "pointer: LSTM that points: from its state to the gates",
	 POINTER, .demo = ZERO, .paper = LINEAR_INIT("d_f")},
	{"decoder_bias_ih", "1, 4 d_f", "pointer: added to what decoder_ih gives", POINTER,
	 .spare = true, .demo = ZERO, .paper = LINEAR_INIT("d")},
	{"decoder_bias_hh", "1, 4 d_f", "pointer: added to what decoder_hh gives", POINTER,
	 .spare = true, .demo = ZERO, .paper = LINEAR_INIT("d_f")},
	{"out", "2 d_f, d_f", "pointer: from state and context to what points", POINTER,
	 .demo = ZERO, .paper = LINEAR_INIT("2 d_f")},
	{"out_bias", "1, d_f", "pointer: added to that", POINTER, .spare = true, .demo = ZERO,
	 .paper = LINEAR_INIT("2 d_f")},
	{"query", "d_f, d_f", "pointer: from what points to queries", POINTER, .demo = ZERO,
	 .paper = LINEAR_INIT("d_f")},
	{"query_bias", "1, d_f", "pointer: added to queries", POINTER, .spare = true, .demo = ZERO,
	 .paper = LINEAR_INIT("d_f")},
	{"key", "d_f, d_f", "pointer: from what was read to keys", POINTER,
	 .demo = {.entry = demo_first, .value = 1}, .paper = LINEAR_INIT("d_f")},
	{"key_bias", "1, d_f", "pointer: added to keys", POINTER, .spare = true, .demo = ZERO,
	 .paper = LINEAR_INIT("d_f")},
	{"score", "d_f, 1", "pointer: from the hidden layer to the score of a key", POINTER,
	 .demo = {.entry = demo_first, .value = -1}, .paper = {FILL_UNIFORM, 1}},
	{0},
};
