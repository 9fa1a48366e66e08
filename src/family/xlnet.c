/* xlnet.c: XLNet: sinusoids of the distance, in both directions unless attn_type is uni. */
#include <string.h>

#include "family/reading.h"

static void more(struct reading *r)
{
	bool untie = true;
	long clamp = -1;
	const char *type = "bi";
	read_switch(r, "untie_r", &untie);
	read_long(r, "clamp_len", -1, 1000000, &clamp);
	read_word(r, "attn_type", &type);
	strbuf_printf(&r->before, "xlnet(untie=%s,segments=on", untie ? "on" : "off");
	if (clamp > 0)
		strbuf_printf(&r->before, ",clamp=%ld", clamp);
	strbuf_add(&r->before, ")");
	r->out->causal = strcmp(type, "uni") == 0;
	if (r->out->causal)
		strbuf_add(&r->before, "+causal");
	r->whole = true;
}

#define ATTENTION "layer.%L.rel_attn."

static const struct family_tensor tensors[] = {
	{"xlnet", "w_r.%L", ATTENTION "r"},
	{"xlnet", "r_w_bias.%L", ATTENTION "r_w_bias"},
	{"xlnet", "r_r_bias.%L", ATTENTION "r_r_bias"},
	{"xlnet", "r_s_bias.%L", ATTENTION "r_s_bias"},
	{"xlnet", "seg_embed.%L", ATTENTION "seg_embed"},
	{0},
};

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "word_embedding"},
	{HOLDS_Q, ATTENTION "q", .in_out = true, .by_head = true, .bare = true},
	{HOLDS_K, ATTENTION "k", .in_out = true, .by_head = true, .bare = true},
	{HOLDS_V, ATTENTION "v", .in_out = true, .by_head = true, .bare = true},
	{HOLDS_O, ATTENTION "o", .by_head = true, .bare = true},
	{HOLDS_NORM_1, ATTENTION "layer_norm"},
	{HOLDS_UP, "layer.%L.ff.layer_1"},
	{HOLDS_DOWN, "layer.%L.ff.layer_2"},
	{HOLDS_NORM_2, "layer.%L.ff.layer_norm"},
	{0},
};

const struct family family_xlnet[] = {
	{
		.types = "xlnet",
		.title = "XLNet",
		.keys = {.d = "d_model|hidden_size",
			 .layers = "n_layer|num_hidden_layers",
			 .heads = "n_head|num_attention_heads",
			 .head_dim = "d_head",
			 .ff = "d_inner"},
		.eps_keys = "layer_norm_eps",
		.act_keys = "ff_activation",
		.block = {NORM_LAYER, ORDER_POST, 1e-12, false, "gelu"},
		.encoder = true,
		.more = more,
		.tensors = tensors,
		.weights = weights,
	},
	{0},
};
