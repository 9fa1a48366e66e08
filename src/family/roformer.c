/* roformer.c: RoFormer: an encoder that rotates neighbouring columns, by a table of its own. */
#include "family/reading.h"

static void more(struct reading *r)
{
	bool values = false;
	long width = r->out->d;
	read_long(r, "embedding_size", 1, MODEL_MAX_WIDTH, &width);
	r->out->embed_width = width == r->out->d ? 0 : width;
	if (!read_switch(r, "rotary_value", &values) || !values)
		return;
	strbuf_add(&r->before, "rope(rotary_value=on)");
	r->whole = true;
}

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "embeddings.word_embeddings"},
	{HOLDS_SEGMENTS, "embeddings.token_type_embeddings", .optional = true},
	{HOLDS_EMBED_NORM, "embeddings.LayerNorm"},
	{HOLDS_Q, "encoder.layer.%L.attention.self.query"},
	{HOLDS_K, "encoder.layer.%L.attention.self.key"},
	{HOLDS_V, "encoder.layer.%L.attention.self.value"},
	{HOLDS_O, "encoder.layer.%L.attention.output.dense"},
	{HOLDS_NORM_1, "encoder.layer.%L.attention.output.LayerNorm"},
	{HOLDS_UP, "encoder.layer.%L.intermediate.dense"},
	{HOLDS_DOWN, "encoder.layer.%L.output.dense"},
	{HOLDS_NORM_2, "encoder.layer.%L.output.LayerNorm"},
	{HOLDS_PROJECTION, "embeddings_project", .optional = true},
	{0},
};

const struct family family_roformer[] = {
	{
		.types = "roformer",
		.title = "RoFormer",
		.keys = {USUAL_KEYS},
		.positions = 1536,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_POST, 1e-12, false, "gelu"},
		.encoder = true,
		.base = 10000,
		.neighbours = true,
		.scales_nothing = true,
		.weights = weights,
		.more = more,
	},
	{0},
};
