/* broken_line.h: a network with one hidden layer from one number to one for each head.
 *
 * It is a piecewise linear function with as many corners as it has hidden numbers, so a pair
 * with an argument of its own only needs to know its piece: f(x) = slope[piece] x +
 * height[piece]. */
#ifndef SCHEME_BROKEN_LINE_H
#define SCHEME_BROKEN_LINE_H

#include "posviz/model/stage.h"

enum { BROKEN_LINE_CORNERS = 512 };

struct broken_line {
	struct node *w1, *b1, *w2, *b2; /* [1,width], [1,width], [width,h], [1,h] */

	/* Set by broken_line_read. */
	struct node *x;		     /* [n,n] */
	struct index *piece;	     /* [n,n] → 0..pieces-1 */
	struct node *slope, *height; /* [h, pieces] */
};

/* Computes relu(x w1 + b1) w2 + b2 of a column x [rows,1]: [rows,h]. For differences_apply, with
 * a struct broken_line as context. */
struct node *broken_line_network(const void *f, struct tape *t, struct node *x);

/* Computes f of an argument for each pair: broken_line_read in `prepare`, then broken_line_of in
 * a head. */
void broken_line_read(struct run *run, struct broken_line *f, struct node *x);
struct node *broken_line_of(struct head *head, const struct broken_line *f);

#endif
