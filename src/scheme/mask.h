/* mask.h: the mask that several families bring. */
#ifndef SCHEME_MASK_H
#define SCHEME_MASK_H

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

/* Where a key stands in m's column: before the query, at its position, or after it. */
enum { MASK_BEFORE = 1, MASK_SAME = 2, MASK_AFTER = 4 };

/* Forbids the keys that stand elsewhere than a query sees. An error when keys and queries are not the
 * same units. */
bool mask_others(struct head *head, const struct member *m, unsigned sees, struct err *err);

/* The keys after the query. */
bool mask_later(struct head *head, const struct member *m, struct err *err);

/* For hooks.mask, of a scheme with a switch `causal`: the same where it is on. */
bool mask_causal(struct head *head, const struct member *m, struct err *err);

/* x [n,n] where the head's mask allows, else 0. There must be a mask. `consume`: the caller needs x no more. */
struct node *mask_where_allowed(struct head *head, struct node *x, bool consume);

/* For scheme.reach: INFINITY. Without positions but for a mask, no distance shows what is new. */
double mask_reach(const void *param, const struct model_config *config);

#endif
