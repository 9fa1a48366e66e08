/* help_pty.c: a pseudo-terminal, its child, and the screen that the child draws. */
#include "help_pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the child --------------------------------------------------------------------------- */

static void set_env(const char *entry)
{
	char name[64];
	const char *const equals = strchr(entry, '=');
	snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - entry) : 60, entry);
	if (equals)
		setenv(name, equals + 1, 1);
	else
		unsetenv(name);
}

static const char *program(void)
{
	const char *const named = getenv("POSVIZ");
	return named ? named : "build/release/posviz";
}

static void run_child(const struct pty_look *look)
{
	static const char *const usual[] = {"TERM=xterm-256color",
					    "LC_ALL=C.UTF-8",
					    "LINES",
					    "COLUMNS",
					    "COLORTERM",
					    "NO_COLOR",
					    "TMUX",
					    "STY",
					    "COLORFGBG",
					    "XDG_STATE_HOME=/dev/null",
					    "XDG_CONFIG_HOME=/dev/null"};
	char path[4096];
	const char *const found = realpath(program(), path);
	setenv("POSVIZ", found ? path : program(), 1);
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		set_env(usual[i]);
	for (size_t i = 0; look->env[i]; i++)
		set_env(look->env[i]);
	if (look->dir && chdir(look->dir) != 0)
		_exit(126);
	const char *argv[PTY_ARGS + 3] = {"posviz", "--fresh"};
	for (size_t i = 0; look->args[i]; i++)
		argv[i + 2] = look->args[i];
	const char *shell[] = {"bash", "--norc", "-c", look->shell, NULL};
	char *words[PTY_ARGS + 3];
	memcpy(words, argv, sizeof argv);
	if (!look->shell)
		execv(getenv("POSVIZ"), words);
	memcpy(words, shell, sizeof shell);
	if (look->shell)
		execvp("bash", words);
	_exit(127);
}

/* Replies of the terminal and nothing else. */
static void reply(const char *bytes, size_t len, void *context)
{
	const struct pty *const p = context;
	const ssize_t written = write(p->fd, bytes, len);
	(void)written;
}

void pty_start(struct pty *p, const struct pty_look *look)
{
	const struct winsize size = {.ws_row = (unsigned short)look->rows,
				     .ws_col = (unsigned short)look->cols};
	*p = (struct pty){.rows = look->rows, .cols = look->cols};
	p->pid = forkpty(&p->fd, NULL, NULL, &size);
	if (p->pid == 0)
		run_child(look);
	if (p->pid < 0)
		abort();
	fcntl(p->fd, F_SETFD, FD_CLOEXEC);
	tcgetattr(p->fd, &p->before);
	p->vt = vterm_new(look->rows, look->cols);
	vterm_set_utf8(p->vt, 1);
	vterm_output_set_callback(p->vt, reply, p);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
}

void pty_stop(struct pty *p)
{
	if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, NULL, 0);
	}
	if (p->fd >= 0)
		close(p->fd);
	vterm_free(p->vt);
	free(p->raw);
}

/* ---- talking ----------------------------------------------------------------------------- */

static void keep(struct pty *p, const char *bytes, size_t len)
{
	if (p->raw_len + len + 1 > p->raw_cap) {
		p->raw_cap = 2 * (p->raw_len + len + 1);
		p->raw = realloc(p->raw, p->raw_cap);
		if (!p->raw)
			abort();
	}
	memcpy(p->raw + p->raw_len, bytes, len);
	p->raw_len += len;
	p->raw[p->raw_len] = '\0';
}

/* Reads what is there, waiting at most `ms` for it. */
static void pump(struct pty *p, int ms)
{
	char bytes[65536];
	struct pollfd fd = {.fd = p->fd, .events = POLLIN};
	if (p->closed || poll(&fd, 1, ms) <= 0)
		return;
	const ssize_t n = read(p->fd, bytes, sizeof bytes);
	if (n <= 0) {
		p->closed = n == 0 || errno != EINTR;
		return;
	}
	keep(p, bytes, (size_t)n);
	vterm_input_write(p->vt, bytes, (size_t)n);
}

void pty_type(struct pty *p, const char *bytes)
{
	size_t len = strlen(bytes);
	while (len > 0) {
		const ssize_t n = write(p->fd, bytes, len);
		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

void pty_resize(struct pty *p, int rows, int cols)
{
	const struct winsize size = {.ws_row = (unsigned short)rows,
				     .ws_col = (unsigned short)cols};
	p->rows = rows;
	p->cols = cols;
	vterm_set_size(p->vt, rows, cols);
	ioctl(p->fd, TIOCSWINSZ, &size);
}

/* ---- the screen -------------------------------------------------------------------------- */

VTermScreenCell pty_cell(const struct pty *p, int row, int col)
{
	VTermScreenCell cell = {0};
	vterm_screen_get_cell(p->screen, (VTermPos){.row = row, .col = col}, &cell);
	return cell;
}

static size_t utf8(char *out, uint32_t code)
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	const size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = len - 1; i > 0; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)((len == 2 ? 0xC0 : len == 3 ? 0xE0 : 0xF0) | code);
	return len;
}

static size_t add_row(const struct pty *p, int row, char *out)
{
	size_t n = 0;
	for (int col = 0; col < p->cols; col++) {
		const VTermScreenCell cell = pty_cell(p, row, col);
		if (cell.chars[0] == (uint32_t)-1)
			continue; /* second half of a wide character */
		if (cell.chars[0] == 0)
			out[n++] = ' ';
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			n += utf8(out + n, cell.chars[i]);
	}
	out[n] = '\0';
	return n;
}

enum { TEXT_BYTES = 1 << 20 };
static char text[TEXT_BYTES];

const char *pty_row(const struct pty *p, int row)
{
	add_row(p, row, text);
	return text;
}

const char *pty_text(const struct pty *p)
{
	size_t n = 0;
	for (int row = 0; row < p->rows && n + 8192 < TEXT_BYTES; row++) {
		n += add_row(p, row, text + n);
		text[n++] = '\n';
	}
	text[n] = '\0';
	return text;
}

bool pty_has(const struct pty *p, const char *part)
{
	return strstr(pty_text(p), part) != NULL;
}

/* Bytes of a row up to `end` as columns. */
static int column_of(const struct pty *p, int row, size_t end)
{
	size_t n = 0;
	for (int col = 0; col < p->cols; col++) {
		char bytes[64];
		const VTermScreenCell cell = pty_cell(p, row, col);
		if (n >= end)
			return col;
		if (cell.chars[0] == 0)
			n++;
		for (int i = 0; cell.chars[0] != (uint32_t)-1 && cell.chars[i]; i++)
			n += utf8(bytes, cell.chars[i]);
	}
	return p->cols;
}

bool pty_find(const struct pty *p, const char *part, int *row, int *col)
{
	for (int r = 0; r < p->rows; r++) {
		const char *const line = pty_row(p, r), *const at = strstr(line, part);
		if (!at)
			continue;
		*row = r;
		*col = column_of(p, r, (size_t)(at - line));
		return true;
	}
	return false;
}

/* ---- waiting ----------------------------------------------------------------------------- */

bool pty_until(struct pty *p, bool (*done)(struct pty *p, const void *context), const void *context)
{
	const time_t end = time(NULL) + PTY_SECONDS;
	while (!done(p, context)) {
		if (time(NULL) > end || p->closed)
			return done(p, context);
		pump(p, 50);
	}
	return true;
}

static bool is_there(struct pty *p, const void *part)
{
	return pty_has(p, part);
}

static bool is_gone(struct pty *p, const void *part)
{
	return !pty_has(p, part);
}

struct in_row {
	int row;
	const char *part;
};

static bool is_in_row(struct pty *p, const void *context)
{
	const struct in_row *const at = context;
	return strstr(pty_row(p, at->row), at->part) != NULL;
}

bool pty_wait(struct pty *p, const char *part)
{
	return pty_until(p, is_there, part);
}

bool pty_wait_gone(struct pty *p, const char *part)
{
	return pty_until(p, is_gone, part);
}

bool pty_wait_row(struct pty *p, int row, const char *part)
{
	const struct in_row at = {row, part};
	return pty_until(p, is_in_row, &at);
}

int pty_exit(struct pty *p)
{
	const time_t end = time(NULL) + PTY_SECONDS;
	int status;
	while (waitpid(p->pid, &status, WNOHANG) == 0) {
		if (time(NULL) > end)
			return -1;
		if (p->closed)
			usleep(1000);
		else
			pump(p, 20);
	}
	p->pid = 0;
	for (int i = 0; i < 50 && !p->closed; i++)
		pump(p, 1); /* what it wrote last */
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool pty_restored(const struct pty *p)
{
	struct termios now;
	if (tcgetattr(p->fd, &now) != 0)
		return false;
	const bool modes = now.c_lflag == p->before.c_lflag && now.c_iflag == p->before.c_iflag &&
			   now.c_oflag == p->before.c_oflag;
	const char *left = NULL, *entered = NULL;
	for (const char *at = p->raw; at && (at = strstr(at, "\033[?1049")) != NULL; at++) {
		if (at[7] == 'l')
			left = at;
		else
			entered = at;
	}
	return modes && (!entered || left > entered);
}
