/* tree.h: where the units of a run stand in its tree. */
#ifndef SCHEME_TREE_H
#define SCHEME_TREE_H

#include "posviz/model/stage.h"

struct tree {
	const struct structure *of; /* has parents */
	const long *node;	    /* [n] of each unit; -1: it stands on none, as [CLS] */
	const size_t *depth;	    /* [of->n] of each node below its root */
	size_t deepest;		    /* among the nodes that units stand on */
	bool chain;		    /* nothing was given: each token hangs on the one before it */
};

/* False where the structure is a graph: the error names the options that give a tree. */
bool tree_init(struct tree *tree, struct run *run, const struct member *m, struct err *err);

/* A unit without a node is one below the deepest, as Wang et al. have it for the end of sentence. */
size_t tree_depth(const struct tree *tree, size_t unit);

#endif
