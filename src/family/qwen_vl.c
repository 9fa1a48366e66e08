/* qwen_vl.c: Qwen 2 and 2.5 with pictures: each pair of columns reads one of three positions. */
#include "family/reading.h"

/* The library takes the sections as given; without them the model stops. */
static void need_sections(struct reading *r)
{
	const struct known *const k = r->out;
	const long pairs = k->head_dim / 2;
	if (k->rotations[0].sections.n > 0 || r->unknown)
		return;
	say_unknown(r, key_path(r, "rope_scaling.mrope_section"),
		    arena_printf(r->arena, "\"mrope_section\": [%ld, %ld, %ld]", pairs / 4,
				 (pairs - pairs / 4) / 2,
				 pairs - pairs / 4 - (pairs - pairs / 4) / 2),
		    "it is missing, and the library stops without it: numbers of pairs for time, "
		    "row and column, %ld together",
		    pairs);
}

const struct family family_qwen_vl[] = {
	{
		.types = "qwen2_vl|qwen2_vl_text|qwen2_5_vl|qwen2_5_vl_text",
		.title = "Qwen VL",
		.keys = {USUAL_KEYS, .kv_heads = "num_key_value_heads"},
		.kv_heads = 8,
		.positions = 32768,
		LLAMA_BLOCK(1e-5),
		.base = 1000000,
		.base_key = "rope_theta",
		.layering = LAYERS_BEYOND,
		.window_key = "sliding_window",
		.window = 4096,
		.weights = weights_of_llama,
		.more = need_sections,
	},
	{0},
};
