/* diagram.h: panels of tokens that moved, and of trees and graphs over tokens. */
#ifndef POSVIZ_DIAGRAM_H
#define POSVIZ_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

/* Two rows of words with lines between them: how tokens moved. */
struct link {
	size_t from, to; /* indices in the upper and in the lower row */
	bool strong;	 /* a token that moved; other lines are drawn quiet */
};

struct links {
	size_t n_above, n_below, n;
	const char *const *above, *const *below;
	const char *above_title, *below_title; /* "as written", "now" */
	const struct link *links;
	bool has_cursor;
	size_t cursor; /* index in the lower row */
	/* [rows of the figure]: the lower word of a row of the figure's cursor; NULL: the same
	 * index */
	const size_t *cursor_row;
	const bool *pointed; /* [n_below]: words that are pointed out; NULL: none */
};

/* Tokens with a tree or a graph over them: arcs above a row of words; a tree from its root at the
 * left to its leaves; or a graph, drawn with arcs if all of them and their labels have room, else
 * as a list of edges. The path between the two tokens of the cursor, along edges and against them,
 * has more weight. */
enum drawing_kind { DRAWING_ARCS, DRAWING_TREE, DRAWING_GRAPH };

struct drawn_edge {
	size_t from, to;   /* nodes */
	const char *label; /* "" for none */
};

/* A value for each token, drawn below it: its depth in the tree, its path from the root. */
struct drawn_row {
	const char *title;
	const char *const *text; /* [n_tokens], "" for none */
};

struct drawing {
	enum drawing_kind kind;
	size_t n_tokens;
	const char *const *tokens; /* in the order in which they are shown */
	const long *node;	   /* the node of each token; -1: it has none */
	const struct drawn_row
		*below; /* rows under the tokens, left out from the last one for lack of room */
	size_t n_below;
	size_t n; /* number of nodes */
	const char *const *names;
	/* the parent of each node, -1 for roots; NULL: a graph */
	const long *parent;
	const size_t *branch; /* NULL for arcs and graphs */
	const struct drawn_edge *edges;
	size_t n_edges;
	bool directed;
	bool has_cursor;
	size_t query, key; /* the tokens of the cursor; SIZE_MAX: none of these */
	/* The tokens of a row and of a column of the figure's cursor, SIZE_MAX: none; NULL: the
	 * same index. */
	const size_t *cursor_row, *cursor_col;
	size_t n_rows, n_cols; /* lengths of these */
	const bool *pointed;   /* [n_tokens]: tokens that are pointed out; NULL: none */
};

#endif
