/* qwen.c: Qwen 2 and 3: windows only with use_sliding_window, from max_window_layers on; Qwen 3
 * has a norm of every query and key before they are rotated. */
#include "family/reading.h"

/* How models for a million tokens read on beyond their training. */
static void look_at_chunks(struct reading *r)
{
	if (key_find(r->text, "dual_chunk_attention_config", NULL))
		leave_out(r, "dual chunk attention, which is put upon it: +dca(...)");
}

static void add_norm(struct reading *r)
{
	look_at_chunks(r);
	strbuf_printf(&r->before, "qk_norm(eps=%s)", print_number(r->arena, r->out->block.eps));
}

#define QWEN(types_, title_, kv_)                                                       \
	.types = types_, .title = title_, .keys = GROUPED_KEYS, .kv_heads = kv_,        \
	.positions = 32768, LLAMA_BLOCK(1e-6), .base = 10000, .base_key = "rope_theta", \
	.layering = LAYERS_BEYOND, .window_key = "sliding_window", .window = 4096

static const struct family_tensor norms[] = {
	{"qk_norm", "q_gain.%L", "layers.%L.self_attn.q_norm.weight",
	 .gguf = "blk.%L.attn_q_norm.weight"},
	{"qk_norm", "k_gain.%L", "layers.%L.self_attn.k_norm.weight",
	 .gguf = "blk.%L.attn_k_norm.weight"},
	{0},
};

static const struct family_weight weights_with_experts[] = {
	LLAMA_WEIGHTS,
	LLAMA_FEED_FORWARD,
	EXPERTS_OF_ONE,
	SHARED_EXPERT("mlp.shared_expert"),
	{HOLDS_SHARED_SWITCH, "layers.%L.mlp.shared_expert_gate", "blk.%L.ffn_gate_inp_shexp",
	 .optional = true},
	{0},
};

#define EXPERT_KEYS                                                            \
	.n = "num_experts|num_local_experts", .chosen = "num_experts_per_tok", \
	.width = "moe_intermediate_size", .normed = "norm_topk_prob"

static const struct expert_keys experts_of_2 = {
	EXPERT_KEYS,
	.shared = "shared_expert_intermediate_size",
	.usual = {.n = 60, .chosen = 4, .width = 1408, .shared = 5632, .router = ROUTER_SOFTMAX},
};
static const struct expert_keys experts_of_3 = {
	EXPERT_KEYS,
	.usual = {.n = 128, .chosen = 8, .width = 768, .router = ROUTER_SOFTMAX},
};

const struct family family_qwen[] = {
	{QWEN("qwen2", "Qwen 2", 32), .weights = weights_of_llama, .more = look_at_chunks},
	{QWEN("qwen2_moe", "Qwen 2 with experts", 16), .weights = weights_with_experts,
	 .experts = &experts_of_2, .more = look_at_chunks},
	{QWEN("qwen3", "Qwen 3", 32), .weights = weights_of_llama, .head_dim = 128,
	 .tensors = norms, .more = add_norm},
	{QWEN("qwen3_moe", "Qwen 3 with experts", 4), .head_dim = 128, .tensors = norms,
	 .weights = weights_with_experts, .experts = &experts_of_3, .more = add_norm},
	{0},
};
