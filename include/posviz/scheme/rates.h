/* rates.h: what a member of an expression rotates queries and keys by, known without a run. */
#ifndef POSVIZ_RATES_H
#define POSVIZ_RATES_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scheme/scheme.h"

struct member_rates {
	bool half;	  /* a pair is a column and the one half of the rotated columns away */
	size_t pairs;	  /* of columns that rotate */
	double base;	  /* B */
	double trained;	  /* L, the positions of training */
	double attention; /* multiplies cosines and sines, so logits by its square */
	/* Radians for a position more: of an input of n tokens, and before any scaling. [pairs] */
	double *now, *then;
};

/* Gets the rates of a member of rope, mrope, mla or a scaling of rope, for heads of width dk, a
 * model trained on t_max positions and an input of n tokens. False: the member rotates nothing, or
 * not by one number for each position: on a grid, cached or rounded. */
bool member_rates(const struct expr_member *m, size_t dk, size_t t_max, double n, struct arena *a,
		  struct member_rates *out);

#endif
