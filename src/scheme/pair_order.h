/* pair_order.h: an order from what is said of every two (Bao et al. 2019).
 *
 * sign[i·n + j] is 1 where i is said to come later than j, -1 where earlier, and 0 on the diagonal.
 * As each pair is spoken of by itself, what is said need not fit together: a may come before b, b
 * before c, and c before a. */
#ifndef SCHEME_PAIR_ORDER_H
#define SCHEME_PAIR_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

enum pair_order {
	PAIR_ORDER_REPAIR, /* counted after relations that do not fit were turned round */
	PAIR_ORDER_COUNT,  /* the more one comes later than, the later; ties by number */
	PAIR_ORDER_SORT	   /* quicksort that asks for the relation to its pivot, the first one */
};

enum { PAIR_ORDER_ROUNDS = 3 }; /* of repair, at most */

/* What is said, as bits: one after the other in words, a row for each. */
struct pair_sides {
	size_t n, words;
	uint64_t *later, *earlier;   /* [n·words]: whom one comes later than, earlier than */
	size_t *n_later, *n_earlier; /* [n] */
};

void pair_sides_of(struct pair_sides *out, const int8_t *sign, size_t n, struct arena *a);

/* How well the relation of i to each j fits what is said of either and the others, in out[0..n). For i
 * later than j: of those that come after i or before j, the share that i and j agree about. 1 where
 * nothing contradicts it, and on the diagonal; below 1/2 the other way round fits better. */
void pair_consistency(const struct pair_sides *s, size_t i, double *out);

/* The place of each, rank[0..n), a permutation. The repair writes into `sign`. */
void pair_order_find(int8_t *sign, size_t n, enum pair_order how, struct arena *a, size_t *rank);

#endif
