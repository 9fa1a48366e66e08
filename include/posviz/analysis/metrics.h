/* metrics.h: properties of a matrix over places, each a number with a meaning and no grade.
 *
 * Wang et al. 2021 name translation invariance, monotonicity and symmetry of position embeddings, but give no
 * indicator that could be established; those here are ours. Locality and the symmetry of rows are of Chen,
 * Varoquaux and Suchanek 2023. */
#ifndef POSVIZ_METRICS_H
#define POSVIZ_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/math/mat.h"

/* Pairs that count have a distance (split_distances), are allowed (mask NULL: all), and have a finite value. */
struct metric_of {
	struct mat m;
	const uint8_t *mask;
	const int32_t *distance; /* [rows·cols] s−t, RELATION_NO_PATH: none */
	uint64_t seed; /* of the rows that are read where there are more than SAMPLE_ROWS */
};

struct metric {
	const char *name, *title, *range;
	const char *brief, *means; /* what its ends mean: "1: all to itself", and in a sentence */
	const char *source;	   /* "Chen et al. 2023", "ours" */
	bool of_weights;	   /* only of rows that sum to 1 */
	/* NaN where it is not defined. */
	double (*measure)(const struct metric_of *of);
};
enum { METRIC_COUNT = 8 };
extern const struct metric metrics[METRIC_COUNT];

/* How far to both sides monotonicity looks. */
enum { METRIC_WINDOW = 8 };

/* ---- word reordering (Yang et al. 2019) ---------------------------------------------------------- */

/* The word at place `from` is taken out and put in again at place `to` of the others, from ≠ to. Asked are
 * two places of the new sentence: where the moved word stands now, and before which word it stood. */
struct reordering {
	size_t from, to;
	size_t inserted, original; /* the labels I and O */
};
struct reordering reorder_move(size_t from, size_t to);
/* A seeded one of a sentence of n ≥ 2 words; and which word stands where: order[n]. */
struct reordering reorder_draw(size_t n, uint64_t seed);
void reorder_apply(const struct reordering *r, size_t n, size_t *order);

/* ---- what position vectors tell (Wang and Chen 2020) ---------------------------------------------- */

enum { PROBE_FOLDS = 5 };

struct probe {
	size_t n;      /* examples */
	double error;  /* of those held out, mean over folds; NaN: `why` */
	double chance; /* the same of the best constant answer */
	double folds[PROBE_FOLDS];
	const char *why;
};

/* From P_r (n × d) to r by least squares with an intercept, of least norm where there are fewer rows than
 * columns; the rows in a seeded order, five folds of neighbours. Error: mean |round(ŷ) − r|, halves to
 * even. */
void probe_place(struct mat vectors, uint64_t seed, struct arena *a, struct probe *out);
/* The same of rows in this order; ŷ of each, held out, into predicted[n]. */
bool probe_place_order(struct mat vectors, const size_t *order, double *predicted,
		       struct probe *out, struct err *err);
/* From [P_a ; P_b] to whether b > a, of up to 512 pairs drawn without replacement: logistic regression, ½‖w‖² +
 * Σ log-loss, the intercept free, by Newton's method; five folds with equal shares of both answers. Error: the
 * part that is wrong. */
void probe_pair(struct mat vectors, uint64_t seed, struct arena *a, struct probe *out);
/* The same of these pairs [n][2]; weights and intercept of each fold into coefficients[PROBE_FOLDS, 2d+1], at
 * NULL: not asked for. */
bool probe_pairs(struct mat vectors, const size_t (*pairs)[2], size_t n, struct mat coefficients,
		 struct arena *a, struct probe *out, struct err *err);

#endif
