/* help_files.h: small files that tests make, as others would write them, in the present folder. */
#ifndef HELP_FILES_H
#define HELP_FILES_H

#include <stddef.h>

void help_write(const char *name, const void *data, size_t len);
void help_write_text(const char *name, const char *text);

/* A .npy of these numbers; the shape's axes end at the first 0. */
enum { HELP_AXES = 5 };
void help_write_npy(const char *name, const double *at, const size_t shape[HELP_AXES]);
#define HELP_SHAPE(...) ((const size_t[HELP_AXES]){__VA_ARGS__})

/* Attention of n positions on themselves: row t is a softmax of numbers that no two pairs share, [n, n] from the
 * arena of help_arena.h. Each row sums to 1. */
double *help_attention(size_t rows, size_t cols, size_t seed);

#endif
