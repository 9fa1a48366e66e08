/* dot_label.h: the text of a label in DOT. */
#ifndef INPUT_DOT_LABEL_H
#define INPUT_DOT_LABEL_H

#include <stdbool.h>

#include "posviz/base/strbuf.h"

/* The names that replace a label's \G \N \E \T \H; NULL: the letter is kept. */
struct dot_names {
	const char *graph;
	const char *node;		 /* of a node's label */
	const char *tail, *arrow, *head; /* of an edge's */
};

/* Returns a label with its escapes resolved; a line end becomes a blank. */
const char *dot_label_plain(struct arena *a, const char *text, const struct dot_names *names);

/* Returns an HTML label with each tag replaced by a blank. */
const char *dot_label_html(struct arena *a, const char *html);

/* Reads a record's label, "{a|<port> b}": the fields joined by blanks, without ports. Its
 * escapes stay, for the two functions above. Graphviz shows only the part before an unmatched }
 * (DOT_RECORD_CUT), and a node's id instead of an invalid label (DOT_RECORD_BAD). */
enum dot_record { DOT_RECORD_WHOLE, DOT_RECORD_CUT, DOT_RECORD_BAD };
enum dot_record dot_label_record(struct arena *a, const char *text, bool html, const char **fields);

#endif
