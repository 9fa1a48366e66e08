/* analysis_in.h: what the files of the analyses share: the tolerance, and what behaviour says of a claim. */
#ifndef POSVIZ_ANALYSIS_IN_H
#define POSVIZ_ANALYSIS_IN_H

#include "posviz/analysis/analysis.h"

/* Below this a change of the logits is rounding. */
static const double relative_tolerance = 1e-9;

/* A weight below it is negative, and no part of a whole. */
static const double weight_least = -1e-12;

/* The change of the logits on the probe when positions move by so many; NaN: there is none. */
double measure_shift(const struct setup *setup, double by, struct watch *watch);

/* What was measured of a claim on behaviour: relative, unbounded, recurring. */
bool behaviour_is(const struct behaviour *b, enum claim_kind kind);

/* The setup's scheme on a sentence and sizes of ours, with a chain for a structure. */
struct setup behaviour_setup(const struct setup *setup);

/* table.c: the learned numbers of an expression in a model of this configuration, which is `unfilled`, and how
 * many of them are frozen. `why` there are none; NULL: they were counted. From `a`. */
struct leaf_count {
	size_t made, frozen;
	const char *why;
};
struct leaf_count count_leaves(const char *expression, const struct model_config *config,
			       struct arena *a);

/* rank_check.c: Theorem 1 of Chen et al. 2021, for schemes that it is of. */
struct check;
bool theorem_rank(struct check *c, struct verdict *v);
/* split_check.c: a bias that a shift leaves alone is told by distance. */
bool theorem_split(struct check *c, struct verdict *v);
/* gradients_check.c: Theorem 2 of the same, and that it does not hold where it does not say so. */
bool theorem_gradients(struct check *c, struct verdict *v);

/* What a check is made of: the main member alone, under the identity projection. */
struct check {
	const struct setup *setup;
	struct arena *a;
	const struct scheme *scheme;
	struct behaviour is;
	struct built b;
};

#endif
