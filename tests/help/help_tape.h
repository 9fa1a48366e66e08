/* help_tape.h: gradients of a tape against central differences. */
#ifndef HELP_TAPE_H
#define HELP_TAPE_H

#include "posviz/math/tape.h"

/* Compares gradients with central differences. build(context, tape) returns the result for the
 * present content of the leaves (which build wraps with tape_leaf on the very same matrices).
 * Returns the largest |analytic - numeric| / max(1, |analytic|, |numeric|), and in *where (or
 * NULL) the leaf that has it. The differences are taken along random directions over all entries
 * of each leaf, for a fixed random weighting of the result's entries. */
double help_tape_check(struct node *(*build)(void *context, struct tape *t), void *context,
		       const struct mat *leaves, size_t n, size_t directions, size_t *where,
		       struct arena *scratch);

#endif
