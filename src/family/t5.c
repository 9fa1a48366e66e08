/* t5.c: T5's encoder and decoder: a number for each bucket of distances, and no scale. */
#include "family/reading.h"

static void read_bias(struct reading *r, const char *causal)
{
	struct known *const k = r->out;
	long buckets = 32, most = 128;
	const char *feed = "relu";
	read_long(r, "relative_attention_num_buckets", 2, 1024, &buckets);
	read_long(r, "relative_attention_max_distance", 2, 65536, &most);
	read_word(r, "feed_forward_proj", &feed);
	k->scale = 1;
	k->block.gated = feed[0] == 'g' && feed[1] == 'a';
	k->block.activation = feed;
	strbuf_printf(&r->before, "t5(%sbuckets=%ld,max_distance=%ld)", causal, buckets, most);
	r->whole = true;
}

static void more(struct reading *r)
{
	bool both = true;
	read_bias(r, "");
	read_switch(r, "is_encoder_decoder", &both);
	if (both)
		leave_out(r, "the decoder, which is t5_decoder: --stack decoder");
}

static void more_of_decoder(struct reading *r)
{
	read_bias(r, "causal=on,");
	leave_out(r, "the attention to the encoder, which has no positions: --stack cross");
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

#define SELF  "decoder.block.%L.layer.0."
#define CROSS "decoder.block.%L.layer.1."
#define FEED  "decoder.block.%L.layer.2."

static const struct family_tensor tensors_of_decoder[] = {
	{"t5", "bias_table",
	 "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"},
	{0},
};

static const struct family_weight weights_of_decoder[] = {
	{HOLDS_WORDS, "shared"},
	{HOLDS_NORM_1, SELF "layer_norm"},
	{HOLDS_Q, SELF "SelfAttention.q"},
	{HOLDS_K, SELF "SelfAttention.k"},
	{HOLDS_V, SELF "SelfAttention.v"},
	{HOLDS_O, SELF "SelfAttention.o"},
	{HOLDS_CROSS_NORM, CROSS "layer_norm"},
	{HOLDS_CROSS_Q, CROSS "EncDecAttention.q"},
	{HOLDS_CROSS_K, CROSS "EncDecAttention.k"},
	{HOLDS_CROSS_V, CROSS "EncDecAttention.v"},
	{HOLDS_CROSS_O, CROSS "EncDecAttention.o"},
	{HOLDS_NORM_2, FEED "layer_norm"},
	{HOLDS_UP, FEED "DenseReluDense.wi", .optional = true},
	{HOLDS_GATE, FEED "DenseReluDense.wi_0", .optional = true},
	{HOLDS_UP, FEED "DenseReluDense.wi_1", .optional = true},
	{HOLDS_DOWN, FEED "DenseReluDense.wo"},
	{HOLDS_FINAL_NORM, "decoder.final_layer_norm"},
	{0},
};

#define T5                                                                   \
	.types = "t5|mt5", .head_dim = 64, .eps_keys = "layer_norm_epsilon", \
	.block = {NORM_RMS, ORDER_PRE, 1e-6, false, "relu"}
#define T5_KEYS                                                                                   \
	.d = "d_model|hidden_size", .heads = "num_heads|num_attention_heads", .head_dim = "d_kv", \
	.ff = "d_ff"

static const struct family decoder = {
	T5,
	.title = "T5, decoder",
	.keys = {T5_KEYS, .layers = "num_decoder_layers|num_layers|num_hidden_layers"},
	.tensors = tensors_of_decoder,
	.weights = weights_of_decoder,
	.more = more_of_decoder,
	.reads_source = true,
};

const struct family family_t5[] = {
	{
		T5,
		.title = "T5, encoder",
		.keys = {T5_KEYS, .layers = "num_layers|num_hidden_layers"},
		.encoder = true,
		.tensors = tensors,
		.weights = weights,
		.decoder = &decoder,
		.more = more,
	},
	{0},
};
