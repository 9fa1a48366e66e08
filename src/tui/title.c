/* title.c: the first line: the views, the scheme, the time; and the menu of views.
 *
 * The present view is named, the others as far as there is room. Where there is too little for the
 * expression all else goes before its name is cut: the time, its parameters, the other views, the
 * program's name, the view. */
#include <string.h>

#include "tui_in.h"

/* Views that have a key of their own; of the others the menu is left, "v". */
enum { NARROW = 60, VIEW_GAP = 2, KEYED = 9 };

static const char brand[] = " posviz ";

/* With the margin behind it. Blank where there is no picture and none is on its way. */
static const char *speed(const struct tui *t, struct arena *a)
{
	if (t->asked == ASKED_CANCELLED)
		return "cancelled ";
	if (tui_computing(t))
		return t->terminal.ascii ? "computing ... " : "computing … ";
	if (!t->picture)
		return " ";
	/* The time has one width, also once rounded and while measures are on their way: the scheme before it
	 * does not move. */
	const double ms = t->picture->seconds * 1000;
	const char *const more = !tui_measuring(t) ? " " : t->terminal.ascii ? "~" : "…";
	return ms < 999.5 ? arena_printf(a, ms < 9.95 ? "%.1f ms%s" : "%3.0f ms%s", ms, more)
			  : arena_printf(a, "%4.1f s%s", ms / 1000, more);
}

/* Columns of view i: its key, its name, the gap before it; what has neither is not there. */
static int view_cols(size_t i, bool named)
{
	const int key = i < KEYED ? 1 : 0, name = named ? (int)text_width(views[i]->title) : 0;
	return key + name == 0 ? 0 : VIEW_GAP + key + (key && name ? 1 : 0) + name;
}

static void draw_view(struct line *l, size_t i, bool here, bool named)
{
	struct arena *const a = l->a;
	const int from = l->col + VIEW_GAP;
	if (i < KEYED)
		line_item(l, VIEW_GAP, arena_printf(a, "%zu", i + 1), ATTR_DIM);
	if (named)
		line_item(l, i < KEYED ? 1 : VIEW_GAP, views[i]->title,
			  here ? ATTR_BOLD | ATTR_ACCENT : 0);
	if (i < KEYED || named)
		zone_add(l->t, ZONE_RUN, line_since(l, from))->command =
			arena_printf(a, "view %s", views[i]->name);
}

/* The key of the menu, where there are views without one of their own. */
static int more_cols(void)
{
	return view_count() > KEYED ? VIEW_GAP + 1 : 0;
}

static void draw_more(struct line *l)
{
	if (more_cols() == 0)
		return;
	const int from = l->col + VIEW_GAP;
	line_item(l, VIEW_GAP, "v", ATTR_DIM);
	zone_add(l->t, ZONE_RUN, line_since(l, from))->command = "views";
}

/* Draws as many names as fit in `room`, of the first views first; the present one in any case. */
static void draw_views(struct line *l, size_t now, int room)
{
	const size_t n = view_count();
	bool named[64] = {false};
	named[now] = true;
	room -= more_cols();
	for (size_t i = 0; i < n; i++)
		room -= view_cols(i, named[i]);
	for (size_t i = 0; i < n; i++) {
		const int more = view_cols(i, true) - view_cols(i, false);
		if (named[i] || room < more)
			continue;
		named[i] = true;
		room -= more;
	}
	for (size_t i = 0; i < n; i++)
		draw_view(l, i, i == now, named[i]);
	draw_more(l);
}

static size_t index_of(const struct scene *scene)
{
	const struct view *const v = view_find(scene->view);
	return v ? view_index(v) : 0;
}

/* Columns of all views with the present one named, or of the present one alone. */
static int least_cols(size_t now, bool all)
{
	int cols = all ? more_cols() : 0;
	for (size_t i = 0; views[i]; i++)
		cols += all || i == now ? view_cols(i, i == now) : 0;
	return cols;
}

/* The expression with all parameters of a member as one sign. */
static const char *without_params(const struct tui *t, const char *text, struct arena *a)
{
	struct strbuf b;
	int depth = 0;
	strbuf_init(&b, a);
	for (const char *at = text; *at; at++) {
		depth -= *at == ')' && depth > 0;
		if (depth == 0)
			strbuf_printf(&b, "%c", *at);
		depth += *at == '(';
		if (*at == '(' && depth == 1)
			strbuf_add(&b, t->terminal.ascii ? "~" : "…");
	}
	return b.at;
}

/* That of all who are compared, where their inputs differ; else NULL. */
static const char *one_scheme(const struct picture *p, struct arena *a)
{
	for (size_t i = 1; i < p->n_compared; i++)
		if (strcmp(p->compared[i].expression, p->compared[0].expression) != 0)
			return NULL;
	return strcmp(p->compared[0].name, expr_brief(p->compared[0].expression, a)) != 0
		       ? expr_brief(p->compared[0].expression, a)
		       : NULL;
}

/* The scheme that is looked at, or all that are compared: "rope | alibi | t5". A term that the view chose
 * is named too. `brief`: without parameters, or how many are compared. */
static const char *scheme_text(const struct tui *t, const struct scene *s, bool brief,
			       struct arena *a)
{
	struct strbuf b;
	if (s->unnamed == UNNAMED_SCHEME)
		return "?";
	const struct picture *const p = t->picture ? &t->picture->picture : NULL;
	const size_t n = p && view_compares(view_of(s), s) ? p->n_compared : 0;
	const char *const one = n > 1 ? one_scheme(p, a) : NULL;
	if (brief && n > 1)
		return one ? arena_printf(a, "%s: %zu inputs", without_params(t, one, a), n)
			   : arena_printf(a, "%zu expressions", n);
	strbuf_init(&b, a);
	if (one)
		strbuf_printf(&b, "%s: ", one);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", i ? " | " : "", p->compared[i].name);
	const char *const name = n < 2 ? scene_name_of(s, NAMED_EXPRESSION, 1, a) : NULL;
	if (name) {
		strbuf_add(&b, name);
	} else if (n < 2) {
		const struct scheme *const own = menu_chosen(s);
		if (own && own->flags & SCHEME_YOURS && own->expression)
			strbuf_printf(&b, "%s: ", own->id);
		strbuf_add(&b, expr_brief(s->setup.scheme, a));
	}
	const char *const text = text_escape(a, b.at, b.len);
	return brief ? without_params(t, text, a) : text;
}

static const char *fitting_scheme(const struct tui *t, const struct scene *s, int room,
				  struct arena *a)
{
	const char *const full = scheme_text(t, s, false, a);
	const char *const text = (int)text_width(full) <= room ? full : scheme_text(t, s, true, a);
	return text_shorten(a, text, room > 1 ? (size_t)room : 1, t->terminal.ascii);
}

/* Parts of the line besides the scheme. */
struct beside {
	bool time, list, brand, view;
};

static int beside_cols(const struct beside *b, size_t now, int time_cols)
{
	const int gap = 2;
	return (b->brand ? (int)sizeof brand - 1 : 0) + (b->view ? least_cols(now, b->list) : 0) +
	       gap + (b->time ? time_cols + 2 : 1);
}

/* Chooses all parts where the expression has room; then as many as its brief form leaves room for. */
static struct beside choose_beside(const struct tui *t, const struct scene *s, size_t now,
				   int time_cols, struct arena *a)
{
	static const struct beside tries[] = {{true, true, true, true},
					      {false, true, true, true},
					      {false, false, true, true},
					      {false, false, false, true},
					      {false, false, false, false}};
	enum { WHOLE = 2, TRIES = sizeof tries / sizeof *tries };
	const int cols = t->terminal.cols;
	const int full = (int)text_width(scheme_text(t, s, false, a));
	const int brief = (int)text_width(scheme_text(t, s, true, a));
	const size_t first = cols < NARROW; /* where no line ever has the time */
	for (size_t i = first; i < WHOLE; i++)
		if (beside_cols(&tries[i], now, time_cols) + full <= cols)
			return tries[i];
	for (size_t i = first; i < TRIES; i++)
		if (beside_cols(&tries[i], now, time_cols) + brief <= cols)
			return tries[i];
	return tries[TRIES - 1];
}

static void draw_usual(struct tui *t, struct line *l)
{
	struct arena *const a = l->a;
	const bool drawn = t->picture && !tour_is_refused(t);
	const struct scene *const s = drawn ? &t->drawn : &t->app->scene;
	const char *const time = speed(t, a);
	const int cols = l->c->cols, time_cols = (int)text_width(time);
	const size_t now = index_of(s);
	const struct beside with = choose_beside(t, s, now, time_cols, a);
	const char *const scheme =
		fitting_scheme(t, s, cols - beside_cols(&with, now, time_cols), a);
	const int right = cols - (with.time ? time_cols + 2 : 1);
	const int at = right - (int)text_width(scheme);
	l->right = at - 2;
	if (with.brand)
		line_item(l, 0, brand, ATTR_REVERSE | ATTR_BOLD);
	if (with.list)
		draw_views(l, now, l->right - l->col);
	else if (with.view)
		draw_view(l, now, true, true);
	canvas_text(l->c, l->row, at, right - at, scheme, ATTR_BOLD);
	zone_add(t, ZONE_RUN, (struct rect){l->row, at, 1, right - at})->command = "find";
	if (with.time)
		canvas_text(l->c, l->row, cols - time_cols, time_cols, time, ATTR_DIM);
}

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	if (l->title.rows == 0)
		return;
	struct line line = {t, c, &t->frame, l->title.row, 0, c->cols};
	draw_usual(t, &line);
}

const struct tui_part part_title = {.draw = draw};

/* ---- the menu ---------------------------------------------------------------------------- */

void views_open(struct tui *t)
{
	t->overlay = OVERLAY_VIEWS;
	t->scroll = index_of(&t->app->scene);
}

void views_choose(struct tui *t, size_t i)
{
	t->overlay = OVERLAY_NONE;
	if (i < view_count())
		tui_run_line(t, arena_printf(&t->frame, "view %s", views[i]->name));
}

bool views_answer(struct tui *t, enum request what)
{
	const size_t n = view_count();
	if (what == REQUEST_BACK)
		t->overlay = OVERLAY_NONE;
	else if (what == REQUEST_ACCEPT)
		views_choose(t, t->scroll);
	else if (what == REQUEST_SCROLL_DOWN || what == REQUEST_SCROLL_UP)
		t->scroll = (t->scroll + n + (what == REQUEST_SCROLL_DOWN ? 1 : -1)) % n;
	else
		return false;
	return true;
}

void views_draw(struct tui *t, struct canvas *c)
{
	struct arena *const a = &t->frame;
	const size_t n = view_count();
	const char **const lines = arena_calloc(a, n, sizeof *lines);
	int wide = 0;
	for (size_t i = 0; i < n; i++) {
		const int cols = (int)text_width(views[i]->title);
		wide = cols > wide ? cols : wide;
	}
	for (size_t i = 0; i < n; i++) {
		const char *const key = i < KEYED ? arena_printf(a, "%zu", i + 1) : " ";
		lines[i] =
			arena_printf(a, "%s %s%*s  %s", key, views[i]->title,
				     wide - (int)text_width(views[i]->title), "", views[i]->help);
	}
	const struct overlay_text text = {.title = "Views", .lines = lines, .n = n, .menu = true};
	draw_overlay(t, c, &text);
}
