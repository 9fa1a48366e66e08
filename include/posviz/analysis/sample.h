/* sample.h: of a large matrix some rows, the same ones whenever the seed is the same. */
#ifndef POSVIZ_SAMPLE_H
#define POSVIZ_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

enum { SAMPLE_ROWS = 512 }; /* of larger matrices an analysis reads so many rows */

struct row_sample {
	const size_t *at; /* [n] ascending */
	size_t n, of;	  /* equal: all of them */
	uint64_t seed;
};

/* `most` of the rows 0..of-1 without replacement, each set of that size as likely as any other; all
 * where there are no more. */
struct row_sample sample_rows(size_t of, size_t most, uint64_t seed, struct arena *a);
/* "512 of 1000 rows, seed 0"; NULL: it is all of them. */
const char *sample_show(const struct row_sample *s, struct arena *a);

#endif
