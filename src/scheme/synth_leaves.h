/* synth_leaves.h: what the learned numbers of the Synthesizers are; of synth.c alone. */
#ifndef SCHEME_SYNTH_LEAVES_H
#define SCHEME_SYNTH_LEAVES_H

#include "posviz/scheme.h"

static const struct leaf_note synth_random_leaves[] = {
	{"r", "t_max, h t_max", "row t, column s: the logits of that pair; heads side by side"},
	{0},
};

static const struct leaf_note synth_dense_leaves[] = {
	{"pi", "d_h, t_max",
	 "code=on: from a head's columns of the input to the logits of every key"},
	{"w1", "d, d", "from the input to the hidden layer, heads side by side"},
	{"b1", "1, d", "added in the hidden layer", .spare = true},
	{"w2", "d, t_max", "rows of a head: from its hidden layer to the logits of every key"},
	{"b2", "h, t_max", "row of a head: added to those logits", .spare = true},
	{0},
};

static const struct leaf_note synth_factorized_leaves[] = {
	{"r1", "k, h t_max", "column t: factor of the query's position; heads side by side"},
	{"r2", "k, h t_max", "column s: factor of the key's position; heads side by side"},
	{"w_a", "d, a", "rows of a head: from its input to the factor read by s mod a"},
	{"b_a", "h, a", "row of a head: added to that factor", .spare = true},
	{"w_b", "d, b", "rows of a head: from its input to the factor read by s div a"},
	{"b_b", "h, b", "row of a head: added to that factor", .spare = true},
	{0},
};

static const struct leaf_note synth_mix_leaves[] = {
	{"alpha", "1, 1", "logit of the share of what is not q·k"},
	{"r", "t_max, h t_max", "row t, column s: the logits of that pair; heads side by side"},
	{"pi", "d_h, t_max", "from a head's queries to the logits of every key"},
	{0},
};

#endif
