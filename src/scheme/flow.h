/* flow.h: a learned ordinary differential equation (Liu et al. 2020).
 *
 *   p' = h(τ, p) = W_2 [relu(W_1 [p; τ] + b_1); τ] + b_2,  p(0) = p_0
 *
 * of m's leaves w1 b1 w2 b2 p0. All rows of p_0 are integrated together, as one matrix. */
#ifndef SCHEME_FLOW_H
#define SCHEME_FLOW_H

#include "posviz/model/stage.h"

/* Returns p at tau[0..n), ascending from 0, with steps no longer than `step`: [n · rows, d];
 * NULL: cancelled. */
struct node *flow_states(struct run *run, const struct member *m, const double *tau, double step,
			 struct err *err);

#endif
