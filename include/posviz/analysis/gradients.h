/* gradients.h: gradients of one logit or weight with respect to every number that the model reads
 * or has learned.
 *
 * A = A_ts of a head, or the mean of several. There are three kinds of gradients of A, by
 * reverse-mode differentiation of the whole computation from the input to that cell (tape.h):
 *
 *   ∂A/∂U   of the token vectors, as they went in: before they are scaled, and before positions are
 *   added
 *   ∂A/∂P   of the position vectors, wherever members add them: before layer 1, or in every layer
 *   ∂A/∂θ   of each learned leaf
 *
 * The saliency of a token is the norm of its row (Simonyan et al. 2014); gradient × input is the
 * row times the input there, u_i·∂A/∂u_i: the first-order change of A, with its sign, if the
 * input were 0. */
#ifndef POSVIZ_GRADIENTS_H
#define POSVIZ_GRADIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/scene/setup.h"

struct gradients_of {
	size_t layer, head; /* from 0; equal to the number of layers or heads: the mean over them */
	size_t query, key;  /* row and column of the trace's matrices */
	bool logit;	    /* before softmax and mask; false: the weight */
	struct watch *watch; /* or NULL */
};

struct gradient {
	const char *why;  /* a sentence that says why there is none; or NULL */
	struct mat at;	  /* a row for each token of the trace; at NULL: `why` */
	double norm;	  /* of the whole matrix */
	double *saliency; /* [rows] the norms of the rows */
	double *input;	  /* [rows] gradient × input; NaN if the input is not known */
};

struct gradient_leaf {
	const struct leaf *leaf;
	struct mat at; /* of the leaf's shape */
	double norm;   /* > 0 */
};

struct gradients {
	const char *why; /* a sentence that says why there are none at all; or NULL */
	double value;	 /* of the cell */
	struct gradient unit, position;
	const bool *put_in; /* [rows] inserted tokens, which the input lacks; NULL: none */
	struct gradient_leaf *leaves; /* with a gradient, the largest norm first */
	size_t n_leaves;
	/* Theorem 2 of Chen et al. 2021: if position vectors are added to the token vectors and
	 * both enter nowhere else, ∂A/∂P = ∂A/∂U. The largest difference of two entries; NaN:
	 * not comparable. */
	double apart;
};

/* The trace must come from the same `built`, with the head's mask and WANT_POSITION. */
void gradients_make(const struct built *b, const struct trace *trace, const struct gradients_of *of,
		    struct arena *a, struct gradients *out);

/* The slope of A along one seeded direction of unit length: by central differences of ordinary
 * runs, and by the gradient. */
struct slope {
	double numeric, analytic; /* NaN: not comparable; numeric NaN alone: not smooth */
};
struct slope gradients_slope_unit(const struct built *b, const struct trace *trace,
				  const struct gradients_of *of, const struct gradients *g,
				  struct cache *cache);
struct slope gradients_slope_position(const struct built *b, const struct trace *trace,
				      const struct gradients_of *of, const struct gradients *g,
				      struct cache *cache);

/* Returns whether, according to the members' hooks, position vectors are added to the token
 * vectors before layer 1 and neither is used elsewhere: then Theorem 2 states that the gradients
 * are equal. */
bool gradients_theorem_says(const struct built *b);

/* A test of Theorem 2 for the whole model: L is a seeded random weighting of the last output.
 * ∂L/∂U comes from differentiation, every entry of ∂L/∂P from central differences of runs whose
 * position vectors differ in that entry: so neither is the other by construction. */
struct theorem2 {
	bool there;	/* there are position vectors */
	bool says;	/* the theorem applies: gradients_theorem_says */
	bool equal;	/* the gradients are equal up to rounding */
	double apart;	/* largest difference */
	double largest; /* largest entry of both */
};
bool gradients_theorem2(const struct built *b, struct watch *watch, struct arena *a,
			struct theorem2 *out, struct err *err);

#endif
