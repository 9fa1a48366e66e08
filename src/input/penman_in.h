/* penman_in.h: what the two forms of PENMAN share, brackets and triples: a list of mentions and relations
 * that becomes a graph. */
#ifndef INPUT_PENMAN_IN_H
#define INPUT_PENMAN_IN_H

#include "input/graph_in.h"

struct penman_mention {
	bool declared; /* here, in brackets or by an instance */
	bool constant; /* a string */
	bool source;   /* the first of a triple, which is a variable */
	const char *place, *text, *concept;
};

struct penman_relation { /* of a mention to another; `inverted`: to the first one */
	size_t from, to;
	const char *role;
	bool inverted;
};

struct penman {
	const struct source *source;
	const char *at, *limit; /* the graph does not reach beyond */
	struct arena *a;
	struct err *err;
	struct penman_mention *mentions;
	size_t n_mentions, mentions_cap;
	struct penman_relation *relations;
	size_t n_relations, relations_cap;
	size_t root; /* a mention */
};

bool penman_is_blank(char c);
/* ~e.1,2 or ~3: the words of the sentence that a concept stands for; 0: there is none here. */
size_t penman_alignment(const char *at);
/* Goes over blanks, alignments, and comments: lines that begin with #. */
void penman_skip(struct penman *r);
/* At a quote: the string, and goes behind it. */
bool penman_string(struct penman *r, const char **out);

bool penman_add_mention(struct penman *r, const struct penman_mention *m);
/* Adds a relation of the mention `from` to another; ARG0-of is ARG0 of the other way round. */
void penman_add_relation(struct penman *r, size_t from, size_t to, const char *role);

/* Makes the graph of what was mentioned. */
bool penman_finish(struct penman *r, struct growing *g, struct structured *out);

#endif
