/* same_in.h: parts that the files of this comparison share. */
#ifndef POSVIZ_SAME_IN_H
#define POSVIZ_SAME_IN_H

#include "posviz/analysis/same.h"

/* A difference below this, relative to the largest number, is rounding. */
static const double same_tolerance = 1e-10;

/* A side of the comparison: one of the two expressions, with its model. */
struct side {
	const char *expression;
	struct built b;
	struct mat positions; /* sum of what embed adds before layer 1; at NULL: nothing */
};

struct comparison {
	const struct setup *setup;
	struct side side[2];
	struct watch *watch;
	struct arena *a;
	struct same *out;
	struct err *err;
	bool mirrored; /* a trial: the second's tables of distances are read backwards */
};

/* Runs a side's model with these weights; NULL: with its own. */
bool side_run(struct comparison *c, size_t which, const struct tensor_set *weights,
	      const struct model_input *in, const struct want *want, struct arena *a,
	      struct trace *trace);
/* Returns its input with other token vectors. */
struct model_input side_input(const struct comparison *c, size_t which, struct mat units);

/* same_draws.c: runs a draw of token vectors and weights on both sides; the first side's are not
 * permuted. The differences are noted in the attempt, and with `forms` in out->affine. */
struct forms;
struct attempt {
	const size_t *model, *head; /* [d], [dk] */
	double scores, weights, outputs;
	/* The number of draws, and of those where outputs are the first to differ; the step and
	 * the largest relative difference of these outputs. */
	size_t draws, written, step;
	double relative;
};
bool draw_run(struct comparison *c, struct attempt *at, size_t draw, const struct forms *forms);
/* draw_is_same returns whether nothing differed in the draws of an attempt; draw_is_written, whether
 * in each of them outputs were the first to differ. */
bool draw_is_same(const struct attempt *at);
bool draw_is_written(const struct attempt *at, const struct same *s);

/* same_forms.c: evaluates every pair of basis vectors as q and k. False only with an error. */
bool forms_make(struct comparison *c,
		struct forms **out); /* NULL: not possible, for the reason why_not */
/* Finds a permutation of the head's channels under which all pairs agree; false when none was
 * found. */
bool forms_match(const struct forms *p, size_t *channels, struct arena *a);
/* Returns the largest difference under a permutation, relative to the largest logit. */
double forms_apart(const struct forms *p, const size_t *channels);
/* Returns the largest difference between the first side's logits of a draw and those predicted
 * from the pairs. */
double forms_foretell(const struct forms *p, const struct trace *trace);

/* same_bias.c: determines the relation of the biases. False only with an error. */
bool biases_relate(struct comparison *c);

#endif
