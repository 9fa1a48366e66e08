/* differences.h: the distinct differences between the positions of a column.
 *
 * A bias that is a function of the difference is computed once for each and looked up n² times. */
#ifndef SCHEME_DIFFERENCES_H
#define SCHEME_DIFFERENCES_H

#include "posviz/model/stage.h"

struct differences {
	struct mat at;		   /* [count, 1], ascending */
	const struct index *index; /* [n,n] → 0..count-1 */
};

/* Finds the differences of m's column: s - t, or |s - t| when `absolute`. Positions need not be
 * whole numbers. */
bool differences_init(struct differences *d, struct run *run, const struct member *m, bool absolute,
		      struct err *err);

/* Finds s - t of finite numbers that a member computes for the tokens; `name` is that of the
 * index. */
bool differences_of(struct differences *d, struct run *run, const struct member *m,
		    const double *position, const char *name, struct err *err);

/* Returns the differences as a constant [1, count]. */
struct node *differences_row(struct tape *t, const struct differences *d);

/* Applies a network to every row of x: [rows, width]. When not recording it goes block by block,
 * so that few hidden numbers exist at a time. `network` must not make nodes that outlast the
 * call, as leaves do. */
struct node *differences_apply(struct tape *t, struct mat x, size_t width,
			       struct node *(*network)(const void *context, struct tape *t,
						       struct node *x),
			       const void *context);

#endif
