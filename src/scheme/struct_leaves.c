/* struct_leaves.c: the leaves of the Structural Transformer (struct_tr.h). */
#include <math.h>

#include "scheme/leaves.h"
#include "scheme/struct_tr.h"

/* Symbols after the special ones come in pairs, down and up. */
static void make_labels(struct mat at, const struct leaf_maker *of)
{
	const struct struct_tr *p = of->m->param;
	const double sd = struct_tr_numbers_steps(p) ? 1 / sqrt((double)at.cols) : 1;
	mat_fill_normal(at, sd, of->rng);
	mat_fill(mat_rows(at, SYMBOL_NO_PATH, 1), 0);
	for (size_t i = SYMBOL_TO_SPECIAL; p->variant != VARIANT_FEATURE && i + 1 < at.rows; i += 2)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i + 1)[j] = (j % 2 ? -1 : 1) * mat_row(at, i)[j];
}

/* Tap i is the identity times 2^-i. */
static double make_taps(const struct leaf_maker *of, size_t row, size_t col)
{
	return row % of->cols == col ? ldexp(1, -(int)(row / of->cols)) : 0;
}

/* clang-format off */
#define WIDTH	 "(form == code ? d_h : d)"
#define CODE	 .when = "form == code"
#define CONVOLVE .when = "variant == cnn || variant == sa && !pool"
#define SA	 .when = "variant == sa"
#define SA_CODE	 .when = "variant == sa && form == code"
#define POOL	 .when = "variant == sa && pool"
#define POOL_CODE .when = "variant == sa && pool && form == code"

#define MATRIX	 .by_layer = EACH_LAYER, .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}
#define CONSTANT(value) \
	.by_layer = EACH_LAYER, .demo = {FILL_CONSTANT, value}, .paper = {FILL_CONSTANT, value}
#define ADDED	 .spare = true, CONSTANT(0)
#define DRAWN	 .by_layer = ALL_LAYERS, .demo = {.make = make_labels}, \
		 .paper = {FILL_NORMAL, .formula = "1 / sqrt(" WIDTH ")"}
/* clang-format on */

const struct leaf_row struct_tr_leaves[] = {
	{"path", "paths + 1, " WIDTH,
	 "variant=feature: rows 1, 2, … of the paths that occur, short ones first, then by their "
	 "labels; row 0 of all others",
	 DRAWN, .when = "variant == feature"},
	{"label", "2 labels + 4, " WIDTH,
	 "row of a symbol: no path, None, EOS down and up, then the labels in alphabetical order, "
	 "down and up",
	 DRAWN, .when = "variant != feature"},
	{"w_r", WIDTH ", (form == code ? 1 : h) d_h",
	 "from the vector r of a path to what is added to the key", MATRIX},
	{"b_r", "1, d_h", "added to that", ADDED, CODE},
	{"w_f", WIDTH ", (form == code ? 1 : h) d_v",
	 "from the vector r of a path to what is added to the value", MATRIX},
	{"b_f", "1, d_v", "added to that", ADDED, CODE},
	{"norm_weight", "1, d_h", "LayerNorm of r: multiplies", CONSTANT(1), CODE},
	{"norm_bias", "1, d_h", "LayerNorm of r: added", CONSTANT(0), CODE},
	{"conv_weight", "4 " WIDTH ", " WIDTH,
	 "the convolution of labels: as many rows for each of 4 taps as r has columns",
	 .by_layer = EACH_LAYER, CONVOLVE, .demo = {.entry = make_taps, .taps = KERNEL},
	 .paper = {FILL_XAVIER, 1}},
	/* Not 0: otherwise a path without labels would be at the kink of max(0, x). */
	{"conv_bias", "1, " WIDTH, "added to the convolution", .spare = true, CONSTANT(0.01),
	 CONVOLVE},
	{"label_w_q", WIDTH ", " WIDTH, "attention of labels: queries", MATRIX, SA},
	{"label_b_q", "1, d_h", "attention of labels: added to queries", ADDED, SA_CODE},
	{"label_w_k", WIDTH ", " WIDTH, "attention of labels: keys", MATRIX, SA},
	{"label_b_k", "1, d_h", "attention of labels: added to keys", ADDED, SA_CODE},
	{"label_w_v", WIDTH ", " WIDTH, "attention of labels: values", MATRIX, SA},
	{"label_b_v", "1, d_h", "attention of labels: added to values", ADDED, SA_CODE},
	{"label_w_o", "d_h, d_h", "attention of labels: from all heads to the output", MATRIX,
	 SA_CODE},
	{"label_b_o", "1, d_h", "attention of labels: added to the output", ADDED, SA_CODE},
	{"pool_w1", WIDTH ", d_r", "weighing the labels of a path: to the hidden layer", MATRIX,
	 POOL},
	{"pool_b1", "1, d_r", "weighing: added in the hidden layer", ADDED, POOL_CODE},
	{"pool_w2", "d_r, 1", "weighing: from the hidden layer to the weight of a label",
	 .by_layer = EACH_LAYER, POOL, .demo = {FILL_CONSTANT, .formula = "1 / sqrt(d_r)"},
	 .paper = {FILL_XAVIER, 1}},
	{"pool_b2", "1, 1", "weighing: added to that", ADDED, POOL_CODE},
	{0},
};
