/* markup.h: text for elements and attributes of XML and HTML, escaped and unescaped. */
#ifndef POSVIZ_MARKUP_H
#define POSVIZ_MARKUP_H

#include <stddef.h>

#include "posviz/base/strbuf.h"

/* Adds text as the text of an element or of an attribute in double quotes: it never makes a tag,
 * whatever it holds. Line ends and tabs become numeric references, which attributes preserve;
 * characters that XML does not allow become U+FFFD. */
void markup_escape(struct strbuf *b, const char *text, size_t len);

/* Returns the text that text[0..len), taken from such a place, stands for, terminated. Replaces
 * &amp; &lt; &gt; &quot; &nbsp; and numeric references. Any other "&" stays, and so does a
 * reference that is no code point. */
char *markup_unescape(struct arena *a, const char *text, size_t len);

#endif
