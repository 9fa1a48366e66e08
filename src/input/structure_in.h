/* structure_in.h: parts that the readers of structures share: checked text and locations in it,
 * and everything about a forest that follows from its parents. */
#ifndef INPUT_STRUCTURE_IN_H
#define INPUT_STRUCTURE_IN_H

#include "posviz/base/strbuf.h"
#include "posviz/input/structure.h"

/* A text from outside; `name` is its name in messages, not escaped. */
struct source {
	const char *name;
	const char *at, *end;
};

/* Skips a byte order mark. NUL bytes and UTF-16 are errors; `format` is the expected format:
 * "CoNLL-U". Other bytes are accepted, valid UTF-8 or not. */
bool source_open(struct source *out, const char *name, const char *text, size_t len,
		 const char *format, struct err *err);

/* Works like err_set with "NAME:LINE: " in front (line 0: "NAME: "); returns false. Does nothing
 * if err is NULL. */
bool source_blame(const struct source *s, size_t line, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Works like source_blame with "NAME:LINE:COLUMN: " for a location in the text; columns count
 * characters. */
bool source_blame_at(const struct source *s, const char *place, struct err *err, const char *fmt,
		     ...) __attribute__((format(printf, 4, 5)));

/* Reports an error when a token, a node's name or the label of an edge is too long. */
bool source_names_fit(const struct source *s, const struct structured *read, struct err *err);

/* A set of distinct texts in the order in which they were added, numbered from 0. */
struct interned {
	struct arena *a;
	const char **at;
	size_t n, cap;
	int *slots; /* hash table: index + 1, 0: free */
	size_t n_slots;
};
void interned_init(struct interned *set, struct arena *a);
int interned_add(struct interned *set, const char *text);

/* Fills branch, edges, edge_labels, directed, root of a forest with n, names and parent;
 * `relation` ([n], escaped, that of a node to its parent) may be NULL. Returns the number of
 * roots. The parents must not contain a cycle. */
size_t structure_from_parents(struct structure *s, const char *const *relation, struct arena *a);

/* Finds a cycle among parents and writes its nodes, each followed by its parent, into cycle[n];
 * returns its length: 0 when there is none. */
size_t structure_cycle(const long *parent, size_t n, size_t *cycle, struct arena *a);

/* Returns the cycle for people, words from 1: `2 "cat" -> 3 "chased" -> 2`; texts ([nodes], raw)
 * may be NULL. */
const char *structure_print_cycle(const size_t *cycle, size_t n, const char *const *texts,
				  struct arena *a);

/* Makes tokens and nodes the same, in the same order. */
void structure_tokens_are_nodes(struct structure *s, struct arena *a);

/* Appends to a note, whose parts are separated by "; ". */
void note_add(struct strbuf *note, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns "1 word", "2 words"; the plural of `noun` adds an s. */
const char *count_text(struct arena *a, size_t n, const char *noun);

#endif
