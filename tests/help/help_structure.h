/* help_structure.h: texts that are read as graphs, and what was read as words. All is in the arena of help_arena.h;
 * messages name the text "f". */
#ifndef HELP_STRUCTURE_H
#define HELP_STRUCTURE_H

#include "posviz/input/structure.h"

/* Graph `which` of a text, from 1; *count, where given, gets how many there are. Fails the test when it is refused. */
struct structured help_read_graph(const char *text, size_t which, size_t *count);
/* Fails the test unless the graph is refused with a message that begins so; returns how many the text has. */
size_t help_graph_refused(const char *text, size_t len, size_t which, const char *message);

const char *help_node_names(const struct structure *s, const char *between);
/* "forget-01 -ARG0-> robot; ..." or, undirected, "a -l- b"; lone nodes are not seen. */
const char *help_edges(const struct structure *s);

/* A text with `part` n times in its middle, printed with i and i + 1 for i from 0. */
const char *help_repeated(const char *head, const char *part, size_t n, const char *tail);

#endif
