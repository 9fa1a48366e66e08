/* olmo.c: OLMo 2 and 3: norms behind each part, and a norm of all queries together; windows in
 * three layers of four of OLMo 3. */
#include "family/reading.h"

static void add_norm(struct reading *r)
{
	strbuf_printf(&r->before, "qk_norm(span=all,eps=%s)",
		      print_number(r->arena, r->out->block.eps));
}

static void tell_of_scaling(struct reading *r)
{
	add_norm(r);
	if (r->out->rotations[0].type != ROPE_TYPE_DEFAULT)
		say_unusual(
			r, key_path(r, "rope_scaling"), NULL,
			"releases before 5, and this program, scale the layers without a window "
			"alone, as in training; those from 5.2 on scale all layers");
}

#define OLMO                                                                            \
	.keys = {USUAL_KEYS, .kv_heads = "num_key_value_heads"}, .positions = 2048,     \
	.eps_keys = "rms_norm_eps", .act_keys = "hidden_act", .base = 10000,            \
	.base_key = "rope_theta", .block = {NORM_RMS, ORDER_AFTER, 1e-5, true, "silu"}, \
	.tensors = norms, .weights = weights

static const struct family_tensor norms[] = {
	{"qk_norm", "q_gain.%L", "layers.%L.self_attn.q_norm.weight"},
	{"qk_norm", "k_gain.%L", "layers.%L.self_attn.k_norm.weight"},
	{0},
};

static const struct family_weight weights[] = {
	LLAMA_ATTENTION,
	LLAMA_FEED_FORWARD,
	{HOLDS_NORM_1, "layers.%L.post_attention_layernorm"},
	{HOLDS_NORM_2, "layers.%L.post_feedforward_layernorm"},
	{0},
};

const struct family family_olmo[] = {
	{.types = "olmo2", .title = "OLMo 2", OLMO, .more = add_norm},
	{
		.types = "olmo3",
		.title = "OLMo 3",
		OLMO,
		.local_plain = true,
		.layering = LAYERS_PATTERN,
		.window_key = "sliding_window",
		.window = 4096,
		.every_key = "sliding_window_pattern",
		.every = 4,
		.more = tell_of_scaling,
	},
	{0},
};
