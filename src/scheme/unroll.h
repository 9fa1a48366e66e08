/* unroll.h: a recurrence over n steps, for viewing and for learning.
 *
 * When viewing, a step's nodes are freed as soon as its state is copied, so that n steps take
 * the memory of one; when learning, everything stays on the one recording tape. */
#ifndef SCHEME_UNROLL_H
#define SCHEME_UNROLL_H

#include "posviz/math/tape.h"

enum { UNROLL_STATES = 2 };

/* Replaces state[0..UNROLL_STATES), each [rows, width] and read only, by the states after step
 * t. */
typedef void unroll_step(struct tape *tape, const void *context, size_t t,
			 struct node *state[UNROLL_STATES]);

/* Runs the steps from `start` (NULL: zeros [1, width]) and returns state[0] after every step,
 * below each other: [n · rows, width]. A state that steps do not use may be NULL. `cancelled`
 * may be NULL; when it returns true, the result is NULL. */
struct node *unroll(struct tape *tape, size_t n, size_t width,
		    struct node *const start[UNROLL_STATES], unroll_step *step, const void *context,
		    bool (*cancelled)(const void *context));

#endif
