/* graphormer.h: Graphormer's parameters, and its data for two nodes: their distance, and the
 * labels on the path. */
#ifndef SCHEME_GRAPHORMER_H
#define SCHEME_GRAPHORMER_H

#include "posviz/scheme/scheme.h"
#include "scheme/walks.h"

enum form { FORM_PAPER, FORM_CODE };
enum paths { PATHS_BOTH, PATHS_ALONG };

struct graphormer {
	long d_max, hops, types, edge_dim, degrees, mask;
	bool vnode;
	int paths, form;
};

static inline unsigned graphormer_ways(const struct graphormer *p)
{
	return p->paths == PATHS_BOTH ? ALONG | AGAINST : ALONG;
}

static inline size_t graphormer_edge_dim(const struct model *model, const struct graphormer *p)
{
	return p->edge_dim > 0 ? (size_t)p->edge_dim : model->config.heads;
}

enum side { SIDE_IN, SIDE_OUT, SIDES };

/* Data that depend only on the structure, and on the position of the virtual node. */
struct graphormer_pairs {
	const long *node;  /* [n] */
	int32_t *phi;	   /* [n·n] */
	struct index bias; /* [n,n] → rows of b, followed by one for the virtual node */
	struct index path; /* [n,n] → sequences; -1: to or from the virtual node */
	struct walks walks;
	bool chain;
	const double *degree[SIDES]; /* [n], 0 for a unit without a node */
};

struct graphormer_state {
	const char *virtual; /* label of the inserted token, which is identified by its address */
	const struct graphormer_pairs *pairs;
	struct node *bias_table, *path_table; /* [h, rows], [h, sequences] or NULL */
};

/* Returns the state, valid as long as the run: it is the same in every layer. */
struct graphormer_state *graphormer_state(struct run *run, const struct member *m);
/* Returns all pairs, kept between evaluations. */
const struct graphormer_pairs *graphormer_relate(struct run *run, const struct member *m);
/* The hook `relation`. */
bool graphormer_relation(struct run *run, const struct member *m, struct relation *out,
			 struct err *err);
/* For run_cached: computes c of every sequence and head. [h, sequences] */
struct node *graphormer_edges(struct run *run, const struct member *m, struct err *err);

#endif
