/* order_leaves.h: the leaves of networks that find an order (order_net.h), and of what inputs are
 * matched with. */
#ifndef SCHEME_ORDER_LEAVES_H
#define SCHEME_ORDER_LEAVES_H

#include "posviz/scheme.h"

/* For a scheme with the parameters from, clip and depth; "encoder_…" is declared by
 * order_encoder_declare: the layers of the LSTM that reads. */
extern const struct leaf_row order_leaves[];

bool order_encoder_declare(struct model *model, const struct member *m, long depth,
			   struct err *err);
/* "encoder_ih_l0": of a layer. */
const char *order_encoder_leaf(struct arena *a, const char *base, size_t layer);

#endif
