/* called.h: names by which people look for schemes: models and their types in libraries, and
 * terms of the field, each with the expression that it means here. */
#ifndef POSVIZ_CALLED_H
#define POSVIZ_CALLED_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scheme/scheme.h"

struct scheme_call {
	const char *names;	/* separated by "|"; compared by text_same_name */
	const char *expression; /* the expression they mean */
	const char *note;	/* a remark: one or two sentences */
};

extern const struct scheme_call scheme_calls[]; /* ends with names == NULL */

/* Returns whether the word is one of the scheme's aliases, compared by text_same_name. */
bool scheme_is_called(const struct scheme *s, const char *word);

/* Returns the row that has this name, or NULL. */
const struct scheme_call *scheme_called(const char *word);

/* Returns name i of a row, from 0, and its length; NULL: there are fewer. */
const char *scheme_call_name(const struct scheme_call *call, size_t i, size_t *len);

#endif
