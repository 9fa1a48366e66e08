/* called.h: what people call schemes who do not know their ids here: models and their types in libraries, and words of
 * the field, each with the expression that it stands for. */
#ifndef POSVIZ_CALLED_H
#define POSVIZ_CALLED_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scheme/scheme.h"

struct scheme_call {
	const char *names;	/* parted by "|"; as text_same_name finds them */
	const char *expression; /* what they stand for */
	const char *note;	/* what is to be known of it: one or two sentences */
};

extern const struct scheme_call scheme_calls[]; /* ends with names == NULL */

/* Looks for the word among the scheme's aliases, as text_same_name compares. */
bool scheme_is_called(const struct scheme *s, const char *word);

/* The row that has this name, or NULL. */
const struct scheme_call *scheme_called(const char *word);

/* Name i of a row, from 0, and its bytes; NULL: there are fewer. */
const char *scheme_call_name(const struct scheme_call *call, size_t i, size_t *len);

#endif
