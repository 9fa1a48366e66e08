/* draw.h: random numbers that a scheme draws for an input. The number of the draw is a parameter
 * of its own, because a dump must be readable under another seed. */
#ifndef SCHEME_DRAW_H
#define SCHEME_DRAW_H

#include "posviz/base/rng.h"
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

/* Makes a row in a table of parameters; `of`: "of the noise", or "is shown". */
#define DRAW_PARAM(type, def, of)                \
	NUMBER_PARAM(type, draw, def, 0, 1e6, 1, \
		     "which draw " of "; 0: the one that the seed decides")

/* Returns the generator of this draw of m's; `what` distinguishes it from m's others. */
struct rng draw_of(const struct run *run, const struct member *m, long draw, const char *what);

#endif
