/* compare.h: two matrices compared: the same tokens in two orders, two schemes, two inputs. */
#ifndef POSVIZ_COMPARE_H
#define POSVIZ_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/math/mat.h"
#include "posviz/model/trace.h"

/* ---- the same tokens in two orders ----------------------------------------------------------- */

/* Returns the index in `from` of each row of `to`: tokens are matched by identity, inserted ones
 * one after another. NULL when the axes do not hold the same tokens. */
const size_t *order_places(const struct axis *to, const struct axis *from, struct arena *a);

/* A(PX) − P·A(X)·Pᵀ, where rows and cols give, for each row and column of A(PX), its index in
 * A(X). Pairs that are masked in both orders do not count (masks may be NULL). */
struct order_change {
	struct mat difference;
	const uint8_t *allowed; /* allowed in one order or both; NULL: all */
	double most;		/* the largest of |difference| */
	double relative;	/* its norm relative to that of A(X), 0 when both are 0 */
};

void order_compare(struct mat shown, const uint8_t *shown_mask, struct mat written,
		   const uint8_t *written_mask, const size_t *rows, const size_t *cols,
		   struct arena *a, struct order_change *out);

/* ---- two matrices of the same shape ---------------------------------------------------------- */

/* The distance between two matrices over the cells that both allow (a mask may be NULL: all).
 * Scores, which are biases or logits, are compared as softmax sees them: a constant for all keys
 * of a row changes nothing. Weights are compared row by row as probability distributions: total
 * variation ½ Σ|a − b|. In a row whose masks differ, the weights are renormalised over the keys
 * that both allow; these are the weights of a softmax under both masks, so that the distance is
 * of the schemes and not of their masks. A row in which one matrix gives those keys no weight
 * does not count. */
struct apart {
	/* scores: root mean square of a − b minus the row's mean of it; weights: mean of the
	 * rows' total variations; masks: the share of the cells that only one allows. 0 if
	 * nothing is compared. */
	double distance;
	double most;	    /* the largest |a − b|; 0 for masks */
	size_t row, col;    /* its cell */
	double most_of_row; /* weights: the largest of the rows' total variations */
	size_t worst;	    /* its row */
	size_t both, one;   /* cells that both allow, and that only one of them allows */
};

void apart_scores(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
		  struct apart *out);
void apart_weights(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
		   struct apart *out);
/* Compares only the masks of matrices of this shape. */
void apart_masks(size_t rows, size_t cols, const uint8_t *a, const uint8_t *b, struct apart *out);

/* ---- two inputs ------------------------------------------------------------------------------ */

/* The tokens of two inputs that are the same word: the same label, and the same occurrence of it
 * in the original order. */
struct axis_match {
	size_t n; /* number of common tokens */
	/* [n] their indices, in the order of the first; followed by those of the tokens of one
	 * input only, up to n_first and n_second. */
	size_t *first, *second;
	size_t n_first, n_second; /* tokens of each */
};
void axis_match(const struct axis *first, const struct axis *second, struct arena *a,
		struct axis_match *out);
/* Returns the index in `from` of each token of `to`, [to->n]; SIZE_MAX: its word is missing. */
size_t *axis_places(const struct axis *to, const struct axis *from, struct arena *a);

struct matched {
	struct axis_match queries, keys;
};
/* Takes, from a matrix of the first or second input, the cells of words that are in both, as
 * rows and columns of the first. With `rest`, the keys that only one input has follow, masked in
 * the other one: so apart_weights sees that rows give a part of their weight to other words.
 * (*out_mask)[out->rows * out->cols]. */
void matched_take(const struct matched *m, bool second, bool rest, struct mat from,
		  const uint8_t *mask, struct arena *a, struct mat *out, const uint8_t **out_mask);

#endif
