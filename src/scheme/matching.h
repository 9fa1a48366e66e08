/* matching.h: matching rows to columns by a matrix of similarities (Bao et al. 2019). */
#ifndef SCHEME_MATCHING_H
#define SCHEME_MATCHING_H

#include <stddef.h>

#include "posviz/math/mat.h"

enum matching {
	MATCHING_CODE,	/* the authors': columns compare softmax weights over the free entries */
	MATCHING_GREEDY /* the similarities: like taking the greatest again and again */
};

/* Matches, round by round, all pairs that are the greatest of both their row and their column
 * among the free ones. place[i]: the column of row i; c is square. Returns the number of rounds. */
size_t matching_find(struct mat c, enum matching how, struct arena *a, size_t *place);

#endif
