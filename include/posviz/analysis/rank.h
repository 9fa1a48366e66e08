/* rank.h: the dimensions of a matrix, by its singular values σ₁ ≥ σ₂ ≥ … ≥ 0. */
#ifndef POSVIZ_RANK_H
#define POSVIZ_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/sample.h"
#include "posviz/math/mat.h"
#include "posviz/model/trace.h"

struct rank {
	size_t rows, cols; /* of the decomposed part */
	size_t n;	   /* min(rows, cols) */
	double *values;	   /* [n] σ, descending; NULL: `why` */
	double tolerance;  /* σ₁·max(rows, cols)·2⁻⁵² */
	size_t numerical;  /* number of σ above it */
	size_t single;	   /* the same with 2⁻²³: for data of single precision */
	double stable;	   /* Σσ²/σ₁²; NaN for a zero matrix */
	double effective;  /* exp of the entropy of σ/Σσ (Roy and Vetterli 2007); NaN as above */
	const char *why;   /* why there is no decomposition; or NULL */
	struct row_sample
		sample; /* of a large matrix: the rows, and the columns with the same numbers */
};

/* Computes the ranks. `memory`: the limit in bytes, 0: none. A matrix that cannot be decomposed
 * has the reason in `why`. */
void rank_of(struct mat m, uint64_t seed, size_t memory, struct arena *a, struct rank *out);

/* Returns the logits without unit–unit: the sum of the other terms, in `a`; for a head without
 * terms the bias. at NULL: there is nothing. [n_q, n_k] */
struct mat rank_position_part(const struct trace_head *head, struct mat bias, struct arena *a);

/* Upper bounds of the rank for heads of width d_h: content logits have at most rank d_h; a
 * scheme that adds a product P_Q·P_Kᵀ of known rank, and a table of segments, raises that to d_h
 * + d_p + segments (Chen et al. 2021, Theorem 1, which has no segments). */
struct rank_bounds {
	size_t dk, dp, segments; /* dp 0: the rank is not known, or there are other members */
};
struct expr;
struct model_config;
void rank_bounds(const struct expr *expr, const struct model_config *config,
		 struct rank_bounds *out);

#endif
