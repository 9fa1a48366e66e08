/* gpt_oss.c: gpt-oss: YaRN without rounding, a window in every second layer, and a sink for every
 * head. */
#include "family/reading.h"

/* Without any rope_scaling the class of the library has this one. */
static void add_default(struct reading *r)
{
	struct rotation_rule *const rule = &r->out->rotations[0];
	if (json_member(r->text, "rope_scaling") || json_member(r->text, "rope_parameters"))
		return;
	rule->type = ROPE_TYPE_YARN;
	rule->factor = 32;
	rule->original = 4096;
	rule->original_given = true;
	rule->beta_fast = 32;
	rule->beta_slow = 1;
	rule->truncate = false;
	r->out->trained = 4096;
	r->out->trained_by = "the family's default";
	say_unusual(r, key_path(r, "rope_scaling"), NULL,
		    "it is missing; the library then has yarn with factor 32 over 4096 positions, "
		    "\"rope_scaling\": null has none");
}

static void more(struct reading *r)
{
	add_default(r);
	strbuf_add(&r->rules, "+sink");
}

static const struct family_tensor tensors[] = {
	{"sink", "sinks.%L", "layers.%L.self_attn.sinks", .gguf = "blk.%L.attn_sinks.weight"}, {0}};

static const struct family_weight weights[] = {
	LLAMA_ATTENTION,
	{HOLDS_NORM_1, "layers.%L.input_layernorm", "blk.%L.attn_norm"},
	{HOLDS_NORM_2, "layers.%L.post_attention_layernorm", "blk.%L.post_attention_norm"},
	{HOLDS_ROUTER, "layers.%L.mlp.router", "blk.%L.ffn_gate_inp"},
	{HOLDS_EXPERT_GATE, NULL, "blk.%L.ffn_gate_exps", .optional = true},
	{HOLDS_EXPERT_UP, NULL, "blk.%L.ffn_up_exps", .optional = true},
	{HOLDS_EXPERT_GATE_UP, "layers.%L.mlp.experts.gate_up_proj", .in_out = true, .bare = true,
	 .alternates = true, .optional = true},
	{HOLDS_EXPERT_DOWN, "layers.%L.mlp.experts.down_proj", .in_out = true, .bare = true,
	 .optional = true},
	{HOLDS_EXPERT_DOWN, NULL, "blk.%L.ffn_down_exps", .optional = true},
	{0},
};

static const struct expert_keys experts = {
	.n = "num_local_experts|num_experts",
	.chosen = "num_experts_per_tok|experts_per_token",
	.width = "intermediate_size",
	.limit = "swiglu_limit",
	.usual = {.n = 128, .chosen = 4, .width = 2880, .router = ROUTER_CHOSEN, .limit = 7},
};

const struct family family_gpt_oss[] = {
	{
		.types = "gpt_oss",
		.title = "gpt-oss",
		.keys = GROUPED_KEYS,
		.head_dim = 64,
		.kv_heads = 8,
		.positions = 131072,
		LLAMA_BLOCK(1e-5),
		.base = 150000,
		.base_key = "rope_theta",
		.layering = LAYERS_FIRST_OF_2,
		.window_key = "sliding_window",
		.window = 128,
		.tensors = tensors,
		.weights = weights,
		.experts = &experts,
		.more = more,
	},
	{0},
};
