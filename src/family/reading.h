/* reading.h: the keys of a configuration as the families read them, and the rows of families.
 *
 * A reader says what it wanted, and what is not as it should be becomes a remark; it never stops:
 * whatever the file holds, each number has a value that makes sense. */
#ifndef FAMILY_READING_H
#define FAMILY_READING_H

#include "posviz/base/strbuf.h"
#include "posviz/family/family.h"
#include "posviz/format/json_read.h"

/* Names of keys, separated by "|"; the first that the file has counts. NULL: the family has no such
 * key. */
struct size_keys {
	const char *d, *layers, *heads, *kv_heads, *head_dim, *ff, *positions;
};

/* The keys of most families, and those without head_dim or num_key_value_heads. */
#define USUAL_KEYS                                                                         \
	.d = "hidden_size", .layers = "num_hidden_layers", .heads = "num_attention_heads", \
	.ff = "intermediate_size", .positions = "max_position_embeddings"
#define GROUPED_KEYS                                                                  \
	{                                                                             \
		USUAL_KEYS, .kv_heads = "num_key_value_heads", .head_dim = "head_dim" \
	}
/* Llama's block: RMS norms before attention and gated feed-forward. */
#define LLAMA_BLOCK(eps_)                                     \
	.eps_keys = "rms_norm_eps", .act_keys = "hidden_act", \
	.block = {NORM_RMS, ORDER_PRE, eps_, true, "silu"}

/* How layers differ where layer_types does not say it. */
enum layering {
	LAYERS_ALIKE,
	LAYERS_WINDOW,	     /* all have the window, if a number is given */
	LAYERS_FIRST_OF_2,   /* layers 0, 2, 4 … have it */
	LAYERS_PATTERN,	     /* all but each `every`-th */
	LAYERS_GLOBAL_FIRST, /* all but 0, every, 2 every … */
	LAYERS_BEYOND	     /* with use_sliding_window, from max_window_layers on */
};

/* A learned parameter of positions in the files of a model; in both names %L is the layer, from 0. */
struct family_tensor {
	const char *scheme; /* that learns it */
	/* The name of the leaf, as params has it: "sinks.%L". "*": `tensor` is the beginning of names, and behind it each has
	 * the name of a leaf. */
	const char *leaf;
	const char *tensor; /* behind a prefix, which files have or not; NULL: only GGUF has it */
	const char *gguf;   /* its whole name in GGUF; NULL: no converter is known */
	const char *
		values; /* in GGUF, of a leaf that is there in two parts: the name of the other; or NULL */
	bool table;	/* its rows are positions, and as wide as the model */
	bool minus_one; /* the file, unless it is GGUF, holds the number minus 1 */
	bool turned;	/* the file holds [out, in] */
};

/* A tensor holds the weights of a product, and a second one their bias; or of several; or a norm. In
 * a tensor of several, rows are q | k | v of all heads (PARTS), or for each head of keys its queries, key and
 * value (GROUPS); GATE_UP: gate | up. */
enum held {
	HOLDS_Q,
	HOLDS_K,
	HOLDS_V,
	HOLDS_QKV_PARTS,
	HOLDS_QKV_GROUPS,
	HOLDS_O,
	HOLDS_GATE,
	HOLDS_UP,
	HOLDS_GATE_UP,
	HOLDS_DOWN,
	HOLDS_CROSS_Q, /* of the attention to a source */
	HOLDS_CROSS_K,
	HOLDS_CROSS_V,
	HOLDS_CROSS_O,
	HOLDS_CROSS_NORM,
	HOLDS_ROUTER,
	HOLDS_ROUTER_SHIFT,
	HOLDS_EXPERT_GATE, /* of one expert, if the name has %E; else of all experts one after the other */
	HOLDS_EXPERT_UP,
	HOLDS_EXPERT_GATE_UP,
	HOLDS_EXPERT_DOWN,
	HOLDS_SHARED_GATE,
	HOLDS_SHARED_UP,
	HOLDS_SHARED_DOWN,
	HOLDS_SHARED_SWITCH,
	HOLDS_NORM_1, /* as LN1_WEIGHT and so on */
	HOLDS_NORM_2,
	HOLDS_NORM_3,
	HOLDS_NORM_4,
	HOLDS_EMBED_NORM,
	HOLDS_FINAL_NORM,
	HOLDS_WORDS, /* the whole name of a table: rows of words, of segments */
	HOLDS_SEGMENTS,
	HOLDS_PROJECTION /* of token vectors to the width of the model, behind their norm */
};

/* Names behind a prefix, without ".weight" or ".bias", %L for the layer, %E for the expert. */
struct family_weight {
	enum held what;
	const char *name, *gguf;
	bool in_out;	 /* stored [in, out]; GGUF never is */
	bool plus_one;	 /* of norms: the number minus 1 is stored; not in GGUF */
	bool optional;	 /* files may lack it: two rows of one kind, of which one is there */
	bool by_head;	 /* the last two of three sizes are together those of all heads */
	bool bare;	 /* the name is whole; that of the bias ends with "_bias" */
	bool alternates; /* outputs of gate and up take turns */
};

/* The keys of a mixture of experts, NULL: the family has no such key; and what they are when the file
 * gives none. */
struct expert_keys {
	const char *n, *chosen, *width, *shared, *groups, *groups_chosen;
	const char *normed, *scaling, *limit;
	bool shared_by_width; /* `shared` counts experts */
	struct experts usual;
};

struct reading;

struct family {
	const char *types; /* of model_type, separated by "|" */
	const char *title;
	struct size_keys keys;
	/* Of the text model inside one with pictures, when the file gives none: width, layers and heads
	 * of the library's class; 0: it must give them. */
	long d, layers, heads;
	/* When the file gives none: the width of a head, 0: d / heads; heads of keys and values, 0:
	 * heads. */
	long head_dim, kv_heads;
	long positions; /* of training when the file gives none; 0: not known */
	const char *eps_keys, *act_keys;
	struct block_rule block; /* eps and activation when the file gives none */
	bool encoder;		 /* no causal mask */
	/* Of families that rotate. */
	double base;	   /* 0: no rotation of the common kind */
	double partial;	   /* 0: the whole head, whatever the file says */
	double local_base; /* of layers with a window; 0: that of the others */
	const char *base_key, *partial_key, *local_key; /* of the top level */
	bool neighbours;				/* pairs are 2i and 2i + 1 */
	bool scales_nothing;				/* no release reads rope_scaling */
	bool local_plain; /* scaling acts on layers without a window alone */
	/* Windows. */
	enum layering layering;
	const char *window_key, *every_key;
	long window, every;		     /* when the file gives none; 0: none */
	const struct family_tensor *tensors; /* ends with leaf NULL; NULL: nothing is learned */
	const struct family_weight *weights; /* ends with name NULL; NULL: they are not read */
	const struct expert_keys *experts;   /* NULL: it has none */
	bool reads_source;		     /* it is such a decoder */
	const struct family
		*decoder; /* the row of the decoder beside this encoder; NULL: none is known */
	/* Writes members of the expression besides rotation, window and mask, and changes what was
	 * read; or all of it, and sets `whole`. NULL: nothing. */
	void (*more)(struct reading *r);
	const char *left_out;
};

/* What a file other than config.json says beside the keys. */
struct aside {
	bool neighbours;	     /* pairs are neighbours, whatever the family has */
	double columns;		     /* of a head that rotate; 0: as the keys say */
	struct number_list divisors; /* of the frequencies; n 0: none */
	bool decoder;		     /* what is wanted is the decoder beside an encoder */
};

struct reading {
	struct arena *arena;
	const struct aside *aside; /* or NULL */
	const struct family *family;
	const struct json_value *top, *text; /* text: the object with the keys of the text model */
	const char *inside;		     /* "text_config.", or "" */
	struct known *out;
	struct remark *remarks;
	size_t cap;
	bool unknown;		      /* something without which the positions are not known */
	bool whole;		      /* `before` is the whole expression */
	struct strbuf before, behind; /* members before the rotation, and behind it: "qk_norm+" */
	struct strbuf rules;	      /* behind the windows: "+softcap(cap=50)" */
};

/* The names of Llama's weights, which many have. */
#define LLAMA_ATTENTION                                                        \
	{HOLDS_WORDS, "embed_tokens", "token_embd"},                           \
		{HOLDS_Q, "layers.%L.self_attn.q_proj", "blk.%L.attn_q"},      \
		{HOLDS_K, "layers.%L.self_attn.k_proj", "blk.%L.attn_k"},      \
		{HOLDS_V, "layers.%L.self_attn.v_proj", "blk.%L.attn_v"},      \
		{HOLDS_O, "layers.%L.self_attn.o_proj", "blk.%L.attn_output"}, \
	{                                                                      \
		HOLDS_FINAL_NORM, "norm", "output_norm"                        \
	}
#define LLAMA_WEIGHTS                                                                     \
	LLAMA_ATTENTION, {HOLDS_NORM_1, "layers.%L.input_layernorm", "blk.%L.attn_norm"}, \
	{                                                                                 \
		HOLDS_NORM_2, "layers.%L.post_attention_layernorm", "blk.%L.ffn_norm"     \
	}
#define LLAMA_FEED_FORWARD                                               \
	{HOLDS_GATE, "layers.%L.mlp.gate_proj", "blk.%L.ffn_gate"},      \
		{HOLDS_UP, "layers.%L.mlp.up_proj", "blk.%L.ffn_up"},    \
	{                                                                \
		HOLDS_DOWN, "layers.%L.mlp.down_proj", "blk.%L.ffn_down" \
	}
/* Experts and the one that all tokens have, as Qwen and DeepSeek name them. */
#define EXPERTS_OF_ONE                                                                            \
	{HOLDS_ROUTER, "layers.%L.mlp.gate", "blk.%L.ffn_gate_inp", .optional = true},            \
		{HOLDS_EXPERT_GATE, "layers.%L.mlp.experts.%E.gate_proj", "blk.%L.ffn_gate_exps", \
		 .optional = true},                                                               \
		{HOLDS_EXPERT_UP, "layers.%L.mlp.experts.%E.up_proj", "blk.%L.ffn_up_exps",       \
		 .optional = true},                                                               \
	{                                                                                         \
		HOLDS_EXPERT_DOWN, "layers.%L.mlp.experts.%E.down_proj", "blk.%L.ffn_down_exps",  \
			.optional = true                                                          \
	}
#define SHARED_EXPERT(name)                                                                 \
	{HOLDS_SHARED_GATE, "layers.%L." name ".gate_proj", "blk.%L.ffn_gate_shexp",        \
	 .optional = true},                                                                 \
		{HOLDS_SHARED_UP, "layers.%L." name ".up_proj", "blk.%L.ffn_up_shexp",      \
		 .optional = true},                                                         \
	{                                                                                   \
		HOLDS_SHARED_DOWN, "layers.%L." name ".down_proj", "blk.%L.ffn_down_shexp", \
			.optional = true                                                    \
	}
extern const struct family_weight weights_of_llama[];

extern const struct family
	*const families[]; /* ends with NULL; each an array that ends with types == NULL */
const struct family *family_of(const char *model_type);

/* tensors.c: the tensor of a name, behind the shortest prefix that it has in the file; NULL: none.
 * A text with the number of a layer for its %L; and with another number for another mark. */
const struct tensor_entry *family_find_tensor(const struct tensor_file *f, const char *wanted);
const char *family_of_layer(const char *text, long layer, struct arena *a);
const char *family_numbered(const char *text, const char *mark, long number, struct arena *a);

/* Works like family_know; `aside` may be NULL. */
bool know_text(const char *name, const char *text, size_t len, const struct aside *aside,
	       struct arena *a, struct known *out, struct err *err);
/* gguf.c. Tells what is known of a GGUF file. */
struct tensor_file;
bool gguf_know(const char *name, const struct tensor_file *file, struct arena *a, struct known *out,
	       struct err *err);

/* ---- remarks --------------------------------------------------------------------------------- */

void say_wrong(struct reading *r, const char *key, const char *right, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void say_unusual(struct reading *r, const char *key, const char *right, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds a wrong remark after which the positions are not known. */
void say_unknown(struct reading *r, const char *key, const char *right, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds to what is left out. */
void leave_out(struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Refuses the layers of a trained model, because they would not be computed right: "the ...". */
void leave_layers(struct reading *r, const char *why);

/* ---- keys ------------------------------------------------------------------------------------ */

/* Returns the first of these members that is there and not null; its name in *name unless that is
 * NULL. */
const struct json_value *key_find(const struct json_value *object, const char *names,
				  const char **name);
/* Returns the place of a key for messages: "text_config.sliding_window". */
const char *key_path(const struct reading *r, const char *name);
/* Returns the value as text for messages: escaped and cut. */
const char *key_text(const struct reading *r, const struct json_value *v);

/* Read a key of the text model. False when it is absent, null, or wrong, which is then said. */
bool read_long(struct reading *r, const char *names, long least, long most, long *out);
bool read_number(struct reading *r, const char *names, double least, double most, double *out);
bool read_switch(struct reading *r, const char *names, bool *out);
bool read_word(struct reading *r, const char *names, const char **out);
/* The same of a member of an object at `path` within the file: "rope_scaling.". */
bool member_number(struct reading *r, const struct json_value *object, const char *path,
		   const char *name, double least, double most, double *out);
bool number_of(const struct json_value *v, double *out);
/* Returns whether two values are equal: numbers as numbers, objects in any order. */
bool same_value(const struct json_value *a, const struct json_value *b);

/* Print numbers as in JSON and in expressions; the second with a point, 4.0. */
const char *print_number(struct arena *a, double x);
const char *print_pointed(struct arena *a, double x);
const char *print_numbers(struct arena *a, const struct number_list *list);

/* ---- the steps, each in its file ------------------------------------------------------------- */

void read_sizes(struct reading *r);
void read_block(struct reading *r);
void read_experts(struct reading *r);
void read_rotations(struct reading *r);
void read_layers(struct reading *r);
/* Looks for keys that stand where nobody reads them. */
void look_misplaced(struct reading *r);
/* Reads quantization_config. */
void read_quantized(struct reading *r);

/* ---- what the files hold, after the configuration was read ------------------------------------ */

void known_remark(struct known *k, const struct remark *m, struct arena *a);
/* Looks for packed weights where the configuration has none, and the other way round; and for
 * frequencies that are not those of the configuration. */
void look_files(struct known *k, const char *path, struct arena *a);
void look_packed(struct known *k, const struct tensor_file *f, struct arena *a);
void write_expression(struct reading *r);

#endif
