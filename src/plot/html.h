/* html.h: elements and tables of a page for a browser, as text that grows. Words are escaped; NULL and "" are none. */
#ifndef POSVIZ_HTML_H
#define POSVIZ_HTML_H

#include "posviz/base/strbuf.h"
#include "posviz/plot/figure.h"

enum { HTML_CELLS = 20000 }; /* the most of a table that is read */

/* Words as they are; <tag>words</tag>, and the same with a line's end, where there are words. The tag may have
 * attributes: "th scope=\"row\"". */
void html_words(struct strbuf *b, const char *words);
void html_add(struct strbuf *b, const char *tag, const char *words);
void html_line(struct strbuf *b, const char *tag, const char *words);

/* Begins a table with a row of titles; NULL ends them. */
void html_table(struct strbuf *b, const char *caption, const char *const *head);
void html_table_end(struct strbuf *b);
void html_row(struct strbuf *b, const char *title);
void html_row_end(struct strbuf *b);
/* A cell, also of no words. */
void html_cell(struct strbuf *b, const char *tag, const char *words);
/* A number of a table whose largest one is `size`, which decides the decimals, and what is only rounding; with
 * significant digits of its own where size is infinite. */
void html_number(struct strbuf *b, double value, double size);
/* The largest size among finite numbers. */
double html_largest(const double *at, size_t n);
/* True where a table of so many cells is not for reading; says so, and where the numbers are. */
bool html_is_too_much(struct strbuf *b, size_t cells);

#endif
