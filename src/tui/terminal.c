/* terminal.c: opening the terminal, signals, and giving it back whatever happens.
 *
 * OpenBLAS has threads before main begins, so signals cannot be blocked everywhere and read from a
 * signalfd: handlers write their number into a pipe that the loop polls, those of all signals that
 * would end the program too. What ends it at once (a crash, BUG, die, a second SIGTERM while the first
 * waits) restores the terminal with a constant string and tcsetattr, which a signal handler may do;
 * curses it may not. */
#include "terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "posviz/tui/capability.h"
#include "posviz/tui/graphics.h"
#include "posviz/base/cleanup.h"
#include "posviz/base/descriptors.h"
#include "posviz/base/portable.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/math/machine.h"

/* Esc is a key when nothing follows it for so long: less than a frame, and more than is between the bytes of
 * a sequence, which terminals write at once. */
static const int escape_ms = 10;
static const int open_escape_ms = 150;	  /* an answer that is on its way may come in pieces */
static const double open_seconds = 1;	  /* after that nothing is on its way */
static const double close_seconds = 0.25; /* that an answer is waited for at the end */

static struct termios saved;
static atomic_bool on_screen;
static atomic_bool in_frame;	/* the terminal waits for the end of one */
static atomic_size_t end_bytes; /* of picture_end */
static char picture_end[256];
static atomic_int ending; /* a signal that ends the program was not handled yet */
static int signal_pipe[2] = {-1, -1};
static SCREEN *screen;

/* ---- leaving at once --------------------------------------------------------------------- */

static void put(const char *bytes, size_t len)
{
	const ssize_t written = write(STDOUT_FILENO, bytes, len);
	(void)written;
}

static void emergency_restore(void)
{
	static const char string[] =
		"\033[0m\033[?25h\033[?1000l\033[?1002l\033[?1006l\033[?2004l\033[?1049l\r\n";
	static const char frame_end[] = "\033[?2026l";
	if (!atomic_exchange(&on_screen, false))
		return;
	put(picture_end, atomic_exchange(&end_bytes, 0));
	if (atomic_exchange(&in_frame, false))
		put(frame_end, sizeof frame_end - 1);
	put(string, sizeof string - 1);
	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
}

static void on_signal(int number)
{
	const int kept = errno;
	const unsigned char byte = (unsigned char)number;
	const ssize_t written = write(signal_pipe[1], &byte, 1);
	(void)written;
	errno = kept;
}

static void on_ending_signal(int number)
{
	/* The loop may hang in a write to a terminal that takes nothing. */
	if (atomic_exchange(&ending, number) != 0) {
		cleanup_undo();
		_exit(128 + number);
	}
	on_signal(number);
}

static const int handled[] = {SIGWINCH, SIGTSTP, SIGCONT}; /* besides those that end us */

static void set_handler(int number, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void set_handlers(bool ours)
{
	for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
		set_handler(handled[i], ours ? on_signal : SIG_DFL);
	cleanup_catch(ours ? on_ending_signal : NULL);
	if (ours)
		set_handler(SIGPIPE, SIG_IGN);
}

int terminal_signal(struct terminal *t)
{
	unsigned char byte;
	return read(t->signals, &byte, 1) == 1 ? byte : 0;
}

/* ---- colours ----------------------------------------------------------------------------- */

static const char *env(const char *name)
{
	const char *const value = getenv(name);
	return value ? value : "";
}

static bool begins(const char *text, const char *part)
{
	return strncmp(text, part, strlen(part)) == 0;
}

static SCREEN *open_embedded(const char *const *pieces, const char *name)
{
	struct arena a;
	struct strbuf b;
	arena_init(&a);
	strbuf_init(&b, &a);
	for (; *pieces; pieces++)
		strbuf_add(&b, *pieces);
	const char *const before = getenv("TERMINFO");
	const char *const kept = before ? arena_strdup(&a, before) : NULL;
	setenv("TERMINFO", b.at, 1);
	SCREEN *const made = newterm(name, stdout, stdin);
	if (kept)
		setenv("TERMINFO", kept, 1);
	else
		unsetenv("TERMINFO");
	arena_release(&a);
	return made;
}

static SCREEN *open_direct(const char *term)
{
	char name[128];
	struct capability entry;
	snprintf(name, sizeof name, "%s-direct", term);
	SCREEN *const made = capability_read(name, &entry) ? newterm(name, stdout, stdin) : NULL;
	if (made)
		return made;
	if (*env("TMUX") || begins(term, "tmux"))
		return open_embedded(terminfo_tmux, "posviz-tmux");
	return open_embedded(terminfo_direct, "posviz-direct");
}

/* ---- the screen -------------------------------------------------------------------------- */

static bool open_pipe(struct terminal *t)
{
	if (!portable_pipe(signal_pipe))
		return false;
	t->signals = signal_pipe[0];
	atomic_store(&ending, 0);
	return true;
}

/* A terminal cannot be given more than its entry describes, but for direct colours, for which there
 * are entries of our own. */
static void open_screen(struct terminal *t, const char *term)
{
	struct capability entry = {0};
	const enum tier own =
		capability_read(term, &entry) ? tier_of_capability(&entry) : TIER_MONO;
	if (t->tier > own && t->tier != TIER_DIRECT)
		t->tier = own;
	const bool direct = t->tier == TIER_DIRECT && own != TIER_DIRECT;
	screen = direct ? open_direct(term) : NULL;
	if (!screen) {
		screen = newterm(term, stdout, stdin);
		if (direct)
			t->tier = own;
	}
}

static void set_modes(struct terminal *t)
{
	raw();
	noecho();
	nonl();
	curs_set(0);
	set_escdelay(escape_ms);
	if (t->tier != TIER_MONO) {
		start_color();
		use_default_colors();
	}
	if (!has_colors())
		t->tier = TIER_MONO;
	capability_put("BE");
	WINDOW *const pad = newpad(1, 1);
	keypad(pad, TRUE);
	nodelay(pad, TRUE);
	t->hears_all = keys_define();
	t->keys = pad;
	const char *const reports = tigetstr("kmous");
	t->mouses = reports != NULL && reports != (char *)-1;
}

/* ---- past curses ------------------------------------------------------------------------- */

/* Modes that have nothing to do with what is drawn go past curses. */
static void send(const char *bytes)
{
	for (size_t len = strlen(bytes); len > 0;) {
		const ssize_t n = write(STDOUT_FILENO, bytes, len);
		struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
		if (n < 0 && errno == EAGAIN)
			poll(&p, 1, -1);
		else if (n < 0 && errno != EINTR)
			return;
		bytes += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

void terminal_past(const char *bytes)
{
	send(bytes);
}

size_t terminal_send(const char *bytes, size_t len)
{
	enum { PIECE = 1024 }; /* more may have to wait until it is read */
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
	if (poll(&p, 1, 0) <= 0 || !(p.revents & POLLOUT))
		return 0;
	const ssize_t n = write(STDOUT_FILENO, bytes, len < PIECE ? len : PIECE);
	return n > 0 ? (size_t)n : 0;
}

void terminal_frame(const struct terminal *t, bool begins)
{
	if (!t->answers.synchronized)
		return;
	atomic_store(&in_frame, true);
	send(begins ? "\033[?2026h" : "\033[?2026l");
	atomic_store(&in_frame, begins);
}

void terminal_picture(const char *end)
{
	atomic_store(&end_bytes, 0);
	snprintf(picture_end, sizeof picture_end, "%s", end);
	atomic_store(&end_bytes, strlen(picture_end));
}

void terminal_picture_ends(void)
{
	if (atomic_exchange(&end_bytes, 0) > 0)
		send(picture_end);
}

/* ---- questions --------------------------------------------------------------------------- */

void terminal_ask(struct terminal *t, const struct questions *q)
{
	struct arena a;
	struct strbuf b;
	arena_init(&a);
	strbuf_init(&b, &a);
	answers_ask(q, &b);
	send(b.at);
	arena_release(&a);
	t->asked = machine_seconds();
	t->waiting = true;
	set_escdelay(open_escape_ms);
}

void terminal_ask_taken(struct terminal *t)
{
	const struct questions none = {0};
	t->answers.attributes = false;
	t->asked_taken = true;
	terminal_ask(t, &none);
}

/* The last answer, which would be the shell's input when it comes after the end. */
static void hear_last(struct terminal *t)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	struct key key;
	while (t->asked_taken && !t->answers.attributes) {
		const double left = t->asked + close_seconds - machine_seconds();
		if (left <= 0 || poll(&p, 1, (int)(left * 1000) + 1) <= 0 ||
		    p.revents & (POLLHUP | POLLERR | POLLNVAL))
			return;
		while (terminal_key(t, &key))
			;
	}
}

void terminal_hear(struct terminal *t)
{
	if (!t->waiting || (!t->answers.attributes && machine_seconds() - t->asked < open_seconds))
		return;
	t->waiting = false;
	set_escdelay(escape_ms);
}

/* In tmux the terminal around it is asked when a picture is wanted. */
static void ask_first(struct terminal *t, const struct settings *settings,
		      const struct tui_tier *choice)
{
	const struct questions q = {.kitty = settings->graphics == GRAPHICS_AUTO && !choice->tmux,
				    .background = choice->asks,
				    .modes = true,
				    .pixels = t->hears_all && !graphics_pixels()};
	t->talks = choice->talks;
	t->asks = choice->asks;
	t->in_tmux = choice->tmux;
	if (choice->talks && t->asked <= 0)
		terminal_ask(t, &q);
}

/* ---- mouse ------------------------------------------------------------------------------- */

/* Buttons with the movements while one is held (1002), in the form that has no largest column
 * (1006). */
static void send_mouse(const struct terminal *t, bool on)
{
	if (t->mouses)
		send(on ? "\033[?1002h\033[?1006h" : "\033[?1006l\033[?1002l");
}

void terminal_mouse(struct terminal *t, bool on)
{
	if (on == t->mouse)
		return;
	t->mouse = on;
	send_mouse(t, on);
}

/* ---- opening and closing ----------------------------------------------------------------- */

static bool start_screen(struct terminal *t, const struct settings *settings, enum theme theme,
			 struct err *err)
{
	const char *const term = env("TERM");
	struct tui_tier choice;
	tui_choose(settings, theme, &choice);
	t->tier = choice.tier;
	t->utf8 = choice.utf8;
	t->ascii = choice.ascii;
	t->quadrants = choice.quadrants;
	t->background = choice.background;
	open_screen(t, term);
	if (!screen) {
		char quoted[80];
		text_quote_buf(quoted, sizeof quoted, term, strlen(term));
		return err_set(err, "the terminal type %s cannot be used; another TERM may be",
			       quoted);
	}
	set_modes(t);
	ask_first(t, settings, &choice);
	terminal_resize(t, false);
	return true;
}

bool terminal_open(struct terminal *t, const struct settings *settings, enum theme theme,
		   struct err *err)
{
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	if (!tui_possible(err) || !descriptors_room(DESCRIPTORS_TERMINAL, "the terminal", err))
		return false;
	*t = (struct terminal){0};
	if (tcgetattr(STDIN_FILENO, &saved) != 0 || !open_pipe(t))
		return err_set(err, "the terminal cannot be set up: %s", portable_reason(errno));
	set_handlers(true);
	cleanup_restore(emergency_restore);
	atomic_store(&on_screen, true);
	if (start_screen(t, settings, theme, err))
		return true;
	terminal_close(t);
	return false;
}

static void close_screen(struct terminal *t)
{
	if (!screen)
		return;
	terminal_picture_ends();
	if (t->mouse)
		send_mouse(t, false);
	hear_last(t);
	delwin(t->keys);
	capability_put("BD");
	endwin();
	delscreen(screen);
	screen = NULL;
}

bool terminal_reopen(struct terminal *t, const struct settings *settings, enum theme theme,
		     struct err *err)
{
	close_screen(t);
	if (!start_screen(t, settings, theme, err))
		return false;
	if (t->mouse)
		send_mouse(t, true);
	return true;
}

void terminal_close(struct terminal *t)
{
	close_screen(t);
	atomic_store(&on_screen, false);
	cleanup_restore(NULL);
	set_handlers(false);
	close(signal_pipe[0]);
	close(signal_pipe[1]);
	signal_pipe[0] = signal_pipe[1] = t->signals = -1;
}

void terminal_suspend(struct terminal *t)
{
	terminal_picture_ends();
	if (t->mouse)
		send_mouse(t, false);
	capability_put("BD");
	endwin();
	atomic_store(&on_screen, false);
	set_handler(SIGTSTP, SIG_DFL);
	kill(0, SIGTSTP); /* the whole job, as the shell would */
	set_handler(SIGTSTP, on_signal);
	atomic_store(&on_screen, true);
	terminal_continue(t);
}

/* Whoever stopped us without asking (SIGSTOP) left the screen as it was, but a shell has written on
 * it and set modes of its own. */
void terminal_continue(struct terminal *t)
{
	reset_prog_mode();
	capability_put("smcup");
	capability_put("smkx");
	capability_put("BE");
	if (t->mouse)
		send_mouse(t, true);
	terminal_resize(t, true);
}

void terminal_resize(struct terminal *t, bool anew)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
		resizeterm(size.ws_row, size.ws_col);
	t->rows = LINES;
	t->cols = COLS;
	if (anew)
		clearok(curscr, TRUE);
}

int terminal_pending(void)
{
	int bytes = 0;
	return ioctl(STDOUT_FILENO, TIOCOUTQ, &bytes) == 0 ? bytes : 0;
}
