/* smollm3.c: SmolLM 3: Llama in which every fourth layer does not rotate. */
#include "family/no_rope.h"

/* A window is that of the layers without rotation, unless layer_types says otherwise. */
static void more(struct reading *r)
{
	struct known *const k = r->out;
	bool use = false;
	long window = 0;
	read_no_rope(r);
	if (json_member(r->text, "layer_types") || !read_switch(r, "use_sliding_window", &use) ||
	    !use || !read_long(r, "sliding_window", 1, 1000000000, &window))
		return;
	for (long i = 0; i < k->layers; i++)
		if (k->layer[i].rotation < 0) {
			k->layer[i].kind = WINDOW_BEHIND;
			k->layer[i].window = window;
		}
}

const struct family family_smollm3[] = {
	{
		.types = "smollm3",
		.title = "SmolLM 3",
		.keys = {USUAL_KEYS, .kv_heads = "num_key_value_heads"},
		.kv_heads = 4,
		.positions = 32768,
		LLAMA_BLOCK(1e-6),
		.base = 2000000,
		.base_key = "rope_theta",
		.window_key = "sliding_window",
		.weights = weights_of_llama,
		.more = more,
	},
	{0},
};
