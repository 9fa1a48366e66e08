/* spectrum.h: the first eigenvectors of a graph's Laplacian Δ = I - D^{-1/2} A D^{-1/2}, as numbers
 * of its nodes.
 *
 * Degrees count as at least 1, so an isolated node has a row of I and the eigenvalue 1. An
 * eigenvector is determined up to its sign, and several of one eigenvalue up to a rotation:
 * mat_eigen_symmetric makes a choice, and views mention that others are equally valid. */
#ifndef SCHEME_SPECTRUM_H
#define SCHEME_SPECTRUM_H

#include "posviz/format/tensor.h"
#include "posviz/scheme/scheme.h"
#include "scheme/graph.h"

enum spectrum_drop { SPECTRUM_DROP_FIRST, SPECTRUM_DROP_ZERO };
extern const char *const spectrum_drop_names[]; /* first zero, ends with NULL */

/* The first member of a scheme's parameters. */
struct spectrum_param {
	long k;
	int drop;   /* enum spectrum_drop */
	long flips; /* 0: signs as they are fixed; else which draw of them */
	const char *vectors;
	const struct tensor *given; /* of spectrum_load; NULL: they are computed */
};

enum { SPECTRUM_MAX_K = 64 };

/* Returns columns 0..k-1 of [n + 1, k], ascending by eigenvalue, the last row 0; if the graph
 * has fewer eigenvectors the other columns are 0, which run_note mentions. Keeps them with their
 * eigenvalues for the trace. NULL on error. */
struct node *spectrum_of(struct run *run, const struct member *m, const struct graph *g,
			 struct err *err);

/* The scheme's hook `load`: reads the file that `vectors` names. */
bool spectrum_load(void *param, struct arena *a, struct member *out, struct err *err);

/* clang-format off */
#define SPECTRUM_PARAMS(in) \
	PARAM_AT(in, spectrum.k, k, \
		 "eigenvectors that a node's numbers come from; 0 where the graph has fewer", \
		 NUMBER_TYPE(8, 1, SPECTRUM_MAX_K, 1)), \
	PARAM_AT(in, spectrum.drop, drop, \
		 "which come before them and say nothing: the first, or all of eigenvalue 0", \
		 .type.choices = spectrum_drop_names), \
	PARAM_AT(in, spectrum.flips, flips, \
		 "signs of the eigenvectors: 0 fixed, as in testing; else drawn, as in that batch", \
		 NUMBER_TYPE(0, 0, 1000, 1)), \
	PARAM_AT(in, spectrum.vectors, vectors, \
		 "FILE or FILE:TENSOR, [nodes, k]: eigenvectors instead of those computed")
/* clang-format on */

#endif
