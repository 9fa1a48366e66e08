/* mask.h: the mask that several families bring. */
#ifndef SCHEME_MASK_H
#define SCHEME_MASK_H

#include "posviz/scheme.h"
#include "posviz/stage.h"

/* Forbids the keys whose position in m's column is greater than the query's. An error when keys and
 * queries are not the same units. */
bool mask_later(struct head *head, const struct member *m, struct err *err);

/* For hooks.mask, of a scheme with a switch `causal`: the same where it is on. */
bool mask_causal(struct head *head, const struct member *m, struct err *err);

/* For scheme.reach: INFINITY. Without positions but for a mask, no distance shows what is new. */
double mask_reach(const void *param, const struct model_config *config);

#endif
