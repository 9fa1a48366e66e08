/* lengths.h: attention on texts longer than a scheme was made for.
 *
 * The model is run on n tokens for n from LENGTHS_FIRST to LENGTHS_TIMES · t_max. All tokens
 * have the same vector, the probe's, so that keys differ only by their position; if the probe is
 * off, the sentence's own tokens are repeated. Weights are those of the model with all keys and
 * the mask: a softmax over all n keys, or what the scheme uses instead. Only some queries are
 * computed, each exactly: the last one, and LENGTHS_QUERIES spread evenly over the text (query
 * ⌊(i + ½)·n/LENGTHS_QUERIES⌋; all of a shorter one). */
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
	LENGTHS_BUCKETS = 24, /* distances, at most */
	LENGTHS_BEYOND = 3    /* factors 2, 4 and 8 of t_max */
};

/* Measures of one query: Σ p |s−t|; −Σ p ln p in nats; the share of keys with |s−t| ≤ r; that of
 * the first token. p is its row of weights divided by the row's sum; NaN if one is negative, all
 * are 0 or, except for the entropy, keys have no positions. */
enum lengths_measure {
	LENGTHS_DISTANCE,
	LENGTHS_ENTROPY,
	LENGTHS_WITHIN,
	LENGTHS_FIRST_TOKEN,
	LENGTHS_MEASURES
};
extern const char
	*const lengths_measure_names[LENGTHS_MEASURES]; /* distance entropy within first */

/* The results of a head at one length. */
struct lengths_head {
	double last[LENGTHS_MEASURES],
		mean[LENGTHS_MEASURES]; /* last query; mean over the spread queries */
	double window; /* of the last query: the least r with 99 % of its weight within |s−t| ≤ r */
	double unseen; /* its share of keys farther than `trained`; 0: none is */
	/* The least distance from which its logits are constant up to the first key, for at
	 * least half of all distances; NaN: there is none, or the tokens differ; 0: all are
	 * equal. */
	double saturates;
	double near; /* its logit with itself, before the mask; NaN: no logits */
	/* Its weights, summed over a bucket of distances; or the mean of bias, logits or mask
	 * there. NaN: no key is so far. */
	double bucket[LENGTHS_BUCKETS];
};

struct lengths_row {
	size_t n;
	bool known;
	struct lengths_head *heads; /* [heads], followed by the mean of their numbers */
};

/* Rotations of the columns of a head: the pairs of columns that rotate by the same angle from
 * each position to the next, and their wavelengths; measured on the vectors of the first two
 * positions of a text. */
struct lengths_turns {
	size_t pairs;		 /* 0: nothing rotates like this */
	size_t slow;		 /* pairs that make no full rotation within t_max positions */
	double slowest, fastest; /* wavelengths, in positions */
	/* Numbers of a scaled rotation's pairs that reach angles not seen in training
	 * (posviz/scheme/reach.h), in texts of 2, 4 and 8 times t_max, and the same without the
	 * scaling. */
	bool scaled;
	size_t leave[LENGTHS_BEYOND], unscaled[LENGTHS_BEYOND];
	double trained_to; /* the positions of training that a scaling is from; 0: there is none */
	/* [pairs]: the angle from a position to the next in the longest text, as a share of the angle
	 * without the scaling. */
	double *share;
};

struct lengths {
	struct lengths_row rows[LENGTHS_GRID + 1]; /* ascending; none beyond `ends` */
	size_t n, heads, t_max;
	size_t from[LENGTHS_BUCKETS + 1]; /* bucket i: distances from[i] to from[i+1] − 1 */
	size_t n_buckets;
	size_t ends;	      /* the longest length that can be computed; 0: no limit */
	const char *why_ends; /* why a longer one cannot */
	bool memory_ends;     /* the limit is posviz's memory and not the scheme */
	bool plain;	      /* all tokens have the same vector; false: the sentence is repeated */
	bool matrix_absent;   /* the matrix does not exist: buckets are of weights */
	/* For each head, and for all: the greatest distance up to which the scheme computes only
	 * values that occur within t_max positions, INFINITY: all distances. */
	double *trained;
	/* The share of the pairs that the mask of sequences allows, causal or all, that are
	 * farther than that, at 2, 4 and 8 times t_max. */
	double unseen_pairs[LENGTHS_BEYOND];
	struct lengths_turns turns; /* of the chosen head */
	const char *why;	    /* why there are no lengths at all; or NULL */
};

struct lengths_of {
	const struct setup *setup;
	const struct built *built;
	long layer;  /* from 0 */
	size_t head; /* the head whose rotations are measured; heads: the mean, which has none */
	long within; /* r */
	enum matrix matrix; /* the matrix of the buckets */
	struct cache *cache;
	struct watch *watch;
};

/* Returns the reason why the input cannot be continued to other lengths; NULL: it can. */
const char *lengths_why_none(const struct built *b, struct arena *a);

/* Computes the lengths for this t_max: at most LENGTHS_GRID, ascending, including t_max and 2,
 * 4, 8 times it. */
size_t lengths_grid(size_t t_max, size_t *out);

/* Fills in all lengths that `cache` has, and computes the next ones, with at most `cells` pairs
 * of query and key but at least one length. Returns how many remain, SIZE_MAX: cancelled.
 * Without a cache all are computed. */
size_t lengths_part(const struct lengths_of *of, double cells, struct arena *a, struct lengths *out,
		    struct err *err);

#endif
