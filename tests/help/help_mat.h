/* help_mat.h: matrices for tests, in the arena of help_arena.h. */
#ifndef HELP_MAT_H
#define HELP_MAT_H

#include "posviz/format/tensor.h"

/* Normal numbers drawn from a seed. */
struct mat help_normal(size_t rows, size_t cols, uint64_t seed);

/* A tensor of a file; fails the test when there is none. */
struct mat help_tensor_named(const struct tensor_set *set, const char *name);

/* Mean 0 and variance 1 of each row, as layer normalisation has them before it scales. */
void help_normalise(struct mat m, double eps);

#endif
