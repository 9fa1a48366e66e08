/* terminal.h: the terminal itself: opening it with the colours it has, signals, keys, restoring it
 * whatever happens. Cells are put on it by screen_show alone. */
#ifndef POSVIZ_TERMINAL_H
#define POSVIZ_TERMINAL_H

#include <stdbool.h>

#include "posviz/canvas.h"
#include "posviz/tui.h"

enum { KEY_BYTES = 24 };

struct key {
	char name[KEY_BYTES]; /* "j", "Down", "Ctrl-r", "Space" */
	char text[8];	      /* what it types, UTF-8; "" when nothing */
	bool pasted;
};

struct terminal {
	enum tier tier;
	bool utf8;  /* the locale can show more than ASCII */
	bool ascii; /* wanted, or because of the locale */
	bool dark;
	bool pasting;
	void *keys; /* the window that keys are read from */
	int rows, cols;
	int signals; /* readable when a signal came */
};

/* There is one terminal, so what signal handlers need is static in terminal.c. */
bool terminal_open(struct terminal *t, const struct tui_options *options, struct err *err);
void terminal_close(struct terminal *t);

/* The next signal that came, or 0. */
int terminal_signal(struct terminal *t);

/* Gives the terminal back and stops until SIGCONT. */
void terminal_suspend(struct terminal *t);

/* Looks at the size anew. `anew`: everything on the screen is lost. */
void terminal_resize(struct terminal *t, bool anew);

/* The next key that is waiting; false when there is none. */
bool terminal_key(struct terminal *t, struct key *key);

/* Bytes that the terminal has not read yet. */
int terminal_pending(void);

/* Puts the canvas on the screen; a cursor shows at (row, col) when row >= 0. */
void screen_show(const struct terminal *t, const struct canvas *c, int row, int col);

extern const char *const terminfo_direct[], *const terminfo_tmux[]; /* pieces, NULL at the end */

#endif
