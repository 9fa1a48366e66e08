/* distance.h: what schemes over places make of a distance before it is embedded: a whole number, often
 * clipped or of a bucket of distances; which row of a table a pair reads; and the words for both.
 *
 * A scheme says its rule once. The index that its logits are read by and the relation that is shown
 * both follow from it. */
#ifndef SCHEME_DISTANCE_H
#define SCHEME_DISTANCE_H

#include "posviz/stage.h"

/* The number of delta, key minus query position. It may change only from one distance to the next: what
 * has one number lies side by side. */
typedef long distance_number(const void *context, long delta);

struct distance_code {
	const char *title; /* "bucket(s − t)"; the indices of a member are told apart by it */
	distance_number *number;
	const void *context;
	long least, most; /* numbers that a table has a row for, or that this input reaches */
	const char *note; /* for the relation; or NULL */
	bool apart;	  /* it is a number of |s - t| */
};

/* s - t, or t - s with `ts`, of distances up to `most`; and |s - t|. */
struct distance_code distance_signed(bool ts, long most);
struct distance_code distance_apart(long most);

/* clip(s - t, -r, r), or clip(t - s, -r, r). */
struct distance_clip {
	long radius;
	bool ts;
};
struct distance_code distance_clipped(const struct distance_clip *clip, struct arena *a);

/* How many rows the numbers are. */
size_t distance_rows(const struct distance_code *code);
/* index[t][s] = number - least, of m's column, kept for the whole run. Positions must be whole numbers.
 * NULL on error. */
const struct index *distance_index(struct run *run, const struct member *m,
				   const struct distance_code *code, struct err *err);

/* The relation of these numbers; or of an index of them in which some pairs have another row, or -1:
 * none. */
bool distance_relation(struct run *run, const struct member *m, const struct distance_code *code,
		       struct relation *out, struct err *err);
bool distance_relation_of(struct run *run, const struct member *m, const struct distance_code *code,
			  const struct index *index, struct relation *out, struct err *err);
/* The relation s - t, or |s - t| with `absolute`, of schemes that take any positions: none between whole
 * numbers. */
bool distance_of_any(struct run *run, const struct member *m, bool absolute, struct relation *out,
		     struct err *err);
/* The words of that relation, for a scheme that has some more. */
const char *distance_says(const struct relation *r, int32_t value, const struct relation_cell *at,
			  struct arena *a);

#endif
