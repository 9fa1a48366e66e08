/* growing.h: a graph while it is read, and what becomes of it when it is whole. */
#ifndef INPUT_GROWING_H
#define INPUT_GROWING_H

#include "input/structure_in.h"

/* Self-loops and repeated edges are left out, and the note says so: no scheme has a place for them. */
struct growing {
	struct arena *a;
	const char **labels; /* [n] of nodes; one without a word is shown as "" */
	size_t n, nodes_cap;
	struct edge *edges;
	size_t n_edges, edges_cap;
	struct interned edge_labels;
	bool directed; /* true, and -1, until the reader knows better */
	long root;
	size_t loops;
	struct strbuf note;
};

void growing_init(struct growing *g, struct arena *a);
/* The new node's index. Labels are raw and must last. */
size_t growing_add_node(struct growing *g, const char *label);
void growing_add_edge(struct growing *g, size_t from, size_t to, const char *label);

/* Makes names, tokens (one a word of a label) and the note. No node, too many nodes and too many
 * tokens are errors of the whole text. */
bool growing_finish(struct growing *g, const struct source *source, struct structured *out,
		    struct err *err);

/* An array of n with room for one more. */
void *grown(struct arena *a, void *array, size_t n, size_t *cap, size_t size);

#endif
