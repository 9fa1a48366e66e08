/* panel_in.h: what the rows of the kinds of panels share. */
#ifndef POSVIZ_PANEL_IN_H
#define POSVIZ_PANEL_IN_H

#include "plot/canvas_map.h"
#include "plot/canvas_pen.h"
#include "plot/html.h"
#include "plot/raster_pen.h"
#include "plot/tex.h"
#include "plot/words.h"
#include "posviz/plot/panel.h"

/* figure_cursor.c */
/* The place of a row or column of the figure among n `tokens`, by `at` where it is not NULL; SIZE_MAX: nowhere. */
size_t panel_among(const size_t *at, size_t n, size_t tokens, long from);
/* Whether a mark of this kind names what it means. */
bool panel_mark_named(enum mark_kind kind);
/* [names of the panel's kind]: which of them marks of this kind name; NULL: none. */
const bool *panel_mark_names(const struct panel *p, enum mark_kind kind, const struct mark *marks,
			     size_t n, struct arena *a);
/* n texts, copied, as `names` gives them. */
const char *const *panel_names(const char *const *texts, size_t n, struct arena *a, size_t *out);

/* canvas_plain.c: the text in ASCII that grows; NULL stays. */
const char *panel_ascii(struct arena *a, const char *text);
const char *const *panel_ascii_all(struct arena *a, const char *const *texts, size_t n);
const struct card_line *panel_ascii_lines(struct arena *a, const struct card_line *lines, size_t n);
void panel_ascii_map(struct arena *a, struct heatmap *h);

/* panel_heatmap.c: what a matrix does with cursor and marks, and its table, also as one of several. */
void panel_heatmap_mark(struct heatmap *h, const struct mark *marks, size_t n, struct arena *a);
void panel_heatmap_html(struct strbuf *b, const struct heatmap *h, const char *title);
/* The label of a row or column, or its number. */
const char *panel_label(const char *const *labels, size_t i, struct arena *a);

/* Heights in widths: of a figure in a book, and of one that is flat. */
#define PANEL_BOOK 0.62
#define PANEL_FLAT 0.36

/* The least rows of bars that have a row of the figure to themselves, where they are beside each other. */
enum { PANEL_BARS_ALONE = 2 };

/* Draws what has one way for cells and pages, where there is room for anything. */
void panel_draw(const struct pen *pen, const struct panel *p);
/* The body of a page's panel: a width in letters of 14 units, and lines. */
struct size panel_body(const struct page *page, double width, double lines);

#endif
