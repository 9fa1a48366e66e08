/* released.h: released models by name: their positions as an expression, and their sizes. */
#ifndef POSVIZ_RELEASED_H
#define POSVIZ_RELEASED_H

#include "posviz/base/err.h"

struct released {
	/* "llama3.1-8b|...": separated by "|", the first is shown; compared by text_same_name. */
	const char *names;
	int year;
	/* 0: head_dim is d / heads, value_dim is head_dim, kv_heads is heads; t_max: its file does not
	 * say on how many positions it was trained. */
	long d, layers, heads, kv_heads, head_dim, value_dim, t_max;
	const char *expression;
	const char *left_out; /* what of its attention no expression here has; or NULL */
	const char *source;   /* the file that was read */
};

extern const struct released released_models[]; /* ends with names == NULL */

/* Returns the row of this name; NULL with an error that suggests one. */
const struct released *released_find(const char *name, struct err *err);

/* Returns the first name of a row, and its length. */
const char *released_name(const struct released *r, size_t *len);

#endif
