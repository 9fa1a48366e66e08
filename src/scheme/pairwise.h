/* pairwise.h: rules that give a rotation a position difference for each pair, instead of t - s
 * (Self-Extend, ReRoPE, dual chunk attention). */
#ifndef SCHEME_PAIRWISE_H
#define SCHEME_PAIRWISE_H

#include "posviz/model/stage.h"

/* Returns the member of the model with such a rule that acts on the present layer, or NULL. */
const struct member *pairwise_of(const struct run *run);

/* Returns whether hooks are those of such a rule. */
bool pairwise_is(const struct hooks *hooks);

/* Returns the greatest distance at which a rule leaves differences of at most `covered`. */
double pairwise_reach(const struct hooks *hooks, const void *param, double covered);

#endif
