/* bart.c: BART's encoder. */
#include "family/reading.h"

/* The table has two rows in front. */
static const struct family_tensor tensors[] = {
	{"learned", "p", "encoder.embed_positions.weight", .table = true}, {0}};

static void more(struct reading *r)
{
	r->out->first_row = 2;
	strbuf_add(&r->before, "learned");
	r->whole = true;
}

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
		.more = more,
		.left_out = "the decoder, which is learned+causal",
	},
	{0},
};
