/* phi.c: Phi 1 to 2, whose blocks are parallel and whose heads rotate in part; Phi 3 and 4, which
 * are Llama with a window and LongRoPE. */
#include "family/reading.h"

static void look_at_norm(struct reading *r)
{
	bool norm = false;
	if (read_switch(r, "qk_layernorm", &norm) && norm) {
		leave_out(r, "the norm of queries and keys");
		leave_layers(r, "the norm of its queries and keys is left out");
	}
}

static const struct family_weight weights_of_phi[] = {
	{HOLDS_WORDS, "embed_tokens"},		 {HOLDS_NORM_1, "layers.%L.input_layernorm"},
	{HOLDS_Q, "layers.%L.self_attn.q_proj"}, {HOLDS_K, "layers.%L.self_attn.k_proj"},
	{HOLDS_V, "layers.%L.self_attn.v_proj"}, {HOLDS_O, "layers.%L.self_attn.dense"},
	{HOLDS_UP, "layers.%L.mlp.fc1"},	 {HOLDS_DOWN, "layers.%L.mlp.fc2"},
	{HOLDS_FINAL_NORM, "final_layernorm"},	 {0},
};

static const struct family_weight weights_of_3[] = {
	{HOLDS_WORDS, "embed_tokens"},
	{HOLDS_NORM_1, "layers.%L.input_layernorm"},
	{HOLDS_QKV_PARTS, "layers.%L.self_attn.qkv_proj"},
	{HOLDS_O, "layers.%L.self_attn.o_proj"},
	{HOLDS_NORM_2, "layers.%L.post_attention_layernorm"},
	{HOLDS_GATE_UP, "layers.%L.mlp.gate_up_proj"},
	{HOLDS_DOWN, "layers.%L.mlp.down_proj"},
	{HOLDS_FINAL_NORM, "norm"},
	{0},
};

const struct family family_phi[] = {
	{
		.types = "phi",
		.title = "Phi",
		.keys = {USUAL_KEYS, .kv_heads = "num_key_value_heads"},
		.positions = 2048,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_PARALLEL, 1e-5, false, "gelu_new"},
		.base = 10000,
		.base_key = "rope_theta",
		.partial = 0.5,
		.weights = weights_of_phi,
		.more = look_at_norm,
	},
	{
		.types = "phi3",
		.title = "Phi 3",
		.keys = {USUAL_KEYS, .kv_heads = "num_key_value_heads"},
		.positions = 4096,
		LLAMA_BLOCK(1e-5),
		.base = 10000,
		.base_key = "rope_theta",
		.partial = 1,
		.weights = weights_of_3,
		.layering = LAYERS_WINDOW,
		.window_key = "sliding_window",
	},
	{0},
};
