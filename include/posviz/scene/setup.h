/* setup.h: everything that a computation may see, as a plain value, and the steps from it to
 * numbers: the tokens and their sources, the model that is built of them, and its evaluation.
 * Texts live in the pool of scene_intern. */
#ifndef POSVIZ_SETUP_H
#define POSVIZ_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/family/checkpoint.h"
#include "posviz/input/input.h"
#include "posviz/model/model.h"
#include "posviz/scheme/scheme.h"

/* Texts of one sequence: not kept apart; kept apart, with position ids that begin anew in each, or
 * with ids that go on. */
enum pack { PACK_OFF, PACK_ON, PACK_NO_RESET, PACK_COUNT };

struct setup {
	const char *sentence; /* as typed */
	const char *file;     /* read instead of the sentence; "" for none */
	/* At most one of conllu, tree and graph, which bring their own tokens; "" for none.
	 * Governors belong to the words of the sentence or of the tree. */
	const char *conllu, *governors, *tree, *graph;
	const char *moved_edges;	 /* of the graph: "3:1-4 5:2-6", edge:from-to; or "" */
	long pick;			 /* sentence, tree or graph of the file, from 1 */
	int tree_units;			 /* enum tree_units */
	bool keep_empty, keep_functions; /* as in struct tree_options */
	const char *keys;    /* tokens of the keys, if they differ from the queries; "": numbers */
	const char *order;   /* as typed: "identity", "2 1 3", "reverse", "shuffle:7" */
	const char *reorder; /* the order of the first sentence; "" for none */
	const char *translation, *alignment; /* second sentence, pairs of words; "" for none */
	long length;			     /* requested of a decoder, in tokens; 0: none */
	/* "none", "start:5", a number for each unit, "0 1 2 0 1", or three, temporal, height and
	 * width, a row each: "0 1 1; 0 1 1; 0 1 2". */
	const char *position_ids;
	const char *segments; /* "none", or a number for each unit: "1 0 0 1" */
	long memory_tokens;   /* number of first units that are an earlier segment */
	int pack;	      /* enum pack: whether texts that share the sequence see each other */
	const char *pad;      /* "none", "left:3", "right:2", "left:3,no-reset" */
	const char *embed_scale; /* factor of the units: "1", "sqrt-d", or a number */
	const char *scheme;	 /* expression, canonical */
	/* Up to three more entries, separated by "; " (beside.h); "none". A file of any
	 * expression may bring the tokens of all. */
	const char *compare;
	int tokens;				/* enum token_mode */
	const char *special;			/* "none", "cls,sep", "bos" */
	long d_model, heads, layers, ff, t_max; /* ff 0: 4·d_model */
	long head_dim, value_dim, kv_heads;	/* 0: what follows, see struct model_config */
	uint64_t seed;
	int proj, init, activation; /* enum projection, init, activation */
	double content, norm_eps;
	const char *probe; /* "ones", "off", or a word */
	const char *units; /* FILE[:TENSOR]; "" for none */
	/* A trained model, a directory or a GGUF file, whose layers are computed with their weights on
	 * its own token ids, "101 7592 102"; "" for none. */
	const char *checkpoint, *ids;
	int stack;		/* enum stack_part: what of an encoder and a decoder is looked at */
	const char *source_ids; /* of the encoder's text, if a decoder reads it; "" for none */
	const char *source;	/* or that text, for the model's own tokenizer; "" for none */
	const char *weights;	/* FILE */
	const char *params;	/* FILE */
	const char *map;	/* "LEAF=TENSOR LEAF=TENSOR" */
	double memory;		/* bytes */
	/* Fields that the user set explicitly. They are not part of the value: neither printed
	 * nor compared. */
	struct asked {
		bool sentence;		     /* also if it equals the default */
		bool d_model, proj, content; /* not by saved or configured values */
		bool scheme;		     /* or `compare`, after `earlier` was set */
		bool earlier;		     /* its matrices keep the kind of an earlier version */
	} asked;
};

/* Returns whether the tokens are those of a trained model, whose layers are then computed: there are
 * ids, or its tokenizer cuts the text. */
bool setup_computes(const struct setup *s);

bool setup_equal(const struct setup *a, const struct setup *b);
/* Returns one text of everything that the numbers depend on: the fields except `compare` (and
 * except the order if `any_order`), for files their identity and time of change, for defined
 * names a count of their changes. NULL: this cannot be determined. */
const char *setup_identity(const struct setup *setup, bool any_order, struct arena *a);
/* Clears the marks of fields for which a file may give another value. */
void setup_forget_asked(struct setup *setup);

/* Reads the field ids: returns [*n]; NULL: an error. */
long *setup_ids(const struct setup *setup, struct arena *a, size_t *n, struct err *err);

/* ---- tokens --------------------------------------------------------------------------------- */

/* Returns the source of the tokens for messages: a file's name, or the sentence itself. */
const char *setup_source(const struct setup *setup);
/* Gets the order of the moving tokens: (*order)[*n] from `a`. `tokens` are the written tokens,
 * also if the order does not fit them. */
bool setup_order(const struct setup *setup, struct arena *a, size_t **order, size_t *n,
		 struct input *tokens, struct err *err);
/* Gets the tokens as written, and the structure over them (*structure NULL: none was given).
 * `count` is the number of sentences, trees or graphs to pick from, also if the picked one
 * cannot be read. `structure` and `count` may be NULL. */
bool setup_tokens(const struct setup *setup, struct arena *a, struct input *tokens,
		  const struct structure **structure, size_t *count, struct err *err);
/* True if both have the same tokens and the same structure, whatever their orders. */
bool setup_same_tokens(const struct setup *a, const struct setup *b);
/* Gets the text of the tokens; if a structure brings words, these joined by blanks. More than
 * `limit` bytes are an error. */
bool setup_text(const struct setup *setup, size_t limit, struct arena *a, const char **text,
		size_t *len, struct err *err);

/* A second sentence, and pairs of a word of the first and a word of the second. */
struct alignment {
	struct input translation; /* n 0: none was given */
	struct aligned {
		size_t word, other; /* from 0 */
	} * pairs;
	size_t n;
};
/* Gets the place of each token in the re-ordered sentence: (*reorder)[place] from 0; NULL if
 * there is neither a re-ordering nor an alignment. */
bool setup_reorder(const struct setup *setup, const struct input *tokens, struct arena *a,
		   const double **reorder, struct alignment *alignment, struct err *err);

/* Gets the given column of positions, one for each unit, special ones included. A position
 * belongs to the place and not to the token that is moved there. *ids NULL: none was given.
 * *three: three numbers for each unit, [3·n], the temporal ones first. */
bool setup_position_ids(const struct setup *setup, const struct input *tokens, struct arena *a,
			const double **ids, bool *three, struct err *err);
/* Returns the factor of the units; `d` is the width of the model. */
double setup_embed_scale(const struct setup *setup, size_t d);
/* Returns the expression together with what the fields `pack` and `pad` add to any expression. */
const char *setup_with_batch(const struct setup *setup, const char *expression, struct arena *a);

/* setup_sample() returns lines of a scene, or "": the input that the first scheme with such a
 * descriptor needs to have any effect. setup_give() sets the fields of such lines. */
const char *setup_sample(const struct setup *setup, struct arena *a);
void setup_give(struct setup *setup, const char *sample, struct arena *a);

/* ---- evaluation ---------------------------------------------------------------------------- */

/* A setup after reading and building: tokens in their order, expression, model. It does not
 * depend on the wanted results and may be run many times. It points into itself: never copied
 * by assignment. */
struct built {
	struct input written;		   /* tokens as typed */
	struct input input;		   /* in the requested order */
	const struct structure *structure; /* over the written tokens; NULL: none was given */
	size_t count;			   /* number of sentences, trees or graphs to pick from */
	struct axis keys;		   /* of a matrix with other keys; n 0: the units */
	const double *reorder;	    /* for each written token, by its place, from 0; NULL: none */
	const double *position_ids; /* [written.n], by place; NULL: none were given */
	bool three_ids;		    /* [3·written.n]: temporal, height, width */
	bool pictures;		    /* some tokens are patches */
	struct alignment alignment;
	size_t *order; /* [input.moving] */
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	size_t n_members;
	struct given given;
	struct tensor_set given_weights, given_params;
	const struct checkpoint *checkpoint; /* NULL: none is computed with */
	struct model model;
	struct mat source; /* the encoder's last output; at NULL: no decoder reads it */
	struct axis source_axis;
	struct model_input model_input; /* tokens in the requested order */
	struct mat given_units;		/* rows in the written order; at NULL: drawn */
	/* Tensors of given files that nothing uses, except tensors of dumps. */
	struct untaken {
		const char *file;	 /* "weights" or "params" */
		const char *name, *near; /* near: a similar name that may be meant, or NULL */
	} * untaken;
	size_t n_untaken;
	const char *note; /* the notes on files as one line; NULL: none */
	bool labelled;	  /* the user typed no tokens: they are labels of a file, or numbers */
};

bool setup_build(const struct setup *setup, struct arena *a, struct built *out, struct err *err);

/* Returns the source of the tokens as setup_source does; NULL if a file of the expression or of
 * units brings them. */
const char *built_source(const struct setup *setup, const struct built *b);

/* False if expressions are compared and none of them uses the given file of parameters. */
bool compared_params(const struct setup *setup, const struct built *b, struct err *err);

/* Returns the scheme of a member; NULL if its hooks belong to no scheme. */
const struct scheme *scheme_of_member(const struct member *m);
/* Returns the meaning of a leaf, or NULL. */
const struct leaf_row *leaf_row_of(const struct leaf *leaf);

/* Makes the model input of other tokens for the same setup: to permute, shift or insert tokens. */
void built_input(const struct setup *setup, const struct built *b, const struct input *tokens,
		 struct arena *a, struct model_input *out);

/* Makes the input of `n` units that all equal the probe (a vector of ones if the probe is off).
 * All rows are one (mat_repeats). Each place has a word number of its own; there are no segments and
 * no structure. */
void built_plain(const struct built *b, size_t n, struct arena *a, struct model_input *out);

bool built_run(const struct built *b, const struct model_input *in, const struct want *want,
	       struct cache *cache, struct watch *watch, struct arena *a, struct trace *trace,
	       struct err *err);

/* Returns the sizes and choices of the setup's model of width d. */
struct model_config setup_config(const struct setup *setup, size_t d);

/* Returns what is said behind the number of heads: nothing, or " of 128, 8 kv, values 64" where these
 * sizes are given. */
const char *setup_heads_text(const struct setup *setup, struct arena *a);
const char *config_heads_text(const struct model_config *config, struct arena *a);

/* Builds and runs in one call. */
bool evaluate(const struct setup *setup, const struct want *want, struct cache *cache,
	      struct watch *watch, struct arena *a, struct built *b, struct trace *trace,
	      struct err *err);

#endif
