/* lengths.h: what attention becomes on texts longer than a scheme was made for.
 *
 * The model is run on n places for n from LENGTHS_FIRST to LENGTHS_TIMES · t_max. At every place stands the same
 * unit, the probe's, so that what differs between keys is position alone; where the probe is off, the sentence's
 * own units, repeated. Weights are those of the model, every key counted and the mask obeyed: a softmax over
 * all n keys, or what the scheme has in its place. Of the queries some are computed, each exactly: the last one,
 * and LENGTHS_QUERIES spread evenly over the text (query ⌊(i + ½)·n/LENGTHS_QUERIES⌋; all of a shorter one). */
#ifndef POSVIZ_LENGTHS_H
#define POSVIZ_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

enum {
	LENGTHS_FIRST = 8,
	LENGTHS_TIMES = 8,
	LENGTHS_GRID = 20,    /* lengths, at most */
	LENGTHS_QUERIES = 32, /* for the mean */
	LENGTHS_BUCKETS = 24, /* of distances, at most */
	LENGTHS_BEYOND = 3    /* at 2, 4 and 8 times t_max */
};

/* Of one query: Σ p |s−t|; −Σ p ln p in nats; the share of keys with |s−t| ≤ r; that of the first token. p is
 * its row of weights over the row's sum; NaN where one is negative, all are 0 or, but for the entropy, keys
 * are no places. */
enum lengths_measure {
	LENGTHS_DISTANCE,
	LENGTHS_ENTROPY,
	LENGTHS_WITHIN,
	LENGTHS_FIRST_TOKEN,
	LENGTHS_MEASURES
};
extern const char
	*const lengths_measure_names[LENGTHS_MEASURES]; /* distance entropy within first */

/* A head at one length. */
struct lengths_head {
	double last[LENGTHS_MEASURES],
		mean[LENGTHS_MEASURES]; /* last query; mean over those spread */
	double window; /* of the last query: the least r with 99 % of its weight within |s−t| ≤ r */
	double unseen;	  /* its share of keys farther than `trained`; 0: none is */
	double saturates; /* the least distance from which its logits are one number, to the first key and for half of all distances at
			   * least; NaN: there is none, or not the same unit everywhere; 0: all are equal */
	double near;	  /* its logit with itself, before the mask; NaN: there are none */
	/* Its weights, the sum over a bucket of distances; or bias, logits or the mask, their mean there. NaN: no
	 * key is so far. */
	double bucket[LENGTHS_BUCKETS];
};

struct lengths_row {
	size_t n;
	bool known;
	struct lengths_head *heads; /* [heads], and behind them the mean of their numbers */
};

/* How many columns of a head turn, in pairs, by the same angle from each place to the next, and how far: measured
 * on the vectors of the first two places of a text. */
struct lengths_turns {
	size_t pairs;		 /* 0: nothing turns so */
	size_t slow;		 /* those that make no full turn within t_max places */
	double slowest, fastest; /* places for a full turn */
	/* Counts of a scaled rotation's pairs with angles that training did not show (posviz/scheme/reach.h), in texts of 2, 4 and
	 * 8 times t_max, and the counts without the scaling. */
	bool scaled;
	size_t leave[LENGTHS_BEYOND], unscaled[LENGTHS_BEYOND];
};

struct lengths {
	struct lengths_row rows[LENGTHS_GRID + 1]; /* ascending; behind `ends` there are none */
	size_t n, heads, t_max;
	size_t from[LENGTHS_BUCKETS + 1]; /* bucket i: distances from[i] to from[i+1] − 1 */
	size_t n_buckets;
	size_t ends;	      /* the longest that can be computed; 0: all of them can */
	const char *why_ends; /* why the next cannot */
	bool memory_ends;     /* the reason is ours and none of the scheme's */
	bool plain;	      /* the same unit everywhere, else the sentence repeated */
	bool matrix_absent;   /* there is no such matrix: buckets are of weights */
	/* Of each head, and of all: the greatest distance at which nothing is computed that t_max positions did not
	 * show, INFINITY: all of them. */
	double *trained;
	/* Of all pairs that the mask of sequences leaves, causal or all: the share that is farther than that, at 2, 4 and
	 * 8 times t_max. */
	double unseen_pairs[LENGTHS_BEYOND];
	struct lengths_turns turns; /* of the head that was asked for */
	const char *why;	    /* there are no lengths at all; or NULL */
};

struct lengths_of {
	const struct setup *setup;
	const struct built *built;
	long layer;	    /* from 0 */
	size_t head;	    /* whose turns are looked at; heads: the mean, which has none */
	long within;	    /* r */
	enum matrix matrix; /* what buckets are of */
	struct cache *cache;
	struct watch *watch;
};

/* The lengths for this t_max: at most LENGTHS_GRID, ascending, t_max and 2, 4, 8 times it among them. */
size_t lengths_grid(size_t t_max, size_t *out);

/* All lengths that `cache` knows, and of the others the next ones, `cells` pairs of query and key at most but one
 * length in any case. Returns how many are to come, SIZE_MAX: cancelled. Where nothing can be kept all are
 * made. */
size_t lengths_part(const struct lengths_of *of, double cells, struct arena *a, struct lengths *out,
		    struct err *err);

#endif
