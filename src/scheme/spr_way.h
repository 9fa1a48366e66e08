/* spr_way.h: the relation of one word of a dependency tree to another (Wang et al. 2019), as a
 * number and in words.
 *
 *   rel(t,s) = abs(t) - abs(s) where one of t and s is above the other,
 *              sgn(t-s) (abs(t) + abs(s)) where none is: by way of the root
 *
 * A token without a node is related only to itself. */
#ifndef SCHEME_SPR_WAY_H
#define SCHEME_SPR_WAY_H

#include "scheme/encoding.h"

/* Returns the encoding rel(t,s), clipped to ±radius. */
struct encoding spr_way(long radius);

#endif
