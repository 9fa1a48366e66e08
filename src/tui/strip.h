/* strip.h: words in a row, one of them under the cursor and perhaps lifted: tokens that are moved, the words of a
 * tree, the nodes of a graph. */
#ifndef TUI_STRIP_H
#define TUI_STRIP_H

#include "tui_in.h"

/* The units in a row; those that an order moves have places, counted from 0. */
struct row {
	size_t n, moving;
	const char **names; /* of repeated ones with the number of their occurrence */
	bool *moves;
	size_t *place, *was; /* now, and as written */
};

void row_init(struct row *r, size_t n, struct arena *a);

enum { STRIP_GAP = 2 }; /* around each, for the brackets of a lifted one */

struct strip {
	struct line *l;
	const struct row *r;
	bool held;   /* the word `at` is lifted */
	bool hung;   /* words of a structure: they are no places to drop a token on */
	size_t at;   /* word under the cursor */
	size_t head; /* with brackets round it: what the one under the cursor hangs on; n: none */
	int most;    /* columns of a label */
};
void strip_draw(const struct strip *d);

/* The answers to Space and Esc of both modes: lifts or drops; puts a lifted one back, or leaves the mode. */
void permute_lift(struct tui *t);
void permute_back(struct tui *t);

#endif
