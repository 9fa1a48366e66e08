/* given.h: matrices of the user's own as expressions. */
#ifndef POSVIZ_GIVEN_H
#define POSVIZ_GIVEN_H

#include <stdbool.h>

#include "posviz/arena.h"
#include "posviz/err.h"

/* The expression that shows the matrix of FILE or FILE:TENSOR: matrix(from=...), quoted where it must
 * be. Nothing is read. False when a parameter cannot hold the name. */
bool given_expression(const char *spec, struct arena *a, const char **out, struct err *err);

#endif
