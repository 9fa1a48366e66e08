/* help_tui.h: one running program for each test, which is ended even if the test fails. */
#ifndef HELP_TUI_H
#define HELP_TUI_H

#include "help_pty.h"

/* Starts the program, in place of the one before. */
struct pty *tui_start(const struct pty_look *look);
/* Starts it and waits until its picture and its measures are shown. */
struct pty *tui_ready(const struct pty_look *look);
/* Waits until the measures of the picture on the screen are shown. */
bool tui_has_measured(struct pty *p);
/* Ends the program if it still runs; for teardown. */
int tui_teardown(void **state);
/* Quits by the key q and expects the terminal to be restored. */
void tui_quit(struct pty *p);
bool tui_canonical(struct pty *p, const void *wanted); /* for pty_until; wanted: bool */

/* Types keys, then waits until one text is there and another is gone; NULL: not waited for. */
struct tui_step {
	const char *keys, *then, *gone;
};
void tui_walk(struct pty *p, const struct tui_step *steps, size_t n);
#define TUI_WALK(p, steps) tui_walk(p, steps, sizeof(steps) / sizeof *(steps))

/* Returns a new empty directory to run in; its files are removed with it. */
const char *tui_directory(void);

#endif
