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

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/arena.h"
#include "posviz/err.h"
#include "posviz/mat.h"
#include "posviz/structure.h"
#include "posviz/tape.h"
#include "posviz/tensor.h"

struct model;
struct member;
struct model_input;
struct run;
struct head;
struct inject;
struct scheme;

enum {
	MODEL_MAX_LAYERS = 64,
	MODEL_MAX_HEADS = 64,
	MODEL_MAX_MEMBERS = 16,
	MODEL_MAX_PARTS = MODEL_MAX_MEMBERS + 2, /* the unit, and one of each member */
	MODEL_MAX_TERMS = 16,
	MODEL_MAX_COLUMNS = 12
};

/* ---- sizes and choices ------------------------------------------------------------------- */

enum projection { PROJ_IDENTITY, PROJ_TIED, PROJ_RANDOM, PROJ_COUNT };
extern const char *const projection_names[PROJ_COUNT]; /* identity tied random */

enum init { INIT_DEMO, INIT_PAPER, INIT_COUNT };
extern const char *const init_names[INIT_COUNT]; /* demo paper */

enum activation { ACT_RELU, ACT_GELU, ACT_COUNT };
extern const char *const activation_names[ACT_COUNT]; /* relu gelu */

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

/* ---- members and hooks ------------------------------------------------------------------- */

typedef bool run_hook(struct run *run, const struct member *m, struct err *err);
typedef bool head_hook(struct head *head, const struct member *m, struct err *err);

/* One optional function per stage. Run hooks see all heads and are called in one thread; head hooks
 * are called for each head the member acts on, possibly in parallel: they read what `prepare` made
 * (run_state) and write only to their head. */
struct hooks {
	bool (*declare)(struct model *model, const struct member *m, struct err *err); /* leaves */
	bool (*schedule)(struct model *model, const struct member *m, struct err *err);
	/* Columns at the end of X that what others add to the units has to itself; an error: 0. */
	size_t (*beside)(const struct model *model, const struct member *m, struct err *err);
	double (*scale)(const struct model *model, const struct member *m); /* c; 0: no opinion */

	/* Which encodings of pairs enter by which tables, and where: at most INJECT_MAX. Read by the
	 * hooks of scheme/inject.h alone. */
	size_t (*injects)(const struct model *model, const struct member *m, struct inject *out);
	/* The encoding of pairs before it is embedded, for the view Relation; after positions. What it
	 * is of belongs to run->arena. Left with n = 0 there is none here, at positions between whole
	 * numbers. */
	bool (*relation)(struct run *run, const struct member *m, struct relation *out,
			 struct err *err);
	run_hook *units;     /* run_insert_unit */
	run_hook *positions; /* run_add_column, or rewrite a column */
	run_hook
		*embed; /* run_add_part, run_replace_x; before its first layer unless `recurring` */
	run_hook *project;	/* change run->xq, xk, xv; or q_bias, k_bias, v_bias */
	run_hook *prepare;	/* once per step: what heads share */
	head_hook *qk;		/* transform head->q and head->k */
	head_hook *mask;	/* head_mask, then clear bytes; must not depend on the units */
	head_hook *content;	/* instead of c·q·kᵀ: sets head->logits */
	head_hook *logits;	/* head_add_term, head_add_indexed */
	head_hook *adjust;	/* sees head->logits and terms with all of them in place */
	run_hook *adjust_heads; /* the same across heads: run->heads */
	head_hook *weights;	/* sets head->weights for plane head->plane */
	size_t (*planes)(const struct model *model, const struct member *m); /* default 1 */
	head_hook *values; /* head->context has weights·v; add to it or replace it */
	run_hook *block;   /* run->residual: change it or NULL */
	struct node *(*feed_forward)(struct run *run, const struct member *m, struct node *x);
	run_hook *finish; /* after the last step: run->outputs[n_steps] may be replaced */

	bool recurring;	   /* embed acts before every layer of its own */
	bool no_logits;	   /* weights do not come from q and k: no logits, no bias */
	bool nonlinear;	   /* embed or qk is not additive in X: no split into parts */
	bool mask_by_head; /* heads differ in their masks: none is shared */
	bool shortens;	   /* project mixes the keys down to fewer */
	bool any_keys; /* what follows project may have other keys than the units; else the model
			* refuses the member beside one that shortens them */
	bool content_of_units; /* content is made of q and k alone, so there is a bias beside it */
	bool modulates;	       /* qk or adjust multiplies: "unit–unit" is what is left of it */
	unsigned matrices;     /* n×n matrices of its own that are alive at once in a head */
	/* Bytes that it takes beside those for these kinds of enum want_kind, at most and about; NULL: none
	 * to speak of. */
	double (*memory)(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds);

	/* With these parameters: W_k is the identity on its heads; nothing acts but its mask; nothing
	 * multiplies, whatever `modulates` says; heads differ in their masks; nothing changes but q and
	 * k or what they are made of (NULL: so it is when qk is the only hook that acts on heads);
	 * content is made of what queries are made of. */
	bool (*identity_keys)(const struct member *m), (*only_mask)(const struct member *m),
		(*only_adds)(const struct member *m), (*masks_differ)(const struct member *m),
		(*only_qk)(const struct member *m), (*content_of_x)(const struct member *m);
};

struct member {
	const struct hooks *hooks;
	const struct scheme *scheme; /* for its own hooks: the model does not look into it */
	const void *param;	     /* the scheme's struct of parameters */
	const char *name;	     /* unique in the expression: "shaw", a second one "shaw#2" */
	const char *text;	/* "shaw(clip=4)": names cached parts and appears in messages */
	const char *pos;	/* position column it reads */
	uint64_t layers, heads; /* bit sets: where it acts */
	bool optional;		/* of a combination: may be for layers that a small model lacks */
	size_t index;
	size_t units;		   /* how many a file that it reads was made for; 0: any number */
	size_t n_heads;		   /* that the file has numbers for; 0: any number */
	const char *const *labels; /* [units] what the file calls them, escaped; or NULL */
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
};

struct leaf_init {
	enum fill fill;
	double value; /* standard deviation, half width, gain, or the constant; what `make` reads */
	const char *formula; /* of the value, in a table of leaves: as in scheme_value; or NULL */
	size_t taps; /* of a kernel [taps·in, out], in a file perhaps [out, in, taps]: told with `demo` */
	void (*make)(struct mat at, const struct leaf_maker *of); /* when set, fills the leaf */
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

/* ---- what goes in -------------------------------------------------------------------------- */

/* What a row or column of a matrix stands for. */
struct axis {
	size_t n;
	const char *const *labels; /* escaped */
	const long *token; /* index of the moving token behind the unit (its `place`), or -1 */
};

struct model_input {
	struct axis axis;
	struct mat units;	      /* [n,d] */
	const double *word, *segment; /* [n]: columns of positions from the text; NULL: all 0 */
	const double *position;	      /* [n]: the column seq, where it was given; NULL: 0..n-1 */
	size_t memory; /* units in front that are an earlier segment: they are computed by themselves,
			* kept as keys and values of each layer, and ask nothing */
	bool memory_hidden;    /* a trial: and nothing is seen of them */
	const double *reorder; /* of each token, by its place: where it stands in the re-ordered
				* sentence, from 0; NULL: none was given */
	size_t length;	       /* what a decoder is asked for, in tokens; 0: nothing */
	const struct structure *structure; /* NULL: none was given */
	const long *node; /* of each token, by its place (axis.token); goes with the structure */
	const char *shift_column; /* added to this column after the positions stage; NULL: none */
	double shift_by;
	struct mat words; /* [n,d]: the units for whoever reads what is said, where others stand in
			   * their place; at NULL: units */
	struct mat
		probe; /* [1,d]: the unit that stands at every place for the bias; at NULL: the bias is
	                   * taken on the real units */
};

/* N(0,1) from (seed, text): equal texts get equal rows. text[i] has len[i] bytes. */
struct mat model_units(struct arena *a, const struct model_config *config, const char *const *text,
		       const size_t *len, size_t n);

/* ---- what comes out ------------------------------------------------------------------------ */

enum want_kind {
	WANT_INPUT = 1 << 0, /* layer inputs and weights */
	WANT_QKV = 1 << 1,   /* q, k after the qk stage, q_raw, k_raw, v */
	WANT_TERMS = 1 << 2,
	WANT_LOGITS = 1 << 3,
	WANT_MASK = 1 << 4,
	WANT_WEIGHTS = 1 << 5,
	WANT_CONTEXT = 1 << 6,
	WANT_OUTPUT = 1 << 7,	   /* of every layer */
	WANT_BIAS = 1 << 8,	   /* logits of layer 1 before the mask minus unit–unit */
	WANT_POSITION = 1 << 9,	   /* position columns and vectors */
	WANT_MODULATION = 1 << 10, /* what members that multiply make of the content */
	WANT_RELATION = 1 << 11,   /* of the first member that has one here */
	WANT_KEPT = 1 << 12,	   /* what is made on the way, for who recomputes: trace.kept */
};

struct trace_head;

struct want {
	unsigned kinds;
	long layer, head; /* which ones are kept; -1: all */
	size_t plane;
	/* Called for every head of every wanted layer as its matrices become known, one at a time (bias,
	 * then logits, then weights; the others are empty), also for heads that are not kept; from
	 * several threads, distinct heads at once. The matrix is gone afterwards. NULL: none. */
	void (*sink)(void *context, size_t layer, size_t head, const struct trace_head *now);
	void *context;
};

enum term_kind {
	TERM_UNIT_UNIT,
	TERM_UNIT_POSITION,
	TERM_POSITION_UNIT,
	TERM_POSITION,
	TERM_OTHER
};

struct trace_term {
	const char *label; /* "unit–unit", "query–w_key" */
	enum term_kind kind;
	struct mat
		at; /* as added, scale included; "rest": what is in the logits beside the others */
};

struct trace_head {
	struct mat q, k, v, q_raw, k_raw;
	struct trace_term terms[MODEL_MAX_TERMS];
	size_t n_terms;
	struct mat logits;   /* before the mask */
	const uint8_t *mask; /* n_q·n_k, 1: allowed; NULL: all */
	struct mat weights, context;
	struct mat bias;
	/* With WANT_MODULATION, of heads on which a member multiplies: c·q·kᵀ before and after it; where
	 * it multiplies in the adjust stage, `after` is all logits. at NULL elsewhere. */
	struct mat before, after;
	/* The same as a factor, in layer 1, with the probe's unit at every place and nothing else in q
	 * and k: after / before. NaN where before is 0. */
	struct mat modulation;
};

enum { TRACE_WEIGHTS = 16 };

struct trace_layer {
	size_t layer; /* as in struct step */
	struct mat input, output;
	struct trace_weight {
		const char *name; /* "w_q" */
		struct mat at;
	} weights[TRACE_WEIGHTS]; /* with WANT_INPUT */
	size_t n_weights;
	struct trace_head *heads; /* [h] */
	size_t *allowed; /* [h] how many pairs each head may see; 0 of a step not reached */
};

struct column {
	const char *name;
	const double *at; /* [n] */
};

struct trace_kept {
	const char *name; /* as in a dump: "layer.0.part.position", "member.t5.index.bucket" */
	struct mat at;
};

struct trace {
	/* Of the n units the first `memory` are keys alone: queries are those behind them, and so the
	 * rows of all matrices but units, position_vectors, inputs, k and v, which have n. */
	struct axis query, key;
	size_t memory;
	struct column columns[MODEL_MAX_COLUMNS]; /* [n] */
	size_t n_columns;
	struct mat units; /* [n,d] */
	struct mat
		position_vectors; /* [n,d] what embed added in front of layer 1; at NULL: nothing */
	struct trace_layer *layers; /* one per step */
	size_t n_layers;
	size_t planes;
	double c;
	double operations;	  /* counted by the tape */
	const char *bias_absent;  /* why there is no bias, or NULL */
	struct relation relation; /* n 0: no member has one */
	struct spectrum spectrum; /* n 0: no member reads eigenvectors; of the first that does */
	struct trace_kept *kept;  /* with WANT_KEPT */
	size_t n_kept, cap_kept;
	const char *note;  /* what members say of this input, parted by "; "; or NULL */
	bool bias_is_mask; /* a pure mask: the bias panel shows the mask */
	bool split;	   /* terms split survey eq. 4; otherwise `split_absent` says why not */
	const char *split_absent;
	bool cancelled;
};

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

/* Bytes that an evaluation of this input will take at most, about. */
size_t model_estimate(const struct model *model, const struct model_input *in,
		      const struct want *want);

/* Runs the model. Results come from `a`. `cache` and `cancel` may be NULL; when *cancel becomes true
 * the run ends early with false and trace->cancelled. Refuses above config.memory. */
bool model_run(const struct model *model, const struct model_input *in, const struct want *want,
	       struct cache *cache, const atomic_bool *cancel, struct arena *a, struct trace *trace,
	       struct err *err);

/* The same with recording on, for learning: returns the last layer's output [n,d] as a node of
 * `tape`, or NULL. `run` stays valid as long as the tape's arena: heads and leaves can be read. */
struct node *model_record(const struct model *model, const struct model_input *in,
			  struct tape *tape, struct run **run, struct err *err);
/* The node of a leaf in a recorded run (its gradient after tape_backward); NULL when not used. */
struct node *run_leaf_node(struct run *run, const struct leaf *leaf);

#endif
