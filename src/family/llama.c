/* llama.c: Llama 1 to 3, whose form most later models have. */
#include "family/reading.h"

const struct family_weight weights_of_llama[] = {LLAMA_WEIGHTS, LLAMA_FEED_FORWARD, {0}};

const struct family family_llama[] = {
	{
		.types = "llama",
		.d = 4096,
		.layers = 32,
		.heads = 32,
		.title = "Llama",
		.keys = GROUPED_KEYS,
		.positions = 2048,
		LLAMA_BLOCK(1e-6),
		.base = 10000,
		.base_key = "rope_theta",
		.weights = weights_of_llama,
	},
	{0},
};
