/* mistral.c: Llama with a window in every layer, if sliding_window is a number; with a mixture of
 * experts; and StarCoder 2, which has LayerNorms. */
#include "family/reading.h"

static const struct family_weight weights_of_starcoder[] = {
	LLAMA_WEIGHTS, {HOLDS_UP, "layers.%L.mlp.c_fc"}, {HOLDS_DOWN, "layers.%L.mlp.c_proj"}, {0}};

static const struct family_weight weights_of_mixtral[] = {
	LLAMA_WEIGHTS,
	{HOLDS_ROUTER, "layers.%L.block_sparse_moe.gate", "blk.%L.ffn_gate_inp"},
	{HOLDS_EXPERT_GATE, "layers.%L.block_sparse_moe.experts.%E.w1", "blk.%L.ffn_gate_exps",
	 .optional = true},
	{HOLDS_EXPERT_UP, "layers.%L.block_sparse_moe.experts.%E.w3", "blk.%L.ffn_up_exps",
	 .optional = true},
	{HOLDS_EXPERT_DOWN, "layers.%L.block_sparse_moe.experts.%E.w2", "blk.%L.ffn_down_exps",
	 .optional = true},
	/* Older files have a tensor for each expert. */
	{HOLDS_EXPERT_GATE, NULL, "blk.%L.ffn_gate.%E", .optional = true},
	{HOLDS_EXPERT_UP, NULL, "blk.%L.ffn_up.%E", .optional = true},
	{HOLDS_EXPERT_DOWN, NULL, "blk.%L.ffn_down.%E", .optional = true},
	{0},
};

static const struct expert_keys experts_of_mixtral = {
	.n = "num_local_experts",
	.chosen = "num_experts_per_tok",
	.width = "intermediate_size",
	.usual = {.n = 8, .chosen = 2, .width = 14336, .router = ROUTER_CHOSEN},
};

const struct family family_mistral[] = {
	{
		.types = "mistral",
		.d = 4096,
		.layers = 32,
		.heads = 32,
		.title = "Mistral",
		.keys = GROUPED_KEYS,
		.kv_heads = 8,
		.positions = 131072,
		.weights = weights_of_llama,
		LLAMA_BLOCK(1e-6),
		.base = 10000,
		.base_key = "rope_theta",
		.layering = LAYERS_WINDOW,
		.window_key = "sliding_window",
		.window = 4096,
	},
	{
		.types = "mixtral",
		.title = "Mixtral",
		.weights = weights_of_mixtral,
		.experts = &experts_of_mixtral,
		.keys = GROUPED_KEYS,
		.kv_heads = 8,
		.positions = 131072,
		LLAMA_BLOCK(1e-5),
		.base = 1000000,
		.base_key = "rope_theta",
		.layering = LAYERS_WINDOW,
		.window_key = "sliding_window",
	},
	{
		.types = "starcoder2",
		.title = "StarCoder 2",
		.keys = {USUAL_KEYS, .kv_heads = "num_key_value_heads"},
		.kv_heads = 2,
		.positions = 4096,
		.eps_keys = "norm_epsilon",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_PRE, 1e-5, false, "gelu_pytorch_tanh"},
		.weights = weights_of_starcoder,
		.base = 10000,
		.base_key = "rope_theta",
		.layering = LAYERS_WINDOW,
		.window_key = "sliding_window",
	},
	{0},
};
