/* reading.h: units in the order in which their position column reads them.
 *
 * A network that runs over the text takes positions as an order and nothing else: units of equal
 * position keep the order of rows. So pos= works for it, and a shift of the column changes nothing. */
#ifndef SCHEME_READING_H
#define SCHEME_READING_H

#include <stdint.h>

#include "posviz/stage.h"

struct reading {
	size_t n;
	const int32_t *order; /* [n]: the row that is read i-th */
	const int32_t *place; /* [n]: when a row is read; the inverse of order */
	bool plain;	      /* rows are read as they stand */
};

/* By m's column, from the smallest position or, with `backwards`, from the largest; the text is what
 * run_order says. */
bool reading_of(struct run *run, const struct member *m, bool backwards, struct reading *out,
		struct err *err);
bool reading_of_text(struct run *run, const struct member *m, bool backwards, struct reading *out,
		     struct err *err);

/* The rows of x in reading order; and rows of that order put back where they were. */
struct node *reading_take(struct tape *t, const struct reading *r, struct node *x);
struct node *reading_put_back(struct tape *t, const struct reading *r, struct node *x);

#endif
