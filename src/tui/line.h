/* line.h: lines of words on the screen. */
#ifndef POSVIZ_TUI_LINE_H
#define POSVIZ_TUI_LINE_H

#include "posviz/plot/canvas.h"

struct tui;

/* A line of words being written from the left: items whole or not at all, so that nothing is cut in
 * the middle of a number. */
struct line {
	struct tui *t;
	struct canvas *c;
	struct arena *a;
	int row, col, right;
};

struct line line_at(struct tui *t, struct canvas *c, int row, const char *label);
bool line_item(struct line *l, int gap, const char *text, unsigned attrs);
/* "bias -1.31": a dim word and its value, together or not at all. */
bool line_value(struct line *l, int gap, const char *word, const char *text, unsigned attrs);
/* Bytes of `text` that go on a line of `cols`, broken at a blank where there is one. */
size_t line_break(const char *text, size_t cols);
/* An error in a row, and as many above it as it takes. */
void line_error(struct tui *t, struct canvas *c, int row, int right, const char *text);
struct rect line_since(const struct line *l, int col); /* what was written from a column on */

#endif
