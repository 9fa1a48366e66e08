/* mask.h: the mask that several families bring. */
#ifndef SCHEME_MASK_H
#define SCHEME_MASK_H

#include "posviz/stage.h"

/* Forbids the keys whose position in m's column is greater than the query's. An error when keys and
 * queries are not the same units. */
bool mask_later(struct head *head, const struct member *m, struct err *err);

#endif
