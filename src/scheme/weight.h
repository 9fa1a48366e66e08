/* weight.h: weights of members: 0.5*t5 adds half of t5's bias.
 *
 * A weight multiplies the terms that a member adds to the logits, and to the values if it adds
 * there too. Its mask, and the factor of q·k if it sets that, stay unchanged. */
#ifndef SCHEME_WEIGHT_H
#define SCHEME_WEIGHT_H

#include "posviz/scheme/scheme.h"

enum { WEIGHT_MOST = 1000000 };

/* Works like expr_takes_weight() for a member that is ready to run, by its hooks. */
bool weight_fits_hooks(const struct member *m, struct err *err);

/* Multiplies the weight of a member that has one already, as in 0.5*mine where mine is 0.3*t5;
 * masks stay. */
void weight_multiply(struct expr_member *m, double by);

#endif
