/* order_leaves.h: the leaves of networks that find an order (order_net.h), and of what inputs are
 * matched with. */
#ifndef SCHEME_ORDER_LEAVES_H
#define SCHEME_ORDER_LEAVES_H

#include "posviz/scheme.h"

extern const struct leaf_row order_leaves[]; /* of pnat */

/* "encoder_ih_l0": of a layer of the LSTM that reads. */
const char *order_encoder_leaf(struct arena *a, const char *base, size_t layer);

#endif
