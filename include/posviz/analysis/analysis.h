/* analysis.h: results that are computed from traces, and measures that need further evaluations. */
#ifndef POSVIZ_ANALYSIS_H
#define POSVIZ_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/claims.h"
#include "posviz/analysis/compare.h"
#include "posviz/analysis/distances.h"
#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

/* A measured number, or the reason why there is none. */
struct measure {
	bool there;
	double value;
	const char *why; /* "n/a: all tokens are equal"; NULL when there */
};

/* Number of shuffles in a mean; distance by which positions are shifted; number of tokens that
 * are inserted in front. */
enum { MEASURE_SHUFFLES = 8, MEASURE_SHIFT = 3, MEASURE_INSERT = 2 };

/* The largest number of tokens to measure on: of a longer input a part is used. A member with
 * matrices of all tokens (struct hooks, whole) cannot be run on a part; then the limit is
 * MEASURE_WHOLE. */
enum { MEASURE_TOKENS = 128, MEASURE_WHOLE = 512 };

/* Groups of measures that are made together; as bits, those that are wanted and those that are
 * known. */
enum measured {
	MEASURED_OWN_ORDER = 1 << 0,
	MEASURED_ORDER = 1 << 1, /* equivariance, invariance */
	MEASURED_SHIFT = 1 << 2, /* shift, constant_bias */
	MEASURED_PREFIX = 1 << 3,
	MEASURED_INSERTION = 1 << 4,
	MEASURED_SHIFT_RANDOM = 1 << 5,
	MEASURED_ALL = (1 << 6) - 1
};

struct measures {
	unsigned known; /* enum measured; the others have not been measured yet */
	/* The part of the input that was used: the first tokens of a text; in a structure the
	 * tokens on the nodes nearest its root. */
	struct measured_on {
		size_t units, of; /* as written; equal: the whole input */
		bool nodes;
		size_t layers; /* not 0: outputs of so many are too large, weights of layer 1 are measured */
	} on;
	struct measure equivariance; /* ‖P·T(X) − T(P·X)‖ / ‖T(X)‖, mean over 8 seeded shuffles */
	struct measure own_order;  /* the same for the user's own order */
	struct measure invariance; /* the mean over tokens instead of T; mean over 8 shuffles */
	/* Largest relative change of the logits before the mask when the position column is
	 * shifted by k; with the probe. Of the weights if heads have no logits. */
	struct measure shift;
	struct measure shift_random; /* the same under a random projection with the real sentence */
	bool constant_bias;	     /* the bias is the same everywhere: "relative" means nothing */
	struct measure insertion; /* k tokens in front: change of the common block of the logits */
	struct measure prefix[MODEL_MAX_LAYERS]; /* causal: change of the last row, earlier tokens
	                                          * shuffled, per layer */
	size_t n_prefix;
	double count_printed; /* NaN: nothing printed */
	size_t count_made;
};

/* The rows of measure_list.h, and their indices, such as MEASURE_ROW_shift. */
struct measure_row {
	const char *name, *title, *key, *sentence; /* "shift-random", "shift, random" */
	unsigned kind;				   /* enum measured */
	size_t offset;				   /* in struct measures */
};
#define MEASURE(name, title, key, kind, member, sentence) MEASURE_ROW_##member,
enum measure_id {
#include "posviz/analysis/measure_list.h"
};
extern const struct measure_row measure_table[];  /* ends with name == NULL */
extern const struct measure_row measure_by_layer; /* of each layer */
const struct measure *measure_at(const struct measures *m, const struct measure_row *row);
/* Returns the sentence of the row, about weights if heads have no logits. */
const char *measure_meaning(const struct measure_row *row, bool logits, struct arena *a);

struct measure_request {
	unsigned kinds, first; /* enum measured: the wanted ones, and those to be made first */
	struct cache *cache;   /* stores the measures by everything they depend on; or NULL */
	struct watch *watch;   /* or NULL */
	void (*tell)(void *context, const struct measures *so_far); /* after each kind; or NULL */
	void *context;
};

/* Adds the wanted measures that are not yet known to *out, which is {0} at first. */
bool analysis_measure(const struct setup *setup, const struct measure_request *r,
		      struct measures *out, struct err *err);
/* Does the same for a setup that is built already. */
bool analysis_measure_built(const struct setup *setup, const struct built *b,
			    const struct measure_request *r, struct measures *out, struct err *err);

/* Returns "the first 128 of 1000 tokens"; NULL: all were used. */
const char *measure_show_on(const struct measured_on *on, struct arena *a);
/* Return "0 (4e-16)" below 1e-9, "0.83" above, with MEASURE_DIGITS, "n/a" when there is none. */
enum { MEASURE_DIGITS = 2 };
const char *measure_show(const struct measure *m, struct arena *a);
const char *measure_show_value(double value, struct arena *a);

/* ---- heads, and means over them -------------------------------------------------------------- */

/* Makes the mean over all heads (head == heads), over all steps (step == n_layers) or over both, at
 * layers[step].heads[head] of a trace that kept the heads to average. Other heads are unchanged.
 *
 * Logits, bias, terms, `before`, `after`: each cell's mean over the heads that allow it, over
 * all if none does; heads without logits do not count. A term that a head lacks is 0 there, so
 * the terms of a mean still add up to its logits. Weights: the mean of the weights, 0 where
 * masked, so that rows keep their sum of 1; it is not the softmax of the mean logits. Mask: the
 * pairs that any head allows. Modulation: over the heads where it is defined. q, k, v and
 * context have no mean. */
void trace_mean(struct trace *trace, size_t heads, size_t step, size_t head, struct arena *a);

/* trace_chosen returns the index of the head or layer, one of n, that a scene gives by its
 * number from 1: the last for a number above n; n for SCENE_MEAN. trace_wanted returns the index
 * that a run must keep for it: -1, all, for the mean. */
size_t trace_chosen(long number, size_t n);
long trace_wanted(long number, size_t n);
/* Returns the head with these numbers, of a trace that kept it; makes a mean if needed. */
const struct trace_head *trace_shown(struct trace *trace, size_t heads, long head, long layer,
				     struct arena *a);

/* Returns the entropy of the rows of attention weights in nats, −Σ p ln p, the mean over rows: 0
 * when each query sees one key, ln n when it sees n keys equally. Rows are taken relative to
 * their sum; rows of sum 0 do not count. NaN where a weight is negative or no row counts. */
double weights_entropy(struct mat weights);

/* Returns the mean distance of attention: Σ p |s−t| of a row, the mean over rows; |s−t| as in
 * struct distances, memory included. Inserted tokens do not count. NaN as above. */
double weights_distance(const struct trace *trace, struct mat weights);

/* ---- terms of the logits --------------------------------------------------------------------- */

/* The sum of the chosen terms of a head, and each term's share of its variance: cov(term, sum) /
 * var(sum). The shares add up to 1; one is negative if its term works against the sum.
 *
 * "within": deviations from the mean of the row, as softmax sees them: a constant for all keys
 * of a row changes no weight. */
struct term_sum {
	size_t n, n_on;
	bool on[MODEL_MAX_TERMS];
	struct mat sum, weights;	   /* of the chosen terms; weights: its softmax */
	double sd[MODEL_MAX_TERMS];	   /* of each term over the allowed pairs, chosen or not */
	double sd_within[MODEL_MAX_TERMS]; /* the same for deviations from the means of the rows */
	double within[MODEL_MAX_TERMS];	   /* shares; 0 for terms that are not chosen */
	double sum_sd, sum_sd_within;
	double most;	    /* upper bound of |entry| where allowed, for any choice of terms */
	bool varies_within; /* false: there are no shares, they are 0 */
};

void terms_sum(const struct trace_head *head, const bool *on, struct arena *a,
	       struct term_sum *out);

#endif
