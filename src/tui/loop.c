/* loop.c: the event loop: keys, signals, results, and when to draw.
 *
 * A change is drawn when its picture is there, but after a few milliseconds at the latest; so small
 * inputs never flicker and large ones say that they are computing. Frames are left out while the
 * terminal has not taken the last one. Nothing runs while nothing happens. */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "posviz/math/machine.h"
#include "tui_in.h"
#include "posviz/plot/panel.h"

enum { PENDING_BYTES = 4096, EMPTY_READS = 16 };
static const double retry = 0.012;
/* A frame that takes long, to make or to send, comes 30 times a second at most. */
static const double long_frame = 0.016, frame_rest = 1.0 / 30;

void tui_dirty(struct tui *t, double wait)
{
	const double at = machine_seconds() + wait;
	if (!t->dirty || at < t->draw_at)
		t->draw_at = at;
	t->dirty = true;
}

void tui_again(struct tui *t, double wait)
{
	t->again_at = fmin(t->again_at, machine_seconds() + wait);
}

void tui_complain(struct tui *t, const struct err *err)
{
	snprintf(t->app->message, sizeof t->app->message, "%s", err->text);
	t->app->message_is_error = true;
	tui_dirty(t, 0);
}

static void end(struct tui *t)
{
	t->life = t->life == LIFE_FINISHING ? LIFE_FINISHED : LIFE_LEFT;
}

/* ---- pictures ---------------------------------------------------------------------------- */

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

/* What commands may know of the screen. */
static void tell_app(struct tui *t)
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

/* Where the cursor moved and nothing else, the figure need not be made again. */
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
	else
		tour_figure(t, scene);
	motion_figure(t);
}

/* Where the numbers are others a picture of them is on its way. */
static void update_figure(struct tui *t)
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
		view_first_cell(rows, cols, &s->row, &s->col);
	t->placed = t->placed || !touring(t);
	view_settle_cell(s, rows, cols);
}

/* What nobody takes of given files, once. */
static void tell_note(struct tui *t, const struct built *b)
{
	const char *const note = scene_intern(b->note ? b->note : "");
	if (*note && note != t->noted)
		app_say(t->app, "%s", note);
	t->noted = note;
}

static void take_picture(struct tui *t, struct result *r)
{
	/* Of the scene before there may still be one. */
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
	tell_app(t);
	if (!motion_keeps(t))
		tui_dirty(t, 0);
}

/* "in DIR" where the name alone does not say it. */
static void take_file(struct tui *t, const struct result *r)
{
	if (r->ok)
		app_say(t->app, "%s", r->said);
	else
		tui_complain(t, &r->err);
	tui_dirty(t, 0);
}

static void take_results(struct tui *t)
{
	char rung[64];
	const ssize_t got = read(worker_fd(t->worker), rung, sizeof rung);
	(void)got;
	struct result *r = worker_take(t->worker, RESULT_PICTURE);
	if (r)
		take_picture(t, r);
	r = worker_take(t->worker, RESULT_MEASURES);
	if (r) {
		t->unmeasured = !r->ok; /* then those of the setup before stay, dim */
		t->measures = r->ok || !t->measures ? r : t->measures;
		tui_refigure(t, FIGURE_WRONG);
	}
	r = worker_take(t->worker, RESULT_CURVES);
	if (r) {
		t->curves = r;
		tui_dirty(t, 0);
	}
	while ((r = worker_take(t->worker, RESULT_WRITE)) != NULL)
		take_file(t, r);
	page_take(t);
	if (t->life == LIFE_FINISHING && worker_writes(t->worker) == 0)
		end(t);
}

/* ---- commands ---------------------------------------------------------------------------- */

static bool write_one(struct tui *t, const struct scene *scene, const char *path)
{
	struct write_look look = {.cols = t->terminal.cols,
				  .rows = t->terminal.rows,
				  .tier = t->terminal.tier,
				  .ascii = t->terminal.ascii};
	tour_place(t, &look);
	if (worker_submit_write(t->worker, scene, path, &look))
		return true;
	struct err err;
	err_set(&err, "%d files wait to be written; ask again when one is done", WORKER_WRITES);
	tui_complain(t, &err);
	return false;
}

/* Those of a script, then what the command itself asked for. */
static void start_write(struct tui *t)
{
	struct app *const app = t->app;
	const char *const path = app->write, *const dots = t->terminal.ascii ? "..." : "…";
	const size_t n = app->n_later;
	char shown[80] = "a snapshot";
	bool ok = true;
	app->write = NULL;
	app->n_later = 0;
	for (size_t i = 0; i < n && ok; i++)
		ok = write_one(t, &app->later[i].scene, app->later[i].path);
	if (ok && n > 0)
		app_say(app, "writing %zu file%s %s", n, n == 1 ? "" : "s", dots);
	const struct scene seen = app_seen(app);
	if (!ok || !path || !write_one(t, &seen, path))
		return;
	if (*path)
		text_quote_buf(shown, sizeof shown, path, strlen(path));
	app_say(app, "writing %s %s", shown, dots);
}

/* Colours are part of how curses was opened. */
static void adapt_terminal(struct tui *t)
{
	const struct settings *const s = &t->app->settings;
	const bool anew = s->color != t->settings.color || s->glyphs != t->settings.glyphs;
	struct err err;
	t->settings = *s;
	terminal_mouse(&t->terminal, s->mouse);
	if (page_is_open(t))
		page_resized(t);
	if (anew && !terminal_reopen(&t->terminal, s, THEME_AUTO, &err))
		die("%s", err.text);
	tui_refigure(t, FIGURE_WRONG);
}

/* Files that wait are written first, unless leaving is asked for again. */
static void leave_or_finish(struct tui *t)
{
	const size_t n = worker_writes(t->worker);
	if (n == 0 || t->life == LIFE_FINISHING) {
		end(t);
		return;
	}
	t->life = LIFE_FINISHING;
	app_say(t->app, "%zu file%s being written first; again leaves at once", n,
		n == 1 ? " is" : "s are");
}

void tui_react(struct tui *t, unsigned reactions)
{
	if (reactions & REACT_TERMINAL)
		adapt_terminal(t);
	if (reactions & REACT_WRITE)
		start_write(t);
	if (reactions & REACT_COMPUTE)
		tui_submit(t);
	else if (reactions & (REACT_FIGURE | REACT_LAYOUT))
		tui_refigure(t, FIGURE_MOVED);
	tui_dirty(t, reactions & REACT_COMPUTE ? TUI_SETTLE : 0);
	if (reactions & REACT_QUIT)
		leave_or_finish(t);
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

bool tui_try_line(struct tui *t, const char *line, struct err *err)
{
	unsigned reactions;
	tell_app(t);
	if (asks_for_keyboard(line, err) || !app_command(t->app, line, &reactions, err))
		return false;
	/* What was chosen otherwise than by the menu is to be seen. */
	if (t->overlay == OVERLAY_VIEWS && t->app->request == REQUEST_NONE)
		t->overlay = OVERLAY_NONE;
	tui_react(t, reactions);
	motion_follow_room(t);
	tui_answer(t);
	tour_follow_picture(t);
	return true;
}

bool tui_run_line(struct tui *t, const char *line)
{
	struct err err;
	const bool ok = tui_try_line(t, line, &err);
	if (!ok)
		tui_complain(t, &err);
	return ok;
}

/* ---- events ------------------------------------------------------------------------------ */

static void leave(struct tui *t, int code)
{
	end(t);
	t->code = code;
}

static void take_signals(struct tui *t)
{
	for (int number; (number = terminal_signal(&t->terminal)) != 0;) {
		switch (number) {
		case SIGWINCH:
			terminal_resize(&t->terminal, false);
			page_resized(t);
			tui_dirty(t, 0);
			break;
		case SIGTSTP:
			terminal_suspend(&t->terminal);
			page_lost(t);
			tui_dirty(t, 0);
			break;
		case SIGCONT:
			terminal_continue(&t->terminal);
			page_lost(t);
			tui_dirty(t, 0);
			break;
		default:
			leave(t, 128 + number);
		}
	}
}

/* All keys that wait; false when nothing did. */
static bool take_keys(struct tui *t)
{
	struct key key;
	const size_t before = t->terminal.codes;
	while (t->life < LIFE_LEFT && terminal_key(&t->terminal, &key))
		tui_key(t, &key);
	paste_end(t);
	return t->terminal.codes > before;
}

/* Once the list of schemes is seen, and has the dots for them. */
static void submit_curves(struct tui *t)
{
	const bool listed = layout_has_list(t) || t->mode == MODE_FIND;
	if (listed && !t->terminal.ascii && !t->terminal.quadrants)
		worker_submit_curves(t->worker, &t->app->scene);
}

static double due(const struct tui *t)
{
	return t->dirty ? fmin(t->draw_at, t->again_at) : t->again_at;
}

static void wait_until(struct tui *t, double at)
{
	t->dirty = true;
	t->draw_at = at;
	t->again_at = INFINITY;
}

static void draw_if_due(struct tui *t)
{
	const double begun = machine_seconds();
	if (begun < due(t) || page_amid(t))
		return;
	if (terminal_pending() > PENDING_BYTES) {
		wait_until(t, begun + retry);
		return;
	}
	if (t->frame_seconds > long_frame && begun < t->drawn_at + frame_rest) {
		wait_until(t, t->drawn_at + frame_rest);
		return;
	}
	t->dirty = false;
	t->again_at = INFINITY;
	tour_tick(t);
	page_answered(t);
	message_ends(t);
	update_figure(t);
	tui_draw(t);
	progress_follow(t);
	tour_follow(t);
	reading_say(t);
	recording_follow(t);
	presenter_keep(t);
	message_drawn(t);
	submit_curves(t);
	t->drawn_at = machine_seconds();
	t->frame_seconds = t->drawn_at - begun;
	motion_drawn(t);
}

/* Milliseconds until something is to be drawn; -1: nothing is. */
static int patience(const struct tui *t)
{
	const double wait = fmin(due(t), motion_due(t)) - machine_seconds();
	if (isinf(wait) || page_amid(t))
		return -1;
	return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

static void loop(struct tui *t)
{
	enum { OURS = 5 };
	size_t empty = 0;
	while (t->life < LIFE_LEFT) {
		struct pollfd fds[OURS + NOTES_FDS] = {
			{.fd = STDIN_FILENO, .events = POLLIN},
			{.fd = t->terminal.signals, .events = POLLIN},
			{.fd = worker_fd(t->worker), .events = POLLIN},
			{.fd = page_sends(t) ? STDOUT_FILENO : -1, .events = POLLOUT},
			{.fd = reading_fd(t), .events = POLLIN}};
		const size_t notes = notes_poll(t, fds + OURS);
		const int ready = poll(fds, OURS + notes, patience(t));
		take_signals(t);
		if (ready > 0 && fds[2].revents)
			take_results(t);
		if (ready > 0 && fds[0].revents & POLLIN)
			empty = take_keys(t) ? 0 : empty + 1;
		if (t->life < LIFE_LEFT && ready > 0 && fds[3].revents && page_sends(t))
			page_send(t);
		if (t->life < LIFE_LEFT && ready > 0)
			notes_serve(t, fds + OURS, notes);
		/* A terminal that is gone is readable for ever and has nothing to say. */
		if (t->life < LIFE_LEFT && ready > 0 &&
		    (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) || empty > EMPTY_READS))
			leave(t, 128 + SIGHUP);
		reading_follow(t);
		notes_tell(t);
		if (t->life < LIFE_LEFT && !page_amid(t))
			motion_tick(t);
		if (t->life < LIFE_LEFT)
			draw_if_due(t);
	}
}

static void open_all(struct tui *t)
{
	t->app->background = true;
	arena_init(&t->frame);
	arena_init(&t->box.arena);
	arena_init(&t->prompt.arena);
	arena_init(&t->page.arena);
	arena_init(&t->motion.arena);
	arena_init(&t->figures[0]);
	arena_init(&t->figures[1]);
	t->again_at = INFINITY;
	touring_open(t);
	quizzing_open(t);
	t->worker = worker_new();
}

static void close_all(struct tui *t)
{
	struct app *const app = t->app;
	notes_close(t);
	touring_close(t);
	quizzing_close(t);
	/* The terminal first: an evaluation may take a moment to notice that it is over. */
	terminal_close(&t->terminal);
	recording_end(t, true);
	if (t->life == LIFE_FINISHED && app->message[0]) {
		const char *const last = app->message;
		fprintf(stderr, "posviz: %s\n", text_escape(&t->frame, last, strlen(last)));
	}
	worker_free(t->worker);
	reading_free(t);
	app->shown = (struct shown){0};
	app->background = false;
	arena_release(&t->frame);
	arena_release(&t->box.arena);
	arena_release(&t->prompt.arena);
	arena_release(&t->page.arena);
	arena_release(&t->motion.arena);
	arena_release(&t->figures[0]);
	arena_release(&t->figures[1]);
}

int tui_run(struct app *app, struct err *err)
{
	struct tui *const t = arena_calloc(&app->arena, 1, sizeof *t);
	err->text[0] = '\0';
	if (is_keyboard(app->scene.setup.file, err))
		return 2;
	t->app = app;
	if (!terminal_open(&t->terminal, &app->settings, THEME_AUTO, err))
		return 2;
	t->settings = app->settings;
	t->presenter_kept = app->scene.presenter;
	terminal_mouse(&t->terminal, app->settings.mouse);
	open_all(t);
	tui_submit(t);
	tui_answer(t); /* what the command line asked for */
	tour_follow_picture(t);
	loop(t);
	close_all(t);
	return t->code;
}
