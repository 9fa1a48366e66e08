/* box.h: text in a box over the middle of the screen. */
#ifndef POSVIZ_TUI_BOX_H
#define POSVIZ_TUI_BOX_H

#include "posviz/app/app.h"
#include "posviz/base/arena.h"
#include "posviz/plot/canvas.h"

struct tui;

/* A text as it was when it was asked for. */
struct box {
	struct arena arena;
	const char *title, **lines;
	bool *bold;
	size_t n, cols;
};

struct box_search {
	bool typing;
	char text[128];	    /* what is looked for; "" for nothing */
	size_t from;	    /* the scroll when that began */
	bool due;	    /* drawing goes to the match: */
	int step;	    /* the next, the one before; 0: the first behind `from` */
	size_t line, at, n; /* its line as wrapped, and which of so many it is */
};

/* A box over the middle of the screen with lines of text, scrolled. `menu`: each line is a choice,
 * t->scroll the chosen one. */
struct overlay_text {
	const char *title;
	const char *const *lines;
	const bool *bold; /* n, or NULL */
	size_t n;
	bool menu;
	size_t cols; /* lines are broken at; 0: where the screen ends */
	size_t hang; /* where those that go on begin, headings aside; 0: a little indented */
};
enum { BOX_PROSE = 100 }; /* columns that are read with ease */
void draw_overlay(struct tui *t, struct canvas *c, const struct overlay_text *text);
/* Opens a box with a text that stays as it is now: at most n lines, added one by one; `cols` as above. */
void box_open(struct tui *t, const char *title, size_t cols, size_t n);
void box_line(struct tui *t, const char *line, bool bold);
void box_close(struct tui *t); /* or what else lies over the figure */
bool box_answer(struct tui *t, enum request what);
bool box_answer_search(struct tui *t, enum request what);
void box_search(struct tui *t); /* something is to be typed, and */
void box_sought(struct tui *t); /* was typed */

#endif
