/* learn.h: training of the program's own model on a task (task.h), with any expression.
 *
 *   X⁰ = E[x] (+ positions), layers as the views compute them, logits_t = X^L_t · O
 *
 * Learned are the token vectors E [letters, d], the weights of the layers, the leaves of the
 * members that are not frozen, and O [d, classes]. Adam (Kingma and Ba 2015) with β₁ 0.9, β₂ 0.98, ε 1e-9
 * (Vaswani et al. 2017, section 5.3); the rate is r·min(1, i/20) at step i, and falls linearly from r
 * at half of the steps to 0.02 r at the end; a gradient longer than 1 is scaled to 1. The loss is the
 * mean over the sentences of the mean cross-entropy over the places that carry an answer.
 *
 * A training is a function of its options: gradients are summed in fixed groups of sentences, in
 * their order, whatever the number of threads. */
#ifndef POSVIZ_LEARN_H
#define POSVIZ_LEARN_H

#include "posviz/base/watch.h"
#include "posviz/learn/task.h"
#include "posviz/scene/setup.h"

/* The version of all code that decides the numbers of a training: drawing, tasks, schemes at their defaults,
 * gradients, steps and tests. It is raised when any of tests/data/trainings.txt changes, so that results of
 * earlier versions are not taken for those of this one. */
enum { LEARN_VERSION = 1 };

enum {
	LEARN_MOMENT = 10, /* parameters are kept every so many steps */
	LEARN_LENGTHS = 4, /* tested: 1, 2, 4 and 8 times the longest in training */
	LEARN_TESTED = 128,
	LEARN_TESTED_LONGEST = 64,
	LEARN_BATCH = 32
};

struct learn_options {
	const char *scheme, *task;
	const char *
		test_as; /* the expression under which the trained numbers are tested; NULL: scheme */
	size_t d, heads, ff, layers;
	size_t steps; /* 0: 500, with several layers 600 */
	double rate;  /* 0: 0.01, with several layers 0.005 */
	uint64_t seed;
	enum init init;
	enum activation activation; /* of the feed-forward part */
	bool positions_only;	    /* E, O and the weights of layers stay as they were drawn */
	bool shuffled;		    /* answers are drawn at random, as a control */
};
/* d 32, 4 heads, ff 64, 1 layer, seed 1, init paper, relu. */
void learn_defaults(struct learn_options *o);
/* Sets the steps and the rate that follow from the layers, if they are 0. */
void learn_complete(struct learn_options *o);

/* A matrix that learns, or stays. */
struct learned {
	const char *name; /* "embedding", "output", "layer.0.w_q", or that of a leaf, "t5.bias" */
	struct mat at;	  /* its present numbers */
	bool frozen;
};

struct learner {
	struct learn_options o; /* complete: steps and rate are set */
	struct task task;
	const struct built *b, *tested; /* tested: of test_as; else b */
	struct learned *learned;
	size_t n_learned;
	size_t n; /* numbers that learn; they lie at theta[0..n) */
	double *theta;
	size_t step;	 /* steps done */
	double *loss;	 /* [steps] the mean loss of the sentences of each step, before it */
	double **moment; /* [steps/LEARN_MOMENT + 1] theta after so many tens of steps, or NULL */
	struct learner_private *private;
};

/* Builds the model and draws its numbers. Errors: what the expression, the task and the sizes say; a
 * mask that hides the answers; a vocabulary wider than the model. The learner is freed by learner_free. */
bool learner_new(struct learner **out, const struct learn_options *o, struct err *err);
void learner_free(struct learner *l); /* or NULL */

/* Trains until `step` steps are done. The watch counts steps. False: it was cancelled, and can go on
 * later; or an error, of a model that cannot run or a loss that is not finite. */
bool learner_train(struct learner *l, size_t step, struct watch *watch, struct err *err);
/* Puts the numbers of a kept moment, a multiple of LEARN_MOMENT, into the model; they are for looking:
 * training goes on from its last step. */
void learner_show(struct learner *l, size_t step);

/* Computes the mean loss of the sentences of a step (from 0) and its gradient, [n], by the present
 * numbers. */
bool learner_gradient(struct learner *l, size_t step, double *loss, double *gradient,
		      struct err *err);

/* The share of right answers on fresh sentences of n letters. */
struct accuracy {
	size_t n;	    /* letters */
	double right;	    /* NaN: it could not be tested, */
	const char *absent; /* for this reason; or NULL */
	double floor;	    /* NaN: not known */
	size_t sentences, answers;
};
bool learner_test(struct learner *l, size_t n, struct arena *a, struct accuracy *out,
		  struct watch *watch, struct err *err);
/* The same; by_place [n] gets the share at each place; NaN: nothing was asked there. */
bool learner_test_places(struct learner *l, size_t n, struct arena *a, struct accuracy *out,
			 double *by_place, struct watch *watch, struct err *err);

/* Writes the present numbers as the directory of a model, whose model_type is posviz: config.json,
 * model.safetensors, tokenizer.json. All views open it. */
bool learner_keep(struct learner *l, const char *folder, bool force, struct err *err);

/* Returns whether the expression has a mask that hides later tokens from all heads. */
bool learner_causal(const struct learner *l);
/* Returns what an expression has to learn in its positions, in words. */
const char *learner_says(const struct learner *l, struct arena *a);

#endif
