/* same.h: whether two expressions are one and the same function written in two conventions.
 *
 * Rotations of neighbours or of halves, sinusoids interleaved or one half after the other: the numbers
 * differ, the models do not, for their weights are only numbered otherwise. */
#ifndef POSVIZ_SAME_H
#define POSVIZ_SAME_H

#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

/* PERMUTED: for any weights of the first there are weights of the second, the same ones with their
 * channels renumbered, that compute the same. */
enum same_verdict { SAME_EQUAL, SAME_PERMUTED, SAME_APART };

/* What the two biases of layer 1, on the probe, have to do with each other. */
enum same_relation {
	RELATION_NONE,
	RELATION_NO_BIAS,  /* one of them has none, or other units */
	RELATION_EQUAL,	   /* wherever both may look */
	RELATION_ROWS,	   /* but for a constant of each row, which softmax does not see */
	RELATION_MIRRORED, /* t and s exchanged: s-t against t-s */
	RELATION_MULTIPLE, /* the second is a number times the first */
	RELATION_PAST,	   /* equal for keys up to the query; later ones differ */
	RELATION_COUNT
};

struct same {
	enum same_verdict verdict;
	size_t n, dk, heads, layers; /* sizes at which they were compared */
	/* Those that agree on the input are compared on a longer one, in more layers: beyond t_max
	 * where neither refuses. APART with near_n: they agree on near_n units in near_layers, and the
	 * rest tells where they part then. */
	size_t far_n, far_layers; /* 0: not tried, `far_refused` says why */
	double far_outputs;
	const char *far_refused;
	size_t near_n, near_layers; /* 0: they part on the input itself */
	/* Of those that are apart: they are the same on the draws when tables of distances of the second are
	 * read from their other ends: one counts t−s where the other counts s−t. */
	bool mirrored;
	/* Channel i of the first is channel [i] of the second; NULL: as they stand. */
	const size_t *head_channels;  /* [dk], of q and k in every head */
	const size_t *model_channels; /* [d], of the units */
	/* All pairs of unit vectors q = e_i, k = e_j, and 0, in layer 1: the largest difference of the
	 * logits; and how far logits are from affine in q and in k each, in which case that holds for
	 * every q and k. n_pairs 0: not tried, `why_not` says so. */
	size_t n_pairs;
	double pairs, affine;
	bool proven;
	const char *why_not;
	/* Weights and units drawn at random, all layers: largest differences. Scores are logits, or
	 * weights where there are none; logits may differ by a constant of a row all the same. */
	size_t n_draws;
	double scores, weights, outputs;
	const char *score_name; /* "logits", "weights" */
	/* The largest difference of the scores on the draws, places from 1; 0: there is none. */
	size_t layer, head, row, col;
	double first, second;		/* the two values there */
	double variation;		/* total variation of the weights, mean of rows */
	size_t only_first, only_second; /* pairs that one of the masks allows alone, in layer 1 */
	enum same_relation relation;
	double factor;	       /* of RELATION_MULTIPLE */
	double bias_most;      /* largest difference of the biases where both may look */
	long agree_to;	       /* biases agree at distances up to this; -1: nowhere */
	bool distances_differ; /* agree_to says something */
};

/* Compares two expressions under one setup, whose own is not looked at. Learned numbers that are not
 * given are drawn by their names, N(0, 1/4), whatever `init` says, and are equal in members that are
 * written alike; weights too, but for the biases. */
bool analysis_same(const struct setup *setup, const char *first, const char *second,
		   struct watch *watch, struct arena *a, struct same *out, struct err *err);

#endif
