/* name_index.h: a hash table over the names in an array of structures. */
#ifndef FORMAT_NAME_INDEX_H
#define FORMAT_NAME_INDEX_H

#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/format/tensor.h"

/* The names that a hash table refers to. A file may have as many names as its bytes allow;
 * comparing each with all others would take quadratic time. `at` points to the first name; the
 * others follow at a distance of `size` bytes. */
struct names {
	const char *const *at;
	size_t size;
};

/* Returns the index of the name, SIZE_MAX when it is missing. */
size_t name_index_find(const struct name_index *index, struct names all, const char *name);

/* Adds the last of `count` names. Half of the slots stay free. */
void name_index_add(struct arena *a, struct name_index *index, struct names all, size_t count);

/* Makes space for one more element in an array; the outgrown copy stays in the arena. */
void *array_grow(struct arena *a, void *items, size_t count, size_t *cap, size_t size);

#endif
