/* roformer.c: RoFormer: an encoder that rotates neighbouring columns, by a table of its own. */
#include "family/reading.h"

static void more(struct reading *r)
{
	bool values = false;
	if (!read_switch(r, "rotary_value", &values) || !values)
		return;
	strbuf_add(&r->before, "rope(rotary_value=on)");
	r->whole = true;
}

const struct family family_roformer[] = {
	{
		.types = "roformer",
		.title = "RoFormer",
		.keys = {USUAL_KEYS},
		.positions = 1536,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_POST, 1e-12, false, "gelu"},
		.encoder = true,
		.base = 10000,
		.neighbours = true,
		.scales_nothing = true,
		.more = more,
	},
	{0},
};
