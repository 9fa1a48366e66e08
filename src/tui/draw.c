/* draw.c: one frame: everything onto a canvas, then the canvas onto the screen. */
#include <string.h>

#include "tui_in.h"
#include "posviz/plot/panel.h"
#include "posviz/tour/tour_run.h"

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

static void add_items(struct tui *t, const struct canvas *c, const struct layout *l, size_t pane)
{
	const struct figure *const f =
		canvas_drawn(c, &t->frame, &t->picture->picture.figure, l->figure, l->panel);
	const struct panel *const p = &f->panels[pane];
	struct rect *const at = arena_calloc(&t->frame, p->multiples.n + 1, sizeof *at);
	canvas_items(c, l->panel[pane], p, at);
	for (size_t i = 0; i < p->multiples.n; i++) {
		if (at[i].rows == 0 || !p->multiples.items[i].choose[0])
			continue;
		struct zone *const z = zone_add(t, ZONE_ITEM, at[i]);
		z->index = pane;
		z->place = i;
		z->wheel = tui_pane_context(t, pane);
	}
}

/* `body`: where the panel with its cells is, in its place. */
static void add_zones(struct tui *t, const struct canvas *c, const struct layout *l, size_t pane,
		      struct rect body, const struct canvas_seen *seen)
{
	const struct panel *const p = &t->picture->picture.figure.panels[pane];
	struct zone *const z = zone_add(t, ZONE_PANE, l->panel[pane]);
	z->index = pane;
	z->wheel = tui_pane_context(t, pane);
	if (p->kind == PANEL_MULTIPLES && !p->absent && !tui_presents(t))
		add_items(t, c, l, pane);
	if (!panel_shows_map(p) || seen->data.rows < 1)
		return;
	add_cells(t, pane, body, seen->data, &seen->view);
	if (t->page_rows == 0 || pane == t->app->pane) {
		t->page_rows = seen->view.rows;
		t->page_cols = seen->view.cols;
	}
}

/* Draws a panel for the back row; returns the place of its cells and what is around them. */
static struct rect present(struct tui *t, struct canvas *c, size_t pane, struct rect r,
			   struct canvas_seen *seen)
{
	struct rect body;
	c->taken = touring(t) ? 0 : footer_cols(t, c) + 2;
	canvas_presenter(c, r, &t->picture->picture.figure, pane,
			 touring(t) ? LESSON_HEAD : HEAD_ANY, &body, &seen->data, &seen->view);
	return (struct rect){body.row - 1, body.col - 1, body.rows + 2, body.cols + 2};
}

static void draw_figure(struct tui *t, struct canvas *c, const struct layout *l)
{
	struct figure f = t->picture->picture.figure;
	struct canvas_seen seen[FIGURE_PANELS] = {0};
	const bool quiet = t->mode != MODE_LOOK || t->overlay != OVERLAY_NONE;
	const bool heads = view_of(&t->drawn)->walk != NULL;
	t->page_rows = t->page_cols = 0;
	for (size_t i = 0; i < f.n; i++) {
		struct panel *const p = &f.panels[i];
		/* On a screen the next key moves on from the cursor's row; a list of heads begins at its first
		 * until one is chosen. */
		if (p->kind == PANEL_TABLE)
			p->table.from_top &= heads && !t->app->scene.chose_head;
		p->stale = p->stale || t->trouble.text[0] != '\0' || t->asked == ASKED_CANCELLED;
	}
	if (!tui_presents(t))
		canvas_panels(c, &f, l->figure, l->panel, quiet ? f.n : t->app->pane, seen);
	for (size_t i = 0; i < f.n; i++) {
		const struct rect r = l->panel[i];
		if (r.rows > 0)
			add_zones(t, c, l, i, tui_presents(t) ? present(t, c, i, r, &seen[i]) : r,
				  &seen[i]);
	}
}

static void draw_waiting(struct tui *t, struct canvas *c, const struct layout *l)
{
	if (t->trouble.text[0]) {
		const char *const why =
			text_escape(&t->frame, t->trouble.text, strlen(t->trouble.text));
		canvas_message(c, l->figure, "This cannot be computed",
			       arena_printf(&t->frame, "%s. %s", why,
					    t->app->n_undo > 0
						    ? "u goes back a step, :reset starts anew"
						    : ":reset starts anew"));
		return;
	}
	const char *const text = t->asked == ASKED_CANCELLED ? "nothing can be shown yet"
				 : t->terminal.ascii	     ? "computing ..."
							     : "computing …";
	const int row = l->figure.row + l->figure.rows / 2;
	const int col = l->figure.col + (l->figure.cols - (int)text_width(text)) / 2;
	canvas_text(c, row, col, l->cols - col, text, ATTR_DIM);
}

void pictures_draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	if (tour_is_refused(t))
		canvas_message(c, l->figure, tour_step_now(&t->tour.run)->title,
			       text_escape(&t->frame, t->trouble.text, strlen(t->trouble.text)));
	else if (t->picture)
		draw_figure(t, c, l);
	else
		draw_waiting(t, c, l);
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

struct canvas *tui_frame(struct tui *t)
{
	struct layout l;
	arena_clear(&t->frame);
	t->n_zones = 0;
	layout_make(t, &l);
	struct canvas *const c = new_canvas(t);
	t->cursor_row = -1;
	parts_draw(t, c, &l);
	return c;
}

void tui_draw(struct tui *t)
{
	const struct canvas *const c = tui_frame(t);
	screen_show(&t->terminal, c, t->cursor_row, t->cursor_col);
}
