/* draw.h: what a scheme draws at random for an input: which draw it is, is a parameter of its own, for
 * a dump must read back under another seed. */
#ifndef SCHEME_DRAW_H
#define SCHEME_DRAW_H

#include "posviz/base/rng.h"
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

/* A row in a table of parameters; `of`: "of the noise", or "is shown". */
#define DRAW_PARAM(type, def, of)                \
	NUMBER_PARAM(type, draw, def, 0, 1e6, 1, \
		     "which draw " of "; 0: the one that the seed decides")

/* The numbers of this draw of m's, told apart from its others by `what`. */
struct rng draw_of(const struct run *run, const struct member *m, long draw, const char *what);

#endif
