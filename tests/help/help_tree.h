/* help_tree.h: trees for tests, made from parents alone. */
#ifndef HELP_TREE_H
#define HELP_TREE_H

#include "help_scheme.h"
#include "posviz/base/rng.h"
#include "posviz/input/structure.h"

/* Returns a dependency tree of n nodes: parent[i] counts from 0, roots have -1. Children are
 * numbered in the order of the nodes; token i is on node i. */
struct structure *help_tree(const long *parent, size_t n, struct arena *a);

/* Returns a tree from governors as they are written, from 1; 0 is a root. */
struct structure *help_governed(const long *governors, size_t n, struct arena *a);

/* Returns a random tree whose nodes are in random order. */
struct structure *help_random_tree(size_t n, struct rng *rng, struct arena *a);

/* Returns a graph of n nodes in a row, without parents. */
struct structure *help_row_graph(size_t n, struct arena *a);

/* Gives the input the structure; token i is on node i. */
void help_stand(struct model_input *in, const struct structure *s);

/* Calls help_run_must_open on a tree, with its relation wanted. */
void help_open_tree(struct help_run *r, const char *expression, const long *governors, size_t n);
void help_open_random_tree(struct help_run *r, const char *expression, size_t n, struct rng *rng);

#endif
