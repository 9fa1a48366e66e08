/* schemes_pane.c: the menu of schemes at the left, and what was found while you type, the best
 * first.
 *
 * Groups are all open while there is room; else those that do not hold the present scheme close,
 * the last first, and what still does not fit scrolls around the chosen row. Nothing is
 * remembered, so the same scene and size show the same list. */
#include <string.h>

#include "tui_in.h"

enum { MAX_GROUPS = 32 };

/* Parts of a row: the year, the curve's cells, the columns that a shortened name needs. With fewer columns inside than
 * CURVES_FROM there are no curves: the name of a scheme says nothing to a stranger, its author does. */
enum { YEAR_COLS = 4, CURVE_COLS = (SCHEME_CURVE_PLACES + 1) / 2, LEAST_NAME = 3 };
enum { CURVES_FROM = 28 };

struct pane {
	struct tui *t;
	struct canvas *c;
	struct rect inner;
	const struct menu_item *items;
	size_t n;
	const struct scheme *chosen;
	bool focus;
	bool curves; /* there is room for them, and braille */
};

struct group {
	size_t first, n;
	bool open;
};

static size_t make_groups(const struct pane *p, struct group *groups)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++) {
		if (i == 0 || strcmp(p->items[i].group, p->items[i - 1].group) != 0) {
			BUG_IF(n == MAX_GROUPS);
			groups[n++] = (struct group){i, 0, true};
		}
		groups[n - 1].n++;
	}
	return n;
}

static bool holds(const struct pane *p, const struct group *g, const struct scheme *s)
{
	for (size_t i = g->first; i < g->first + g->n; i++)
		if (p->items[i].scheme == s)
			return true;
	return false;
}

static void close_groups(const struct pane *p, struct group *groups, size_t n)
{
	size_t rows = n + p->n;
	for (size_t i = n; i-- > 0 && rows > (size_t)p->inner.rows;) {
		if (holds(p, &groups[i], p->chosen))
			continue;
		groups[i].open = false;
		rows -= groups[i].n;
	}
}

static struct zone *add_zone(const struct pane *p, int row, enum zone_kind kind)
{
	const struct rect at = {row, p->inner.col - 1, 1, p->inner.cols + 2};
	struct zone *const z = zone_add(p->t, kind, at);
	z->wheel = p->t->mode == MODE_FIND ? "find" : "schemes";
	return z;
}

static void draw_group(const struct pane *p, const struct group *g, int row)
{
	const bool ascii = p->t->terminal.ascii;
	const char *const sign = g->open ? (ascii ? "v" : "▾") : (ascii ? ">" : "▸");
	canvas_text(p->c, row, p->inner.col, 2, sign, 0);
	const char *const count = g->open ? "" : arena_printf(&p->t->frame, "%zu", g->n);
	const int room = p->inner.cols - 2 - (g->open ? 0 : (int)strlen(count) + 1);
	const int used = canvas_text(p->c, row, p->inner.col + 2, p->inner.cols - 2,
				     text_shorten(&p->t->frame, p->items[g->first].group,
						  (size_t)(room > 1 ? room : 1), ascii),
				     ATTR_BOLD);
	if (g->open)
		return;
	/* Its first scheme opens it. */
	add_zone(p, row, ZONE_RUN)->command =
		arena_printf(&p->t->frame, "pick %s", p->items[g->first].scheme->id);
	/* Beside the name, for at the right are years. */
	canvas_text(p->c, row, p->inner.col + 3 + used, 8, count, ATTR_DIM);
}

/* The first author in `room` columns, shortened with a dot; "" when there is no room. */
static const char *author(const struct pane *p, const struct scheme *s, int room)
{
	struct arena *const a = &p->t->frame;
	const char *const name = arena_strndup(a, s->authors, strcspn(s->authors, " ,"));
	size_t used, bytes;
	if (room < LEAST_NAME)
		return "";
	bytes = text_fit(name, (size_t)room, &used);
	if (name[bytes] == '\0')
		return name;
	bytes = text_fit(name, (size_t)room - 1, &used);
	return arena_printf(a, "%.*s.", (int)bytes, name);
}

static const struct scheme_curve *curve_of(const struct pane *p, const struct scheme *s)
{
	const struct result *const r = p->t->curves;
	for (size_t i = 0; r && i < r->n_curves; i++)
		if (r->curves[i].scheme == s)
			return &r->curves[i].curve;
	return NULL;
}

/* Right of an id that ends before column `from`: the author, the curve, the year. The curves stand in
 * columns of their own, also where one is missing; no id is cut for its curve. */
static void draw_rest(const struct pane *p, const struct scheme *s, int row, int from,
		      unsigned words, unsigned dots)
{
	struct arena *const a = &p->t->frame;
	const struct scheme_curve *const curve = p->curves ? curve_of(p, s) : NULL;
	int right = p->inner.col + p->inner.cols;
	if (s->year > 0 && right - YEAR_COLS > from)
		canvas_text(p->c, row, right - YEAR_COLS, YEAR_COLS, arena_printf(a, "%d", s->year),
			    words);
	if (s->year > 0 || p->curves)
		right -= YEAR_COLS + 1;
	if (curve && right - CURVE_COLS >= from)
		canvas_sparkline(p->c, row, right - CURVE_COLS, curve->at, SCHEME_CURVE_PLACES,
				 dots);
	if (p->curves)
		right -= CURVE_COLS + 1;
	const char *const name = author(p, s, right - from - 1);
	canvas_text(p->c, row, right - (int)text_width(name), p->inner.cols, name, words);
}

static void draw_scheme(const struct pane *p, const struct scheme *s, int row)
{
	const bool here = s == p->chosen, now = here && p->focus;
	const unsigned mark = now    ? ATTR_ACCENT | ATTR_REVERSE | ATTR_BOLD
			      : here ? ATTR_ACCENT | ATTR_BOLD
				     : 0;
	const struct rect r = p->inner;
	if (now)
		canvas_fill(p->c, (struct rect){row, r.col - 1, 1, r.cols + 2}, mark, CELL_DEFAULT);
	if (here)
		canvas_text(p->c, row, r.col, 2, p->t->terminal.ascii ? ">" : "▸", mark);
	if (p->t->mode != MODE_FIND)
		add_zone(p, row, ZONE_RUN)->command = arena_printf(&p->t->frame, "pick %s", s->id);
	const char *const id = text_shorten(
		&p->t->frame, s->id, (size_t)(r.cols > 3 ? r.cols - 2 : 1), p->t->terminal.ascii);
	canvas_text(p->c, row, r.col + 2, r.cols - 2, id, mark);
	const unsigned plain = mark & ~(unsigned)ATTR_BOLD;
	draw_rest(p, s, row, r.col + 2 + (int)text_width(id), now ? plain : ATTR_DIM,
		  here ? plain : ATTR_DIM);
}

/* Draws the rows, or only finds which one the chosen scheme is on. */
static int walk(const struct pane *p, const struct group *groups, size_t n, int first, bool draw)
{
	int row = 0, found = 0;
	for (size_t g = 0; g < n; g++) {
		const int at = p->inner.row + row - first;
		if (draw && row >= first && row - first < p->inner.rows)
			draw_group(p, &groups[g], at);
		row++;
		for (size_t i = 0; groups[g].open && i < groups[g].n; i++, row++) {
			const struct scheme *const s = p->items[groups[g].first + i].scheme;
			if (s == p->chosen)
				found = row;
			if (draw && row >= first && row - first < p->inner.rows)
				draw_scheme(p, s, p->inner.row + row - first);
		}
	}
	return draw ? row : found;
}

static int all_rows(const struct group *groups, size_t n)
{
	size_t rows = n;
	for (size_t g = 0; g < n; g++)
		rows += groups[g].open ? groups[g].n : 0;
	return (int)rows;
}

/* The row at the top, so that the one at `at` of `all` is seen with what is around it. */
static int scrolled(int at, int all, int rows)
{
	int first = at - rows / 2;
	first = first > all - rows ? all - rows : first;
	return first < 0 ? 0 : first;
}

static void draw_menu(struct pane *p)
{
	struct group groups[MAX_GROUPS] = {0};
	const struct scene *const s = &p->t->app->scene;
	p->chosen = s->unnamed == UNNAMED_SCHEME ? NULL : menu_chosen(s);
	p->items = menu_items(&p->t->app->scene, &p->t->frame, &p->n);
	const size_t n = make_groups(p, groups);
	close_groups(p, groups, n);
	const int at = walk(p, groups, n, 0, false);
	walk(p, groups, n, scrolled(at, all_rows(groups, n), p->inner.rows), true);
}

static void draw_found(struct pane *p, const struct scheme *const *found, size_t n)
{
	const size_t chosen = p->t->match < n ? p->t->match : n - 1;
	const struct rect r = p->inner;
	if (n == 0) {
		canvas_text(p->c, r.row, r.col, r.cols, "no scheme fits", ATTR_DIM);
		canvas_text(p->c, r.row + 1, r.col, r.rows > 1 ? r.cols : 0,
			    "try an author, a year", ATTR_DIM);
		return;
	}
	p->chosen = found[chosen];
	const size_t first = (size_t)scrolled((int)chosen, (int)n, r.rows);
	for (size_t i = first; i < n && i < first + (size_t)r.rows; i++) {
		const int row = r.row + (int)(i - first);
		draw_scheme(p, found[i], row);
		add_zone(p, row, ZONE_MATCH)->index = i;
	}
}

static void draw_pane(struct tui *t, struct canvas *c, struct rect r, bool focus)
{
	const bool finding = t->mode == MODE_FIND;
	struct pane p = {.t = t,
			 .c = c,
			 .inner = {r.row + 1, r.col + 2, r.rows - 2, r.cols - 4},
			 .focus = focus};
	p.curves = canvas_has_braille(c) && p.inner.cols >= CURVES_FROM;
	const struct scheme **found = NULL;
	size_t n = 0;
	if (finding)
		found = schemes_found(t, t->prompt.text, &t->frame, &n);
	canvas_box(c, r, "Schemes", finding ? arena_printf(&t->frame, "%zu found", n) : "/ find",
		   focus);
	canvas_box_foot(c, r, p.curves ? "curve: by distance · year" : "author · year", true);
	struct zone *const z = zone_add(t, finding ? ZONE_OVERLAY : ZONE_PANE, r);
	z->wheel = finding ? "find" : "schemes";
	z->index = t->picture ? t->picture->picture.figure.n : 0;
	if (!finding)
		zone_add(t, ZONE_RUN,
			 (struct rect){r.row, r.col + r.cols - 10, 1, r.cols > 10 ? 10 : 0})
			->command = "find";
	if (p.inner.rows < 1 || p.inner.cols < 3)
		return;
	if (finding)
		draw_found(&p, found, n);
	else
		draw_menu(&p);
}

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	if (l->list.rows == 0)
		return;
	if (!layout_has_list(t))
		canvas_fill(c, l->list, 0, CELL_DEFAULT);
	const bool focus = t->mode == MODE_FIND || (t->mode == MODE_LOOK && t->picture &&
						    t->app->pane >= t->picture->picture.figure.n);
	draw_pane(t, c, l->list, focus);
}

/* ---- curves ------------------------------------------------------------------------------ */

/* Asks for them once the list is seen and has the dots for them. */
static void submit_curves(struct tui *t)
{
	const bool listed = layout_has_list(t) || t->mode == MODE_FIND;
	if (listed && !t->terminal.ascii && !t->terminal.quadrants)
		worker_submit_curves(t->worker, &t->app->scene);
}

static void take_curves(struct tui *t)
{
	struct result *const r = worker_take(t->worker, RESULT_CURVES);
	if (!r)
		return;
	t->curves = r;
	tui_dirty(t, 0);
}

const struct tui_part part_schemes = {
	.at = {[PART_TURN] = take_curves, [PART_DRAWN] = submit_curves}, .draw = draw};
