/* loop.c: the event loop: keys, signals, results, and when to draw.
 *
 * A change is drawn when its picture is there, but after a few milliseconds at the latest; so small
 * inputs never flicker and large ones say that they are computing. Frames are left out while the
 * terminal has not taken the last one. Nothing runs while nothing happens. */
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tui_in.h"

enum { PENDING_BYTES = 4096, EMPTY_READS = 16 };
static const double retry = 0.012;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void tui_dirty(struct tui *t, double wait)
{
	const double at = now() + wait;
	if (!t->dirty || at < t->draw_at)
		t->draw_at = at;
	t->dirty = true;
}

void tui_complain(struct tui *t, const struct err *err)
{
	snprintf(t->app->message, sizeof t->app->message, "%s", err->text);
	t->app->message_is_error = true;
	tui_dirty(t, 0);
}

/* ---- pictures ---------------------------------------------------------------------------- */

void tui_submit(struct tui *t)
{
	worker_submit(t->worker, &t->app->scene);
	tui_dirty(t, TUI_SETTLE);
}

static bool measures_fit(const struct tui *t)
{
	return t->measures && t->measures->ok &&
	       setup_equal(&t->measures->scene.setup, &t->drawn.setup);
}

/* What commands may know of the screen. */
static void tell_app(struct tui *t)
{
	struct shown *const s = &t->app->shown;
	const struct picture *const p = &t->picture->picture;
	const struct panel *const focus =
		&p->figure.panels[t->app->pane < p->figure.n ? t->app->pane : 0];
	*s = (struct shown){.rows = p->trace.query.n,
			    .cols = p->trace.key.n,
			    .layers = p->trace.n_layers,
			    .scene = &t->drawn,
			    .picture = p,
			    .measures = measures_fit(t) ? &t->measures->measures : NULL};
	s->panes = p->figure.n + layout_has_list(t);
	if (focus->kind == PANEL_HEATMAP && !focus->absent)
		scale_limits(&focus->heatmap.scale, &s->lo, &s->hi);
}

void tui_refigure(struct tui *t)
{
	struct app *const app = t->app;
	if (!t->picture || !app_same_numbers(&app->scene, &t->picture->scene))
		return; /* a picture of it is on its way */
	struct arena *const arena = &t->figures[t->figure_at ^= 1];
	const struct figure kept = t->picture->picture.figure;
	struct err err;
	arena_clear(arena);
	const bool dark =
		app->scene.theme == THEME_AUTO ? t->terminal.dark : app->scene.theme == THEME_DARK;
	t->drawn = app->scene;
	const bool there = t->measures && t->measures->ok;
	if (!picture_redraw(&t->drawn, there ? &t->measures->measures : NULL,
			    there && !measures_fit(t), dark, arena, &t->picture->picture, &err)) {
		t->picture->picture.figure = kept;
		t->figure_at ^= 1;
		tui_complain(t, &err);
	}
	tell_app(t);
	tui_dirty(t, 0);
}

/* The cursor stands on a cell that exists, in the beginning a little off the middle. */
static void place_cursor(struct tui *t)
{
	struct scene *const s = &t->app->scene;
	const long rows = (long)t->picture->picture.trace.query.n;
	const long cols = (long)t->picture->picture.trace.key.n;
	if (!t->placed && s->row == 0 && s->col == 0) {
		s->row = 1 + rows * 5 / 9;
		s->col = cols > 1 ? 2 : 1;
	}
	t->placed = true;
	s->row = s->row > rows ? rows : s->row;
	s->col = s->col > cols ? cols : s->col;
}

static void take_picture(struct tui *t, struct result *r)
{
	if (!r->ok) {
		t->trouble = r->err;
		tui_dirty(t, 0);
		return;
	}
	t->trouble.text[0] = '\0';
	t->picture = r;
	t->drawn = r->scene;
	place_cursor(t);
	/* Of a scene that is not the newest any more: shown as it is until that one comes. */
	if (!app_same_numbers(&t->app->scene, &r->scene))
		tell_app(t);
	tui_refigure(t);
	tui_dirty(t, 0);
}

static void take_results(struct tui *t)
{
	uint64_t count;
	const ssize_t got = read(worker_fd(t->worker), &count, sizeof count);
	(void)got;
	struct result *r = worker_take(t->worker, RESULT_PICTURE);
	if (r)
		take_picture(t, r);
	r = worker_take(t->worker, RESULT_MEASURES);
	if (r) {
		t->measures = r;
		tui_refigure(t);
	}
	r = worker_take(t->worker, RESULT_WHY);
	if (r) {
		t->why = r;
		tui_dirty(t, 0);
	}
}

/* ---- commands ---------------------------------------------------------------------------- */

void tui_react(struct tui *t, unsigned reactions)
{
	if (reactions & REACT_QUIT)
		t->quit = true;
	if (reactions & REACT_COMPUTE)
		tui_submit(t);
	else if (reactions & (REACT_FIGURE | REACT_LAYOUT))
		tui_refigure(t);
	tui_dirty(t, reactions & REACT_COMPUTE ? TUI_SETTLE : 0);
}

/* Standard input is the keyboard: reading a text from it would take the keys away. */
static bool is_keyboard(const char *file, struct err *err)
{
	if (strcmp(file, "-") != 0)
		return false;
	err_set(err, "standard input is the keyboard here; name a file");
	return true;
}

static bool asks_for_keyboard(const char *line, struct err *err)
{
	static const char command[] = "file ";
	line += strspn(line, " ");
	if (strncmp(line, command, sizeof command - 1) != 0)
		return false;
	line += sizeof command - 1;
	return is_keyboard(line + strspn(line, " "), err);
}

bool tui_run_line(struct tui *t, const char *line)
{
	unsigned reactions;
	struct err err;
	const bool ok =
		!asks_for_keyboard(line, &err) && app_command(t->app, line, &reactions, &err);
	if (ok)
		tui_react(t, reactions);
	else
		tui_complain(t, &err);
	return ok;
}

/* ---- events ------------------------------------------------------------------------------ */

static void leave(struct tui *t, int code)
{
	t->quit = true;
	t->code = code;
}

static void take_signals(struct tui *t)
{
	for (int number; (number = terminal_signal(&t->terminal)) != 0;) {
		switch (number) {
		case SIGWINCH:
			terminal_resize(&t->terminal, false);
			if (t->picture)
				tell_app(t);
			tui_dirty(t, 0);
			break;
		case SIGTSTP:
			terminal_suspend(&t->terminal);
			tui_dirty(t, 0);
			break;
		case SIGCONT:
			terminal_resize(&t->terminal, true);
			tui_dirty(t, 0);
			break;
		default:
			leave(t, 128 + number);
		}
	}
}

/* All keys that wait; the number of them. */
static size_t take_keys(struct tui *t)
{
	struct key key;
	size_t n = 0;
	for (; !t->quit && terminal_key(&t->terminal, &key); n++)
		tui_key(t, &key);
	return n;
}

static void draw_if_due(struct tui *t)
{
	if (!t->dirty || now() < t->draw_at)
		return;
	if (terminal_pending() > PENDING_BYTES) {
		t->draw_at = now() + retry;
		return;
	}
	t->dirty = false;
	tui_draw(t);
}

/* Milliseconds until something is to be drawn; -1: nothing is. */
static int patience(const struct tui *t)
{
	if (!t->dirty)
		return -1;
	const double wait = t->draw_at - now();
	return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

static void loop(struct tui *t)
{
	size_t empty = 0;
	while (!t->quit) {
		struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				       {.fd = t->terminal.signals, .events = POLLIN},
				       {.fd = worker_fd(t->worker), .events = POLLIN}};
		const int ready = poll(fds, 3, patience(t));
		take_signals(t);
		if (ready > 0 && fds[2].revents)
			take_results(t);
		if (ready > 0 && fds[0].revents & POLLIN)
			empty = take_keys(t) > 0 ? 0 : empty + 1;
		/* A terminal that is gone is readable for ever and has nothing to say. */
		if (!t->quit && ready > 0 &&
		    (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) || empty > EMPTY_READS))
			leave(t, 128 + SIGHUP);
		if (!t->quit)
			draw_if_due(t);
	}
}

int tui_run(struct app *app, const struct tui_options *options, struct err *err)
{
	struct tui *const t = arena_calloc(&app->arena, 1, sizeof *t);
	err->text[0] = '\0';
	if (is_keyboard(app->scene.setup.file, err))
		return 2;
	t->app = app;
	if (!terminal_open(&t->terminal, options, err))
		return 2;
	arena_init(&t->frame);
	arena_init(&t->figures[0]);
	arena_init(&t->figures[1]);
	t->worker = worker_new(t->terminal.dark);
	tui_submit(t);
	loop(t);
	/* The terminal first: an evaluation may take a moment to notice that it is over. */
	terminal_close(&t->terminal);
	worker_free(t->worker);
	app->shown = (struct shown){0};
	arena_release(&t->frame);
	arena_release(&t->figures[0]);
	arena_release(&t->figures[1]);
	return t->code;
}
