/* title.c: the first line: views, the scheme, the time.
 *
 * Which views have a tab depends on the width alone, so each stands in one place whatever the scheme; where there is
 * too little room for the expression the time goes, then its parameters, before its name is cut. */
#include <string.h>

#include "tui_in.h"

enum { NARROW = 60, VIEW_GAP = 2, KEYED = 9 };

/* The tabs by the columns of the screen. If not all names have room beside their keys, those of the first
 * views are shown; a view without a tab stands behind "v", and so its place is the same too. */
const struct tabs tab_rows[] = {
	{160,
	 true,
	 true,
	 {"explore", "terms", "order", "compare", "vectors", "rank", "split", "layers",
	  "relation"}},
	{120, true, true, {"explore", "terms", "order", "compare", "vectors", "rank"}},
	{100, false, true, {"explore", "terms", "order", "compare", "vectors", "rank"}},
	{80, false, true, {"explore", "terms", "order", "compare"}},
	{60, false, true, {"explore", "terms"}},
	{30, false, true, {NULL}},
	{0, false, false, {NULL}},
};

const struct tabs *tabs_at(int cols)
{
	const struct tabs *row = tab_rows;
	while (cols < row->from)
		row++;
	return row;
}

static const char brand[] = " posviz ", more_word[] = "more";

/* With the margin behind it. Blank where there is no picture and none is on its way. */
static const char *speed(const struct tui *t, struct arena *a)
{
	if (t->asked == ASKED_CANCELLED)
		return "cancelled ";
	if (tui_computing(t))
		return t->terminal.ascii ? "computing ... " : "computing … ";
	if (!t->picture)
		return " ";
	/* The time has one width, also once rounded: the scheme before it does not move. */
	const double ms = t->picture->seconds * 1000;
	return ms < 999.5 ? arena_printf(a, ms < 9.95 ? "%.1f ms " : "%3.0f ms ", ms)
			  : arena_printf(a, "%4.1f s ", ms / 1000);
}

/* The longest name of a view, so that the key of the menu has one width. */
static int name_cols(void)
{
	int cols = (int)text_width(more_word);
	for (size_t i = 0; views[i]; i++)
		if ((int)text_width(views[i]->title) > cols)
			cols = (int)text_width(views[i]->title);
	return cols;
}

static void draw_tab(struct line *l, int gap, const char *key, const char *name, bool here,
		     const char *command)
{
	const int from = l->col + gap;
	line_item(l, gap, key, ATTR_DIM);
	line_item(l, 1, name, here ? ATTR_BOLD | ATTR_ACCENT : 0);
	zone_add(l->t, ZONE_RUN, line_since(l, from))->command = command;
}

/* Draws the views that the width has, and behind them the key of the menu with the present view if it is none
 * of these. */
static void draw_tabs(struct line *l, const struct tabs *row, const struct view *now)
{
	struct arena *const a = l->a;
	bool named = false;
	int gap = row->brand ? VIEW_GAP : 1;
	for (size_t i = 0; row->name[i]; i++, gap = VIEW_GAP) {
		const struct view *const v = view_find(row->name[i]);
		const size_t at = view_index(v);
		named |= v == now;
		draw_tab(l, gap, at < KEYED ? arena_printf(a, "%zu", at + 1) : "", v->title,
			 v == now, arena_printf(a, "view %s", v->name));
	}
	const int end = l->col + gap + 2 + name_cols();
	if (row->more)
		draw_tab(l, gap, "v", named ? more_word : now->title, !named, "views");
	l->col = row->more ? end : l->col;
}

/* Columns of the brand and of the tabs. */
static int tabs_cols(const struct tabs *row)
{
	int cols = row->brand ? (int)sizeof brand - 1 + VIEW_GAP : 1;
	for (size_t i = 0; row->name[i]; i++)
		cols += 2 + (int)text_width(view_find(row->name[i])->title) + VIEW_GAP;
	return row->more ? cols + 2 + name_cols() : cols;
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

/* How much of the expression is said. */
enum form { WHOLE, BRIEF, LEAST };

/* Several: "rope | alibi | t5", "rope | 2 others", "3 expressions". */
static const char *compared_text(const struct tui *t, const struct picture *p, enum form form,
				 struct arena *a)
{
	const char *const one = one_scheme(p, a);
	const size_t n = p->n_compared;
	struct strbuf b;
	if (form != WHOLE && one)
		return arena_printf(a, "%s: %zu inputs", without_params(t, one, a), n);
	if (form == LEAST)
		return arena_printf(a, "%zu expressions", n);
	if (form == BRIEF)
		return arena_printf(a, "%s | %zu other%s",
				    without_params(t, p->compared[0].name, a), n - 1,
				    n > 2 ? "s" : "");
	strbuf_init(&b, a);
	if (one)
		strbuf_printf(&b, "%s: ", one);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", i ? " | " : "", p->compared[i].name);
	return b.at;
}

/* One: BRIEF is without parameters. A term that the view chose is named too. */
static const char *single_text(const struct tui *t, const struct scene *s, enum form form,
			       struct arena *a)
{
	const char *const name = scene_name_of(s, NAMED_EXPRESSION, 1, a);
	const struct scheme *const own = menu_chosen(s);
	const char *const brief = expr_brief(setup_with_batch(&s->setup, s->setup.scheme, a), a);
	const bool yours = own && own->flags & SCHEME_YOURS && own->expression;
	const char *const text = name	 ? name
				 : yours ? arena_printf(a, "%s: %s", own->id, brief)
					 : brief;
	return form == WHOLE ? text : without_params(t, text, a);
}

static const char *scheme_text(const struct tui *t, const struct scene *s, enum form form,
			       struct arena *a)
{
	if (s->unnamed == UNNAMED_SCHEME)
		return "?";
	/* A figure of a source has its own schemes: its name tells more than the scene's. */
	if (view_of(s)->own)
		return s->figure;
	const struct picture *const p = t->picture ? &t->picture->picture : NULL;
	const bool several = p && view_compares(view_of(s), s) && p->n_compared > 1;
	const char *const text =
		several ? compared_text(t, p, form, a) : single_text(t, s, form, a);
	return text_escape(a, text, strlen(text));
}

static int scheme_cols(const struct tui *t, const struct scene *s, enum form form, struct arena *a)
{
	return (int)text_width(scheme_text(t, s, form, a));
}

static const char *fitting_scheme(const struct tui *t, const struct scene *s, int room,
				  struct arena *a)
{
	enum form form = WHOLE;
	while (form < LEAST && scheme_cols(t, s, form, a) > room)
		form++;
	return text_shorten(a, scheme_text(t, s, form, a), room > 1 ? (size_t)room : 1,
			    t->terminal.ascii);
}

/* The time goes before the expression loses its parameters, and stays where it has lost them anyway. */
static bool has_time(const struct tui *t, const struct scene *s, int room, int time_cols,
		     struct arena *a)
{
	const int full = scheme_cols(t, s, WHOLE, a), brief = scheme_cols(t, s, BRIEF, a);
	return t->terminal.cols >= NARROW &&
	       (full + time_cols + 1 <= room || (full > room && brief + time_cols + 1 <= room));
}

static void draw_usual(struct tui *t, struct line *l)
{
	struct arena *const a = l->a;
	const bool drawn = t->picture && !tour_is_refused(t);
	const struct scene *const s = drawn ? &t->drawn : &t->app->scene;
	const char *const time = speed(t, a);
	const int cols = l->c->cols, time_cols = (int)text_width(time);
	const struct tabs *const row = tabs_at(cols);
	const int room = cols - tabs_cols(row) - VIEW_GAP - 1;
	const bool timed = has_time(t, s, room, time_cols, a);
	const char *const scheme = fitting_scheme(t, s, room - (timed ? time_cols + 1 : 0), a);
	const int right = cols - (timed ? time_cols + 2 : 1);
	const int at = right - (int)text_width(scheme);
	if (row->brand)
		line_item(l, 0, brand, ATTR_REVERSE | ATTR_BOLD);
	draw_tabs(l, row, view_of(s));
	canvas_text(l->c, l->row, at, right - at, scheme, ATTR_BOLD);
	zone_add(t, ZONE_RUN, (struct rect){l->row, at, 1, right - at})->command = "find";
	if (timed)
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
