/* bart.c: BART's encoder and decoder. */
#include <math.h>
#include <string.h>

#include "family/reading.h"

/* The table has two rows in front. */
static const struct family_tensor tensors[] = {
	{"learned", "p", "encoder.embed_positions.weight", .table = true}, {0}};

static void read_embedding(struct reading *r)
{
	bool scaled = false;
	r->out->first_row = 2;
	if (read_switch(r, "scale_embedding", &scaled) && scaled)
		r->out->embed_factor = sqrt((double)r->out->d);
	/* mBART has its norms in front, and another one behind all. */
	if (strcmp(r->out->model_type, "mbart") == 0)
		r->out->block.order = ORDER_PRE;
	r->whole = true;
}

static void more(struct reading *r)
{
	read_embedding(r);
	strbuf_add(&r->before, "learned");
}

static void more_of_decoder(struct reading *r)
{
	read_embedding(r);
	strbuf_add(&r->before, "learned+causal");
	leave_out(r, "the attention to the encoder, which has no positions: --stack cross");
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

#define DECODER "decoder.layers.%L."

static const struct family_tensor tensors_of_decoder[] = {
	{"learned", "p", "decoder.embed_positions.weight", .table = true}, {0}};

static const struct family_weight weights_of_decoder[] = {
	{HOLDS_WORDS, "shared"},
	{HOLDS_EMBED_NORM, "decoder.layernorm_embedding"},
	{HOLDS_Q, DECODER "self_attn.q_proj"},
	{HOLDS_K, DECODER "self_attn.k_proj"},
	{HOLDS_V, DECODER "self_attn.v_proj"},
	{HOLDS_O, DECODER "self_attn.out_proj"},
	{HOLDS_NORM_1, DECODER "self_attn_layer_norm"},
	{HOLDS_CROSS_Q, DECODER "encoder_attn.q_proj"},
	{HOLDS_CROSS_K, DECODER "encoder_attn.k_proj"},
	{HOLDS_CROSS_V, DECODER "encoder_attn.v_proj"},
	{HOLDS_CROSS_O, DECODER "encoder_attn.out_proj"},
	{HOLDS_CROSS_NORM, DECODER "encoder_attn_layer_norm"},
	{HOLDS_UP, DECODER "fc1"},
	{HOLDS_DOWN, DECODER "fc2"},
	{HOLDS_NORM_2, DECODER "final_layer_norm"},
	{HOLDS_FINAL_NORM, "decoder.layer_norm", .optional = true},
	{0},
};

#define BART                                                                         \
	.types = "bart|mbart", .positions = 1024, .act_keys = "activation_function", \
	.block = {NORM_LAYER, ORDER_POST, 1e-5, false, "gelu"}

static const struct family decoder = {
	BART,
	.title = "BART, decoder",
	.keys = {.d = "d_model|hidden_size",
		 .layers = "decoder_layers|num_hidden_layers",
		 .heads = "decoder_attention_heads|num_attention_heads",
		 .ff = "decoder_ffn_dim",
		 .positions = "max_position_embeddings"},
	.tensors = tensors_of_decoder,
	.weights = weights_of_decoder,
	.more = more_of_decoder,
	.reads_source = true,
};

const struct family family_bart[] = {
	{
		BART,
		.title = "BART, encoder",
		.keys = {.d = "d_model|hidden_size",
			 .layers = "encoder_layers|num_hidden_layers",
			 .heads = "encoder_attention_heads|num_attention_heads",
			 .ff = "encoder_ffn_dim",
			 .positions = "max_position_embeddings"},
		.encoder = true,
		.tensors = tensors,
		.weights = weights,
		.decoder = &decoder,
		.more = more,
		.left_out = "the decoder, which is learned+causal: --stack decoder",
	},
	{0},
};
