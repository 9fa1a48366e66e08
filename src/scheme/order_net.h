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

#include "posviz/model/stage.h"

/* ---- classifier ------------------------------------------------------------------------------ */

/* at[i·n + j]: how many places state i stands behind state j, clipped to ±clip and never 0 off the
 * diagonal; states: rows of x [n,d]. NULL: cancelled. */
int32_t *order_classifier_run(struct run *run, const struct member *m, long clip, struct mat x,
			      struct err *err);

/* What 2·clip logits of i against j (`there`) and of j against i say together, and become: at[i·n + j]
 * and at[j·n + i] as above. */
void order_say(int32_t *at, size_t n, size_t i, size_t j, double *there, double *back, long clip);
/* What class c of 2K stands for. */
static inline int32_t order_place(size_t c, size_t clip)
{
	return (int32_t)c - (int32_t)clip + (c >= clip);
}

/* ---- pointer --------------------------------------------------------------------------------- */

/* "encoder_ih_l0": a leaf of a layer of the LSTM that reads. */
const char *order_encoder_leaf(struct arena *a, const char *base, size_t layer);

/* rank[i]: when state i, row i of x, was pointed to. `depth` layers of an LSTM read; and with tanh
 * a state's score is v·tanh(query + key), not v·(query + key). */
bool order_pointer_run(struct run *run, const struct member *m, long depth, bool with_tanh,
		       struct mat x, size_t *rank, struct err *err);

#endif
