/* same.h: a test whether two expressions are the same function in two conventions.
 *
 * Examples are rotations of neighbouring or of half-apart columns, and sinusoids interleaved or
 * concatenated: the numbers differ, the models do not, because their weights are only in another
 * order. */
#ifndef POSVIZ_SAME_H
#define POSVIZ_SAME_H

#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

/* PERMUTED: for any weights of the first there are weights of the second, the same with their
 * channels permuted, that compute the same. */
enum same_verdict { SAME_EQUAL, SAME_PERMUTED, SAME_APART };

/* The relation between the two biases of layer 1, on the probe. */
enum same_relation {
	RELATION_NONE,
	RELATION_NO_BIAS,  /* one has no bias, or other tokens */
	RELATION_EQUAL,	   /* equal wherever both allow the pair */
	RELATION_ROWS,	   /* equal up to a constant for each row, which softmax ignores */
	RELATION_MIRRORED, /* with t and s exchanged: s-t against t-s */
	RELATION_MULTIPLE, /* the second is a number times the first */
	RELATION_PAST,	   /* equal for keys up to the query; later keys differ */
	RELATION_COUNT
};

struct same {
	enum same_verdict verdict;
	size_t n, dk, heads, layers; /* sizes at which they were compared */
	/* Expressions that agree on the input are also compared on a longer one, with more
	 * layers: beyond t_max if neither refuses. APART with near_n: they agree on near_n
	 * tokens in near_layers, and the rest of the struct says where they differ on the longer
	 * input. */
	size_t far_n, far_layers; /* 0: not tried, for the reason far_refused */
	double far_outputs;
	const char *far_refused;
	size_t near_n, near_layers; /* 0: they differ on the input itself */
	/* For different expressions: they are the same on the draws if the second one's tables
	 * of distances are read backwards: one counts t−s and the other s−t. */
	bool mirrored;
	/* For different expressions: on all draws the first result that differs is the output of
	 * outputs_layer, from 1, whose weights are the same: what differs is what is written, not
	 * where the queries look. With weights_mirrored this holds if the second one's tables are
	 * read backwards. outputs_relative: the largest ‖x − y‖ / max(‖x‖, ‖y‖) of these outputs. */
	bool same_weights, weights_mirrored;
	size_t outputs_layer;
	double outputs_relative;
	/* Channel i of the first is channel [i] of the second; NULL: not permuted. */
	const size_t *head_channels;  /* [dk], of q and k in every head */
	const size_t *model_channels; /* [d], of the token vectors */
	/* The comparison for all pairs of basis vectors q = e_i, k = e_j, and 0, in layer 1: the
	 * largest difference of the logits; and the deviation of logits from affine in each of q
	 * and k; if that is rounding, the first holds for every q and k. n_pairs 0: not tried,
	 * for the reason why_not. */
	size_t n_pairs;
	double pairs, affine;
	bool proven;
	const char *why_not;
	/* Random weights and token vectors, all layers: largest differences. Scores are logits,
	 * or weights if there are none; logits may differ by a constant of a row. */
	size_t n_draws;
	double scores, weights, outputs;
	const char *score_name; /* "logits", "weights" */
	/* The largest difference of the scores on the draws, indices from 1; 0: there is none. */
	size_t layer, head, row, col;
	double first, second;		/* the two values there */
	double variation;		/* total variation of the weights, mean over rows */
	size_t only_first, only_second; /* pairs that only one of the masks allows, in layer 1 */
	enum same_relation relation;
	double factor;	       /* for RELATION_MULTIPLE */
	double bias_most;      /* largest difference of the biases where both allow the pair */
	long agree_to;	       /* biases agree at distances up to this; -1: nowhere */
	bool distances_differ; /* agree_to is meaningful */
};

/* Compares two expressions under one setup, whose own expression is ignored. Learned numbers
 * that are not given are drawn by their names, N(0, 1/4), whatever `init` says, and are equal in
 * members that are written alike; so are weights, apart from the biases. */
bool analysis_same(const struct setup *setup, const char *first, const char *second,
		   struct watch *watch, struct arena *a, struct same *out, struct err *err);

#endif
