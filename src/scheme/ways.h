/* ways.h: ways down a tree: the branches from the root to where a unit stands. */
#ifndef SCHEME_WAYS_H
#define SCHEME_WAYS_H

#include "scheme/tree.h"

enum children { CHILDREN_AUTO, CHILDREN_DIRECT, CHILDREN_LCRS };

struct ways {
	struct tree tree;
	bool lcrs; /* converted: left child and right sibling are the two branches */
};

/* Of a tree in which a node may have `branching` children: what has more is converted with auto,
 * else an error. */
bool ways_init(struct ways *ways, struct run *run, const struct member *m, enum children children,
	       long branching, struct err *err);

/* The branches from a node up to its root, so the deepest first; at most `most`. With `out` NULL
 * it only counts. */
size_t ways_up(const struct ways *ways, size_t node, size_t most, int *out);

/* A way is of one token, so it stands on the diagonal, and its length with it. */
void ways_relation(struct run *run, const struct ways *ways, size_t branching, size_t encoded,
		   struct relation *out);

#endif
