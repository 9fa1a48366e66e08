/* diagram.h: moved tokens, and trees and graphs over tokens, as panels of a figure. */
#ifndef POSVIZ_DIAGRAM_H
#define POSVIZ_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

/* Two rows of words, and lines from one to the other: how tokens moved. */
struct link {
	size_t from, to; /* above, below */
	bool strong;	 /* a token that moved; the others are quiet */
};

struct links {
	size_t n_above, n_below, n;
	const char *const *above, *const *below;
	const char *above_title, *below_title; /* "as written", "now" */
	const struct link *links;
	bool has_cursor;
	size_t cursor;		  /* among those below */
	const size_t *cursor_row; /* where a row of the figure's cursor is below; NULL: the same */
	const bool *pointed;	  /* [n_below] pointed out; NULL: none */
};

/* Tokens with a tree or a graph over them: arcs above a row of words, a tree from its root at the
 * left to its leaves, or a graph: arcs where all of them and their labels have room, else a list of
 * edges. The path between the cursor's two tokens, along edges and against them, is drawn with more
 * weight. */
enum drawing_kind { DRAWING_ARCS, DRAWING_TREE, DRAWING_GRAPH };

struct drawn_edge {
	size_t from, to;   /* nodes */
	const char *label; /* "" for none */
};

/* A position of each token: its depth in the tree, its way from the root. */
struct drawn_row {
	const char *title;
	const char *const *text; /* [n_tokens], "" for none */
};

struct drawing {
	enum drawing_kind kind;
	size_t n_tokens;
	const char *const *tokens;     /* in the order shown */
	const long *node;	       /* of each token; -1: it stands on none */
	const struct drawn_row *below; /* under the tokens, as far as there is room */
	size_t n_below;
	size_t n; /* nodes */
	const char *const *names;
	const long *parent;   /* roots: -1; NULL: a graph */
	const size_t *branch; /* of arcs and graphs NULL */
	const struct drawn_edge *edges;
	size_t n_edges;
	bool directed;
	bool has_cursor;
	size_t query, key; /* tokens; SIZE_MAX: the cursor's is none of these */
	/* Where a row and a column of the figure's cursor are among the tokens, SIZE_MAX: nowhere;
	 * NULL: the same. */
	const size_t *cursor_row, *cursor_col;
	size_t n_rows, n_cols; /* of these */
	const bool *pointed;   /* [n_tokens] what is pointed out; NULL: nothing */
};

#endif
