/* help_mat.h: matrices for tests, in the arena of help_arena.h. */
#ifndef HELP_MAT_H
#define HELP_MAT_H

#include "posviz/format/tensor.h"

/* Returns a matrix of normal numbers drawn from a seed. */
struct mat help_normal(size_t rows, size_t cols, uint64_t seed);

/* Returns a tensor of a file; fails the test if there is none. */
struct mat help_tensor_named(const struct tensor_set *set, const char *name);

/* Gives each row mean 0 and variance 1, as layer normalisation does before it scales. */
void help_normalise(struct mat m, double eps);

#endif
