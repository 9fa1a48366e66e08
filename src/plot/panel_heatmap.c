/* panel_heatmap.c: a matrix. */
#include <math.h>

#include "plot/panel_in.h"
#include "posviz/base/num.h"

static void cursor(struct panel *p, long row, long col)
{
	struct heatmap *const h = &p->heatmap;
	const size_t rows = h->values.rows, cols = h->values.cols;
	h->has_cursor = false;
	if (h->no_cursor || row < 1 || col < 1)
		return;
	const size_t r =
		panel_among(h->cursor_row, h->n_cursor_rows ? h->n_cursor_rows : rows, rows, row);
	const size_t c =
		panel_among(h->cursor_col, h->n_cursor_cols ? h->n_cursor_cols : cols, cols, col);
	h->has_cursor = r != SIZE_MAX && c != SIZE_MAX;
	if (!h->has_cursor)
		return;
	h->row = r;
	h->col = c;
}

/* Returns the column of row 0: it is after the columns of a memory, which the matrix of another
 * scheme may lack. */
static long own_memory(const struct heatmap *h)
{
	return h->values.cols > h->values.rows ? (long)(h->values.cols - h->values.rows) : 0;
}

void panel_heatmap_mark(struct heatmap *h, const struct mark *marks, size_t n, struct arena *a)
{
	const size_t rows = h->values.rows, cols = h->values.cols;
	if (h->no_cursor && !h->own_cols)
		return; /* it may have marks of its own */
	struct mark *const out = arena_calloc(a, n + 1, sizeof *out);
	h->n_marks = 0;
	h->marks = out;
	h->mark_from = own_memory(h);
	for (size_t i = 0; i < n; i++) {
		struct mark m = marks[i];
		if (h->own_cols && m.kind != MARK_ROW)
			continue;
		m.row = panel_among(h->cursor_row, h->n_cursor_rows ? h->n_cursor_rows : rows, rows,
				    (long)m.row + 1);
		m.col = panel_among(h->cursor_col, h->n_cursor_cols ? h->n_cursor_cols : cols, cols,
				    (long)m.col + 1);
		const bool row = m.kind == MARK_CELL || m.kind == MARK_ROW;
		const bool col = m.kind == MARK_CELL || m.kind == MARK_COLUMN;
		const long at = m.diagonal + h->mark_from;
		const bool crosses = at > -(long)rows && at < (long)cols && rows <= cols;
		if (panel_mark_named(m.kind) || (row && m.row == SIZE_MAX) ||
		    (col && m.col == SIZE_MAX) || (m.kind == MARK_DIAGONAL && !crosses))
			continue;
		out[h->n_marks++] = m;
	}
}

static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	(void)memory;
	if (!p->no_cursor)
		panel_heatmap_mark(&p->heatmap, marks, n, a);
}

static struct heatmap *matrix(struct panel *p, size_t i)
{
	return i == 0 ? &p->heatmap : NULL;
}

static void ascii(struct arena *a, struct panel *p)
{
	panel_ascii_map(a, &p->heatmap);
}

static void entry(struct strbuf *b, const struct heatmap *h, size_t row, size_t col, double size)
{
	const double x = mat_row(h->values, row)[col];
	const char *const hidden = heatmap_hidden(b->arena, h, row, col);
	const struct heatmap_name *const name = heatmap_name(h, x);
	char text[32];
	if (hidden && h->masked[row * h->values.cols + col] == HEATMAP_MASKED) {
		strbuf_add(b, "<td class=\"hidden\">·</td>");
	} else if (hidden) {
		html_cell(b, "td class=\"hidden\"", hidden);
	} else if (h->words) {
		html_cell(b, "td", h->words[row * h->values.cols + col]);
	} else if (name) {
		html_cell(b, "td", name->name);
	} else if (h->integers) {
		html_cell(b, "td", num_print(text, sizeof text, x));
	} else {
		html_number(b, x, size);
	}
}

void panel_heatmap_html(struct strbuf *b, const struct heatmap *h, const char *title)
{
	struct arena *const a = b->arena;
	const size_t rows = h->values.rows, cols = h->values.cols;
	if (!h->values.at || html_is_too_much(b, rows * cols))
		return;
	const char **const head = arena_calloc(a, cols + 2, sizeof *head);
	const double size = html_largest(h->values.at, rows * cols);
	head[0] = "";
	for (size_t c = 0; c < cols; c++)
		head[c + 1] = panel_label(h->col_labels, c, a);
	html_table(b,
		   arena_printf(a, "%s%srows: %s, columns: %s", title, *title ? "; " : "",
				h->row_title ? h->row_title : "query",
				h->col_title ? h->col_title : "key"),
		   head);
	for (size_t r = 0; r < rows; r++) {
		html_row(b, panel_label(h->row_labels, r, a));
		for (size_t c = 0; c < cols; c++)
			entry(b, h, r, c, size);
		html_row_end(b);
	}
	html_table_end(b);
	if (h->masked)
		html_line(b, "p class=\"quiet\"",
			  arena_printf(a, "· %s", h->masked_as ? h->masked_as : "masked"));
}

static void html(struct strbuf *b, const struct panel *p)
{
	panel_heatmap_html(b, &p->heatmap, "");
}

static void tex(struct tex *t, const struct panel *p)
{
	tex_matrix(t, &p->heatmap);
}

static bool empty(const struct panel *p)
{
	return p->heatmap.values.rows == 0 || p->heatmap.values.cols == 0;
}

static const char *excess(const struct panel *p, struct arena *a)
{
	const struct mat m = p->heatmap.values;
	return tex_matrix_fits(&p->heatmap)
		       ? NULL
		       : arena_printf(a, "is %zu by %zu, and TeX's memory ends after %d by %d",
				      m.rows, m.cols, TEX_CELLS, TEX_CELLS);
}

static void cells(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		  const struct heatmap_plan *plan)
{
	canvas_heatmap(c, a, inner, &p->heatmap, plan);
}

const struct panel_type panel_heatmap = {
	.name = "map",
	.noun = "matrix",
	.context = "matrix",
	.map = true,
	.least = {13, 30, 8, 18},
	.cells = cells,
	.square = true,
	.body = raster_heatmap_least,
	.page = raster_heatmap_draw,
	.ascii = ascii,
	.html = html,
	.tex = tex,
	.empty = empty,
	.excess = excess,
	.matrix = matrix,
	.cursor = cursor,
	.mark = mark,
};
