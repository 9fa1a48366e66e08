/* cohere.c: Command R, and Command R7B, where three layers of four rotate within a window and the
 * fourth sees all without positions. */
#include "family/reading.h"

static void more_of_1(struct reading *r)
{
	bool norm = false;
	if (!read_switch(r, "use_qk_norm", &norm) || !norm)
		return;
	strbuf_printf(&r->before, "qk_norm(kind=layer,span=own,eps=%s)",
		      print_number(r->arena, r->out->block.eps));
}

static void more_of_2(struct reading *r)
{
	struct known *const k = r->out;
	for (long i = 0; i < k->layers; i++)
		if (k->layer[i].kind == WINDOW_NONE)
			k->layer[i].rotation = -1;
}

#define COHERE                                                                  \
	.keys = GROUPED_KEYS, .positions = 8192, .eps_keys = "layer_norm_eps",  \
	.act_keys = "hidden_act", .base_key = "rope_theta", .neighbours = true, \
	.weights = weights, .tensors = norms,                                   \
	.block = {NORM_LAYER_NO_BIAS, ORDER_PARALLEL, 1e-5, true, "silu"}

static const struct family_tensor norms[] = {
	{"qk_norm", "q_gain.%L", "layers.%L.self_attn.q_norm.weight"},
	{"qk_norm", "k_gain.%L", "layers.%L.self_attn.k_norm.weight"},
	{0},
};

static const struct family_weight weights[] = {
	LLAMA_ATTENTION, LLAMA_FEED_FORWARD, {HOLDS_NORM_1, "layers.%L.input_layernorm"}, {0}};

const struct family family_cohere[] = {
	{.types = "cohere", .title = "Command R", COHERE, .base = 500000, .more = more_of_1},
	{
		.types = "cohere2",
		.title = "Command R7B",
		COHERE,
		.base = 10000,
		.layering = LAYERS_PATTERN,
		.window_key = "sliding_window",
		.window = 4096,
		.every_key = "sliding_window_pattern|_sliding_window_pattern",
		.every = 4,
		.more = more_of_2,
	},
	{0},
};
