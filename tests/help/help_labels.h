/* help_labels.h: graphs with labelled edges for tests of schemes over label paths, an enumeration
 * of all shortest paths that is independent of those schemes, and their reference cases. */
#ifndef HELP_LABELS_H
#define HELP_LABELS_H

#include "help_learned.h"

struct help_edge {
	size_t from, to;
	const char *label;
};

/* Returns a graph in `a`; root -1: no root is marked. */
struct structure *help_graph(struct arena *a, size_t n, const struct help_edge *edges,
			     size_t n_edges, long root);
/* Returns a graph of n nodes with random edges labelled A, B, …; some pairs have no path. */
struct structure *help_random_graph(struct arena *a, size_t n, size_t n_edges, size_t n_labels,
				    bool directed, unsigned seed);

/* Gives an input the structure, token i on node i. */
void help_on_nodes(struct help_run *r, struct structure *s);

/* Finds all shortest paths between two nodes by trying every path. A step is 2 · label + 1 if it
 * goes up, else 2 · label, with labels in alphabetical order. Paths are sorted, and equal ones
 * repeated; n is -1 if there is none. */
enum { HELP_PATHS = 256, HELP_STEPS = 12 };
struct help_paths {
	long n;
	size_t length;
	int step[HELP_PATHS][HELP_STEPS];
};
void help_all_paths(const struct structure *s, size_t from, size_t to, struct help_paths *out);
/* Returns the label of a step, "ARG0". */
const char *help_step_label(const struct structure *s, int step);

/* A reference case: weights come from the file, leaves from `fill`. Unit `special` is on no node;
 * -1: all units are on nodes, in their order. The root is node 0. */
struct help_labels_case {
	struct arena arena;
	struct tensor_set set;
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	struct model model;
	struct trace trace;
};
void help_labels_open(struct help_labels_case *c, const char *file, const char *input,
		      const char *expression, const struct help_edge *edges, size_t n_edges,
		      long special, void (*fill)(struct help_labels_case *c));
void help_labels_close(struct help_labels_case *c);

struct mat help_tensor(const struct help_labels_case *c, const char *name);
/* Sets a leaf to the tensor, unchanged or transposed; fails the test if the shapes differ. */
void help_set_leaf(struct help_labels_case *c, const char *base, const char *tensor);
/* Compares logits, weights and contexts of every head, to 1e-12. */
void help_labels_compare(const struct help_labels_case *c);

#endif
