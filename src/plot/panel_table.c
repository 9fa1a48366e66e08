/* panel_table.c: a table of words and numbers. */
#include <math.h>

#include "plot/canvas_pen.h"
#include "plot/panel_in.h"

/* Without a cursor the row keeps the position that the view gave it. */
static void cursor(struct panel *p, long row, long col)
{
	struct table *const t = &p->table;
	(void)col;
	if (!t->cursor_row || row < 1)
		return;
	t->has_cursor = (size_t)row <= t->n_cursor;
	t->from_top = false;
	if (t->has_cursor)
		t->row = t->cursor_row[row - 1];
}

enum { MOST = 60 };

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	const struct table *const t = &p->table;
	const size_t wanted = !all && t->enough > 0 && t->enough < t->rows ? t->enough : t->rows;
	/* The last row says which columns are left out. */
	const bool foot = all && t->priority != NULL;
	int notes = 0;
	if (all && t->legend != NULL) {
		struct canvas like = *room->like;
		const struct rect inner = {.rows = 1, .cols = room->cols - BOX_COLS};
		const struct pen pen = pen_cells(&like, room->a, inner);
		const struct text_run run = {.text = t->legend};
		notes = (int)pen_wrap(&pen, pen.at, &run, 1, false);
	}
	return (int)(wanted < MOST ? wanted : MOST) + BOX_ROWS + 1 + foot + notes;
}

static struct size body(struct page *page, const struct panel *p, double width)
{
	/* The most important panel of a page has the rows that suffice, and some more columns. */
	const bool first = p->priority == 0 && p->table.enough > 0;
	const double n = fmin(first ? (double)p->table.enough : 3, (double)p->table.rows);
	(void)width;
	return (struct size){(first ? 420 : 140) * page->type,
			     (n + 2) * (page->line[FACE_TEXT] + (first ? 3 : 8) * page->space) +
				     6 * page->space};
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_table(pen, &p->table);
}

static const struct table_sign *ascii_signs(struct arena *a, const struct table_sign *from,
					    size_t n)
{
	struct table_sign *const to = arena_calloc(a, n + 1, sizeof *to);
	for (size_t i = 0; i < n; i++)
		to[i] = (struct table_sign){panel_ascii(a, from[i].sign),
					    panel_ascii(a, from[i].means)};
	return to;
}

static void ascii(struct arena *a, struct panel *p)
{
	if (p->table.legend != NULL)
		p->table.legend = panel_ascii(a, p->table.legend);
	p->table.signs = ascii_signs(a, p->table.signs, p->table.n_signs);
	p->table.cells = panel_ascii_all(a, p->table.cells, p->table.rows * p->table.cols);
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct table *const t = &p->table;
	for (size_t r = 0; r < t->rows; r++) {
		struct strbuf row;
		strbuf_init(&row, a);
		for (size_t c = 0; c < t->cols; c++) {
			const char *const text = t->cells[r * t->cols + c];
			if (!*text)
				continue;
			strbuf_add(&row, row.len > 0 ? "; " : "");
			if (t->head && *t->head[c])
				strbuf_printf(&row, "%s: ", t->head[c]);
			strbuf_add(&row, text);
		}
		words_say(out, "%s%s%s", row.at, t->has_cursor && t->row == r ? "; chosen" : "",
			  t->marked && t->marked[r] ? "; pointed out" : "");
	}
}

static void html(struct strbuf *b, const struct panel *p)
{
	const struct table *const t = &p->table;
	static const char *const none[] = {NULL};
	const char **const head = arena_calloc(b->arena, t->cols + 1, sizeof *head);
	for (size_t c = 0; t->head && c < t->cols; c++)
		head[c] = t->head[c];
	if (html_is_too_much(b, t->rows * t->cols))
		return;
	html_table(b, "", t->head ? head : none);
	for (size_t r = 0; r < t->rows; r++) {
		html_row(b, t->cells[r * t->cols]);
		for (size_t c = 1; c < t->cols; c++)
			html_cell(b, t->right && t->right[c] ? "td" : "td class=\"words\"",
				  t->cells[r * t->cols + c]);
		html_row_end(b);
	}
	html_table_end(b);
}

static const char *const *names(const struct panel *p, enum mark_kind kind, struct arena *a,
				size_t *n)
{
	const struct table *const t = &p->table;
	if (kind == MARK_HEADING && t->head)
		return panel_names(t->head, t->cols, a, n);
	if (kind != MARK_LINE || t->cols == 0)
		return NULL;
	const char **const out = arena_calloc(a, t->rows + 1, sizeof *out);
	for (size_t i = 0; i < t->rows; i++)
		out[i] = t->group && t->group[i] ? NULL : t->cells[i * t->cols];
	*n = t->rows;
	return out;
}

static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	(void)memory;
	p->table.marked = panel_mark_names(p, MARK_LINE, marks, n, a);
	p->table.marked_cols = panel_mark_names(p, MARK_HEADING, marks, n, a);
}

const struct panel_type panel_table = {
	.name = "table",
	.noun = "table",
	.context = "table",
	.words = true,
	.least = {6, 28, 5, 18},
	.rows = rows,
	.body = body,
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.cursor = cursor,
	.names = names,
	.mark = mark,
};
