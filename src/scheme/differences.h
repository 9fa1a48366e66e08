/* differences.h: the differences that occur between the positions of a column, each once.
 *
 * A bias that is a function of the difference is computed once for each and read n² times. */
#ifndef SCHEME_DIFFERENCES_H
#define SCHEME_DIFFERENCES_H

#include "posviz/model/stage.h"

struct differences {
	struct mat at;		   /* [count, 1], ascending */
	const struct index *index; /* [n,n] → 0..count-1 */
};

/* Of m's column: s - t, or |s - t| when `absolute`. Positions need not be whole. */
bool differences_init(struct differences *d, struct run *run, const struct member *m, bool absolute,
		      struct err *err);

/* Of finite numbers that a member makes of the units, s - t; `name` is the index's. */
bool differences_of(struct differences *d, struct run *run, const struct member *m,
		    const double *position, const char *name, struct err *err);

/* The same numbers as a constant [1, count]. */
struct node *differences_row(struct tape *t, const struct differences *d);

/* A network applied to every row of x: [rows, width]. Where nothing is remembered it goes by blocks, so
 * that hidden numbers are few at a time. `network` must make no node that lasts, as leaves do. */
struct node *differences_apply(struct tape *t, struct mat x, size_t width,
			       struct node *(*network)(const void *context, struct tape *t,
						       struct node *x),
			       const void *context);

#endif
