/* mask.h: the mask that several families bring. */
#ifndef SCHEME_MASK_H
#define SCHEME_MASK_H

#include "posviz/scheme.h"
#include "posviz/stage.h"

/* Forbids the pairs whose positions in m's column `sees` says no to; keys and queries must be the same
 * units, else it is an error. */
bool mask_unless(struct head *head, const struct member *m, bool (*sees)(double query, double key),
		 struct err *err);

/* Forbids the keys whose position in m's column is greater than the query's. An error when keys and
 * queries are not the same units. */
bool mask_later(struct head *head, const struct member *m, struct err *err);

/* For hooks.mask, of a scheme with a switch `causal`: the same where it is on. */
bool mask_causal(struct head *head, const struct member *m, struct err *err);

/* 1 where the head's mask allows, else 0: [n,n]. There must be a mask. */
struct node *mask_node(struct head *head);

/* For scheme.reach: INFINITY. Without positions but for a mask, no distance shows what is new. */
double mask_reach(const void *param, const struct model_config *config);

#endif
