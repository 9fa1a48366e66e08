/* analysis_in.h: parts that the files of the analyses share: the tolerance, and the evaluation
 * of a claim. */
#ifndef POSVIZ_ANALYSIS_IN_H
#define POSVIZ_ANALYSIS_IN_H

#include "posviz/analysis/analysis.h"

/* A change of the logits below this is rounding. */
static const double relative_tolerance = 1e-9;

/* A weight below this is negative, so the row is no distribution. */
static const double weight_least = -1e-12;

/* Returns the change of the logits on the probe when positions are shifted by `by`; NaN: not
 * defined. */
double measure_shift(const struct setup *setup, double by, struct watch *watch);

/* Returns what behaviour shows about a claim: relative, unbounded, recurring. */
bool behaviour_is(const struct behaviour *b, enum claim_kind kind);

/* Returns the setup's scheme with a fixed sentence and sizes, and a chain as structure. */
struct setup behaviour_setup(const struct setup *setup);

/* table.c: counts the learned numbers of an expression in a model of this configuration, which
 * is `unfilled`, and how many of them are frozen. `why` gives the reason if it cannot; NULL:
 * they were counted. From `a`. */
struct leaf_count {
	size_t made, frozen;
	const char *why;
};
struct leaf_count count_leaves(const char *expression, const struct model_config *config,
			       struct arena *a);

/* rank_check.c: tests Theorem 1 of Chen et al. 2021, for schemes to which it applies. */
struct check;
bool theorem_rank(struct check *c, struct verdict *v);
/* split_check.c: tests that a bias which does not change under a shift is a function of
 * distance. */
bool theorem_split(struct check *c, struct verdict *v);
/* gradients_check.c: tests Theorem 2 of the same paper, and that it fails where it does not
 * apply. */
bool theorem_gradients(struct check *c, struct verdict *v);

/* The data of a check: the main member alone, under the identity projection. */
struct check {
	const struct setup *setup;
	struct arena *a;
	const struct scheme *scheme;
	struct behaviour is;
	struct built b;
};

#endif
