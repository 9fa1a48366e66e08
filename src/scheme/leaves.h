/* leaves.h: learned leaves as rows of a table, scheme.leaves: what each is, its shape, and how it
 * is drawn. */
#ifndef SCHEME_LEAVES_H
#define SCHEME_LEAVES_H

#include "posviz/scheme/scheme.h"

/* For by_layer. */
#define EACH_LAYER "1"
#define ALL_LAYERS "0"

/* For hooks.declare: the leaves of m's scheme that have a `by_layer` or a `declare`, in the order
 * of the rows. */
bool leaves_declare(struct model *model, const struct member *m, struct err *err);

/* A linear map as PyTorch draws it, its bias too: within 1/√inputs, which is a text. */
/* clang-format off */
#define LINEAR_INIT(inputs) {FILL_UNIFORM, .formula = "1 / sqrt(" inputs ")"}
/* clang-format on */

#endif
