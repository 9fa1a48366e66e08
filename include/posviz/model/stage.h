/* stage.h: the run as the hooks of a scheme see it, stage by stage, and the functions they call.
 *
 * `struct run` is an evaluation in progress, `struct head` one head of the present step. Hooks
 * take and return tape nodes; the comments beside the hooks in hooks.h say what each stage may
 * read and write. */
#ifndef POSVIZ_STAGE_H
#define POSVIZ_STAGE_H

#include "posviz/model/model.h"
#include "posviz/model/written.h"

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
	struct arena *arena; /* valid until the evaluation ends */
	size_t n;	     /* queries; keys->n keys */
	struct axis *queries, *keys;
	struct node *units; /* U [n,d] after the units stage */
	struct column columns[MODEL_MAX_COLUMNS];
	size_t n_columns;

	size_t step_index;
	const struct step *step;
	size_t layer;		 /* step->layer */
	bool cross;		 /* the attention to the source: no member acts */
	struct parts x;		 /* the query stream of this step, as parts */
	struct parts xq, xk, xv; /* inputs of the projections */
	/* Added after projection, with a row for all or one for each, as wide as q, k, v; or NULL. */
	struct node *q_bias, *k_bias, *v_bias;
	struct node *q, *k, *v; /* [n,h·dk], [n,h·dk], [n,h·dv]; v NULL: nobody reads the values */
	struct node *residual;
	struct node *
		fed; /* in carry: what the feed-forward part wrote, [n,d], before any sum or norm */
	struct head *heads;    /* [h], all valid at once only in adjust_heads */
	struct node **outputs; /* [0]: the embedded units, [i+1]: output of step i */
	struct run_private *private;
};

struct term {
	const char *label;
	enum term_kind kind;
	double weight; /* of its member; already multiplied into `at` */
	struct node *at;
};

struct head {
	struct run *run;
	size_t index;
	struct tape *tape;	    /* this head's own; nodes of run->tape may be operands too */
	struct node *q, *k, *v;	    /* [n,dk], [n,dk], [n,dv]; qk may change the width of q and k */
	struct node *q_raw, *k_raw; /* before the qk stage */
	/* q and k as they were before each member that changed them in the qk stage. */
	struct head_change {
		const struct member *by;
		struct node *q, *k;
	} changes[MODEL_MAX_MEMBERS];
	size_t n_changes;
	/* Columns of queries and keys that a member rotates beside q and k, and whose product it adds in the logits stage:
	 * before and after the rotation; set in qk. by NULL: there are none. */
	struct head_beside {
		const struct member *by;
		struct node *q_raw, *k_raw, *q, *k; /* [n, columns] */
	} beside;
	struct node *q_whole, *k_whole; /* [n,h·dk], of all heads before it */
	uint8_t *allowed;		/* n_q·n_k, 1: allowed; NULL: everything */
	struct term
		terms[MODEL_MAX_TERMS]; /* if terms are kept separately; terms[0] is unit–unit */
	size_t n_terms, n_content;	/* number of terms; the first n_content come from q and k */
	bool split;			/* terms are kept separately, besides their sum */
	bool without_dot; /* set in qk: c·q·kᵀ is left out, the logits start from 0 */
	const struct member *
		acting; /* in logits, adjust and values: the member whose hook is called; or NULL */
	/* The member that gave q or k another width than dk, and the last one that changed them; or
	 * NULL. */
	const struct member *widened_by, *changed_by;
	/* The model searches for the member that makes the logits not finite; found. */
	bool careful, spoiled;
	bool unlooked;			 /* the softmax checks whether the logits are finite */
	const struct member *spoiled_by; /* NULL: the product of q and k itself */
	struct node *logits;		 /* before the mask; the sum of all terms so far */
	struct node *weights;
	const double *sink_logit;   /* of no key, in the softmax of the weights; or NULL */
	struct node *plane_weights; /* weights of the wanted plane */
	size_t plane;		    /* the plane of the weights; before that stage the wanted one */
	struct node *context;	    /* [n,dv] */
	/* Summands of the context are kept separately if `parted`; the members' own. */
	bool parted;
	struct written written[MODEL_MAX_WRITTEN];
	size_t n_written;
	/* The present block of queries, or all. In all matrices with a row for each query, n is
	 * then `rows`: q, q_raw, allowed, logits, weights, context. */
	size_t first, rows;
	struct blocks *blocks; /* the head is processed block by block: attend_rows.c; or NULL */
};

/* units: inserts a unit before index `at` (at == n: at the end). */
void run_insert_unit(struct run *run, size_t at, const char *label, struct node *vector);
/* units: keeps only these n > 0 rows of the present units, in this order. */
void run_select_units(struct run *run, const size_t *rows, size_t n);

/* positions: returns m's position column. The columns `seq` (0..n-1, unless given; then `place`
 * is 0..n-1), `remaining` (n - t), `word`, `segment` always exist. An error if three ids are given. */
const double *run_column(const struct run *run, const struct member *m, struct err *err);
/* Multiplies the token vectors by √d, for a member with a switch for that; an error if
 * embed-scale is given as well. */
bool run_scale_units(struct run *run, const struct member *m, struct err *err);
/* Returns whether m's column holds position ids that the user gave. */
bool run_reads_given(const struct run *run, const struct member *m);
/* Returns the order of the tokens, for masks and for networks that run along the text: m's
 * column, or, if seq was given, 0..n-1: position ids of a checkpoint do not reorder the text. */
const double *run_order(const struct run *run, const struct member *m, struct err *err);
const double *run_find_column(const struct run *run, const char *name); /* NULL when missing */
bool run_add_column(struct run *run, const char *name, const double *at, struct err *err);

/* Returns the structure over the units of this run, inserted ones at the end without a node. If
 * none was given it is a chain of the tokens in their present order; *chain tells this. */
const struct structure *run_structure(struct run *run, bool *chain);
/* Returns the node of unit i of run->queries; -1: none. */
long run_node(const struct run *run, size_t i);

/* embed: adds a part, replaces X, sums parts. */
void run_add_part(struct run *run, const char *label, struct node *part);
void run_replace_x(struct run *run, const char *label, struct node *x);
struct node *run_sum_parts(struct run *run, const struct parts *parts);
/* Must be called for position vectors that do not enter by run_add_part, before they enter, so
 * that their gradient is known. */
struct node *run_nudged(struct run *run, struct node *position);
void parts_add(struct parts *parts, const char *label, struct node *part);

/* Returns a leaf of this layer as a node. BUG when it was not declared. */
struct node *run_leaf(struct run *run, const struct member *m, const char *base);
/* Returns these rows of a leaf, [n, cols]; of a large one, declared `by_rows`, the rows behind them are
 * not made. */
struct node *run_leaf_rows(struct run *run, const struct member *m, const char *base,
			   const int32_t *rows, size_t n);
/* Returns a weight of the model in this layer ("w_q"), or NULL when it was not given ("b_q"). */
struct node *run_weight(struct run *run, const char *base);

/* Returns memory of a member for this step, zeroed; made in prepare, read in head hooks. */
void *run_state(struct run *run, const struct member *m, size_t size);
void *head_state(const struct head *head, const struct member *m);
/* Returns the state that run_state made last, perhaps in an earlier step; NULL at first. */
void *run_kept(const struct run *run, const struct member *m);

/* block: the rest of the layer after its attention, for a separate stream of a member: [n,d];
 * the context may be overwritten. */
struct node *run_block(struct run *run, struct node *context, struct node *residual);

/* Makes an index from distances: index[t][s] = map(context, pos[s] - pos[t]) in 0..count-1 or
 * -1. Kept for the whole run under (m, name). Positions must be whole numbers. */
const struct index *run_index_delta(struct run *run, const struct member *m, const char *name,
				    size_t count, long (*map)(const void *context, long delta),
				    const void *context, struct err *err);
/* Makes an index from row numbers: index[t][s] = at(context, t, s), t and s counting rows of X. */
const struct index *run_index_places(struct run *run, const struct member *m, const char *name,
				     size_t count,
				     long (*at)(const void *context, size_t t, size_t s),
				     const void *context, struct err *err);
/* Returns the index that one of them made under this name before; NULL: none. */
const struct index *run_known_index(struct run *run, const struct member *m, const char *name);
/* Returns whether the keys are the units, in their order: false after a project hook that
 * shortened them. */
bool run_keys_are_units(const struct run *run);
/* Returns false if they are not, with an error that names m and the member that shortened them. */
bool run_needs_units(const struct run *run, const struct member *m, struct err *err);
/* Returns the positions of m's column as whole numbers in [0, limit); the error names the limit,
 * t-max or another, and the remedy. */
const int32_t *run_rows(struct run *run, const struct member *m, size_t limit, struct err *err);
struct bound {
	size_t limit;
	const char *name, *remedy; /* "length", "raise length" */
};
const int32_t *run_rows_below(struct run *run, const struct member *m, const struct bound *bound,
			      struct err *err);
/* Computes the smallest and largest key minus query position of the column (whole numbers). */
bool run_delta_range(struct run *run, const struct member *m, long *lo, long *hi, struct err *err);

/* Returns a node that depends only on parameters and lengths: from the cache if it is there and
 * recording is off, else built. The key consists of the name, the member's text, n, the layer
 * when `per_layer`, sizes, seed, the member's position column and the structure. */
struct node *run_cached(struct run *run, const struct member *m, const char *name, bool per_layer,
			struct node *(*build)(struct run *run, const struct member *m,
					      struct err *err),
			struct err *err);

/* Returns other data that takes long to make or much memory: `build` makes it in an arena of its
 * own, and nothing in it may point elsewhere. The name must contain everything it depends on,
 * except parameters, sizes and, with `of_structure`, the structure and the nodes of the units. */
struct cached {
	const char *name;
	bool per_layer, of_structure, of_positions;
	const void *(*build)(struct run *run, const struct member *m, const void *context,
			     struct arena *own, struct err *err);
	const void *context;
};
const void *run_cached_block(struct run *run, const struct member *m, const struct cached *what,
			     struct err *err);

/* qk .. values: returns a head's slice of a [n,d] (or [rows, h·w]) node: columns index·w.. */
struct node *head_slice(struct head *head, struct node *all, size_t width);
/* Returns the head's row of a table that has one for each head. */
struct node *head_row(struct head *head, struct node *all);
double head_scale(const struct head *head); /* c */
uint8_t *head_mask(struct head *head);	    /* n_q·n_k bytes, all 1 at first */
/* logits: declares that q·k contains a constant factor from the qk stage. If terms are kept
 * separately, those of q and k are shown without the factor, and the difference becomes a term
 * of this label; the sum stays. */
void head_part_factor(struct head *head, const char *label, double factor);
/* qk, logits: returns false if q or k has not the head's width, with an error that names m and
 * the member that changed it. */
bool head_needs_width(const struct head *head, const struct member *m, struct err *err);
/* values: returns false if there are several planes of weights, with an error that names m and
 * the planes' member. `remedy` is an alternative to leaving one out: "set values=off"; or NULL. */
bool head_needs_one_plane(const struct head *head, const struct member *m, const char *remedy,
			  struct err *err);
/* Add terms to the logits, multiplied by the member's weight. */
void head_add_term(struct head *head, const char *label, enum term_kind kind, struct node *term);
/* Adds a row [1, keys] to all queries. */
void head_add_row(struct head *head, const char *label, enum term_kind kind, struct node *row);
/* Adds the term scale·gather(table, index), without a matrix of its own when terms are not kept. */
void head_add_indexed(struct head *head, const char *label, enum term_kind kind, struct node *table,
		      const struct index *index, enum gather how, double scale);

/* logits: works like head_add_indexed with the table x·vectorsᵀ, or x·vectors if `turned`; x has
 * a row for each query. The table is made for few queries at a time if possible. */
void head_add_products(struct head *head, const char *label, enum term_kind kind, struct node *x,
		       struct node *vectors, bool turned, const struct index *index);

/* adjust, weights, values of a member with `by_rows`: return those rows of a node or an index of
 * all queries that the head's present block covers. A matrix with one row for all queries stays. */
struct node *head_rows(struct head *head, struct node *all);
const struct index *head_rows_of_index(struct head *head, const struct index *all);

/* values: adds `more` [n,dv] to head->context, multiplied by the member's weight. The label names
 * the summand where the context is shown by its parts. `from` is read only if head->parted, and
 * may then take work that nothing else needs; NULL: the summand is no sum over the keys. */
void head_add_values(struct head *head, const char *label, struct node *more,
		     const struct from_keys *from);

/* Returns whether m acts on a head (from 0) of the present layer. */
bool member_on_head(const struct member *m, size_t head);

/* Adds a remark about this input that does not follow from the scheme: kept in trace.note after
 * m's name, once. */
void run_note(struct run *run, const struct member *m, const char *text);

/* With WANT_KEPT, keep data that a member draws, or computes from data that is not kept, in
 * trace.kept: once, as member.NAME.KEY, or for each step, as layer.L.member.NAME.KEY. Results of
 * run_index_… and run_cached are kept automatically, as KEY = index.NAME and NAME. */
bool run_keeps(const struct run *run);
void run_keep(struct run *run, const struct member *m, const char *key, struct mat at);
void step_keep(struct run *run, const struct member *m, const char *key, struct mat at);
/* Keeps, as KEY = index.NAME, the row of a table that each pair reads, -1 for none. */
void run_keep_index(struct run *run, const struct member *m, const char *name,
		    const struct index *index);

/* Keeps the eigenvectors of the tokens in trace.spectrum. */
void run_keep_spectrum(struct run *run, const struct spectrum *spectrum);

bool run_cancelled(const struct run *run);

#endif
