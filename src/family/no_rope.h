/* no_rope.h: layers without rotation, as no_rope_layers lists them. */
#ifndef FAMILY_NO_ROPE_H
#define FAMILY_NO_ROPE_H

#include "family/reading.h"

/* Reads no_rope_layers, whose 1 means that the layer does rotate; absent or empty, each
 * no_rope_layer_interval-th does not. */
void read_no_rope(struct reading *r);

#endif
