/* help_pty.h: runs the real program on a pseudo-terminal, whose screen libvterm keeps.
 *
 * No function looks after a fixed time: all wait for a condition, with a deadline that only a
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

/* For programs that are made to crash: without it sanitizers would handle the signal themselves. */
#ifdef __SANITIZE_THREAD__
#define PTY_SANITIZER "TSAN_OPTIONS"
#else
#define PTY_SANITIZER "ASAN_OPTIONS"
#endif
#define PTY_OWN_CRASHES                                                                 \
	PTY_SANITIZER "=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:" \
		      "handle_abort=0"

/* The terminal's answers to each question, instead of libvterm's; NULL: no answer. */
struct pty_answers {
	const char *kitty, *background, *mode, *colours, *largest, *pixels, *attributes;
};

struct pty_look {
	int rows, cols;
	int width, height; /* pixels of the whole terminal; 0: not known */
	const struct pty_answers *answers;
	const char *env[PTY_ENV];   /* "NAME=VALUE"; "NAME" removes it; NULL ends */
	const char *args[PTY_ARGS]; /* after --fresh; NULL ends */
	const char *shell; /* a command for bash, with $POSVIZ set; NULL: the program itself */
	const char *dir;   /* working directory; NULL: the present one */
};

struct pty {
	int fd, rows, cols;
	pid_t pid;
	VTerm *vt;
	VTermScreen *screen;
	struct termios before; /* the terminal's modes before the program began */
	char *raw;	       /* the output, at least its last PTY_RAW bytes */
	size_t raw_len, raw_cap;
	size_t written; /* bytes of the whole output */
	char open[64];	/* the beginning of an incomplete control sequence */
	size_t open_len;
	enum {
		PTY_TEXT,
		PTY_ESC,
		PTY_STRING,
		PTY_STRING_ESC
	} string;  /* state in an APC or DCS string: pictures, questions */
	char last; /* the last character shown */
	const struct pty_answers *answers;
	size_t heard;		/* bytes of `raw` that were searched for questions */
	bool closed, alternate; /* alternate: the program is on the alternate screen */
	bool blind;		/* libvterm gets no output */
	double work_before;	/* processor time in nanoseconds when the last keys were typed */
};

void pty_start(struct pty *p, const struct pty_look *look);
/* Ends the program if it still runs. */
void pty_stop(struct pty *p);

void pty_type(struct pty *p, const char *bytes);
/* Sends a report of the mouse as terminals do (SGR 1006) for a cell counted from 0. `button`: 0 the
 * left one, 32 the same while moving, 64 and 65 the wheel up and down; `end`: 'M', or 'm' for a
 * release. */
void pty_mouse(struct pty *p, int button, int row, int col, char end);
void pty_click(struct pty *p, int row, int col);
/* Waits for the text and clicks on its first occurrence; returns false if it does not appear. */
bool pty_click_on(struct pty *p, const char *text);
void pty_resize(struct pty *p, int rows, int cols);
/* Stops passing output to libvterm, or starts again with an empty screen of the present size.
 * libvterm (0.1.4) does not survive many resizes to sizes for which the program has not drawn
 * yet. */
void pty_look(struct pty *p, bool on);

/* Returns the seconds that the program may take at most. */
time_t pty_patience(void);
/* Examines the threads of a program once, one after the other: returns true if each was asleep;
 * *work gets the nanoseconds of work of all threads. */
bool pty_all_sleep(pid_t pid, double *work);

/* Waits until the program is idle: all threads asleep at the same time, all output read and no
 * frame due. Returns false at the deadline. */
bool pty_settle(struct pty *p);

/* Consecutive looks that found all threads asleep, without any work between them. */
struct pty_rest {
	int looks;
	double work; /* nanoseconds of all threads, at the last look */
};
/* Adds a look; returns whether all threads were asleep at the same time. */
bool pty_rest_look(struct pty_rest *r, bool asleep, double work);

/* Writes as much as the terminal takes at once; returns the number of bytes. */
size_t pty_push(struct pty *p, const char *bytes, size_t len);
/* Reads the available output, waiting at most `ms` for it; returns whether there was any. */
bool pty_pump(struct pty *p, int ms);

/* Read output until the text is on the screen, or is not, in a complete frame; return false at the
 * deadline. */
bool pty_wait(struct pty *p, const char *text);
bool pty_wait_gone(struct pty *p, const char *text);
/* Does the same for one row. */
bool pty_wait_row(struct pty *p, int row, const char *text);
/* Reads output until `done` returns true. */
bool pty_until(struct pty *p, bool (*done)(struct pty *p, const void *context),
	       const void *context);

/* Reads output until the text appears, even in an incomplete frame: for measurements of time. */
bool pty_glimpse(struct pty *p, const char *text);

/* Waits for the end of the program; returns the exit code, or 128 + signal if a signal killed it;
 * -1 at the deadline. */
int pty_exit(struct pty *p);

/* Return the screen as lines, or one of its rows: valid until the next call. */
const char *pty_text(const struct pty *p);
const char *pty_row(const struct pty *p, int row);
bool pty_has(const struct pty *p, const char *text);
/* Finds the first cell of the text's first occurrence; returns false if there is none. */
bool pty_find(const struct pty *p, const char *text, int *row, int *col);
/* Returns a cell. libvterm does not know dim, which is represented by `strike`; the program never
 * uses that. */
VTermScreenCell pty_cell(const struct pty *p, int row, int col);

/* Returns the processor time of all threads of the program, in clock ticks; -1 if it has ended. */
long pty_ticks(const struct pty *p);

/* Returns whether the program restored the terminal: its modes, and no alternate screen. */
bool pty_restored(const struct pty *p);

/* Prints the screen on standard error, because cmocka's own printing truncates long text. */
void pty_show(const struct pty *p);

/* Prints the screen, then fails as fail_msg does. */
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
