/* pnat.h: the order that a non-autoregressive decoder has to find. */
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

/* The side of the square that similarities are; 0: they are none. */
size_t pnat_side(const struct pnat *p);

extern const struct leaf_row order_leaves[];

/* Found once for all stages; where the tokens stand by then is asked anew. */
struct pnat_found {
	size_t *rank;	     /* [tokens] */
	const int32_t *said; /* [tokens²] from=classifier: z_i - z_j as predicted, or NULL */
	size_t turned;	     /* of these, how many signs the repair turned round */
};
/* z; *found: NULL where the order is given. */
bool pnat_find(struct run *run, const struct member *m, struct reordered *z,
	       const struct pnat_found **found, struct err *err);

/* The classifier's logits from a file. scheme.load reads it; then z_i - z_j, as
 * order_classifier_run has it. */
bool pnat_load(void *param, struct arena *a, struct member *out, struct err *err);
const int32_t *pnat_said_by_given(struct run *run, const struct member *m,
				  const struct reordered *z, struct err *err);

#endif
