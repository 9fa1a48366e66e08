/* label_trie.h: sequences of symbols as a tree of prefixes, in which equal ones meet. */
#ifndef SCHEME_LABEL_TRIE_H
#define SCHEME_LABEL_TRIE_H

#include "scheme/label_path.h"

/* Entry 0 is the empty path. */
struct trie {
	struct arena *arena;
	struct path *at; /* before and after are entries here */
	size_t n, cap;
	struct trie_slot *slots; /* open hashing by (before, last) */
	size_t n_slots;		 /* a power of 2 */
};

void label_trie_init(struct trie *t, struct arena *a);
/* The path `before` with a symbol more. Its rest is a path as well: at most LABEL_PATH_LONGEST calls
 * deep. */
int32_t label_trie_child(struct trie *t, int32_t before, int32_t symbol);
/* Order of two paths of one length. */
int label_trie_compare(const struct trie *t, int32_t a, int32_t b);

#endif
