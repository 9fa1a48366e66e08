/* map.h: distances between schemes on one input, and the plane that represents these distances
 * best.
 *
 * Each scheme has a signature: its values for the pairs of the input. All signatures of a map are
 * for the same tokens; NaN marks a pair that does not count. There are three distances between
 * signatures:
 *
 *   bias     root mean square, in logits, of the difference of their biases over the pairs that
 *   both allow, minus the mean of the row, since softmax ignores a constant of a row
 *   curve    the same for the biases as functions of distance: each pair has the mean of the pairs
 *   at its s−t. Tokens without a position, such as [CLS], have no distance and do not count
 *   weights  mean over the rows of the total variation ½ Σ|p − q| of the attention weights, in
 *   0..1; a masked key has weight 0. A metric of the matrices
 *
 * Each is symmetric, and 0 between a scheme and itself. */
#ifndef POSVIZ_MAP_H
#define POSVIZ_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/math/mat.h"
#include "posviz/model/trace.h"
#include "posviz/scene/scene.h"

/* Only some rows of larger matrices are used, the same ones for every scheme: about enough for
 * MAP_PAIRS pairs, and at least MAP_LEAST_ROWS. */
enum { MAP_PAIRS = 8192, MAP_LEAST_ROWS = 8 };

/* The largest number of rows and columns of a thumbnail of a matrix, which has the means of
 * blocks, and the largest number of rows that are read of a block. */
enum { MAP_SIDE = 12, MAP_BLOCK_ROWS = 16 };

struct map_signature {
	const char *no_bias; /* why there is neither bias nor curve; NULL: there are both */
	struct mat at
		[DISTANCE_OF_COUNT]; /* [rows, n_k]; bias and curve minus the mean of their rows */
	struct mat thumb
		/* At most MAP_SIDE squared, of bias and curve without subtraction. */
		[DISTANCE_OF_COUNT];
	struct mat outputs; /* [rows, width] the contexts of the same rows; at NULL: not known */
	uint64_t mask[DISTANCE_OF_COUNT]; /* hash of the pattern of NaN; 0: there is none */
	const long *query, *key; /* the tokens of the rows and columns, as in struct axis */
	size_t n_q, n_k, memory; /* of the full matrices */
};

/* Makes the signature of a run that kept bias, mask and weights: `bias` is the head whose bias
 * is used, `shown` that whose weights are, `outputs` what it writes (at NULL: not known). `seed` selects the rows. Results are in `a`. */
void map_signature(const struct trace *trace, const struct trace_head *bias,
		   const struct trace_head *shown, struct mat outputs, const char *no_bias,
		   uint64_t seed, struct arena *a, struct map_signature *out);

/* Returns whether rows and columns of both belong to the same tokens. */
bool map_same_units(const struct map_signature *a, const struct map_signature *b);

/* Returns the distance of two signatures; NaN: there is no pair that both have, or one has no
 * such values. */
double map_apart(const struct map_signature *a, const struct map_signature *b,
		 enum distance_of kind);

/* Returns the relative difference of the outputs, ‖x − y‖ / max(‖x‖, ‖y‖); NaN: not known. */
double map_outputs_apart(const struct map_signature *a, const struct map_signature *b);

/* Distances up to this are rounding: the two are the same. */
extern const double map_same;

/* ---- the plane ------------------------------------------------------------------------------- */

/* Classical scaling (Torgerson 1952): B = −½ J D² J, J = I − 11ᵀ/n; the coordinates are √λ·v of
 * its two largest eigenvalues λ. If D is of points in a plane, the result is these points up to
 * a rotation. */
struct map_plane {
	struct mat at;	 /* [n, 2]: centred at 0, 0 */
	double share[2]; /* of the sum of the positive eigenvalues; 0: there is no such dimension */
	/* Σ|λ| of the negative ones over Σ|λ|: how far D is from Euclidean distances. */
	double negative;
};
/* Points and signs that keep the plane the same whichever points are added. Points aside do not
 * shape the axes; they are placed among the others:
 * x_k = Σ_i x_ik (mean of row i of D² − d_i²) / 2λ_k over these (Gower 1968). The signs are
 * chosen so that the first anchor that is not at the centre of an axis is right of it, or above it; without one the
 * sum of cubes is above 0, which does not depend on the order of points. */
struct map_fix {
	const bool *aside; /* [n]; NULL, or all: none is */
	const size_t *anchors;
	size_t n_anchors;
};
/* False: D has values that are not finite, or LAPACK failed. */
bool map_plane(struct mat d, const struct map_fix *fix, struct arena *a, struct map_plane *out,
	       struct err *err);

/* Returns for each point the index of the first one that is the same: an earlier one, or itself. */
size_t *map_first(struct mat d, struct arena *a);

/* Returns the other n − 1 points by increasing distance from `own`, in index order if equal. */
size_t *map_nearest(struct mat d, size_t own, struct arena *a);

#endif
