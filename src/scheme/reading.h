/* reading.h: units in the order in which their position column reads them.
 *
 * A network that runs over the text takes positions as an order and nothing else: units of equal
 * position keep the order of rows. So pos= works for it, and a shift of the column changes nothing. */
#ifndef SCHEME_READING_H
#define SCHEME_READING_H

#include <stdint.h>

#include "posviz/model/stage.h"

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

/* Running sums along the rows of a matrix of pairs, over the keys in reading order. */
struct reading_sums {
	const struct index *sort, *rank; /* [n,n]: columns in reading order, and back; or NULL */
};

/* For prepare, by what reading_of_text reads; `shared`: keys of one position have one sum, that of all
 * of them, else each what is left from its row on. */
bool reading_sums_init(struct reading_sums *sums, struct run *run, const struct member *m,
		       bool shared, struct err *err);

/* out[t][s] = the sum of x[t][r] over the keys r from s on, for the queries the head is about at present. */
struct node *reading_sum_from(struct head *head, const struct reading_sums *sums, struct node *x);

/* Of each unit the first place, or the last, among those of the units that share its position. */
const int32_t *reading_shared(struct run *run, const struct reading *r, const double *position,
			      bool last);

#endif
