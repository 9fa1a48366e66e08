/* pen_structure.h: the three drawings of a structure over tokens, for pen_structure.c, and what they
 * share. */
#ifndef POSVIZ_PEN_STRUCTURE_H
#define POSVIZ_PEN_STRUCTURE_H

#include "plot/drawing.h"
#include "plot/pen.h"

struct structure {
	struct pen pen;
	const struct drawing *d;
	struct light light;
};

/* False: there is no room for arcs; `whole`: not for all of them, their words and labels. Then nothing
 * is drawn. */
bool structure_arcs(struct structure *s, bool whole);
void structure_tree(struct structure *s);
void structure_edges(struct structure *s);

/* Of a token and of a node's name: the cursor's path is strong, its ends stand out. */
enum role structure_token(const struct structure *s, size_t token);
enum role structure_node(const struct structure *s, size_t node);
/* "3", and at the cursor "t=3", "s=3", "t=s=3". */
const char *structure_place(const struct structure *s, size_t token);
/* What is not drawn, at the right of the line about y. */
void structure_rest(const struct structure *s, double y, const char *text);

/* A row of words for arcs to stand on (pen_words.c). All lengths are the pen's. */
struct word_row {
	const struct structure *s;
	struct visible visible;
	struct arcs arcs;
	/* Of tokens [n_tokens]: the width and the middle of a word, and where arcs meet it, which is
	 * the middle of all words of its node. */
	double *width, *mid, *stem;
	double *gap; /* [visible.n + 1]: of the sign for words left out before one; < 0: none are */
	double left, right; /* where arcs may go */
	double title;	    /* room left of them for the titles of rows below; 0: none */
	double line;	    /* the height of the highest word */
	double angle, high; /* at which words are turned, and the height of their row */
};

/* Chooses words, where they stand, and their arcs. `whole`: all of them, with room for all labels;
 * false: there is none. */
bool structure_words(struct word_row *w, bool whole);
/* The words from this height on, and as many of the lines under them: places, positions, what these
 * are. */
void structure_words_draw(const struct word_row *w, double top, size_t lines);

#endif
