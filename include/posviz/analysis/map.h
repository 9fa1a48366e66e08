/* map.h: how far schemes are from each other on one input, and the plane in which they lie as far apart as
 * a plane allows.
 *
 * Of each scheme there is a signature: what it makes of the pairs of the input. All signatures of a map are
 * of the same units; NaN stands where a pair does not count. Between two there are three distances:
 *
 *   bias     root mean square, in logits, of the difference of their biases over the pairs that both allow,
 *            less the mean of the row: softmax does not see what is the same for every key of a row
 *   curve    the same of what distance tells of the biases: each pair has the mean of the pairs at its s−t.
 *            Units without a place, as [CLS], have no distance and do not count
 *   weights  mean over the rows of the total variation ½ Σ|p − q| of the attention weights, in 0..1; a key
 *            that one of them masks has weight 0 there. A metric of the matrices
 *
 * Each is symmetric, and 0 of a scheme and itself. */
#ifndef POSVIZ_MAP_H
#define POSVIZ_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/math/mat.h"
#include "posviz/model/trace.h"
#include "posviz/scene/scene.h"

/* Of larger matrices some rows are read, the same ones of every scheme: so many that they have about so
 * many pairs, and no fewer than MAP_LEAST_ROWS. */
enum { MAP_PAIRS = 8192, MAP_LEAST_ROWS = 8 };

/* A small picture of a matrix has so many rows and columns at most: means of blocks, of each of which no more
 * than so many rows are read. */
enum { MAP_SIDE = 12, MAP_BLOCK_ROWS = 16 };

struct map_signature {
	const char *no_bias; /* why there is neither bias nor curve; NULL: there is one */
	struct mat
		at[DISTANCE_OF_COUNT]; /* [rows, n_k]; bias and curve less the mean of their rows */
	struct mat thumb
		[DISTANCE_OF_COUNT]; /* at most MAP_SIDE squared, of bias and curve as they are */
	uint64_t mask[DISTANCE_OF_COUNT]; /* equal of equal patterns of NaN; 0: there is none */
	const long *query, *key;	  /* the tokens behind the units, as in struct axis */
	size_t n_q, n_k, memory;	  /* of the whole matrices */
};

/* The signature of a run that kept bias, mask and weights: `bias` is the head whose bias counts, `shown`
 * that whose weights do. `seed` chooses the rows. Results are in `a`. */
void map_signature(const struct trace *trace, const struct trace_head *bias,
		   const struct trace_head *shown, const char *no_bias, uint64_t seed,
		   struct arena *a, struct map_signature *out);

/* Whether rows and columns of both stand for the same units. */
bool map_same_units(const struct map_signature *a, const struct map_signature *b);

/* How far two are apart; NaN: there is no pair that both have, or one has no such numbers. */
double map_apart(const struct map_signature *a, const struct map_signature *b,
		 enum distance_of kind);

/* Distances up to this are rounding: the two are the same. */
extern const double map_same;

/* ---- the plane ---------------------------------------------------------------------------------- */

/* Classical scaling (Torgerson 1952): B = −½ J D² J, J = I − 11ᵀ/n, and of its two largest eigenvalues λ the
 * coordinates √λ·v. Where D is of points in a plane these come back, turned. */
struct map_plane {
	struct mat at;	 /* [n, 2]: the middle of all is 0, 0 */
	double share[2]; /* of the sum of the positive eigenvalues; 0: there is no such direction */
	double negative; /* Σ|λ| of the negative ones over Σ|λ|: how far D is from any flat space */
};
/* `own` is right of the middle and above it; where it lies in the middle the point farthest from it along
 * that direction is. False: D has values that are not finite, or LAPACK gave up. */
bool map_plane(struct mat d, size_t own, struct arena *a, struct map_plane *out, struct err *err);

/* Of each point the first one that is the same: of those before it, or itself. */
size_t *map_first(struct mat d, struct arena *a);

/* The others of n points in order of their distance from `own`, in their order where that is equal. [n−1] */
size_t *map_nearest(struct mat d, size_t own, struct arena *a);

#endif
