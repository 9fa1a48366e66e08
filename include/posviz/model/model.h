/* model.h: a Transformer encoder as a sequence of stages, and the hooks by which a scheme enters
 * it.
 *
 *   units → positions → embed → { project → prepare → qk → mask → logits → adjust → weights →
 *   values → block } × schedule
 *
 * A member of an expression is hooks, parameters, and the place where it acts (pos=, layers=,
 * heads=); the model calls each stage's hooks in the order written and knows nothing of schemes.
 * Everything is a tape node, so the same hooks serve viewing (recording off: heads are streamed, in
 * parallel, their memory rewound) and learning (recording on: one tape, everything is kept).
 *
 * Words with a fixed meaning in this code:
 *   unit    a row of X: the vector of a token, of [CLS], of an inserted global node (survey: unit)
 *   place   the index of a token in the original order, from 0; it does not change with the order
 *   column  a named list with one position for each unit: "seq", "depth"; a matrix has cols
 *   leaf    a learned matrix of a member
 *   part    a summand of X before the first layer: the unit, and one of each member that adds
 *   term    a summand of the logits
 *   reach   the farthest distance that t_max positions contain; the range of curves
 *   member  a scheme with its parameters in an expression, and where it acts
 *
 * Sizes: n units (rows of X), d width, h heads; dk width of the queries and keys of a head, dv of its
 * values; dk = dv = d/h unless given. Row = query t, column = key s. Positions count from 0. X is
 * [n,d], q and k are [n,h·dk], v is [n,h·dv]; head i is columns i·dk, or i·dv... With fewer key heads
 * than heads (grouped queries), a key head stands in k and v once for each head that reads it. */
#ifndef POSVIZ_MODEL_H
#define POSVIZ_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/format/tensor.h"
#include "posviz/math/mat.h"
#include "posviz/math/tape.h"
#include "posviz/model/block.h"
#include "posviz/model/cache.h"
#include "posviz/model/hooks.h"
#include "posviz/model/trace.h"

enum {
	MODEL_MAX_LAYERS = 256,
	MODEL_MAX_HEADS = 256,
	MODEL_MAX_WIDTH = 32768,
	MODEL_MAX_POSITIONS = 1 << 24,
	MODEL_MAX_MEMBERS = 16,
	MODEL_MAX_PARTS = MODEL_MAX_MEMBERS + 2 /* the unit, and one for each member */
};

/* ---- sizes and choices ------------------------------------------------------------------- */

enum projection { PROJ_IDENTITY, PROJ_TIED, PROJ_RANDOM, PROJ_COUNT };
extern const char *const projection_names[PROJ_COUNT + 1]; /* identity tied random */

enum init { INIT_DEMO, INIT_PAPER, INIT_COUNT };
extern const char *const init_names[INIT_COUNT + 1]; /* demo paper */

/* The layers of a decoder have a second attention, to a source: which of the two is looked at. */
enum stack_part { STACK_ONE, STACK_DECODER, STACK_CROSS };

struct model_config {
	size_t d, heads, layers, ff; /* ff: width of the feed-forward block */
	/* Read by model_dk, model_dv, model_kv_heads. 0: d/heads, head_dim, heads. */
	size_t head_dim, value_dim, kv_heads;
	size_t t_max; /* the longest length for which a bounded scheme has parameters */
	uint64_t seed;
	enum projection proj;
	enum init init;
	enum activation activation;
	double content;	 /* logit of an average token with itself; sets the gain of W_q */
	double norm_eps; /* of all norms of the block */
	struct block block;
	double scale;	    /* multiplies q·k unless a member sets another; 0: 1/√dk */
	double embed_scale; /* factor of the token vectors before positions are added; 0: 1 */
	/* Token vectors and what is added to them fill the first columns alone; behind their norm they are
	 * projected to d by W_PROJECT. 0: they have d columns. */
	size_t embed_width;
	enum stack_part stack;
	size_t memory; /* limit in bytes; 0: none */
	/* Leaves that are not given get no numbers: the model is for counting or fitting, never
	 * run. */
	bool unfilled;
};

/* Return the width of the queries and keys of a head, and of its values; the number of key heads,
 * each read by heads/kv_heads heads in a row. All sizes of attention come from these. */
static inline size_t model_dk(const struct model_config *c)
{
	return c->head_dim ? c->head_dim : c->d / c->heads;
}
static inline size_t model_dv(const struct model_config *c)
{
	return c->value_dim ? c->value_dim : model_dk(c);
}
static inline size_t model_kv_heads(const struct model_config *c)
{
	return c->kv_heads ? c->kv_heads : c->heads;
}

/* ---- leaves and weights ------------------------------------------------------------------ */

enum fill {
	FILL_NORMAL,
	FILL_UNIFORM,
	FILL_XAVIER,
	FILL_CONSTANT,
	FILL_DIAGONAL, /* `value` on the diagonal, which wraps around; 0 elsewhere */
	FILL_BALANCED  /* normal, minus the mean of each column, so that a vector of ones gives 0 */
};

/* The leaf that a rule of a scheme's own fills, and whose it is. */
struct leaf_maker {
	const struct model *model;
	const struct member *m;
	double value; /* of the leaf_init */
	long layer;   /* -1: shared by all */
	struct rng *rng;
	size_t rows, cols; /* of the leaf */
};

struct leaf_init {
	enum fill fill;
	/* Standard deviation, half width, gain, or the constant; an argument of `make`. */
	double value;
	/* Formula of the value in a table of leaves, as in scheme_value; or NULL. */
	const char *formula;
	/* The member reads rows by run_leaf_rows, and the first rows do not depend on how many follow:
	 * only the rows up to the last one that is read are made. */
	bool by_rows;
	/* For a kernel [taps·in, out], which a file may store as [out, in, taps]; set in `demo`. */
	size_t taps;
	/* If set, `make` fills the leaf, or `entry` returns each of its numbers. */
	void (*make)(struct mat at, const struct leaf_maker *of);
	double (*entry)(const struct leaf_maker *of, size_t row, size_t col);
};

/* Declares a learned leaf [rows, cols] of member m: one for all layers, or one per layer. `base`
 * is its name in tensor files: "w_key" becomes shaw.w_key, or shaw.w_key.0 … when per layer. Its
 * numbers are drawn from (seed, full name), or taken from the given tensors. */
bool model_leaf(struct model *model, const struct member *m, const char *base, size_t rows,
		size_t cols, bool per_layer, struct leaf_init demo, struct leaf_init paper,
		struct err *err);

/* Freezes the leaves that m has declared so far: they were learned before and take no gradient. */
void model_freeze(struct model *model, const struct member *m);

struct leaf {
	const char *name, *base;
	const struct member *member;
	long layer;    /* -1: shared by all */
	struct mat at; /* at NULL, with its shape: read it by model_leaf_at, which draws it */
	struct leaf_late *late; /* of such a leaf; NULL: none */
	bool given;	    /* not drawn: from a file, or written by the code that changed `at` */
	const char *tensor; /* the tensor of the file that gave it; NULL: none */
	bool frozen;	    /* takes no gradient */
};

/* Returns the numbers of a leaf, drawn now if it is a large one that nobody has read yet: the same
 * numbers as when it is drawn whole with the model. Threads may call it at the same time. */
struct mat model_leaf_at(const struct model *model, const struct leaf *leaf);
/* Returns memory of the leaf's size for numbers in the place of its own, which others may read too. */
struct mat model_leaf_blank(const struct model *model, const struct leaf *leaf);
/* Returns the first `rows` rows of a leaf; of one that is made by rows no others are made. */
struct mat model_leaf_first(const struct model *model, const struct leaf *leaf, size_t rows);
bool model_leaf_by_rows(const struct leaf *leaf);
/* Returns whether the whole leaf would exceed the limit of memory, though its rows can be read. */
bool model_leaf_exceeds(const struct model *model, const struct leaf *leaf);
/* Returns the number of those that a run of the first `steps` steps may still draw. */
double model_leaves_to_draw(const struct model *model, size_t steps);

/* Returns the names under which files and maps may give a leaf, the most specific first:
 * "shaw.w_key.0", "shaw.w_key", "w_key.0", "w_key"; for a leaf of all layers only those without
 * a layer. */
enum { LEAF_NAMES = 4 };
size_t model_leaf_names(const struct leaf *leaf, struct arena *a, const char *out[LEAF_NAMES]);

/* Tensors to use instead of drawn ones. A leaf is looked up as the map says, else by its names,
 * with or without "param." in front, the most specific first; weights as "layer.L.w_q", "w_q" or
 * "param.w_q" (also b_q b_k b_v w_o b_o ln1_weight ln1_bias w_ff1 b_ff1 w_ff2 b_ff2 ln2_weight
 * ln2_bias). */
struct given {
	const struct tensor_set *weights, *params; /* NULL: none */
	const char *const *map;			   /* "LEAF=TENSOR" strings */
	size_t map_count;
	const char *weights_file, *params_file; /* for messages; NULL: unknown */
	const struct weight_source *source;	/* of all weights, in place of `weights`; or NULL */
};

/* ---- schedule ----------------------------------------------------------------------------- */

struct step {
	/* The layer whose leaves and weights it uses; the number that layers= counts. */
	size_t layer;
	long q_from,
		kv_from; /* the step whose output is the input; -1: the embedded token vectors */
	long tag;	 /* a value for the hook that made the step; 0 otherwise */
};

struct model {
	struct model_config config;
	size_t dk, dv, kv_heads, group; /* group: the heads that read the same key head */
	size_t qk_width, v_width;	/* of all heads side by side: h·dk, h·dv */
	double c;			/* scale of the content term */
	double gain;			/* of W_q, if token vectors are not scaled */
	/* Columns reserved for positions; 0: positions are added to the token vectors. */
	size_t beside;
	const struct member *scaled_by; /* the member that set c, or NULL */
	const struct member *members;
	size_t n_members;
	struct leaf *leaves;
	size_t n_leaves, cap_leaves;
	struct step steps[2 * MODEL_MAX_LAYERS];
	size_t n_steps;
	/* The layer whose weights a layer uses: its own, unless `schedule` shares one. */
	size_t weights_of[MODEL_MAX_LAYERS];
	const struct given *given;
	/* The given weights with their numbers, [layers][WEIGHT_COUNT]; NULL: none is given. */
	const struct tensor **weights_read;
	/* After an error of model_build: the given tensor whose shape was the reason, or NULL. */
	const struct tensor *misfit;
	bool transposed; /* its transpose would fit */
	bool too_large;	 /* the reason was config.memory, which the learned numbers exceed */
	struct arena *arena, *late; /* late: holds leaves that are drawn when they are read */
};

/* Builds weights and leaves for members[0..n) (which must outlive the model). Errors: heads that do
 * not divide d, two members that set c differently, tensors that do not fit. */
bool model_build(struct model *model, const struct model_config *config,
		 const struct member *members, size_t n, const struct given *given, struct arena *a,
		 struct err *err);

/* Returns the names of the weights of a layer, "w_q" first; NULL after the last. */
const char *model_weight_name(size_t i);
/* Returns whether the file gives this weight, "w_q", for every layer, so that none is drawn. */
bool model_weight_is_given(const struct model *model, const char *name);
/* Returns whether a tensor of this name is one of the model's weights. */
bool model_takes_weight(const struct model *model, const char *tensor);
/* Checks that the given weights are complete: w_q w_k w_v come together, w_ff1 and w_ff2 too,
 * and if one layer has a weight, all have it. */
bool model_weights_whole(const struct model *model, struct err *err);

/* Returns the width of the part that a member with these hooks adds: d, or the number of
 * reserved columns. */
size_t model_part_width(const struct model *model, const struct hooks *hooks);

/* Return the number of learned numbers of the members (without the weights of the model itself),
 * and how many of these are frozen. */
size_t model_position_parameters(const struct model *model);
size_t model_frozen_parameters(const struct model *model);

struct leaf *model_find_leaf(const struct model *model, const struct member *m, const char *base,
			     size_t layer); /* NULL when there is none */

/* Draws token vectors N(0,1) from (seed, text): equal texts get equal rows. text[i] has len[i]
 * bytes. */
struct mat model_units(struct arena *a, const struct model_config *config, const char *const *text,
		       const size_t *len, size_t n);

/* Returns the members but one (NULL: all) as in an expression: "rope+causal"; "" of none. */
const char *model_others(const struct model *model, const struct member *but, struct arena *a);
/* Returns the member whose matrix has other keys than queries, which is only viewed: nothing is
 * computed. NULL: none. */
const struct member *model_looked_at(const struct model *model);

/* Returns an approximate upper bound of the bytes that an evaluation of this input takes. */
size_t model_estimate(const struct model *model, const struct model_input *in,
		      const struct want *want);

/* Returns the number of heads that a run with these wants evaluates at most, those of each step
 * and of the probe: the total that a watch counts. */
size_t model_heads_to_run(const struct model *model, const struct want *want);

/* Runs the model. Results come from `a`. `cache` and `watch` may be NULL; if the watch is
 * cancelled the run ends early with false and trace->cancelled. Refuses runs that exceed
 * config.memory. */
bool model_run(const struct model *model, const struct model_input *in, const struct want *want,
	       struct cache *cache, struct watch *watch, struct arena *a, struct trace *trace,
	       struct err *err);

#endif
