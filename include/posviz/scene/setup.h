/* setup.h: what is computed, as a plain value, and from it to numbers: tokens and what they come from,
 * the model that is built of them, and its evaluation. Texts live in the pool of scene_intern. */
#ifndef POSVIZ_SETUP_H
#define POSVIZ_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/input/input.h"
#include "posviz/model/model.h"
#include "posviz/scheme/scheme.h"

struct setup {
	const char *sentence; /* as typed */
	const char *file;     /* read instead of the sentence; "" for none */
	/* At most one of these; "" for none. All but governors bring their own tokens. */
	const char *conllu, *governors, *tree, *graph;
	const char *moved_edges; /* of the graph: "3:1-4 5:2-6", edge:from-to; "" for none */
	long pick;		 /* which sentence, tree or graph of several, from 1 */
	int tree_units;		 /* enum tree_units */
	bool keep_empty, keep_functions; /* as in struct tree_options */
	const char *
		keys; /* tokens for the keys of a matrix whose queries are the sentence; "": numbers */
	const char *order;   /* as typed: "identity", "2 1 3", "reverse", "shuffle:7" */
	const char *reorder; /* of the first sentence; "" for none */
	const char *translation, *alignment; /* a second sentence, pairs of words; "" for none */
	long length;			     /* asked of a decoder, in tokens; 0: none */
	const char *position_ids; /* "none", "start:5", or one for each unit: "0 1 2 0 1" */
	const char *segments;	  /* "none", or one for each unit: "1 0 0 1" */
	long memory_tokens;	  /* units in front that are an earlier segment */
	const char *embed_scale;  /* of the units: "1", "sqrt-d", or a number */
	const char *scheme;	  /* expression, canonical */
	/* Up to three more, parted by "; ", on the same tokens, which a file of any of them may bring;
	 * "none". */
	const char *compare;
	int tokens;				/* enum token_mode */
	const char *special;			/* "none", "cls,sep", "bos" */
	long d_model, heads, layers, ff, t_max; /* ff 0: 4·d_model */
	uint64_t seed;
	int proj, init, activation; /* enum projection, init, activation */
	double content, norm_eps;
	const char *probe;   /* "ones", "off", or a word */
	const char *units;   /* FILE[:TENSOR]; "" for none */
	const char *weights; /* FILE */
	const char *params;  /* FILE */
	const char *map;     /* "LEAF=TENSOR LEAF=TENSOR" */
	double memory;	     /* bytes */
	/* Which of them somebody asked for: no part of what they are, neither printed nor compared. */
	struct asked {
		bool sentence;		     /* be it in the default's words */
		bool d_model, proj, content; /* not by what was saved or configured */
		bool scheme;		     /* or what is compared with it, after `earlier` */
		bool earlier; /* matrices of the scheme are what an earlier version took them for */
	} asked;
};

bool setup_equal(const struct setup *a, const struct setup *b);
/* What its numbers depend on, as one text: its fields but for what is compared, and where the order does not
 * matter for that; of files when they were written, of names how often they were defined. NULL: it
 * cannot be told. */
const char *setup_identity(const struct setup *setup, bool any_order, struct arena *a);
/* As if nobody had asked for what a file may say as well. */
void setup_forget_asked(struct setup *setup);

/* ---- tokens --------------------------------------------------------------------------------- */

/* What brings the tokens, for people: a file's name, or the sentence itself. */
const char *setup_source(const struct setup *setup);
/* Which of the tokens, of those that move, stands where: (*order)[*n] from `a`. `tokens` gets them as
 * they were written, also where the order does not fit them. */
bool setup_order(const struct setup *setup, struct arena *a, size_t **order, size_t *n,
		 struct input *tokens, struct err *err);
/* The tokens as written, and the structure over them (*structure NULL: none was given); `count` gets
 * how many there are to pick from, though that one cannot be read. `structure` and `count` may be NULL. */
bool setup_tokens(const struct setup *setup, struct arena *a, struct input *tokens,
		  const struct structure **structure, size_t *count, struct err *err);
/* Whether both bring the same tokens and the same structure, orders aside. */
bool setup_same_tokens(const struct setup *a, const struct setup *b);
/* The text that the tokens come from; where a structure brings words, those between blanks. */
bool setup_text(const struct setup *setup, size_t limit, struct arena *a, const char **text,
		size_t *len, struct err *err);

/* A second sentence, and which of its words are of which words of the first. */
struct alignment {
	struct input translation; /* n 0: none was given */
	struct aligned {
		size_t word, other; /* from 0 */
	} * pairs;
	size_t n;
};
/* Where each token stands in the re-ordered sentence: (*reorder)[place] from 0; NULL when neither a
 * re-ordering nor an alignment was given. */
bool setup_reorder(const struct setup *setup, const struct input *tokens, struct arena *a,
		   const double **reorder, struct alignment *alignment, struct err *err);

/* The column of positions that was given, one for each unit, special ones included, of the place and
 * not of what stands there; *ids NULL: none was. */
bool setup_position_ids(const struct setup *setup, const struct input *tokens, struct arena *a,
			const double **ids, struct err *err);
/* The factor of the units, by the width of the model. */
double setup_embed_scale(const struct setup *setup, size_t d);

/* What the schemes of its expression must have in front of them to do anything, as the descriptor of the
 * first that asks for it says: lines of a scene, or "". And the setup with such lines. */
const char *setup_sample(const struct setup *setup, struct arena *a);
void setup_give(struct setup *setup, const char *sample, struct arena *a);

/* ---- evaluation ---------------------------------------------------------------------------- */

/* A setup read and built: tokens in their order, expression, model. Independent of what is wanted;
 * may be run many times. Points into itself: never copied by assignment. */
struct built {
	struct input written;		   /* tokens as typed */
	struct input input;		   /* in the order asked for */
	const struct structure *structure; /* over the written tokens; NULL: none was given */
	size_t count;			   /* sentences, trees or graphs there are to pick from */
	struct axis keys;		   /* of a matrix that is looked at; n 0: the units */
	const double *reorder;	    /* of each written token, by its place, from 0; NULL: none */
	const double *position_ids; /* [written.n], of each place; NULL: none were given */
	struct alignment alignment;
	size_t *order; /* [input.moving] */
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	size_t n_members;
	struct given given;
	struct tensor_set given_weights, given_params;
	struct model model;
	struct model_input model_input; /* tokens in the order asked for */
	struct mat given_units;		/* rows as written; at NULL: drawn */
	/* Tensors of given files that nobody takes, but for those of dumps. */
	struct untaken {
		const char *file;	 /* "weights" or "params" */
		const char *name, *near; /* near: what may have been meant, or NULL */
	} * untaken;
	size_t n_untaken;
	const char *note; /* the same as a line; NULL: there are none */
	bool labelled;	  /* nobody typed the tokens: they are labels of a file, or numbers */
};

bool setup_build(const struct setup *setup, struct arena *a, struct built *out, struct err *err);

/* The source of the tokens, as setup_source gives it; NULL where a file of the expression or of units brings them. */
const char *built_source(const struct setup *setup, const struct built *b);

/* Whether one of those compared takes something from the file of parameters, if there is one. */
bool compared_params(const struct setup *setup, const struct built *b, struct err *err);

/* The scheme that a member is of; NULL when it has hooks of its own making. */
const struct scheme *scheme_of_member(const struct member *m);
/* What a leaf means, or NULL. */
const struct leaf_row *leaf_row_of(const struct leaf *leaf);

/* The model input of other tokens (same setup): for permuting, shifting, inserting. */
void built_input(const struct setup *setup, const struct built *b, const struct input *tokens,
		 struct arena *a, struct model_input *out);

/* Of `n` units that are all the probe - a unit of ones where the probe is off -: no word but the numbers of
 * their places, no segment, no structure. */
void built_plain(const struct built *b, size_t n, struct arena *a, struct model_input *out);

bool built_run(const struct built *b, const struct model_input *in, const struct want *want,
	       struct cache *cache, struct watch *watch, struct arena *a, struct trace *trace,
	       struct err *err);

/* Everything at once: build and run. */
bool evaluate(const struct setup *setup, const struct want *want, struct cache *cache,
	      struct watch *watch, struct arena *a, struct built *b, struct trace *trace,
	      struct err *err);

#endif
