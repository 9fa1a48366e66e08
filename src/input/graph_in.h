/* graph_in.h: the readers of the formats of graphs. The source is opened, and a NUL follows it. */
#ifndef INPUT_GRAPH_IN_H
#define INPUT_GRAPH_IN_H

#include "input/growing.h"

/* As structure_graph. */
bool graph_dot(const struct source *s, size_t which, size_t *count, struct arena *a,
	       struct structured *out, struct err *err);
bool graph_penman(const struct source *s, size_t which, size_t *count, struct arena *a,
		  struct structured *out, struct err *err);
bool graph_triples(const struct source *s, size_t which, size_t *count, struct arena *a,
		   struct structured *out, struct err *err);
bool graph_graphml(const struct source *s, size_t which, size_t *count, struct arena *a,
		   struct structured *out, struct err *err);
/* A list of edges is one graph. */
bool graph_edge_list(const struct source *s, struct arena *a, struct structured *out,
		     struct err *err);

/* The first byte that is neither blank nor in a comment of any of the formats. */
const char *graph_first_byte(const char *at);
/* True where a text begins as DOT does. */
bool graph_starts_dot(const char *at);
/* True where a line begins a triple of PENMAN: "instance(a, b)". */
bool penman_opens_triple(const char *line, const char *end);

/* An error when there is no such graph; a note when there are several. */
bool graph_which(const struct source *s, size_t which, size_t count, struct strbuf *note,
		 struct err *err);

/* One graph of a DOT file, NULL where no more is. */
struct dot_piece {
	char *begin, *end;
};
/* Cuts the graph at or behind *at, which goes behind it, out of the source (a copy that may be changed:
 * comments become blanks; of one that is broken *at stays, and what is read may have changed). Strings, brackets and sizes are looked at here, the grammar is left to
 * libcgraph. */
bool dot_cut(const struct source *s, char **at, struct dot_piece *out, struct err *err);

#endif
