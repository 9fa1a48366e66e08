/* reordered.h: units that stand at each other's places.
 *
 * The tokens trade their positions among themselves, whatever column these are of; units that are no
 * tokens, such as [CLS], keep theirs. So the vectors of a re-ordering are rows of the plain table,
 * gathered. */
#ifndef SCHEME_REORDERED_H
#define SCHEME_REORDERED_H

#include <stdint.h>

#include "posviz/model/stage.h"

struct reordered {
	size_t n, tokens;
	const double *position; /* [n] of m's column */
	const int32_t *token;	/* [tokens]: their units, in the order of units */
	int32_t *from;		/* [n]: the unit at whose position a unit stands */
	size_t *rank;		/* [tokens]: a token's number in the re-ordered sentence */
	bool given, plain;	/* a re-ordering was given; everybody stays where he is */
};

/* As the input's re-ordering has it; without one everybody stays. */
bool reordered_given(struct run *run, const struct member *m, struct reordered *out,
		     struct err *err);
/* Nobody has moved yet; then token i takes the place that is rank[i]-th of those of all tokens. */
bool reordered_begin(struct run *run, const struct member *m, struct reordered *out,
		     struct err *err);
void reordered_move(struct reordered *r, struct arena *a, const size_t *rank);

/* Rows of x [n,c] gathered: row t is that of the position where unit t stands. */
struct node *reordered_rows(struct tape *t, const struct reordered *r, struct node *x);
/* Where each unit stands. [n] */
double *reordered_positions(const struct reordered *r, struct arena *a);
/* The distances from query to key in the re-ordered sentence. */
void reordered_relation(const struct reordered *r, struct arena *a, struct relation *out);

/* Whether neighbours turned round, nested, give the permutation (Wu 1997): it has no four that stand
 * as 2 4 1 3 or 3 1 4 2. Else the first such four in witness. */
bool reordered_is_separable(const size_t *rank, size_t n, struct arena *a, size_t witness[4]);
/* Four words that cross so, by name; NULL where none do. */
const char *reordered_crossing(struct run *run, const struct reordered *r);

#endif
