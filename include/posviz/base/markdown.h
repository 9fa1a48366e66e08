/* markdown.h: text from outside in Markdown, CommonMark with GitHub's tables, strikethrough, links and mathematics: it
 * is read as it is written, no sign of it is mark-up. */
#ifndef POSVIZ_MARKDOWN_H
#define POSVIZ_MARKDOWN_H

#include <stdbool.h>

#include "posviz/base/strbuf.h"

/* Adds a line of text. `starts`: nothing of the paragraph stands before it, so that signs of lists, headings and rules
 * would be such. An address of the web becomes a link that shows it. */
void markdown_add(struct strbuf *b, const char *text, bool starts);

/* Adds a line of text as code; "|" is written as tables want it, where `table`. */
void markdown_add_code(struct strbuf *b, const char *text, bool table);

#endif
