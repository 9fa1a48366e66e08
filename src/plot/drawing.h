/* drawing.h: the common part of drawing a structure on cells and on paper: the edges that the
 * cursor lights up, the level of an arc, the row of a tree's node. */
#ifndef POSVIZ_DRAWING_H
#define POSVIZ_DRAWING_H

#include "posviz/plot/figure.h"

/* The path between the nodes of the cursor's two tokens, which is lit. */
struct light {
	long query, key;   /* nodes; -1: none */
	bool *node, *edge; /* [n], [n_edges] */
	size_t length;	   /* number of its edges; SIZE_MAX: there is no path */
	size_t *path;	   /* its length + 1 nodes, beginning with the query */
};
struct light drawing_light(const struct drawing *d, struct arena *a);

/* Returns the first token on each node, in the order shown; -1: none. */
long *drawing_tokens(const struct drawing *d, struct arena *a);

/* Returns the text of each node: its name, followed by its tokens if these differ from the name;
 * several tokens on one node are in brackets. */
const char **drawing_names(const struct drawing *d, struct arena *a);

/* Returns the last token of the run of neighbours on one node that begins with `first`. */
size_t drawing_run(const struct drawing *d, size_t first);

/* The visible tokens if not all have room. */
struct visible {
	size_t n, *at; /* at: ascending */
	/* [n_tokens]: 2k + 1 for at[k], 2k for a token that is left out before it */
	size_t *slot;
};
/* Returns all tokens by importance: those of the cursor, their path and the roots, whose number is
 * *must, then the others by their distance from the cursor's. */
size_t *drawing_order(const struct drawing *d, const struct light *light, size_t *must,
		      struct arena *a);
/* Makes the first n of these visible. */
struct visible drawing_visible(const struct drawing *d, const size_t *order, size_t n,
			       struct arena *a);

/* Arcs between tokens of which at least one is visible. */
struct arc {
	size_t edge;
	/* the first tokens of governor and dependent */
	size_t from, to;
	size_t level; /* from 1; arcs that lie below it have a lower level */
};
struct arcs {
	struct arc *at; /* sorted by span */
	size_t n, levels, left_out;
	/* [n_tokens]: the token is the first one on a node without a parent */
	bool *root;
};
/* Returns arcs on at most so many levels; the longest arcs that are not lit are left out. */
struct arcs drawing_arcs(const struct drawing *d, const struct light *light,
			 const struct visible *visible, size_t levels, struct arena *a);

/* Tells if a graph can be drawn as arcs: each of its edges joins two nodes with tokens. */
bool drawing_is_row(const struct drawing *d, struct arena *a);

/* Returns the edges in the order of a list: as written if it has room for all, else the cursor's
 * path first, then the edges at its two nodes. */
const size_t *drawing_list(const struct drawing *d, const struct light *light, size_t room,
			   struct arena *a);

/* The nodes of a tree in preorder; each leaf has a row. */
struct outline {
	size_t *order; /* [n] */
	/* of each node; row: that of its first child */
	size_t *depth, *row;
	size_t n, rows, depths;
};
struct outline drawing_outline(const struct drawing *d, struct arena *a);
bool drawing_is_leaf(const struct drawing *d, const struct outline *o, size_t at);

/* Returns the rows that a structure needs at a width of so many columns. */
int drawing_rows(const struct drawing *d, int cols);

#endif
