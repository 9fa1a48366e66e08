/* falcon.c: Falcon: rotation of whole heads, or ALiBi that is divided like the products. */
#include "family/reading.h"

#define FALCON_WEIGHTS(qkv_)                                                                  \
	{HOLDS_WORDS, "word_embeddings"}, {qkv_, "h.%L.self_attention.query_key_value"},      \
		{HOLDS_O, "h.%L.self_attention.dense"}, {HOLDS_UP, "h.%L.mlp.dense_h_to_4h"}, \
		{HOLDS_DOWN, "h.%L.mlp.dense_4h_to_h"},                                       \
	{                                                                                     \
		HOLDS_FINAL_NORM, "ln_f"                                                      \
	}

static const struct family_weight weights[] = {
	FALCON_WEIGHTS(HOLDS_QKV_PARTS), {HOLDS_NORM_1, "h.%L.input_layernorm"}, {0}};
static const struct family_weight weights_by_head[] = {
	FALCON_WEIGHTS(HOLDS_QKV_GROUPS), {HOLDS_NORM_1, "h.%L.input_layernorm"}, {0}};
static const struct family_weight weights_serial[] = {
	FALCON_WEIGHTS(HOLDS_QKV_PARTS),
	{HOLDS_NORM_1, "h.%L.input_layernorm"},
	{HOLDS_NORM_2, "h.%L.post_attention_layernorm"},
	{0}};
static const struct family_weight weights_serial_by_head[] = {
	FALCON_WEIGHTS(HOLDS_QKV_GROUPS),
	{HOLDS_NORM_1, "h.%L.input_layernorm"},
	{HOLDS_NORM_2, "h.%L.post_attention_layernorm"},
	{0}};
static const struct family_weight weights_newer[] = {FALCON_WEIGHTS(HOLDS_QKV_GROUPS),
						     {HOLDS_NORM_1, "h.%L.ln_attn"},
						     {HOLDS_NORM_2, "h.%L.ln_mlp"},
						     {0}};

/* The newer form has two norms, unless num_ln_in_parallel_attn says one. */
static const struct family_weight *weights_for(const struct known *k, bool multi, bool newer,
					       bool parallel)
{
	if (newer)
		return weights_newer;
	const bool by_head = !multi && k->kv_heads == k->heads;
	return parallel ? (by_head ? weights_by_head : weights)
			: (by_head ? weights_serial_by_head : weights_serial);
}

static void read_groups(struct reading *r)
{
	struct known *const k = r->out;
	bool multi = true, newer = false;
	read_switch(r, "multi_query", &multi);
	read_switch(r, "new_decoder_architecture", &newer);
	k->kv_heads = newer ? k->heads : multi ? 1 : k->heads;
	if (newer)
		read_long(r, "num_kv_heads", 1, MODEL_MAX_HEADS, &k->kv_heads);
	if (k->heads > 0 && k->heads % k->kv_heads != 0) {
		say_unknown(r, key_path(r, "num_kv_heads"), NULL,
			    "%ld heads of keys do not divide %ld heads of queries", k->kv_heads,
			    k->heads);
		k->kv_heads = k->heads;
	}
}

static void more(struct reading *r)
{
	struct known *const k = r->out;
	bool alibi = false, parallel = true;
	bool multi = true, newer = false;
	long norms = 2;
	read_groups(r);
	read_switch(r, "alibi", &alibi);
	read_switch(r, "multi_query", &multi);
	read_switch(r, "new_decoder_architecture", &newer);
	if (read_switch(r, "parallel_attn", &parallel) && !parallel && !newer)
		k->block.order = ORDER_PRE;
	k->weights = weights_for(k, multi, newer, parallel);
	read_long(r, "num_ln_in_parallel_attn", 1, 2, &norms);
	k->block.apart = newer && norms == 2;
	if (newer && norms == 1)
		k->weights = weights_by_head;
	if (!alibi)
		return;
	k->n_rotations = 0;
	for (long i = 0; i < k->layers; i++)
		k->layer[i].rotation = -1;
	strbuf_printf(&r->before, "alibi(factor=%s)", print_number(r->arena, k->scale));
	r->whole = true;
	say_unusual(r, key_path(r, "alibi"), NULL,
		    "the library rounds slopes, and slopes times positions, to bfloat16; they are "
		    "exact here");
}

const struct family family_falcon[] = {
	{
		.types = "falcon",
		.title = "Falcon",
		.keys = {.d = "hidden_size",
			 .layers = "num_hidden_layers|n_layer",
			 .heads = "num_attention_heads|n_head",
			 .ff = "ffn_hidden_size",
			 .positions = "max_position_embeddings"},
		.positions = 2048,
		.eps_keys = "layer_norm_epsilon",
		.act_keys = "activation",
		.block = {NORM_LAYER, ORDER_PARALLEL, 1e-5, false, "gelu"},
		.base = 10000,
		.base_key = "rope_theta",
		.more = more,
	},
	{0},
};
