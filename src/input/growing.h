/* growing.h: a graph while it is read, and its conversion when it is complete. */
#ifndef INPUT_GROWING_H
#define INPUT_GROWING_H

#include "input/structure_in.h"

/* A graph under construction. Self-loops and repeated edges are left out, since no scheme can
 * use them; the note says so. */
struct growing {
	struct arena *a;
	const char **labels; /* [n] of nodes; one without a word is shown as "" */
	size_t n, nodes_cap;
	struct edge *edges;
	size_t n_edges, edges_cap;
	struct interned edge_labels;
	bool directed; /* true, and -1, until the reader sets it */
	long root;
	size_t loops;
	struct strbuf note;
};

void growing_init(struct growing *g, struct arena *a);
/* Returns the new node's index. Labels are not escaped and must outlive the graph. */
size_t growing_add_node(struct growing *g, const char *label);
void growing_add_edge(struct growing *g, size_t from, size_t to, const char *label);

/* Makes names, tokens (one for each word of a label) and the note. A graph without nodes and too
 * many nodes or tokens are errors about the whole text. */
bool growing_finish(struct growing *g, const struct source *source, struct structured *out,
		    struct err *err);

/* Returns an array of n elements with space for one more. */
void *grow_array(struct arena *a, void *array, size_t n, size_t *cap, size_t size);

#endif
