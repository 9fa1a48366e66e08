/* analysis.h: what is read off traces, and what is measured by evaluating again. */
#ifndef POSVIZ_ANALYSIS_H
#define POSVIZ_ANALYSIS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "posviz/scene.h"

/* A matrix by distance s−t between places in the sentence. Units without a token are skipped. */
struct distances {
	size_t heads;
	long lo, hi;		  /* distances lo..hi, as in the sentence: -(n-1)..n-1 */
	size_t n;		  /* hi - lo + 1 */
	double *mean, *min, *max; /* [heads][n]; NaN where no pair has this distance */
	size_t skipped;		  /* units left out, counted once */
};

/* Reduces one matrix; pairs with mask 0 (mask may be NULL) do not count. */
void distances_init(struct distances *d, const struct trace *trace, size_t heads, struct arena *a);
void distances_add(struct distances *d, const struct axis *query, const struct axis *key,
		   size_t head, struct mat m, const uint8_t *mask);

/* A measured number, or why there is none. */
struct measure {
	bool there;
	double value;
	const char *why; /* "n/a: all tokens are equal"; NULL when there */
};

enum { MEASURE_SHUFFLES = 8 };

struct measures {
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

/* Told now and then which part of the work is done, in [0, 1]. */
struct progress {
	void (*tell)(void *context, double done);
	void *context;
};

/* `cache`, `cancel` and `progress` may be NULL. */
bool analysis_measure(const struct setup *setup, struct cache *cache, const atomic_bool *cancel,
		      const struct progress *progress, struct measures *out, struct err *err);

/* "0 (4e-16)" below 1e-9, "0.83" above, "n/a" when there is none. */
const char *measure_show(const struct measure *m, struct arena *a);

/* ---- claims --------------------------------------------------------------------------------- */

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

#endif
