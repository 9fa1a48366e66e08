/* weight.h: weights of members: 0.5*t5 adds half of what t5 adds.
 *
 * A weight multiplies what a member adds to the logits, and to the values where it adds there too. Its mask,
 * and the factor of q·k where it sets that, stay as they are. */
#ifndef SCHEME_WEIGHT_H
#define SCHEME_WEIGHT_H

#include "posviz/scheme/scheme.h"

enum { WEIGHT_MOST = 1000000 };

/* expr_takes_weight() of a member that is to be run, by the hooks it has got. */
bool weight_fits_hooks(const struct member *m, struct err *err);

/* Of a member that has one already, as 0.5*mine where mine is 0.3*t5: the product; masks stay. */
void weight_multiply(struct expr_member *m, double by);

#endif
