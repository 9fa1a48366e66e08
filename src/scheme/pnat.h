/* pnat.h: the order that a non-autoregressive decoder has to predict. */
#ifndef SCHEME_PNAT_H
#define SCHEME_PNAT_H

#include "posviz/scheme/scheme.h"
#include "scheme/reordered.h"
#include "scheme/sinusoid.h"

enum from { FROM_REORDER, FROM_TARGET, FROM_MATRIX, FROM_CLASSIFIER, FROM_POINTER };
enum { SCORE_CODE, SCORE_TANH };

struct pnat {
	struct sinusoid_param sinusoid;
	struct value_list similarity;
	int from, match, order, score; /* enum from, enum matching, enum pair_order */
	long clip, depth;
	const char *logits;
	const struct tensor *given; /* of pnat_load; NULL: the network says them */
};

/* Returns the size of the square matrix of similarities; 0: there is none. */
size_t pnat_side(const struct pnat *p);

extern const struct leaf_row order_leaves[];

/* The result, found once for all stages; the positions of the tokens are read again at each. */
struct pnat_found {
	size_t *rank;	     /* [tokens] */
	const int32_t *said; /* [tokens²] for from=classifier: z_i - z_j as predicted, or NULL */
	size_t turned;	     /* number of these signs that the repair reversed */
};
/* Finds z; *found: NULL if the order is given. */
bool pnat_find(struct run *run, const struct member *m, struct reordered *z,
	       const struct pnat_found **found, struct err *err);

/* The classifier's logits from a file. scheme.load reads it; pnat_said_by_given then computes
 * z_i - z_j, like order_classifier_run. */
bool pnat_load(void *param, struct arena *a, struct member *out, struct err *err);
const int32_t *pnat_said_by_given(struct run *run, const struct member *m,
				  const struct reordered *z, struct err *err);

#endif
