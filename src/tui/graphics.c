/* graphics.c: see graphics.h.
 *
 * Nothing is believed that a name says: a terminal draws pictures when it answers that it does. What the
 * user asks for wins, but for tmux, which lets nothing through unless it is told to. */
#include "posviz/tui/graphics.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/cleanup.h"
#include "posviz/base/portable.h"
#include "posviz/math/machine.h"
#include "posviz/plot/raster.h"

extern char **environ;

/* ---- tmux ------------------------------------------------------------------------------------ */

static bool start_tmux(const int *ends, pid_t *pid)
{
	static char tmux[] = "tmux", display[] = "display-message", print[] = "-p", at[] = "-t",
		    format[] = "#{allow-passthrough}";
	const char *const pane = getenv("TMUX_PANE");
	char *const pane_words[] = {
		tmux, display, print, at, pane ? (char *)(uintptr_t)pane : NULL, format, NULL};
	char *const words[] = {tmux, display, print, format, NULL};
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
	const int failed =
		posix_spawnp(pid, tmux, &files, NULL, pane ? pane_words : words, environ);
	posix_spawn_file_actions_destroy(&files);
	return failed == 0;
}

/* "1" or "all" for what is allowed. A server that does not answer is not waited for. */
enum tmux graphics_tmux(const struct tui_tier *terminal)
{
	enum { PATIENCE_MS = 200 };
	int ends[2];
	pid_t pid;
	char said = '0';
	if (!terminal->tmux)
		return TMUX_NONE;
	if (!portable_pipe(ends))
		return TMUX_KEEPS;
	if (start_tmux(ends, &pid)) {
		struct pollfd p = {.fd = ends[0], .events = POLLIN};
		if (poll(&p, 1, PATIENCE_MS) <= 0 || read(ends[0], &said, 1) != 1)
			kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	close(ends[0]);
	close(ends[1]);
	return said == '1' || said == '2' || said == 'a' ? TMUX_HANDS_ON : TMUX_KEEPS;
}

/* ---- which ----------------------------------------------------------------------------------- */

/* Why there is nothing but cells, and what would change that. */
static struct graphics cells(const struct settings *settings, const struct tui_tier *terminal,
			     enum tmux tmux, const struct answers *answers)
{
	struct graphics out = {.way = GRAPHICS_CELLS};
	if (settings->graphics == GRAPHICS_CELLS) {
		out.why = "asked for";
	} else if (tmux == TMUX_KEEPS) {
		out.why = "tmux lets no pictures through";
		out.remedy = "tmux set -g allow-passthrough on";
	} else if (tmux == TMUX_HANDS_ON) {
		out.why = "the terminal around tmux does not say that it draws pictures";
		out.remedy = "the setting graphics kitty";
	} else if (!terminal->talks) {
		out.why = "a terminal of this type draws no pictures";
	} else if (answers->attributes) {
		out.why = "the terminal does not say that it draws pictures";
	} else {
		out.why = "the terminal did not answer within 50 ms";
		out.remedy = "the setting graphics kitty, or sixel";
	}
	return out;
}

struct graphics graphics_choose(const struct settings *settings, const struct tui_tier *terminal,
				enum tmux tmux, const struct answers *answers)
{
	const enum graphics_way asked = (enum graphics_way)settings->graphics;
	struct graphics out = {.way = GRAPHICS_CELLS};
	if (asked == GRAPHICS_SIXEL || (asked == GRAPHICS_KITTY && tmux != TMUX_KEEPS)) {
		out.way = asked;
		out.why = "asked for";
	} else if (asked == GRAPHICS_AUTO && answers->kitty && tmux != TMUX_KEEPS) {
		out.way = GRAPHICS_KITTY;
		out.why = "the terminal answers kitty's question for pictures";
	} else if (asked == GRAPHICS_AUTO && answers->sixel) {
		out.way = GRAPHICS_SIXEL;
		out.why = "the terminal says that it draws sixels";
	} else {
		out = cells(settings, terminal, tmux, answers);
	}
	out.tmux = out.way == GRAPHICS_KITTY && tmux == TMUX_HANDS_ON;
	return out;
}

const char *graphics_format(enum graphics_way way)
{
	return way == GRAPHICS_KITTY ? "kitty" : way == GRAPHICS_SIXEL ? "sixel" : "ansi";
}

/* ---- asking without curses ------------------------------------------------------------------- */

/* The terminal as it was, for the signal handler; only one is changed at a time. */
static struct termios before;
static atomic_int asked_fd = -1;

static void restore(void)
{
	const int fd = atomic_exchange(&asked_fd, -1);
	if (fd >= 0)
		tcsetattr(fd, TCSAFLUSH, &before);
}

/* Keys still interrupt. In the background reading would stop us. */
void asking_open(struct asking *a)
{
	*a = (struct asking){.fd = -1};
	if (!isatty(STDOUT_FILENO) || tcgetpgrp(STDOUT_FILENO) != getpgrp())
		return;
	const int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (tcgetattr(fd, &before) != 0) {
		close(fd);
		return;
	}
	struct termios quiet = before;
	quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	quiet.c_cc[VMIN] = 0;
	quiet.c_cc[VTIME] = 0;
	atomic_store(&asked_fd, fd);
	cleanup_restore(restore);
	tcsetattr(fd, TCSANOW, &quiet);
	a->fd = fd;
}

static void take(struct asking *a)
{
	unsigned char bytes[512];
	const ssize_t n = read(a->fd, bytes, sizeof bytes);
	for (ssize_t i = 0; i < n; i++)
		answers_take(&a->answer, bytes[i], &a->answers);
}

/* Until all was said, or so many seconds after the question. */
static void hear(struct asking *a, double seconds)
{
	while (!(a->answers.attributes && (!a->around || a->answers.kitty))) {
		struct pollfd p = {.fd = a->fd, .events = POLLIN};
		const double left = a->asked + seconds - machine_seconds();
		if (left <= 0 || poll(&p, 1, (int)(left * 1000) + 1) <= 0)
			return;
		take(a);
	}
}

/* tmux answers at once, the terminal around it later. */
void asking_ask(struct asking *a, const struct questions *q, double seconds)
{
	struct arena arena;
	struct strbuf b;
	if (a->fd < 0)
		return;
	arena_init(&arena);
	strbuf_init(&b, &arena);
	answers_ask(q, &b);
	const bool sent = write(a->fd, b.at, b.len) == (ssize_t)b.len;
	arena_release(&arena);
	a->answers.attributes = false;
	a->around = q->tmux;
	a->asked = machine_seconds();
	if (sent)
		hear(a, seconds);
}

/* Whoever reads the terminal next would take an answer for keys: a late one is waited for. */
void asking_close(struct asking *a)
{
	static const double late = 0.3;
	if (a->fd < 0)
		return;
	if (a->asked > 0)
		hear(a, late);
	const int fd = atomic_exchange(&asked_fd, -1);
	cleanup_restore(NULL);
	/* Everything was answered, so what is there are keys; else it may be an answer. */
	if (fd >= 0)
		tcsetattr(fd, a->answers.attributes || a->asked <= 0 ? TCSANOW : TCSAFLUSH,
			  &before);
	close(a->fd);
	a->fd = -1;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

bool graphics_pixels(void)
{
	struct winsize size = {0};
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_xpixel > 0 &&
	       size.ws_ypixel > 0;
}

bool graphics_cell(const struct answers *answers, int *width, int *height)
{
	enum { USUAL_WIDTH = 10, USUAL_HEIGHT = 20 };
	struct winsize size = {0};
	const bool told =
		ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
	const bool pixels = told && size.ws_xpixel > 0 && size.ws_ypixel > 0;
	*width = told ? (pixels ? size.ws_xpixel : answers->width) / size.ws_col : 0;
	*height = told ? (pixels ? size.ws_ypixel : answers->height) / size.ws_row : 0;
	if (*width > 0 && *height > 0)
		return true;
	*width = USUAL_WIDTH;
	*height = USUAL_HEIGHT;
	return false;
}

const char *graphics_registers(const struct answers *answers)
{
	const bool few = answers->registers > 0 && answers->registers < 256;
	return few ? ANSWERS_REGISTERS : "";
}

const char graphics_no_room[] = "there is no room for a page of 200 x 200 pixels";

enum { SIXEL = 6, PAGE_LEAST = 200, PAGE_MOST = 8000 };

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Makes letters larger where cells are of many pixels. */
static void fit_letters(int cell_height, struct scene *scene)
{
	enum { USUAL = 15, DPI = 96, POINTS = 9 };
	const int times = cell_height / USUAL;
	if (times < 2 || scene->font_size > 0)
		return;
	scene->font_size = POINTS;
	scene->dpi = (double)DPI * times;
}

/* The page gets the pixels of its place; false where a page would not be one. The last row of sixels is
 * whole: what lies below it would scroll the screen. */
static bool fill(const struct export_place *place, enum graphics_way way, struct scene *scene)
{
	const int width = place->cols * place->cell_width,
		  height = place->rows * place->cell_height;
	const int rows = way == GRAPHICS_SIXEL ? height / SIXEL * SIXEL : height;
	if (width < PAGE_LEAST || rows < PAGE_LEAST)
		return false;
	scene->size = (struct page_size){least(width, PAGE_MOST), least(rows, PAGE_MOST), PAGE_PX};
	fit_letters(place->cell_height, scene);
	return true;
}

/* Sixels that are too large are cut, or not drawn at all. */
static struct export_place place_of(const struct answers *answers, enum graphics_way way, int cols,
				    int rows)
{
	struct export_place out = {.cols = least(cols, EXPORT_PLACE_MOST),
				   .rows = least(rows, EXPORT_PLACE_MOST)};
	graphics_cell(answers, &out.cell_width, &out.cell_height);
	if (way == GRAPHICS_SIXEL && answers->sixel_width >= out.cell_width &&
	    answers->sixel_height >= out.cell_height) {
		out.cols = least(out.cols, answers->sixel_width / out.cell_width);
		out.rows = least(out.rows, answers->sixel_height / out.cell_height);
	}
	return out;
}

bool graphics_page(const struct answers *answers, enum graphics_way way, int cols, int rows,
		   struct scene *scene, struct export_place *out)
{
	*out = place_of(answers, way, cols, rows);
	out->row = 1 + (rows - out->rows) / 2;
	out->col = 1 + (cols - out->cols) / 2;
	return fill(out, way, scene);
}

/* On paper fewer pixels make the same page. */
static bool given_size(struct export_place *out, struct scene *scene, bool *shrunk)
{
	const struct raster_look look = snapshot_look(scene);
	const double width = raster_pixels(&look, look.width);
	const double height = raster_pixels(&look, look.height);
	const double across = (double)out->cols * out->cell_width / width;
	const double down = height > 0 ? (double)out->rows * out->cell_height / height : 1;
	const double scale = fmin(1, fmin(across, down));
	out->natural = true;
	*shrunk = scale < 1;
	if (scale < 1 && scene->size.unit != PAGE_PX) {
		scene->dpi = look.dpi * scale;
	} else if (scale < 1) {
		scene->size.width = floor(scene->size.width * scale);
		scene->size.height = floor(scene->size.height * scale);
	}
	return scene->size.unit != PAGE_PX ||
	       (scene->size.width >= PAGE_LEAST && scene->size.height >= PAGE_LEAST);
}

static bool is_usual(const struct page_size *size)
{
	struct scene usual;
	scene_init(&usual);
	return size->unit == usual.size.unit && !(size->width < usual.size.width) &&
	       !(size->width > usual.size.width) && !(size->height < usual.size.height) &&
	       !(size->height > usual.size.height);
}

bool graphics_fit(const struct answers *answers, enum graphics_way way, int cols, int rows,
		  struct scene *scene, struct export_place *out, bool *shrunk)
{
	static const double form = 1.6; /* of the usual page: its width to its height */
	*out = place_of(answers, way, cols, rows);
	*shrunk = false;
	if (!is_usual(&scene->size))
		return given_size(out, scene, shrunk);
	const double height = (double)out->cols * out->cell_width / form;
	out->rows = least(out->rows, (int)ceil(height / out->cell_height));
	return fill(out, way, scene);
}

unsigned graphics_id(void)
{
	const unsigned pid = (unsigned)getpid();
	return (1 + pid % 255) | (pid / 255 % 256) << 24;
}
