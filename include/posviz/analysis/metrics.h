/* metrics.h: properties of a matrix over positions, each a number with a meaning and without a
 * judgement.
 *
 * Wang et al. 2021 name translation invariance, monotonicity and symmetry of position
 * embeddings, but give no indicator that we could find; those here are ours. Locality and the
 * symmetry of rows are from Chen, Varoquaux and Suchanek 2023. */
#ifndef POSVIZ_METRICS_H
#define POSVIZ_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/math/mat.h"

/* The input of a metric. A pair counts if it has a distance (split_distances), is allowed (mask
 * NULL: all), and has a finite value. */
struct metric_of {
	struct mat m;
	const uint8_t *mask;
	const int32_t *distance; /* [rows·cols] s−t, RELATION_NO_PATH: none */
	uint64_t seed; /* selects the rows that are read if there are more than SAMPLE_ROWS */
};

struct metric {
	const char *name, *title, *range;
	const char *brief,
		*means;	    /* the meaning of its extremes: "1: all to itself", and as a sentence */
	const char *source; /* "Chen et al. 2023", "ours" */
	bool of_weights;    /* only for rows that sum to 1 */
	/* Computes the metric; NaN if it is not defined. */
	double (*measure)(const struct metric_of *of);
};
enum { METRIC_COUNT = 8 };
extern const struct metric metrics[METRIC_COUNT];

/* The number of neighbours on each side for monotonicity. */
enum { METRIC_WINDOW = 8 };

/* ---- word reordering (Yang et al. 2019) ------------------------------------------------------ */

/* A word at position `from` is removed and inserted at position `to` among the others, from ≠
 * to. The task asks for two positions in the new sentence: where the moved word is now, and the
 * word before which it was. */
struct reordering {
	size_t from, to;
	size_t inserted, original; /* the labels I and O */
};
struct reordering reorder_move(size_t from, size_t to);
/* reorder_draw draws a reordering of a sentence of n ≥ 2 words; reorder_apply computes the word
 * at each position: order[n]. */
struct reordering reorder_draw(size_t n, uint64_t seed);
void reorder_apply(const struct reordering *r, size_t n, size_t *order);

/* ---- probes on position vectors (Wang and Chen 2020)
 * ---------------------------------------------- */

enum { PROBE_FOLDS = 5 };

struct probe {
	size_t n;      /* examples */
	double error;  /* on held-out examples, mean over folds; NaN: `why` */
	double chance; /* the error of the best constant answer */
	double folds[PROBE_FOLDS];
	const char *why;
};

/* Predicts r from P_r (n × d) by least squares with an intercept, of least norm if there are
 * fewer rows than columns; the rows are shuffled by the seed and divided into five contiguous
 * folds. Error: mean |round(ŷ) − r|, halves to even. */
void probe_place(struct mat vectors, uint64_t seed, struct arena *a, struct probe *out);
/* Does the same for rows in this order; ŷ of each row, held out, into predicted[n]. */
bool probe_place_order(struct mat vectors, const size_t *order, double *predicted,
		       struct probe *out, struct err *err);
/* Predicts from [P_a ; P_b] whether b > a, for up to 512 pairs drawn without replacement:
 * logistic regression, ½‖w‖² + Σ log-loss, the intercept unpenalised, by Newton's method; five
 * folds with equal shares of both answers. Error: the share of wrong answers. */
void probe_pair(struct mat vectors, uint64_t seed, struct arena *a, struct probe *out);
/* Does the same for these pairs [n][2]; weights and intercept of each fold into
 * coefficients[PROBE_FOLDS, 2d+1], at NULL: not wanted. */
bool probe_pairs(struct mat vectors, const size_t (*pairs)[2], size_t n, struct mat coefficients,
		 struct arena *a, struct probe *out, struct err *err);

#endif
