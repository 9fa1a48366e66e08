/* neox.c: GPT-NeoX and GPT-J, which rotate a part of each head. */
#include "family/reading.h"

/* rotary_dim columns rotate; null: all of them. */
static void part_of_j(struct reading *r)
{
	struct known *const k = r->out;
	long columns = json_member(r->text, "rotary_dim") ? k->head_dim : 64;
	read_long(r, "rotary_dim", 1, MODEL_MAX_WIDTH, &columns);
	if (columns > k->head_dim || columns % 2 != 0) {
		say_unknown(r, key_path(r, "rotary_dim"),
			    arena_printf(r->arena, "\"rotary_dim\": %ld", k->head_dim / 2 * 2),
			    "%ld; an even number of the %ld columns of a head would be right",
			    columns, k->head_dim);
		return;
	}
	k->rotations[0].partial = (double)columns / (double)k->head_dim;
}

static const struct family_weight weights_of_neox[] = {
	{HOLDS_WORDS, "embed_in"},
	{HOLDS_NORM_1, "layers.%L.input_layernorm"},
	{HOLDS_QKV_GROUPS, "layers.%L.attention.query_key_value"},
	{HOLDS_O, "layers.%L.attention.dense"},
	{HOLDS_NORM_2, "layers.%L.post_attention_layernorm"},
	{HOLDS_UP, "layers.%L.mlp.dense_h_to_4h"},
	{HOLDS_DOWN, "layers.%L.mlp.dense_4h_to_h"},
	{HOLDS_FINAL_NORM, "final_layer_norm"},
	{0},
};

static const struct family_weight weights_of_j[] = {
	{HOLDS_WORDS, "wte"},	       {HOLDS_NORM_1, "h.%L.ln_1"},
	{HOLDS_Q, "h.%L.attn.q_proj"}, {HOLDS_K, "h.%L.attn.k_proj"},
	{HOLDS_V, "h.%L.attn.v_proj"}, {HOLDS_O, "h.%L.attn.out_proj"},
	{HOLDS_UP, "h.%L.mlp.fc_in"},  {HOLDS_DOWN, "h.%L.mlp.fc_out"},
	{HOLDS_FINAL_NORM, "ln_f"},    {0},
};

static void serial_of_neox(struct reading *r)
{
	bool parallel = true;
	read_switch(r, "use_parallel_residual", &parallel);
	if (!parallel)
		r->out->block.order = ORDER_PRE;
}

const struct family family_neox[] = {
	{
		.types = "gpt_neox",
		.title = "GPT-NeoX",
		.keys = {USUAL_KEYS},
		.positions = 2048,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_PARALLEL, 1e-5, false, "gelu", .apart = true},
		.base = 10000,
		.base_key = "rotary_emb_base|rope_theta",
		.partial = 0.25,
		.partial_key = "rotary_pct|partial_rotary_factor",
		.weights = weights_of_neox,
		.more = serial_of_neox,
	},
	{
		.types = "gptj",
		.title = "GPT-J",
		.keys = {.d = "n_embd|hidden_size",
			 .layers = "n_layer|num_hidden_layers",
			 .heads = "n_head|num_attention_heads",
			 .ff = "n_inner",
			 .positions = "n_positions|max_position_embeddings"},
		.positions = 2048,
		.eps_keys = "layer_norm_epsilon",
		.act_keys = "activation_function",
		.block = {NORM_LAYER, ORDER_PARALLEL, 1e-5, false, "gelu_new"},
		.base = 10000,
		.neighbours = true,
		.scales_nothing = true,
		.weights = weights_of_j,
		.more = part_of_j,
	},
	{0},
};
