/* deberta.c: DeBERTa 2 and 3: vectors of distances, in buckets, that meet contents. */
#include <math.h>
#include <string.h>

#include "family/reading.h"

struct terms {
	bool c2p, p2c;
};

static void take_word(struct reading *r, struct terms *t, const char *word, size_t len)
{
	const bool known = len == 3 && (memcmp(word, "c2p", 3) == 0 || memcmp(word, "p2c", 3) == 0);
	if (known)
		*(word[0] == 'c' ? &t->c2p : &t->p2c) = true;
	else if (len > 0)
		say_wrong(r, key_path(r, "pos_att_type"), "\"pos_att_type\": \"p2c|c2p\"",
			  "c2p and p2c are what it may name, and another word has no effect");
}

/* A list, or a text with bars. */
static struct terms read_terms(struct reading *r)
{
	struct terms t = {false, false};
	const struct json_value *const v = key_find(r->text, "pos_att_type", NULL);
	for (size_t i = 0; v && v->kind == JSON_VALUE_ARRAY && i < v->count; i++)
		if (v->as.items[i].kind == JSON_VALUE_STRING)
			take_word(r, &t, v->as.items[i].as.string,
				  strlen(v->as.items[i].as.string));
	if (v && v->kind == JSON_VALUE_STRING)
		for (const char *at = v->as.string; *at; at += *at == '|') {
			const size_t len = strcspn(at, "|");
			take_word(r, &t, at, len);
			at += len;
		}
	return t;
}

static void add_relative(struct reading *r)
{
	struct known *const k = r->out;
	long buckets = -1, most = -1, positions = k->declared > 0 ? k->declared : 512;
	bool share = false;
	const char *norm = "none";
	const struct terms t = read_terms(r);
	read_long(r, "position_buckets", -1, 4096, &buckets);
	read_long(r, "max_relative_positions", -1, 65536, &most);
	read_switch(r, "share_att_key", &share);
	read_word(r, "norm_rel_ebd", &norm);
	most = most < 1 ? positions : most;
	strbuf_printf(&r->before, "%sdeberta(%s=%ld", r->before.len ? "+" : "",
		      buckets > 0 ? "buckets" : "max_relative", buckets > 0 ? buckets : most);
	if (buckets > 0)
		strbuf_printf(&r->before, ",max_position=%ld", most);
	strbuf_printf(&r->before, ",c2p=%s,p2c=%s,p2c_index=code,share=%s,norm=%s)",
		      t.c2p ? "on" : "off", t.p2c ? "on" : "off", share ? "on" : "off",
		      strstr(norm, "layer_norm") ? "on" : "off");
	k->scale = 1 / sqrt((double)(k->head_dim * (1 + t.c2p + t.p2c)));
}

static void more(struct reading *r)
{
	bool relative = false, biased = true;
	long convolution = 0;
	read_switch(r, "relative_attention", &relative);
	read_switch(r, "position_biased_input", &biased);
	if (biased)
		strbuf_add(&r->before, "learned");
	if (relative)
		add_relative(r);
	if (!biased && !relative)
		strbuf_add(&r->before, "none");
	r->whole = true;
	if (read_long(r, "conv_kernel_size", 0, 1000, &convolution) && convolution > 0) {
		leave_out(r, "a convolution behind the first layer");
		leave_layers(r, "the convolution behind its first layer is left out");
	}
}

static const struct family_tensor tensors[] = {
	{"learned", "p", "embeddings.position_embeddings.weight", .table = true},
	{"deberta", "rel_embeddings", "encoder.rel_embeddings.weight"},
	{"deberta", "ln_weight", "encoder.LayerNorm.weight"},
	{"deberta", "ln_bias", "encoder.LayerNorm.bias"},
	{0},
};

static const struct family_weight weights[] = {
	{HOLDS_WORDS, "embeddings.word_embeddings"},
	{HOLDS_SEGMENTS, "embeddings.token_type_embeddings", .optional = true},
	{HOLDS_EMBED_NORM, "embeddings.LayerNorm"},
	{HOLDS_Q, "encoder.layer.%L.attention.self.query_proj"},
	{HOLDS_K, "encoder.layer.%L.attention.self.key_proj"},
	{HOLDS_V, "encoder.layer.%L.attention.self.value_proj"},
	{HOLDS_O, "encoder.layer.%L.attention.output.dense"},
	{HOLDS_NORM_1, "encoder.layer.%L.attention.output.LayerNorm"},
	{HOLDS_UP, "encoder.layer.%L.intermediate.dense"},
	{HOLDS_DOWN, "encoder.layer.%L.output.dense"},
	{HOLDS_NORM_2, "encoder.layer.%L.output.LayerNorm"},
	{0},
};

const struct family family_deberta[] = {
	{
		.types = "deberta-v2",
		.title = "DeBERTa 2 and 3",
		.keys = {USUAL_KEYS},
		.positions = 512,
		.eps_keys = "layer_norm_eps",
		.act_keys = "hidden_act",
		.block = {NORM_LAYER, ORDER_POST, 1e-7, false, "gelu"},
		.encoder = true,
		.tensors = tensors,
		.weights = weights,
		.more = more,
	},
	{0},
};
