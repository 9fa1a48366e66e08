/* help_recompute.h: recomputes one head of one step of a dump, and the changes that each scheme
 * makes to it, from the formulas of the papers and the recipe in the file. */
#ifndef HELP_RECOMPUTE_H
#define HELP_RECOMPUTE_H

#include "help_dumped.h"

struct place {
	const struct dumped *f;
	size_t step, layer, head; /* step of the dump; layer whose leaves it uses; from 0 */
	struct mat x, xq;	  /* [n, d]: X, and the input of the queries */
	struct mat q_raw, k_raw;  /* [n, dk] */
	struct mat q, k, v;
	struct mat content; /* [n, keys]: c q kᵀ, or its replacement */
	struct mat logits;  /* the sum of the terms added so far */
	/* With rows for a memory's units, which the file lacks. */
	struct mat mask, weights, context;
	double weight; /* the weight of the present member */
	bool no_logits;
	bool used[32]; /* the terms of the file that were taken, in its order */
};

enum stage { ON_QK, ON_VALUES_IN, ON_CONTENT, ON_TERMS, ON_ADJUST, ON_WEIGHTS, ON_CONTEXT };

/* The action of a scheme in a stage: a number for each pair, or any change by `make`. */
struct rule {
	const char *scheme;
	enum stage stage;
	/* ON_TERMS, ON_ADJUST: the term of the file to compare with; NULL: the logits. */
	const char *term;
	const char *param, *value; /* only with this value of a parameter; NULL: always */
	double (*at)(const struct place *p, const struct dumped_member *m, size_t t, size_t s);
	void (*make)(struct place *p, const struct dumped_member *m);
};
/* The rules of all schemes; each list ends with scheme == NULL. */
extern const struct rule recompute_distances[], recompute_vectors[], recompute_turns[],
	recompute_others[], recompute_pairs[], recompute_rules[];

/* Recomputes the injections by stock hooks of a scheme without rules. */
void recompute_injected(struct place *p, const struct dumped_member *m, enum stage stage);

/* Recomputes parts of X and inputs of the projections that depend on positions. */
void recompute_parts(const struct place *p);

/* Recomputes all terms, weights and contexts of the head; fails if the file differs. */
void recompute_head(struct place *p);

/* Return the output of a step from the tensors of the dump; and the output of its block from the
 * contexts of its heads and the residual to which they are added. */
struct mat recompute_output(const struct dumped *f, size_t step);
struct mat recompute_block(const struct dumped *f, size_t step, struct mat context,
			   struct mat residual);

/* Tensors of a member: a leaf in the present layer; a tensor kept under this key; the first index
 * whose name begins so; its position of a unit. */
struct mat leaf_of(const struct place *p, const struct dumped_member *m, const char *base);
struct mat kept_of(const struct place *p, const struct dumped_member *m, const char *key);
/* Returns the tensor kept as KEY.H, for this head. */
struct mat kept_of_head(const struct place *p, const struct dumped_member *m, const char *key);
struct mat index_of(const struct place *p, const struct dumped_member *m, const char *begin);
double position_of(const struct place *p, const struct dumped_member *m, size_t t);
/* Returns a number whose order decides before and after; given numbers of column seq need not. */
double order_of(const struct place *p, const struct dumped_member *m, size_t t);

/* Adds a term to the logits; the file must have it too. */
void recompute_take(struct place *p, const char *label, struct mat mine);
struct mat recompute_softmax(struct arena *a, struct mat logits, struct mat mask);

void expect_near(const struct place *p, struct mat mine, struct mat file, const char *what);

#endif
