/* help_labels.h: graphs with labelled edges for the tests of schemes over label paths, an enumeration
 * of all shortest paths that knows nothing of those schemes, and their reference cases. */
#ifndef HELP_LABELS_H
#define HELP_LABELS_H

#include "help_learned.h"

struct help_edge {
	size_t from, to;
	const char *label;
};

/* Lives in `a`. root -1: none is marked. */
struct structure *help_graph(struct arena *a, size_t n, const struct help_edge *edges,
			     size_t n_edges, long root);
/* Edges drawn from a seed among n nodes, with labels A, B, …; some pairs have no path. */
struct structure *help_random_graph(struct arena *a, size_t n, size_t n_edges, size_t n_labels,
				    bool directed, unsigned seed);

/* Token i of the input stands on node i. */
void help_on_nodes(struct help_run *r, struct structure *s);

/* All shortest paths between two nodes, by trying every way; a step is 2 · label + 1 when it goes up,
 * labels in alphabetical order. Sorted; equal ones stand several times. n is -1 without any. */
enum { HELP_PATHS = 256, HELP_STEPS = 12 };
struct help_paths {
	long n;
	size_t length;
	int step[HELP_PATHS][HELP_STEPS];
};
void help_all_paths(const struct structure *s, size_t from, size_t to, struct help_paths *out);
/* "ARG0" of a step, by the labels' order. */
const char *help_step_label(const struct structure *s, int step);

/* A reference case: weights from the file, leaves as `fill` says. Unit `special` stands on no node, -1:
 * all do, in the order of the nodes. The root is node 0. */
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
/* The leaf becomes the tensor, as it is or transposed; fails the test where shapes differ. */
void help_set_leaf(struct help_labels_case *c, const char *base, const char *tensor);
/* Logits, weights and contexts of every head, to 1e-12. */
void help_labels_compare(const struct help_labels_case *c);

#endif
