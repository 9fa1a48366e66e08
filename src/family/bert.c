/* bert.c: encoders with a learned vector for each position, and their relatives. */
#include <string.h>

#include "family/reading.h"
#include "posviz/scheme/called.h"

/* position_embedding_type; the words are names of the list of schemes as well. */
static void add_positions(struct reading *r)
{
	const char *type = "absolute";
	bool decodes = false;
	read_word(r, "position_embedding_type", &type);
	const bool relative =
		strcmp(type, "relative_key") == 0 || strcmp(type, "relative_key_query") == 0;
	const struct scheme_call *const call =
		strcmp(type, "relative_key") == 0 ? scheme_called(type) : NULL;
	if (!relative && strcmp(type, "absolute") != 0)
		say_unknown(r, key_path(r, "position_embedding_type"),
			    "\"position_embedding_type\": \"absolute\"",
			    "\"%s\" is no type that the library knows; known are absolute, "
			    "relative_key and relative_key_query",
			    type);
	strbuf_add(&r->before, call ? call->expression : relative ? "huang4" : "learned");
	if (read_switch(r, "is_decoder", &decodes) && decodes) {
		r->out->causal = true;
		strbuf_add(&r->before, "+causal");
	}
	r->whole = true;
}

/* The tables may be narrower than the layers. */
static void read_embedding(struct reading *r, long usual)
{
	struct known *const k = r->out;
	long width = usual;
	read_long(r, "embedding_size", 1, MODEL_MAX_WIDTH, &width);
	k->embed_width = width == k->d ? 0 : width;
}

static void with_segments(struct reading *r)
{
	long types = 2;
	add_positions(r);
	read_long(r, "type_vocab_size", 0, 1000000, &types);
	if (types > 1)
		leave_out(r, "vectors of segments");
}

/* The first rows of the table are of padding: positions are counted behind them. */
static void behind_padding(struct reading *r)
{
	struct known *const k = r->out;
	long pad = 1;
	add_positions(r);
	read_long(r, "pad_token_id", 0, 1000000, &pad);
	k->first_row = pad + 1;
	if (k->declared > pad + 1)
		k->declared = k->trained = k->declared - pad - 1;
}

static void of_electra(struct reading *r)
{
	with_segments(r);
	read_embedding(r, 128);
}

/* ALBERT: its layers share one set of weights. */
static void of_albert(struct reading *r)
{
	long groups = 1, inner = 1;
	with_segments(r);
	read_embedding(r, 128);
	read_long(r, "num_hidden_groups", 1, MODEL_MAX_LAYERS, &groups);
	read_long(r, "inner_group_num", 1, MODEL_MAX_LAYERS, &inner);
	if (groups > 1 || inner > 1)
		leave_layers(r, "several groups of shared layers are not read");
}

static void plain(struct reading *r)
{
	strbuf_add(&r->before, "learned");
	r->whole = true;
}

static const struct family_tensor tensors[] = {
	{"learned", "p", "embeddings.position_embeddings.weight", .table = true},
	{0},
};

#define ENCODER(eps_, act_)                                                             \
	.keys = {USUAL_KEYS}, .positions = 512, .eps_keys = "layer_norm_eps",           \
	.act_keys = "hidden_act", .block = {NORM_LAYER, ORDER_POST, eps_, false, act_}, \
	.tensors = tensors, .encoder = true

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

#define SHARED_LAYER "encoder.albert_layer_groups.0.albert_layers.0."
static const struct family_weight weights_of_albert[] = {
	{HOLDS_WORDS, "embeddings.word_embeddings"},
	{HOLDS_SEGMENTS, "embeddings.token_type_embeddings", .optional = true},
	{HOLDS_EMBED_NORM, "embeddings.LayerNorm"},
	{HOLDS_PROJECTION, "encoder.embedding_hidden_mapping_in"},
	{HOLDS_Q, SHARED_LAYER "attention.query"},
	{HOLDS_K, SHARED_LAYER "attention.key"},
	{HOLDS_V, SHARED_LAYER "attention.value"},
	{HOLDS_O, SHARED_LAYER "attention.dense"},
	{HOLDS_NORM_1, SHARED_LAYER "attention.LayerNorm"},
	{HOLDS_UP, SHARED_LAYER "ffn"},
	{HOLDS_DOWN, SHARED_LAYER "ffn_output"},
	{HOLDS_NORM_2, SHARED_LAYER "full_layer_layer_norm"},
	{0},
};

static const struct family_weight weights_of_distilbert[] = {
	{HOLDS_WORDS, "embeddings.word_embeddings"},
	{HOLDS_EMBED_NORM, "embeddings.LayerNorm"},
	{HOLDS_Q, "transformer.layer.%L.attention.q_lin"},
	{HOLDS_K, "transformer.layer.%L.attention.k_lin"},
	{HOLDS_V, "transformer.layer.%L.attention.v_lin"},
	{HOLDS_O, "transformer.layer.%L.attention.out_lin"},
	{HOLDS_NORM_1, "transformer.layer.%L.sa_layer_norm"},
	{HOLDS_UP, "transformer.layer.%L.ffn.lin1"},
	{HOLDS_DOWN, "transformer.layer.%L.ffn.lin2"},
	{HOLDS_NORM_2, "transformer.layer.%L.output_layer_norm"},
	{0},
};

const struct family family_bert[] = {
	{.types = "bert",
	 .title = "BERT",
	 ENCODER(1e-12, "gelu"),
	 .more = with_segments,
	 .weights = weights},
	{.types = "electra",
	 .title = "ELECTRA",
	 ENCODER(1e-12, "gelu"),
	 .more = of_electra,
	 .weights = weights},
	{.types = "albert",
	 .title = "ALBERT",
	 ENCODER(1e-12, "gelu_new"),
	 .more = of_albert,
	 .weights = weights_of_albert},
	{.types = "roberta|xlm-roberta|camembert",
	 .title = "RoBERTa",
	 ENCODER(1e-12, "gelu"),
	 .weights = weights,
	 .more = behind_padding},
	{
		.types = "distilbert",
		.title = "DistilBERT",
		.keys = {.d = "dim|hidden_size",
			 .layers = "n_layers|num_hidden_layers",
			 .heads = "n_heads|num_attention_heads",
			 .ff = "hidden_dim",
			 .positions = "max_position_embeddings"},
		.positions = 512,
		.act_keys = "activation",
		.block = {NORM_LAYER, ORDER_POST, 1e-12, false, "gelu"},
		.tensors = tensors,
		.encoder = true,
		.weights = weights_of_distilbert,
		.more = plain,
	},
	{0},
};
