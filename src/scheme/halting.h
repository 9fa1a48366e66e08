/* halting.h: adaptive computation time (Graves 2016) over the steps of a model: every token says at each
 * step whether it has seen enough.
 *
 *   p_n = σ(x_n·w + b) of the step's input; N: the first step at which Σ p_n exceeds 1 - ε
 *   weight of step n: p_n before N, the remainder 1 - Σ_{n<N} p_n at N, 0 behind it
 *
 * Tokens that have halted are computed on all the same, as in tensor2tensor, since others look at them;
 * what they give is decided by the weights alone. */
#ifndef SCHEME_HALTING_H
#define SCHEME_HALTING_H

#include "posviz/stage.h"

enum halt {
	HALT_OFF,
	HALT_ACT, /* s ← w y + (1 - w) s, the paper's listing and tensor2tensor's "basic" */
	HALT_ACCUMULATED, /* s ← w y + s: the sum of Graves */
	HALT_GLOBAL,	  /* as HALT_ACT, all tokens with the mean of their p */
};
extern const char *const halt_names[]; /* off act accumulated global, ends with NULL */

/* For leaf_init.make: of the leaf w_halt [d,1], which with b_halt [1,1] serves all steps. */
void halting_words(struct mat at, const struct leaf_maker *of);
/* In `project`: the weights of this step, of what goes into it. */
void halting_step(struct run *run, const struct member *m, enum halt halt, double epsilon);
/* In `finish`: the weighted state of the steps' outputs becomes the model's output. */
void halting_finish(struct run *run, const struct member *m, enum halt halt);

#endif
