/* analysis.h: what is read off traces, and what is measured by evaluating again. */
#ifndef POSVIZ_ANALYSIS_H
#define POSVIZ_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/distances.h"
#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

/* A measured number, or why there is none. */
struct measure {
	bool there;
	double value;
	const char *why; /* "n/a: all tokens are equal"; NULL when there */
};

/* Shuffles in a mean; places that a shift moves positions by; tokens that are put in front. */
enum { MEASURE_SHUFFLES = 8, MEASURE_SHIFT = 3, MEASURE_INSERT = 2 };

/* Tokens that are measured on, at most: of a longer input a part is. Where a member has matrices of all units
 * (struct hooks, whole) there is no part, and so many are measured on. */
enum { MEASURE_TOKENS = 128, MEASURE_WHOLE = 512 };

/* What is measured together; as bits, what of it is wanted, and what is known. */
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
	unsigned known; /* enum measured; of the others nothing is said yet */
	/* Of a text its first units; of a structure those on the nodes nearest its root. */
	struct measured_on {
		size_t units, of; /* as written; equal: all of them */
		bool nodes;
	} on;
	struct measure equivariance; /* ‖P·T(X) − T(P·X)‖ / ‖T(X)‖, mean over 8 seeded shuffles */
	struct measure own_order;  /* the same for the user's own order */
	struct measure invariance; /* the mean over tokens instead of T; mean over 8 shuffles */
	struct measure shift; /* largest change of the logits before the mask, relative, when the
	                               * position column moves by k; on the probe. Of the weights
	                               * where heads have no logits */
	struct measure shift_random; /* the same under a random projection on the real sentence */
	bool constant_bias;	     /* the bias is the same everywhere: "relative" says nothing */
	struct measure insertion; /* k tokens in front: change of the common block of the logits */
	struct measure prefix[MODEL_MAX_LAYERS]; /* causal: change of the last row, earlier tokens
	                                          * shuffled, per layer */
	size_t n_prefix;
	double count_printed; /* NaN: nothing printed */
	size_t count_made;
};

/* The rows of measure_list.h. */
struct measure_row {
	const char *name, *title, *sentence; /* "shift-random", "shift, random" */
	unsigned kind;			     /* enum measured */
	size_t offset;			     /* in struct measures */
};
extern const struct measure_row measure_table[]; /* ends with name == NULL */
const struct measure *measure_at(const struct measures *m, const struct measure_row *row);

struct measure_request {
	unsigned kinds, first; /* enum measured: which, and which of them before the others */
	struct cache *cache;   /* what was measured is kept there by what it depends on; or NULL */
	struct watch *watch;   /* or NULL */
	void (*tell)(void *context, const struct measures *so_far); /* after each kind; or NULL */
	void *context;
};

/* Adds those that are asked for and not known to *out, which is {0} at first. */
bool analysis_measure(const struct setup *setup, const struct measure_request *r,
		      struct measures *out, struct err *err);
/* Of a setup that is built already. */
bool analysis_measure_built(const struct setup *setup, const struct built *b,
			    const struct measure_request *r, struct measures *out, struct err *err);

/* "the first 128 of 1000 tokens"; NULL: it was all of them. */
const char *measure_show_on(const struct measured_on *on, struct arena *a);
/* "0 (4e-16)" below 1e-9, "0.83" above, "n/a" when there is none. */
const char *measure_show(const struct measure *m, struct arena *a);
const char *measure_show_value(double value, struct arena *a);

/* ---- heads, and means over them ------------------------------------------------------------------ */

/* Makes the mean over all heads (head == heads), over all steps (step == n_layers) or over both, at
 * layers[step].heads[head] of a trace that kept what it is of. Other heads are left as they are.
 *
 * Logits, bias, terms, `before`, `after`: each cell's mean over the heads that allow it, over all where
 * none does; heads without logits do not count. A term that a head lacks is 0 there, so the terms of
 * a mean still add up to its logits. Weights: the mean of the weights, 0 where masked, so that rows of
 * sum 1 keep it; it is not the softmax of the mean logits. Mask: what any head allows. Modulation:
 * over the heads where it is defined. q, k, v and context have no mean. */
void trace_mean(struct trace *trace, size_t heads, size_t step, size_t head, struct arena *a);

/* Where a trace holds the head or layer, one of n, that a scene names by this number: from 0; the last
 * for more than there are; n for SCENE_MEAN. And what a run is to keep for it: -1, all, for the mean. */
size_t trace_chosen(long number, size_t n);
long trace_wanted(long number, size_t n);
/* The head of these numbers, of a trace that kept it; a mean is made. */
const struct trace_head *trace_shown(struct trace *trace, size_t heads, long head, long layer,
				     struct arena *a);

/* Entropy of the rows of attention weights in nats, −Σ p ln p, the mean over rows: 0 when each query
 * sees one key, ln n when it sees n alike. Rows are taken relative to their sum; those whose sum is 0
 * do not count. NaN where a weight is negative or no row counts. */
double weights_entropy(struct mat weights);

/* How far attention reaches: Σ p |s−t| of a row, the mean over rows; |s−t| as in struct distances,
 * memory included. Units without a token do not count. NaN as above. */
double weights_distance(const struct trace *trace, struct mat weights);

/* ---- terms of the logits ---------------------------------------------------------------------- */

/* The terms of a head that are on, and how much of their sum's variance each makes up: cov(term, sum) /
 * var(sum). The shares add up to 1; one is negative where its term works against the sum.
 *
 * "within": deviations from the mean of the row, as softmax sees them: what is the same for every key
 * of a row changes no weight. "all": deviations from the mean of all allowed pairs. */
struct term_sum {
	size_t n, n_on;
	bool on[MODEL_MAX_TERMS];
	struct mat sum, weights;    /* of the terms that are on; weights: its softmax */
	double sd[MODEL_MAX_TERMS]; /* of each term over the allowed pairs, also of those off */
	double sd_within[MODEL_MAX_TERMS]; /* the same, from the means of the rows */
	double within[MODEL_MAX_TERMS], all[MODEL_MAX_TERMS]; /* shares; 0 for those off */
	double sum_sd, sum_sd_within;
	double most; /* the largest |entry| of any terms added up, whichever are on, where allowed */
	bool varies_within, varies; /* otherwise there are no shares: they are 0 */
};

void terms_sum(const struct trace_head *head, const bool *on, struct arena *a,
	       struct term_sum *out);

/* ---- the same tokens in two orders -------------------------------------------------------------- */

/* The place on `from` of each unit of `to`: tokens by what they are, units without a token in their
 * turn. NULL when the axes do not hold the same units. */
const size_t *order_places(const struct axis *to, const struct axis *from, struct arena *a);

/* A(PX) − P·A(X)·Pᵀ: rows and cols say where in A(X) each row and column of A(PX) stood. Pairs whose
 * mask is 0 in both orders do not count (masks may be NULL). */
struct order_change {
	struct mat difference;
	const uint8_t *allowed; /* in one order or both; NULL: everything */
	double most;		/* the largest of |difference| */
	double relative;	/* its norm over that of A(X), 0 when both are 0 */
};

void order_compare(struct mat shown, const uint8_t *shown_mask, struct mat written,
		   const uint8_t *written_mask, const size_t *rows, const size_t *cols,
		   struct arena *a, struct order_change *out);

/* ---- two matrices of the same shape ------------------------------------------------------------- */

/* How far apart two matrices are over the cells that both allow (a mask may be NULL: all). Scores, which
 * are biases or logits, are compared as softmax sees them: what is the same for every key of a row
 * changes nothing. Weights are compared row by row as the distributions they are: total variation
 * ½ Σ|a − b|; in a row whose masks differ, of the shares among the keys that both allow, which are the
 * weights of softmax under both masks, so that the difference is of the schemes and not of their masks.
 * A row in which one gives nothing to those keys does not count. */
struct apart {
	double distance; /* scores: root of the mean square of a − b less the row's mean of it; weights:
			  * mean of the rows' total variations; masks: the part of the cells that one
			  * alone allows. 0 where nothing is compared */
	double most;	    /* the largest |a − b|; 0 for masks */
	size_t row, col;    /* its cell */
	double most_of_row; /* weights: the largest of the rows' total variations */
	size_t worst;	    /* its row */
	size_t both, one;   /* cells that both allow, and that one of them alone allows */
};

void apart_scores(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
		  struct apart *out);
void apart_weights(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
		   struct apart *out);
/* Of the masks of matrices of this shape alone. */
void apart_masks(size_t rows, size_t cols, const uint8_t *a, const uint8_t *b, struct apart *out);

/* ---- two inputs --------------------------------------------------------------------------------- */

/* Units of two inputs that are the same word: the same label, and the same occurrence of it in the sentence as
 * written. */
struct axis_match {
	size_t n;		/* in both */
	size_t *first, *second; /* [n] their places, in the order of the first; behind them those of
				    * one alone, up to n_first and n_second */
	size_t n_first, n_second; /* units of each */
};
void axis_match(const struct axis *first, const struct axis *second, struct arena *a,
		struct axis_match *out);
/* The place on `from` of each unit of `to`, [to->n]; SIZE_MAX: its word is not there. */
size_t *axis_places(const struct axis *to, const struct axis *from, struct arena *a);

struct matched {
	struct axis_match queries, keys;
};
/* Of a matrix of the first or second input the cells of words that are in both, as rows and columns of the
 * first. With `rest` behind them the keys that one alone has, which the other does not allow: so
 * apart_weights knows that rows do not give all to words of both. (*out_mask)[out->rows * out->cols]. */
void matched_take(const struct matched *m, bool second, bool rest, struct mat from,
		  const uint8_t *mask, struct arena *a, struct mat *out, const uint8_t **out_mask);

/* ---- claims --------------------------------------------------------------------------------- */

/* What an expression does on sentences of ours, or the sample that its scheme names, and sizes of ours
 * (d 16, two heads, t-max BEHAVIOUR_T_MAX): numbers of its own, whatever the user looks at. */
enum { BEHAVIOUR_LONG = 520, BEHAVIOUR_T_MAX = 24 };

struct behaviour {
	double shift, shift_random, equivariance; /* as in struct measures; NaN: there is none */
	bool constant_bias;
	bool computes; /* BEHAVIOUR_LONG tokens */
	enum far {
		FAR_UNSAID, /* nothing to compare: no bias, or a constant one */
		FAR_ONE,    /* the farthest distances are one */
		FAR_TOLD    /* they are told apart */
	} far;
	/* Shares of the variance of head 1's bias, where there is none of its weights, as in struct split: by
	 * distance, of structures by the number that the scheme makes of two nodes. NaN: there are none. */
	struct shares {
		double distance, query, key, rest;
		bool weights, relation;
	} split;
	size_t acts, later; /* in how many of the layers after the first it acts; later 0: it does
			     * not compute */
};

/* Kept in `cache` (may be NULL): the second time it is only read. False when it could not be computed
 * or was cancelled. */
bool analysis_behaviour(const struct setup *setup, struct cache *cache, struct watch *watch,
			struct behaviour *out, struct err *err);
/* Whether the cache has it: then it is *out. */
bool analysis_behaviour_kept(const struct setup *setup, struct cache *cache, struct behaviour *out);

/* What a check makes of a field: its sentence and how it is looked at are its own. */
enum check_use {
	CHECK_READS,
	CHECK_MAY_READ, /* only where a scheme's file is made for it */
	CHECK_HAS_OWN
};
enum check_use check_use_of(const struct setup *setup, const struct field *field);

struct verdict {
	const char *claim;	      /* "relative" */
	enum answer printed, claimed; /* Table 1; what our descriptor says holds here */
	bool measured;		      /* what was found */
	const char *found; /* "shift moves logits by 0 (3e-16), tolerance 1e-9, seed 0" */
	const char *why;   /* the descriptor's reason where printed and claimed differ */
	bool ok;	   /* measured == claimed */
};

enum { VERDICTS_MAX = 16 };

/* Every claim of the expression's main member, taken alone, against behaviour, on the probe and under
 * identity and random projections. False only when it could not be computed. */
bool analysis_check(const struct setup *setup, struct cache *cache, struct arena *a,
		    struct verdict *out, size_t *n, struct err *err);

/* ---- Table 1 of the survey, printed, made and measured ----------------------------------------- */

/* One claim: as printed, as our descriptor says, as measured; and why they differ, or NULL. */
struct fact {
	enum answer printed, claimed, measured; /* measured ANSWER_UNSAID: it cannot be */
	const char *why;
};

struct table_row {
	const struct scheme *scheme;	/* with its default parameters */
	struct fact facts[CLAIM_KINDS]; /* CLAIM_COUNT: as many were made as are printed */
	double printed; /* the printed count at these sizes; NaN: nothing is printed */
	bool counted;
	size_t made, frozen;  /* learned numbers at these sizes, and of these frozen */
	const char *no_count; /* why it cannot be made at these sizes; NULL when counted */
	bool known;	      /* the rest was measured */
	struct behaviour is;
};

/* Whether what is printed of this claim is not what was measured. */
bool fact_differs(const struct fact *fact);

/* All schemes in the order of the registry. Counts are at the sizes of `setup` (d-model, heads, layers,
 * t-max), behaviour hangs on its seed alone. rows[*n] from `a`. `cache` and `watch` may be NULL. */
bool analysis_table(const struct setup *setup, struct cache *cache, struct watch *watch,
		    struct arena *a, struct table_row **rows, size_t *n, struct err *err);
/* The same without measuring: of the behaviour what the cache knows. */
void analysis_table_kept(const struct setup *setup, struct cache *cache, struct arena *a,
			 struct table_row **rows, size_t *n);
/* Measures such a row; false when it could not be computed or was cancelled. */
bool analysis_table_measure(const struct setup *setup, struct cache *cache, struct watch *watch,
			    struct table_row *row, struct err *err);

#endif
