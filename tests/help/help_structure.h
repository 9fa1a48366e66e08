/* help_structure.h: texts that are read as graphs, and the graphs as words. All is in the arena of
 * help_arena.h; messages name the text "f". */
#ifndef HELP_STRUCTURE_H
#define HELP_STRUCTURE_H

#include "posviz/input/structure.h"

/* Returns graph `which` of a text, from 1; *count, if not NULL, gets the number of graphs. Fails
 * the test if the graph is refused. */
struct structured help_read_graph(const char *text, size_t which, size_t *count);
/* Fails the test unless the graph is refused with a message that begins so; returns the number of
 * graphs in the text. */
size_t help_graph_refused(const char *text, size_t len, size_t which, const char *message);

const char *help_node_names(const struct structure *s, const char *between);
/* Returns "forget-01 -ARG0-> robot; ..." or, undirected, "a -l- b"; isolated nodes are not
 * listed. */
const char *help_edges(const struct structure *s);

/* Returns a text with `part` n times in its middle, formatted with i and i + 1 for i from 0. */
const char *help_repeated(const char *head, const char *part, size_t n, const char *tail);

#endif
