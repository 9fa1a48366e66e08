/* stablelm.c: StableLM, which is Llama with LayerNorms and heads that rotate in part; some of its models have
 * parallel blocks, whose two parts read one norm. */
#include "family/reading.h"

#define ATTENTION                                         \
	LLAMA_ATTENTION,                                  \
	{                                                 \
		HOLDS_NORM_1, "layers.%L.input_layernorm" \
	}

static const struct family_weight weights[] = {
	ATTENTION, {HOLDS_NORM_2, "layers.%L.post_attention_layernorm"}, LLAMA_FEED_FORWARD, {0}};

static const struct family_weight weights_parallel[] = {ATTENTION, LLAMA_FEED_FORWARD, {0}};

static void more(struct reading *r)
{
	bool parallel = false, norm = false;
	if (read_switch(r, "use_parallel_residual", &parallel) && parallel) {
		r->out->block.order = ORDER_PARALLEL;
		r->out->weights = weights_parallel;
	}
	if (read_switch(r, "qk_layernorm", &norm) && norm) {
		leave_out(r, "the norms of queries and keys, one for each head");
		leave_layers(r, "the norms of its queries and keys are left out");
	}
}

const struct family family_stablelm[] = {
	{
		.types = "stablelm",
		.title = "StableLM",
		.keys = {USUAL_KEYS, .kv_heads = "num_key_value_heads"},
		.positions = 4096,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_PRE, 1e-5, true, "silu"},
		.weights = weights,
		.base = 10000,
		.base_key = "rope_theta",
		.partial = 0.25,
		.more = more,
	},
	{0},
};
