/* graphormer.h: Graphormer's parameters, and what it makes of two nodes: how far they are, and the
 * labels along the way. */
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

/* What depends on the structure alone, and on where the virtual node stands. */
struct graphormer_pairs {
	const long *node;  /* [n] */
	int32_t *phi;	   /* [n·n] */
	struct index bias; /* [n,n] → rows of b, behind them one for the virtual node */
	struct index path; /* [n,n] → sequences; -1: to or from the virtual node */
	struct walks walks;
	bool chain;
	const double *degree[SIDES]; /* [n], 0 for a unit without a node */
};

struct graphormer_state {
	const char *virtual; /* label of the inserted unit, which is known by its address */
	const struct graphormer_pairs *pairs;
	struct node *bias_table, *path_table; /* [h, rows], [h, sequences] or NULL */
};

/* Lives as long as the run: what is found is the same in every layer. */
struct graphormer_state *graphormer_state(struct run *run, const struct member *m);
/* All pairs, kept between evaluations. */
const struct graphormer_pairs *graphormer_relate(struct run *run, const struct member *m);
/* The hook `relation`. */
bool graphormer_relation(struct run *run, const struct member *m, struct relation *out,
			 struct err *err);
/* For run_cached: c of every sequence and head. [h, sequences] */
struct node *graphormer_edges(struct run *run, const struct member *m, struct err *err);

#endif
