/* panel_in.h: the interface between the files of the kinds of panels. */
#ifndef POSVIZ_PANEL_IN_H
#define POSVIZ_PANEL_IN_H

#include "plot/canvas_map.h"
#include "plot/canvas_pen.h"
#include "posviz/plot/html.h"
#include "plot/raster_pen.h"
#include "posviz/plot/tex.h"
#include "posviz/plot/words.h"
#include "posviz/plot/panel.h"

/* figure_cursor.c */
/* Returns the index, among n `tokens`, of a row or column of the figure, by `at` if it is not NULL;
 * SIZE_MAX if it has none. */
size_t panel_among(const size_t *at, size_t n, size_t tokens, long from);
/* Returns whether marks of this kind contain a name. */
bool panel_mark_named(enum mark_kind kind);
/* Returns, for each name of the panel's kind, whether a mark of this kind names it; NULL if none
 * does. */
const bool *panel_mark_names(const struct panel *p, enum mark_kind kind, const struct mark *marks,
			     size_t n, struct arena *a);
/* Copies n texts, for a panel's `names`. */
const char *const *panel_names(const char *const *texts, size_t n, struct arena *a, size_t *out);

/* canvas_plain.c: return the text in ASCII, which may be longer; NULL for NULL. */
const char *panel_ascii(struct arena *a, const char *text);
const char *const *panel_ascii_all(struct arena *a, const char *const *texts, size_t n);
const struct card_line *panel_ascii_lines(struct arena *a, const struct card_line *lines, size_t n);
void panel_ascii_map(struct arena *a, struct heatmap *h);

/* panel_heatmap.c: the marks and the HTML table of a matrix, also for one of several. */
void panel_heatmap_mark(struct heatmap *h, const struct mark *marks, size_t n, struct arena *a);
void panel_heatmap_html(struct strbuf *b, const struct heatmap *h, const char *title);
/* Returns the label of a row or column, or its number. */
const char *panel_label(const char *const *labels, size_t i, struct arena *a);

/* Heights as fractions of the width: of a figure in a book, and of a flat one. */
#define PANEL_BOOK 0.62
#define PANEL_FLAT 0.36

/* The least rows of bars that have a row of the figure to themselves and are in columns. */
enum { PANEL_BARS_ALONE = 2 };

/* Draws a panel whose kind has one function for cells and pages, if there is room for anything. */
void panel_draw(const struct pen *pen, const struct panel *p);
/* Returns the size of a panel's body on a page: `width` in units of the page's type size, and
 * `lines` of text. */
struct size panel_body(const struct page *page, double width, double lines);

#endif
