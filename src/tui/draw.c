/* draw.c: one frame: everything onto a canvas, then the canvas onto the screen. */
#include <string.h>

#include "tui_in.h"

static void draw_figure(struct tui *t, struct canvas *c, const struct layout *l)
{
	const struct figure *const f = &t->picture->picture.figure;
	const bool quiet = t->mode != MODE_LOOK || t->overlay != OVERLAY_NONE;
	for (size_t i = 0; i < f->n; i++) {
		struct panel p = f->panels[i];
		p.stale = p.stale || t->trouble.text[0] != '\0';
		if (l->panel[i].rows > 0)
			canvas_panel(c, l->panel[i], &p, i == t->app->pane && !quiet, NULL, NULL);
	}
}

static void draw_waiting(struct tui *t, struct canvas *c, const struct layout *l)
{
	const char *const text = t->trouble.text[0]  ? "nothing can be shown yet"
				 : t->terminal.ascii ? "computing ..."
						     : "computing …";
	const int row = l->figure.row + l->figure.rows / 2;
	const int col = l->figure.col + (l->figure.cols - (int)text_width(text)) / 2;
	canvas_text(c, row, col, l->cols - col, text, ATTR_DIM);
}

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

/* The lines, long ones as several, the later ones indented. */
static const char **wrap(struct arena *a, const char *const *lines, size_t *n, size_t cols)
{
	enum { INDENT = 2 };
	size_t made = 0, cap = 0;
	for (size_t i = 0; i < *n; i++)
		cap += 1 + strlen(lines[i]);
	const char **const out = arena_calloc(a, cap + 1, sizeof *out);
	for (size_t i = 0; i < *n; i++) {
		const char *at = lines[i];
		size_t len = break_at(at, cols);
		out[made++] = arena_strndup(a, at, len);
		for (at += len; *at && made < cap; at += len) {
			at += strspn(at, " ");
			len = break_at(at, cols > 2 * INDENT ? cols - INDENT : cols);
			out[made++] = arena_printf(a, "%*s%.*s", cols > 2 * INDENT ? INDENT : 0, "",
						   (int)len, at);
		}
	}
	*n = made;
	return out;
}

void draw_overlay(struct tui *t, struct canvas *c, const char *title, const char *const *lines,
		  size_t n, size_t bold_lines)
{
	int width = (int)text_width(title) + 2;
	lines = wrap(&t->frame, lines, &n, (size_t)(c->cols > 8 ? c->cols - 4 : 4));
	for (size_t i = 0; i < n; i++) {
		const int w = (int)text_width(lines[i]);
		width = w > width ? w : width;
	}
	const int most_cols = c->cols, most_rows = c->rows - (c->rows > 8 ? 2 : 0);
	const int cols = width + 4 < most_cols ? width + 4 : most_cols;
	const int rows = (int)n + 2 < most_rows ? (int)n + 2 : most_rows;
	const size_t inside = rows > 2 ? (size_t)rows - 2 : 0;
	if (t->scroll + inside > n)
		t->scroll = n > inside ? n - inside : 0;
	const struct rect r = {(c->rows - rows) / 2, (c->cols - cols) / 2, rows, cols};
	canvas_fill(c, r, 0, CELL_DEFAULT);
	const char *const note =
		n <= inside ? "Esc"
			    : arena_printf(&t->frame, "%zu%s%zu of %zu", t->scroll + 1,
					   t->terminal.ascii ? "-" : "–", t->scroll + inside, n);
	canvas_box(c, r, title, note, true);
	for (size_t i = 0; i < inside && t->scroll + i < n; i++) {
		const size_t line = t->scroll + i;
		const char *const text =
			text_shorten(&t->frame, lines[line], (size_t)(cols > 4 ? cols - 4 : 1),
				     t->terminal.ascii);
		canvas_text(c, r.row + 1 + (int)i, r.col + 2, cols - 4, text,
			    line < bold_lines ? ATTR_BOLD : 0);
	}
}

void tui_draw(struct tui *t)
{
	struct layout l;
	arena_clear(&t->frame);
	layout_make(t, &l);
	struct canvas *const c = canvas_new(&t->frame, t->terminal.rows, t->terminal.cols,
					    t->terminal.tier, t->terminal.ascii, t->terminal.dark);
	t->cursor_row = -1;
	if (t->picture)
		draw_figure(t, c, &l);
	else
		draw_waiting(t, c, &l);
	if (l.list.rows > 0) {
		if (!layout_has_list(t))
			canvas_fill(c, l.list, 0, CELL_DEFAULT);
		const bool focus =
			t->mode == MODE_FIND || (t->mode == MODE_LOOK && t->picture &&
						 t->app->pane >= t->picture->picture.figure.n);
		schemes_draw(t, c, l.list, focus);
	}
	if (l.title.rows > 0)
		status_title(t, c, &l);
	status_draw(t, c, &l);
	if (t->mode == MODE_PROMPT || t->mode == MODE_FIND)
		prompt_draw(t, c, &l);
	if (t->overlay == OVERLAY_HELP)
		help_draw(t, c);
	else if (t->overlay == OVERLAY_WHY)
		why_draw(t, c);
	screen_show(&t->terminal, c, t->cursor_row, t->cursor_col);
}
