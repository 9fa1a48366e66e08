/* spr_way.h: where one word of a dependency tree is seen from another (Wang et al. 2019), as a number and
 * in words.
 *
 *   rel(t,s) = abs(t) - abs(s) where one of t and s is above the other,
 *              sgn(t-s) (abs(t) + abs(s)) where none is: by way of the root
 *
 * A unit without a node has none but with itself. */
#ifndef SCHEME_SPR_WAY_H
#define SCHEME_SPR_WAY_H

#include "scheme/encoding.h"

/* rel(t,s); what is beyond ±radius reads the row of it. */
struct encoding spr_way(long radius);

#endif
