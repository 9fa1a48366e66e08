/* model_in.h: what the files of the model share: the hidden half of a run. */
#ifndef POSVIZ_MODEL_IN_H
#define POSVIZ_MODEL_IN_H

#include <pthread.h>

#include "posviz/model/stage.h"

enum weight {
	W_Q,
	W_K,
	W_V,
	B_Q,
	B_K,
	B_V,
	W_O,
	B_O,
	LN1_WEIGHT,
	LN1_BIAS,
	W_FF1,
	B_FF1,
	W_FF2,
	B_FF2,
	LN2_WEIGHT,
	LN2_BIAS,
	WEIGHT_COUNT
};

/* One row per weight of a layer: its name in files, its shape, and whether it exists when no file
 * gives it. */
struct weight_row {
	const char *name;
	enum { SHAPE_DD, SHAPE_D, SHAPE_DF, SHAPE_F, SHAPE_FD } shape;
	bool always;
};
extern const struct weight_row weight_rows[WEIGHT_COUNT];

/* An index matrix, the rows of a table, or whatever else a member asked for. */
struct memo {
	const struct member *member;
	const char *name;
	const void *at;
	struct arena own; /* where that lies, if not in the run's */
	struct memo *next;
};

struct mask_entry {
	uint64_t members; /* whose masks are in it */
	uint8_t *allowed; /* NULL: they forbid nothing */
};

struct run_private {
	const struct want *want;
	struct trace *trace;	     /* NULL when recording */
	const struct record *record; /* then: how much */
	struct head **recorded;	     /* [n_steps] the heads of each step; NULL: not reached */
	struct node *unit,
		*nudge; /* what record->inputs wants; NULL: it is not wanted, or not there */
	bool nudged;	/* in this step */
	struct parts
		summed_of; /* what was summed last in this step, and the sum; NULL: nothing was */
	struct node *summed;
	struct cache *cache;
	struct watch *watch;
	struct arena *keep;	/* the caller's arena, for what the trace keeps */
	struct axis units_kept; /* the units, as they are kept there */
	pthread_mutex_t keep_lock;
	bool probe_pass;      /* layer 1 up to its logits, for the bias */
	struct node **leaves; /* [model->n_leaves], made on demand */
	struct node *weights[MODEL_MAX_LAYERS][WEIGHT_COUNT];
	struct memo *memos;
	const size_t *rows; /* [n_rows] units whose queries are wanted, ascending; NULL: all */
	size_t n_rows;
	const char *sizes_key; /* of cache keys; NULL: not printed yet */
	void *state[MODEL_MAX_MEMBERS];
	struct mask_entry masks[MODEL_MAX_HEADS];
	size_t n_masks;
	struct arena *scratch; /* [workers] or [heads] */
	size_t n_scratch;
	struct err *head_err; /* [heads] */
	bool *head_ok;
	struct node *unit_q, *unit_k; /* bias pass: the units alone, projected */
	struct mat context;	      /* [n,d], heads write their columns */
	const struct member *keys_by; /* who shortened the keys of this step; or NULL */
	const struct member *bias_by; /* who set k_bias or v_bias last; or NULL */
	const struct member *column_by[MODEL_MAX_COLUMNS]; /* NULL: the model itself */
};

double model_embed_scale(const struct model *model);

/* Drawn or given weights of a layer; NULL for those that do not exist. */
struct node *weight_node(struct run *run, size_t layer, enum weight which);
/* True of a weight that is a multiple of the identity; and x times the present layer's, or its columns of a head:
 * a matrix as wide as the model squared is not made for that then. */
bool weight_is_scale(const struct model *model, size_t layer, enum weight which);
struct node *weight_product(struct run *run, struct node *x, enum weight which);
struct node *weight_head_product(struct head *head, struct node *x, enum weight which);

/* The relation of the first member that has one, for the trace when it is wanted. */
bool keep_relation(struct run *run, struct err *err);

/* leaf_tensor.c: the tensor of that name, or rows of it: "NAME[1:12]", "NAME[0,3,5:]"; NULL: there is none. */
bool leaf_tensor_find(const struct tensor_set *set, const char *spec, struct arena *a,
		      const struct tensor **out, struct err *err);
/* A convolution's [out, in, taps], as PyTorch has it, as the leaf [taps·in, out]; any other as it is. */
const struct tensor *leaf_tensor_kernel(const struct tensor *t, size_t taps, size_t rows,
					size_t cols, struct arena *a);

/* False, with "params: FILE: " in front of the error; the file may be unknown. */
bool given_blame(struct err *err, const char *kind, const char *file);

/* Checks the shapes of all given weights at build time. */
bool weight_check(struct model *model, struct err *err);

/* The attention of one step; *context stays NULL where a recorded run ends with the weights. */
bool attend(struct run *run, struct node **context, struct err *err);
/* Whether a recorded run ends with the weights of the present step. */
bool record_ends(const struct run *run);
/* Whether somebody reads the context of the present step: the trace, or the next layer. */
bool needs_context(const struct run *run);

/* Whether m acts on this head of the present layer; and the members' hooks of a stage that do. */
bool head_acts(const struct head *head, const struct member *m);
#define FOR_HOOKS(head, m, stage)                                              \
	for (const struct member *m = (head)->run->model->members,             \
				 *m##_end = m + (head)->run->model->n_members; \
	     m < m##_end; m++)                                                 \
		if (m->hooks->stage && head_acts(head, m))

/* compatible.c: members that cannot stand together, refused in one line that names both: when the model
 * is built; before the project hook of one that shortens keys; after any project hook; and after all. */
bool compatible_check(const struct model *model, struct err *err);
bool compatible_may_shorten(const struct run *run, const struct member *m, struct err *err);
bool compatible_projected(struct run *run, const struct member *m, struct err *err);
bool compatible_check_keys(const struct run *run, struct err *err);
/* Planes of weights of a head, and the member that has them; NULL for one plane. */
size_t compatible_planes(const struct head *head, const struct member **whose);
/* False, adding to the error of a hook of m who made the positions it reads. */
bool compatible_failed(const struct run *run, const struct member *m, struct err *err);
/* Keeps whose columns they are that are not as they were before a hook of m. */
void compatible_told_columns(struct run *run, const struct member *m, const struct column *before);

/* logits.c. The qk stage: members transform head->q and head->k. */
bool head_qk(struct head *head, struct err *err);
/* What the content hooks put in head->logits; NULL there: c·q·kᵀ is the content. */
bool head_content(struct head *head, struct err *err);

/* The member that gives the weights of a head, so that it has no logits; NULL: it has. */
const struct member *head_without_logits(const struct head *head);
/* All up to the logits; the same again does no harm. */
bool head_to_logits(struct head *head, struct err *err);
/* Its pieces: q, k and v, and what is kept of them; c·q·kᵀ; what members add to it; what looks at all of
 * that. */
bool head_take_qkv(struct head *head, struct err *err);
bool head_begin(struct head *head, struct err *err);
struct node *head_dot(struct head *head);
bool head_biases(struct head *head, struct err *err);
bool head_adjust(struct head *head, struct err *err);

/* attend_rows.c: a head block by block of its queries, its logits and weights forgotten with each. What is
 * added to logits: */
struct addition {
	struct node *at;
	struct node *vectors; /* at times these is the table; NULL: at is */
	bool turned;
	const struct index *index; /* at is a table that it reads; NULL: at is the term itself */
	enum gather how;
	double scale;
	const struct member *by;
	struct addition *next;
};
/* Whether this member leaves it possible; and all of a head, with what is wanted of that. */
bool rows_allow(const struct member *m);
bool rows_fit(const struct head *head);
/* Queries of a block beside this many keys, at most. */
size_t rows_per_block(size_t keys);
/* Writes the context into private->context. */
bool rows_attend(struct head *head, struct err *err);
/* Which units the want's places are, when the units are there. */
void rows_choose(struct run *run);
/* Whether a head can be made of the wanted queries alone; and all of it that is kept. */
bool rows_are_enough(const struct head *head);
bool rows_pick(struct head *head, struct err *err);
/* While additions are collected: puts one aside for the blocks. */
bool rows_take(struct head *head, struct addition addition);
/* The logits of the present block once more, looking after every member. */
bool rows_look_again(struct head *head);

/* finite.c: numbers that are not finite, refused with the place where they came up: logits when they
 * are added up, and after a hook of m that mixed those of all heads. */
bool finite_logits(struct head *head, struct err *err);
/* After a softmax that saw one which is not, unlooked: builds the logits again, looking. */
bool finite_again(struct head *head, struct err *err);
bool finite_mixed(struct head *head, const struct member *m, struct err *err);
bool finite_weights(struct head *head, struct err *err);
bool finite_context(const struct head *head, struct err *err);
bool finite_bias(struct head *head, struct mat bias, struct err *err);
/* Rows of units, or of keys: "the input". */
bool finite_rows(const struct run *run, const struct axis *axis, const struct node *x,
		 const char *what, struct err *err);
/* Remembers m when it was looked for and the logits are not finite after it. */
void finite_look(struct head *head, const struct member *m);

/* attend.c: weights·v, planes apart. */
bool head_values(struct head *head, struct err *err);
/* The context is whole: it is looked at, and kept where it is wanted. */
bool head_keep_context(struct head *head, struct err *err);

/* trace_head.c: copies of what is wanted of this head. */
bool trace_wants(const struct head *head);
/* Whether somebody sees one of these matrices of this head: in the trace, or by the want's sink. */
bool trace_sees(const struct head *head, unsigned kinds);
struct trace_head *trace_of_head(const struct head *head);
void trace_keep_queries(const struct head *head, struct mat *to,
			const struct node *from);		 /* of a row for each unit */
void trace_tell(const struct head *head, struct trace_head now); /* the want's sink */
void trace_qkv(struct head *head);
void trace_mask(struct head *head);
/* Of the wanted queries alone: a matrix [n_rows, keys] for their rows; the bias where the head's logits are
 * those of head->rows of the probe. */
void trace_probed_mask(struct head *head);
struct mat trace_rows(const struct head *head, struct mat *to);
bool trace_bias_of_rows(struct head *head, struct mat kept, struct err *err);
void trace_logits(struct head *head);
bool trace_probed(struct head *head, struct err *err); /* the end of the pass on the probe */

/* kept.c: with WANT_KEPT. What the projections read and what is added to them; a residual that is no
 * more what it was. */
void keep_projected(struct run *run);
void keep_residual(struct run *run, const struct node *before);

/* Keeps a term apart; when there is no room for more, the last one is the sum of the rest. */
void head_keep_term(struct head *head, const char *label, enum term_kind kind, struct node *at);

/* estimate.c: how many workers fit into the memory that is left; 0 with an error when not even one. */
size_t estimate_workers(const struct model *model, const struct model_input *in,
			const struct want *want, struct cache *cache, struct err *err);

/* Whether what is recorded so far is within its bound. */
bool record_fits(const struct run *run, struct err *err);

/* segment_memory.c: whether the units in front are what they are by themselves, and those behind them are made of
 * no others: else keys and values that were kept of them would be others. */
bool memory_check(const struct model *model, const struct model_input *in, struct cache *cache,
		  struct watch *watch, struct err *err);
/* The mask of a memory: what is in it sees nothing behind it. */
void memory_forbid(struct head *head);
/* The rows of the queries of a matrix that has one for each unit. */
struct mat memory_skip(const struct run *run, struct mat m);

/* axis.c: a copy with names. */
void axis_copy(struct arena *a, struct axis *to, const struct axis *from);
/* Some units of one that is kept, whose texts live as long. */
void axis_pick(struct arena *a, struct axis *to, const struct axis *from, const size_t *at,
	       size_t n);

/* steps.c: all stages in order. */
bool run_steps(struct run *run, struct err *err);

/* run.c: one pass over the stages with working memory of its own. */
bool run_pass(const struct model *model, const struct model_input *in, const struct want *want,
	      bool probe_pass, size_t workers, struct cache *cache, struct watch *watch,
	      struct arena *keep_in, struct trace *trace, struct err *err);
void run_prepare_trace(const struct model *model, const struct want *want, struct arena *a,
		       struct trace *trace);

/* cache.c; see cache_enter. */
bool cache_get(struct cache *cache, const char *key, struct mat *out);
void cache_put(struct cache *cache, const char *key, struct mat m);
/* As cache_adopt of a matrix. */
bool cache_take(struct cache *cache, const char *key, struct mat m, struct arena *own);
size_t cache_bytes(struct cache *cache); /* cached and held; 0 for NULL */

static inline bool member_on(const struct member *m, size_t layer)
{
	return subset_has(&m->layers, layer);
}

/* looked_at.c: model_run of such a member. */
bool run_looked_at(const struct model *model, const struct member *m, const struct model_input *in,
		   const struct want *want, struct arena *a, struct trace *trace, struct err *err);

/* True where the leaf takes a gradient in this run. */
static inline bool run_records(const struct run *run, const struct leaf *leaf)
{
	const struct record *const record = run->private->record;
	return run->tape->recording && (!leaf->frozen || (record && record->frozen));
}

#endif
