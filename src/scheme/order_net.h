/* order_net.h: networks that predict an order from the states of tokens (Bao et al. 2019).
 *
 *   classifier  predicts for every two tokens their distance in the new order, all pairs at once
 *   pointer     reads the states and then points to them, one after the other
 *
 * Their choices are discrete, so the gradient of the model's output with respect to their leaves
 * is 0: they are trained separately, with a known order. They run on tapes of their own, which
 * record nothing. */
#ifndef SCHEME_ORDER_NET_H
#define SCHEME_ORDER_NET_H

#include <stdint.h>

#include "posviz/model/stage.h"

/* ---- classifier ------------------------------------------------------------------------------ */

/* Returns at[i·n + j]: by how many positions state i is after state j, clipped to ±clip and
 * never 0 off the diagonal; states: rows of x [n,d]. NULL: cancelled. */
int32_t *order_classifier_run(struct run *run, const struct member *m, long clip, struct mat x,
			      struct err *err);

/* Combines 2·clip logits of i against j (`there`) and of j against i into at[i·n + j] and at[j·n
 * + i] as above. */
void order_say(int32_t *at, size_t n, size_t i, size_t j, double *there, double *back, long clip);
/* Returns the distance of class c of 2K. */
static inline int32_t order_place(size_t c, size_t clip)
{
	return (int32_t)c - (int32_t)clip + (c >= clip);
}

/* ---- pointer --------------------------------------------------------------------------------- */

/* Returns "encoder_ih_l0": the name of a leaf of a layer of the LSTM that reads. */
const char *order_encoder_leaf(struct arena *a, const char *base, size_t layer);

/* Computes rank[i]: the step at which state i, row i of x, was pointed to. `depth` layers of an
 * LSTM read; with tanh a state's score is v·tanh(query + key), not v·(query + key). */
bool order_pointer_run(struct run *run, const struct member *m, long depth, bool with_tanh,
		       struct mat x, size_t *rank, struct err *err);

#endif
