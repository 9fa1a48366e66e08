/* sweep.h: one parameter of an expression at several values. */
#ifndef POSVIZ_SWEEP_H
#define POSVIZ_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

/* The values of a sweep over an expression, and the expressions with these values; all
 * canonical. The texts live in `a`. */
enum { SWEEP_MOST = 24 };
struct sweep {
	const char *param; /* "base", or with its member: "alibi.heads", "2.base" */
	const char *values[SWEEP_MOST], *expressions[SWEEP_MOST];
	size_t n;
};
bool sweep_of(const char *expression, const char *sweep, struct arena *a, struct sweep *out,
	      struct err *err);

#endif
