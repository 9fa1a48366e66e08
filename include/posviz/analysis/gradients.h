/* gradients.h: by how much one logit or weight changes with each number that the model reads or has learned.
 *
 * A = A_ts of a head, or the mean of several. Three kinds of gradients of it, by reverse-mode differentiation of
 * the whole way from the input to that cell (tape.h):
 *
 *   ∂A/∂U   of the units, as they went in: before they are scaled, and before a position comes to them
 *   ∂A/∂P   of the position vectors, wherever members bring them in: in front of layer 1, in every layer
 *   ∂A/∂θ   of each learned leaf
 *
 * Saliency of a place is the length of its row (Simonyan et al. 2014); gradient × input is the row times what
 * stands there, u_i·∂A/∂u_i, the change of A to first order if it were not there, with its sign. */
#ifndef POSVIZ_GRADIENTS_H
#define POSVIZ_GRADIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/scene/setup.h"

struct gradients_of {
	size_t layer, head;  /* from 0; as many as there are: the mean over them */
	size_t query, key;   /* row and column of the trace's matrices */
	bool logit;	     /* before softmax and mask; else the weight */
	struct watch *watch; /* or NULL */
};

struct gradient {
	const char *why;  /* there is none: a sentence; or NULL */
	struct mat at;	  /* a row for each unit of the trace; at NULL: `why` */
	double norm;	  /* of all of it */
	double *saliency; /* [rows] the lengths of the rows */
	double *input; /* [rows] gradient × input; NaN where nothing is known of what stands there */
};

struct gradient_leaf {
	const struct leaf *leaf;
	struct mat at; /* of the leaf's shape */
	double norm;   /* > 0 */
};

struct gradients {
	const char *why; /* there are none at all: a sentence; or NULL */
	double value;	 /* of the cell */
	struct gradient unit, position;
	const bool *put_in;	      /* [rows] units that the input has not; NULL: none */
	struct gradient_leaf *leaves; /* that have one: the longest first */
	size_t n_leaves;
	/* Theorem 2 of Chen et al. 2021: where position vectors are added to the units and both enter
	 * nowhere else, ∂A/∂P = ∂A/∂U. The largest difference of two entries; NaN: there is nothing to
	 * compare. */
	double apart;
};

/* The trace is of the same built, with the head's mask and WANT_POSITION. */
void gradients_make(const struct built *b, const struct trace *trace, const struct gradients_of *of,
		    struct arena *a, struct gradients *out);

/* Along one seeded direction of unit length: the slope by central differences of ordinary runs, and by the
 * gradient. */
struct slope {
	double numeric,
		analytic; /* NaN: there is nothing to compare; numeric alone: it is not smooth */
};
struct slope gradients_slope_unit(const struct built *b, const struct trace *trace,
				  const struct gradients_of *of, const struct gradients *g,
				  struct cache *cache);
struct slope gradients_slope_position(const struct built *b, const struct trace *trace,
				      const struct gradients_of *of, const struct gradients *g,
				      struct cache *cache);

/* Whether by the hooks of the members position vectors are added to the units in front of layer 1, and nothing
 * else is done with either: so Theorem 2 says that gradients of whatever follows are equal. */
bool gradients_theorem_says(const struct built *b);

/* Theorem 2 for the whole model: L is a seeded random weighting of the last output. ∂L/∂U by differentiation,
 * every entry of ∂L/∂P by central differences of runs whose position vectors differ in that entry: so neither
 * is the other by construction. */
struct theorem2 {
	bool there;	/* there are position vectors */
	bool says;	/* gradients_theorem_says */
	bool equal;	/* they are, up to rounding */
	double apart;	/* largest difference, */
	double largest; /* and the largest entry of both */
};
bool gradients_theorem2(const struct built *b, struct watch *watch, struct arena *a,
			struct theorem2 *out, struct err *err);

#endif
