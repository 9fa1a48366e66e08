/* layers.h: the position information that remains after each layer (survey §3.3), when positions
 * enter once or in each layer, and with or without the residual in the middle (Liu et al. 2021a).
 *
 * The input is the scene's own, with its order and structure, but other words: LAYERS_SENTENCES
 * times as many draws from LAYERS_WORDS vectors, or from the rows of a file of token vectors. A
 * longer input is cut to LAYERS_UNITS tokens (as for measures). h_t is the vector of a token after
 * layer l; layer 0 is the input of layer 1.
 *
 *   absolute   ridge regression (ridge.h) from h_t to t
 *   relative   the same from [h_t ; h_s] to s − t, for as many seeded pairs as there are tokens,
 *   each in both directions. The weights of h_t are then those of h_s with the opposite sign, so it
 *   is computed as the regression from h_s − h_t without intercept, with each pair in one direction
 *
 * Sentence k is in fold k mod RIDGE_FOLDS, so no sentence is in two folds. t is the value of the
 * column that the scheme reads: the position of a token, a given id, or the value of another
 * column. */
#ifndef POSVIZ_LAYERS_H
#define POSVIZ_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/analysis.h"
#include "posviz/analysis/ridge.h"

enum {
	LAYERS_SENTENCES = 64,
	LAYERS_SAMPLE = 8, /* of them, for the cosines of the first picture */
	LAYERS_UNITS = 32,
	LAYERS_WORDS = 16,
	LAYERS_DEPTH = 6, /* the least number of layers, unless a file gives their number */
	LAYERS_STEPS = 6, /* of a picture that fills: layers_in.h */
	LAYERS_MOST = 2 * MODEL_MAX_LAYERS
};

/* The variants of a scheme: as it is; in every layer if it enters once, and the other way round;
 * without the residual around the attention of the middle layer, or with it if the scene's
 * expression drops it; with a causal mask, or without masks if the expression has some: a causal
 * model tells positions that the same model without a mask cannot (Haviv et al. 2022). */
enum layers_way_kind { LAYERS_AS_IS, LAYERS_OTHER, LAYERS_RESIDUAL, LAYERS_TWIN, LAYERS_WAYS };

struct layers_way {
	const char *label; /* "each layer" */
	const char *says;  /* "sinusoidal in front of every layer" */
	const char *why;   /* why it was not run; or NULL */
	bool pending;	   /* it was not run yet, as `why` says too */
	size_t layers;
	double absolute[LAYERS_MOST + 1], relative[LAYERS_MOST + 1]; /* R²; NaN: not defined */
};

struct layers {
	struct layers_way ways[LAYERS_WAYS];
	struct layers_way
		/* The scheme as it is, predicting shuffled positions of the sentence from the
		 * same rows. */
		shuffled;
	const char *no_position; /* why there are no positions to predict; or NULL */
	/* ‖P·T_l(X) − T_l(P·X)‖/‖T_l(X)‖, mean over MEASURE_SHUFFLES, for the scene's own words. */
	double equivariance[LAYERS_MOST + 1];
	const char *no_order; /* why it is missing; or NULL */
	bool order_pending;   /* it was not measured yet, as no_order says too */
	struct mat
		/* [layers+1, layers+1] cosine of h_t in two layers, mean over all; at NULL: why. */
		cosine;
	const char *column; /* the column of t: "seq" */
	bool given;	    /* seq consists of given position ids */
	size_t own_layers;  /* number of layers of the scene; `layers` may be larger */
	size_t middle;	    /* the layer, from 1, whose residual is dropped */
	size_t units;	    /* rows h_t of a sentence */
	size_t sentences;   /* of which the cosines are: LAYERS_SENTENCES, or of a sample */
	size_t to_come;	    /* steps that are not done yet */
	struct measured_on on;
	/* The data of one probe, for recomputing it: absolute, after the last layer, the scheme
	 * as it is. Not of a picture that fills. */
	struct mat rows, targets; /* [sentences·units, d]; [2, rows]: t, and shuffled */
	struct mat folds;	  /* [1, rows] */
	struct mat predicted;	  /* [2, rows] */
	struct mat alphas;	  /* [2, RIDGE_FOLDS] */
	struct mat pairs;	  /* [pairs, 2]: t and s, as row indices */
	const char *why;	  /* why nothing could be computed; or NULL */
};

struct layers_of {
	const struct setup *setup;
	const struct built *built;
	struct cache *cache; /* or NULL */
	struct watch *watch;
};

/* Measures all variants. One that cannot be computed has the reason in `why`, also when
 * cancelled. */
void layers_measure(const struct layers_of *of, struct arena *a, struct layers *out);
/* Adds steps to those that are kept of this setup: first the cosines of LAYERS_SAMPLE sentences; then as many
 * as some tenths of a second allow, of equivariance, the scheme as it is, and each variant. */
void layers_measure_more(const struct layers_of *of, struct arena *a, struct layers *out);

#endif
