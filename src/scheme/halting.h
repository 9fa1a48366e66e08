/* halting.h: adaptive computation time (Graves 2016) over the steps of a model: every token decides
 * at each step whether to stop.
 *
 *   p_n = σ(x_n·w + b) of the step's input; N: the first step at which Σ p_n exceeds 1 - ε
 *   weight of step n: p_n before N, the remainder 1 - Σ_{n<N} p_n at N, 0 after it
 *
 * Tokens that have halted are still computed, as in tensor2tensor, since others attend to them;
 * their output is determined by the weights alone. */
#ifndef SCHEME_HALTING_H
#define SCHEME_HALTING_H

#include "posviz/model/stage.h"

enum halt {
	HALT_OFF,
	HALT_ACT, /* s ← w y + (1 - w) s, the paper's listing and tensor2tensor's "basic" */
	HALT_ACCUMULATED, /* s ← w y + s: the sum in Graves' paper */
	HALT_GLOBAL,	  /* like HALT_ACT, with the mean p for all tokens */
};
extern const char *const halt_names[]; /* off act accumulated global, ends with NULL */

/* For leaf_init.make, for the leaf w_halt. */
void halting_words(struct mat at, const struct leaf_maker *of);
/* Rows for the tables of a scheme with fields `halt` and `epsilon`, and data for a dump. */
/* clang-format off */
#define HALTING_PARAMS(type) \
	CHOICE_PARAM(type, halt, HALT_OFF, halt_names, \
		     "tokens halt by themselves, or all at once (global): the output is the state " \
		     "that the steps are blended into one after the other, or their sum " \
		     "(accumulated)"), \
	NUMBER_PARAM(type, epsilon, 0.01, 0, 1, 0.01, \
		     "ε: a token halts when its probabilities sum to more than 1 − ε")

#define HALTING_LEAVES \
	{"w_halt", "d, 1", "multiplied by the input of a step: the logit of halting there", \
	 .by_layer = ALL_LAYERS, .when = "halt", .demo = {.make = halting_words}, \
	 .paper = {FILL_XAVIER, 1}}, \
	{"b_halt", "1, 1", "added to that logit", .by_layer = ALL_LAYERS, .when = "halt", \
	 .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT, 1}}

#define HALTING_RECIPE \
	"with halt the last output is not y = LN2(o + f) but the state s after all steps of the " \
	"member: p = sigmoid(input @ w_halt + b_halt) of each token, with global its mean over " \
	"the tokens; w = p while the sum of p, this one included, is at most 1 - epsilon, then " \
	"once 1 - the sum before it, then 0; s = w y + (1 - w) s, with accumulated s = w y + s, " \
	"from s = 0 through the steps' y"
/* clang-format on */

/* Called in `declare`: an error if the member does not act on the last layer. */
bool halting_fits(const struct model *model, const struct member *m, enum halt halt,
		  struct err *err);
/* Called in `project`: computes the weights of this step from its input; does nothing with
 * HALT_OFF. */
void halting_step(struct run *run, const struct member *m, enum halt halt, double epsilon);
/* Called in `finish`: the weighted state of the steps' outputs becomes the model's output; does
 * nothing with HALT_OFF. */
void halting_finish(struct run *run, const struct member *m, enum halt halt);

#endif
