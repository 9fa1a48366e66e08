/* tui_in.h: the state of the terminal program, and what its files share.
 *
 * The scene that the user changes is app->scene; what is on the screen is `picture`, which may
 * be of an older scene while a newer one is computed. Figure, title and status are always of the
 * picture, so the screen never mixes two scenes; list and prompts are of the user's. */
#ifndef POSVIZ_TUI_IN_H
#define POSVIZ_TUI_IN_H

#include "posviz/strbuf.h"
#include "posviz/text.h"
#include "posviz/worker.h"
#include "terminal.h"

enum mode { MODE_LOOK, MODE_PROMPT, MODE_FIND, MODE_PERMUTE };
enum overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_WHY };
enum prompt_kind { PROMPT_COMMAND, PROMPT_SENTENCE, PROMPT_FIND };
enum { PROMPT_BYTES = 8192, HISTORY_LINES = 64 };

/* A line being edited. */
struct prompt {
	enum prompt_kind kind;
	char text[PROMPT_BYTES];
	size_t len, at;		  /* bytes; `at`: the cursor */
	struct scene before;	  /* what Esc restores */
	char typed[PROMPT_BYTES]; /* what completion began with */
	bool completing;
	size_t candidate;
	size_t recall; /* lines back in the history; 0: the new line */
};

struct permute {
	size_t token; /* place of the cursor */
	bool lifted;
	struct scene before; /* what dropping by Esc restores */
};

struct tui {
	struct app *app;
	struct terminal terminal;
	struct worker *worker;
	struct arena frame;	 /* of one drawing */
	struct arena figures[2]; /* the figure on the screen, and the one before it */
	size_t figure_at;
	struct result *picture; /* the last that could be made; NULL at first */
	struct scene drawn;	/* the scene of its figure: the picture's, looked at anew */
	struct result *measures, *why;
	struct err trouble; /* why app->scene has no picture */

	enum mode mode;
	enum overlay overlay;
	size_t scroll; /* of the overlay */
	struct prompt prompt;
	const char *history[HISTORY_LINES];
	size_t n_history;
	size_t match; /* which of the schemes found is chosen */
	struct permute permute;

	bool placed; /* the cursor was put somewhere for the first picture */
	bool dirty, quit;
	double draw_at; /* when the screen is to be drawn, in seconds of the steady clock */
	int code;	/* exit code */
	int cursor_row, cursor_col; /* of the terminal; row -1: hidden */
};

/* Where things are; rows of lines are -1 when there is no room for them. */
struct layout {
	struct rect title, list, figure;	      /* rows == 0: not there */
	int sentence, measured, params, cell, footer; /* rows; -1: not there */
	int cols;
	struct rect panel[FIGURE_PANELS];
};

/* loop.c */
static const double TUI_SETTLE = 0.014; /* seconds that a picture has to come before the screen is
                                         * drawn without it */
void tui_dirty(struct tui *t, double wait); /* draw in that many seconds */
void tui_submit(struct tui *t);		    /* another scene is wanted */
void tui_refigure(struct tui *t);	    /* the same numbers, another figure */
void tui_react(struct tui *t, unsigned reactions);
bool tui_run_line(struct tui *t, const char *line);
void tui_complain(struct tui *t, const struct err *err);

/* input.c: keys and requests */
void tui_key(struct tui *t, const struct key *key);
const char *tui_context(const struct tui *t);

/* layout.c */
void layout_make(const struct tui *t, struct layout *out);
bool layout_has_list(const struct tui *t);

/* draw.c */
void tui_draw(struct tui *t);
/* A box over the middle of the screen with lines of text, scrolled. */
void draw_overlay(struct tui *t, struct canvas *c, const char *title, const char *const *lines,
		  size_t n, size_t bold_lines);

/* status.c */
void status_title(struct tui *t, struct canvas *c, const struct layout *l);
void status_draw(struct tui *t, struct canvas *c, const struct layout *l);

/* schemes_pane.c */
void schemes_draw(struct tui *t, struct canvas *c, struct rect r, bool focus);
const struct scheme *schemes_found(const struct tui *t, size_t *count); /* the chosen one */
size_t schemes_best(const struct tui *t); /* the match to choose for what is typed */

/* prompt.c */
void prompt_open(struct tui *t, enum prompt_kind kind, const char *text);
void prompt_key(struct tui *t, const struct key *key);
void prompt_cancel(struct tui *t);
bool prompt_edit(struct prompt *p, const struct key *key); /* false: no key of an editor */
void prompt_draw(struct tui *t, struct canvas *c, const struct layout *l);

/* permute.c */
void permute_open(struct tui *t);
bool permute_request(struct tui *t, const char *what);
void permute_draw(struct tui *t, struct canvas *c, int row, int col, int cols);

/* help.c, why.c */
void help_draw(struct tui *t, struct canvas *c);
/* The key as it is written for people: "←", "space". */
const char *help_key(const char *key, bool ascii);
void why_open(struct tui *t);
void why_draw(struct tui *t, struct canvas *c);

#endif
