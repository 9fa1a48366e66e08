/* distances.h: a matrix summarised along its diagonals. */
#ifndef POSVIZ_DISTANCES_H
#define POSVIZ_DISTANCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/model/trace.h"

/* A matrix by the distance s−t between positions in the sentence, whatever position ids are
 * given; positions in a memory come before those of the tokens. Inserted tokens are skipped. */
struct distances {
	size_t heads, memory;
	long lo, hi;		  /* distances lo..hi: -(n-1), and the memory, to n-1 */
	size_t n;		  /* hi - lo + 1 */
	double *mean, *min, *max; /* [heads][n]; NaN if no pair has this distance */
	size_t skipped;		  /* inserted tokens, counted once */
	/* [rows][cols]: a number for each pair that replaces its distance; then lo..hi is the
	 * range of the numbers, and `skipped` counts the pairs with RELATION_NO_PATH. NULL:
	 * distances. */
	const int32_t *number;
	size_t rows, cols;
};

/* Uses these numbers, which must outlive d; false when no pair has one, or their range is too
 * large for a curve. */
bool distances_init_by(struct distances *d, const int32_t *number, size_t rows, size_t cols,
		       size_t heads, struct arena *a);
/* distances_add summarises one matrix; masked pairs (mask may be NULL) do not count. */
void distances_init(struct distances *d, const struct trace *trace, size_t heads, struct arena *a);
void distances_add(struct distances *d, const struct axis *query, const struct axis *key,
		   size_t head, struct mat m, const uint8_t *mask);

#endif
