/* pen_structure.h: the three drawings of a structure over tokens, for pen_structure.c, and their
 * common functions. */
#ifndef POSVIZ_PEN_STRUCTURE_H
#define POSVIZ_PEN_STRUCTURE_H

#include "plot/drawing.h"
#include "plot/pen.h"

struct structure {
	struct pen pen;
	const struct drawing *d;
	struct light light;
};

/* Draws arcs; draws nothing and returns false if there is no room for them, or with `whole`, not
 * for all arcs, words and labels. */
bool structure_arcs(struct structure *s, bool whole);
void structure_tree(struct structure *s);
void structure_edges(struct structure *s);

/* Return the role of a token, and of a node's name: the cursor's path is strong, its ends have a
 * role of their own. */
enum role structure_token(const struct structure *s, size_t token);
enum role structure_node(const struct structure *s, size_t node);
/* Returns "3", and at the cursor "t=3", "s=3", "t=s=3". */
const char *structure_place(const struct structure *s, size_t token);
/* Writes a note about what is not drawn, at the right of the line around y. */
void structure_rest(const struct structure *s, double y, const char *text);

/* A row of words below arcs (pen_words.c). Lengths are the pen's. */
struct word_row {
	const struct structure *s;
	struct visible visible;
	struct arcs arcs;
	/* [n_tokens] of tokens: the width and the middle of a word, and the x where arcs meet it,
	 * which is the middle of all words of its node. */
	double *width, *mid, *stem;
	double *gap;	    /* [visible.n + 1]: x of the sign for omitted words; < 0: none */
	double left, right; /* the range of arcs */
	double title;	    /* width at the left for the titles of rows below; 0: none */
	double line;	    /* the height of the highest word */
	double angle, high; /* the angle of words, and the height of their row */
};

/* Chooses words, their places, and their arcs. `whole`: all words, with room for all labels; false
 * if there is no room. */
bool structure_words(struct word_row *w, bool whole);
/* Draws the words from this height on, and as many of the lines under them as `lines`: positions in
 * the sentence, numbers, and the titles of these. */
void structure_words_draw(const struct word_row *w, double top, size_t lines);

#endif
