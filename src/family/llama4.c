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

const struct family family_llama4[] = {
	{
		.types = "llama4_text|llama4",
		.title = "Llama 4",
		.keys = GROUPED_KEYS,
		.head_dim = 128,
		.kv_heads = 8,
		.positions = 131072,
		LLAMA_BLOCK(1e-5),
		.base = 500000,
		.base_key = "rope_theta",
		.neighbours = true,
		.window_key = "attention_chunk_size",
		.window = 8192,
		.more = more,
	},
	{0},
};
