/* grid.h: several schemes, trained on several tasks with several seeds each, as a view shows them while
 * they are trained: each picture trains on from where the one before it ended.
 *
 * A run is a function of its line (runs.h); a run that is known already is not made again. */
#ifndef POSVIZ_GRID_H
#define POSVIZ_GRID_H

#include "posviz/learn/runs.h"

/* The runs of a grid: each scheme's options, with every task and seed in the place of theirs. */
struct learn_grid_of {
	const struct learn_options *scheme; /* [schemes]; its seed is the first */
	size_t schemes, tasks, seeds;
	const char *const *task; /* [tasks] */
};

struct learn_grid {
	struct learn_grid_of of;
	/* [schemes·tasks], a row for each scheme, of the runs so far; first == NULL: none yet. */
	const struct learn_group *at;
	size_t runs, done;
	double seconds; /* until all are done, as far as is known; NaN: it is not */
};

/* Trains what is not known; if the picture may be partial, for a part of a second. The first seed of all
 * cells comes first. A cancelled training goes on with the next picture. */
void learn_grid_train(const struct learn_grid_of *of, bool partial, struct watch *watch,
		      struct arena *a, struct learn_grid *out);

/* Returns the usual tasks and this one if it is none of them: (*n) names. */
const char *const *learn_grid_tasks(const char *task, struct arena *a, size_t *n);

#endif
