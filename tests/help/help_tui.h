/* help_tui.h: one running program per test, ended whatever the test did. */
#ifndef HELP_TUI_H
#define HELP_TUI_H

#include "help_pty.h"

/* Starts the program, in the place of the one before. */
struct pty *tui_start(const struct pty_look *look);
/* The same until its picture and its measures are there. */
struct pty *tui_ready(const struct pty_look *look);
/* Waits until the measures of the picture on the screen are there. */
bool tui_has_measured(struct pty *p);
/* For teardown: ends it if it still runs. */
int tui_teardown(void **state);
/* Leaves by q and expects the terminal as it was. */
void tui_quit(struct pty *p);
bool tui_canonical(struct pty *p, const void *wanted); /* for pty_until; wanted: bool */

/* Types keys and waits for what is then there, and for what is gone; NULL: nothing is waited for. */
struct tui_step {
	const char *keys, *then, *gone;
};
void tui_walk(struct pty *p, const struct tui_step *steps, size_t n);
#define TUI_WALK(p, steps) tui_walk(p, steps, sizeof(steps) / sizeof *(steps))

/* A new empty directory to run in; its files are removed with it. */
const char *tui_directory(void);

#endif
