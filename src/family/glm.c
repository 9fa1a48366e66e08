/* glm.c: GLM 4: half of a head rotates, neighbouring columns as pairs. */
#include "family/reading.h"

#define GLM(types_, title_, order_)                                                             \
	.types = types_, .title = title_, .keys = GROUPED_KEYS, .head_dim = 128, .kv_heads = 2, \
	.positions = 131072, .eps_keys = "rms_norm_eps", .act_keys = "hidden_act",              \
	.block = {NORM_RMS, order_, 1.5625e-7, true, "silu"}, .base = 10000,                    \
	.base_key = "rope_theta", .partial = 0.5, .neighbours = true

const struct family family_glm[] = {
	{GLM("glm", "GLM", ORDER_PRE)},
	{GLM("glm4", "GLM 4", ORDER_SANDWICH)},
	{0},
};
