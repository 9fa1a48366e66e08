/* prompt_line.c: the line being edited on the screen: its text from where the cursor is, what can be
 * said beside it, and above it how it may go on, or what is wrong with it. */
#include <string.h>

#include "tui_in.h"

static const char *const labels[] = {[MODE_COMMAND] = ":",
				     [MODE_SENTENCE] = "sentence",
				     [MODE_FIND] = "/",
				     [MODE_SEARCH] = "/",
				     [MODE_FILTER] = "view"};

/* The mode of the line: in a box it is the search there, in a menu its filter. */
static enum mode typed_mode(const struct tui *t)
{
	return t->search.typing ? MODE_SEARCH : t->menu.typing ? MODE_FILTER : t->mode;
}

static const char *hint_of(const struct tui *t, struct arena *a)
{
	const enum mode mode = typed_mode(t);
	if (mode == MODE_FIND)
		return schemes_words(t, a);
	if (mode == MODE_SEARCH)
		return t->search.text[0] && t->search.n == 0 ? "not found   Esc back"
							     : "Enter reads on   Esc back";
	if (mode == MODE_FILTER)
		return "Enter opens   Esc shows all";
	return mode == MODE_COMMAND ? "Tab completes   Esc back"
				    : "Enter keeps it   Ctrl-u clears the line   Esc restores";
}

/* ---- above the line ---------------------------------------------------------------------- */

enum { MENU_ROWS = 10, MENU_GAP = 3, FRAMED = 16 };

/* Nothing is offered before something is typed, nor what stands in the line already. */
static bool menu_wanted(struct tui *t)
{
	const struct prompt *const p = &t->prompt;
	if (t->mode != MODE_COMMAND || p->wrong.text[0] || p->text[strspn(p->text, " ")] == '\0')
		return false;
	prompt_menu(t);
	return p->n_menu > 1 || (p->n_menu == 1 && strcmp(p->menu[0].line, p->text) != 0);
}

/* Rows first to last of the menu at most, the chosen one among them. */
static size_t first_row(const struct prompt *p, size_t rows)
{
	const size_t at = p->completing && p->candidate < p->n_menu ? p->candidate : 0;
	return at < rows ? 0 : at - rows + 1;
}

static void draw_item(struct tui *t, struct canvas *c, struct rect row, size_t i, int text_cols)
{
	struct arena *const a = &t->frame;
	const struct prompt *const p = &t->prompt;
	const bool ascii = t->terminal.ascii, chosen = p->completing && i == p->candidate;
	const char *const text = p->menu[i].text, *const note = p->menu[i].note;
	const unsigned look = chosen ? ATTR_REVERSE | ATTR_BOLD : 0;
	const int room = row.cols - text_cols - MENU_GAP - 1;
	if (chosen)
		canvas_fill(c, row, look, CELL_DEFAULT);
	canvas_text(c, row.row, row.col + 1, text_cols,
		    text_cut(a, text_escape(a, text, strlen(text)), (size_t)text_cols, ascii),
		    look);
	if (*note && room > 8)
		canvas_text(
			c, row.row, row.col + 1 + text_cols + MENU_GAP - 1, room,
			text_cut(a, ascii ? canvas_plain_text(a, note) : note, (size_t)room, ascii),
			chosen ? look : ATTR_DIM);
	zone_add(t, ZONE_CANDIDATE, row)->index = i;
}

/* Columns of the longest text, and of text and note together. */
static void menu_cols(struct tui *t, size_t first, size_t n, int *text, int *all)
{
	const struct prompt *const p = &t->prompt;
	*text = *all = 0;
	for (size_t i = first; i < first + n; i++) {
		const char *const label =
			text_escape(&t->frame, p->menu[i].text, strlen(p->menu[i].text));
		const int cols = (int)text_width(label), note = (int)text_width(p->menu[i].note);
		*text = cols > *text ? cols : *text;
		*all = note > *all ? note : *all;
	}
	*all = *text + (*all > 0 ? MENU_GAP + *all : 0);
}

/* How the line may go on, in rows that end above `below`. */
static void draw_menu(struct tui *t, struct canvas *c, int below)
{
	const struct prompt *const p = &t->prompt;
	const int frame = c->rows >= FRAMED ? 1 : 0;
	const int most = below - 2 * frame - 1 < MENU_ROWS ? below - 2 * frame - 1 : MENU_ROWS;
	if (most < 1)
		return;
	const size_t n = p->n_menu < (size_t)most ? p->n_menu : (size_t)most;
	const size_t first = first_row(p, n);
	int text, all;
	menu_cols(t, first, n, &text, &all);
	const int room = c->cols - 2 * frame - 2;
	text = text > room ? room : text;
	const int cols = (all > room ? room : all) + 2 + 2 * frame;
	const struct rect r = {below - (int)n - 2 * frame, 0, (int)n + 2 * frame, cols};
	zone_add(t, ZONE_OVERLAY, r);
	canvas_fill(c, r, 0, CELL_DEFAULT);
	if (frame)
		canvas_box(c, r, "",
			   n == p->n_menu ? NULL
					  : arena_printf(&t->frame, "%zu%s%zu of %zu", first + 1,
							 t->terminal.ascii ? "-" : "–", first + n,
							 p->n_menu),
			   true);
	for (size_t i = 0; i < n; i++)
		draw_item(t, c, (struct rect){r.row + frame + (int)i, frame, 1, cols - 2 * frame},
			  first + i, text);
}

/* Draws the question above the line. */
static void draw_said(struct tui *t, struct canvas *c, int row, const char *said)
{
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	const int room = l.right - l.col;
	line_item(&l, 0, text_shorten(l.a, said, (size_t)(room > 1 ? room : 1), t->terminal.ascii),
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

/* Draws the line; returns whether what can be said beside it had room. */
static bool draw_line(struct tui *t, struct canvas *c, int row)
{
	const struct prompt *const p = &t->prompt;
	const enum mode mode = typed_mode(t);
	struct arena *const a = &t->frame;
	const char *const text = text_escape(a, p->text, p->len);
	const int cursor = (int)text_width(text_escape(a, p->text, p->at));
	const char *hint = hint_of(t, a);
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	const char *const label =
		mode == MODE_FIND && t->finds_second ? "second scheme /" : labels[mode];
	int col = 1 + canvas_text(c, row, 1, c->cols, label, ATTR_ACCENT | ATTR_BOLD);
	col += mode == MODE_COMMAND || mode == MODE_SEARCH ? 0 : 1;
	int room = c->cols - col - 2;
	const int left = room - (int)text_width(text) - 4;
	if (mode == MODE_FIND && left > 8)
		hint = text_shorten(a, hint, (size_t)left, t->terminal.ascii);
	const int hint_cols = (int)text_width(hint);
	const bool fits = hint_cols > 0 && hint_cols <= left;
	if (fits) {
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
	return fits;
}

/* In the last line, which no box covers. */
void prompt_draw_search(struct tui *t, struct canvas *c)
{
	draw_line(t, c, c->rows - 1);
}

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	const struct prompt *const p = &t->prompt;
	if (!tui_typing(t))
		return;
	const int row = l->footer >= 0 ? l->footer : c->rows - 1;
	if (t->mode == MODE_FIND && l->footer < 0)
		return;
	/* The search stands in the line above, so that its keys stay in the footer. */
	const bool has_hint = draw_line(t, c, t->mode == MODE_FIND && l->cell >= 0 ? l->cell : row);
	const int above = l->cell >= 0 ? l->cell : row - 1;
	if (above < 0)
		return;
	const char *const said = p->said[0] || t->mode != MODE_SENTENCE || has_hint
					 ? p->said
					 : hint_of(t, &t->frame);
	const bool says = !p->wrong.text[0] && said[0] && l->cell >= 0;
	if (p->wrong.text[0])
		line_error(t, c, above, c->cols - 1, p->wrong.text);
	else if (says)
		draw_said(t, c, above, said);
	if (!menu_wanted(t))
		return;
	if (l->cell >= 0 && !says) /* what is left of it beside the menu would say nothing */
		canvas_fill(c, (struct rect){l->cell, 0, 1, c->cols}, 0, CELL_DEFAULT);
	draw_menu(t, c, says ? above : row);
}

const struct tui_part part_prompt = {.arena = offsetof(struct tui, prompt.arena),
				     .at = {[PART_TURN] = prompt_follow},
				     .draw = draw};
