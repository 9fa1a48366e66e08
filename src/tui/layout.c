/* layout.c: which parts the screen has at its size, and where.
 *
 * The scheme list folds away first, then lines of status; the figure's own panels are laid out
 * by canvas_layout. There is no size that is too small. */
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

bool tui_presents(const struct tui *t)
{
	return t->picture && t->picture->picture.figure.presented;
}

bool layout_has_list(const struct tui *t)
{
	return t->terminal.cols >= LIST_FROM && t->terminal.rows >= CELL_FROM && !t->app->zoom &&
	       !tui_presents(t);
}

/* The panel that must be seen: the focused one; where it has nothing to show, or is a list that is
 * not there, the first heatmap that has. */
static size_t seen_first(const struct tui *t)
{
	const struct figure *const f = &t->picture->picture.figure;
	const size_t focus = t->app->pane;
	if (focus >= f->n ? layout_has_list(t) : !f->panels[focus].absent)
		return focus;
	return figure_first_map(f, focus);
}

static int take_row(int *bottom, bool there)
{
	return there ? --*bottom : -1;
}

void layout_make(const struct tui *t, struct layout *out)
{
	const int rows = t->terminal.rows, cols = t->terminal.cols;
	const bool words = !tui_presents(t);
	const int top = rows >= TITLE_FROM && words ? 1 : 0;
	int bottom = rows;
	*out = (struct layout){.cols = cols, .title = {0, 0, top, cols}};
	out->footer = take_row(&bottom, rows >= FOOTER_FROM);
	if (!words) /* its last row is the footer's only while something is said */
		bottom = rows;
	out->cell = take_row(&bottom, rows >= CELL_FROM && words);
	out->params = take_row(&bottom, rows >= PARAMS_FROM && words);
	out->measured = take_row(&bottom, rows >= MEASURED_FROM && words);
	out->sentence = take_row(&bottom, rows >= SENTENCE_FROM && words);
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
	const bool zoom = t->app->zoom || tui_presents(t);
	canvas_layout(f, out->figure, seen_first(t), zoom, out->panel);
}
