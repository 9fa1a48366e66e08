/* turns.h: the effect of a scheme on query and key, for each pair of columns.
 *
 * It is found in the vectors alone: columns are pairs of a rotation if, for every token, query
 * and key are rotated by the same angle and the lengths of both change by inverse factors. */
#ifndef POSVIZ_TURNS_H
#define POSVIZ_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/model/trace.h"

/* Stands for the number of a change: the columns that rotate beside q and k. */
#define TURNED_BESIDE SIZE_MAX

/* A cell (t, s) of a head whose run kept WANT_QKV. */
struct turned {
	const struct trace *trace;
	const struct trace_head *head;
	size_t t, s;
	size_t change; /* which of the head's changes of q and k, from 1; 0: all of them as one; or
			* TURNED_BESIDE */
};

/* Chooses the last change of the head that rotates pairs of columns, else the columns that rotate beside q and k, and
 * returns the member; NULL, and all changes as one: none does. */
const struct member *turned_find(struct turned *of);

/* Return c·q·k of the cell, with q and k before the change and after it. False: nothing changed
 * them; NaN: they do not exist. */
bool turned_before(const struct turned *of, double *before);
double turned_after(const struct turned *of);

/* A pair of columns as vectors in the plane: angles in radians, counter-clockwise from the first
 * column. */
struct turn {
	struct turn_hand {
		double before, after,
			length; /* `before` and `after` are angles; `length` is that after */
	} query, key;
	double angle; /* the rotation of the key minus that of the query, in degrees within ±180 */
	double before, after; /* the pair's contribution to c·q·k */
};

/* Finds the pairs, out[n] from `a`; 0: the change is no rotation, or there is
 * none. Unchanged columns at the end belong to no pair. */
size_t turned_pairs(const struct turned *of, struct arena *a, struct turn **out);

#endif
