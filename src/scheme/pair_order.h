/* pair_order.h: an order from predictions for every two elements (Bao et al. 2019).
 *
 * sign[i·n + j] is 1 if i is predicted to be later than j, -1 if earlier, and 0 on the diagonal.
 * Pairs are predicted independently, so the predictions may be inconsistent: a may come before
 * b, b before c, and c before a. */
#ifndef SCHEME_PAIR_ORDER_H
#define SCHEME_PAIR_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

enum pair_order {
	PAIR_ORDER_REPAIR, /* by count, after inconsistent relations were reversed */
	PAIR_ORDER_COUNT,  /* the more elements it is later than, the later; ties by number */
	PAIR_ORDER_SORT	   /* quicksort by the relations to its pivot, the first element */
};

enum { PAIR_ORDER_ROUNDS = 3 }; /* rounds of repair, at most */

/* The predictions as bits, packed in words, a row for each element. */
struct pair_sides {
	size_t n, words;
	uint64_t *later, *earlier; /* [n·words]: the elements that it is later than, earlier than */
	size_t *n_later, *n_earlier; /* [n] */
};

void pair_sides_of(struct pair_sides *out, const int8_t *sign, size_t n, struct arena *a);

/* Computes in out[0..n) how well the relation of i to each j fits the relations of both to the
 * others. For i later than j: among the elements after i or before j, the share about which i
 * and j agree. 1 if nothing contradicts it, and on the diagonal; below 1/2 the reverse fits
 * better. */
void pair_consistency(const struct pair_sides *s, size_t i, double *out);

/* Computes the position of each element, rank[0..n), a permutation. The repair changes `sign`. */
void pair_order_find(int8_t *sign, size_t n, enum pair_order how, struct arena *a, size_t *rank);

#endif
