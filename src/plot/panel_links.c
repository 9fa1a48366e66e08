/* panel_links.c: two rows of words, and lines from one to the other. */
#include "plot/panel_in.h"

static void cursor(struct panel *p, long row, long col)
{
	struct links *const l = &p->links;
	(void)col;
	l->has_cursor = row > 0 && (size_t)row <= l->n_below;
	if (l->has_cursor)
		l->cursor = l->cursor_row ? l->cursor_row[row - 1] : (size_t)row - 1;
}

static void mark_token(const struct links *l, size_t row, bool *out)
{
	const size_t at = panel_among(l->cursor_row, l->n_below, l->n_below, (long)row + 1);
	if (at != SIZE_MAX)
		out[at] = true;
}

/* Marks the words of rows, and of columns that are also tokens of rows. */
static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	struct links *const l = &p->links;
	bool *const out = arena_calloc(a, l->n_below + 1, sizeof *out);
	if (p->no_cursor)
		return;
	l->pointed = n > 0 ? out : NULL;
	for (size_t i = 0; i < n; i++) {
		const enum mark_kind kind = marks[i].kind;
		if (kind == MARK_CELL || kind == MARK_ROW)
			mark_token(l, marks[i].row, out);
		if ((kind == MARK_CELL || kind == MARK_COLUMN) && marks[i].col >= memory)
			mark_token(l, marks[i].col - memory, out);
	}
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_links(pen, &p->links);
}

static void ascii(struct arena *a, struct panel *p)
{
	struct links *const l = &p->links;
	l->above = panel_ascii_all(a, l->above, l->n_above);
	l->below = panel_ascii_all(a, l->below, l->n_below);
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct links *const l = &p->links;
	size_t moved = 0;
	if (l->above_title && l->below_title)
		words_say(out, "From: %s; to: %s", l->above_title, l->below_title);
	for (size_t i = 0; i < l->n; i++) {
		const struct link *const k = &l->links[i];
		if (!k->strong)
			continue;
		moved++;
		words_say(out, "token %s moved from %zu to %zu", l->above[k->from], k->from + 1,
			  k->to + 1);
	}
	for (size_t i = 0; l->pointed && i < l->n_below; i++)
		if (l->pointed[i])
			words_say(out, "Pointed out: token %s, now %zu", l->below[i], i + 1);
	if (moved == 0)
		words_say(out, "No token moved.");
	else if (moved < l->n)
		words_say(out, "The other %s stayed.", words_many(a, l->n - moved, "token"));
}

const struct panel_type panel_links = {
	.name = "links",
	.noun = "moves",
	.context = "links",
	.least = {5, 40, 5, 23},
	.wanted = 7,
	.tallest = PANEL_BOOK,
	.smallest = {240, 9},
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.cursor = cursor,
	.mark = mark,
};
