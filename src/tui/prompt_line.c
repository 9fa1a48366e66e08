/* prompt_line.c: the line being edited on the screen: its text from where the cursor is, what can be
 * said beside it, and above it how it may go on, or what is wrong with it. */
#include <string.h>

#include "tui_in.h"

static const char *const labels[] = {
	[MODE_COMMAND] = ":", [MODE_SENTENCE] = "sentence", [MODE_FIND] = "/", [MODE_SEARCH] = "/"};

/* The scheme that is chosen among those found, in words. */
static const char *match_words(const struct tui *t, struct arena *a)
{
	size_t n;
	const struct scheme *const s = schemes_chosen(t, &n);
	if (!s)
		return "nothing is called so";
	if (s->year == 0) /* a name of the user's own */
		return s->expression;
	return arena_printf(a, "%s %s %s %d", s->title, t->terminal.ascii ? "-" : "·", s->authors,
			    s->year);
}

/* What is typed: in a box it is what is looked for there. */
static enum mode typed_mode(const struct tui *t)
{
	return t->search.typing ? MODE_SEARCH : t->mode;
}

static const char *hint_of(const struct tui *t, struct arena *a)
{
	const enum mode mode = typed_mode(t);
	if (mode == MODE_FIND)
		return match_words(t, a);
	if (mode == MODE_SEARCH)
		return t->search.text[0] && t->search.n == 0 ? "not found   Esc back"
							     : "Enter reads on   Esc back";
	return mode == MODE_COMMAND ? "Tab completes   Esc back" : "Enter keeps   Esc restores";
}

/* ---- above the line ---------------------------------------------------------------------- */

/* Candidates differ in their last words. */
static const char *last_word(const char *text)
{
	const char *const blank = strrchr(text, ' ');
	return blank ? blank + 1 : text;
}

struct candidates {
	const char **texts;
	size_t n;
};

static struct candidates read_candidates(const struct tui *t, struct arena *a)
{
	struct candidates all = {0};
	while (app_complete(t->app, t->prompt.typed, all.n, a))
		all.n++;
	all.texts = arena_calloc(a, all.n + 1, sizeof *all.texts);
	for (size_t i = 0; i < all.n; i++) {
		const char *const word = last_word(app_complete(t->app, t->prompt.typed, i, a));
		all.texts[i] = text_escape(a, word, strlen(word));
	}
	return all;
}

/* From a candidate that leaves the chosen one on the screen. */
static size_t first_shown(const struct candidates *all, size_t chosen, int room)
{
	size_t first = 0;
	int used = 0;
	for (size_t i = 0; i <= chosen && i < all->n; i++) {
		const int width = (int)text_width(all->texts[i]) + 2;
		if (used + width > room) {
			first = i;
			used = 0;
		}
		used += width;
	}
	return first;
}

static void draw_candidates(struct tui *t, struct canvas *c, int row)
{
	const struct prompt *const p = &t->prompt;
	const struct candidates all = read_candidates(t, &t->frame);
	struct line l = {t, c, &t->frame, row, 1, c->cols - 3};
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	const size_t first = first_shown(&all, p->candidate, l.right - l.col);
	for (size_t i = first; i < all.n; i++) {
		const int from = l.col;
		if (!line_item(&l, 0, all.texts[i],
			       i == p->candidate ? ATTR_REVERSE | ATTR_BOLD : ATTR_DIM)) {
			canvas_text(c, row, l.col, 2, t->terminal.ascii ? ">" : "…", ATTR_DIM);
			return;
		}
		zone_add(t, ZONE_CANDIDATE, line_since(&l, from))->index = i;
		l.col += 2;
	}
}

static void draw_wrong(struct tui *t, struct canvas *c, int row)
{
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	line_item(&l, 0, " error ", ATTR_REVERSE | ATTR_BOLD);
	const int room = l.right - l.col - 1;
	line_item(&l, 1,
		  text_shorten(l.a, t->prompt.wrong.text, (size_t)(room > 1 ? room : 1),
			       t->terminal.ascii),
		  ATTR_BOLD);
}

/* What is asked for. */
static void draw_said(struct tui *t, struct canvas *c, int row)
{
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	const int room = l.right - l.col;
	line_item(
		&l, 0,
		text_shorten(l.a, t->prompt.said, (size_t)(room > 1 ? room : 1), t->terminal.ascii),
		0);
}

/* ---- the line ---------------------------------------------------------------------------- */

/* Bytes of the text that the first columns take. */
static size_t bytes_before(struct arena *a, const struct prompt *p, size_t cols)
{
	size_t at = 0, used = 0;
	while (at < p->len && used < cols) {
		const size_t len = text_cluster(p->text + at, p->len - at);
		used += text_width(text_escape(a, p->text + at, len));
		at += len;
	}
	return at;
}

static void draw_line(struct tui *t, struct canvas *c, int row)
{
	const struct prompt *const p = &t->prompt;
	const enum mode mode = typed_mode(t);
	struct arena *const a = &t->frame;
	const char *const text = text_escape(a, p->text, p->len);
	const int cursor = (int)text_width(text_escape(a, p->text, p->at));
	const char *hint = hint_of(t, a);
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	int col = 1 + canvas_text(c, row, 1, c->cols, labels[mode], ATTR_ACCENT | ATTR_BOLD);
	col += mode == MODE_COMMAND || mode == MODE_SEARCH ? 0 : 1;
	int room = c->cols - col - 2;
	const int left = room - (int)text_width(text) - 4;
	if (mode == MODE_FIND && left > 8)
		hint = text_shorten(a, hint, (size_t)left, t->terminal.ascii);
	const int hint_cols = (int)text_width(hint);
	if (hint_cols > 0 && hint_cols <= left) {
		canvas_text(c, row, c->cols - 1 - hint_cols, hint_cols, hint, ATTR_DIM);
		room -= hint_cols + 3;
	}
	/* A long line is seen from where the cursor is. */
	size_t skip = 0, used = 0;
	if (cursor > room - 1)
		skip = text_fit(text, (size_t)(cursor - (room > 2 ? room : 2) + 2), &used);
	canvas_text(c, row, col, room, text + skip, 0);
	zone_add(t, ZONE_PROMPT, (struct rect){row, col, 1, room > 0 ? room : 0})->index =
		bytes_before(a, p, used);
	t->cursor_row = row;
	t->cursor_col = col + cursor - (int)used;
}

/* In the last line, which no box covers. */
void prompt_draw_search(struct tui *t, struct canvas *c)
{
	draw_line(t, c, c->rows - 1);
}

void prompt_draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	const struct prompt *const p = &t->prompt;
	const int row = l->footer >= 0 ? l->footer : c->rows - 1;
	if (t->mode == MODE_FIND && l->footer < 0)
		return;
	/* The search stands in the line above, so that its keys stay in the footer. */
	draw_line(t, c, t->mode == MODE_FIND && l->cell >= 0 ? l->cell : row);
	const int above = l->cell >= 0 ? l->cell : row - 1;
	if (above < 0)
		return;
	if (p->wrong.text[0])
		draw_wrong(t, c, above);
	else if (p->completing && l->cell >= 0)
		draw_candidates(t, c, above);
	else if (p->said[0] && l->cell >= 0)
		draw_said(t, c, above);
}
