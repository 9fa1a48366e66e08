/* dot_label.h: the words of a label in DOT. */
#ifndef INPUT_DOT_LABEL_H
#define INPUT_DOT_LABEL_H

#include <stdbool.h>

#include "posviz/base/strbuf.h"

/* The names that a label's \G \N \E \T \H stand for; NULL: the letter stands for itself. */
struct dot_names {
	const char *graph;
	const char *node;		 /* of a node's label */
	const char *tail, *arrow, *head; /* of an edge's */
};

/* A label with its escapes resolved; the end of a line is a blank. */
const char *dot_label_plain(struct arena *a, const char *text, const struct dot_names *names);

/* An HTML label without its tags; each is a blank. */
const char *dot_label_html(struct arena *a, const char *html);

/* A record's label, "{a|<port> b}": fields joined by blanks, without ports. Its escapes stay, for the two functions above.
 * Graphviz shows what stands before a } that closes nothing, and a node's id instead of a bad label. */
enum dot_record { DOT_RECORD_WHOLE, DOT_RECORD_CUT, DOT_RECORD_BAD };
enum dot_record dot_label_record(struct arena *a, const char *text, bool html, const char **fields);

#endif
