/* unroll.h: a recurrence over n steps, for looking and for learning.
 *
 * When looking, a step's nodes are forgotten as soon as its state is copied out, so that n steps
 * take the memory of one; when learning, everything stays on the one recording tape. */
#ifndef SCHEME_UNROLL_H
#define SCHEME_UNROLL_H

#include "posviz/math/tape.h"

enum { UNROLL_STATES = 2 };

/* Replaces state[0..UNROLL_STATES), each [rows, width] and read only, by those after step t. */
typedef void unroll_step(struct tape *tape, const void *context, size_t t,
			 struct node *state[UNROLL_STATES]);

/* Runs the steps from `start` (NULL: zeros [1, width]) and returns state[0] after every step, one
 * below the other: [n · rows, width]. A state that steps leave alone may be NULL. `cancelled` may
 * be NULL; when it says true, NULL is returned. */
struct node *unroll(struct tape *tape, size_t n, size_t width,
		    struct node *const start[UNROLL_STATES], unroll_step *step, const void *context,
		    bool (*cancelled)(const void *context));

#endif
