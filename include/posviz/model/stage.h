/* stage.h: what the hooks of a scheme see of a run, stage by stage, and what they may ask of it.
 *
 * `struct run` is an evaluation in progress, `struct head` one head of the present step. Hooks take and
 * return tape nodes; what each stage may read and write stands beside the hook in hooks.h. */
#ifndef POSVIZ_STAGE_H
#define POSVIZ_STAGE_H

#include "posviz/model/model.h"

struct part {
	const char *label; /* "unit", "position" */
	struct node *at;   /* [n,d] */
};

struct parts {
	struct part at[MODEL_MAX_PARTS];
	size_t n;
};

struct run {
	const struct model *model;
	const struct model_input *in;
	struct tape *tape;   /* of the serial stages */
	struct arena *arena; /* lives until the evaluation ends */
	size_t n;	     /* queries; keys->n keys */
	struct axis *queries, *keys;
	struct node *units; /* U [n,d] after the units stage */
	struct column columns[MODEL_MAX_COLUMNS];
	size_t n_columns;

	size_t step_index;
	const struct step *step;
	size_t layer;			       /* step->layer */
	struct parts x;			       /* the query stream of this step, as parts */
	struct parts xq, xk, xv;	       /* inputs of the projections */
	struct node *q_bias, *k_bias, *v_bias; /* added after projection, [1,d] or [n,d]; or NULL */
	struct node *q, *k, *v;		       /* [n,d] */
	struct node *residual;
	struct head *heads;    /* [h], all alive only in adjust_heads */
	struct node **outputs; /* [0]: the embedded units, [i+1]: output of step i */
	struct run_private *private;
};

struct term {
	const char *label;
	enum term_kind kind;
	double weight; /* of its member; `at` has it in it */
	struct node *at;
};

struct head {
	struct run *run;
	size_t index;
	struct tape *tape;	    /* this head's own; nodes of run->tape may be operands */
	struct node *q, *k, *v;	    /* [n,dk]; qk may change width */
	struct node *q_raw, *k_raw; /* before the qk stage */
	uint8_t *allowed;	    /* n_q·n_k, 1: allowed; NULL: everything */
	struct term terms[MODEL_MAX_TERMS]; /* when terms are kept apart; terms[0] is unit–unit */
	size_t n_terms, n_content;	    /* the first of them are what q and k make */
	bool split;			    /* terms are kept apart, beside their sum */
	bool without_dot; /* set in qk: there is no c·q·kᵀ, the logits start from 0 */
	const struct member
		*acting; /* in logits, adjust and values: whose hook is called; or NULL */
	const struct member *widened_by; /* who gave q or k another width than dk; or NULL */
	bool careful, spoiled; /* the model looks for who spoils the logits; it was found */
	bool unlooked;	       /* whether the logits are finite is left to the softmax */
	const struct member *spoiled_by; /* NULL: the product of q and k itself */
	struct node *logits;		 /* before the mask; the sum of all terms so far */
	struct node *weights;
	struct node *plane_weights; /* those of the plane that is wanted */
	size_t plane;		    /* whose weights; before that stage the one that is wanted */
	struct node *context;	    /* [n,dk] */
	/* The queries it is about at present: all, or a block of them. Then n is `rows` in all that has a row
	 * for each query: q, q_raw, allowed, logits, weights, context. */
	size_t first, rows;
	struct blocks *blocks; /* it is taken block by block: attend_rows.c; or NULL */
};

/* units: puts a unit before index `at` (at == n: behind the last). */
void run_insert_unit(struct run *run, size_t at, const char *label, struct node *vector);
/* units: only these stay, n > 0 rows of the present units, in this order. */
void run_select_units(struct run *run, const size_t *rows, size_t n);

/* positions. The columns `seq` (0..n-1, unless given; then `place` is that), `remaining` (n - t), `word`,
 * `segment` are always there. */
const double *run_column(const struct run *run, const struct member *m, struct err *err);
/* The units times the root of d, for a member with a switch for that; an error where embed-scale is given
 * as well. */
bool run_scale_units(struct run *run, const struct member *m, struct err *err);
/* Whether m's column is the numbers that were given as position ids. */
bool run_reads_given(const struct run *run, const struct member *m);
/* What says which unit comes first, for masks and for networks that run over the text: m's column, but
 * the places where seq was given: position ids of a checkpoint turn no text round. */
const double *run_order(const struct run *run, const struct member *m, struct err *err);
const double *run_find_column(const struct run *run, const char *name); /* NULL when missing */
bool run_add_column(struct run *run, const char *name, const double *at, struct err *err);

/* The structure over the units of this run, the inserted ones at the end of it without a node. Where
 * none was given it is a chain of the tokens in the order they stand, which *chain tells. */
const struct structure *run_structure(struct run *run, bool *chain);
/* The node of unit i of run->queries; -1: none. */
long run_node(const struct run *run, size_t i);

/* embed. */
void run_add_part(struct run *run, const char *label, struct node *part);
void run_replace_x(struct run *run, const char *label, struct node *x);
struct node *run_sum_parts(struct run *run, const struct parts *parts);
/* Vectors of positions that do not enter by run_add_part, before they do: so that their gradient is known. */
struct node *run_nudged(struct run *run, struct node *position);
void parts_add(struct parts *parts, const char *label, struct node *part);

/* Leaves of this layer as nodes. BUG when it was not declared. */
struct node *run_leaf(struct run *run, const struct member *m, const char *base);
/* A weight of the model in this layer ("w_q"), or NULL when it was not given ("b_q"). */
struct node *run_weight(struct run *run, const char *base);

/* Memory of a member for this step, zeroed; made in prepare, read in head hooks. */
void *run_state(struct run *run, const struct member *m, size_t size);
void *head_state(const struct head *head, const struct member *m);
/* What run_state made last, perhaps in an earlier step; NULL at first. */
void *run_kept(const struct run *run, const struct member *m);

/* block. What follows the attention of this layer, for a stream of a member's own: [n,d]; the caller needs
 * the context no more. */
struct node *run_block(struct run *run, struct node *context, struct node *residual);

/* Indices from positions: index[t][s] = map(context, pos[s] - pos[t]) in 0..count-1 or -1. Kept for
 * the whole run under (m, name). Positions must be whole numbers. */
const struct index *run_index_delta(struct run *run, const struct member *m, const char *name,
				    size_t count, long (*map)(const void *context, long delta),
				    const void *context, struct err *err);
/* The same by a rule for places: index[t][s] = at(context, t, s), t and s counting rows of X. */
const struct index *run_index_places(struct run *run, const struct member *m, const char *name,
				     size_t count,
				     long (*at)(const void *context, size_t t, size_t s),
				     const void *context, struct err *err);
/* What one of them made under this name before; NULL: nothing. */
const struct index *run_known_index(struct run *run, const struct member *m, const char *name);
/* Whether the keys are the units, in their order: not where a project hook shortened them. */
bool run_keys_are_units(const struct run *run);
/* False where they are not, naming both m and who shortened them. */
bool run_needs_units(const struct run *run, const struct member *m, struct err *err);
/* The positions of m's column as whole numbers in [0, limit); the error names the bound, t-max, or
 * another and what would be right. */
const int32_t *run_rows(struct run *run, const struct member *m, size_t limit, struct err *err);
struct bound {
	size_t limit;
	const char *name, *remedy; /* "length", "raise length" */
};
const int32_t *run_rows_below(struct run *run, const struct member *m, const struct bound *bound,
			      struct err *err);
/* Smallest and largest key minus query position of the column (whole numbers). */
bool run_delta_range(struct run *run, const struct member *m, long *lo, long *hi, struct err *err);

/* A node that depends on parameters and lengths only: taken from the cache when recording is off and
 * it is there, else built. The name, the member's text, n, the layer when `per_layer`, sizes, seed
 * the member's position column and the structure make the key. */
struct node *run_cached(struct run *run, const struct member *m, const char *name, bool per_layer,
			struct node *(*build)(struct run *run, const struct member *m,
					      struct err *err),
			struct err *err);

/* The same of anything that takes long to make or much memory: `build` makes it in an arena of its own, and
 * nothing there may point elsewhere. The name must tell what it depends on, but for parameters, sizes and,
 * with `of_structure`, the structure and where the units stand on it. */
struct cached {
	const char *name;
	bool per_layer, of_structure, of_positions;
	const void *(*build)(struct run *run, const struct member *m, const void *context,
			     struct arena *own, struct err *err);
	const void *context;
};
const void *run_cached_block(struct run *run, const struct member *m, const struct cached *what,
			     struct err *err);

/* qk .. values. A head's slice of a [n,d] (or [rows, h·w]) node: columns index·w.. */
struct node *head_slice(struct head *head, struct node *all, size_t width);
/* Its row of a table that has one for each head. */
struct node *head_row(struct head *head, struct node *all);
double head_scale(const struct head *head); /* c */
uint8_t *head_mask(struct head *head);	    /* n_q·n_k bytes, all 1 at first */
/* logits: q·k holds a constant factor that the qk stage put there. Where terms are kept apart those of q and k
 * become what they are without it, and one of this label what it adds; the sum stays. */
void head_part_factor(struct head *head, const char *label, double factor);
/* qk, logits: false where q or k has not the head's width, naming both m and who changed it. */
bool head_needs_width(const struct head *head, const struct member *m, struct err *err);
/* values: false where there are several planes of weights, naming both m and whose they are. `remedy`
 * is what would be right beside leaving one out: "set values=off"; or NULL. */
bool head_needs_one_plane(const struct head *head, const struct member *m, const char *remedy,
			  struct err *err);
/* All that is added is multiplied by the member's weight here. */
void head_add_term(struct head *head, const char *label, enum term_kind kind, struct node *term);
/* A row [1, keys] that all queries get. */
void head_add_row(struct head *head, const char *label, enum term_kind kind, struct node *row);
/* The term scale·gather(table, index) without a matrix of its own when terms are not kept. */
void head_add_indexed(struct head *head, const char *label, enum term_kind kind, struct node *table,
		      const struct index *index, enum gather how, double scale);

/* logits: the same of the table x·vectorsᵀ, without ᵀ where they are `turned`, x having a row for each query.
 * It is made for few queries at a time where that is possible. */
void head_add_products(struct head *head, const char *label, enum term_kind kind, struct node *x,
		       struct node *vectors, bool turned, const struct index *index);

/* adjust, weights, values of a member that goes `by_rows`: of a node or an index of all queries, those that
 * the head is about at present. What has one row for all of them stays as it is. */
struct node *head_rows(struct head *head, struct node *all);
const struct index *head_rows_of_index(struct head *head, const struct index *all);

/* values: adds to head->context, times the member's weight: [n,dk] */
void head_add_values(struct head *head, struct node *more);

/* Whether m acts on a head (from 0) of the present layer. */
bool member_on_head(const struct member *m, size_t head);

/* What the reader should know of this input and cannot know of the scheme: kept in trace.note behind
 * m's name, once. */
void run_note(struct run *run, const struct member *m, const char *text);

/* With WANT_KEPT keeps what a member draws, or makes of things that are not kept, in trace.kept: once, as
 * member.NAME.KEY, or for each step, as layer.L.member.NAME.KEY. What run_index_… and run_cached made is
 * kept by itself, as KEY = index.NAME and NAME. */
bool run_keeps(const struct run *run);
void run_keep(struct run *run, const struct member *m, const char *key, struct mat at);
void step_keep(struct run *run, const struct member *m, const char *key, struct mat at);
/* As KEY = index.NAME: the row of a table that each pair reads, -1 for none. */
void run_keep_index(struct run *run, const struct member *m, const char *name,
		    const struct index *index);

/* The eigenvectors of the units, kept in trace.spectrum. */
void run_keep_spectrum(struct run *run, const struct spectrum *spectrum);

bool run_cancelled(const struct run *run);

#endif
