/* known.h: a training as a view shows it, kept between pictures: each picture trains on from where the
 * one before it ended.
 *
 * What is looked at, the accuracies too, is of the parameters of one step, the moment. */
#ifndef POSVIZ_KNOWN_H
#define POSVIZ_KNOWN_H

#include "posviz/learn/learn.h"
#include "posviz/learn/runs.h"
#include "posviz/scene/scene.h"

/* A head on the first sentence of the test at the longest trained length. */
struct learn_look {
	size_t layer, head; /* from 0 */
	struct mat weights; /* [queries, keys] */
	const char *const *query, *const *key;
	uint8_t *allowed,
		*right; /* [queries·keys]: the mask; the keys that the answer depends on */
	double on_right; /* weight on these, a mean over the asked tokens of several sentences; NaN: none */
	double *by_distance; /* [2n − 1] mean weight at s − t = 1−n … n−1, of several sentences; NaN: masked */
	size_t n; /* letters of a sentence */
};
/* Looks at a head by the present numbers; at the one with the most weight on the right keys if `choose`,
 * else at out->layer and out->head. */
bool learner_look(struct learner *l, bool choose, struct arena *a, struct learn_look *out,
		  struct err *err);

struct learn_known {
	const char *why;	/* there is no training, for this reason; NULL: the rest is set */
	struct learn_options o; /* complete */
	const char *sentence, *asked; /* of a task of the table; NULL: one of the user's own */
	const char *says;	      /* what learns in the positions */
	const char *mask;    /* ", by tokens up to it" where the mask hides later ones; "" */
	size_t done, moment; /* steps */
	size_t middle;	     /* the step of look_middle, or 0 */
	size_t longest;	     /* letters in training */
	const double *loss;  /* [done] */
	double floor_loss;   /* of what can be said without position; NaN: not known */
	struct learn_look now, start, look_middle;
	bool tested;
	struct accuracy at[LEARN_LENGTHS];
	const double *by_place; /* [at[LEARN_LENGTHS - 1].n]; NaN: nothing was asked there */
	size_t to_come;		/* tens of steps, and the test */
};

/* Trains as asked, or, if the picture may be partial, for a part of a second; looks at the moment, the
 * last one before it that is kept. A cancelled training goes on with the next picture. */
void learn_known_of(const struct learn_options *o, size_t moment, bool partial, struct watch *watch,
		    struct arena *a, struct learn_known *out);

/* The accuracy after the last step, over seeds from that of the options on. */
struct learn_seeds {
	size_t n; /* that were trained; 0: none is yet */
	struct spread at[LEARN_LENGTHS];
	size_t to_come; /* as above */
};
/* Trains as many seeds, the first by learn_known_of, which must have been called before and is at its end;
 * if the picture may be partial, for a part of a second. */
void learn_seeds_of(const struct learn_options *o, size_t seeds, bool partial, struct watch *watch,
		    struct arena *a, struct learn_seeds *out);

/* Returns whether this training is kept, and at its end. */
bool learn_known_whole(const struct learn_options *o);

/* Trains anew for some steps, at most all of them: the loss of each, [1, steps], and the numbers that learn
 * then, [1, n]. */
bool learn_first_steps(const struct learn_options *o, size_t steps, struct arena *a,
		       struct mat *loss, struct mat *numbers, struct err *err);

/* Writes the numbers of a moment as the directory of a model (learner_keep), over one that is there; what
 * is not trained yet is trained. */
bool learn_known_keep(const struct learn_options *o, size_t moment, const char *folder,
		      struct watch *watch, struct err *err);

#endif
