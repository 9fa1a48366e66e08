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
	},
	{0},
};
