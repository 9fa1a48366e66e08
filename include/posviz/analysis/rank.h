/* rank.h: how many dimensions a matrix has, by its singular values σ₁ ≥ σ₂ ≥ … ≥ 0. */
#ifndef POSVIZ_RANK_H
#define POSVIZ_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/sample.h"
#include "posviz/math/mat.h"
#include "posviz/model/trace.h"

struct rank {
	size_t rows, cols; /* of what was decomposed */
	size_t n;	   /* min(rows, cols) */
	double *values;	   /* [n] σ, descending; NULL: `why` */
	double tolerance;  /* σ₁·max(rows, cols)·2⁻⁵² */
	size_t numerical;  /* σ above it */
	size_t single;	   /* the same with 2⁻²³: of numbers that were of single precision */
	double stable;	   /* Σσ²/σ₁²; NaN of a matrix of zeros */
	double effective;  /* exp of the entropy of σ/Σσ (Roy and Vetterli 2007); NaN as above */
	const char *why;   /* no decomposition; or NULL */
	struct row_sample
		sample; /* of a large matrix: the rows, and the columns of the same numbers */
};

/* `memory`: bytes that may be taken, 0: any number. What cannot be decomposed says why. */
void rank_of(struct mat m, uint64_t seed, size_t memory, struct arena *a, struct rank *out);

/* What the logits have beside unit–unit: the sum of the other terms, in `a`; where a head has no terms the
 * bias. at NULL: there is nothing. [n_q, n_k] */
struct mat rank_position_part(const struct trace_head *head, struct mat bias, struct arena *a);

/* Of a head of width d_h: content logits are of rank d_h at most; a scheme that adds a product P_Q·P_Kᵀ of a
 * stated rank, and a table of segments, lifts that to d_h + d_p + segments (Chen et al. 2021, Theorem 1,
 * where no segments are). */
struct rank_bounds {
	size_t dk, dp, segments; /* dp 0: the expression names no rank, or has other members */
};
struct expr;
struct model_config;
void rank_bounds(const struct expr *expr, const struct model_config *config,
		 struct rank_bounds *out);

#endif
