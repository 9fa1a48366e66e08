/* drawing.h: what of a drawn structure is the same on cells and on paper: which edges the cursor lights
 * up, how high an arc stands, in which row a node of a tree. */
#ifndef POSVIZ_DRAWING_H
#define POSVIZ_DRAWING_H

#include "posviz/plot/figure.h"

/* The path between the nodes of the cursor's two tokens. */
struct light {
	long query, key;   /* nodes; -1: none */
	bool *node, *edge; /* [n], [n_edges] */
	size_t length;	   /* its edges; SIZE_MAX: there is no path */
	size_t *path;	   /* its length + 1 nodes, from the query on */
};
struct light drawing_light(const struct drawing *d, struct arena *a);

/* The first token on each node, as shown; -1: none. */
long *drawing_tokens(const struct drawing *d, struct arena *a);

/* What is written for a node: its name, and the tokens on it where they say something else; several
 * tokens on one node in brackets. */
const char **drawing_names(const struct drawing *d, struct arena *a);

/* The last of the tokens that stand beside each other on one node, the first of which is
 * `first`. */
size_t drawing_run(const struct drawing *d, size_t first);

/* The visible tokens where not all have room. */
struct visible {
	size_t n, *at; /* ascending */
	size_t *slot;  /* [n_tokens]: 2k + 1 of at[k], 2k of what is left out before it */
};
/* All tokens by how much they matter: the cursor's, their path, the roots, which are *must, then
 * those nearest to the cursor's. */
size_t *drawing_order(const struct drawing *d, const struct light *light, size_t *must,
		      struct arena *a);
/* The first n of these. */
struct visible drawing_visible(const struct drawing *d, const size_t *order, size_t n,
			       struct arena *a);

/* Arcs over the visible tokens, of two of which at least one is. */
struct arc {
	size_t edge;
	size_t from, to; /* the first tokens of governor and dependent */
	size_t level;	 /* from 1; what lies below an arc has a lower one */
};
struct arcs {
	struct arc *at; /* in the order of their spans */
	size_t n, levels, left_out;
	bool *root; /* [n_tokens]: the token is the first on a node without a parent */
};
/* At most so many levels: the longest arcs that are not lit are left out. */
struct arcs drawing_arcs(const struct drawing *d, const struct light *light,
			 const struct visible *visible, size_t levels, struct arena *a);

/* Whether a graph may be drawn as arcs: each of its edges joins two nodes with tokens. */
bool drawing_is_row(const struct drawing *d, struct arena *a);

/* The edges in the order of a list: as written where it has room for all, else the cursor's path first,
 * then what touches its two nodes. */
const size_t *drawing_list(const struct drawing *d, const struct light *light, size_t room,
			   struct arena *a);

/* Nodes of a tree in preorder, a row each leaf. */
struct outline {
	size_t *order;	     /* [n] */
	size_t *depth, *row; /* of each node: that of its first child */
	size_t n, rows, depths;
};
struct outline drawing_outline(const struct drawing *d, struct arena *a);
bool drawing_is_leaf(const struct drawing *d, const struct outline *o, size_t at);

/* Lines that a structure would like where a line has so many letters. */
int drawing_rows(const struct drawing *d, int cols);

#endif
