/* structure_in.h: what the readers of structures share: text that can be trusted to be text, places in
 * it, and everything of a forest that follows from its parents. */
#ifndef INPUT_STRUCTURE_IN_H
#define INPUT_STRUCTURE_IN_H

#include "posviz/base/strbuf.h"
#include "posviz/input/structure.h"

/* A text from outside; `name` is what messages call it, as given. */
struct source {
	const char *name;
	const char *at, *end;
};

/* Skips a byte order mark. NUL bytes and UTF-16 are errors; `format` says what should have been
 * there: "CoNLL-U". Other bytes are taken as they are, valid UTF-8 or not. */
bool source_open(struct source *out, const char *name, const char *text, size_t len,
		 const char *format, struct err *err);

/* err_set with "NAME:LINE: " in front (line 0: "NAME: "); returns false. Nothing is made for an err of NULL. */
bool source_blame(const struct source *s, size_t line, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same with "NAME:LINE:COLUMN: " of a place in the text; columns count characters. */
bool source_blame_at(const struct source *s, const char *place, struct err *err, const char *fmt,
		     ...) __attribute__((format(printf, 4, 5)));

/* An error when a token, a node's name or the label of an edge is too long. */
bool source_names_fit(const struct source *s, const struct structured *read, struct err *err);

/* Texts each kept once, in the order they came, numbered from 0. */
struct interned {
	struct arena *a;
	const char **at;
	size_t n, cap;
	int *slots; /* hash table: index + 1, 0: free */
	size_t n_slots;
};
void interned_init(struct interned *set, struct arena *a);
int interned_add(struct interned *set, const char *text);

/* Fills branch, edges, edge_labels, directed, root of a forest with n, names and parent; `relation`
 * ([n], escaped, that of a node to its parent) may be NULL. Returns the number of roots. The parents
 * must be free of circles. */
size_t structure_from_parents(struct structure *s, const char *const *relation, struct arena *a);

/* The nodes of a circle among parents, each followed by its parent, into cycle[n]; returns how many:
 * 0 when there is none. */
size_t structure_cycle(const long *parent, size_t n, size_t *cycle, struct arena *a);

/* The circle for people, words from 1: `2 "cat" -> 3 "chased" -> 2`; texts ([nodes], raw) may be NULL. */
const char *structure_print_cycle(const size_t *cycle, size_t n, const char *const *texts,
				  struct arena *a);

/* Tokens and nodes are the same, in the same order. */
void structure_tokens_are_nodes(struct structure *s, struct arena *a);

/* Adds to a note, its parts parted by "; ". */
void note_add(struct strbuf *note, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "1 word", "2 words"; the plural of `noun` is with an s. */
const char *counted(struct arena *a, size_t n, const char *noun);

#endif
