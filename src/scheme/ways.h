/* ways.h: paths down a tree: the branches from the root to a token's node. */
#ifndef SCHEME_WAYS_H
#define SCHEME_WAYS_H

#include "scheme/tree.h"

enum children { CHILDREN_AUTO, CHILDREN_DIRECT, CHILDREN_LCRS };

struct ways {
	struct tree tree;
	bool lcrs; /* converted: left child and right sibling are the two branches */
};

/* Initialises from a tree in which a node may have `branching` children: a node with more is
 * converted with auto, else it is an error. */
bool ways_init(struct ways *ways, struct run *run, const struct member *m, enum children children,
	       long branching, struct err *err);

/* Returns the branches from a node up to its root, so the deepest first; at most `most`. With
 * `out` NULL it only counts. */
size_t ways_up(const struct ways *ways, size_t node, size_t most, int *out);

/* A path belongs to one token, so it is on the diagonal, with its length. */
void ways_relation(struct run *run, const struct ways *ways, size_t branching, size_t encoded,
		   struct relation *out);

#endif
