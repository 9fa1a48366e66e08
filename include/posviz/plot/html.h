/* html.h: elements and tables of a web page, appended to a text. Words are escaped; NULL and ""
 * mean no words. */
#ifndef POSVIZ_HTML_H
#define POSVIZ_HTML_H

#include "posviz/base/strbuf.h"
#include "posviz/plot/figure.h"

enum { HTML_CELLS = 20000 }; /* the most cells of a table on a page */

/* html_words adds words alone; html_add adds <tag>words</tag>, and html_line the same with a line
 * end, both only if there are words. The tag may have attributes: "th scope=\"row\"". */
void html_words(struct strbuf *b, const char *words);
void html_add(struct strbuf *b, const char *tag, const char *words);
void html_line(struct strbuf *b, const char *tag, const char *words);

/* Begins a table with a row of titles, which NULL ends. */
void html_table(struct strbuf *b, const char *caption, const char *const *head);
void html_table_end(struct strbuf *b);
void html_row(struct strbuf *b, const char *title);
void html_row_end(struct strbuf *b);
/* Adds a cell, even without words. */
void html_cell(struct strbuf *b, const char *tag, const char *words);
/* Adds a number of a table whose largest one is `size`. This determines the decimals, and the
 * numbers so small that they count as rounding errors of 0. With infinite `size` a number has
 * significant digits of its own. */
void html_number(struct strbuf *b, double value, double size);
/* Returns the largest absolute value of the finite numbers. */
double html_largest(const double *at, size_t n);
/* True if a table of so many cells is too large for readers; then adds a sentence that says so and
 * names the command that writes the numbers. */
bool html_is_too_much(struct strbuf *b, size_t cells);

#endif
