/* spr_way.h: where one word of a dependency tree is seen from another (Wang et al. 2019), as a number and
 * in words.
 *
 *   rel(t,s) = abs(t) - abs(s) where one of t and s is above the other,
 *              sgn(t-s) (abs(t) + abs(s)) where none is: by way of the root
 *
 * The number alone does not say which of the two it is, so that stands beside it. */
#ifndef SCHEME_SPR_WAY_H
#define SCHEME_SPR_WAY_H

#include "scheme/tree.h"

struct spr_way_numbers {
	int32_t *at, *beside; /* [n·n]; `beside` for the words, or NULL */
};

/* rel(t,s) of all pairs, before it is clipped. A unit without a node has none but with itself. */
bool spr_way_numbers(struct run *run, const struct member *m, struct tree *tree, bool beside,
		     struct spr_way_numbers *out, struct err *err);

/* What says in struct relation what such a number of this tree means. */
typedef const char *spr_way_words(const struct relation *r, int32_t value,
				  const struct relation_cell *at, struct arena *a);
spr_way_words *spr_way_says(const struct tree *tree);

#endif
