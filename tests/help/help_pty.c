/* help_pty.c: a pseudo-terminal, the program on it, and the screen that the program draws. */
#include "help_pty.h"
#include "help_signals.h"

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

/* ---- the program ----------------------------------------------------------------------------- */

/* Options of sanitizers are added to those that are set. */
static void set_env(const char *entry)
{
	char name[64], both[1024];
	const char *const equals = strchr(entry, '=');
	snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - entry) : 60, entry);
	const char *const before = strcmp(name, PTY_SANITIZER) == 0 ? getenv(name) : NULL;
	if (equals && before)
		snprintf(both, sizeof both, "%s:%s", before, equals + 1);
	if (equals)
		setenv(name, before ? both : equals + 1, 1);
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
	/* The last two prevent sockets of tours, for which they leave no place. */
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
					    "XDG_CONFIG_HOME=/dev/null",
					    "XDG_RUNTIME_DIR=/dev/null",
					    "TMPDIR=/dev/null"};
	char path[4096];
	signals_as_usual();
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

/* Writes the replies of libvterm's terminal to the program, unless the test gives the answers. */
static void reply(const char *bytes, size_t len, void *context)
{
	const struct pty *const p = context;
	if (p->answers)
		return;
	const ssize_t written = write(p->fd, bytes, len);
	(void)written;
}

/* Returns the columns for libvterm (0.1.4), which a wide character in a single column crashes. */
static int vterm_cols(int cols)
{
	return cols > 2 ? cols : 2;
}

static void open_eyes(struct pty *p)
{
	p->vt = vterm_new(p->rows, vterm_cols(p->cols));
	vterm_set_utf8(p->vt, 1);
	vterm_output_set_callback(p->vt, reply, p);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_reset(p->screen, 1);
}

void pty_look(struct pty *p, bool on)
{
	p->blind = !on;
	p->open_len = 0;
	p->string = PTY_TEXT;
	if (!on)
		return;
	vterm_free(p->vt);
	open_eyes(p);
}

/* Returns the modes of a new terminal: those read after the fork may be the program's already. */
static struct termios new_modes(void)
{
	struct termios modes;
	int ours, theirs;
	if (openpty(&ours, &theirs, NULL, NULL, NULL) != 0 || tcgetattr(theirs, &modes) != 0)
		abort();
	close(theirs);
	close(ours);
	return modes;
}

void pty_start(struct pty *p, const struct pty_look *look)
{
	const struct winsize size = {.ws_row = (unsigned short)look->rows,
				     .ws_col = (unsigned short)look->cols,
				     .ws_xpixel = (unsigned short)look->width,
				     .ws_ypixel = (unsigned short)look->height};
	*p = (struct pty){.rows = look->rows,
			  .cols = look->cols,
			  .answers = look->answers,
			  .before = new_modes()};
	p->pid = forkpty(&p->fd, NULL, &p->before, &size);
	if (p->pid == 0)
		run_child(look);
	if (p->pid < 0)
		abort();
	fcntl(p->fd, F_SETFD, FD_CLOEXEC);
	fcntl(p->fd, F_SETFL, O_NONBLOCK);
	open_eyes(p);
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

/* ---- input and output ------------------------------------------------------------------------ */

/* Follows changes to the alternate screen and back, whose sequence may come in two parts. */
static void note_alternate(struct pty *p, size_t from)
{
	static const char change[] = "\033[?1049";
	const size_t overlap = sizeof change - 1;
	const char *at = p->raw + (from > overlap ? from - overlap : 0);
	while ((at = memmem(at, (size_t)(p->raw + p->raw_len - at), change, overlap)) != NULL) {
		at += overlap;
		if (*at)
			p->alternate = *at == 'h';
	}
}

static void keep(struct pty *p, const char *bytes, size_t len)
{
	if (p->raw_len > 2 * (size_t)PTY_RAW) {
		memmove(p->raw, p->raw + p->raw_len - PTY_RAW, PTY_RAW);
		p->raw_len = PTY_RAW;
	}
	if (p->raw_len + len + 1 > p->raw_cap) {
		p->raw_cap = 2 * (p->raw_len + len + 1);
		p->raw = realloc(p->raw, p->raw_cap);
		if (!p->raw)
			abort();
	}
	memcpy(p->raw + p->raw_len, bytes, len);
	p->raw_len += len;
	p->written += len;
	p->raw[p->raw_len] = '\0';
	note_alternate(p, p->raw_len - len);
}

/* Answers the questions asked since the last call, in their order. */
static void answer(struct pty *p)
{
	const struct pty_answers *const a = p->answers;
	const struct {
		const char *question, *answer;
	} rows[] = {{"\033_Gi=31,", a->kitty},	  {"\033]11;?", a->background},
		    {"\033[?2026$p", a->mode},	  {"\033[?1;1;0S", a->colours},
		    {"\033[?2;1;0S", a->largest}, {"\033[14t", a->pixels},
		    {"\033[c", a->attributes}};
	for (;;) {
		const char *first = NULL, *said = NULL;
		size_t end = 0;
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			const char *const at = strstr(p->raw + p->heard, rows[i].question);
			if (!at || (first && at > first))
				continue;
			first = at;
			said = rows[i].answer;
			end = (size_t)(at - p->raw) + strlen(rows[i].question);
		}
		if (!first)
			return;
		p->heard = end;
		if (said)
			pty_push(p, said, strlen(said));
	}
}

/* Replaces dim by strike in the parameters of one SGR; parameters of a colour stay. */
static void strike_for_dim(char *at, const char *end)
{
	while (at < end) {
		char *next = at;
		const long number = strtol(at, &next, 10);
		if (number == 2 && next == at + 1)
			*at = '9';
		const bool indexed = strncmp(next, ";5;", 3) == 0;
		if (number == 38 || number == 48)
			for (int skip = indexed ? 2 : 4; skip > 0 && next < end; skip--)
				next += 1 + strspn(next + 1, "0123456789");
		at = next < end ? next + 1 : next;
	}
}

/* Shows the bytes before a control sequence, and remembers the last of them. */
static void show_plain(struct pty *p, const char *from, const char *end)
{
	if (end > from)
		p->last = end[-1];
	vterm_input_write(p->vt, from, (size_t)(end - from));
}

/* Repeats the last character (REP): libvterm does so too, but ends one column too early at the
 * right margin. */
static void repeat(struct pty *p, int times)
{
	for (int i = 0; i < times && i < p->cols; i++)
		vterm_input_write(p->vt, &p->last, 1);
}

/* Returns how many bytes at the end belong to an incomplete character. libvterm would lose them,
 * because it has one decoder for text that begins with ASCII and another for other text. */
static size_t unfinished(const char *from, const char *end)
{
	for (size_t n = 1; n <= 3 && n <= (size_t)(end - from); n++) {
		const unsigned char c = (unsigned char)end[-(ptrdiff_t)n];
		if ((c & 0xc0) == 0x80)
			continue;
		const size_t need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
		return need > n ? n : 0;
	}
	return 0;
}

/* Removes the strings that terminals read as a whole and do not show: libvterm (0.1.4) shows those
 * that it does not know. Inside tmux's sequence ESC is doubled. Returns the number of bytes left,
 * at most `len` + 1. */
static size_t without_strings(struct pty *p, const char *bytes, size_t len, char *out)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++) {
		const char c = bytes[i];
		const bool begins = p->string == PTY_ESC && (c == '_' || c == 'P');
		if (p->string == PTY_STRING || p->string == PTY_STRING_ESC) {
			const bool ends = p->string == PTY_STRING_ESC && c == '\\';
			const bool escape = p->string == PTY_STRING && c == '\033';
			p->string = ends ? PTY_TEXT : escape ? PTY_STRING_ESC : PTY_STRING;
			continue;
		}
		if (p->string == PTY_ESC && !begins)
			out[n++] = '\033';
		p->string = begins ? PTY_STRING : c == '\033' ? PTY_ESC : PTY_TEXT;
		if (!begins && c != '\033')
			out[n++] = c;
	}
	return n;
}

/* Passes the bytes to libvterm; an incomplete control sequence or character waits for its
 * remainder. */
static void show(struct pty *p, const char *bytes, size_t len)
{
	char *const all = malloc(p->open_len + len + 2);
	if (!all)
		abort();
	memcpy(all, p->open, p->open_len);
	len = without_strings(p, bytes, len, all + p->open_len);
	char *end = all + p->open_len + len;
	char *from = all;
	*end = '\0';
	p->open_len = 0;
	for (char *at = all; (at = memchr(at, '\033', (size_t)(end - at))) != NULL; at++) {
		const size_t size = at[1] == '[' ? 2 + strspn(at + 2, "0123456789;:?") : 1;
		if (at + size >= end && size < sizeof p->open) {
			show_plain(p, from, at);
			p->open_len = (size_t)(end - at);
			memcpy(p->open, at, p->open_len);
			from = end;
			break;
		}
		if (at[1] == '[' && at[size] == 'm')
			strike_for_dim(at + 2, at + size);
		if (at[1] == '[' && at[size] == 'b') {
			show_plain(p, from, at);
			repeat(p, atoi(at + 2));
			from = at + size + 1;
		}
	}
	if (p->open_len == 0) {
		p->open_len = unfinished(from, end);
		memcpy(p->open, end - p->open_len, p->open_len);
		end -= p->open_len;
	}
	show_plain(p, from, end);
	free(all);
}

bool pty_pump(struct pty *p, int ms)
{
	char bytes[65536];
	struct pollfd fd = {.fd = p->fd, .events = POLLIN};
	if (p->closed || poll(&fd, 1, ms) <= 0)
		return false;
	const ssize_t n = read(p->fd, bytes, sizeof bytes);
	if (n <= 0) {
		p->closed = n == 0 || (errno != EINTR && errno != EAGAIN);
		return false;
	}
	keep(p, bytes, (size_t)n);
	if (p->answers)
		answer(p);
	if (!p->blind)
		show(p, bytes, (size_t)n);
	return true;
}

size_t pty_push(struct pty *p, const char *bytes, size_t len)
{
	pty_all_sleep(p->pid, &p->work_before);
	const ssize_t n = p->closed ? -1 : write(p->fd, bytes, len);
	return n > 0 ? (size_t)n : 0;
}

/* The program may have to write its output before it reads more. */
void pty_type(struct pty *p, const char *bytes)
{
	const time_t end = time(NULL) + pty_patience();
	for (size_t left = strlen(bytes); left > 0 && !p->closed && time(NULL) <= end;) {
		const size_t n = pty_push(p, bytes, left);
		bytes += n;
		left -= n;
		if (left > 0)
			pty_pump(p, 10);
	}
}

void pty_mouse(struct pty *p, int button, int row, int col, char end)
{
	char report[48];
	snprintf(report, sizeof report, "\033[<%d;%d;%d%c", button, col + 1, row + 1, end);
	pty_type(p, report);
}

void pty_click(struct pty *p, int row, int col)
{
	pty_mouse(p, 0, row, col, 'M');
	pty_mouse(p, 0, row, col, 'm');
}

bool pty_click_on(struct pty *p, const char *part)
{
	int row, col;
	/* A frame comes in pieces: the text found must belong to the last frame. */
	if (!pty_wait(p, part) || !pty_settle(p) || !pty_find(p, part, &row, &col))
		return false;
	pty_click(p, row, col);
	return true;
}

void pty_resize(struct pty *p, int rows, int cols)
{
	const struct winsize size = {.ws_row = (unsigned short)rows,
				     .ws_col = (unsigned short)cols};
	p->rows = rows;
	p->cols = cols;
	if (!p->blind)
		vterm_set_size(p->vt, rows, vterm_cols(cols));
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

void pty_show(const struct pty *p)
{
	fprintf(stderr, "%s\n", pty_text(p));
}

bool pty_has(const struct pty *p, const char *part)
{
	return strstr(pty_text(p), part) != NULL;
}

/* Converts a number of bytes of a row into a column. */
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
