/* help_files.h: small files in the present folder, made by tests in the way other programs write
 * them. */
#ifndef HELP_FILES_H
#define HELP_FILES_H

#include <stddef.h>

void help_write(const char *name, const void *data, size_t len);
void help_write_text(const char *name, const char *text);

/* Writes a .npy of these numbers; the axes of the shape end at the first 0. */
enum { HELP_AXES = 5 };
void help_write_npy(const char *name, const double *at, const size_t shape[HELP_AXES]);
#define HELP_SHAPE(...) ((const size_t[HELP_AXES]){__VA_ARGS__})

/* Returns attention weights, [rows, cols] in the arena of help_arena.h: each row is a softmax of
 * numbers that differ for all pairs, so it sums to 1. */
double *help_attention(size_t rows, size_t cols, size_t seed);

#endif
