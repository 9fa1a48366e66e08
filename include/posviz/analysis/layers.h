/* layers.h: how much position is left after each layer (survey §3.3), when it enters once or at each, and with
 * or without a residual in the middle (Liu et al. 2021a).
 *
 * The input is the scene's own, order, structure and all, with other words at its places: LAYERS_SENTENCES
 * times as many draws of LAYERS_WORDS vectors, or of the rows of a file of units. Of a longer input at most
 * LAYERS_UNITS units (as measures take their part). h_t is the row of a unit that stands for a token, after
 * layer 0: what goes into layer 1.
 *
 *   absolute   ridge regression (ridge.h) from h_t to t
 *   relative   the same from [h_t ; h_s] to s − t, of as many seeded pairs as there are units, each in both
 *              directions. Then the weights of h_t are those of h_s with the other sign, so it is computed
 *              as the one from h_s − h_t without intercept, of each pair in one direction
 *
 * Sentence k is in fold k mod RIDGE_FOLDS, so no sentence is in both parts. t is the value of the column
 * that the scheme reads: a unit's place, a given id, or what another column says of it. */
#ifndef POSVIZ_LAYERS_H
#define POSVIZ_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/analysis.h"
#include "posviz/analysis/ridge.h"

enum {
	LAYERS_SENTENCES = 64,
	LAYERS_UNITS = 32,
	LAYERS_WORDS = 16,
	LAYERS_DEPTH = 6, /* at least so many layers, where no file says how many there are */
	LAYERS_MOST = 2 * MODEL_MAX_LAYERS
};

/* As the scheme is; what enters once at each layer and the other way round; without the residual around
 * the attention of the middle layer, or with it where the scene's expression drops it. */
enum layers_way_kind { LAYERS_AS_IS, LAYERS_OTHER, LAYERS_RESIDUAL, LAYERS_WAYS };

struct layers_way {
	const char *label; /* "each layer" */
	const char *says;  /* "sinusoidal in front of every layer" */
	const char *why;   /* it was not run; or NULL */
	size_t layers;
	double absolute[LAYERS_MOST + 1], relative[LAYERS_MOST + 1]; /* R²; NaN: not defined */
};

struct layers {
	struct layers_way ways[LAYERS_WAYS];
	struct layers_way
		shuffled; /* as it is, from the same rows to the places of a sentence shuffled */
	const char *no_position; /* why nothing is read; or NULL */
	/* ‖P·T_l(X) − T_l(P·X)‖/‖T_l(X)‖, mean over MEASURE_SHUFFLES, of the scene's own words. */
	double equivariance[LAYERS_MOST + 1];
	const char *no_order; /* why there is none; or NULL */
	struct mat
		cosine; /* [layers+1, layers+1] of h_t in two layers, mean over all; at NULL: why */
	const char *column; /* that t is of: "seq" */
	bool given;	    /* seq was given as position ids */
	size_t own_layers;  /* of the scene; `layers` may be more */
	size_t middle;	    /* from 1: whose residual is dropped */
	size_t units;	    /* rows h_t of a sentence */
	struct measured_on on;
	/* One probe to be computed again: absolute, after the last layer, as it is. */
	struct mat rows, targets; /* [sentences·units, d]; [2, rows]: t, and shuffled */
	struct mat folds;	  /* [1, rows] */
	struct mat predicted;	  /* [2, rows] */
	struct mat alphas;	  /* [2, RIDGE_FOLDS] */
	struct mat pairs;	  /* [pairs, 2]: t and s, as numbers of rows */
	const char *why;	  /* nothing of it could be computed; or NULL */
};

struct layers_of {
	const struct setup *setup;
	const struct built *built;
	struct cache *cache; /* or NULL */
	struct watch *watch;
};

/* What cannot be computed says why. Cancelled: `why`. */
void layers_measure(const struct layers_of *of, struct arena *a, struct layers *out);

#endif
