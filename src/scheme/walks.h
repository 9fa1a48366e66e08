/* walks.h: shortest paths through a run's structure, and the labels of their first edges.
 *
 * Few sequences of labels occur on many paths: they are numbered as they are found, so that each
 * can be embedded once and a pair of nodes stores the number of its own. */
#ifndef SCHEME_WALKS_H
#define SCHEME_WALKS_H

#include "posviz/model/stage.h"

enum { ALONG = 1, AGAINST = 2 };

struct arc {
	size_t from, to;
	int32_t label;
};

/* The steps in the requested directions, one for each pair of nodes. */
struct arcs {
	size_t n, *first; /* of node i, ascending by `to`: at[first[i]] .. at[first[i + 1] - 1] */
	struct arc *at;
};

/* Makes the steps. If there are several edges between two nodes the first one written counts,
 * those in the direction of the step before those against it. In an undirected graph a step goes
 * both ways, whatever is requested. */
struct arcs arcs_of(const struct structure *s, unsigned ways, struct arena *a);

enum { SEQUENCE_EMPTY, SEQUENCE_NO_PATH };

/* A sequence of labels is that of its parent, which comes before it, plus one label. */
struct sequence {
	int32_t parent, label, length;
	int32_t child, next; /* a list of the sequences that extend it; 0 ends it */
};

struct walks {
	struct arcs arcs;
	size_t n; /* nodes */
	/* The largest number of labels in a sequence; labels from `labels` on count as one. */
	long hops, labels;
	size_t n_sequences, cap;
	struct sequence *sequences; /* of all walks so far */
	size_t *queue;
	int32_t *distance, *sequence; /* [n] from the start of the last walk; RELATION_NO_PATH */
	struct arena *arena;
};

void walks_init(struct walks *w, const struct structure *s, unsigned ways, long hops, long labels,
		struct arena *a);
/* Walks breadth first from a node, to neighbours in the order of their index. */
void walks_from(struct walks *w, size_t node);

#endif
