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

const struct family family_neox[] = {
	{
		.types = "gpt_neox",
		.title = "GPT-NeoX",
		.keys = {USUAL_KEYS},
		.positions = 2048,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_PARALLEL, 1e-5, false, "gelu"},
		.base = 10000,
		.base_key = "rotary_emb_base|rope_theta",
		.partial = 0.25,
		.partial_key = "rotary_pct|partial_rotary_factor",
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
		.more = part_of_j,
	},
	{0},
};
