/* schemes_pane.c: the menu of schemes at the left, and finding one as you type.
 *
 * Groups are all open while there is room; else those that do not hold the present scheme close,
 * the last first, and what still does not fit scrolls around the chosen row. Nothing is
 * remembered, so the same scene and size show the same list. */
#include <string.h>
#include <strings.h>

#include "tui_in.h"

enum { MAX_GROUPS = 32 };

struct pane {
	struct tui *t;
	struct canvas *c;
	struct rect inner;
	const struct menu_item *items;
	size_t n;
	const struct scheme *chosen;
	bool focus;
};

struct group {
	size_t first, n;
	bool open;
};

/* The menu, or what is found in it. */
static const struct menu_item *items_of(const struct tui *t, struct arena *a, size_t *n)
{
	struct menu_item *const items = menu_items(a, n);
	size_t kept = 0;
	for (size_t i = 0; i < *n && t->mode == MODE_FIND; i++)
		if (scheme_matches(items[i].scheme, t->prompt.text))
			items[kept++] = items[i];
	if (t->mode == MODE_FIND)
		*n = kept;
	return items;
}

const struct scheme *schemes_found(const struct tui *t, size_t *count)
{
	struct arena a;
	arena_init(&a);
	const struct menu_item *const items = items_of(t, &a, count);
	const struct scheme *const found =
		*count > 0 ? items[t->match < *count ? t->match : *count - 1].scheme : NULL;
	arena_release(&a);
	return found;
}

size_t schemes_best(const struct tui *t)
{
	struct arena a;
	size_t n, best = 0;
	const char *const typed = t->prompt.text;
	arena_init(&a);
	const struct menu_item *const items = items_of(t, &a, &n);
	for (size_t i = n; i-- > 0;)
		if (strncasecmp(items[i].scheme->id, typed, strlen(typed)) == 0)
			best = i;
	arena_release(&a);
	return best;
}

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

static void draw_group(const struct pane *p, const struct group *g, int row)
{
	const bool ascii = p->t->terminal.ascii;
	const char *const sign = g->open ? (ascii ? "v" : "▾") : (ascii ? ">" : "▸");
	const int right = p->inner.col + p->inner.cols;
	canvas_text(p->c, row, p->inner.col, 2, sign, 0);
	canvas_text(p->c, row, p->inner.col + 2, p->inner.cols - 2, p->items[g->first].group,
		    ATTR_BOLD);
	if (g->open)
		return;
	const char *const count = arena_printf(&p->t->frame, "%zu", g->n);
	canvas_text(p->c, row, right - (int)strlen(count), 8, count, ATTR_DIM);
}

/* "Su 21", the name cut to what the id leaves; "" when there is no room. */
static const char *who(const struct pane *p, const struct scheme *s, int room)
{
	struct arena *const a = &p->t->frame;
	const char *const author = arena_strndup(a, s->authors, strcspn(s->authors, " ,"));
	if (room < 2)
		return "";
	if (room < 6)
		return arena_printf(a, "%02d", s->year % 100);
	size_t used, bytes = text_fit(author, (size_t)room - 3, &used);
	const bool whole = author[bytes] == '\0';
	if (!whole)
		bytes = text_fit(author, (size_t)room - 4, &used);
	return arena_printf(a, "%.*s%s %02d", (int)bytes, author, whole ? "" : ".", s->year % 100);
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
	const int id = 2 + (int)strlen(s->id);
	canvas_text(p->c, row, r.col + 2, r.cols - 2, s->id, mark);
	const char *const name = who(p, s, r.cols - id - 1);
	canvas_text(p->c, row, r.col + r.cols - (int)text_width(name), r.cols, name,
		    now ? mark & ~(unsigned)ATTR_BOLD : ATTR_DIM);
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

void schemes_draw(struct tui *t, struct canvas *c, struct rect r, bool focus)
{
	const bool finding = t->mode == MODE_FIND;
	struct pane p = {.t = t,
			 .c = c,
			 .inner = {r.row + 1, r.col + 2, r.rows - 2, r.cols - 4},
			 .chosen = menu_current(&t->app->scene),
			 .focus = focus};
	struct group groups[MAX_GROUPS] = {0};
	size_t found;
	if (finding)
		p.chosen = schemes_found(t, &found);
	p.items = items_of(t, &t->frame, &p.n);
	const char *const note = finding ? arena_printf(&t->frame, "%zu found", p.n) : "/ find";
	canvas_box(c, r, "Schemes", note, focus);
	if (p.inner.rows < 1 || p.inner.cols < 3)
		return;
	const size_t n = make_groups(&p, groups);
	if (!finding)
		close_groups(&p, groups, n);
	const int at = walk(&p, groups, n, 0, false), all = all_rows(groups, n);
	int first = at - p.inner.rows / 2;
	first = first > all - p.inner.rows ? all - p.inner.rows : first;
	walk(&p, groups, n, first < 0 ? 0 : first, true);
	if (p.n == 0)
		canvas_text(c, p.inner.row, p.inner.col, p.inner.cols, "nothing is called so",
			    ATTR_DIM);
}
