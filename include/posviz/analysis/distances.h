/* distances.h: a matrix read along its diagonals. */
#ifndef POSVIZ_DISTANCES_H
#define POSVIZ_DISTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/model/trace.h"

/* A matrix by distance s−t between places in the sentence, whatever position ids are given; places
 * in a memory come before those of the tokens. Other units without a token are skipped. */
struct distances {
	size_t heads, memory;
	long lo, hi;		  /* distances lo..hi: -(n-1), and the memory, to n-1 */
	size_t n;		  /* hi - lo + 1 */
	double *mean, *min, *max; /* [heads][n]; NaN where no pair has this distance */
	size_t skipped;		  /* units left out, counted once */
	/* [rows][cols]: a number of each pair counts instead of its distance; then lo..hi are those of the
	 * numbers, and `skipped` are the pairs of RELATION_NO_PATH. NULL: distances. */
	const int32_t *number;
	size_t rows, cols;
};

/* By these numbers, which must live as long; false when no pair has one, or they lie too
 * far apart to be places of a curve. */
bool distances_init_by(struct distances *d, const int32_t *number, size_t rows, size_t cols,
		       size_t heads, struct arena *a);
/* Reduces one matrix; pairs with mask 0 (mask may be NULL) do not count. */
void distances_init(struct distances *d, const struct trace *trace, size_t heads, struct arena *a);
void distances_add(struct distances *d, const struct axis *query, const struct axis *key,
		   size_t head, struct mat m, const uint8_t *mask);

#endif
