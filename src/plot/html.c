/* html.c: elements and tables of a web page. Text of any origin passes markup_escape once, where it
 * is added. */
#include "posviz/plot/html.h"

#include <math.h>
#include <string.h>

#include "posviz/base/isolate.h"
#include "posviz/base/markup.h"
#include "posviz/base/num.h"

enum { DIGITS = 4 };

void html_words(struct strbuf *b, const char *words)
{
	markup_escape(b, words, strlen(words));
}

/* Adds words of an element; those with an order of their own are elements "bdi". */
static void add_isolated(struct strbuf *b, const char *words)
{
	const size_t mark = strlen(ISOLATE_BEGIN);
	for (const char *at = isolate_words(b->arena, words); *at;) {
		const bool begins = strncmp(at, ISOLATE_BEGIN, mark) == 0;
		const bool ends = strncmp(at, ISOLATE_END, mark) == 0;
		if (begins || ends) {
			strbuf_add(b, begins ? "<bdi>" : "</bdi>");
			at += mark;
			continue;
		}
		const char *const next = strstr(at, ISOLATE_BEGIN), *const last =
									    strstr(at, ISOLATE_END);
		const char *const end = next && (!last || next < last) ? next : last;
		const size_t len = end ? (size_t)(end - at) : strlen(at);
		markup_escape(b, at, len);
		at += len;
	}
}

/* Adds <tag>words</tag>; nothing if there are no words. The tag may have attributes: "th
 * scope=\"row\"". */
void html_add(struct strbuf *b, const char *tag, const char *words)
{
	if (!words || !*words)
		return;
	strbuf_printf(b, "<%s>", tag);
	add_isolated(b, words);
	strbuf_printf(b, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void html_line(struct strbuf *b, const char *tag, const char *words)
{
	html_add(b, tag, words);
	if (words && *words)
		strbuf_add_char(b, '\n');
}

void html_cell(struct strbuf *b, const char *tag, const char *words)
{
	if (words && *words)
		html_add(b, tag, words);
	else
		strbuf_printf(b, "<%s></%.*s>", tag, (int)strcspn(tag, " "), tag);
}

/* Adds a cell of a table whose largest number is `size`. This determines the decimals, and the
 * numbers so small that they count as rounding errors of 0. With infinite `size` a number has
 * significant digits of its own. */
void html_number(struct strbuf *b, double value, double size)
{
	static const double rounding = 1e-12, most = 1e6, least = 1e-6;
	char text[32];
	const bool even = isfinite(value) && size < most && size > least;
	if (isfinite(size) && fabs(value) <= rounding * size)
		html_cell(b, "td", "0");
	else if (even)
		html_cell(b, "td",
			  heatmap_number(b->arena, value, (int)fmax(0, DIGITS - floor(log10(size))),
					 false));
	else
		html_cell(b, "td", num_show(text, sizeof text, value, DIGITS + 1));
}

/* Begins a table with a row of titles, which NULL ends. */
void html_table(struct strbuf *b, const char *caption, const char *const *head)
{
	strbuf_add(b, "<div class=\"wide\"><table>\n");
	html_line(b, "caption", caption);
	strbuf_add(b, "<thead><tr>");
	for (; *head; head++)
		html_cell(b, "th scope=\"col\"", *head);
	strbuf_add(b, "</tr></thead>\n<tbody>\n");
}

void html_row(struct strbuf *b, const char *title)
{
	strbuf_add(b, "<tr>");
	html_cell(b, "th scope=\"row\"", title);
}

void html_row_end(struct strbuf *b)
{
	strbuf_add(b, "</tr>\n");
}

void html_table_end(struct strbuf *b)
{
	strbuf_add(b, "</tbody>\n</table></div>\n");
}

/* True if a table of so many cells is too large for readers; then adds a sentence that says so and
 * names the command that writes the numbers. */
bool html_is_too_much(struct strbuf *b, size_t cells)
{
	if (cells > HTML_CELLS)
		html_line(b, "p",
			  arena_printf(b->arena,
				       "%zu numbers are too many for a page; posviz dump writes "
				       "them.",
				       cells));
	return cells > HTML_CELLS;
}

double html_largest(const double *at, size_t n)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(at[i]))
			most = fmax(most, fabs(at[i]));
	return most;
}
