/* markdown.h: text from outside, escaped for Markdown: CommonMark with GitHub's tables,
 * strikethrough, links and mathematics. The text appears exactly as it is written; no character
 * of it acts as mark-up. */
#ifndef POSVIZ_MARKDOWN_H
#define POSVIZ_MARKDOWN_H

#include <stdbool.h>

#include "posviz/base/strbuf.h"

/* Adds a line of text. `starts`: the line begins a paragraph, where characters of lists,
 * headings and rules would be read as mark-up. A web address becomes a link that shows it. */
void markdown_add(struct strbuf *b, const char *text, bool starts);

/* Adds a line of text as code. With `table`, "|" is escaped as tables require. */
void markdown_add_code(struct strbuf *b, const char *text, bool table);

#endif
