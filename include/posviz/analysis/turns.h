/* turns.h: what a scheme makes of query and key, seen pair of columns by pair of columns.
 *
 * Read from the vectors alone: columns are pairs of a rotation when, at every unit, query and key are turned by
 * one angle and what one gains in length the other loses. */
#ifndef POSVIZ_TURNS_H
#define POSVIZ_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/model/trace.h"

/* A cell (t, s) of a head whose run kept WANT_QKV. */
struct turned {
	const struct trace *trace;
	const struct trace_head *head;
	size_t t, s;
};

/* c·q·k of the cell, of q and k as projected and as the scheme leaves them. False: nothing changed them; NaN:
 * there are none. */
bool turned_before(const struct turned *of, double *before);
double turned_after(const struct turned *of);

/* A pair of columns in the plane: angles in radians, counter-clockwise from the first column. */
struct turn {
	struct turn_hand {
		double before, after, length; /* length: after */
	} query, key;
	double angle; /* by how much the key is turned more than the query, in degrees within ±180 */
	double before, after; /* the pair's part of c·q·k */
};

/* The pairs, out[n] from `a`; 0: what changes q and k is no rotation, or nothing does. Columns that stay as they
 * are at the end belong to none. */
size_t turned_pairs(const struct turned *of, struct arena *a, struct turn **out);

#endif
