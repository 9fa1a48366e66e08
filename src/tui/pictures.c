/* pictures.c: the picture of the scene: asked of the worker, taken from it, and its figure made anew when the scene is
 * looked at in another way. */
#include <poll.h>
#include <unistd.h>

#include "posviz/plot/panel.h"
#include "tui_in.h"

void tui_submit(struct tui *t)
{
	motion_end(t);
	if (motion_walk(t))
		return;
	t->asked = ASKED_AWAITED;
	t->unmeasured = false;
	worker_submit(t->worker, &t->app->scene);
	tui_dirty(t, TUI_SETTLE);
}

bool tui_measured(const struct tui *t)
{
	return t->measures && t->measures->ok &&
	       setup_equal(&t->measures->scene.setup, &t->drawn.setup);
}

enum background tui_background(const struct tui *t)
{
	const int theme = t->app->scene.theme;
	return theme == THEME_AUTO ? t->terminal.background : (enum background)theme;
}

bool tui_computing(const struct tui *t)
{
	return t->asked == ASKED_AWAITED &&
	       !(t->picture && app_same_numbers(tui_wanted(t), &t->picture->scene));
}

bool tui_cancel(struct tui *t)
{
	if (reading_give_up(t))
		return true;
	const bool picture = tui_computing(t);
	if (!picture && !tui_measuring(t))
		return false;
	worker_cancel(t->worker);
	t->unmeasured = true;
	if (picture)
		t->asked = ASKED_CANCELLED;
	else
		app_say(t->app, "measuring was given up; the next change begins it again");
	tui_refigure(t, FIGURE_MOVED);
	return true;
}

/* Tells commands what they may know of the screen. */
void pictures_tell_app(struct tui *t)
{
	struct shown *const s = &t->app->shown;
	if (!t->picture)
		return;
	const struct picture *const p = &t->picture->picture;
	const struct panel *const focus =
		&p->figure.panels[t->app->pane < p->figure.n ? t->app->pane : 0];
	*s = (struct shown){.rows = p->trace.query.n,
			    .cols = p->trace.key.n,
			    .page_rows = t->page_rows,
			    .page_cols = t->page_cols,
			    .layers = p->trace.n_layers,
			    .term = focus->term,
			    .scene = &t->drawn,
			    .picture = p,
			    .measures = tui_measured(t) ? &t->measures->measures : NULL};
	s->panes = p->figure.n + layout_has_list(t);
	const bool several = focus->kind == PANEL_MULTIPLES && focus->multiples.n > 0;
	if ((panel_is_map(focus) || several) && !focus->absent) {
		const struct scale *const scale =
			several ? &focus->multiples.items[0].map.scale : &focus->heatmap.scale;
		scale_limits(scale, &s->lo, &s->hi);
		s->scale = (int)scale->mode;
		s->linear = scale->linear;
	}
}

/* Made when it is drawn: of many keys typed ahead only the last one's figure is seen. */
void tui_refigure(struct tui *t, enum figure_state state)
{
	t->figure = state > t->figure ? state : t->figure;
	tui_dirty(t, 0);
}

/* A figure whose cursor alone moved need not be made again. */
static bool move_cursor(struct tui *t)
{
	struct scene still = *tui_wanted(t);
	still.row = t->drawn.row;
	still.col = t->drawn.col;
	if (t->figure == FIGURE_WRONG || !scene_equal(&still, &t->drawn) ||
	    !picture_cursor(tui_wanted(t), &t->picture->picture))
		return false;
	t->drawn = *tui_wanted(t);
	return true;
}

static void make_figure(struct tui *t, const struct scene *scene)
{
	struct arena *const arena = &t->figures[t->figure_at ^= 1];
	const bool there = t->measures && t->measures->ok;
	arena_clear(arena);
	t->drawn = *scene;
	struct err err;
	if (!picture_redraw(scene, there ? &t->measures->measures : NULL, there && !tui_measured(t),
			    tui_background(t), arena, &t->picture->picture, &err))
		tui_complain(t, &err);
	else {
		tour_figure(t, scene);
		guide_figure(t, scene);
	}
	motion_figure(t);
}

/* A picture with other numbers is on its way already. */
void pictures_refresh(struct tui *t)
{
	const struct scene *const s = tui_wanted(t);
	if (t->figure == FIGURE_RIGHT || !t->picture || !app_same_numbers(s, &t->picture->scene))
		return;
	tour_cursor(t);
	if (!move_cursor(t))
		make_figure(t, s);
	t->figure = FIGURE_RIGHT;
}

/* The cursor stands on a cell that exists, in the beginning a little off the middle. Which ones do no picture
 * of the scene before can tell. */
static void place_cursor(struct tui *t)
{
	struct scene *const s = &t->app->scene;
	if (view_of(s)->rows || !app_same_numbers(s, &t->picture->scene))
		return; /* of all schemes: these are no tokens */
	const size_t rows = t->picture->picture.trace.query.n;
	const size_t cols = t->picture->picture.trace.key.n;
	tour_cursor(t);
	if (!t->placed && !touring(t) && s->row == 0 && s->col == 0)
		picture_first_cell(s, &t->picture->picture, &s->row, &s->col);
	t->placed = t->placed || !touring(t);
	view_settle_cell(s, rows, cols);
}

/* Says once what of given files nobody takes. */
static void tell_note(struct tui *t, const struct built *b)
{
	const char *const note = scene_intern(b->note ? b->note : "");
	if (*note && note != t->noted)
		app_say(t->app, "%s", note);
	t->noted = note;
}

static void take_picture(struct tui *t, struct result *r)
{
	/* There may still be a picture of the scene before. */
	const struct scene *const wanted = tui_wanted(t);
	const bool newest = app_same_numbers(wanted, &r->scene);
	if (newest)
		t->asked = ASKED_ANSWERED;
	if (!r->ok) {
		t->trouble = r->err;
		if (!motion_keeps(t))
			tui_dirty(t, 0);
		return;
	}
	t->trouble.text[0] = '\0';
	t->picture = r;
	tell_note(t, &r->picture.built);
	place_cursor(t);
	if (newest) { /* of a cell that was not chosen, or is not there, it has the one that is */
		r->scene.row = wanted->row;
		r->scene.col = wanted->col;
	}
	make_figure(t, newest ? wanted : &r->scene);
	t->figure = FIGURE_RIGHT;
	pictures_tell_app(t);
	if (!motion_keeps(t))
		tui_dirty(t, 0);
}

static void take_measures(struct tui *t, struct result *r)
{
	t->unmeasured = !r->ok; /* then those of the setup before stay, dim */
	t->measures = r->ok || !t->measures ? r : t->measures;
	tui_refigure(t, FIGURE_WRONG);
}

/* ---- the worker -------------------------------------------------------------------------- */

static void open(struct tui *t)
{
	arena_init(&t->figures[0]);
	arena_init(&t->figures[1]);
	t->worker = worker_new();
}

static void gone(struct tui *t)
{
	worker_free(t->worker);
	t->app->shown = (struct shown){0};
	arena_release(&t->figures[0]);
	arena_release(&t->figures[1]);
}

static size_t poll_worker(const struct tui *t, struct pollfd *fds)
{
	fds[0] = (struct pollfd){.fd = worker_fd(t->worker), .events = POLLIN};
	return 1;
}

/* The bell rings for results of every kind; those of other parts are taken by these, in the same turn. */
static void serve(struct tui *t, const struct pollfd *fds, size_t n)
{
	char rung[64];
	(void)n;
	if (!fds[0].revents)
		return;
	const ssize_t got = read(worker_fd(t->worker), rung, sizeof rung);
	(void)got;
	struct result *r = worker_take(t->worker, RESULT_PICTURE);
	if (r)
		take_picture(t, r);
	r = worker_take(t->worker, RESULT_MEASURES);
	if (r)
		take_measures(t, r);
}

const struct tui_part part_pictures = {.at = {[PART_OPEN] = open, [PART_GONE] = gone},
				       .n_fds = 1,
				       .poll = poll_worker,
				       .serve = serve,
				       .draw = pictures_draw};
