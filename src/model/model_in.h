/* model_in.h: declarations that the files of the model share: the private half of a run. */
#ifndef POSVIZ_MODEL_IN_H
#define POSVIZ_MODEL_IN_H

#include <pthread.h>

#include "posviz/math/blas_memory.h"
#include "posviz/model/cache_bytes.h"
#include "posviz/model/record.h"
#include "posviz/model/stage.h"

/* The sizes of a weight: d, all heads' queries, keys, values and contexts side by side, d_ff. */
enum weight_size {
	SIZE_ONE,
	SIZE_D,
	SIZE_Q,
	SIZE_K,
	SIZE_V,
	SIZE_CONTEXT,
	SIZE_FF,
	SIZE_EXPERTS,
	SIZE_SHARED,
	SIZE_EMBED
};

/* A row for each weight of a layer: its name in files, its shape, and whether it exists when no
 * file gives it. */
struct weight_row {
	const char *name;
	enum weight_size rows, cols;
	bool always;
};
extern const struct weight_row weight_rows[WEIGHT_COUNT];

/* Data that a member asked for: an index matrix, the rows of a table, and the like. */
struct memo {
	const struct member *member;
	const char *name;
	const void *at;
	struct arena own; /* holds the data, if it is not in the run's arena */
	struct memo *next;
};

struct mask_entry {
	uint64_t members; /* the members whose masks are in it */
	uint8_t *allowed; /* NULL: they forbid nothing */
};

struct run_private {
	const struct want *want;
	struct trace *trace;	     /* NULL when recording */
	const struct record *record; /* its extent, when recording */
	struct head **recorded;	     /* [n_steps] the heads of each step; NULL: not reached */
	struct node *unit,
		*nudge;		/* the leaf for record->inputs; NULL: not wanted, or not made yet */
	bool nudged;		/* already used in this step */
	struct parts summed_of; /* the parts summed last in this step, and their sum; NULL: none */
	struct node *summed;
	struct cache *cache;
	struct watch *watch;
	struct arena *keep;	/* the caller's arena, for what the trace keeps */
	struct axis units_kept; /* the units, as the trace keeps them */
	pthread_mutex_t keep_lock;
	bool probe_pass;      /* layer 1 up to its logits, for the bias */
	bool hidden;	      /* the attention that is not looked at: nothing of it is kept */
	struct node **leaves; /* [model->n_leaves], made on demand */
	struct node *(*weights)[WEIGHT_COUNT]; /* [layers] */
	/* A source's weights of products, as [out, in], where a product alone is not enough: in a
	 * recorded run, or of the present layer if a member or the trace reads them. */
	struct node *(*turned)[WEIGHT_COUNT]; /* [layers] */
	bool unread; /* a weight could not be read, or a product with it was cancelled, */
	struct err why_unread;
	struct arena stream[ROOM_THREADS]; /* a block of a source's weight in each thread */
	struct arena layer_arena;	   /* holds these, and what the block needs meanwhile */
	size_t layer_read;		   /* 1 + the layer that is there; 0: none */
	const char *known; /* the key of known outputs; NULL: there are none of this run */
	struct memo *memos;
	const size_t *rows; /* [n_rows] rows of the wanted queries, ascending; NULL: all */
	size_t n_rows;
	const char *sizes_key; /* of cache keys; NULL: not made yet */
	void *state[MODEL_MAX_MEMBERS];
	struct mask_entry masks[MODEL_MAX_HEADS];
	size_t n_masks;
	struct arena *scratch; /* [workers] or [heads] */
	size_t n_scratch;
	struct err *head_err; /* [heads] */
	bool *head_ok;
	struct node *unit_q, *unit_k; /* bias pass: the units alone, projected */
	struct mat context;	      /* [n,h·dv], heads write their columns */
	const struct member *keys_by; /* the member that shortened the keys of this step; or NULL */
	const struct member *bias_by; /* the member that set k_bias or v_bias last; or NULL */
	const struct member *column_by
		[MODEL_MAX_COLUMNS]; /* the members that made the columns; NULL: the model itself */
};

double model_embed_scale(const struct model *model);

/* record_shared.c: rooms for the nodes of leaves and weights; what runs of one tape share, NULL: this is
 * no such run. */
struct node **record_leaves(const struct model *model, struct arena *a);
struct node *(*record_weights(const struct model *model, struct arena *a))[WEIGHT_COUNT];
struct record_shared *record_shared_of(const struct run *run);
/* A result that a member keeps under a name; it follows from positions and structure alone. */
struct record_memo {
	const struct member *member;
	const char *name;
	long layer; /* -1: of all */
	uint64_t input;
	const void *at;
	struct record_memo *next;
};
const void *record_shared_find(const struct run *run, const struct record_memo *of);
void record_shared_add(struct run *run, struct record_memo of, const void *at);
struct node *record_shared_node(struct run *run, struct record_memo of,
				struct node *(*build)(struct run *run, const struct member *m,
						      struct err *err),
				struct err *err);

/* identity_keys.c: returns W_k with the columns of heads whose keys are the token vectors replaced. */
struct node *weight_identity_keys(struct run *run, size_t layer, struct node *w_k);

/* Returns a weight of a layer, drawn or given; NULL if it does not exist. */
struct node *weight_node(struct run *run, size_t layer, enum weight which);
/* weight_is_scale returns whether a weight only multiplies and picks components. The others return x
 * times the present layer's weight, or times a head's columns of it, without making such a
 * matrix as wide as the model squared. */
bool weight_is_scale(const struct model *model, size_t layer, enum weight which);
/* Return the rows and columns of a weight, [in, out]. */
void weight_shape(const struct model *model, enum weight which, size_t *rows, size_t *cols);
/* Returns whether a layer without a file has this weight. */
bool weight_exists(const struct model *model, enum weight which);
/* Returns the number of numbers in a weight. */
double weight_numbers(const struct model *model, enum weight which);
struct node *weight_product(struct run *run, struct node *x, enum weight which);
/* weight_source.c: reads the weights of the present layer from the model's source, if it has one, and
 * forgets those of the layer before; those of the model, once. */
bool weights_enter(struct run *run, struct err *err);
bool weights_enter_model(struct run *run, struct err *err);
/* Between weights_aside and weights_back the run's tape makes its nodes in the memory of the layer, which is
 * forgotten with the layer's weights if a source brings these. weights_aside returns false for other runs,
 * whose tape stays. */
struct aside {
	struct tape own, *serial; /* NULL: nothing is aside */
};
bool weights_aside(struct run *run, struct aside *aside);
void weights_back(struct run *run, struct aside *aside);
/* Returns false if a weight that a product needed since could not be read. */
bool weights_were_read(const struct run *run, struct err *err);
/* Returns whether the present layer has the weight. */
bool weight_is_there(const struct run *run, enum weight which);
/* weight_stream.c: returns the number of numbers that such a product has at once beside its result. */
double weight_stream_numbers(const struct model *model, size_t layer, enum weight which, size_t n);
/* Returns n columns, from `first`, of x times a source's weight of the present layer.
 * After an error, of which weights_were_read tells, they are 0. */
struct mat weight_stream(struct run *run, struct arena *a, struct mat x, enum weight which,
			 size_t first, size_t n);
/* Return the number of numbers of the weights of a layer; and of those that a run of n tokens has at
 * once, if a source brings them. */
double weights_of_layer(const struct model *model);
double weights_at_once(const struct model *model, size_t n, const struct want *want);

/* known_outputs.c: begins once the units and positions are made; takes the output of the present step
 * if it is known and nothing of its heads is wanted, else NULL; keeps it, after a step that began with
 * these counts of the tape. */
void known_outputs_begin(struct run *run);
struct node *known_outputs_take(struct run *run);
void known_outputs_keep(struct run *run, double operations, double multiply_adds);
/* Return a hash that goes on from `h`. */
uint64_t digest_numbers(uint64_t h, const double *at, size_t n);
uint64_t digest_text(uint64_t h, const char *text);

/* block.c: norms of the parts of a stream, whose sum is the norm of their sum: with several parts
 * its statistic is taken as it is. */
void block_norm_parts(struct run *run, struct parts *x, enum weight scale, enum weight shift);
/* The norm of the sum of token vectors and positions, and the projection behind it. */
void block_embedding(struct run *run, struct parts *x);
/* Returns whether the attention of the present layer reads its input through LN1. */
bool block_reads_normed(const struct run *run);
/* Norms the parts that the attention reads, if it reads them so. */
void block_norm_input(struct run *run, struct parts *x);
struct node *block_norm(struct run *run, struct node *x, enum weight scale, enum weight shift);
/* Returns the sum behind the first attention of a decoder's layer, ORDER_POST or ORDER_PRE. */
struct node *block_attended(struct run *run, struct node *context);
/* Returns the output of the layer. */
struct node *block_output(struct run *run, struct node *context);
/* Apply the activation; x·W + b of the present layer; x itself if there is no W. */
struct node *block_activated(struct run *run, struct node *x);
struct node *block_linear(struct run *run, struct node *x, enum weight w, enum weight b);

/* experts.c: returns whether the present layer has a mixture of experts, and computes it; of an error
 * weights_were_read tells. */
bool experts_are_in(struct run *run);
struct node *experts_feed(struct run *run, struct node *x);
struct node *weight_head_product(struct head *head, struct node *x, enum weight which);
/* Returns the columns of W_q, W_k or W_v, or of rows as wide, that a head reads. */
struct node *weight_head_slice(struct head *head, struct node *w, enum weight which);
/* Returns keys or values, or their weights, with a key head's columns once for each head that reads
 * it; x itself for other weights. */
struct node *weight_repeat(struct run *run, struct node *x, enum weight which);

/* Keeps the relation of the first member that has one in the trace, if it is wanted. */
bool keep_relation(struct run *run, struct err *err);

/* leaf_tensor.c: finds the tensor of that name, or rows of it: "NAME[1:12]", "NAME[0,3,5:]", its numbers
 * plus 1, "NAME+1", rows as columns, "NAME^T", or the halves of latent attention, "NAME&NAME"; NULL: there is none. Without `numbers` rows have a shape alone. */
bool leaf_tensor_find(const struct tensor_set *set, const char *spec, bool numbers, struct arena *a,
		      const struct tensor **out, struct err *err);
/* Converts a convolution's [out, in, taps], the layout of PyTorch, to the leaf [taps·in, out], of
 * the shape alone if `t` has no numbers; returns any other tensor unchanged. */
const struct tensor *leaf_tensor_kernel(const struct tensor *t, size_t taps, size_t rows,
					size_t cols, struct arena *a);

/* Returns a tensor [rows, heads, columns of a head] as a matrix [rows, cols]; any other unchanged. */
const struct tensor *leaf_tensor_heads(const struct tensor *t, size_t rows, size_t cols,
				       struct arena *a);

/* Returns false, with "params: FILE: " in front of the error; the file may be unknown. */
bool given_blame(struct err *err, const char *kind, const char *file);

/* Checks the shapes of all given weights at build time. */
bool weight_check(struct model *model, struct err *err);

/* Computes the attention of one step; *context stays NULL if a recorded run ends with the
 * weights. */
bool attend(struct run *run, struct node **context, struct err *err);
/* Returns whether a recorded run ends with the weights of the present step. */
bool record_ends(const struct run *run);
/* Returns whether the context of the present step is read: by the trace, or by the next layer. */
bool needs_context(const struct run *run);

/* head_acts returns whether m acts on this head of the present layer; FOR_HOOKS goes over the
 * members that have a hook of a stage and act. */
bool head_acts(const struct head *head, const struct member *m);
#define FOR_HOOKS(head, m, stage)                                              \
	for (const struct member *m = (head)->run->model->members,             \
				 *m##_end = m + (head)->run->model->n_members; \
	     m < m##_end; m++)                                                 \
		if (m->hooks->stage && head_acts(head, m))

/* compatible.c: members that exclude each other, refused in one line that names both: when the
 * model is built; before the project hook of a member that shortens keys; after any project
 * hook; and after all. */
bool compatible_check(const struct model *model, struct err *err);
bool compatible_may_shorten(const struct run *run, const struct member *m, struct err *err);
bool compatible_projected(struct run *run, const struct member *m, struct err *err);
bool compatible_check_keys(const struct run *run, struct err *err);
/* Returns the number of planes of weights of a head, and the member that has them; NULL for one
 * plane. */
size_t compatible_planes(const struct head *head, const struct member **whose);
/* Returns false. If a hook of m failed, adds to its error the member that made the positions it
 * reads. */
bool compatible_failed(const struct run *run, const struct member *m, struct err *err);
/* Records m as the maker of the columns that differ from those `before` its hook was called. */
void compatible_record_columns(struct run *run, const struct member *m,
			       const struct column *before);
/* Sets the error for a member whose column is missing, or is one number where three were given. */
void compatible_no_column(const struct run *run, const struct member *m, struct err *err);

/* logits.c: runs the qk stage, in which members transform head->q and head->k. */
bool head_qk(struct head *head, struct err *err);
/* Runs the content hooks, which set head->logits; if these stay NULL, c·q·kᵀ is the content. */
bool head_content(struct head *head, struct err *err);

/* Returns the member that makes the weights of a head, so that it has no logits; NULL: it has
 * logits. */
const struct member *head_without_logits(const struct head *head);
/* Runs all stages up to the logits; may be called again with the same result. */
bool head_to_logits(struct head *head, struct err *err);
/* The parts of head_to_logits: take q, k and v and keep them; begin with c·q·kᵀ; add the
 * members' biases; run the hooks that adjust the sum. */
bool head_take_qkv(struct head *head, struct err *err);
bool head_begin(struct head *head, struct err *err);
struct node *head_dot(struct head *head);
bool head_biases(struct head *head, struct err *err);
bool head_adjust(struct head *head, struct err *err);

/* attend_rows.c: a head evaluated block by block of its queries; the logits and weights of each
 * block are freed. An addition is a term that is added to the logits: */
struct addition {
	struct node *at;
	struct node *vectors; /* `at` times these is the table; NULL: `at` is */
	bool turned;
	const struct index
		*index; /* `at` is a table that it reads; NULL: `at` is the term itself */
	enum gather how;
	double scale;
	const struct member *by;
	struct addition *next;
};
/* Return whether this member allows evaluation in blocks; and whether all of a head, and the
 * results wanted of it, do. */
bool rows_allow(const struct member *m);
bool rows_fit(const struct head *head);
/* Returns the largest number of queries in a block for this many keys. */
size_t rows_per_block(size_t keys);
/* Writes the context into private->context. */
bool rows_attend(struct head *head, struct err *err);
/* Determines the units that the want's places belong to, when the units are known. */
void rows_choose(struct run *run);
/* rows_are_enough returns whether a head can be computed for the wanted queries alone; rows_pick
 * computes and keeps them. */
bool rows_are_enough(const struct head *head);
bool rows_pick(struct head *head, struct err *err);
/* While additions are collected: stores one for the blocks. */
bool rows_take(struct head *head, struct addition addition);
/* Computes the logits of the present block again with a check after every member. */
bool rows_search_again(struct head *head);

/* finite.c: numbers that are not finite, refused with their location: logits when they are added
 * up, and after a hook of m that mixed those of all heads. */
bool finite_logits(struct head *head, struct err *err);
/* Called after a softmax met a number that is not finite in logits that were not checked:
 * computes the logits again with checks. */
bool finite_again(struct head *head, struct err *err);
bool finite_mixed(struct head *head, const struct member *m, struct err *err);
bool finite_weights(struct head *head, struct err *err);
bool finite_context(const struct head *head, struct err *err);
bool finite_bias(struct head *head, struct mat bias, struct err *err);
/* Checks rows of units, or of keys: "the input". */
bool finite_rows(const struct run *run, const struct axis *axis, const struct node *x,
		 const char *what, struct err *err);
/* Records m during such a search if the logits are not finite after it. */
void finite_record(struct head *head, const struct member *m);

/* attend.c: needs_values returns whether the values of this step are read by anyone; head_values
 * computes weights·v, plane by plane. */
bool needs_values(const struct run *run);
bool head_values(struct head *head, struct err *err);
/* Checks the complete context, and keeps it if it is wanted. */
bool head_keep_context(struct head *head, struct err *err);

/* trace_step.c: keeps what is wanted of the serial stages: the units; the keys of this step, if they are
 * not the units; the input and the weights of the attention that is looked at; the output of a
 * layer; and behind the last one that of the model, behind its final norm. */
void trace_step_start(struct run *run);
void trace_step_keys(struct run *run);
void trace_step_input(struct run *run);
void trace_step_output(struct run *run, const struct node *output);
void trace_step_last(struct run *run, size_t index, struct node *output);

/* trace_head.c: copies the wanted results of this head. */
bool trace_wants(const struct head *head);
/* Returns whether one of these matrices of this head is read: in the trace, or by the want's
 * sink. */
bool trace_sees(const struct head *head, unsigned kinds);
struct trace_head *trace_of_head(const struct head *head);
void trace_keep_queries(const struct head *head, struct mat *to,
			const struct node *from);		 /* with a row for each unit */
void trace_tell(const struct head *head, struct trace_head now); /* the want's sink */
void trace_qkv(struct head *head);
void trace_mask(struct head *head);
/* Keeps the logit of no key in the softmax, if the head is wanted and has one. */
void trace_sink(const struct head *head);
/* Functions for the wanted queries alone: trace_rows allocates a matrix [n_rows, keys];
 * trace_bias_of_rows computes the bias if the head's logits are those of head->rows of the
 * probe. */
void trace_probed_mask(struct head *head);
struct mat trace_rows(const struct head *head, struct mat *to);
bool trace_bias_of_rows(struct head *head, struct mat kept, struct err *err);
void trace_logits(struct head *head);
/* written.c: keeps the summands of the complete context. */
void trace_written(struct head *head);
/* Keeps a matrix as it is, of keys or of rows of a table. */
void trace_keep(const struct head *head, struct mat *to, struct mat from);
bool trace_probed(struct head *head, struct err *err); /* the end of the pass on the probe */

/* kept.c: with WANT_KEPT, keeps the inputs of the projections and what is added to them, and a
 * residual that a hook changed. */
void keep_projected(struct run *run);
void keep_residual(struct run *run, const struct node *before);

/* Keeps a term separately; when the array is full, the last one becomes the sum of the rest. */
void head_keep_term(struct head *head, const char *label, enum term_kind kind, struct node *at);

/* estimate.c: returns how many workers fit into the remaining memory; 0 with an error when not
 * even one does. */
size_t estimate_workers(const struct model *model, const struct model_input *in,
			const struct want *want, struct cache *cache, struct err *err);

/* Returns whether the recording so far is within its limit. */
bool record_fits(const struct run *run, struct err *err);

/* segment_memory.c: checks that the units at the front are the same as when computed alone, and
 * that those after them depend on no other units: otherwise keys and values kept of them would
 * be wrong. */
bool memory_check(const struct model *model, const struct model_input *in, struct cache *cache,
		  struct watch *watch, struct err *err);
/* Masks, for the units of a memory, all keys after it. */
void memory_forbid(struct head *head);
/* Returns the rows of the queries of a matrix that has one for each unit. */
struct mat memory_skip(const struct run *run, struct mat m);

/* axis.c: copies an axis and makes names. */
void axis_copy(struct arena *a, struct axis *to, const struct axis *from);
/* Copies some units of an axis; their texts are shared with it. */
void axis_pick(struct arena *a, struct axis *to, const struct axis *from, const size_t *at,
	       size_t n);

/* steps.c: runs all stages in order. */
bool run_steps(struct run *run, struct err *err);

/* run.c: runs one pass over the stages with working memory of its own. */
bool run_pass(const struct model *model, const struct model_input *in, const struct want *want,
	      bool probe_pass, size_t workers, struct cache *cache, struct watch *watch,
	      struct arena *keep_in, struct trace *trace, struct err *err);
void run_prepare_trace(const struct model *model, const struct want *want, struct arena *a,
		       struct trace *trace);

/* cache.c; see cache_enter. */
bool cache_get(struct cache *cache, const char *key, struct mat *out);
void cache_put(struct cache *cache, const char *key, struct mat m);
/* Works like cache_adopt for a matrix. */
bool cache_take(struct cache *cache, const char *key, struct mat m, struct arena *own);

static inline bool member_on(const struct member *m, size_t layer)
{
	return subset_has(&m->layers, layer);
}

/* looked_at.c: model_run for such a member. */
bool run_looked_at(const struct model *model, const struct member *m, const struct model_input *in,
		   const struct want *want, struct arena *a, struct trace *trace, struct err *err);

/* Returns whether the leaf takes a gradient in this run. */
static inline bool run_records(const struct run *run, const struct leaf *leaf)
{
	const struct record *const record = run->private->record;
	return run->tape->recording && (!leaf->frozen || (record && record->frozen));
}

/* ---- leaf_fill.c --------------------------------------------------------------------------- */

/* A leaf of more numbers is drawn when it is read: a picture of one layer needs none of the others. */
enum { LEAF_AT_ONCE = 1 << 16 };

/* Returns the number of large learned numbers that are drawn already, beside tables read by rows. */
double leaves_drawn(const struct model *model);
/* Returns the number of learned numbers of the model's steps that files gave, as read and, if they are stored in another
 * layout, as converted. */
double leaves_given(const struct model *model);

struct leaf_late {
	struct leaf_init init;
	double *at;  /* NULL: not drawn yet */
	size_t rows; /* that are drawn, the first; of a leaf that is not made by rows all */
};

/* The lock of leaves that are drawn when they are read; one thread may take it several times. */
void leaf_lock(void);
void leaf_unlock(void);

/* leaf_kept.c: leaf_is_kept returns whether the numbers of such a leaf follow from seed, name, rule and size.
 * leaf_kept returns them, drawn now or for an earlier model; they are shared, and stay as long as the model. */
bool leaf_is_kept(const struct leaf_init *init);
/* Frees leaves that no model has where they and a run that needs so many bytes exceed the model's memory. */
void leaf_make_room(const struct model *model, size_t need);
struct mat leaf_kept(const struct model *model, const struct leaf *leaf,
		     const struct leaf_init *init);

/* Fills `at`, of the leaf's columns, and of its rows unless it is made by rows. */
void leaf_fill(const struct model *model, const struct leaf *leaf, struct mat at,
	       struct leaf_init init);

#endif
