/* draw.c: one frame: everything onto a canvas, then the canvas onto the screen. */
#include <string.h>

#include "tui_in.h"

/* ---- the figure -------------------------------------------------------------------------- */

/* Values, and the labels beside and above them inside the panel. */
static void add_cells(struct tui *t, size_t pane, struct rect panel, struct rect data,
		      const struct heatmap_view *view)
{
	const struct {
		enum zone_kind kind;
		struct rect at;
	} zones[] = {
		{ZONE_ROWS, {data.row, panel.col + 1, data.rows, data.col - panel.col - 1}},
		{ZONE_COLS, {panel.row + 1, data.col, data.row - panel.row - 1, data.cols}},
		{ZONE_CELLS, data},
	};
	for (size_t i = 0; i < 3; i++) {
		struct zone *const z = zone_add(t, zones[i].kind, zones[i].at);
		z->index = pane;
		z->data = data;
		z->view = *view;
		z->wheel = "matrix";
	}
}

static void add_items(struct tui *t, const struct canvas *c, const struct panel *p, size_t pane,
		      struct rect r)
{
	struct rect *const at = arena_calloc(&t->frame, p->multiples.n + 1, sizeof *at);
	canvas_items(c, r, p, at);
	for (size_t i = 0; i < p->multiples.n; i++) {
		if (at[i].rows == 0)
			continue;
		struct zone *const z = zone_add(t, ZONE_ITEM, at[i]);
		z->index = pane;
		z->place = i;
		z->wheel = tui_pane_context(t, pane);
	}
}

/* `body`: where the panel with its cells is, in its place `r`. */
static void add_zones(struct tui *t, const struct canvas *c, const struct panel *p, size_t pane,
		      struct rect r, struct rect body, const struct canvas_seen *seen)
{
	struct zone *const z = zone_add(t, ZONE_PANE, r);
	z->index = pane;
	z->wheel = tui_pane_context(t, pane);
	if (p->kind == PANEL_MULTIPLES && !p->absent && !tui_presents(t))
		add_items(t, c, p, pane, r);
	if (p->kind != PANEL_HEATMAP || p->absent || seen->data.rows < 1)
		return;
	add_cells(t, pane, body, seen->data, &seen->view);
	if (t->page_rows == 0 || pane == t->app->pane) {
		t->page_rows = seen->view.rows;
		t->page_cols = seen->view.cols;
	}
}

/* One panel for the back row; its cells and what is around them. */
static struct rect present(struct tui *t, struct canvas *c, size_t pane, struct rect r,
			   struct canvas_seen *seen)
{
	struct rect body;
	canvas_presenter(c, r, &t->picture->picture.figure, pane, &body, &seen->data, &seen->view);
	return (struct rect){body.row - 1, body.col - 1, body.rows + 2, body.cols + 2};
}

static void draw_figure(struct tui *t, struct canvas *c, const struct layout *l)
{
	struct figure f = t->picture->picture.figure;
	struct canvas_seen seen[FIGURE_PANELS] = {0};
	const bool quiet = t->mode != MODE_LOOK || t->overlay != OVERLAY_NONE;
	t->page_rows = t->page_cols = 0;
	for (size_t i = 0; i < f.n; i++) {
		struct panel *const p = &f.panels[i];
		if (p->kind == PANEL_TABLE) /* on a screen the next key moves on from there */
			p->table.from_top = false;
		p->stale = p->stale || t->trouble.text[0] != '\0' || t->asked == ASKED_CANCELLED;
	}
	if (!tui_presents(t))
		canvas_panels(c, &f, l->figure, l->panel, quiet ? f.n : t->app->pane, seen);
	for (size_t i = 0; i < f.n; i++) {
		const struct rect r = l->panel[i];
		if (r.rows > 0)
			add_zones(t, c, &f.panels[i], i, r,
				  tui_presents(t) ? present(t, c, i, r, &seen[i]) : r, &seen[i]);
	}
}

static void draw_waiting(struct tui *t, struct canvas *c, const struct layout *l)
{
	const char *const text = t->trouble.text[0] || t->asked == ASKED_CANCELLED
					 ? "nothing can be shown yet"
				 : t->terminal.ascii ? "computing ..."
						     : "computing …";
	const int row = l->figure.row + l->figure.rows / 2;
	const int col = l->figure.col + (l->figure.cols - (int)text_width(text)) / 2;
	canvas_text(c, row, col, l->cols - col, text, ATTR_DIM);
}

/* ---- boxes over it ----------------------------------------------------------------------- */

struct wrapped {
	const char *text;
	bool bold;
};

/* Bytes of `text` that go on a line of `cols`, broken at a blank where there is one. */
static size_t break_at(const char *text, size_t cols)
{
	size_t used;
	const size_t fit = text_fit(text, cols, &used);
	if (text[fit] == '\0' || fit == 0)
		return strlen(text);
	for (size_t i = fit; i > fit / 2; i--)
		if (text[i] == ' ')
			return i;
	return fit;
}

/* The lines, long ones as several, the later ones indented; those of a menu stay one. */
static struct wrapped *wrap(struct arena *a, const struct overlay_text *text, size_t cols,
			    size_t *n)
{
	enum { INDENT = 2 };
	size_t cap = 0;
	for (size_t i = 0; i < text->n; i++)
		cap += 1 + strlen(text->lines[i]);
	struct wrapped *const out = arena_calloc(a, cap + 1, sizeof *out);
	*n = 0;
	for (size_t i = 0; i < text->n; i++) {
		const char *at = text->lines[i];
		const bool bold = text->bold && text->bold[i];
		size_t len = text->menu ? strlen(at) : break_at(at, cols);
		out[(*n)++] = (struct wrapped){arena_strndup(a, at, len), bold};
		for (at += len; *at && *n < cap; at += len) {
			at += strspn(at, " ");
			len = break_at(at, cols > 2 * INDENT ? cols - INDENT : cols);
			const char *const line = arena_printf(
				a, "%*s%.*s", cols > 2 * INDENT ? INDENT : 0, "", (int)len, at);
			out[(*n)++] = (struct wrapped){line, bold};
		}
	}
	return out;
}

/* The first line in sight; a menu's choice is always. */
static size_t first_line(struct tui *t, const struct overlay_text *text, size_t n, size_t inside)
{
	const size_t last = n > inside ? n - inside : 0;
	if (text->menu) {
		t->scroll = n > 0 && t->scroll >= n ? n - 1 : t->scroll;
		const size_t first = t->scroll + 1 > inside ? t->scroll + 1 - inside : 0;
		return first;
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

void draw_overlay(struct tui *t, struct canvas *c, const struct overlay_text *text)
{
	struct arena *const a = &t->frame;
	size_t n;
	int width = (int)text_width(text->title) + 2;
	const struct wrapped *const lines =
		wrap(a, text, (size_t)(c->cols > 8 ? c->cols - 4 : 4), &n);
	for (size_t i = 0; i < n; i++) {
		const int w = (int)text_width(lines[i].text);
		width = w > width ? w : width;
	}
	const int most_cols = c->cols, most_rows = c->rows - (c->rows > 8 ? 2 : 0);
	const int cols = width + 4 < most_cols ? width + 4 : most_cols;
	const int rows = (int)n + 2 < most_rows ? (int)n + 2 : most_rows;
	const size_t inside = rows > 2 ? (size_t)rows - 2 : 0;
	const size_t first = first_line(t, text, n, inside);
	const struct rect r = {(c->rows - rows) / 2, (c->cols - cols) / 2, rows, cols};
	zone_add(t, ZONE_OUTSIDE, (struct rect){0, 0, c->rows, c->cols});
	zone_add(t, ZONE_OVERLAY, r);
	canvas_fill(c, r, 0, CELL_DEFAULT);
	const char *const note =
		n <= inside ? "Esc"
			    : arena_printf(a, "%zu%s%zu of %zu", first + 1,
					   t->terminal.ascii ? "-" : "–", first + inside, n);
	canvas_box(c, r, text->title, note, true);
	for (size_t i = first; i < n && i < first + inside; i++) {
		const int row = r.row + 1 + (int)(i - first);
		const bool here = text->menu && i == t->scroll;
		const unsigned look = here	      ? ATTR_ACCENT | ATTR_BOLD | ATTR_REVERSE
				      : lines[i].bold ? ATTR_BOLD
						      : 0;
		const struct rect inner = {row, r.col + 1, 1, cols > 2 ? cols - 2 : 0};
		if (here)
			canvas_fill(c, inner, look, CELL_DEFAULT);
		canvas_text(c, row, r.col + 2, cols - 4,
			    cut(a, lines[i].text, cols - 4, t->terminal.ascii), look);
		if (text->menu)
			zone_add(t, ZONE_CHOICE, inner)->index = i;
	}
}

/* ---- all of it --------------------------------------------------------------------------- */

static struct canvas *new_canvas(struct tui *t)
{
	const struct settings *const s = &t->app->settings;
	struct canvas *const c =
		canvas_new(&t->frame, t->terminal.rows, t->terminal.cols, t->terminal.tier,
			   t->terminal.ascii, tui_background(t) != BACKGROUND_LIGHT);
	c->quadrants = t->terminal.quadrants;
	c->contrast = s->contrast;
	c->report = t->report;
	return c;
}

static void draw_list(struct tui *t, struct canvas *c, const struct layout *l)
{
	if (!layout_has_list(t))
		canvas_fill(c, l->list, 0, CELL_DEFAULT);
	const bool focus = t->mode == MODE_FIND || (t->mode == MODE_LOOK && t->picture &&
						    t->app->pane >= t->picture->picture.figure.n);
	schemes_draw(t, c, l->list, focus);
}

struct canvas *tui_frame(struct tui *t)
{
	struct layout l;
	arena_clear(&t->frame);
	t->n_zones = 0;
	layout_make(t, &l);
	struct canvas *const c = new_canvas(t);
	t->cursor_row = -1;
	if (t->picture)
		draw_figure(t, c, &l);
	else
		draw_waiting(t, c, &l);
	if (l.list.rows > 0)
		draw_list(t, c, &l);
	if (l.title.rows > 0)
		title_draw(t, c, &l);
	status_draw(t, c, &l);
	if (tui_typing(t))
		prompt_draw(t, c, &l);
	if (t->overlay == OVERLAY_HELP)
		help_draw(t, c);
	else if (t->overlay == OVERLAY_WORDS)
		words_draw(t, c);
	else if (t->overlay == OVERLAY_VIEWS)
		views_draw(t, c);
	return c;
}

void tui_draw(struct tui *t)
{
	const struct canvas *const c = tui_frame(t);
	screen_show(&t->terminal, c, t->cursor_row, t->cursor_col);
}
