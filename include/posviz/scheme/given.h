/* given.h: matrices of the user's own as expressions. */
#ifndef POSVIZ_GIVEN_H
#define POSVIZ_GIVEN_H

#include <stdbool.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/scheme/scheme.h"

/* The expression that shows the matrix of FILE or FILE:TENSOR: matrix(from=...), quoted where it must
 * be. Nothing is read. False when a parameter cannot hold the name. */
bool given_expression(const char *spec, struct arena *a, const char **out, struct err *err);

/* True of matrix(from=FILE) without as= or keys=, where the file decides whether its numbers are bias or weights, and
 * whether keys are other tokens than queries. */
bool given_is_open(const struct expr *e);
/* Such matrices whose numbers do not decide it become as=bias, which earlier versions took them for; with `rounded`
 * also those that rounding alone keeps from being weights, and squares whose rows are named otherwise than their columns
 * become keys=same. Reads the files; one that cannot be read stays as it is. True where there was any. */
bool given_as_earlier(struct expr *e, bool rounded, struct arena *a);
/* The file of the first matrix that as=bias makes a bias, and of the first with keys=same; or NULL. */
const char *given_bias_file(const struct expr *e);
const char *given_same_file(const struct expr *e);

#endif
