/* modernbert.c: ModernBERT: an encoder of which one layer of three sees all, by a base of its own,
 * and two see a window to both sides. */
#include "family/reading.h"

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "embeddings.tok_embeddings"},
	{HOLDS_EMBED_NORM, "embeddings.norm"},
	{HOLDS_NORM_1, "layers.%L.attn_norm", .optional = true},
	{HOLDS_QKV_PARTS, "layers.%L.attn.Wqkv"},
	{HOLDS_O, "layers.%L.attn.Wo"},
	{HOLDS_NORM_2, "layers.%L.mlp_norm"},
	{HOLDS_GATE_UP, "layers.%L.mlp.Wi"},
	{HOLDS_DOWN, "layers.%L.mlp.Wo"},
	{HOLDS_FINAL_NORM, "final_norm"},
	{0},
};

const struct family family_modernbert[] = {
	{
		.types = "modernbert",
		.title = "ModernBERT",
		.keys = {USUAL_KEYS},
		.positions = 8192,
		.eps_keys = "norm_eps|layer_norm_eps",
		.act_keys = "hidden_activation",
		.block = {NORM_LAYER_NO_BIAS, ORDER_PRE, 1e-5, true, "gelu", .bare_first = true},
		.weights = weights,
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
