/* hooks.h: the members of an expression: the hooks by which a scheme enters the stages of the
 * model, its parameters, and the layers and heads on which it acts. The stages: model.h.
 * Functions that hooks call: stage.h. */
#ifndef POSVIZ_HOOKS_H
#define POSVIZ_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/err.h"
#include "posviz/model/subset.h"

struct model;
struct model_input;
struct run;
struct head;
struct node;
struct inject;
struct relation;
struct scheme;
struct member;
struct trace_head;

typedef bool run_hook(struct run *run, const struct member *m, struct err *err);
typedef bool head_hook(struct head *head, const struct member *m, struct err *err);

/* The hooks: an optional function for each stage. Run hooks see all heads and are called in one
 * thread; head hooks are called for each head on which the member acts, possibly in parallel:
 * they read the state that `prepare` made (run_state) and write only to their head. */
struct hooks {
	bool (*declare)(struct model *model, const struct member *m,
			struct err *err); /* declares leaves */
	bool (*schedule)(struct model *model, const struct member *m, struct err *err);
	/* Returns the number of columns at the end of X that are reserved for the vectors that
	 * others add to the token vectors; 0 with an error on failure. */
	size_t (*beside)(const struct model *model, const struct member *m, struct err *err);
	double (*scale)(const struct model *model,
			const struct member *m); /* scale c; 0: no preference */

	/* Lists the relative position encodings that enter, their tables and the places where
	 * they enter: at most INJECT_MAX. Only the hooks of scheme/inject.h read it. */
	size_t (*injects)(const struct model *model, const struct member *m, struct inject *out);
	/* Computes the relative position encoding before it is embedded, for the view Relation;
	 * called after the positions stage. Its data belongs to run->arena. n = 0 means that
	 * there is none here, because positions are not whole numbers. */
	bool (*relation)(struct run *run, const struct member *m, struct relation *out,
			 struct err *err);
	run_hook *units;     /* run_insert_unit */
	run_hook *positions; /* run_add_column, or rewrite a column; in the order of `ids` */
	run_hook
		/* run_add_part, run_replace_x; only before the member's first layer unless
		 * `recurring`. */
		*embed;
	run_hook *project;  /* change run->xq, xk, xv; or q_bias, k_bias, v_bias */
	run_hook *prepare;  /* once per step: makes the state that heads share */
	head_hook *qk;	    /* transform head->q and head->k */
	head_hook *mask;    /* head_mask, then clear bytes; must not depend on the token vectors */
	head_hook *content; /* instead of c·q·kᵀ: sets head->logits */
	head_hook *logits;  /* head_add_term, head_add_indexed; sees no head->logits */
	head_hook *adjust;  /* sees head->logits and terms when all are added */
	run_hook *adjust_heads; /* adjust for all heads together: run->heads */
	head_hook *weights;	/* sets head->weights for plane head->plane */
	size_t (*planes)(const struct model *model, const struct member *m); /* default 1 */
	head_hook *values; /* head->context has weights·v; add to it or replace it */
	/* For a state that layers carry on: sees head->weights, those of the present block of queries
	 * (head_rows), and writes to the rows of its own head in the state. Not called in a layer
	 * whose context nobody reads. */
	head_hook *attended;
	run_hook *block; /* run->residual: change it or NULL */
	struct node *(*feed_forward)(struct run *run, const struct member *m, struct node *x);
	/* behind the block: makes the state that the next step reads, also of run->fed */
	run_hook *carry;
	run_hook *finish; /* after the last step: run->outputs[n_steps] may be replaced */

	/* Replaces all other hooks, for a matrix whose keys are other tokens than its queries:
	 * fills the given `logits`, `weights` and `mask` of a head, from `a`, for viewing. The
	 * model computes nothing. */
	void (*look_at)(const struct member *m, size_t layer, size_t head, struct arena *a,
			struct trace_head *out);

	/* Members that make the ids of a batch, whose positions the others read, come first. */
	enum { IDS_READ, IDS_OF_PADDING, IDS_OF_PACKING, IDS_COUNT } ids;
	bool recurring; /* embed is called before every layer on which the member acts */
	bool no_logits; /* weights do not come from q and k: no logits, no bias */
	/* embed or qk is not additive in X: the logits cannot be split into parts. */
	bool nonlinear;
	bool mask_by_head;  /* masks differ between heads: none is shared */
	bool whole;	    /* its matrices cover all tokens: it cannot be run on a part of them */
	bool shortens;	    /* project merges the keys into fewer */
	bool reads_weights; /* a hook calls run_weight: the model's projections are made whole */
	/* The hooks after project accept keys other than the tokens; otherwise the model refuses
	 * the member together with one that shortens them. */
	bool any_keys;
	/* Content is computed from q and k alone, so a bias is defined besides it. */
	bool content_of_units;
	/* adjust, weights and values compute the result of a query from its own row of q, logits
	 * and weights, so they can be called with a block of queries; they take rows of other
	 * data by head_rows. */
	bool by_rows;
	/* qk or adjust multiplies: the term "unit–unit" is what the other terms leave. */
	bool modulates;
	unsigned matrices; /* n×n matrices of its own that exist at once in a head */
	/* Returns an upper estimate of the bytes that it takes in addition, for these kinds of
	 * enum want_kind; NULL: negligible. */
	double (*memory)(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds);

	/* Properties of the member with its present parameters. identity_keys: W_k is the
	 * identity on its heads; only_mask: it acts only by its mask; only_adds: it does not
	 * multiply, even if `modulates`; masks_differ: masks differ between heads; only_qk: it
	 * changes only q and k or their inputs (NULL: true if qk is the only hook that acts on
	 * heads); content_of_x: content is computed from the inputs of the queries. */
	bool (*identity_keys)(const struct member *m), (*only_mask)(const struct member *m),
		(*only_adds)(const struct member *m), (*masks_differ)(const struct member *m),
		(*only_qk)(const struct member *m), (*content_of_x)(const struct member *m);
	/* Narrows the positions of the keys that a query sees by the mask: *first to *last. NULL for a
	 * mask that hides later keys, or by a switch none. False: it does not leave an interval. */
	bool (*interval)(const void *param, double query, double *first, double *last);
	/* Returns whether, with its present parameters, the member acts only by its mask and the
	 * terms it adds by head_add_…: then it can have a weight. NULL: true unless another hook
	 * says otherwise, see scheme/weight.h. */
	bool (*only_terms)(const struct member *m);
};

struct member {
	const struct hooks *hooks;
	const struct scheme *scheme; /* for its own hooks: the model does not read it */
	const void *param;	     /* the scheme's struct of parameters */
	const char *name; /* unique in the expression: "shaw", and "shaw#2" for a second one */
	const char *text; /* "shaw(clip=4)": names cached parts and appears in messages */
	const char *pos;  /* the position column that it reads */
	struct subset layers, heads; /* where it acts */
	bool weighted; /* `weight` multiplies the terms it adds to logits and values */
	double weight;
	bool optional; /* of a combination: its layers may lie beyond those of a small model */
	size_t index;
	size_t units; /* number of tokens that its file was made for; 0: any number */
	/* Number of keys of a matrix that is only viewed (`units` is that of queries); 0: the
	 * same. */
	size_t keys;
	size_t n_heads, n_layers;  /* number of heads and layers in its file; 0: any number */
	const char *const *labels; /* [units] the tokens' labels in its file, escaped; or NULL */
	/* [units], [keys] of a matrix with separate labels; or NULL */
	const char *const *query_labels, *const *key_labels;
	const char *note; /* a remark for the user on how the file is read; or NULL */
};

/* Returns the factor of everything that a member adds; 1 if it has no weight, or for NULL. */
double member_weight(const struct member *m);

#endif
