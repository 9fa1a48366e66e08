/* mouse.c: what a click, the wheel and a drag do.
 *
 * Drawing leaves a list of zones; a click looks its place up there, from the newest to the oldest,
 * so what is drawn over something is also hit before it. Everything that changes the scene is a
 * command, as for keys. */
#include <stdio.h>

#include "tui_in.h"
#include "posviz/plot/panel.h"

const char *const mouse_help[] = {
	"click",
	"choose a cell, a pane, a scheme, a view, a parameter; run a hint",
	"wheel",
	"move the cell by rows, with Shift by columns; step through a list",
	"drag",
	"a token on an axis, or in the line of p: it moves there",
	"Shift-click",
	"the terminal's own, to mark text and copy it; :mouse off leaves it all clicks",
	NULL,
};

struct zone *zone_add(struct tui *t, enum zone_kind kind, struct rect at)
{
	/* A zone over the limit is not hit, which only a screen of thousands of cells can show. */
	struct zone *const z = &t->zones[t->n_zones < ZONES ? t->n_zones++ : ZONES - 1];
	*z = (struct zone){.kind = kind, .at = at};
	return z;
}

static bool inside(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

static bool of_overlay(const struct zone *z)
{
	return z->kind == ZONE_OVERLAY || z->kind == ZONE_OUTSIDE || z->kind == ZONE_CHOICE;
}

/* A box that was closed since the zones were made is not hit any more, and nothing below one that was
 * opened. */
static const struct zone *zone_at(const struct tui *t, int row, int col)
{
	static const struct zone outside = {.kind = ZONE_OUTSIDE};
	const bool boxed = t->overlay != OVERLAY_NONE;
	for (size_t i = t->n_zones; i-- > 0;) {
		const struct zone *const z = &t->zones[i];
		const bool is_list = z->kind == ZONE_OVERLAY && t->mode == MODE_FIND;
		if (inside(z->at, row, col) && (of_overlay(z) == boxed || is_list))
			return z;
	}
	return boxed ? &outside : NULL;
}

static int clamp(int x, int first, int count)
{
	const int last = first + (count > 0 ? count - 1 : 0);
	return x < first ? first : x > last ? last : x;
}

/* The cell of the matrix that a zone's values, or labels, have there or nearest. */
static bool cell_of(const struct zone *z, int row, int col, size_t *r, size_t *c)
{
	row = clamp(row, z->data.row, z->data.rows);
	col = clamp(col, z->data.col, z->data.cols);
	return canvas_hit(z->data, &z->view, row, col, r, c);
}

/* A matrix may be of the tokens in another order: the unit that the scene has for one of its. */
static size_t scene_unit(const struct tui *t, size_t pane, size_t unit, bool key)
{
	const struct picture *const p = &t->picture->picture;
	const struct axis *const own = key ? &p->trace.key : &p->trace.query;
	const struct axis *const other = key ? &p->twin.trace.key : &p->twin.trace.query;
	if (pane >= p->figure.n || !panel_is_map(&p->figure.panels[pane]))
		return unit;
	const struct heatmap *const h = &p->figure.panels[pane].heatmap;
	if ((key ? h->col_labels : h->row_labels) != other->names || unit >= other->n)
		return unit;
	for (size_t i = 0; i < own->n; i++)
		if (own->token[i] >= 0 && own->token[i] == other->token[unit])
			return i;
	return unit;
}

static void focus(struct tui *t, size_t pane)
{
	if (t->app->pane == pane)
		return;
	t->app->pane = pane;
	tui_react(t, REACT_LAYOUT);
}

/* Puts the cursor on a cell; what is 0 stays as it is. */
static void choose_cell(struct tui *t, long row, long col)
{
	const struct scene *const s = &t->app->scene;
	char line[64];
	row = row > 0 ? row : s->row > 0 ? s->row : 1;
	col = col > 0 ? col : s->col > 0 ? s->col : 1;
	snprintf(line, sizeof line, "cursor %ld %ld", row, col);
	tui_run_line(t, line);
}

/* ---- dragging ---------------------------------------------------------------------------- */

static const struct axis *axis_along(const struct tui *t, enum zone_kind kind)
{
	const struct trace *const trace = &t->picture->picture.trace;
	return kind == ZONE_COLS ? &trace->key : &trace->query;
}

/* The unit of an axis, and its place, under a point; from a zone of labels. */
static bool label_at(const struct tui *t, const struct zone *z, int row, int col, size_t *unit,
		     size_t *place)
{
	size_t r, c;
	if (!t->picture || !cell_of(z, row, col, &r, &c))
		return false;
	const bool key = z->kind == ZONE_COLS;
	*unit = scene_unit(t, z->index, key ? c : r, key);
	*place = (size_t)-1;
	permute_place(t, axis_along(t, z->kind), *unit, place);
	return true;
}

static void press_token(struct tui *t, const struct zone *z, const struct mouse *m)
{
	struct drag *const d = &t->drag;
	size_t unit = z->index, place = z->place;
	if (z->kind != ZONE_TOKEN && !label_at(t, z, m->row, m->col, &unit, &place))
		return;
	*d = (struct drag){.along = z->kind, .unit = unit, .place = place, .before = t->app->scene};
	d->on = true;
	for (size_t i = 0; i < t->n_zones; i++) {
		const struct zone *const other = &t->zones[i];
		const bool same = z->kind == ZONE_TOKEN ? other->kind == ZONE_TOKEN : other == z;
		if (same)
			d->zones[d->n++] = *other;
	}
	t->app->undo_key = NULL;
	if (t->mode == MODE_PERMUTE && place != (size_t)-1)
		t->permute = (struct permute){.token = place};
}

/* Columns from a point to a zone; 0 inside. */
static int distance(struct rect r, int col)
{
	return col < r.col ? r.col - col : col >= r.col + r.cols ? col - (r.col + r.cols - 1) : 0;
}

/* The place that the pointer asks for: of the nearest token that moves. */
static bool place_wanted(const struct tui *t, const struct mouse *m, size_t *place)
{
	const struct drag *const d = &t->drag;
	size_t unit;
	if (d->along != ZONE_TOKEN)
		return label_at(t, &d->zones[0], m->row, m->col, &unit, place) &&
		       *place != (size_t)-1;
	int best = -1;
	for (size_t i = 0; i < d->n; i++) {
		const int away = distance(d->zones[i].at, m->col);
		if (d->zones[i].place == (size_t)-1 || (best >= 0 && away >= best))
			continue;
		best = away;
		*place = d->zones[i].place;
	}
	return best >= 0;
}

static void drag_to(struct tui *t, const struct mouse *m)
{
	struct drag *const d = &t->drag;
	size_t to;
	if (d->place == (size_t)-1 || !place_wanted(t, m, &to) || to == d->place)
		return;
	if (!permute_move(t, d->place, to))
		return;
	d->moved = true;
	d->place = to;
	if (t->mode == MODE_PERMUTE)
		t->permute.token = to;
}

static void drop(struct tui *t)
{
	struct drag *const d = &t->drag;
	d->on = false;
	t->app->undo_key = NULL;
	if (d->moved || t->mode != MODE_LOOK)
		return;
	/* Units of the sentence that are memory are no rows, but keys. */
	const size_t memory = d->along == ZONE_TOKEN ? t->picture->picture.trace.memory : 0;
	const bool key = d->along == ZONE_COLS || d->unit < memory;
	choose_cell(t, key ? 0 : (long)(d->unit - memory) + 1, key ? (long)d->unit + 1 : 0);
}

bool drag_cancel(struct tui *t)
{
	struct drag *const d = &t->drag;
	if (!d->on)
		return false;
	d->on = false;
	if (!setup_equal(&t->app->scene.setup, &d->before.setup))
		tui_run_line(t, "undo");
	t->app->undo_key = NULL;
	return true;
}

/* ---- clicks ------------------------------------------------------------------------------ */

static void click_prompt(struct tui *t, const struct zone *z, const struct mouse *m)
{
	struct prompt *const p = &t->prompt;
	/* Clusters are as wide as their escaped form. The line may be shorter than when it was drawn. */
	int col = z->at.col;
	size_t at = z->index < p->len ? z->index : p->len;
	while (at < p->len) {
		const size_t len = text_cluster(p->text + at, p->len - at);
		const int wide = (int)text_width(text_escape(&t->frame, p->text + at, len));
		if (col + wide > m->col)
			break;
		col += wide;
		at += len;
	}
	p->at = at;
}

static void click_cell(struct tui *t, const struct zone *z, const struct mouse *m)
{
	size_t r, c;
	focus(t, z->index);
	if (t->picture && cell_of(z, m->row, m->col, &r, &c))
		choose_cell(t, (long)scene_unit(t, z->index, r, false) + 1,
			    (long)scene_unit(t, z->index, c, true) + 1);
}

static void click_item(struct tui *t, const struct zone *z)
{
	const struct panel *const p = t->picture && z->index < t->picture->picture.figure.n
					      ? &t->picture->picture.figure.panels[z->index]
					      : NULL;
	if (!p || p->kind != PANEL_MULTIPLES || z->place >= p->multiples.n)
		return;
	/* The first line may take the figure away. */
	struct arena a;
	arena_init(&a);
	const char *lines[2];
	for (size_t i = 0; i < 2; i++)
		lines[i] = arena_strdup(&a, p->multiples.items[z->place].choose[i]);
	focus(t, z->index);
	for (size_t i = 0; i < 2; i++)
		tui_run_line(t, lines[i]);
	arena_release(&a);
}

static void click(struct tui *t, const struct zone *z, const struct mouse *m)
{
	switch (z->kind) {
	case ZONE_RUN:
		tui_run_line(t, z->command);
		break;
	case ZONE_PANE:
		focus(t, z->index);
		break;
	case ZONE_CELLS:
		click_cell(t, z, m);
		break;
	case ZONE_ROWS:
	case ZONE_COLS:
	case ZONE_TOKEN:
		press_token(t, z, m);
		break;
	case ZONE_PARAM:
		t->app->param = z->index;
		break;
	case ZONE_PROMPT:
		click_prompt(t, z, m);
		break;
	case ZONE_CANDIDATE:
		prompt_choose(t, z->index);
		break;
	case ZONE_MATCH:
		t->match = z->index;
		tui_run_line(t, "accept");
		break;
	case ZONE_OUTSIDE:
		box_close(t);
		break;
	case ZONE_ITEM:
		click_item(t, z);
		break;
	case ZONE_CHOICE:
		if (overlays[t->overlay].choose)
			overlays[t->overlay].choose(t, z->index);
		break;
	case ZONE_OVERLAY:
		break;
	}
}

static bool answers_to(const struct tui *t, const struct zone *z)
{
	if (tui_typing(t) && t->mode != MODE_FIND)
		return z->kind == ZONE_PROMPT || z->kind == ZONE_CANDIDATE;
	if (t->mode == MODE_FIND)
		return z->kind == ZONE_PROMPT || z->kind == ZONE_MATCH || z->kind == ZONE_RUN ||
		       z->kind == ZONE_OVERLAY;
	return true;
}

static void press(struct tui *t, const struct mouse *m)
{
	const struct zone *const z = zone_at(t, m->row, m->col);
	if (t->drag.on) /* the release was lost */
		drop(t);
	if (z && answers_to(t, z))
		click(t, z, m);
	else if (t->mode == MODE_FIND)
		prompt_cancel(t);
}

/* ---- wheel ------------------------------------------------------------------------------- */

/* Rows, or columns, that the wheel goes on by: one value, one mean, or an eighth of a window. */
static int notch(const struct tui *t, const struct zone *z, bool across)
{
	const struct trace *const trace = &t->picture->picture.trace;
	const size_t seen = across ? z->view.cols : z->view.rows;
	const size_t all = across ? trace->key.n : trace->query.n;
	if (z->view.averaged)
		return (int)z->view.block;
	return seen < all && seen >= 16 ? (int)(seen / 8) : 1;
}

static void wheel(struct tui *t, const struct mouse *m)
{
	const struct zone *const z = zone_at(t, m->row, m->col);
	if (!z || (tui_typing(t) && t->mode != MODE_FIND) || t->drag.on)
		return;
	const bool forward = m->down > 0 || m->right > 0;
	if (of_overlay(z) && t->overlay != OVERLAY_NONE) {
		tui_run_line(t, forward ? "scroll down" : "scroll up");
		return;
	}
	if (z->kind == ZONE_PARAM) {
		t->app->param = z->index;
		tui_run_line(t, forward ? "param-step -1" : "param-step +1");
	}
	if (!z->wheel)
		return;
	const char *const name = m->right ? (forward ? "Right" : "Left") : forward ? "Down" : "Up";
	if (z->kind == ZONE_PANE && t->picture && z->index < t->picture->picture.figure.n)
		focus(t, z->index);
	const struct binding *const b = tui_binding_in(t, z->wheel, name);
	const int times = z->kind == ZONE_CELLS ? notch(t, z, m->right != 0) : 1;
	for (int i = 0; b && i < times; i++)
		tui_run_line(t, b->command);
}

/* ---- events ------------------------------------------------------------------------------ */

static void take_event(struct tui *t, const struct mouse *m)
{
	switch (m->kind) {
	case MOUSE_PRESS:
		press(t, m);
		break;
	case MOUSE_DRAG:
		if (t->drag.on)
			drag_to(t, m);
		break;
	case MOUSE_RELEASE:
		if (t->drag.on)
			drop(t);
		break;
	case MOUSE_WHEEL:
		wheel(t, m);
		break;
	case MOUSE_NONE:
		break;
	}
}

/* A key that means the same everywhere leaves a token on its way. */
static bool take_key(struct tui *t, const struct key *key)
{
	const bool mouse = key->mouse.kind != MOUSE_NONE;
	if (mouse)
		take_event(t, &key->mouse);
	else if (tui_fixed(key) || !drag_cancel(t) || strcmp(key->name, "Esc") != 0)
		return false;
	if (!mouse || !t->dirty)
		tui_dirty(t, 0);
	return true;
}

const struct tui_part part_mouse = {.key = take_key};
