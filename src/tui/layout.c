/* layout.c: which parts the screen has at its size, and where.
 *
 * The scheme list folds away first, then the line of keys; the figure's own panels are laid out
 * by canvas_layout. There is no size that is too small. */
#include "tui_in.h"

enum { LIST_FROM = 118, LIST_COLS = 26, WIDE_FROM = 160, WIDE_COLS = 32 };
enum {
	FOUND_FROM = 100,
	FOUND_COLS = 31
}; /* over the figure, with authors beside nearly all names */
enum { HUGE_FROM = 240, HUGE_COLS = 40 }; /* for names and authors whole beside their curves */

/* Rows from which the screen has each line. */
enum { TITLE_FROM = 4, FOOTER_FROM = 3, CELL_FROM = 9, BOTH_FROM = 14 };
/* A tour leaves the rows of its words to them where there are fewer. */
enum { LINES_FROM = 24 };

bool tui_presents(const struct tui *t)
{
	if (tour_is_refused(t)) /* there is no picture that could be one */
		return t->app->scene.presenter;
	return t->picture && t->picture->picture.figure.presented;
}

bool tui_is_bare(const struct tui *t)
{
	return tui_presents(t) || (touring(t) && t->terminal.rows < LINES_FROM);
}

bool layout_has_list(const struct tui *t)
{
	const int from = view_of(&t->app->scene)->broad ? WIDE_FROM : LIST_FROM;
	return t->terminal.cols >= from && t->terminal.rows >= CELL_FROM && !t->app->zoom &&
	       !tui_presents(t) && !touring(t);
}

/* The panel that must be seen: the focused one; where it has nothing to show, or is a list that is
 * not there, the first heatmap that has. */
static size_t seen_first(const struct tui *t)
{
	const struct figure *const f = &t->picture->picture.figure;
	const size_t focus = t->app->pane;
	if (focus >= f->n ? layout_has_list(t) : !f->panels[focus].absent)
		return focus;
	if (focus < f->n && f->panels[focus].lead)
		return focus;
	return figure_first_map(f, focus);
}

/* The two rows at the bottom: the cell and what is said, and the keys. A low screen has one of them
 * while it is looked at, and for what is asked both, over the figure; what is bare has the keys, and
 * what is said is over the figure. */
static void place_lines(const struct tui *t, int rows, struct layout *out)
{
	const bool looking = t->mode == MODE_LOOK && t->overlay == OVERLAY_NONE;
	const bool cell = rows >= CELL_FROM && !(tui_is_bare(t) && t->mode == MODE_LOOK);
	const bool footer = rows >= FOOTER_FROM && (rows >= BOTH_FROM || !looking || !cell);
	out->footer = footer ? rows - 1 : -1;
	out->cell = cell ? rows - 1 - footer : -1;
	out->said = looking && tui_is_bare(t) && footer ? rows - 1 : -1;
}

/* Rows that are theirs alone. For the back row all are the picture's, and its last one has the key
 * that leads back. */
static int line_rows(const struct tui *t, int rows)
{
	if (tui_presents(t) && !touring(t))
		return 0;
	return rows < FOOTER_FROM ? 0 : rows >= BOTH_FROM && !tui_is_bare(t) ? 2 : 1;
}

/* Above the lines; what is said where these are not stands over the figure, never over the words. */
static void place_band(const struct tui *t, int top, int bottom, struct layout *out)
{
	if (bottom - top < FOOTER_FROM)
		return;
	const int rows = touring(t) ? tour_band_rows(t, out->cols, bottom - top)
				    : guide_rows(t, out->cols, bottom - top);
	out->band = (struct rect){bottom - rows, 0, rows, out->cols};
	if (out->said >= 0 && rows > 0)
		out->said = out->band.row - 1;
}

void layout_make(const struct tui *t, struct layout *out)
{
	const int rows = t->terminal.rows, cols = t->terminal.cols;
	const int top = rows >= TITLE_FROM && !tui_presents(t);
	const int bottom = rows - line_rows(t, rows);
	*out = (struct layout){.cols = cols, .title = {0, 0, top, cols}};
	place_lines(t, rows, out);
	int left = 0;
	place_band(t, top, bottom, out);
	const int rest = bottom - top - (touring(t) ? 0 : out->band.rows);
	const bool finding = t->mode == MODE_FIND;
	if (layout_has_list(t)) {
		left = cols >= HUGE_FROM ? HUGE_COLS : cols >= WIDE_FROM ? WIDE_COLS : LIST_COLS;
		out->list = (struct rect){top, 0, rest, left};
	} else if (finding) { /* over the figure */
		const int most = cols >= FOUND_FROM ? FOUND_COLS : LIST_COLS;
		const int width = cols < most ? cols : most;
		out->list = (struct rect){top, 0, rest, width};
	}
	out->figure = (struct rect){top, left, bottom - top - out->band.rows, cols - left};
	if (!t->picture)
		return;
	const struct figure *const f = &t->picture->picture.figure;
	const bool zoom = t->app->zoom || tui_presents(t) || tour_asks(t);
	const struct canvas like = {.tier = t->terminal.tier, .ascii = t->terminal.ascii};
	if (!zoom && tour_leads(t) && seen_first(t) == t->app->pane)
		canvas_layout_lead(&like, f, out->figure, t->app->pane, out->panel);
	else
		canvas_layout(&like, f, out->figure, seen_first(t), zoom, out->panel);
}
