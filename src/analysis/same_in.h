/* same_in.h: what the parts of the comparison of two conventions share. */
#ifndef POSVIZ_SAME_IN_H
#define POSVIZ_SAME_IN_H

#include "posviz/analysis/same.h"

/* Below this, of the largest number around, a difference is rounding. */
static const double same_tolerance = 1e-10;

/* One of the two expressions, built. */
struct side {
	const char *expression;
	struct built b;
	struct mat positions; /* what embed adds in front of layer 1; at NULL: nothing */
};

struct comparison {
	const struct setup *setup;
	struct side side[2];
	struct watch *watch;
	struct arena *a;
	struct same *out;
	struct err *err;
	bool mirrored; /* a trial: the second's tables of distances are read from their other ends */
};

/* Runs a side's model with these weights; NULL: with its own. */
bool side_run(struct comparison *c, size_t which, const struct tensor_set *weights,
	      const struct model_input *in, const struct want *want, struct arena *a,
	      struct trace *trace);
/* Its input with other units. */
struct model_input side_input(const struct comparison *c, size_t which, struct mat units);

/* same_forms.c: every pair of unit vectors as q and k. False only with an error. */
struct forms;
bool forms_make(struct comparison *c, struct forms **out); /* NULL: why_not says why */
/* A renumbering of the head's channels under which all pairs agree; false when none was found. */
bool forms_match(const struct forms *p, size_t *channels, struct arena *a);
/* How far they are under a renumbering, of the largest logit. */
double forms_apart(const struct forms *p, const size_t *channels);
/* How far the first side's logits of a draw are from what the pairs foretell. */
double forms_foretell(const struct forms *p, const struct trace *trace);

/* same_bias.c: what the biases have to do with each other. False only with an error. */
bool biases_relate(struct comparison *c);

#endif
