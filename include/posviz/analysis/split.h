/* split.h: the parts of a matrix that are explained by the distance of two positions, and by each
 * position alone.
 *
 * Over the pairs that count, m_ts = μ + f(δ(t,s)) + r_t + c_s + e_ts, where δ is the distance s−t
 * or another number of each pair. The parts are orthogonal, so that their squares add up to those
 * of m − μ:
 *
 *   by distance   f: the mean over the pairs of each number, which is the least-squares f alone
 *   by place      what the least-squares f + r + c explains in addition to that f alone
 *   rest          m minus the least-squares f + r + c
 *
 * The part by place is shared between query and key: the contributions of rows and columns do
 * not depend on the order in which they are taken, because they are the mean over both orders
 * (Lindeman, Merenda and Gold 1980). So a matrix and its transpose have the same shares with
 * query and key exchanged. A linear trend in t or s can be explained by s−t: it is counted
 * there. */
#ifndef POSVIZ_SPLIT_H
#define POSVIZ_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/analysis/sample.h"
#include "posviz/base/watch.h"
#include "posviz/math/mat.h"
#include "posviz/model/trace.h"

struct split_of {
	struct mat m;
	const uint8_t *mask;   /* [rows·cols], 0: the pair does not count; NULL: all do */
	const int32_t *number; /* [rows·cols], RELATION_NO_PATH: the pair does not count */
	uint64_t seed; /* selects the rows that are read if there are more than SAMPLE_ROWS */
	bool by_distance_only; /* place and rest are not separated: shares of query and key are 0 */
	struct watch *watch;   /* or NULL */
};

struct split {
	size_t pairs,
		infinite; /* that count; that do not count because their value is not finite */
	double mean, sd;  /* μ, and the root of the mean square of m − μ */
	/* Shares of the squares of m − μ, from 0 to 1, their sum is 1; NaN: `why`. */
	double distance, query, key, rest;
	const char *
		why; /* why there are no shares: "the same everywhere", "no pair counts"; or NULL */
	struct row_sample sample; /* of the rows */
	long lo;		  /* the numbers are lo..lo+n-1 */
	size_t n;
	double *f, *least,
		/* [n] f + μ, and the minimum and maximum of m there; NaN: no pair has the
		 * number. */
		*most;
	double *row, *col; /* r and c: a least-squares solution; 0 if there is no pair */
	/* [rows, cols] NaN where no pair counts: f + μ, by place, rest; they add up to m. at
	 * NULL if the rows are a sample. */
	struct mat by_distance, by_place, left;
};

/* Returns the numbers s−t of the pairs of a trace's matrices, by positions in the sentence;
 * inserted tokens have none. [n_q·n_k] */
const int32_t *split_distances(const struct trace *trace, struct arena *a);

/* Splits the matrix. With `matrices`, by_distance, by_place and left are made. */
void split_make(const struct split_of *of, bool matrices, struct arena *a, struct split *out);

/* Returns "94 % by distance, 5 % by key, 1 % rest", without parts under half a percent unless
 * there is no other; `by` names the numbers: "distance", "shortest path". Without shares `why`. */
const char *split_show(const struct split *s, const char *by, struct arena *a);

#endif
