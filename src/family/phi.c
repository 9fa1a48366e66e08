/* phi.c: Phi 1 to 2, whose blocks are parallel and whose heads rotate in part; Phi 3 and 4, which
 * are Llama with a window and LongRoPE. */
#include "family/reading.h"

static void look_at_norm(struct reading *r)
{
	bool norm = false;
	if (read_switch(r, "qk_layernorm", &norm) && norm)
		leave_out(r, "the norm of queries and keys");
}

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
		.layering = LAYERS_WINDOW,
		.window_key = "sliding_window",
	},
	{0},
};
