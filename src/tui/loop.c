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

void tui_end(struct tui *t)
{
	t->life = t->life == LIFE_FINISHING ? LIFE_FINISHED : LIFE_LEFT;
}

/* ---- commands ---------------------------------------------------------------------------- */

/* Colours are part of how curses was opened. */
static void adapt_terminal(struct tui *t)
{
	const struct settings *const s = &t->app->settings;
	const bool anew = s->color != t->settings.color || s->glyphs != t->settings.glyphs;
	struct err err;
	t->settings = *s;
	terminal_mouse(&t->terminal, s->mouse);
	parts_at(t, PART_RESIZED);
	if (anew && !terminal_reopen(&t->terminal, s, THEME_AUTO, &err))
		die("%s", err.text);
	tui_refigure(t, FIGURE_WRONG);
}

void tui_react(struct tui *t, unsigned reactions)
{
	if (reactions & REACT_TERMINAL)
		adapt_terminal(t);
	if (reactions & REACT_WRITE)
		files_write(t);
	if (reactions & REACT_COMPUTE)
		tui_submit(t);
	else if (reactions & (REACT_FIGURE | REACT_LAYOUT))
		tui_refigure(t, FIGURE_MOVED);
	tui_dirty(t, reactions & REACT_COMPUTE ? TUI_SETTLE : 0);
	if (reactions & REACT_QUIT)
		files_finish(t);
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
	pictures_tell_app(t);
	if (asks_for_keyboard(line, err) || !app_command(t->app, line, &reactions, err))
		return false;
	/* A view that was chosen otherwise than by the menu is to be seen. */
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
	tui_end(t);
	t->code = code;
}

static void take_signals(struct tui *t)
{
	for (int number; (number = terminal_signal(&t->terminal)) != 0;) {
		switch (number) {
		case SIGWINCH:
			terminal_resize(&t->terminal, false);
			parts_at(t, PART_RESIZED);
			tui_dirty(t, 0);
			break;
		case SIGTSTP:
			terminal_suspend(&t->terminal);
			parts_at(t, PART_LOST);
			tui_dirty(t, 0);
			break;
		case SIGCONT:
			terminal_continue(&t->terminal);
			parts_at(t, PART_LOST);
			tui_dirty(t, 0);
			break;
		default:
			leave(t, 128 + number);
		}
	}
}

/* Takes the keys that wait; false when nothing did. */
static bool take_keys(struct tui *t)
{
	struct key key;
	const size_t before = t->terminal.codes;
	while (t->life < LIFE_LEFT && terminal_key(&t->terminal, &key))
		tui_key(t, &key);
	return t->terminal.codes > before;
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
	if (begun < due(t) || parts_hold(t))
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
	parts_at(t, PART_TICK);
	pictures_refresh(t);
	tui_draw(t);
	parts_at(t, PART_DRAWN);
	t->drawn_at = machine_seconds();
	t->frame_seconds = t->drawn_at - begun;
}

/* Milliseconds until something is to be drawn; -1: nothing is. */
static int patience(const struct tui *t)
{
	const double wait = fmin(due(t), parts_due(t)) - machine_seconds();
	if (isinf(wait) || parts_hold(t))
		return -1;
	return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

static void loop(struct tui *t)
{
	enum { OURS = 2 };
	size_t empty = 0, counts[PART_COUNT];
	while (t->life < LIFE_LEFT) {
		struct pollfd fds[OURS + PART_FDS] = {
			{.fd = STDIN_FILENO, .events = POLLIN},
			{.fd = t->terminal.signals, .events = POLLIN}};
		const size_t theirs = parts_poll(t, fds + OURS, counts);
		const int ready = poll(fds, OURS + theirs, patience(t));
		take_signals(t);
		if (ready > 0)
			parts_serve(t, fds + OURS, counts);
		if (ready > 0 && fds[0].revents & POLLIN)
			empty = take_keys(t) ? 0 : empty + 1;
		/* A terminal that is gone is readable for ever and has nothing to say. */
		if (t->life < LIFE_LEFT && ready > 0 &&
		    (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) || empty > EMPTY_READS))
			leave(t, 128 + SIGHUP);
		parts_at(t, PART_TURN);
		if (t->life < LIFE_LEFT)
			draw_if_due(t);
	}
}

static void open_all(struct tui *t)
{
	t->app->background = true;
	t->again_at = INFINITY;
	arena_init(&t->frame);
	parts_at(t, PART_OPEN);
}

/* The terminal before what is gone with it: an evaluation may take a moment to notice that it is over. */
static void close_all(struct tui *t)
{
	parts_at(t, PART_CLOSE);
	terminal_close(&t->terminal);
	parts_at(t, PART_GONE);
	t->app->background = false;
	arena_release(&t->frame);
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
	terminal_mouse(&t->terminal, app->settings.mouse);
	open_all(t);
	tui_submit(t);
	tui_answer(t); /* what the command line asked for */
	tour_follow_picture(t);
	loop(t);
	close_all(t);
	return t->code;
}
