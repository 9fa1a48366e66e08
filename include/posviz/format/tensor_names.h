/* tensor_names.h: the names in a file of tensors, without its numbers: for completion, which
 * must be quick. */
#ifndef POSVIZ_TENSOR_NAMES_H
#define POSVIZ_TENSOR_NAMES_H

#include <stddef.h>

#include "posviz/base/arena.h"

enum {
	TENSOR_NAMES_MOST = 4096,
	TENSOR_NAMES_BYTES = 16 << 20 /* files of other formats are read whole */
};

/* Returns the names in the order of the file: of a file of tensors, an index or the directory of a
 * model; *n is 0 if it is none, if it is too large to be read only for its names, or cannot be read.
 * names[*n] from `a`. */
const char **tensor_names_of(const char *path, struct arena *a, size_t *n);

#endif
