/* help_tensors.h: files of tensors with all their numbers. */
#ifndef HELP_TENSORS_H
#define HELP_TENSORS_H

#include "posviz/format/tensor.h"

/* Reads a file, with all numbers. */
bool help_tensors(struct tensor_set *set, const char *path, struct err *err);
/* Reads the bytes of a safetensors or GGUF file, with texts of the metadata and all numbers. */
bool help_tensors_of(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err);

#endif
