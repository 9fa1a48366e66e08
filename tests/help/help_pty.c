/* help_pty.c: a pseudo-terminal, its child, and the screen that the child draws. */
#include "help_pty.h"
#include "help_signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
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
	/* The last two: there is no place for the sockets of tours. */
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

/* Replies of the terminal and nothing else. */
static void reply(const char *bytes, size_t len, void *context)
{
	const struct pty *const p = context;
	if (p->answers)
		return;
	const ssize_t written = write(p->fd, bytes, len);
	(void)written;
}

/* A wide character in a single column crashes libvterm (0.1.4). */
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

/* Those of a terminal that nobody has changed: asked for after the fork they may be the program's. */
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

/* ---- what it does -------------------------------------------------------------------------- */

/* How many milliseconds the thread that draws waits for a key or a result, -1 for however long: then no frame is
 * due and no sequence is open. UNKNOWN where that cannot be seen. */
static int waits_ms(pid_t pid)
{
	enum { UNKNOWN = INT_MAX };
	char path[64];
	long number = -1;
	unsigned long third = 0;
	snprintf(path, sizeof path, "/proc/%d/syscall", (int)pid);
	FILE *const f = fopen(path, "r");
	const bool read = f && fscanf(f, "%ld %*x %*x %lx", &number, &third) == 2;
	if (f)
		fclose(f);
#ifdef SYS_poll
	return read && number == SYS_poll ? (int)third : UNKNOWN;
#else
	return read && number == SYS_ppoll && third == 0 ? -1 : UNKNOWN;
#endif
}

/* What the threads of the program have been doing: nanoseconds of work, and whether all sleep. */
static bool all_sleep(pid_t pid, double *work)
{
	char path[128], line[512];
	bool asleep = true;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *const dir = opendir(path);
	*work = 0;
	for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
		double ran = 0;
		snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)pid, e->d_name);
		FILE *const stat = e->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (!stat)
			continue;
		const char *const name_end =
			fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
		asleep = asleep && name_end && name_end[2] == 'S';
		fclose(stat);
		snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)pid, e->d_name);
		FILE *const times = fopen(path, "r");
		if (times && fscanf(times, "%lf", &ran) == 1)
			*work += ran;
		if (times)
			fclose(times);
	}
	if (dir)
		closedir(dir);
	return dir && asleep;
}

/* ---- talking ----------------------------------------------------------------------------- */

/* Follows the changes to the alternate screen and back, which may come in two parts. */
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

/* The answers to what was asked since, in the order of the questions. */
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

/* Writes strike for dim in the parameters of one SGR; those of a colour are left alone. */
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

/* Shows what comes before a control sequence, remembering the last of it. */
static void show_plain(struct pty *p, const char *from, const char *end)
{
	if (end > from)
		p->last = end[-1];
	vterm_input_write(p->vt, from, (size_t)(end - from));
}

/* The last character again (REP): at the right margin libvterm ends the line one too early. */
static void repeat(struct pty *p, int times)
{
	for (int i = 0; i < times && i < p->cols; i++)
		vterm_input_write(p->vt, &p->last, 1);
}

/* How many bytes at the end begin a character that they do not complete. libvterm would lose them: text that
 * begins with ASCII and text that does not have a decoder each. */
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

/* Without the strings that terminals take as a whole and show nothing of: libvterm (0.1.4) shows those it
 * does not know. ESC is doubled in what tmux hands on. Returns how many bytes are left, at most one more. */
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

/* Hands the bytes to libvterm; a control sequence or a character that is not all there waits for the
 * rest. */
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
	all_sleep(p->pid, &p->work_before);
	const ssize_t n = p->closed ? -1 : write(p->fd, bytes, len);
	return n > 0 ? (size_t)n : 0;
}

/* How many seconds the program may take, at most; sanitizers make it slow, and say so. */
static time_t patience(void)
{
	const char *const times = getenv("TEST_PATIENCE");
	return PTY_SECONDS * (times ? atoi(times) : 1);
}

/* The program may have to be rid of its output before it takes more. */
void pty_type(struct pty *p, const char *bytes)
{
	const time_t end = time(NULL) + patience();
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
	/* A frame comes in pieces: what stands there must be of the last one. */
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

/* Whether the thread that draws runs. */
static bool draws(const struct pty *p)
{
	char path[64], line[512];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)p->pid);
	FILE *const f = fopen(path, "r");
	const char *const name_end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
	const bool runs = name_end && (name_end[2] == 'R' || name_end[2] == 'D');
	if (f)
		fclose(f);
	return runs;
}

/* A frame comes in pieces. It is all there when its writer sleeps although nothing is left to read:
 * it does not wait to be rid of more. */
static void pump_frame(struct pty *p, time_t end)
{
	enum { QUIET = 3 };
	for (int quiet = 0; quiet < QUIET && !p->closed && time(NULL) <= end;) {
		const bool drawing = draws(p);
		quiet = pty_pump(p, 1) || drawing ? 0 : quiet + 1;
	}
}

typedef bool condition(struct pty *p, const void *context);

static bool until(struct pty *p, condition *done, const void *context, bool whole)
{
	const time_t end = time(NULL) + patience();
	for (;;) {
		if (done(p, context)) {
			if (whole)
				pump_frame(p, end);
			if (!whole || done(p, context))
				return true;
		}
		if (time(NULL) > end || p->closed)
			return done(p, context);
		pty_pump(p, 50);
	}
}

bool pty_until(struct pty *p, bool (*done)(struct pty *p, const void *context), const void *context)
{
	return until(p, done, context, true);
}

/* Two looks in a row at threads that all sleep and have worked not a nanosecond between them: each slept all the
 * time from its place in the first to its place in the second, so there was a time when all did, and nobody was
 * left who could wake another. One look cannot tell: a thread of which it has seen that it sleeps may be woken by
 * one that it sees asleep a moment later. */
bool pty_rest_look(struct pty_rest *r, bool asleep, double work)
{
	r->looks = !asleep						    ? 0
		   : r->looks > 0 && !(work > r->work) && !(work < r->work) ? r->looks + 1
									    : 1;
	r->work = work;
	return r->looks >= 2;
}

/* The program rests when all its threads do, the last bytes are read and no frame is due: one waits at most for a
 * change's picture (14 ms), the terminal (12 ms), the rest of a sequence (10 ms) or a slow frame before it (33 ms).
 * It has to have woken after what was typed. Where that cannot be seen, more looks than such a wait lasts. */
bool pty_settle(struct pty *p)
{
	enum { QUIET = 10, STEP_MS = 5, SOON_MS = QUIET * STEP_MS };
	const time_t end = time(NULL) + 4 * patience(); /* it may have much to compute */
	struct pty_rest rest = {0};
	while (!p->closed && time(NULL) <= end) {
		double work;
		const bool came = pty_pump(p, STEP_MS);
		const bool asleep = all_sleep(p->pid, &work) && !came;
		if (!pty_rest_look(&rest, asleep, work))
			continue;
		const int ms = waits_ms(p->pid);
		if ((ms < 0 && work > p->work_before) ||
		    (rest.looks >= QUIET && (ms < 0 || ms > SOON_MS)))
			return true;
	}
	return false;
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

bool pty_glimpse(struct pty *p, const char *part)
{
	return until(p, is_there, part, false);
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

long pty_ticks(const struct pty *p)
{
	char path[64], line[1024];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)p->pid);
	FILE *const f = fopen(path, "r");
	const bool read = f && fgets(line, sizeof line, f);
	if (f)
		fclose(f);
	const char *const at = read ? strrchr(line, ')') : NULL;
	unsigned long user, kernel;
	if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
			  &kernel) != 2)
		return -1;
	return (long)(user + kernel);
}

int pty_exit(struct pty *p)
{
	const time_t end = time(NULL) + patience();
	int status;
	while (waitpid(p->pid, &status, WNOHANG) == 0) {
		if (time(NULL) > end)
			return -1;
		if (p->closed)
			usleep(1000);
		else
			pty_pump(p, 20);
	}
	p->pid = 0;
	/* What it wrote last: it comes late on a busy machine, and ends when nobody can write any more. */
	for (const time_t last = time(NULL) + 3; !p->closed && time(NULL) <= last;)
		pty_pump(p, 20);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool pty_restored(const struct pty *p)
{
	struct termios now;
	if (tcgetattr(p->fd, &now) != 0)
		return false;
	const bool modes = now.c_lflag == p->before.c_lflag && now.c_iflag == p->before.c_iflag &&
			   now.c_oflag == p->before.c_oflag;
	return modes && !p->alternate;
}
