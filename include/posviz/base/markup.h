/* markup.h: text between the tags and in the attributes of XML and HTML, and back. */
#ifndef POSVIZ_MARKUP_H
#define POSVIZ_MARKUP_H

#include <stddef.h>

#include "posviz/base/strbuf.h"

/* Adds text as text of an element or of an attribute in double quotes: never a tag, whatever it holds. Line ends and
 * tabs are numbers, which stay as they are in attributes; what XML has no place for is U+FFFD. */
void markup_escape(struct strbuf *b, const char *text, size_t len);

/* The text that text[0..len) of such a place stands for, terminated: &amp; &lt; &gt; &quot; &nbsp; and numbers.
 * Any other "&" stands for itself, and so does a number of no code point. */
char *markup_unescape(struct arena *a, const char *text, size_t len);

#endif
