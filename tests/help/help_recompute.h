/* help_recompute.h: one head of one step of a dump computed anew, and what every scheme replaces in it, from
 * the formulas of the papers and the recipe in the file. */
#ifndef HELP_RECOMPUTE_H
#define HELP_RECOMPUTE_H

#include "help_dumped.h"

struct place {
	const struct dumped *f;
	size_t step, layer, head; /* of a dump; whose leaves; from 0 */
	struct mat x, xq;	  /* [n, d]: X, and what queries are made of */
	struct mat q_raw, k_raw;  /* [n, dk] */
	struct mat q, k, v;
	struct mat content;		   /* [n, keys]: c q kᵀ, or what stands in its place */
	struct mat logits;		   /* the sum as far as it has come */
	struct mat mask, weights, context; /* rows of a memory's units too, which no file has */
	double weight;			   /* of the member that is looked at */
	bool no_logits;
	bool used[32]; /* terms of the file, in its order */
};

enum stage { ON_QK, ON_VALUES_IN, ON_CONTENT, ON_TERMS, ON_ADJUST, ON_WEIGHTS, ON_CONTEXT };

/* What a scheme does in a stage: a number for each pair, or whatever `make` does. */
struct rule {
	const char *scheme;
	enum stage stage;
	const char
		*term; /* ON_TERMS, ON_ADJUST: the term of the file that it is; NULL: the logits */
	const char *param, *value; /* only with this parameter; NULL: always */
	double (*at)(const struct place *p, const struct dumped_member *m, size_t t, size_t s);
	void (*make)(struct place *p, const struct dumped_member *m);
};
/* Each ends with scheme == NULL. */
extern const struct rule recompute_distances[], recompute_vectors[], recompute_turns[],
	recompute_others[];

/* What a scheme without rules injects by the stock hooks. */
void recompute_injected(struct place *p, const struct dumped_member *m, enum stage stage);

/* Parts of X and inputs of the projections that follow from positions. */
void recompute_parts(const struct place *p);

/* All terms, weights and contexts of the place; fails where the file has something else. */
void recompute_head(struct place *p);

/* The output of a step, from the contexts of its heads, what they are added to, and those before it. */
struct mat recompute_output(const struct dumped *f, size_t step);
struct mat recompute_block(const struct dumped *f, size_t step, struct mat context,
			   struct mat residual);

/* Tensors of a member: a leaf of the present layer; what was kept of it; the first index whose name
 * begins so; its position of a unit. */
struct mat leaf_of(const struct place *p, const struct dumped_member *m, const char *base);
struct mat kept_of(const struct place *p, const struct dumped_member *m, const char *key);
/* KEY.H, of this head. */
struct mat kept_of_head(const struct place *p, const struct dumped_member *m, const char *key);
struct mat index_of(const struct place *p, const struct dumped_member *m, const char *begin);
double position_of(const struct place *p, const struct dumped_member *m, size_t t);
/* What tells before and after: given numbers of column seq need not. */
double order_of(const struct place *p, const struct dumped_member *m, size_t t);

/* Adds a term to the logits, which the file must have too. */
void recompute_take(struct place *p, const char *label, struct mat mine);
struct mat recompute_softmax(struct arena *a, struct mat logits, struct mat mask);

void expect_near(const struct place *p, struct mat mine, struct mat file, const char *what);

#endif
