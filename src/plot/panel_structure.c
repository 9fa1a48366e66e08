/* panel_structure.c: a tree or a graph over tokens. */
#include <math.h>
#include <string.h>

#include "plot/drawing.h"
#include "plot/panel_in.h"

static void cursor(struct panel *p, long row, long col)
{
	struct drawing *const d = &p->drawing;
	d->query = d->key = SIZE_MAX;
	if (row > 0 && col > 0) {
		d->query = panel_among(d->cursor_row, d->n_rows, d->n_tokens, row);
		d->key = panel_among(d->cursor_col, d->n_cols, d->n_tokens, col);
	}
	d->has_cursor = d->query != SIZE_MAX || d->key != SIZE_MAX;
}

/* Marks tokens of rows and of columns. */
static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	struct drawing *const d = &p->drawing;
	bool *const out = arena_calloc(a, d->n_tokens + 1, sizeof *out);
	(void)memory;
	if (p->no_cursor)
		return;
	d->pointed = n > 0 ? out : NULL;
	for (size_t i = 0; i < n; i++) {
		const enum mark_kind kind = marks[i].kind;
		const size_t row =
			panel_among(d->cursor_row, d->n_rows, d->n_tokens, (long)marks[i].row + 1);
		const size_t col =
			panel_among(d->cursor_col, d->n_cols, d->n_tokens, (long)marks[i].col + 1);
		if ((kind == MARK_CELL || kind == MARK_ROW) && row != SIZE_MAX)
			out[row] = true;
		if ((kind == MARK_CELL || kind == MARK_COLUMN) && col != SIZE_MAX)
			out[col] = true;
	}
}

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	(void)all;
	return BOX_ROWS + drawing_rows(&p->drawing, room->cols - BOX_COLS);
}

static struct size body(struct page *page, const struct panel *p, double width)
{
	/* A structure that is not much higher is shown whole. */
	const int cols = (int)(2 * width / page->line[FACE_TEXT]);
	return panel_body(page, 200, fmin(13, fmax(7, drawing_rows(&p->drawing, cols))));
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_structure(pen, &p->drawing);
}

static void ascii(struct arena *a, struct panel *p)
{
	p->drawing.tokens = panel_ascii_all(a, p->drawing.tokens, p->drawing.n_tokens);
}

/* Writes each edge as a sentence, and the node of a token if its name differs from the token's
 * text. */
static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct drawing *const d = &p->drawing;
	for (size_t e = 0; e < d->n_edges; e++) {
		const struct drawn_edge *const x = &d->edges[e];
		words_say(out, "%s %s %s%s%s", d->names[x->from], d->directed ? "to" : "and",
			  d->names[x->to], *x->label ? ": " : "", x->label);
	}
	for (size_t i = 0; d->parent && i < d->n; i++)
		if (d->parent[i] < 0)
			words_say(out, "%s is a root", d->names[i]);
	for (size_t i = 0; i < d->n_tokens; i++)
		if (d->node[i] >= 0 && strcmp(d->tokens[i], d->names[d->node[i]]) != 0)
			words_say(out, "token %zu, %s, stands on %s", i + 1, d->tokens[i],
				  d->names[d->node[i]]);
	for (size_t k = 0; k < d->n_below; k++)
		for (size_t i = 0; i < d->n_tokens; i++)
			if (*d->below[k].text[i])
				words_say(out, "%s of token %zu, %s: %s", d->below[k].title, i + 1,
					  d->tokens[i], d->below[k].text[i]);
	if (d->n_edges == 0)
		words_say(out, "There are no edges between %s.", words_many(a, d->n, "node"));
}

const struct panel_type panel_structure = {
	.name = "graph",
	.noun = "structure",
	.context = "structure",
	.least = {9, 36, 7, 20},
	.rows = rows,
	.tallest = PANEL_FLAT,
	.body = body,
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.cursor = cursor,
	.mark = mark,
};
