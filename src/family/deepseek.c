/* deepseek.c: DeepSeek V2 and V3: latent attention with a rotated part beside the content. */
#include <math.h>
#include <string.h>

#include "family/reading.h"

/* Returns μ(m) of a rule with YaRN. */
static double warm(const struct rotation_rule *rule, double m)
{
	return rule->type == ROPE_TYPE_YARN ? 0.1 * m * log(rule->factor) + 1 : 1;
}

/* Returns the mscale with which cosines and sines are multiplied as the library does: by
 * attention_factor, by the ratio of both mscales, or by μ(1). */
static double mscale_of(struct reading *r)
{
	const struct rotation_rule *const rule = &r->out->rotations[0];
	const bool both = rule->mscale > 0 && rule->mscale_all_dim > 0;
	if (rule->attention_factor <= 0 && both)
		return rule->mscale;
	const double by = rule->attention_factor > 0 ? rule->attention_factor : warm(rule, 1);
	const double m = (by * warm(rule, rule->mscale_all_dim) - 1) / (0.1 * log(rule->factor));
	if (m >= 0 && m <= 100)
		return m;
	leave_out(r, "the attention factor");
	return 0;
}

static void add_yarn(struct reading *r)
{
	const struct rotation_rule *const rule = &r->out->rotations[0];
	if (rule->type == ROPE_TYPE_DEFAULT || r->unknown)
		return;
	if (rule->type != ROPE_TYPE_YARN) {
		say_unknown(r, key_path(r, "rope_scaling"), "\"rope_type\": \"yarn\"",
			    "latent attention is drawn with yarn or without scaling here, not with "
			    "%s",
			    rope_type_names[rule->type]);
		return;
	}
	strbuf_printf(&r->before, ",factor=%s,original=%s,beta_fast=%s,beta_slow=%s",
		      print_number(r->arena, rule->factor), print_number(r->arena, rule->original),
		      print_number(r->arena, rule->beta_fast),
		      print_number(r->arena, rule->beta_slow));
	if (rule->factor > 1)
		strbuf_printf(&r->before, ",mscale=%s,mscale_all_dim=%s",
			      print_number(r->arena, mscale_of(r)),
			      print_number(r->arena, rule->mscale_all_dim));
	if (!rule->truncate)
		strbuf_add(&r->before, ",truncate=off");
}

static bool is_second(const struct known *k)
{
	return strcmp(k->model_type, "deepseek_v2") == 0;
}

/* V2 chooses groups of experts only by this method. */
static bool limits_groups(struct reading *r)
{
	const char *method = "greedy";
	read_word(r, "topk_method", &method);
	return strcmp(method, "group_limited_greedy") == 0;
}

static void more(struct reading *r)
{
	struct known *const k = r->out;
	const struct rotation_rule *const rule = &k->rotations[0];
	const long rotated = k->head_dim;
	long content = 128, value = 128, q_rank = 1536, kv_rank = 512;
	bool neighbours = true, biases = false, normed = false;
	read_long(r, "qk_nope_head_dim", 0, MODEL_MAX_WIDTH, &content);
	read_long(r, "v_head_dim", 1, MODEL_MAX_WIDTH, &value);
	read_long(r, "kv_lora_rank", 1, 16384, &kv_rank);
	if (json_member(r->text, "q_lora_rank"))
		q_rank = 0;
	read_long(r, "q_lora_rank", 1, 16384, &q_rank);
	read_switch(r, "rope_interleave", &neighbours);
	if (read_switch(r, "attention_bias", &biases) && biases)
		leave_layers(r, "biases of its latent vectors are not read");
	if (is_second(k) && read_switch(r, "norm_topk_prob", &normed) && normed)
		leave_layers(r, "programs differ in what norm_topk_prob does to its experts");
	if (is_second(k) && !limits_groups(r))
		k->experts.groups = k->experts.groups_chosen = 0;
	k->head_dim = content + rotated;
	k->value_dim = value;
	k->kv_heads = k->heads;
	const double mu = warm(rule, rule->mscale_all_dim);
	k->scale = mu * mu / sqrt((double)k->head_dim);
	strbuf_printf(&r->before, "mla(rope=%ld,q_rank=%ld,kv_rank=%ld,base=%s", rotated, q_rank,
		      kv_rank, print_number(r->arena, rule->base));
	if (!neighbours)
		strbuf_add(&r->before, ",layout=half");
	add_yarn(r);
	strbuf_add(&r->before, ")+causal");
	r->whole = true;
	if (mu > 1 && is_second(k))
		say_unusual(
			r, key_path(r, "rope_scaling.mscale_all_dim"), NULL,
			"logits are multiplied by %s squared by the authors' code and here; the "
			"library leaves that out for V2",
			print_number(r->arena, mu));
}

static const struct family_tensor latents[] = {
	{"mla", "w_dq.%L", "layers.%L.self_attn.q_a_proj.weight", .gguf = "blk.%L.attn_q_a.weight",
	 .turned = true},
	{"mla", "q_norm.%L", "layers.%L.self_attn.q_a_layernorm.weight",
	 .gguf = "blk.%L.attn_q_a_norm.weight"},
	{"mla", "w_uq.%L", "layers.%L.self_attn.q_b_proj.weight", .gguf = "blk.%L.attn_q_b.weight",
	 .turned = true},
	{"mla", "w_uq.%L", "layers.%L.self_attn.q_proj.weight", .gguf = "blk.%L.attn_q.weight",
	 .turned = true},
	{"mla", "w_dkv.%L", "layers.%L.self_attn.kv_a_proj_with_mqa.weight",
	 .gguf = "blk.%L.attn_kv_a_mqa.weight", .turned = true},
	{"mla", "kv_norm.%L", "layers.%L.self_attn.kv_a_layernorm.weight",
	 .gguf = "blk.%L.attn_kv_a_norm.weight"},
	{"mla", "w_ukv.%L", "layers.%L.self_attn.kv_b_proj.weight",
	 .gguf = "blk.%L.attn_kv_b.weight", .turned = true},
	{"mla", "w_ukv.%L", NULL, .gguf = "blk.%L.attn_k_b.weight",
	 .values = "blk.%L.attn_v_b.weight"},
	{0},
};

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "embed_tokens", "token_embd"},
	{HOLDS_O, "layers.%L.self_attn.o_proj", "blk.%L.attn_output"},
	{HOLDS_NORM_1, "layers.%L.input_layernorm", "blk.%L.attn_norm"},
	{HOLDS_NORM_2, "layers.%L.post_attention_layernorm", "blk.%L.ffn_norm"},
	{HOLDS_FINAL_NORM, "norm", "output_norm"},
	LLAMA_FEED_FORWARD,
	EXPERTS_OF_ONE,
	SHARED_EXPERT("mlp.shared_experts"),
	{HOLDS_ROUTER_SHIFT, "layers.%L.mlp.gate.e_score_correction_bias",
	 "blk.%L.exp_probs_b.bias", .bare = true, .optional = true},
	{0},
};

#define EXPERT_KEYS                                                                              \
	.n = "n_routed_experts", .chosen = "num_experts_per_tok",                                \
	.width = "moe_intermediate_size", .shared = "n_shared_experts", .shared_by_width = true, \
	.scaling = "routed_scaling_factor", .groups = "n_group", .groups_chosen = "topk_group"

static const struct expert_keys experts_of_3 = {
	EXPERT_KEYS,
	.normed = "norm_topk_prob",
	.usual = {.n = 256,
		  .chosen = 8,
		  .width = 2048,
		  .shared = 1,
		  .groups = 8,
		  .groups_chosen = 4,
		  .by_two = true,
		  .normed = true,
		  .scaling = 2.5,
		  .router = ROUTER_SIGMOID},
};
static const struct expert_keys experts_of_2 = {
	EXPERT_KEYS,
	.usual = {.n = 64,
		  .chosen = 6,
		  .width = 1407,
		  .shared = 2,
		  .scaling = 1,
		  .router = ROUTER_SOFTMAX},
};

#define DEEPSEEK(types_, title_, positions_)                                                    \
	.types = types_, .title = title_, .keys = {USUAL_KEYS, .head_dim = "qk_rope_head_dim"}, \
	.head_dim = 64, .positions = positions_, LLAMA_BLOCK(1e-6), .base = 10000,              \
	.base_key = "rope_theta", .tensors = latents, .weights = weights, .more = more

const struct family family_deepseek[] = {
	{DEEPSEEK("deepseek_v3", "DeepSeek V3", 4096), .experts = &experts_of_3},
	{DEEPSEEK("deepseek_v2", "DeepSeek V2", 2048), .experts = &experts_of_2},
	{0},
};
