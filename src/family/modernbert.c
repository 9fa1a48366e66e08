/* modernbert.c: ModernBERT: an encoder of which one layer of three sees all, by a base of its own,
 * and two see a window to both sides. */
#include "family/reading.h"

const struct family family_modernbert[] = {
	{
		.types = "modernbert",
		.title = "ModernBERT",
		.keys = {USUAL_KEYS},
		.positions = 8192,
		.eps_keys = "norm_eps|layer_norm_eps",
		.act_keys = "hidden_activation",
		.block = {NORM_LAYER_NO_BIAS, ORDER_PRE, 1e-5, true, "gelu"},
		.encoder = true,
		.base = 160000,
		.base_key = "global_rope_theta",
		.local_base = 10000,
		.local_key = "local_rope_theta",
		.local_plain = true,
		.layering = LAYERS_GLOBAL_FIRST,
		.window_key = "local_attention",
		.window = 128,
		.every_key = "global_attn_every_n_layers",
		.every = 3,
	},
	{0},
};
