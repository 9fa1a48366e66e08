/* canvas_arcs.h: a row of words and the arcs above it, for canvas_words.c, which decides where
 * words stand and writes them, and canvas_arcs.c, which draws the arcs. */
#ifndef POSVIZ_CANVAS_ARCS_H
#define POSVIZ_CANVAS_ARCS_H

#include "plot/canvas_structure.h"

struct row_of_words {
	const struct sketch *s;
	struct sight sight;
	struct arcs arcs;
	/* Columns, of tokens [n_tokens]: the width and the middle of a word, and where arcs meet
	 * it, which is the middle of all words of its node. */
	int *width, *mid, *stem;
	int *gap; /* [sight.n + 1]: of the sign for words left out before one; -1: none are */
	int left, right; /* where arcs may go */
	int title;	 /* columns left of them for the titles of rows below; 0: none */
};

/* Chooses words, where they stand, and their arcs. `whole`: all of them, with room for all labels;
 * false: there is none. */
bool sketch_words(struct row_of_words *w, bool whole);

/* The rows under the arcs: words, places, positions and what they are, as far as `rows` let. */
void sketch_words_draw(const struct row_of_words *w, int row, int rows);

#endif
