/* gpt2.c: decoders with a learned vector for each position: GPT-2 and OPT. */
#include "family/reading.h"

static void add_learned(struct reading *r)
{
	strbuf_add(&r->before, "learned+causal");
	r->whole = true;
}

static void more_of_gpt2(struct reading *r)
{
	bool scaled = true, by_layer = false;
	add_learned(r);
	if (read_switch(r, "scale_attn_weights", &scaled) && !scaled) {
		r->out->scale = 1;
		leave_out(r, "products that are not scaled");
	}
	if (read_switch(r, "scale_attn_by_inverse_layer_idx", &by_layer) && by_layer) {
		leave_out(r, "a scale that is divided by the number of the layer");
		leave_layers(r, "a scale that is divided by the number of the layer is not drawn");
	}
}

static void more_of_opt(struct reading *r)
{
	bool before = true;
	r->out->first_row = 2;
	add_learned(r);
	if (read_switch(r, "do_layer_norm_before", &before) && !before)
		r->out->block.order = ORDER_POST;
}

static const struct family_tensor tensors_of_gpt2[] = {
	{"learned", "p", "wpe.weight", .gguf = "position_embd.weight", .table = true}, {0}};
/* Its table has two rows in front. */
static const struct family_tensor tensors_of_opt[] = {
	{"learned", "p", "decoder.embed_positions.weight", .table = true}, {0}};

static const struct family_weight weights_of_gpt2[] = {
	{HOLDS_WORDS, "wte", "token_embd"},
	{HOLDS_NORM_1, "h.%L.ln_1", "blk.%L.attn_norm"},
	{HOLDS_QKV_PARTS, "h.%L.attn.c_attn", "blk.%L.attn_qkv", .in_out = true},
	{HOLDS_O, "h.%L.attn.c_proj", "blk.%L.attn_output", .in_out = true},
	{HOLDS_NORM_2, "h.%L.ln_2", "blk.%L.ffn_norm"},
	{HOLDS_UP, "h.%L.mlp.c_fc", "blk.%L.ffn_up", .in_out = true},
	{HOLDS_DOWN, "h.%L.mlp.c_proj", "blk.%L.ffn_down", .in_out = true},
	{HOLDS_FINAL_NORM, "ln_f", "output_norm"},
	{0},
};

/* Post-norm models have no final norm, and one width alone. */
static const struct family_weight weights_of_opt[] = {
	{HOLDS_WORDS, "decoder.embed_tokens"},
	{HOLDS_NORM_1, "decoder.layers.%L.self_attn_layer_norm"},
	{HOLDS_Q, "decoder.layers.%L.self_attn.q_proj"},
	{HOLDS_K, "decoder.layers.%L.self_attn.k_proj"},
	{HOLDS_V, "decoder.layers.%L.self_attn.v_proj"},
	{HOLDS_O, "decoder.layers.%L.self_attn.out_proj"},
	{HOLDS_NORM_2, "decoder.layers.%L.final_layer_norm"},
	{HOLDS_UP, "decoder.layers.%L.fc1"},
	{HOLDS_DOWN, "decoder.layers.%L.fc2"},
	{HOLDS_FINAL_NORM, "decoder.final_layer_norm", .optional = true},
	{0},
};

const struct family family_gpt2[] = {
	{
		.types = "gpt2",
		.title = "GPT-2",
		.keys = {.d = "n_embd|hidden_size",
			 .layers = "n_layer|num_hidden_layers",
			 .heads = "n_head|num_attention_heads",
			 .ff = "n_inner",
			 .positions = "n_positions|max_position_embeddings|n_ctx"},
		.positions = 1024,
		.eps_keys = "layer_norm_epsilon",
		.act_keys = "activation_function",
		.block = {NORM_LAYER, ORDER_PRE, 1e-5, false, "gelu_new"},
		.tensors = tensors_of_gpt2,
		.weights = weights_of_gpt2,
		.more = more_of_gpt2,
	},
	{
		.types = "opt",
		.title = "OPT",
		.keys = {.d = "hidden_size",
			 .layers = "num_hidden_layers",
			 .heads = "num_attention_heads",
			 .ff = "ffn_dim",
			 .positions = "max_position_embeddings"},
		.positions = 2048,
		.act_keys = "activation_function",
		.block = {NORM_LAYER, ORDER_PRE, 1e-5, false, "relu"},
		.tensors = tensors_of_opt,
		.weights = weights_of_opt,
		.more = more_of_opt,
	},
	{0},
};
