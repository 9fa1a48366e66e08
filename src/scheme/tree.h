/* tree.h: the nodes of a run's tokens in its tree. */
#ifndef SCHEME_TREE_H
#define SCHEME_TREE_H

#include "posviz/model/stage.h"

struct tree {
	const struct structure *of; /* has parents */
	const long *node;	    /* [n] of each token; -1: none, as for [CLS] */
	const size_t *depth;	    /* [of->n] of each node below its root */
	size_t deepest;		    /* depth of the deepest node that has a token */
	bool chain; /* no structure was given: each token depends on the one before it */
};

/* Finds the tree. False if the structure is a graph: the error names the options that give a
 * tree. */
bool tree_init(struct tree *tree, struct run *run, const struct member *m, struct err *err);

/* Returns a token's depth. Without a node it is one more than the deepest, as Wang et al. have
 * it for the end of sentence. */
size_t tree_depth(const struct tree *tree, size_t unit);

#endif
