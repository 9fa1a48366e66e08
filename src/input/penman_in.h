/* penman_in.h: the parts that the two forms of PENMAN share, brackets and triples: a list of
 * mentions and relations that becomes a graph. */
#ifndef INPUT_PENMAN_IN_H
#define INPUT_PENMAN_IN_H

#include "input/graph_in.h"

struct penman_mention {
	bool declared; /* declared here, in brackets or by an instance */
	bool constant; /* a string */
	bool source;   /* the first argument of a triple, which is a variable */
	const char *place, *text, *concept;
};

struct penman_relation { /* between two mentions; `inverted`: the second one is the source */
	size_t from, to;
	const char *role;
	bool inverted;
};

struct penman {
	const struct source *source;
	const char *at, *limit; /* the graph must end before `limit` */
	struct arena *a;
	struct err *err;
	struct penman_mention *mentions;
	size_t n_mentions, mentions_cap;
	struct penman_relation *relations;
	size_t n_relations, relations_cap;
	size_t root; /* index of a mention */
};

bool penman_is_blank(char c);
/* Returns the length of an alignment, ~e.1,2 or ~3, which names the words of the sentence that a
 * concept represents; 0: there is none here. */
size_t penman_alignment(const char *at);
/* Skips blanks, alignments, and comments: lines that begin with #. */
void penman_skip(struct penman *r);
/* Reads the string at a quote and skips it. */
bool penman_string(struct penman *r, const char **out);

bool penman_add_mention(struct penman *r, const struct penman_mention *m);
/* Adds a relation from the mention `from` to another; ARG0-of is ARG0 in the opposite direction. */
void penman_add_relation(struct penman *r, size_t from, size_t to, const char *role);

/* Makes the graph from the mentions. */
bool penman_finish(struct penman *r, struct growing *g, struct structured *out);

#endif
