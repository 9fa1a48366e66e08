/* terminal.h: the terminal itself: opening it with the colours it has, signals, keys, restoring it
 * whatever happens. Cells are put on it by screen_show alone. */
#ifndef POSVIZ_TERMINAL_H
#define POSVIZ_TERMINAL_H

#include <stdbool.h>

#include "posviz/tui/answers.h"
#include "posviz/plot/canvas.h"
#include "posviz/tui/tui.h"

enum { KEY_BYTES = 24 };

enum mouse_kind { MOUSE_NONE, MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL };

/* An event of the mouse: the left button, or the wheel. */
struct mouse {
	enum mouse_kind kind;
	int row, col;	 /* from 0; may lie beyond the screen */
	int down, right; /* of the wheel: one of them is -1 or 1 */
};

struct key {
	/* "j", "Down", "Ctrl-r", "Space"; "Mouse" with what is below; "Answer" of the terminal */
	char name[KEY_BYTES];
	char text[8]; /* what it types, UTF-8; "" when nothing */
	bool pasted;
	struct mouse mouse;
};

/* Bytes of input that are not a key yet. */
struct partial {
	char utf8[4];
	size_t n_utf8;
	bool report; /* a report of the mouse is being read */
	char digits[32];
	size_t n_digits, skip; /* skip: bytes of a report in the old form */
	struct answer_bytes answer;
	double since, last; /* when the report or the answer began, and its last byte */
};

struct terminal {
	enum tier tier;
	bool utf8;  /* the locale can show more than ASCII */
	bool ascii; /* wanted, or because of the locale */
	bool quadrants;
	enum background background;
	struct answers answers;	   /* what the terminal said of itself, */
	double asked;		   /* when it was asked; 0: it was not */
	bool waiting;		   /* it may still say more */
	bool asked_taken;	   /* whether it has taken all that was sent */
	bool hears_all;		   /* of the answers none is taken for keys */
	bool talks, asks, in_tmux; /* of struct tui_tier */
	bool pasting;
	bool mouse;  /* its reports are taken */
	bool mouses; /* the terminal knows of mice */
	struct partial partial;
	size_t codes; /* bytes and keys that were read */
	void *keys;   /* the window that keys are read from */
	int rows, cols;
	int signals; /* readable when a signal came */
};

/* There is one terminal, so what signal handlers need is static in terminal.c. */
bool terminal_open(struct terminal *t, const struct settings *settings, enum theme theme,
		   struct err *err);

/* The best tier that a description offers by itself. */
struct capability;
enum tier tier_of_capability(const struct capability *e);
void terminal_close(struct terminal *t);

/* The same terminal with other settings: colours, glyphs, background. Signals and modes stay. */
bool terminal_reopen(struct terminal *t, const struct settings *settings, enum theme theme,
		     struct err *err);

/* Takes clicks, wheel and drags, or leaves them to the terminal. */
void terminal_mouse(struct terminal *t, bool on);

/* Sends what has nothing to do with what is drawn, past curses, whole. */
void terminal_past(const char *bytes);

/* The next signal that came, or 0. */
int terminal_signal(struct terminal *t);

/* Gives the terminal back and stops until SIGCONT. */
void terminal_suspend(struct terminal *t);

/* After a SIGCONT: others may have used the terminal meanwhile. */
void terminal_continue(struct terminal *t);

/* Looks at the size anew. `anew`: everything on the screen is lost. */
void terminal_resize(struct terminal *t, bool anew);

/* Asks more of the terminal than when it was opened; the answers come like keys. */
void terminal_ask(struct terminal *t, const struct questions *q);
/* Asks for an answer that comes when the terminal has taken all that was sent: then answers.attributes is true
 * again. */
void terminal_ask_taken(struct terminal *t);
/* Notices that nothing more will be answered. */
void terminal_hear(struct terminal *t);

/* Around what is drawn at once, where the terminal can keep it back until its end. */
void terminal_frame(const struct terminal *t, bool begins);

/* A picture is being sent, or stands: `end` takes it away, from whatever place in it, and leaving the
 * terminal in any way sends it. */
void terminal_picture(const char *end);
void terminal_picture_ends(void);

/* Sends bytes past curses, as many as the terminal takes at once; returns how many. */
size_t terminal_send(const char *bytes, size_t len);

/* The next key that is waiting; false when there is none. */
bool terminal_key(struct terminal *t, struct key *key);

/* Teaches curses the sequences that are ours; after keypad(). False when it cannot tell all answers. */
bool keys_define(void);

/* Bytes that the terminal has not read yet. */
int terminal_pending(void);

/* Puts the canvas on the screen; a cursor shows at (row, col) when row >= 0. */
void screen_show(const struct terminal *t, const struct canvas *c, int row, int col);

extern const char *const terminfo_direct[], *const terminfo_tmux[]; /* pieces, NULL at the end */

#endif
