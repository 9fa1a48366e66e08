/* given.h: matrices of the user's own as expressions. */
#ifndef POSVIZ_GIVEN_H
#define POSVIZ_GIVEN_H

#include <stdbool.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/scheme/scheme.h"

/* Makes the expression that shows the matrix of FILE or FILE:TENSOR: matrix(from=...), quoted if
 * necessary. Reads no file. False when a parameter cannot hold the name. */
bool given_expression(const char *spec, struct arena *a, const char **out, struct err *err);

/* Returns whether the expression is matrix(from=FILE) without as= or keys=, so that the file
 * decides whether its numbers are bias or weights, and whether keys are other tokens than
 * queries. */
bool given_is_open(const struct expr *e);
/* Rewrites such matrices for files of earlier versions: if their numbers do not decide it they
 * become as=bias; with `rounded` also those that are weights up to rounding. Square matrices
 * whose rows and columns have different labels become keys=same. Reads the files; a matrix whose
 * file cannot be read stays unchanged. Returns whether there was any. */
bool given_as_earlier(struct expr *e, bool rounded, struct arena *a);
/* Return the file of the first matrix that as=bias makes a bias, and of the first with
 * keys=same; or NULL. */
const char *given_bias_file(const struct expr *e);
const char *given_same_file(const struct expr *e);

#endif
