/* reordered.h: tokens at each other's positions.
 *
 * The tokens exchange their positions, whatever the column; inserted tokens, such as [CLS], keep
 * theirs. So the vectors of a re-ordering are gathered rows of the plain table. */
#ifndef SCHEME_REORDERED_H
#define SCHEME_REORDERED_H

#include <stdint.h>

#include "posviz/model/stage.h"

struct reordered {
	size_t n, tokens;
	const double *position; /* [n] of m's column */
	const int32_t *token;	/* [tokens]: their rows, in order */
	int32_t *from;		/* [n]: the row whose position a token takes */
	size_t *rank;		/* [tokens]: a token's index in the re-ordered sentence */
	bool given, plain;	/* a re-ordering was given; nothing moves */
};

/* Applies the input's re-ordering; without one nothing moves. */
bool reordered_given(struct run *run, const struct member *m, struct reordered *out,
		     struct err *err);
/* reordered_begin makes the state before anything moves; then reordered_move gives token i the
 * position that is rank[i]-th among those of all tokens. */
bool reordered_begin(struct run *run, const struct member *m, struct reordered *out,
		     struct err *err);
void reordered_move(struct reordered *r, struct arena *a, const size_t *rank);

/* Gathers rows of x [n,c]: row t is that of token t's new position. */
struct node *reordered_rows(struct tape *t, const struct reordered *r, struct node *x);
/* Returns the position of each token. [n] */
double *reordered_positions(const struct reordered *r, struct arena *a);
/* Makes the distances from query to key in the re-ordered sentence. */
void reordered_relation(const struct reordered *r, struct arena *a, struct relation *out);

/* Returns whether the permutation is made by nested swaps of neighbours (Wu 1997): it contains
 * no four elements in the order 2 4 1 3 or 3 1 4 2. If not, the first such four are in witness. */
bool reordered_is_separable(const size_t *rank, size_t n, struct arena *a, size_t witness[4]);
/* Returns four words in such an order, by name; NULL if there are none. */
const char *reordered_crossing(struct run *run, const struct reordered *r);

#endif
