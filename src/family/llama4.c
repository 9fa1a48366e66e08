/* llama4.c: Llama 4: layers that rotate see their chunk alone and normalise queries and keys
 * behind the rotation; the others see all, by queries that grow with the position. */
#include "family/no_rope.h"

static const char *layers_arg(struct reading *r, bool rotating)
{
	const struct known *const k = r->out;
	bool on[MODEL_MAX_LAYERS];
	for (long i = 0; i < k->layers; i++)
		on[i] = (k->layer[i].rotation >= 0) == rotating;
	return layers_text(r->arena, on, (size_t)k->layers);
}

/* Adds ",layers=..." and closes the bracket; nothing if no layer has it. */
static void add_on_layers(struct reading *r, struct strbuf *out, const char *member, bool rotating)
{
	const char *const layers = layers_arg(r, rotating);
	if (layers && *layers == '\0')
		return;
	strbuf_printf(out, "+%s%s%s)", member, layers ? ",layers=" : "", layers ? layers : "");
}

static void add_chunks(struct reading *r)
{
	struct known *const k = r->out;
	long chunk = 8192;
	if (json_member(r->text, "layer_types"))
		return;
	if (!read_long(r, "attention_chunk_size", 1, 1000000000, &chunk) &&
	    json_member(r->text, "attention_chunk_size"))
		return;
	for (long i = 0; i < k->layers; i++)
		if (k->layer[i].rotation >= 0) {
			k->layer[i].kind = WINDOW_CHUNK;
			k->layer[i].window = chunk;
		}
}

static void more(struct reading *r)
{
	bool norm = true, tuning = true;
	double scale = 0.1, floor_scale = 8192;
	read_no_rope(r);
	add_chunks(r);
	read_switch(r, "use_qk_norm", &norm);
	read_switch(r, "attn_temperature_tuning", &tuning);
	read_number(r, "attn_scale", 0, 100, &scale);
	read_number(r, "floor_scale", 1, 1e9, &floor_scale);
	if (norm)
		add_on_layers(r, &r->behind,
			      arena_printf(r->arena, "qk_norm(gain=off,eps=%s",
					   print_number(r->arena, r->out->block.eps)),
			      true);
	if (tuning)
		add_on_layers(r, &r->rules,
			      arena_printf(r->arena,
					   "temperature_tuning(attn_scale=%s,floor_scale=%s",
					   print_number(r->arena, scale),
					   print_number(r->arena, floor_scale)),
			      false);
}

static const struct family_weight weights[] = {
	LLAMA_WEIGHTS,
	{HOLDS_GATE, "layers.%L.feed_forward.gate_proj"},
	{HOLDS_UP, "layers.%L.feed_forward.up_proj"},
	{HOLDS_DOWN, "layers.%L.feed_forward.down_proj"},
	{HOLDS_ROUTER, "layers.%L.feed_forward.router", .optional = true},
	{HOLDS_EXPERT_GATE_UP, "layers.%L.feed_forward.experts.gate_up_proj", .in_out = true,
	 .bare = true, .optional = true},
	{HOLDS_EXPERT_DOWN, "layers.%L.feed_forward.experts.down_proj", .in_out = true,
	 .bare = true, .optional = true},
	SHARED_EXPERT("feed_forward.shared_expert"),
	{0},
};

/* Layers without experts are wider: intermediate_size_mlp. */
static const struct expert_keys experts = {
	.n = "num_local_experts",
	.chosen = "num_experts_per_tok",
	.width = "intermediate_size",
	.shared = "intermediate_size",
	.usual = {.n = 16, .chosen = 1, .width = 8192, .shared = 8192, .router = ROUTER_INPUT},
};

const struct family family_llama4[] = {
	{
		.types = "llama4_text|llama4",
		.title = "Llama 4",
		.keys = {.d = "hidden_size",
			 .layers = "num_hidden_layers",
			 .heads = "num_attention_heads",
			 .kv_heads = "num_key_value_heads",
			 .head_dim = "head_dim",
			 .ff = "intermediate_size_mlp",
			 .positions = "max_position_embeddings"},
		.head_dim = 128,
		.kv_heads = 8,
		.positions = 131072,
		LLAMA_BLOCK(1e-5),
		.base = 500000,
		.base_key = "rope_theta",
		.neighbours = true,
		.window_key = "attention_chunk_size",
		.window = 8192,
		.weights = weights,
		.experts = &experts,
		.more = more,
	},
	{0},
};
