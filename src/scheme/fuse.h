/* fuse.h: vectors of two sources, a structure and the sequence, that are combined (Wang et al.
 * 2019). */
#ifndef SCHEME_FUSE_H
#define SCHEME_FUSE_H

#include "posviz/model/stage.h"

enum fuse { FUSE_NONE, FUSE_SUM, FUSE_TANH };
extern const char *const fuse_names[]; /* none sum tanh, ends with NULL */

/* Returns tanh((a + b) / 2). */
struct node *fuse_tanh(struct tape *t, struct node *a, struct node *b);

/* The rows of two tables that occur together, numbered in the order of their first occurrence. */
struct fused {
	const struct index *pair; /* [n,n] → number of the pair, or -1 */
	int32_t *a, *b;		  /* [pair->count] rows of the tables */
};
struct fused fuse_rows(struct arena *arena, const struct index *a, const struct index *b);
/* Returns fuse_tanh of the rows of every pair: [pair->count, dk]. */
struct node *fuse_tables(struct tape *t, const struct fused *f, struct node *a, struct node *b);

#endif
