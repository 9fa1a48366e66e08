/* family.h: what a model's configuration says of positions.
 *
 * A configuration is the config.json that Hugging Face's transformers writes beside a model. Its
 * model_type names a family, which is a row of a table (src/family); the family and the keys give
 * sizes, the rotation and the window of every layer, and the expression whose behaviour these are.
 * What does not fit is a remark with the line of JSON that would be right. */
#ifndef POSVIZ_FAMILY_H
#define POSVIZ_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/format/tensor_file.h"
#include "posviz/model/model.h"

/* ---- what is known of a model ---------------------------------------------------------------- */

enum rope_type {
	ROPE_TYPE_DEFAULT,
	ROPE_TYPE_LINEAR,
	ROPE_TYPE_DYNAMIC,
	ROPE_TYPE_YARN,
	ROPE_TYPE_LLAMA3,
	ROPE_TYPE_LONGROPE,
	ROPE_TYPE_COUNT
};
extern const char *const rope_type_names[]; /* default linear …, ends with NULL */

struct number_list {
	size_t n;
	const double *at;
};

/* A rotation as the configuration describes it. A number that it does not give is 0, or what the
 * library takes then. */
struct rotation_rule {
	enum rope_type type;
	const char *written; /* the type as written: "su"; NULL: none is */
	double base, partial;
	double factor, original, attention_factor;
	bool original_given;				     /* `original` is no stand-in */
	double beta_fast, beta_slow, mscale, mscale_all_dim; /* mscales: 0 unless both are given */
	double low_freq_factor, high_freq_factor;
	bool truncate;
	struct number_list short_factor, long_factor;
	struct number_list sections; /* mrope_section; n 0: none */
};

enum window_kind {
	WINDOW_NONE,
	WINDOW_BEHIND, /* t - w < s <= t */
	WINDOW_SIDES,  /* |t - s| <= w */
	WINDOW_CHUNK   /* ⌊t/w⌋ = ⌊s/w⌋, s <= t */
};

struct layer_rule {
	int rotation; /* index of a rotation_rule; -1: the layer does not rotate */
	enum window_kind kind;
	long window;
};

extern const char *const norm_kind_names[], *const block_order_names[];

/* The block around the attention. */
struct block_rule {
	enum norm_kind norm;
	enum block_order order;
	double eps;
	bool gated;
	const char *activation;			 /* as written, or the family's */
	bool bare_first, normed_residual, apart; /* as in struct block */
};

enum { MOST_ROTATIONS = 2 };

/* What does not fit (wrong), or is only unusual; `right` is the line of JSON that would be right,
 * or NULL. Texts from the file are escaped. */
struct remark {
	bool wrong;
	const char *key;  /* "rope_scaling.factor" */
	const char *says; /* sentences, without a full stop at the end */
	const char *right;
};

struct family;
struct family_weight;
struct known {
	const char *model_type;	     /* escaped; "" : none is given */
	const struct family *family; /* NULL: of no family that is known */
	const char *title;	     /* of the family; NULL */
	/* Sizes; 0: not known. `declared` is the context that the file names, `trained` the length
	 * before scaling, as far as the file says. */
	long d, layers, heads, kv_heads, head_dim, value_dim, ff, vocabulary, declared, trained;
	const char *trained_by; /* the key that `trained` is from */
	long first_row;		/* of a learned table, the row of the first position, from 0 */
	double scale;		/* multiplies q·k */
	bool causal;
	struct block_rule block;
	struct experts experts; /* n 0: none */
	double embed_factor;	/* multiplies token vectors; 0: 1 */
	long embed_width;	/* of the tables of words and positions; 0: d */
	/* The names of the layers' weights (checkpoint.h); NULL: weights are not read here, and `unread`
	 * may say why. */
	const struct family_weight *weights;
	const char *unread;
	const char *sentence; /* of the model's vocabulary, to begin with; NULL: any text is */
	const char
		*quantized; /* how the configuration says that weights are packed: "gptq"; NULL */
	struct rotation_rule rotations[MOST_ROTATIONS];
	size_t n_rotations;
	struct layer_rule layer[MODEL_MAX_LAYERS];
	/* The positions in the language of expressions; NULL: they are not known, and a wrong
	 * remark says why. */
	const char *expression;
	const char *left_out; /* what of the attention no expression has; or NULL */
	const struct remark *remarks;
	size_t n_remarks;
};

/* Reads a configuration, a directory that has config.json, or the metadata of a GGUF file, and tells
 * what is known; remarks name keys as config.json does. False with one line: it cannot be read, or
 * is not a model's configuration at all. */
bool family_read(const char *path, struct arena *a, struct known *out, struct err *err);
/* The same of the decoder of a model that has an encoder beside it. */
bool family_read_decoder(const char *path, struct arena *a, struct known *out, struct err *err);
/* The same of text; `name` is for messages. */
bool family_know(const char *name, const char *text, size_t len, struct arena *a, struct known *out,
		 struct err *err);

/* Returns which tensors of its files hold what the model learned of positions, in the words of the
 * field map: "p=bert.embeddings.position_embeddings.weight"; "": nothing, or there are none. */
const char *family_map(const struct known *k, const struct tensor_file *f, struct arena *a);

/* Returns how many remarks are wrong. */
size_t known_wrong(const struct known *k);
/* Returns one line: "Llama, 32 layers of 32 heads, d 4096". */
const char *known_line(const struct known *k, struct arena *a);

/* Returns "1-5/6", "odd", "[1,3]" for the layers that are on, as expressions have it; NULL for all,
 * "" for none. */
const char *layers_text(struct arena *a, const bool *on, size_t n);

/* The model_types of all families, parted by blanks. */
const char *family_types(struct arena *a);

/* ---- bands ----------------------------------------------------------------------------------- */

enum band_way { BAND_KEPT, BAND_BLENDED, BAND_SLOWED, BAND_OWN };
extern const char *const band_way_names[]; /* kept blended slowed own, ends with NULL */

/* Neighbouring pairs of a rotation to which scaling does the same. */
struct band {
	size_t from, to;	     /* pairs, [from, to) */
	double wave_from, wave_to;   /* wavelengths before scaling, in positions */
	double turns_from, turns_to; /* rotations within the trained length, before scaling */
	bool full;		     /* each pair makes a whole rotation within it */
	enum band_way way;
	double slow_from, slow_to; /* by how much it rotates slower */
	/* The greatest distance at which all pairs of it have angles of training; INFINITY: any. */
	double seen;
};

/* A rotation as the expression has it. */
struct rotation_seen {
	const struct rotation_rule *rule;
	size_t layers; /* number of layers that have it */
	bool half;     /* pairs are halves of the columns, else neighbours */
	size_t pairs, columns;
	double base, trained, attention;
	const double *now, *then; /* [pairs] */
	/* The greatest distance of two positions that see each other in its layers, within the declared
	 * context; 0: no context is declared. */
	double farthest;
	const struct band *bands;
	size_t n_bands;
};

/* Evaluates the rotations of the expression for an input of n tokens; 0: the declared context.
 * Returns their number; out[MOST_ROTATIONS]. */
size_t known_rotations(const struct known *k, double n, struct arena *a,
		       struct rotation_seen out[MOST_ROTATIONS]);

#endif
