/* help_pty.h: the real program on a pseudo-terminal, its screen kept by libvterm.
 *
 * Nothing here looks after a fixed time: a condition is waited for, with a deadline that only a
 * failure reaches. */
#ifndef HELP_PTY_H
#define HELP_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

enum { PTY_SECONDS = 30, PTY_ENV = 12, PTY_ARGS = 20, PTY_RAW = 16 << 20 };

/* For programs that are made to crash: sanitizers would end them themselves. */
#ifdef __SANITIZE_THREAD__
#define PTY_SANITIZER "TSAN_OPTIONS"
#else
#define PTY_SANITIZER "ASAN_OPTIONS"
#endif
#define PTY_OWN_CRASHES                                                                 \
	PTY_SANITIZER "=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:" \
		      "handle_abort=0"

/* What the terminal answers to each question, instead of libvterm; NULL: it is silent. */
struct pty_answers {
	const char *kitty, *background, *mode, *colours, *largest, *pixels, *attributes;
};

struct pty_look {
	int rows, cols;
	int width, height; /* pixels of all; 0: not known */
	const struct pty_answers *answers;
	const char *env[PTY_ENV];   /* "NAME=VALUE"; "NAME" removes it; NULL ends */
	const char *args[PTY_ARGS]; /* after --fresh; NULL ends */
	const char *shell;	    /* run by bash instead, with $POSVIZ set; NULL: the program */
	const char *dir;	    /* working directory; NULL: this one */
};

struct pty {
	int fd, rows, cols;
	pid_t pid;
	VTerm *vt;
	VTermScreen *screen;
	struct termios before; /* the terminal's modes when the program began */
	char *raw;	       /* what was written, at least the last PTY_RAW bytes of it */
	size_t raw_len, raw_cap;
	size_t written; /* bytes in all */
	char open[64];	/* the beginning of a control sequence that is not all there yet */
	size_t open_len;
	enum {
		PTY_TEXT,
		PTY_ESC,
		PTY_STRING,
		PTY_STRING_ESC
	} string;  /* APC or DCS: pictures, questions */
	char last; /* character shown */
	const struct pty_answers *answers;
	size_t heard;		/* bytes of `raw` in which questions were looked for */
	bool closed, alternate; /* alternate: the program is on the alternate screen */
	bool blind;		/* nothing is shown to libvterm */
	double work_before;	/* nanoseconds, when something was typed last */
};

void pty_start(struct pty *p, const struct pty_look *look);
/* Ends the program if it still runs. */
void pty_stop(struct pty *p);

void pty_type(struct pty *p, const char *bytes);
/* A report of the mouse as terminals send it (SGR 1006), of a cell from 0. `button`: 0 the left one,
 * 32 the same while moving, 64 and 65 the wheel up and down; `end`: 'M', or 'm' for a release. */
void pty_mouse(struct pty *p, int button, int row, int col, char end);
void pty_click(struct pty *p, int row, int col);
/* Clicks where the text stands first, once it does; false when it does not come. */
bool pty_click_on(struct pty *p, const char *text);
void pty_resize(struct pty *p, int rows, int cols);
/* Stops looking, or looks again at an empty screen of the present size. libvterm (0.1.4) does not
 * survive many resizes to sizes that the program has not drawn for yet. */
void pty_look(struct pty *p, bool on);

/* Waits until the program does nothing: every thread asleep at one time, all output read and no frame due.
 * False at the deadline. */
bool pty_settle(struct pty *p);

/* Looks at the threads of a program, one after the other: how many in a row found all asleep without any work
 * between them. */
struct pty_rest {
	int looks;
	double work; /* nanoseconds of all threads, at the last look */
};
/* Takes a look up; whether there was a time when all slept. */
bool pty_rest_look(struct pty_rest *r, bool asleep, double work);

/* Writes as much as the terminal takes at once; returns how much that was. */
size_t pty_push(struct pty *p, const char *bytes, size_t len);
/* Reads what is there, waiting at most `ms` for it; whether something came. */
bool pty_pump(struct pty *p, int ms);

/* Reads what comes until the text is on the screen, or is not, in a frame that is all there; false at
 * the deadline. */
bool pty_wait(struct pty *p, const char *text);
bool pty_wait_gone(struct pty *p, const char *text);
/* The same for one row. */
bool pty_wait_row(struct pty *p, int row, const char *text);
/* Until `done` says so. */
bool pty_until(struct pty *p, bool (*done)(struct pty *p, const void *context),
	       const void *context);

/* Until the text comes, whatever else of its frame is still on the way: to measure when. */
bool pty_glimpse(struct pty *p, const char *text);

/* Waits for the end; the exit code, or 128 + signal for a death by signal; -1 at the deadline. */
int pty_exit(struct pty *p);

/* The screen as lines, or one row of it: valid until the next call. */
const char *pty_text(const struct pty *p);
const char *pty_row(const struct pty *p, int row);
bool pty_has(const struct pty *p, const char *text);
/* The cell where the text stands first; false when it does not. */
bool pty_find(const struct pty *p, const char *text, int *row, int *col);
/* libvterm knows no dim: it stands as `strike`, which the program never uses. */
VTermScreenCell pty_cell(const struct pty *p, int row, int col);

/* Processor time that the program has taken, all threads, in clock ticks; -1 when it is gone. */
long pty_ticks(const struct pty *p);

/* Whether the program left the terminal as it found it: modes, and the alternate screen left. */
bool pty_restored(const struct pty *p);

/* The screen on standard error: cmocka's own printing cuts what is long. */
void pty_show(const struct pty *p);

/* fail_msg with the screen before the words. */
#define PTY_FAIL(p, ...)               \
	do {                           \
		pty_show(p);           \
		fail_msg(__VA_ARGS__); \
	} while (0)
#define PTY_EXPECT(p, condition)                       \
	do {                                           \
		if (!(condition))                      \
			PTY_FAIL(p, "%s", #condition); \
	} while (0)

#endif
