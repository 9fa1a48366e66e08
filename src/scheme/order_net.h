/* order_net.h: networks that predict an order from the states of tokens (Bao et al. 2019).
 *
 *   classifier  says of every two tokens how far apart they will stand, all pairs at once
 *   pointer     reads the states and then points to them, one after the other
 *
 * What they choose is discrete, so the gradient of the model's output in their leaves is 0: they are
 * taught apart, by an order that is known. They run on tapes of their own, which record nothing. */
#ifndef SCHEME_ORDER_NET_H
#define SCHEME_ORDER_NET_H

#include <stdint.h>

#include "posviz/stage.h"

/* ---- classifier ------------------------------------------------------------------------------ */

bool order_classifier_declare(struct model *model, const struct member *m, long clip,
			      struct err *err);

/* at[i·n + j]: how many places state i stands behind state j, clipped to ±clip and never 0 off the
 * diagonal; states: rows of x [n,d]. NULL: cancelled. */
int32_t *order_classifier_run(struct run *run, const struct member *m, long clip, struct mat x,
			      struct err *err);

/* Logits of i against j (`there`) and of j against i become what both say together: class c of one
 * direction is class 2·clip-1-c of the other. */
void order_mirror(double *there, double *back, long clip);
/* What the greatest of 2·clip logits stands for: -clip, …, -1, 1, …, clip; the first of equals. */
int32_t order_class(const double *logits, long clip);

/* ---- pointer --------------------------------------------------------------------------------- */

struct order_pointer {
	long depth; /* layers of the LSTM that reads */
	bool tanh;  /* a state's score is v·tanh(query + key), not v·(query + key) */
};

bool order_pointer_declare(struct model *model, const struct member *m,
			   const struct order_pointer *p, struct err *err);

/* rank[i]: when state i, row i of x, was pointed to. */
bool order_pointer_run(struct run *run, const struct member *m, const struct order_pointer *p,
		       struct mat x, size_t *rank, struct err *err);

#endif
