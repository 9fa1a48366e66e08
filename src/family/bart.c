/* bart.c: BART's encoder. */
#include <math.h>
#include <string.h>

#include "family/reading.h"

/* The table has two rows in front. */
static const struct family_tensor tensors[] = {
	{"learned", "p", "encoder.embed_positions.weight", .table = true}, {0}};

static void more(struct reading *r)
{
	bool scaled = false;
	r->out->first_row = 2;
	if (read_switch(r, "scale_embedding", &scaled) && scaled)
		r->out->embed_factor = sqrt((double)r->out->d);
	/* mBART has its norms in front, and another one behind all. */
	if (strcmp(r->out->model_type, "mbart") == 0)
		r->out->block.order = ORDER_PRE;
	strbuf_add(&r->before, "learned");
	r->whole = true;
}

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "shared"},
	{HOLDS_EMBED_NORM, "encoder.layernorm_embedding"},
	{HOLDS_Q, "encoder.layers.%L.self_attn.q_proj"},
	{HOLDS_K, "encoder.layers.%L.self_attn.k_proj"},
	{HOLDS_V, "encoder.layers.%L.self_attn.v_proj"},
	{HOLDS_O, "encoder.layers.%L.self_attn.out_proj"},
	{HOLDS_NORM_1, "encoder.layers.%L.self_attn_layer_norm"},
	{HOLDS_UP, "encoder.layers.%L.fc1"},
	{HOLDS_DOWN, "encoder.layers.%L.fc2"},
	{HOLDS_NORM_2, "encoder.layers.%L.final_layer_norm"},
	{HOLDS_FINAL_NORM, "encoder.layer_norm", .optional = true},
	{0},
};

const struct family family_bart[] = {
	{
		.types = "bart|mbart",
		.title = "BART, encoder",
		.keys = {.d = "d_model|hidden_size",
			 .layers = "encoder_layers|num_hidden_layers",
			 .heads = "encoder_attention_heads|num_attention_heads",
			 .ff = "encoder_ffn_dim",
			 .positions = "max_position_embeddings"},
		.positions = 1024,
		.act_keys = "activation_function",
		.block = {NORM_LAYER, ORDER_POST, 1e-5, false, "gelu"},
		.encoder = true,
		.tensors = tensors,
		.weights = weights,
		.more = more,
		.left_out = "the decoder, which is learned+causal",
	},
	{0},
};
