/* gemma.c: Gemma 1 to 3: a scale of its own and a cap on logits; windows in every second layer, or
 * in all but every sixth, there with a base of their own that is never scaled. */
#include <math.h>

#include "family/reading.h"

/* z = q·k / √query_pre_attn_scalar, then c tanh(z/c). */
static void scale_and_cap(struct reading *r, double cap)
{
	struct known *const k = r->out;
	double scalar = 256;
	k->embed_factor = sqrt((double)k->d);
	read_number(r, "query_pre_attn_scalar", 1e-6, 1e9, &scalar);
	if (json_member(r->text, "attn_logit_softcapping"))
		cap = 0;
	read_number(r, "attn_logit_softcapping", 1e-3, 1e12, &cap);
	k->scale = 1 / sqrt(scalar);
	if (k->head_dim > 0 && fabs(scalar - (double)k->head_dim) > 0)
		leave_out(r, "a scale of 1/√%s for 1/√%ld", print_number(r->arena, scalar),
			  k->head_dim);
	if (cap > 0)
		strbuf_printf(&r->rules, "+softcap(cap=%s)", print_number(r->arena, cap));
}

static void more_of_2(struct reading *r)
{
	scale_and_cap(r, 50);
}

/* Both directions, as embedding models have: half of the window to each side. */
static void look_both_ways(struct reading *r)
{
	struct known *const k = r->out;
	k->causal = false;
	for (long i = 0; i < k->layers; i++)
		if (k->layer[i].kind == WINDOW_BEHIND) {
			k->layer[i].kind = WINDOW_SIDES;
			k->layer[i].window /= 2;
		}
}

static void more_of_3(struct reading *r)
{
	bool both = false;
	strbuf_printf(&r->before, "qk_norm(eps=%s)", print_number(r->arena, r->out->block.eps));
	scale_and_cap(r, 0);
	if (read_switch(r, "use_bidirectional_attention", &both) && both)
		look_both_ways(r);
}

#define GEMMA_BLOCK(order_)                                                           \
	.eps_keys = "rms_norm_eps", .act_keys = "hidden_activation", .head_dim = 256, \
	.block = {NORM_RMS_PLUS_ONE, order_, 1e-6, true, "gelu_pytorch_tanh"}

/* What multiplies is 1 + w. */
static const struct family_tensor norms[] = {
	{"qk_norm", "q_gain.%L", "layers.%L.self_attn.q_norm.weight",
	 .gguf = "blk.%L.attn_q_norm.weight", .minus_one = true},
	{"qk_norm", "k_gain.%L", "layers.%L.self_attn.k_norm.weight",
	 .gguf = "blk.%L.attn_k_norm.weight", .minus_one = true},
	{0},
};

#define ONE(what_, name_, gguf_)                      \
	{                                             \
		what_, name_, gguf_, .plus_one = true \
	}
#define GEMMA_WEIGHTS                                                                              \
	{HOLDS_WORDS, "embed_tokens", "token_embd"},                                               \
		{HOLDS_Q, "layers.%L.self_attn.q_proj", "blk.%L.attn_q"},                          \
		{HOLDS_K, "layers.%L.self_attn.k_proj", "blk.%L.attn_k"},                          \
		{HOLDS_V, "layers.%L.self_attn.v_proj", "blk.%L.attn_v"},                          \
		{HOLDS_O, "layers.%L.self_attn.o_proj", "blk.%L.attn_output"}, LLAMA_FEED_FORWARD, \
		ONE(HOLDS_FINAL_NORM, "norm", "output_norm"),                                      \
		ONE(HOLDS_NORM_1, "layers.%L.input_layernorm", "blk.%L.attn_norm")

static const struct family_weight weights_of_1[] = {
	GEMMA_WEIGHTS,
	ONE(HOLDS_NORM_2, "layers.%L.post_attention_layernorm", "blk.%L.ffn_norm"),
	{0}};
static const struct family_weight weights_of_2[] = {
	GEMMA_WEIGHTS,
	ONE(HOLDS_NORM_3, "layers.%L.post_attention_layernorm", "blk.%L.post_attention_norm"),
	ONE(HOLDS_NORM_2, "layers.%L.pre_feedforward_layernorm", "blk.%L.ffn_norm"),
	ONE(HOLDS_NORM_4, "layers.%L.post_feedforward_layernorm", "blk.%L.post_ffw_norm"),
	{0},
};

/* Token vectors are multiplied by √d. */
static void scale_vectors(struct reading *r)
{
	r->out->embed_factor = sqrt((double)r->out->d);
}

const struct family family_gemma[] = {
	{
		.types = "gemma",
		.title = "Gemma",
		.keys = GROUPED_KEYS,
		.kv_heads = 16,
		.positions = 8192,
		GEMMA_BLOCK(ORDER_PRE),
		.weights = weights_of_1,
		.more = scale_vectors,
		.base = 10000,
		.base_key = "rope_theta",
	},
	{
		.types = "gemma2",
		.title = "Gemma 2",
		.keys = GROUPED_KEYS,
		.kv_heads = 4,
		.positions = 8192,
		GEMMA_BLOCK(ORDER_SANDWICH),
		.weights = weights_of_2,
		.base = 10000,
		.base_key = "rope_theta",
		.layering = LAYERS_FIRST_OF_2,
		.window_key = "sliding_window",
		.window = 4096,
		.more = more_of_2,
	},
	{
		.types = "gemma3_text|gemma3",
		.title = "Gemma 3",
		.keys = GROUPED_KEYS,
		.d = 2304,
		.layers = 26,
		.heads = 8,
		.kv_heads = 4,
		.positions = 131072,
		GEMMA_BLOCK(ORDER_SANDWICH),
		.weights = weights_of_2,
		.base = 1000000,
		.base_key = "rope_theta",
		.local_base = 10000,
		.local_key = "rope_local_base_freq",
		.local_plain = true,
		.layering = LAYERS_PATTERN,
		.window_key = "sliding_window",
		.window = 4096,
		.every_key = "sliding_window_pattern|_sliding_window_pattern",
		.every = 6,
		.tensors = norms,
		.more = more_of_3,
	},
	{0},
};
