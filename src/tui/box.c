/* box.c: a box over the figure with lines of text, scrolled and searched, or with the choices of a menu.
 *
 * Lines are wrapped when they are drawn, to the width that there is then; so where the next match of a
 * search stands is found by the drawing that follows the key. */
#include <stdio.h>
#include <string.h>

#include "tui_in.h"

struct wrapped {
	const char *text;
	bool bold;
};

/* The lines, long ones as several, the later ones indented; those of a menu stay one. */
static struct wrapped *wrap(struct arena *a, const struct overlay_text *text, size_t cols,
			    size_t *n)
{
	enum { INDENT = 2 };
	const size_t indented = cols > 2 * INDENT ? INDENT : 0;
	size_t cap = 0;
	for (size_t i = 0; i < text->n; i++)
		cap += 1 + strlen(text->lines[i]);
	struct wrapped *const out = arena_calloc(a, cap + 1, sizeof *out);
	*n = 0;
	for (size_t i = 0; i < text->n; i++) {
		const char *at = text->lines[i];
		const bool bold = text->bold && text->bold[i];
		const size_t indent =
			!bold && text->hang && 2 * text->hang < cols ? text->hang : indented;
		size_t len = text->menu ? strlen(at) : line_break(at, cols);
		out[(*n)++] = (struct wrapped){arena_strndup(a, at, len), bold};
		for (at += len; *at && *n < cap; at += len) {
			at += strspn(at, " ");
			len = line_break(at, cols - indent);
			const char *const line =
				arena_printf(a, "%*s%.*s", (int)indent, "", (int)len, at);
			out[(*n)++] = (struct wrapped){line, bold};
		}
	}
	return out;
}

/* ---- a search in it ---------------------------------------------------------------------- */

static bool matches(const struct tui *t, const struct wrapped *line)
{
	return t->search.text[0] && text_find(line->text, t->search.text);
}

/* The next line that matches: after a step the one beside the last, else the first from where the search
 * began on; round the end where it must. It is brought into sight. */
static void go_to_match(struct tui *t, const struct wrapped *lines, size_t n, size_t inside)
{
	const int direction = t->search.step;
	size_t at =
		direction == 0 ? t->search.from % n : (t->search.line + n + (size_t)direction) % n;
	while (!matches(t, &lines[at]))
		at = (at + n + (size_t)(direction < 0 ? -1 : 1)) % n;
	t->search.line = at;
	if (at < t->scroll || at >= t->scroll + inside)
		t->scroll = at > inside / 3 ? at - inside / 3 : 0;
}

static void seek(struct tui *t, const struct wrapped *lines, size_t n, size_t inside)
{
	t->search.n = t->search.at = 0;
	for (size_t i = 0; i < n; i++)
		t->search.n += matches(t, &lines[i]);
	if (t->search.due && t->search.n > 0)
		go_to_match(t, lines, n, inside);
	else if (t->search.due)
		t->scroll = t->search.from;
	t->search.due = false;
	for (size_t i = 0; i < n && i <= t->search.line; i++)
		t->search.at += matches(t, &lines[i]);
}

/* Marks the matches in the text that stands at (row, col). */
static void mark_matches(struct tui *t, struct canvas *c, int row, int col, const char *text,
			 bool chosen)
{
	const size_t len = strlen(t->search.text);
	const unsigned look = ATTR_REVERSE | (chosen ? ATTR_BOLD | ATTR_ACCENT : 0);
	for (const char *at = text; len > 0 && (at = text_find(at, t->search.text)); at += len) {
		const char *const before = arena_strndup(&t->frame, text, (size_t)(at - text));
		const char *const part = arena_strndup(&t->frame, at, len);
		canvas_text(c, row, col + (int)text_width(before), (int)text_width(part), part,
			    look);
	}
}

void box_search(struct tui *t)
{
	t->search.typing = true;
	t->search.text[0] = '\0';
	t->search.from = t->scroll;
	prompt_clear(t);
}

void box_sought(struct tui *t)
{
	snprintf(t->search.text, sizeof t->search.text, "%.*s", (int)sizeof t->search.text - 1,
		 t->prompt.text);
	t->search.step = 0;
	t->search.due = true;
}

static void step(struct tui *t, int direction)
{
	if (!t->search.text[0])
		app_say(t->app, "look for a text first, with /; then n and N go through the lines");
	t->search.step = direction;
	t->search.due = t->search.text[0] != '\0';
}

static void end_search(struct tui *t)
{
	t->search.typing = false;
	t->search.text[0] = '\0';
}

bool box_answer_search(struct tui *t, enum request what)
{
	if (what == REQUEST_ACCEPT) {
		t->search.typing = false;
	} else if (what == REQUEST_BACK || (what == REQUEST_ERASE_LEFT && t->prompt.len == 0)) {
		t->scroll = t->search.from;
		end_search(t);
	} else if (what == REQUEST_MATCH_NEXT || what == REQUEST_MATCH_PREV) {
		step(t, what == REQUEST_MATCH_NEXT ? 1 : -1);
	} else if (prompt_edit(t, what)) {
		box_sought(t);
	} else {
		return false;
	}
	return true;
}

/* ---- keys -------------------------------------------------------------------------------- */

void box_close(struct tui *t)
{
	end_search(t);
	t->overlay = OVERLAY_NONE;
}

static bool scroll(struct tui *t, enum request what)
{
	const size_t page = t->terminal.rows > 12 ? (size_t)t->terminal.rows - 6 : 4;
	const size_t up = what == REQUEST_SCROLL_UP ? 1 : what == REQUEST_PAGE_UP ? page : 0;
	const size_t down = what == REQUEST_SCROLL_DOWN ? 1 : what == REQUEST_PAGE_DOWN ? page : 0;
	t->scroll += down;
	t->scroll -= t->scroll < up ? t->scroll : up;
	if (what == REQUEST_SCROLL_TOP)
		t->scroll = 0;
	else if (what == REQUEST_SCROLL_BOTTOM)
		t->scroll = 100000; /* drawing brings it back to the last */
	else
		return up + down > 0;
	return true;
}

/* Esc leaves what is marked, then the box. */
bool box_answer(struct tui *t, enum request what)
{
	if (what == REQUEST_FIND)
		box_search(t);
	else if (what == REQUEST_MATCH_NEXT || what == REQUEST_MATCH_PREV)
		step(t, what == REQUEST_MATCH_NEXT ? 1 : -1);
	else if (what == REQUEST_TOPIC)
		help_topic(t);
	else if (what == REQUEST_BACK && t->search.text[0])
		end_search(t);
	else if (what == REQUEST_BACK)
		box_close(t);
	else
		return scroll(t, what);
	return true;
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* The first line in sight; a menu's choice is always. */
static size_t first_line(struct tui *t, bool menu, size_t n, size_t inside)
{
	const size_t last = n > inside ? n - inside : 0;
	if (menu) {
		t->scroll = n > 0 && t->scroll >= n ? n - 1 : t->scroll;
		return t->scroll + 1 > inside ? t->scroll + 1 - inside : 0;
	}
	t->scroll = t->scroll > last ? last : t->scroll;
	return t->scroll;
}

/* Cut at the end: a line that is read from its beginning. */
static const char *cut(struct arena *a, const char *text, int cols, bool ascii)
{
	size_t used;
	if (cols < 1 || (int)text_width(text) <= cols)
		return text;
	const size_t len = text_fit(text, (size_t)cols - 1, &used);
	return arena_printf(a, "%.*s%s", (int)len, text, ascii ? "~" : "…");
}

/* Text at the end of the upper border. */
static const char *note_of(const struct tui *t, struct arena *a, size_t first, size_t inside,
			   size_t n)
{
	const char *const lines =
		n <= inside ? "Esc"
			    : arena_printf(a, "%zu%s%zu of %zu", first + 1,
					   t->terminal.ascii ? "-" : "–", first + inside, n);
	if (!t->search.text[0])
		return lines;
	return t->search.n == 0 ? "not found"
				: arena_printf(a, "found %zu of %zu", t->search.at, t->search.n);
}

static void draw_row(struct tui *t, struct canvas *c, struct rect inner, const struct wrapped *line,
		     size_t i, bool menu)
{
	const bool here = menu && i == t->scroll;
	const unsigned look = here	   ? ATTR_ACCENT | ATTR_BOLD | ATTR_REVERSE
			      : line->bold ? ATTR_BOLD
					   : 0;
	const char *const text = cut(&t->frame, line->text, inner.cols - 2, t->terminal.ascii);
	if (here)
		canvas_fill(c, inner, look, CELL_DEFAULT);
	canvas_text(c, inner.row, inner.col + 1, inner.cols - 2, text, look);
	if (menu)
		zone_add(t, ZONE_CHOICE, inner)->index = i;
	else
		mark_matches(t, c, inner.row, inner.col + 1, text, i == t->search.line);
}

/* The box in the middle of the screen, as large as its lines, as far as there is room. */
static struct rect box_place(const struct canvas *c, int width, size_t n)
{
	const int most_rows = c->rows - (c->rows > 8 ? 2 : 0);
	const int cols = width + 4 < c->cols ? width + 4 : c->cols;
	const int rows = (int)n + 2 < most_rows ? (int)n + 2 : most_rows;
	return (struct rect){(c->rows - rows) / 2, (c->cols - cols) / 2, rows, cols};
}

void draw_overlay(struct tui *t, struct canvas *c, const struct overlay_text *text)
{
	size_t n;
	int width = (int)text_width(text->title) + 2;
	const size_t room = (size_t)(c->cols > 8 ? c->cols - 4 : 4);
	const struct wrapped *const lines =
		wrap(&t->frame, text, text->cols && text->cols < room ? text->cols : room, &n);
	for (size_t i = 0; i < n; i++) {
		const int w = (int)text_width(lines[i].text);
		width = w > width ? w : width;
	}
	const struct rect r = box_place(c, width, n);
	const size_t inside = r.rows > 2 ? (size_t)r.rows - 2 : 0;
	if (!text->menu && n > 0)
		seek(t, lines, n, inside);
	const size_t first = first_line(t, text->menu, n, inside);
	zone_add(t, ZONE_OUTSIDE, (struct rect){0, 0, c->rows, c->cols});
	zone_add(t, ZONE_OVERLAY, r);
	canvas_fill(c, r, 0, CELL_DEFAULT);
	canvas_box(c, r, text->title, note_of(t, &t->frame, first, inside, n), true);
	for (size_t i = first; i < n && i < first + inside; i++)
		draw_row(t, c,
			 (struct rect){r.row + 1 + (int)(i - first), r.col + 1, 1,
				       r.cols > 2 ? r.cols - 2 : 0},
			 &lines[i], i, text->menu);
}

static void box_draw(struct tui *t, struct canvas *c)
{
	const struct overlay_text text = {.title = t->box.title,
					  .lines = t->box.lines,
					  .bold = t->box.bold,
					  .cols = t->box.cols,
					  .n = t->box.n};
	draw_overlay(t, c, &text);
}

void box_open(struct tui *t, const char *title, size_t cols, size_t n)
{
	arena_clear(&t->box.arena);
	t->box.title = arena_strdup(&t->box.arena, title);
	t->box.lines = arena_calloc(&t->box.arena, n + 1, sizeof *t->box.lines);
	t->box.bold = arena_calloc(&t->box.arena, n + 1, sizeof *t->box.bold);
	t->box.n = 0;
	t->box.cols = cols;
	end_search(t);
	t->overlay = OVERLAY_TEXT;
	t->scroll = 0;
	tui_dirty(t, 0);
}

void box_line(struct tui *t, const char *line, bool bold)
{
	struct arena *const a = &t->box.arena;
	t->box.bold[t->box.n] = bold;
	t->box.lines[t->box.n++] =
		t->terminal.ascii ? canvas_plain_text(a, line) : arena_strdup(a, line);
}

/* ---- all that lies over the rest --------------------------------------------------------- */

const struct overlay_kind overlays[OVERLAYS] = {
	[OVERLAY_HELP] = {MODE_BOX, help_draw},
	[OVERLAY_VIEWS] = {MODE_MENU, views_draw, views_choose},
	[OVERLAY_TOURS] = {MODE_TOURS, tours_draw, tours_choose},
	[OVERLAY_TEXT] = {MODE_BOX, box_draw},
};

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	(void)l;
	if (t->overlay == OVERLAY_NONE)
		return;
	overlays[t->overlay].draw(t, c);
	if (t->search.typing || t->menu.typing)
		prompt_draw_search(t, c);
}

const struct tui_part part_boxes = {.arena = offsetof(struct tui, box.arena), .draw = draw};
