/* glm.c: GLM 4: half of a head rotates, neighbouring columns as pairs. */
#include "family/reading.h"

#define GLM(types_, title_, order_)                                                             \
	.types = types_, .title = title_, .keys = GROUPED_KEYS, .head_dim = 128, .kv_heads = 2, \
	.positions = 131072, .eps_keys = "rms_norm_eps", .act_keys = "hidden_act",              \
	.block = {NORM_RMS, order_, 1.5625e-7, true, "silu"}, .base = 10000,                    \
	.base_key = "rope_theta", .partial = 0.5, .neighbours = true

#define GLM_WEIGHTS                                                     \
	LLAMA_ATTENTION, {HOLDS_GATE_UP, "layers.%L.mlp.gate_up_proj"}, \
		{HOLDS_DOWN, "layers.%L.mlp.down_proj"},                \
		{HOLDS_NORM_1, "layers.%L.input_layernorm"},            \
	{                                                               \
		HOLDS_NORM_2, "layers.%L.post_attention_layernorm"      \
	}

static const struct family_weight weights[] = {GLM_WEIGHTS, {0}};
static const struct family_weight weights_of_4[] = {
	GLM_WEIGHTS,
	{HOLDS_NORM_3, "layers.%L.post_self_attn_layernorm"},
	{HOLDS_NORM_4, "layers.%L.post_mlp_layernorm"},
	{0},
};

const struct family family_glm[] = {
	{GLM("glm", "GLM", ORDER_PRE), .weights = weights},
	{GLM("glm4", "GLM 4", ORDER_SANDWICH), .weights = weights_of_4},
	{0},
};
