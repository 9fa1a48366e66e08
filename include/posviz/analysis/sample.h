/* sample.h: a selection of rows of a large matrix, the same for the same seed. */
#ifndef POSVIZ_SAMPLE_H
#define POSVIZ_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

enum { SAMPLE_ROWS = 512 }; /* an analysis reads only this many rows of a larger matrix */

struct row_sample {
	const size_t *at; /* [n] ascending */
	size_t n, of;	  /* equal: all rows */
	uint64_t seed;
};

/* Selects `most` of the rows 0..of-1 without replacement, each set of that size equally likely;
 * all if there are no more. */
struct row_sample sample_rows(size_t of, size_t most, uint64_t seed, struct arena *a);
/* Returns "512 of 1000 rows, seed 0"; NULL: all. */
const char *sample_show(const struct row_sample *s, struct arena *a);

#endif
