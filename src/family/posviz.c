/* posviz.c: models that this program trained itself: any expression, which the configuration holds. */
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"
#include "posviz/scheme/scheme.h"

/* Takes the expression as it is written, and a sentence of the model's vocabulary. */
static void more(struct reading *r)
{
	const char *expression, *sentence;
	struct err err = {""};
	if (!read_word(r, "expression", &expression))
		say_unknown(r, "expression", NULL, "it is missing");
	else if (!expr_of(expression, r->arena, &err))
		say_unknown(r, "expression", NULL, "%s", err.text);
	else
		strbuf_add(&r->before, expression);
	r->whole = true;
	if (read_word(r, "sentence", &sentence))
		r->out->sentence = sentence;
}

/* The numbers of positions are called as the program calls them, behind "positions.". */
static const struct family_tensor tensors[] = {{.leaf = "*", .tensor = "positions."}, {0}};

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "embedding"},
	{HOLDS_Q, "layers.%L.w_q", .in_out = true},
	{HOLDS_K, "layers.%L.w_k", .in_out = true},
	{HOLDS_V, "layers.%L.w_v", .in_out = true},
	{HOLDS_O, "layers.%L.w_o", .in_out = true, .optional = true},
	{HOLDS_UP, "layers.%L.w_ff1", .in_out = true},
	{HOLDS_DOWN, "layers.%L.w_ff2", .in_out = true},
	{0},
};

const struct family family_posviz[] = {
	{
		.types = "posviz",
		.title = "trained here",
		.keys = {USUAL_KEYS},
		.positions = 128,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_POST, 1e-5, false, "relu"},
		.encoder = true,
		.tensors = tensors,
		.weights = weights,
		.more = more,
	},
	{0},
};
