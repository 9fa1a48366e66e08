/* tensor_names.h: what a file of tensors holds, without its numbers: for completion, which may not take
 * long. */
#ifndef POSVIZ_TENSOR_NAMES_H
#define POSVIZ_TENSOR_NAMES_H

#include <stddef.h>

#include "posviz/base/arena.h"

enum {
	TENSOR_NAMES_MOST = 4096,
	TENSOR_NAMES_BYTES = 16 << 20 /* files of other formats are read whole */
};

/* The names in the order of the file, of a regular file whose ending is one of the formats'; *n is 0 when it
 * is none, too large to be read for them, or cannot be read. names[*n] from `a`. */
const char **tensor_names_of(const char *path, struct arena *a, size_t *n);

#endif
