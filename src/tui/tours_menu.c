/* tours_menu.c: the list of tours, and of the steps of one: what t opens. */
#include <string.h>

#include "tui_in.h"
#include "posviz/tour/tour_run.h"

enum { MOST = TOUR_STEPS + TOUR_PARTS, STEPS_FROM = 56, ABOUT_FROM = 110 };

/* A row of the menu: a tour, one that goes on where it was left, a step, or a part of a lecture. */
struct choice {
	const char *text;
	bool heading;
	const char *name;	      /* of a tour; NULL: of the present one it is */
	size_t step;		      /* from 1; 0: the first of the tour */
	const struct tour_left *left; /* where it goes on; NULL */
};

struct choices {
	struct tui *t;
	struct choice *at;
	size_t n, chosen;
	int widest; /* title of a tour */
};

static void add(struct choices *r, const char *text, bool heading, const char *name, size_t step)
{
	if (r->n < MOST)
		r->at[r->n++] = (struct choice){text, heading, name, step, NULL};
}

/* ---- steps ------------------------------------------------------------------------------------ */

static void add_steps(struct choices *r)
{
	struct arena *const a = &r->t->frame;
	const struct tour_run *const run = &r->t->tour.run;
	const struct tour *const tour = run->tour;
	const char *const here = r->t->terminal.ascii ? ">" : "▸";
	for (size_t i = 0; i < tour->n_steps; i++) {
		const struct tour_step *const s = &tour->steps[i];
		const struct tour_part *const part = &tour->parts[s->part];
		const bool now = i == tour_now(run)->step;
		if (tour->n_parts > 1 && i == part->first)
			add(r, part->title, true, NULL, i + 1);
		const char *const time = s->seconds > 0 ? tour_time(s->seconds, a) : "";
		r->chosen = now ? r->n : r->chosen;
		add(r, arena_printf(a, "%s %2zu  %5s  %s", now ? here : " ", i + 1, time, s->title),
		    false, NULL, i + 1);
	}
}

/* ---- tours ------------------------------------------------------------------------------------ */

static const struct tour_left *left_of(const struct touring *g, const char *name)
{
	for (size_t i = 0; i < g->n_left; i++)
		if (strcmp(g->left[i].name, name) == 0)
			return &g->left[i];
	return NULL;
}

/* Below a tour that was left, where it goes on; the one that was left last is chosen. */
static void add_left(struct choices *r, const struct tour_left *left)
{
	if (!left)
		return;
	r->chosen = left == r->t->tour.left ? r->n : r->chosen;
	add(r,
	    arena_printf(&r->t->frame, "         go on at %zu/%zu, %s  %s", left->number,
			 left->steps, tour_time((double)(long)left->elapsed, &r->t->frame),
			 left->step),
	    false, left->name, left->number);
	r->at[r->n - 1].left = left;
}

static void add_tour(struct choices *r, const char *name, const char *title, size_t steps,
		     double seconds, const char *about)
{
	struct arena *const a = &r->t->frame;
	const struct tour *const now = r->t->tour.run.tour;
	const char *const mark = r->t->terminal.ascii ? ">" : "▸";
	const bool here = now && strcmp(now->path ? now->path : now->name, name) == 0;
	const int pad = r->widest - (int)text_width(title);
	const struct tour_left *const left = left_of(&r->t->tour, name);
	const bool last = here || (!now && left && left == r->t->tour.left);
	r->chosen = last ? r->n : r->chosen;
	const char *const n =
		r->t->terminal.cols >= STEPS_FROM ? arena_printf(a, "%2zu steps  ", steps) : "";
	const char *const line =
		arena_printf(a, "%s %3.0f min  %s%s", here ? mark : " ", seconds / 60, n, title);
	add(r,
	    r->t->terminal.cols < ABOUT_FROM
		    ? line
		    : arena_printf(a, "%s%*s  %s", line, pad > 0 ? pad : 0, "", about),
	    false, name, 0);
	add_left(r, here ? NULL : left);
}

const struct tour_name *tours_ours(const struct tui *t, size_t *n)
{
	struct tours_list *const l = t->tour.list;
	if (l->n == 0)
		l->ours = tours_all(&l->arena, &l->n);
	*n = l->n;
	return l->ours;
}

static bool is_among(const char *name, const struct tour_name *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i].name, name) == 0)
			return true;
	return false;
}

/* Ours; then the files that were shown. */
static void add_tours(struct choices *r)
{
	struct touring *const g = &r->t->tour;
	size_t n;
	const struct tour_name *const ours = tours_ours(r->t, &n);
	for (size_t i = 0; i < n; i++) {
		const int width = (int)text_width(ours[i].title);
		r->widest = width > r->widest ? width : r->widest;
	}
	for (size_t i = 0; i < n; i++)
		add_tour(r, ours[i].name, ours[i].title, ours[i].steps, ours[i].seconds,
			 ours[i].about);
	for (size_t i = 0; i < g->n_left; i++)
		if (!is_among(g->left[i].name, ours, n) && *g->left[i].name == '/')
			add_tour(r, g->left[i].name, g->left[i].title, g->left[i].steps,
				 g->left[i].seconds, g->left[i].name);
}

static struct choices rows_of(struct tui *t)
{
	struct choices r = {.t = t, .at = arena_calloc(&t->frame, MOST, sizeof *r.at)};
	if (t->tour.choosing_tour)
		add_tours(&r);
	else
		add_steps(&r);
	return r;
}

/* ---- the menu --------------------------------------------------------------------------------- */

static void show(struct tui *t, bool tours)
{
	t->tour.choosing_tour = tours;
	t->overlay = OVERLAY_TOURS;
	t->scroll = rows_of(t).chosen;
	tui_dirty(t, 0);
}

void tours_open(struct tui *t)
{
	box_close(t);
	show(t, !touring(t));
}

void tours_choose(struct tui *t, size_t i)
{
	const struct choices r = rows_of(t);
	t->overlay = OVERLAY_NONE;
	if (i >= r.n)
		return;
	if (r.at[i].left)
		tour_go_on(t, r.at[i].left);
	else if (r.at[i].name)
		tour_choose(t, r.at[i].name, r.at[i].step);
	else
		tour_jump(t, t->tour.run.tour->steps[r.at[i].step - 1].first);
}

static void scroll(struct tui *t, enum request what)
{
	const size_t n = rows_of(t).n;
	const size_t page = t->terminal.rows > 12 ? (size_t)t->terminal.rows - 6 : 4;
	const size_t last = n - 1;
	if (what == REQUEST_SCROLL_UP)
		t->scroll = t->scroll > 0 ? t->scroll - 1 : last;
	else if (what == REQUEST_SCROLL_DOWN)
		t->scroll = t->scroll < last ? t->scroll + 1 : 0;
	else if (what == REQUEST_PAGE_UP)
		t->scroll -= t->scroll < page ? t->scroll : page;
	else if (what == REQUEST_PAGE_DOWN)
		t->scroll = t->scroll + page < last ? t->scroll + page : last;
	else
		t->scroll = what == REQUEST_SCROLL_TOP ? 0 : last;
}

bool tours_answer(struct tui *t, enum request what)
{
	if (what == REQUEST_BACK)
		t->overlay = OVERLAY_NONE;
	else if (what == REQUEST_ACCEPT)
		tours_choose(t, t->scroll);
	else if (what == REQUEST_TOUR && !t->app->request_text)
		show(t, !touring(t) || !t->tour.choosing_tour);
	else if (what >= REQUEST_SCROLL_UP && what <= REQUEST_SCROLL_BOTTOM)
		scroll(t, what);
	else
		return false;
	return true;
}

void tours_draw(struct tui *t, struct canvas *c)
{
	struct arena *const a = &t->frame;
	const struct choices r = rows_of(t);
	const char **const lines = arena_calloc(a, r.n + 1, sizeof *lines);
	bool *const bold = arena_calloc(a, r.n + 1, sizeof *bold);
	for (size_t i = 0; i < r.n; i++) {
		lines[i] = t->terminal.ascii ? canvas_plain_text(a, r.at[i].text) : r.at[i].text;
		bold[i] = r.at[i].heading;
	}
	const struct overlay_text text = {.title = t->tour.choosing_tour ? "Tours"
									 : t->tour.run.tour->title,
					  .lines = lines,
					  .bold = bold,
					  .n = r.n,
					  .menu = true};
	draw_overlay(t, c, &text);
}
