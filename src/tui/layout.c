/* layout.c: which parts the screen has at its size, and where.
 *
 * The scheme list folds away first, then lines of status; the figure's own panels are laid out
 * by canvas_layout. There is no size that is too small.
 *
 * Heatmaps need width more than anything: where the page's columns would be narrow the figure's
 * most important panels stand in two columns, and the others are reached with Tab. */
#include "tui_in.h"

enum { LIST_FROM = 118, LIST_COLS = 26, WIDE_FROM = 160, WIDE_COLS = 32 };

/* Rows from which the screen has each line. */
enum {
	TITLE_FROM = 4,
	FOOTER_FROM = 3,
	CELL_FROM = 9,
	SENTENCE_FROM = 16,
	MEASURED_FROM = 20,
	PARAMS_FROM = 30
};

enum { PAGE_COL = 46, COLUMNS = 2, AT_ONCE = 4 };

static int page_cols(const struct figure *f)
{
	int cols = 1;
	for (size_t i = 0; i < f->n; i++) {
		const int end = f->panels[i].col + f->panels[i].cols;
		cols = end > cols ? end : cols;
	}
	return cols;
}

/* The panel that is left out next: of the highest priority number, the last, and not the focus. */
static size_t least_needed(const struct figure *f, const bool *out, size_t focus)
{
	size_t found = f->n;
	for (size_t i = 0; i < f->n; i++)
		if (!out[i] && i != focus &&
		    (found == f->n || f->panels[i].priority >= f->panels[found].priority))
			found = i;
	return found;
}

/* The panel that must be seen: the focused one, or where it has nothing to show the first heatmap
 * that has. */
static size_t seen_first(const struct figure *f, size_t focus)
{
	if (focus >= f->n || !f->panels[focus].absent)
		return focus;
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_HEATMAP && !f->panels[i].absent)
			return i;
	return focus;
}

static void place_panels(const struct figure *f, struct rect r, size_t focus, bool zoom,
			 struct rect *place)
{
	if (zoom || f->n <= AT_ONCE || page_cols(f) * PAGE_COL <= r.cols) {
		canvas_layout(f, r, focus, zoom, place);
		return;
	}
	struct figure part = {0};
	bool out[FIGURE_PANELS] = {false};
	size_t index[FIGURE_PANELS];
	struct rect at[FIGURE_PANELS];
	for (size_t left = f->n; left > AT_ONCE; left--)
		out[least_needed(f, out, focus)] = true;
	size_t part_focus = AT_ONCE;
	for (size_t i = 0; i < f->n; i++) {
		place[i] = (struct rect){r.row, r.col, 0, 0};
		if (out[i])
			continue;
		struct panel *const p = &part.panels[part.n];
		*p = f->panels[i];
		p->row = (unsigned char)(part.n / COLUMNS);
		p->col = (unsigned char)(part.n % COLUMNS);
		p->rows = p->cols = 1;
		part_focus = i == focus ? part.n : part_focus;
		index[part.n++] = i;
	}
	canvas_layout(&part, r, part_focus, zoom, at);
	for (size_t k = 0; k < part.n; k++)
		place[index[k]] = at[k];
}

bool layout_has_list(const struct tui *t)
{
	return t->terminal.cols >= LIST_FROM && t->terminal.rows >= CELL_FROM && !t->app->zoom;
}

static int take_row(int *bottom, bool there)
{
	return there ? --*bottom : -1;
}

void layout_make(const struct tui *t, struct layout *out)
{
	const int rows = t->terminal.rows, cols = t->terminal.cols;
	const int top = rows >= TITLE_FROM ? 1 : 0;
	int bottom = rows;
	*out = (struct layout){.cols = cols, .title = {0, 0, top, cols}};
	out->footer = take_row(&bottom, rows >= FOOTER_FROM);
	out->cell = take_row(&bottom, rows >= CELL_FROM);
	out->params = take_row(&bottom, rows >= PARAMS_FROM);
	out->measured = take_row(&bottom, rows >= MEASURED_FROM);
	out->sentence = take_row(&bottom, rows >= SENTENCE_FROM);
	int left = 0;
	const bool finding = t->mode == MODE_FIND;
	if (layout_has_list(t)) {
		left = cols >= WIDE_FROM ? WIDE_COLS : LIST_COLS;
		out->list = (struct rect){top, 0, bottom - top, left};
	} else if (finding) { /* over the figure */
		const int width = cols < LIST_COLS ? cols : LIST_COLS;
		out->list = (struct rect){top, 0, bottom - top, width};
	}
	out->figure = (struct rect){top, left, bottom - top, cols - left};
	if (!t->picture)
		return;
	const struct figure *const f = &t->picture->picture.figure;
	place_panels(f, out->figure, seen_first(f, t->app->pane), t->app->zoom, out->panel);
}
