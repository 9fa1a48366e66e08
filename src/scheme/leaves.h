/* leaves.h: learned leaves as rows of a table, scheme.leaves: the meaning of each, its shape,
 * and how it is drawn. */
#ifndef SCHEME_LEAVES_H
#define SCHEME_LEAVES_H

#include "posviz/scheme/scheme.h"

/* Values of by_layer. */
#define EACH_LAYER "1"
#define ALL_LAYERS "0"

/* For hooks.declare: declares the leaves of m's scheme that have a `by_layer` or a `declare`, in
 * the order of the rows. */
bool leaves_declare(struct model *model, const struct member *m, struct err *err);

/* The initialisation of a linear map in PyTorch, its bias too: uniform within 1/√inputs;
 * `inputs` is a text. */
/* clang-format off */
#define LINEAR_INIT(inputs) {FILL_UNIFORM, .formula = "1 / sqrt(" inputs ")"}
/* clang-format on */

#endif
