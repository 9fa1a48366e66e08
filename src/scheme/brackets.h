/* brackets.h: the values of arguments as text: their end, lists, quotes.
 *
 * A value is text balanced in its brackets or quoted; within quotes \" and \\ stand for " and \. */
#ifndef SCHEME_BRACKETS_H
#define SCHEME_BRACKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/strbuf.h"

bool value_is_blank(char c);

enum { VALUE_DEPTH = 256 }; /* levels of nested brackets */

/* Returns the length up to the first of `ends` (",)") outside of brackets and quotes, or to the
 * end of the text. *wrong gets the index of an unmatched bracket or quote, or `len` + 1 if all
 * match. A bracket deeper than VALUE_DEPTH ends the scan: its index is in *wrong and returned. */
size_t value_length(const char *text, size_t len, const char *ends, size_t *wrong);

/* An iterator over the items of "[a, b]", or "a" as the only one: trimmed, perhaps empty. */
struct value_list {
	const char *at, *end; /* at NULL: no more */
};
struct value_list value_list(const char *value, size_t len);
const char *value_next(struct value_list *list, size_t *len); /* NULL at the end */

/* Writes the text that a value stands for; false when it and its terminator do not fit. */
bool value_unquote(char *out, size_t size, const char *value, size_t len);
/* Returns the index in a value of byte `at` of the text that it stands for. */
size_t value_place(const char *value, size_t len, size_t at);
/* Adds the value that stands for `text`: the text itself if that can be parsed again, else
 * quoted. */
void value_quote(struct strbuf *out, const char *text);

#endif
