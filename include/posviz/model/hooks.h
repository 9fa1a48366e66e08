/* hooks.h: what a member of an expression is: the hooks by which a scheme enters the stages of the model,
 * its parameters, and where it acts. The stages: model.h. What hooks call: stage.h. */
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
	head_hook *logits;	/* head_add_term, head_add_indexed; sees no head->logits */
	head_hook *adjust;	/* sees head->logits and terms with all of them in place */
	run_hook *adjust_heads; /* the same across heads: run->heads */
	head_hook *weights;	/* sets head->weights for plane head->plane */
	size_t (*planes)(const struct model *model, const struct member *m); /* default 1 */
	head_hook *values; /* head->context has weights·v; add to it or replace it */
	run_hook *block;   /* run->residual: change it or NULL */
	struct node *(*feed_forward)(struct run *run, const struct member *m, struct node *x);
	run_hook *finish; /* after the last step: run->outputs[n_steps] may be replaced */

	/* Instead of all others, of a matrix whose keys are other tokens than its queries: what there is of a
	 * head, `logits`, `weights`, `mask`, from `a`. It is looked at, and nothing is computed. */
	void (*look_at)(const struct member *m, size_t layer, size_t head, struct arena *a,
			struct trace_head *out);

	bool recurring;	   /* embed acts before every layer of its own */
	bool no_logits;	   /* weights do not come from q and k: no logits, no bias */
	bool nonlinear;	   /* embed or qk is not additive in X: no split into parts */
	bool mask_by_head; /* heads differ in their masks: none is shared */
	bool whole;	   /* its matrices are of all units: on a part of them it cannot be run */
	bool shortens;	   /* project mixes the keys down to fewer */
	bool any_keys; /* what follows project may have other keys than the units; else the model
			* refuses the member beside one that shortens them */
	bool content_of_units; /* content is made of q and k alone, so there is a bias beside it */
	/* What adjust, weights and values make of a query is made of its own row of q, logits and weights,
	 * so they can be called with a block of queries: with head_rows for what they have of all. */
	bool by_rows;
	bool modulates;	   /* qk or adjust multiplies: "unit–unit" is what is left of it */
	unsigned matrices; /* n×n matrices of its own that are alive at once in a head */
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
	/* With these parameters nothing acts but its mask and what it adds by head_add_…: it can have a
	 * weight. NULL: that is so where no other hook says otherwise, as scheme/weight.h tells. */
	bool (*only_terms)(const struct member *m);
};

struct member {
	const struct hooks *hooks;
	const struct scheme *scheme; /* for its own hooks: the model does not look into it */
	const void *param;	     /* the scheme's struct of parameters */
	const char *name;	     /* unique in the expression: "shaw", a second one "shaw#2" */
	const char *text; /* "shaw(clip=4)": names cached parts and appears in messages */
	const char *pos;  /* position column it reads */
	struct subset layers, heads; /* where it acts */
	bool weighted;		     /* what it adds to logits and to values is multiplied by: */
	double weight;
	bool optional; /* of a combination: may be for layers that a small model lacks */
	size_t index;
	size_t units; /* how many a file that it reads was made for; 0: any number */
	size_t keys;  /* of a matrix that is looked at: `units` are its queries; 0: the same */
	size_t n_heads, n_layers;  /* that the file has numbers for; 0: any number */
	const char *const *labels; /* [units] what the file calls them, escaped; or NULL */
	/* [units], [keys] of a matrix that has two lists of them; or NULL */
	const char *const *query_labels, *const *key_labels;
	const char *note; /* what whoever gave the file should know of how it is read; or NULL */
};

/* The factor of all that a member adds; 1 of one without a weight, or of NULL. */
double member_weight(const struct member *m);

#endif
