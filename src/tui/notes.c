/* notes.c: the speaker's terminal: a loop of its own for keys, signals, and what the terminal with the tour says. */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "notes_in.h"
#include "notes_place.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/math/machine.h"

enum { EMPTY_READS = 16 };

/* ---- requests ---------------------------------------------------------------------------- */

static void open_prompt(struct notes *n)
{
	n->typing = true;
	n->typed[0] = '\0';
}

static void go_typed(struct notes *n)
{
	struct arena a;
	struct tour_spec spec;
	struct err err;
	size_t beat;
	arena_init(&a);
	n->typing = false;
	const char *const text = arena_printf(&a, "#%s", n->typed);
	if (n->typed[0] != '\0' && !n->has_tour)
		snprintf(n->said, sizeof n->said, "no tour is followed yet");
	else if (n->typed[0] != '\0' && (!tour_spec_parse(text, &a, &spec, &err) ||
					 !tour_spec_beat(&spec, &n->tour, false, &beat, &err)))
		snprintf(n->said, sizeof n->said, "%s", err.text);
	else if (n->typed[0] != '\0')
		notes_ask(n, NOTES_GO,
			  &(struct notes_at){.step = spec.step, .beat = spec.beat ? spec.beat : 1});
	arena_release(&a);
}

static void accept(struct notes *n)
{
	if (n->typing)
		go_typed(n);
	else if (notes_may_resume(n))
		notes_resume(n);
	else if (n->before.step > 0 && n->link != LINK_FOLLOWS)
		snprintf(n->said, sizeof n->said,
			 "nothing follows yet; start the tour again first");
	else
		open_prompt(n);
}

/* Goes back a step; the offer is not wanted any more. */
static void go_back(struct notes *n)
{
	if (!n->typing && !n->said[0])
		n->before = (struct notes_at){0};
	n->typing = false;
	n->said[0] = '\0';
}

static void scroll(struct notes *n, enum request what)
{
	const size_t page = n->page > 1 ? n->page - 1 : 1;
	const size_t by = what == REQUEST_PAGE_UP || what == REQUEST_PAGE_DOWN ? page : 1;
	if (what == REQUEST_SCROLL_UP || what == REQUEST_PAGE_UP)
		n->scroll -= n->scroll < by ? n->scroll : by;
	else
		n->scroll += by;
	if (what == REQUEST_SCROLL_TOP)
		n->scroll = 0;
	else if (what == REQUEST_SCROLL_BOTTOM)
		n->scroll = n->most;
	n->scroll = n->scroll < n->most ? n->scroll : n->most;
}

static void erase(struct notes *n)
{
	const size_t len = strlen(n->typed);
	n->typing = len > 0;
	n->typed[len > 0 ? len - 1 : 0] = '\0';
}

static void answer(struct notes *n, enum request what)
{
	switch (what) {
	case REQUEST_TOUR_NEXT:
		notes_ask(n, NOTES_NEXT, NULL);
		break;
	case REQUEST_TOUR_BACK:
		notes_ask(n, NOTES_BACK, NULL);
		break;
	case REQUEST_TOUR_PAUSE:
		notes_ask(n, NOTES_PAUSE, NULL);
		break;
	case REQUEST_COMMAND:
		open_prompt(n);
		break;
	case REQUEST_ACCEPT:
		accept(n);
		break;
	case REQUEST_BACK:
		go_back(n);
		break;
	case REQUEST_HELP:
		n->helping = true;
		n->scroll = 0;
		break;
	case REQUEST_ERASE_LEFT:
		erase(n);
		break;
	case REQUEST_REDRAW:
		terminal_resize(&n->terminal, true);
		break;
	case REQUEST_SUSPEND:
		terminal_suspend(&n->terminal);
		break;
	default:
		if (what >= REQUEST_SCROLL_UP && what <= REQUEST_SCROLL_BOTTOM)
			scroll(n, what);
	}
}

/* ---- keys -------------------------------------------------------------------------------- */

/* Whatever else a key was bound to, only requests mean something here. */
static void run(struct notes *n, const char *command)
{
	unsigned reactions = 0;
	struct err err;
	n->app->request = REQUEST_NONE;
	if (!app_command(n->app, command, &reactions, &err)) {
		snprintf(n->said, sizeof n->said, "%s", err.text);
		return;
	}
	const enum request what = n->app->request;
	n->app->request = REQUEST_NONE;
	n->left = n->left || reactions & REACT_QUIT;
	answer(n, what);
}

static void type(struct notes *n, const char *text)
{
	const size_t len = strlen(n->typed);
	if (strlen(text) == 1 && strchr("0123456789.", *text) && len + 1 < sizeof n->typed)
		snprintf(n->typed + len, sizeof n->typed - len, "%s", text);
}

/* The offer may be taken while a step is typed: no digit does so. */
static void type_or_resume(struct notes *n, const struct key *key, const struct binding *usual)
{
	if (usual && strcmp(usual->command, "accept") == 0 && notes_may_resume(n)) {
		n->typing = false;
		notes_resume(n);
	} else {
		type(n, key->text);
	}
}

static void wheel(struct notes *n, const struct mouse *m)
{
	if (m->kind == MOUSE_WHEEL && m->down != 0)
		scroll(n, m->down > 0 ? REQUEST_SCROLL_DOWN : REQUEST_SCROLL_UP);
}

static void press(struct notes *n, const struct key *key)
{
	static const char *const usual[] = {"notes", NULL}, *const line[] = {"line", NULL};
	const struct binding *const fixed = keymap_fixed(key->name);
	const struct binding *const b =
		fixed ? fixed : keymap_find(n->app, n->typing ? line : usual, key->name);
	/* Over help keys that scroll do so; any other closes it. */
	if (n->helping && !fixed && !(b && strncmp(b->command, "scroll ", 7) == 0)) {
		n->helping = false;
		n->scroll = 0;
		return;
	}
	if (!b && n->typing) {
		type_or_resume(n, key, keymap_find(n->app, usual, key->name));
		return;
	}
	n->unheard = false;
	if (b && strcmp(b->command, "back") != 0)
		n->said[0] = '\0';
	if (b)
		run(n, b->command);
	else
		snprintf(n->said, sizeof n->said, "%s does nothing here; ? lists the keys that do",
			 text_escape(&n->frame, key->name, strlen(key->name)));
}

static void take_key(struct notes *n, const struct key *key)
{
	const enum background said = n->terminal.answers.background;
	if (strcmp(key->name, "Answer") == 0) {
		if (n->terminal.asks && said != BACKGROUND_UNKNOWN)
			n->terminal.background = said;
		return;
	}
	if (key->mouse.kind != MOUSE_NONE)
		wheel(n, &key->mouse);
	else if (!key->pasted)
		press(n, key);
}

static bool take_keys(struct notes *n)
{
	struct key key;
	const size_t before = n->terminal.codes;
	while (!n->left && terminal_key(&n->terminal, &key))
		take_key(n, &key);
	return n->terminal.codes > before;
}

/* ---- the loop ---------------------------------------------------------------------------- */

static void leave(struct notes *n, int code)
{
	n->left = true;
	n->code = code;
}

static void take_signals(struct notes *n)
{
	for (int number; (number = terminal_signal(&n->terminal)) != 0;) {
		if (number == SIGWINCH)
			terminal_resize(&n->terminal, false);
		else if (number == SIGTSTP)
			terminal_suspend(&n->terminal);
		else if (number == SIGCONT)
			terminal_continue(&n->terminal);
		else
			leave(n, 128 + number);
	}
}

/* Seconds until one of the clocks says something else. */
static double until_tick(const struct notes *n)
{
	const bool runs = n->at.step > 0 && !n->at.stands && n->link != LINK_OVER;
	const double elapsed = notes_elapsed(n), spent = notes_spent(n);
	const double minute = 60 - fmod((double)time(NULL), 60); /* of the day */
	return runs ? fmin(minute, fmin(1 - fmod(elapsed, 1), 1 - fmod(spent, 1))) : minute;
}

/* Milliseconds until something is to be drawn, or another try is due. */
static int patience(const struct notes *n, double draw_at)
{
	const double at = n->fd < 0 ? fmin(draw_at, n->try_at) : draw_at;
	return (int)(fmax(at - machine_seconds(), 0) * 1000) + 1;
}

static void loop(struct notes *n)
{
	size_t empty = 0;
	double draw_at = 0;
	while (!n->left) {
		const enum notes_link link = n->link;
		notes_try(n);
		if (n->link != link || machine_seconds() >= draw_at) {
			notes_draw(n);
			draw_at = machine_seconds() + until_tick(n);
		}
		struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				       {.fd = n->terminal.signals, .events = POLLIN},
				       {.fd = n->fd, .events = POLLIN}};
		const int ready = poll(fds, 3, patience(n, draw_at));
		take_signals(n);
		if (ready == 0 || n->left)
			continue;
		draw_at = 0; /* a signal interrupts too */
		if (ready < 0)
			continue;
		if (fds[0].revents & POLLIN)
			empty = take_keys(n) ? 0 : empty + 1;
		/* A key may have found that nobody is there any more. */
		if (fds[2].revents && n->fd == fds[2].fd && n->fd >= 0)
			notes_hear(n);
		/* A terminal that is gone is readable for ever and has nothing to say. */
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) || empty > EMPTY_READS)
			leave(n, 128 + SIGHUP);
	}
}

/* Which of several is meant has to be said. */
static bool is_clear(struct notes *n, struct err *err)
{
	size_t count;
	const char **const names = notes_open_names(&n->names, &count);
	struct strbuf all;
	strbuf_init(&all, &n->names);
	for (size_t i = 0; i < count; i++)
		strbuf_printf(&all, "%s%s", i ? ", " : "", names[i]);
	return count < 2 || err_set(err,
				    "tour: several are shown: %s; name one: posviz tour NAME "
				    "--notes",
				    text_escape(&n->names, all.at, all.len));
}

static bool begin(struct notes *n, const char *name, struct err *err)
{
	n->fd = -1;
	arena_init(&n->frame);
	arena_init(&n->names);
	arena_init(&n->texts[0]);
	arena_init(&n->texts[1]);
	if (!name)
		return is_clear(n, err);
	if (!notes_read_tour(n, name, err))
		return false;
	n->asked = name;
	n->socket = notes_socket_name(n->tour.name, n->tour.path, &n->app->arena);
	return true;
}

int notes_run(struct app *app, const char *name, struct err *err)
{
	struct notes *const n = arena_calloc(&app->arena, 1, sizeof *n);
	err->text[0] = '\0';
	n->app = app;
	n->code = 2;
	if (begin(n, name, err) &&
	    terminal_open(&n->terminal, &app->settings, (enum theme)app->scene.theme, err)) {
		n->code = 0;
		terminal_mouse(&n->terminal, app->settings.mouse);
		loop(n);
		terminal_close(&n->terminal);
		notes_hang_up(n);
	}
	arena_release(&n->frame);
	arena_release(&n->names);
	arena_release(&n->texts[0]);
	arena_release(&n->texts[1]);
	return n->code;
}
