/* bloom.c: BLOOM and MPT, which have ALiBi. */
#include <math.h>

#include "family/reading.h"

static void add_alibi(struct reading *r)
{
	strbuf_add(&r->before, "alibi");
	r->whole = true;
}

static void more_of_bloom(struct reading *r)
{
	bool normed = false;
	add_alibi(r);
	read_switch(r, "apply_residual_connection_post_layernorm", &normed);
	r->out->block.normed_residual = normed;
}

/* The keys of attn_config; the library always adds the bias, with slopes down to 2^-8. */
static void more_of_mpt(struct reading *r)
{
	struct known *const k = r->out;
	const struct json_value *const in = key_find(r->text, "attn_config", NULL);
	const struct json_value *const on = key_find(in, "alibi", NULL);
	const struct json_value *const rope = key_find(in, "rope", NULL);
	double most = 8, clip = 0;
	add_alibi(r);
	if (on && on->kind == JSON_VALUE_BOOL && !on->as.truth)
		say_unusual(r, key_path(r, "attn_config.alibi"), NULL,
			    "false, but the library adds the bias all the same, as here");
	if (rope && rope->kind == JSON_VALUE_BOOL && rope->as.truth)
		say_wrong(r, key_path(r, "attn_config.rope"), "\"rope\": false",
			  "the library knows no rotation for MPT, so it has no effect");
	if (member_number(r, in, "attn_config.", "alibi_bias_max", 1e-3, 1e6, &most) &&
	    fabs(most - 8) > 0)
		say_unusual(r, key_path(r, "attn_config.alibi_bias_max"), NULL,
			    "%s, but the library takes 8, as here", print_number(r->arena, most));
	if (member_number(r, in, "attn_config.", "softmax_scale", 1e-9, 1e9, &k->scale))
		leave_out(r, "a scale of %s for 1/√%ld", print_number(r->arena, k->scale),
			  k->head_dim);
	if (member_number(r, in, "attn_config.", "clip_qkv", 0, 1e9, &clip)) {
		leave_out(r, "queries, keys and values are cut at ±%s",
			  print_number(r->arena, clip));
		k->weights = NULL;
		k->unread = "queries, keys and values are cut, by clip_qkv";
	}
}

static const struct family_weight weights_of_bloom[] = {
	{HOLDS_WORDS, "word_embeddings", "token_embd"},
	{HOLDS_EMBED_NORM, "word_embeddings_layernorm", "token_embd_norm"},
	{HOLDS_NORM_1, "h.%L.input_layernorm", "blk.%L.attn_norm"},
	{HOLDS_QKV_GROUPS, "h.%L.self_attention.query_key_value"},
	{HOLDS_O, "h.%L.self_attention.dense", "blk.%L.attn_output"},
	{HOLDS_NORM_2, "h.%L.post_attention_layernorm", "blk.%L.ffn_norm"},
	{HOLDS_UP, "h.%L.mlp.dense_h_to_4h", "blk.%L.ffn_up"},
	{HOLDS_DOWN, "h.%L.mlp.dense_4h_to_h", "blk.%L.ffn_down"},
	{HOLDS_FINAL_NORM, "ln_f", "output_norm"},
	{0},
};

static const struct family_weight weights_of_mpt[] = {
	{HOLDS_WORDS, "wte"},
	{HOLDS_NORM_1, "blocks.%L.norm_1"},
	{HOLDS_QKV_PARTS, "blocks.%L.attn.Wqkv"},
	{HOLDS_O, "blocks.%L.attn.out_proj"},
	{HOLDS_NORM_2, "blocks.%L.norm_2"},
	{HOLDS_UP, "blocks.%L.ffn.up_proj"},
	{HOLDS_DOWN, "blocks.%L.ffn.down_proj"},
	{HOLDS_FINAL_NORM, "norm_f"},
	{0},
};

const struct family family_bloom[] = {
	{
		.types = "bloom",
		.title = "BLOOM",
		.keys = {.d = "hidden_size|n_embed",
			 .layers = "n_layer|num_hidden_layers",
			 .heads = "n_head|num_attention_heads",
			 .positions = "seq_length"},
		.eps_keys = "layer_norm_epsilon",
		.block = {NORM_LAYER, ORDER_PRE, 1e-5, false, "bloom_gelu"},
		.weights = weights_of_bloom,
		.more = more_of_bloom,
	},
	{
		.types = "mpt",
		.title = "MPT",
		.keys = {.d = "d_model|hidden_size",
			 .layers = "n_layers|num_hidden_layers",
			 .heads = "n_heads|num_attention_heads",
			 .positions = "max_seq_len"},
		.positions = 2048,
		.eps_keys = "layer_norm_epsilon",
		.block = {NORM_LAYER_NO_BIAS, ORDER_PRE, 1e-5, false, "gelu"},
		.weights = weights_of_mpt,
		.more = more_of_mpt,
	},
	{0},
};
