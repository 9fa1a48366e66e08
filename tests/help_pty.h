/* help_pty.h: the real program on a pseudo-terminal, its screen kept by libvterm.
 *
 * Nothing here looks after a fixed time: a condition is waited for, with a deadline that only a
 * failure reaches. */
#ifndef HELP_PTY_H
#define HELP_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

enum { PTY_SECONDS = 30, PTY_ENV = 8, PTY_ARGS = 12 };

struct pty_look {
	int rows, cols;
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
	char *raw;	       /* all that was written */
	size_t raw_len, raw_cap;
	bool closed;
};

void pty_start(struct pty *p, const struct pty_look *look);
/* Ends the program if it still runs. */
void pty_stop(struct pty *p);

void pty_type(struct pty *p, const char *bytes);
void pty_resize(struct pty *p, int rows, int cols);

/* Reads what comes until the text is on the screen, or is not; false at the deadline. */
bool pty_wait(struct pty *p, const char *text);
bool pty_wait_gone(struct pty *p, const char *text);
/* The same for one row. */
bool pty_wait_row(struct pty *p, int row, const char *text);
/* Until `done` says so. */
bool pty_until(struct pty *p, bool (*done)(struct pty *p, const void *context),
	       const void *context);

/* Waits for the end; the exit code, or 128 + signal for a death by signal; -1 at the deadline. */
int pty_exit(struct pty *p);

/* The screen as lines, or one row of it: valid until the next call. */
const char *pty_text(const struct pty *p);
const char *pty_row(const struct pty *p, int row);
bool pty_has(const struct pty *p, const char *text);
/* The cell where the text stands first; false when it does not. */
bool pty_find(const struct pty *p, const char *text, int *row, int *col);
VTermScreenCell pty_cell(const struct pty *p, int row, int col);

/* Whether the program left the terminal as it found it: modes, and the alternate screen left. */
bool pty_restored(const struct pty *p);

/* fail_msg with the screen below the words. */
#define PTY_FAIL(p, ...)                          \
	do {                                      \
		print_error("%s\n", pty_text(p)); \
		fail_msg(__VA_ARGS__);            \
	} while (0)
#define PTY_EXPECT(p, condition)                       \
	do {                                           \
		if (!(condition))                      \
			PTY_FAIL(p, "%s", #condition); \
	} while (0)

#endif
