/* distance_net.h: a network from one number, a distance, to a number for each head: hidden layers
 * of SiLU, with the leaves w0 [1, width], b0, w1 [width, width], b1, … and the last [width, h].
 *
 * In the demonstration head i falls to both sides of a target: hidden numbers 2i and 2i + 1 of
 * the first layer rise from there, later layers pass them on, and the last multiplies them by
 * -3/2. */
#ifndef SCHEME_DISTANCE_NET_H
#define SCHEME_DISTANCE_NET_H

#include "posviz/model/stage.h"

enum { DISTANCE_NET_DEPTH = 6 };

struct distance_net {
	size_t depth, width; /* hidden layers, numbers in each */
	bool each_layer;     /* each layer of the model has its own */
};

/* Declares the leaves; `rises` initialises a bias [1, width], for distance_net_rises. */
bool distance_net_declare(struct model *model, const struct member *m,
			  const struct distance_net *net, struct leaf_init rises, struct err *err);
/* Returns the bias at which hidden numbers 2i and 2i + 1 are 0 at the target of i. */
double distance_net_rises(size_t hidden, double target);

/* Returns the network's values for x [count, 1]: [h, count]. */
struct node *distance_net_table(struct run *run, const struct member *m,
				const struct distance_net *net, struct mat x);

#endif
