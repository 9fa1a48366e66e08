/* reading.h: tokens in the order in which their position column reads them.
 *
 * A network that runs along the text uses positions only as an order: tokens at the same
 * position keep the order of rows. So pos= works for it, and a shift of the column has no
 * effect. */
#ifndef SCHEME_READING_H
#define SCHEME_READING_H

#include <stdint.h>

#include "posviz/model/stage.h"

struct reading {
	size_t n;
	const int32_t *order; /* [n]: the row that is read i-th */
	const int32_t
		*place; /* [n]: the index in reading order of each row; the inverse of order */
	bool plain;	/* rows are in reading order already */
};

/* Determine the order by m's column, from the smallest position or, with `backwards`, from the
 * largest; reading_of_text uses run_order. */
bool reading_of(struct run *run, const struct member *m, bool backwards, struct reading *out,
		struct err *err);
bool reading_of_text(struct run *run, const struct member *m, bool backwards, struct reading *out,
		     struct err *err);

/* Return the rows of x in reading order; and rows in reading order put back to their own. */
struct node *reading_take(struct tape *t, const struct reading *r, struct node *x);
struct node *reading_put_back(struct tape *t, const struct reading *r, struct node *x);

/* Running sums over the keys in reading order, along the rows of a matrix of pairs. */
struct reading_sums {
	const struct index *sort, *rank; /* [n,n]: columns in reading order, and back; or NULL */
};

/* Called in `prepare`, for the order of reading_of_text; `shared`: keys at the same position
 * have one sum, that over all of them, otherwise each has the sum from its row on. */
bool reading_sums_init(struct reading_sums *sums, struct run *run, const struct member *m,
		       bool shared, struct err *err);

/* Returns out[t][s] = the sum of x[t][r] over the keys r from s on, for the head's present block
 * of queries. */
struct node *reading_sum_from(struct head *head, const struct reading_sums *sums, struct node *x);

/* Returns for each token the first index, or the last, in reading order of the tokens that share
 * its position. */
const int32_t *reading_shared(struct run *run, const struct reading *r, const double *position,
			      bool last);

#endif
