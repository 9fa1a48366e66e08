/* kerple.h: the parts that the kernelised biases of Chi et al. 2022 share: kernels of the
 * distance that are conditionally positive definite, with learned numbers that the authors' code
 * clamps where they are used. */
#ifndef SCHEME_KERPLE_H
#define SCHEME_KERPLE_H

#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

/* The first parameters of both schemes. */
struct kerple {
	bool causal;
	double least;
};

#define KERPLE_PARAMS                                                                     \
	SWITCH_PARAM(struct kerple, causal, true,                                         \
		     "on: brings the causal mask; off: both directions, distance |t−s|"), \
		NUMBER_PARAM(struct kerple, least, 0.01, 0, 0.1, 0.01,                    \
			     "smaller learned numbers are taken for this one")

/* Returns a head's number of a leaf [1,h], as [1,1], clamped to `least` and `most`. */
struct node *kerple_number(struct head *head, const struct member *m, struct node *leaf,
			   double most);

/* Demonstration: 1 in the first head to 0 in the last; 1/2 if there is only one. */
double kerple_from_first(size_t head, size_t heads);
/* For leaf_init.make: U(0, value). In the authors' code multipliers start within 1, exponents
 * within 2. */
void kerple_uniform(struct mat at, const struct leaf_maker *of);

/* clang-format off */
#define KERPLE_LEAF(most) \
	.by_layer = EACH_LAYER, .paper = {.value = most, .make = kerple_uniform}
#define KERPLE \
	.authors = "Chi et al.", \
	.cite = "@chi2022kerple", \
	.year = 2022, .ref = REF_RELATIVE, .inj = INJ_MATRIX, .evidence = EVIDENCE_CODE, \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | \
		 SCHEME_NOT_IN_SURVEY
/* clang-format on */

#endif
