/* brackets.h: the values of arguments as text: where one ends, quotes.
 *
 * A value is text balanced in its brackets or quoted; within quotes \" and \\ stand for " and \. */
#ifndef SCHEME_BRACKETS_H
#define SCHEME_BRACKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/strbuf.h"

enum { BRACKET_DEPTH = 256 }; /* brackets in each other */

/* The bytes up to the first of `ends` (",)") outside of brackets and quotes, or to the end of
 * the text. *wrong gets the place of a bracket or quote without its partner, or `len` + 1 when
 * all is well. A bracket deeper than BRACKET_DEPTH ends the reading: it is at *wrong, which is
 * returned as well. */
size_t bracket_length(const char *text, size_t len, const char *ends, size_t *wrong);

/* The text that a value stands for. */
const char *bracket_unquote(struct arena *a, const char *value, size_t len);
/* The byte of a value where byte `at` of the text that it stands for is written. */
size_t bracket_place(const char *value, size_t len, size_t at);
/* The value that stands for `text`: itself where that can be read again, else quoted. */
void bracket_quote(struct strbuf *out, const char *text);

#endif
