/* mask.h: the mask that several families use. */
#ifndef SCHEME_MASK_H
#define SCHEME_MASK_H

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

/* The position of a key in m's column: before the query, equal, or after it. */
enum { MASK_BEFORE = 1, MASK_SAME = 2, MASK_AFTER = 4 };

/* Masks the keys at other positions than `sees`. An error when keys and queries are not the same
 * tokens. */
bool mask_others(struct head *head, const struct member *m, unsigned sees, struct err *err);

/* Masks the keys after the query. */
bool mask_later(struct head *head, const struct member *m, struct err *err);

/* For hooks.mask, for a scheme with a switch `causal`: masks the keys after the query if it is
 * on. */
bool mask_causal(struct head *head, const struct member *m, struct err *err);

/* Returns x [n,n] where the head's mask allows, else 0. There must be a mask. `consume`: the
 * caller no longer needs x. */
struct node *mask_where_allowed(struct head *head, struct node *x, bool consume);

/* For scheme.reach: INFINITY. A mask alone has nothing new at any distance. */
double mask_reach(const void *param, const struct model_config *config);

#endif
