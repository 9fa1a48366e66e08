/* t5.c: T5's encoder: a number for each bucket of distances, and no scale. */
#include "family/reading.h"

static void more(struct reading *r)
{
	struct known *const k = r->out;
	long buckets = 32, most = 128;
	bool both = true;
	const char *feed = "relu";
	read_long(r, "relative_attention_num_buckets", 2, 1024, &buckets);
	read_long(r, "relative_attention_max_distance", 2, 65536, &most);
	read_word(r, "feed_forward_proj", &feed);
	read_switch(r, "is_encoder_decoder", &both);
	k->scale = 1;
	k->block.gated = feed[0] == 'g' && feed[1] == 'a';
	k->block.activation = feed;
	strbuf_printf(&r->before, "t5(buckets=%ld,max_distance=%ld)", buckets, most);
	r->whole = true;
	if (both)
		leave_out(r, "the decoder, which is t5_decoder");
}

/* That of the first block acts in all. */
static const struct family_tensor tensors[] = {
	{"t5", "bias_table",
	 "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"},
	{0},
};

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "shared"},
	{HOLDS_NORM_1, "encoder.block.%L.layer.0.layer_norm"},
	{HOLDS_Q, "encoder.block.%L.layer.0.SelfAttention.q"},
	{HOLDS_K, "encoder.block.%L.layer.0.SelfAttention.k"},
	{HOLDS_V, "encoder.block.%L.layer.0.SelfAttention.v"},
	{HOLDS_O, "encoder.block.%L.layer.0.SelfAttention.o"},
	{HOLDS_NORM_2, "encoder.block.%L.layer.1.layer_norm"},
	{HOLDS_UP, "encoder.block.%L.layer.1.DenseReluDense.wi", .optional = true},
	{HOLDS_GATE, "encoder.block.%L.layer.1.DenseReluDense.wi_0", .optional = true},
	{HOLDS_UP, "encoder.block.%L.layer.1.DenseReluDense.wi_1", .optional = true},
	{HOLDS_DOWN, "encoder.block.%L.layer.1.DenseReluDense.wo"},
	{HOLDS_FINAL_NORM, "encoder.final_layer_norm"},
	{0},
};

const struct family family_t5[] = {
	{
		.types = "t5|mt5",
		.title = "T5, encoder",
		.keys = {.d = "d_model|hidden_size",
			 .layers = "num_layers|num_hidden_layers",
			 .heads = "num_heads|num_attention_heads",
			 .head_dim = "d_kv",
			 .ff = "d_ff"},
		.head_dim = 64,
		.eps_keys = "layer_norm_epsilon",
		.block = {NORM_RMS, ORDER_PRE, 1e-6, false, "relu"},
		.encoder = true,
		.tensors = tensors,
		.weights = weights,
		.more = more,
	},
	{0},
};
