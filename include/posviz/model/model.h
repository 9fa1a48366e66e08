/* model.h: a Transformer encoder as a row of stages, and the hooks by which a scheme enters it.
 *
 *   units → positions → embed → { project → prepare → qk → mask → logits → adjust → weights →
 *   values → block } × schedule
 *
 * A member of an expression is hooks, parameters, and where it acts (pos=, layers=, heads=); the
 * model calls each stage's hooks in the order written and knows nothing of schemes. Everything is
 * a tape node, so the same hooks serve looking (recording off: heads are streamed, in parallel,
 * their memory rewound) and learning (recording on: one tape, all is kept).
 *
 * Words of our own, which are used only so:
 *   unit    a row of X: a token, or what stands among them ([CLS], a global node)
 *   place   where a token was written, from 0; it stays with the token when the order changes
 *   column  a name for one position of each unit, "seq", "depth"; of a matrix they are cols
 *   leaf    a learned matrix of a member
 *   part    what X is a sum of before the first layer: the unit, and what each member adds
 *   term    what the logits are a sum of
 *   reach   the farthest distance that t_max positions show; and how far curves go
 *   member  a scheme with its parameters in an expression, and where it acts
 *
 * Sizes: n units (rows of X), d width, h heads, dk = d/h. Row = query t, column = key s. Positions
 * count from 0. X, q, k, v are [n,d]; head i is columns i·dk... */
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
#include "posviz/model/hooks.h"
#include "posviz/model/trace.h"

enum {
	MODEL_MAX_LAYERS = 256,
	MODEL_MAX_HEADS = 256,
	MODEL_MAX_WIDTH = 32768,
	MODEL_MAX_POSITIONS = 1 << 24,
	MODEL_MAX_MEMBERS = 16,
	MODEL_MAX_PARTS = MODEL_MAX_MEMBERS + 2 /* the unit, and one of each member */
};

/* ---- sizes and choices ------------------------------------------------------------------- */

enum projection { PROJ_IDENTITY, PROJ_TIED, PROJ_RANDOM, PROJ_COUNT };
extern const char *const projection_names[PROJ_COUNT + 1]; /* identity tied random */

enum init { INIT_DEMO, INIT_PAPER, INIT_COUNT };
extern const char *const init_names[INIT_COUNT + 1]; /* demo paper */

enum activation { ACT_RELU, ACT_GELU, ACT_COUNT };
extern const char *const activation_names[ACT_COUNT + 1]; /* relu gelu */

struct model_config {
	size_t d, heads, layers, ff; /* ff: width of the feed-forward block */
	size_t t_max;		     /* longest length a bounded scheme is made for */
	uint64_t seed;
	enum projection proj;
	enum init init;
	enum activation activation;
	double content;	    /* logit of a typical token with itself; sets the gain of W_q */
	double norm_eps;    /* of LayerNorm */
	double embed_scale; /* of the units, before positions come to them; 0: 1 */
	size_t memory;	    /* limit in bytes; 0: none */
	bool unfilled; /* leaves that are not given have no numbers: to be counted or fitted, never run */
};

/* ---- leaves and weights ------------------------------------------------------------------ */

enum fill {
	FILL_NORMAL,
	FILL_UNIFORM,
	FILL_XAVIER,
	FILL_CONSTANT,
	FILL_DIAGONAL, /* 0 beside the diagonal, which begins again at the first row or column */
	FILL_BALANCED  /* normal less the mean of each column: a unit of ones sees nothing */
};

/* Whose leaf a rule of a family's own fills. */
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
	double value; /* standard deviation, half width, gain, or the constant; what `make` reads */
	const char *formula; /* of the value, in a table of leaves: as in scheme_value; or NULL */
	size_t taps; /* of a kernel [taps·in, out], in a file perhaps [out, in, taps]: told with `demo` */
	/* When set, it fills the leaf; or says each number of it, row by row. */
	void (*make)(struct mat at, const struct leaf_maker *of);
	double (*entry)(const struct leaf_maker *of, size_t row, size_t col);
};

/* Declares a learned leaf [rows, cols] of member m: one for all layers, or one per layer. `base` is
 * its name in tensor files: "w_key" becomes shaw.w_key, or shaw.w_key.0 … when per layer. Drawn from
 * (seed, full name), or taken from the given tensors. */
bool model_leaf(struct model *model, const struct member *m, const char *base, size_t rows,
		size_t cols, bool per_layer, struct leaf_init demo, struct leaf_init paper,
		struct err *err);

/* What m declared so far was learned before and stays as it is: it takes no gradient. */
void model_freeze(struct model *model, const struct member *m);

struct leaf {
	const char *name, *base;
	const struct member *member;
	long layer; /* -1: shared by all */
	struct mat at;
	bool given;	    /* not drawn: from a file, or written by whoever changed `at` */
	const char *tensor; /* of the file, that gave it; NULL: none */
	bool frozen;	    /* takes no gradient */
};

/* The names by which files and maps may call a leaf, the most specific first: "shaw.w_key.0",
 * "shaw.w_key", "w_key.0", "w_key"; of one for all layers only those without a layer. */
enum { LEAF_NAMES = 4 };
size_t model_leaf_names(const struct leaf *leaf, struct arena *a, const char *out[LEAF_NAMES]);

/* Tensors to use instead of drawn ones. Looked up as map says, else by the leaf's names, with "param." in
 * front or without, the most specific first; weights as "layer.L.w_q", "w_q" or "param.w_q" (also b_q b_k
 * b_v w_o b_o ln1_weight ln1_bias w_ff1 b_ff1 w_ff2 b_ff2 ln2_weight ln2_bias). */
struct given {
	const struct tensor_set *weights, *params; /* NULL: none */
	const char *const *map;			   /* "LEAF=TENSOR" strings */
	size_t map_count;
	const char *weights_file, *params_file; /* for messages; NULL: not known */
};

/* ---- schedule ----------------------------------------------------------------------------- */

struct step {
	size_t layer;	      /* its leaves and weights, and what layers= counts */
	long q_from, kv_from; /* output of which step; -1: the embedded units */
	long tag;	      /* for the hook that made it; 0 otherwise */
};

struct model {
	struct model_config config;
	size_t dk;
	double c;			/* scale of the content term */
	double gain;			/* of W_q, where units are not scaled */
	size_t beside;			/* columns that only positions have; 0: they are added */
	const struct member *scaled_by; /* who set c, or NULL */
	const struct member *members;
	size_t n_members;
	struct leaf *leaves;
	size_t n_leaves, cap_leaves;
	struct step steps[2 * MODEL_MAX_LAYERS];
	size_t n_steps;
	size_t weights_of[MODEL_MAX_LAYERS]; /* a layer's own, unless `schedule` shares one */
	const struct given *given;
	/* After an error of model_build: the given tensor whose shape was the reason, or NULL. */
	const struct tensor *misfit;
	bool transposed; /* its transpose would fit */
	bool too_large;	 /* or the reason was config.memory, which the learned numbers exceed */
	struct arena *arena;
};

/* Builds weights and leaves for members[0..n) (which must outlive the model). Errors: heads that do
 * not divide d, two members that set c differently, tensors that do not fit. */
bool model_build(struct model *model, const struct model_config *config,
		 const struct member *members, size_t n, const struct given *given, struct arena *a,
		 struct err *err);

/* Names of the weights of a layer, "w_q" first; NULL behind the last. */
const char *model_weight_name(size_t i);
/* Whether the file gives this weight, "w_q", to every layer: none is drawn. */
bool model_weight_is_given(const struct model *model, const char *name);
/* Whether a tensor of this name is one of the model's weights. */
bool model_takes_weight(const struct model *model, const char *tensor);
/* Of given weights nothing is missing beside what is there: w_q w_k w_v come together, w_ff1 and w_ff2
 * too, and what one layer has all have. */
bool model_weights_whole(const struct model *model, struct err *err);

/* Columns of the part that a member of these hooks adds to the units: d, or those beside them. */
size_t model_part_width(const struct model *model, const struct hooks *hooks);

/* Number of learned numbers the members brought (not the weights of the model itself), and how many of
 * these are frozen. */
size_t model_position_parameters(const struct model *model);
size_t model_frozen_parameters(const struct model *model);

struct leaf *model_find_leaf(const struct model *model, const struct member *m, const char *base,
			     size_t layer); /* NULL when there is none */

/* N(0,1) from (seed, text): equal texts get equal rows. text[i] has len[i] bytes. */
struct mat model_units(struct arena *a, const struct model_config *config, const char *const *text,
		       const size_t *len, size_t n);

/* Parts that depend on parameters and lengths only, kept between evaluations. Thread-safe. */
struct cache;
enum { CACHE_BYTES = 256 << 20 }; /* of the programs' own */
struct cache *cache_new(size_t limit_bytes);
void cache_free(struct cache *cache);
/* Says how many bytes the results of earlier evaluations still take: like what is cached they count
 * against the memory of the next one. */
void cache_hold(struct cache *cache, size_t bytes);
/* Numbers that took evaluations to find, kept by a key that names all they depend on. False when
 * there are none; NULL keeps nothing. */
bool cache_recall(struct cache *cache, const char *key, double *out, size_t n);
void cache_remember(struct cache *cache, const char *key, const double *numbers, size_t n);
/* Between enter and leave what is found stays where it is. NULL is an empty cache. */
void cache_enter(struct cache *cache);
void cache_leave(struct cache *cache);
/* What lies in an arena of its own, which the cache takes over; false: it has no room, or has one of that
 * key, and the arena stays the caller's. And what is kept by a key; NULL: nothing. */
bool cache_adopt(struct cache *cache, const char *key, const void *block, struct arena *own);
const void *cache_block(struct cache *cache, const char *key);

/* The member whose matrix has other keys than queries: it is looked at, nothing is computed. NULL: none has. */
const struct member *model_looked_at(const struct model *model);

/* Bytes that an evaluation of this input will take at most, about. */
size_t model_estimate(const struct model *model, const struct model_input *in,
		      const struct want *want);

/* Heads that a run with these wants evaluates, each step's and the probe's, at most: what a watch counts. */
size_t model_heads_to_run(const struct model *model, const struct want *want);

/* Runs the model. Results come from `a`. `cache` and `watch` may be NULL; when that is cancelled
 * the run ends early with false and trace->cancelled. Refuses above config.memory. */
bool model_run(const struct model *model, const struct model_input *in, const struct want *want,
	       struct cache *cache, struct watch *watch, struct arena *a, struct trace *trace,
	       struct err *err);

/* The same with recording on, for learning: returns the last layer's output [n,d] as a node of
 * `tape`, or NULL. `run` stays valid as long as the tape's arena: heads and leaves can be read. */
struct node *model_record(const struct model *model, const struct model_input *in,
			  struct tape *tape, struct run **run, struct err *err);
/* How much of a run is recorded. */
struct record {
	long step;    /* the last one, which ends with its weights; -1: all, to the last output */
	long head;    /* of that step this one alone is evaluated, if heads do not mix; -1: all */
	bool inputs;  /* the units take a gradient, and position vectors */
	bool frozen;  /* what is frozen is recorded too */
	bool bounded; /* it ends where it takes more than config.memory */
	struct watch *watch; /* or NULL */
};
bool model_record_part(const struct model *model, const struct model_input *in,
		       const struct record *what, struct tape *tape, struct run **run,
		       struct err *err);
/* Bytes that such a run and a walk backwards will take at most, about. */
size_t model_record_estimate(const struct model *model, const struct model_input *in,
			     const struct record *what);
/* Nodes of a recorded run, with their gradients after tape_backward; NULL where there is none: of a leaf; of a
 * head's logits, its weights on the first plane, and its context; of the last output. */
struct node *run_leaf_node(struct run *run, const struct leaf *leaf);
struct node *run_logits_node(struct run *run, size_t step, size_t head);
struct node *run_weights_node(struct run *run, size_t step, size_t head);
struct node *run_context_node(struct run *run, size_t step, size_t head);
struct node *run_output_node(struct run *run);
/* Of a run with `inputs`: the units as they went in [in->axis.n, d]; and a leaf of zeros that is added to the
 * position vectors of members wherever they enter: [n, d], or as many columns as stand beside the units. Its
 * gradient is theirs. */
struct node *run_unit_node(struct run *run);
struct node *run_position_node(struct run *run);

#endif
