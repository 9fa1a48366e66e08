/* falcon.c: Falcon: rotation of whole heads, or ALiBi that is divided like the products. */
#include "family/reading.h"

static void read_groups(struct reading *r)
{
	struct known *const k = r->out;
	bool multi = true, newer = false;
	read_switch(r, "multi_query", &multi);
	read_switch(r, "new_decoder_architecture", &newer);
	k->kv_heads = newer ? k->heads : multi ? 1 : k->heads;
	if (newer)
		read_long(r, "num_kv_heads", 1, MODEL_MAX_HEADS, &k->kv_heads);
	if (k->heads > 0 && k->heads % k->kv_heads != 0) {
		say_unknown(r, key_path(r, "num_kv_heads"), NULL,
			    "%ld heads of keys do not divide %ld heads of queries", k->kv_heads,
			    k->heads);
		k->kv_heads = k->heads;
	}
}

static void more(struct reading *r)
{
	struct known *const k = r->out;
	bool alibi = false, parallel = true;
	read_groups(r);
	read_switch(r, "alibi", &alibi);
	if (read_switch(r, "parallel_attn", &parallel) && !parallel)
		k->block.order = ORDER_PRE;
	if (!alibi)
		return;
	k->n_rotations = 0;
	for (long i = 0; i < k->layers; i++)
		k->layer[i].rotation = -1;
	strbuf_printf(&r->before, "alibi(factor=%s)", print_number(r->arena, k->scale));
	r->whole = true;
	say_unusual(r, key_path(r, "alibi"), NULL,
		    "the library rounds slopes, and slopes times positions, to bfloat16; they are "
		    "exact here");
}

const struct family family_falcon[] = {
	{
		.types = "falcon",
		.title = "Falcon",
		.keys = {.d = "hidden_size",
			 .layers = "num_hidden_layers|n_layer",
			 .heads = "num_attention_heads|n_head",
			 .ff = "ffn_hidden_size",
			 .positions = "max_position_embeddings"},
		.positions = 2048,
		.eps_keys = "layer_norm_epsilon",
		.act_keys = "activation",
		.block = {NORM_LAYER, ORDER_PARALLEL, 1e-5, false, "gelu"},
		.base = 10000,
		.base_key = "rope_theta",
		.more = more,
	},
	{0},
};
