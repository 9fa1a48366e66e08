/* graph_in.h: the readers of the formats of graphs. The source is open, and a NUL follows its
 * text. */
#ifndef INPUT_GRAPH_IN_H
#define INPUT_GRAPH_IN_H

#include "input/growing.h"

/* These readers work like structure_graph. */
bool graph_dot(const struct source *s, size_t which, size_t *count, struct arena *a,
	       struct structured *out, struct err *err);
bool graph_penman(const struct source *s, size_t which, size_t *count, struct arena *a,
		  struct structured *out, struct err *err);
bool graph_triples(const struct source *s, size_t which, size_t *count, struct arena *a,
		   struct structured *out, struct err *err);
bool graph_graphml(const struct source *s, size_t which, size_t *count, struct arena *a,
		   struct structured *out, struct err *err);
/* Reads a list of edges, which is always a single graph. */
bool graph_edge_list(const struct source *s, struct arena *a, struct structured *out,
		     struct err *err);

/* Returns the first byte that is neither blank nor in a comment of any of the formats. */
const char *graph_first_byte(const char *at);
/* Returns whether a text begins like DOT. */
bool graph_starts_dot(const char *at);
/* Returns whether a line begins a triple of PENMAN: "instance(a, b)". */
bool penman_opens_triple(const char *line, const char *end);

/* Reports an error when graph `which` does not exist, and adds a note when there are several. */
bool graph_which(const struct source *s, size_t which, size_t count, struct strbuf *note,
		 struct err *err);

/* A graph of a DOT file, NULL if there is none left. */
struct dot_piece {
	char *begin, *end;
};
/* Cuts the graph at or after *at out of the source, a copy that may be changed, and moves *at to
 * its end. Comments become blanks. If the graph is broken *at stays, and the part that was read
 * may have changed. Strings, brackets and sizes are checked here; libcgraph checks the grammar. */
bool dot_cut(const struct source *s, char **at, struct dot_piece *out, struct err *err);

#endif
