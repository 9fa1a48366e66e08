/* permute.c: the tokens in a row, and moving them by hand.
 *
 * With keys one is under the cursor, perhaps lifted; with the mouse one is dragged. Every step of a
 * lifted token is a command and its picture is shown; the steps of one lift are one entry of the
 * history. */
#include <stdio.h>

#include "strip.h"

/* ---- reading ----------------------------------------------------------------------------- */

void row_init(struct row *r, size_t n, struct arena *a)
{
	*r = (struct row){.n = n,
			  .names = arena_calloc(a, n, sizeof *r->names),
			  .moves = arena_calloc(a, n, sizeof *r->moves),
			  .place = arena_calloc(a, n, sizeof *r->place),
			  .was = arena_calloc(a, n, sizeof *r->was)};
}

/* The row of the user's scene, which may be ahead of the picture. */
static bool row_of_scene(const struct tui *t, struct arena *a, struct row *r)
{
	size_t *order, n;
	struct input in;
	if (!app_order(t->app, a, &order, &n, &in, NULL) ||
	    !input_parse_order(tui_wanted(t)->setup.order, n, order, NULL))
		return false;
	const char **const by_place = arena_calloc(a, in.moving, sizeof *by_place);
	for (size_t i = 0; i < in.n; i++)
		if (!in.tokens[i].special && in.tokens[i].place < in.moving)
			by_place[in.tokens[i].place] = in.tokens[i].label;
	row_init(r, in.n, a);
	long *const token = arena_calloc(a, in.n, sizeof *token);
	for (size_t i = 0; i < in.n; i++) {
		r->moves[i] = !in.tokens[i].special && r->moving < in.moving;
		r->names[i] = in.tokens[i].label;
		token[i] = -1;
		if (!r->moves[i])
			continue;
		r->place[i] = r->moving;
		r->was[i] = order[r->moving++];
		r->names[i] = by_place[r->was[i]] ? by_place[r->was[i]] : "";
		token[i] = (long)r->was[i];
	}
	const struct axis axis = {.n = in.n, .labels = r->names, .token = token};
	r->names = axis_names(&axis, a);
	return true;
}

bool permute_place(const struct tui *t, const struct axis *axis, size_t unit, size_t *place)
{
	const struct built *const b = &t->picture->picture.built;
	if (unit >= axis->n || !axis->token || axis->token[unit] < 0)
		return false;
	/* In a row of tokens without others its own place is the first guess. */
	const size_t was = (size_t)axis->token[unit], n = b->written.moving;
	for (size_t i = 0; i < n; i++) {
		const size_t at = (unit + i) % n;
		if (b->order[at] == was) {
			*place = at;
			return true;
		}
	}
	return false;
}

/* ---- moving ------------------------------------------------------------------------------ */

void permute_open(struct tui *t)
{
	if (t->picture && t->picture->picture.built.keys.n > 0) {
		app_say(t->app,
			"queries stay as they are in their file: its keys are other tokens");
		return;
	}
	t->mode = MODE_PERMUTE;
	t->permute = (struct permute){0};
	t->app->undo_key = NULL;
	tui_dirty(t, 0);
}

bool permute_move(struct tui *t, size_t from, size_t to)
{
	char line[64];
	snprintf(line, sizeof line, "move %zu %zu", from + 1, to + 1);
	return from == to || tui_run_line(t, line);
}

static void go_to(struct tui *t, size_t to, size_t n)
{
	struct permute *const p = &t->permute;
	if (to >= n || to == p->token)
		return;
	if (!p->lifted || permute_move(t, p->token, to))
		p->token = to;
}

/* A lifted token goes back where it was; without one, the mode ends. */
void permute_back(struct tui *t)
{
	struct permute *const p = &t->permute;
	if (!p->lifted) {
		t->mode = MODE_LOOK;
		return;
	}
	p->lifted = false;
	if (!scene_equal(&t->app->scene, &p->before))
		tui_run_line(t, "undo");
	t->app->undo_key = NULL;
}

void permute_lift(struct tui *t)
{
	struct permute *const p = &t->permute;
	p->lifted = !p->lifted;
	p->before = t->app->scene;
	t->app->undo_key = NULL;
}

/* Moves the cursor, with the lifted token if there is one. */
static void go(struct tui *t, enum request where)
{
	struct arena a;
	struct row r;
	const size_t at = t->permute.token;
	arena_init(&a);
	if (row_of_scene(t, &a, &r))
		go_to(t,
		      where == REQUEST_TOKEN_LEFT    ? at - (at > 0)
		      : where == REQUEST_TOKEN_RIGHT ? at + 1
		      : where == REQUEST_TOKEN_FIRST ? 0
						     : r.moving - 1,
		      r.moving);
	arena_release(&a);
}

bool permute_answer(struct tui *t, enum request what)
{
	if (what == REQUEST_BACK)
		permute_back(t);
	else if (what == REQUEST_LIFT)
		permute_lift(t);
	else if (what >= REQUEST_TOKEN_LEFT && what <= REQUEST_TOKEN_LAST)
		go(t, what);
	else
		return false;
	tui_dirty(t, t->dirty ? TUI_SETTLE : 0);
	return true;
}

/* ---- drawing ----------------------------------------------------------------------------- */

static const char *label(const struct strip *d, size_t i)
{
	return tui_unit(d->l->t, d->l->a, d->r->names[i], (size_t)d->most);
}

static int width(const struct strip *d, size_t i)
{
	return (int)text_width(label(d, i)) + STRIP_GAP;
}

static bool fits(const struct strip *d)
{
	int left = d->l->right - d->l->col;
	for (size_t i = 0; i < d->r->n && left >= 0; i++)
		left -= width(d, i);
	return left >= 0;
}

/* The first to show, so that the one under the cursor and, where there is room, the one after it
 * are seen. */
static size_t first_shown(const struct strip *d)
{
	const size_t n = d->r->n;
	size_t first = d->at;
	int used = width(d, d->at) + (d->at + 1 < n ? width(d, d->at + 1) : 0);
	while (first > 0) {
		used += width(d, first - 1);
		if (used > d->l->right - d->l->col - 4)
			break;
		first--;
	}
	return first;
}

static unsigned look(const struct strip *d, size_t i)
{
	if (i == d->at)
		return d->held ? ATTR_ACCENT | ATTR_BOLD | ATTR_REVERSE : ATTR_REVERSE;
	if (i == d->head)
		return ATTR_ACCENT | ATTR_BOLD;
	return d->r->moves[i] ? 0 : ATTR_DIM;
}

static void draw_token(const struct strip *d, size_t i)
{
	struct line *const l = d->l;
	const int from = l->col;
	const char *const form = i == d->at && d->held ? "[%s]" : i == d->head ? "(%s)" : " %s ";
	line_item(l, 0, arena_printf(l->a, form, label(d, i)), look(d, i));
	if (d->hung)
		return;
	struct zone *const z = zone_add(l->t, ZONE_TOKEN, line_since(l, from));
	z->index = i;
	z->place = d->r->moves[i] ? d->r->place[i] : (size_t)-1;
}

/* The unit that is to be seen: the one under the cursor, or that is dragged. */
static size_t unit_of_cursor(const struct tui *t, const struct row *r)
{
	const size_t place = t->drag.on ? t->drag.place : t->permute.token;
	for (size_t i = 0; i < r->n; i++)
		if (r->moves[i] && r->place[i] == place)
			return i;
	return 0;
}

void strip_draw(const struct strip *d)
{
	struct line *const l = d->l;
	const char *const more = l->t->terminal.ascii ? "~" : "…";
	const size_t first = fits(d) ? 0 : first_shown(d);
	if (first > 0) {
		line_item(l, 0, more, ATTR_DIM);
		l->col++;
	}
	for (size_t i = first; i < d->r->n; i++) {
		if (l->col + width(d, i) + (i + 1 < d->r->n ? 2 : 0) > l->right) {
			line_item(l, 0, more, ATTR_DIM);
			return;
		}
		draw_token(d, i);
	}
}

void permute_draw(struct line *l)
{
	struct tui *const t = l->t;
	struct permute *const p = &t->permute;
	struct row r;
	if (!row_of_scene(t, l->a, &r) || r.n == 0)
		return;
	p->token = r.moving == 0 ? 0 : p->token < r.moving ? p->token : r.moving - 1;
	const int room = l->right - l->col;
	const struct strip d = {.l = l,
				.r = &r,
				.held = t->drag.on || p->lifted,
				.at = unit_of_cursor(t, &r),
				.head = r.n,
				.most = room > 8 ? room - 6 : 2};
	strip_draw(&d);
}
