/* recurrent.h: a recurrent network that reads the text before the first layer, in one direction or
 * two, and a demonstration of positions without learning.
 *
 * Weights have the names and shapes of PyTorch, rows are outputs, gate after gate: weight_ih
 * [gates · m, d], weight_hh [gates · m, m]; the backward direction has its own,
 * weight_ih_reverse and so on. */
#ifndef SCHEME_RECURRENT_H
#define SCHEME_RECURRENT_H

#include "posviz/model/stage.h"
#include "scheme/leaves.h"
#include "scheme/unroll.h"

/* A direction; the context of its steps. */
struct recurrent {
	struct node *input;  /* [n, gates · m]: W_i x + b_i, in reading order */
	struct node *weight; /* W_h */
	struct node *bias;   /* b_h [1, gates · m], or NULL */
	size_t width;	     /* m */
};

struct recurrent_net {
	unroll_step *step;	       /* called with a struct recurrent */
	const char *bias_ih, *bias_hh; /* names of these leaves; bias_hh may be NULL */
	size_t width, directions;
};

/* Returns the states of the directions after every token, side by side: [n, directions · m]. */
struct node *recurrent_states(struct run *run, const struct member *m,
			      const struct recurrent_net *net, struct err *err);

/* Rows of a matrix in a given order: row[i], or i (NULL). */
struct chosen_rows {
	struct node *at;
	const int32_t *row;
};

/* A step of a GRU. x + y and from_h + bias, of GRU_GATES · m columns, are the contributions of
 * the input and of h to the gates. y.at and bias may be NULL. */
enum { GRU_RESET, GRU_UPDATE, GRU_CANDIDATE, GRU_GATES };
struct gru_step {
	struct chosen_rows x, y, from_h;
	struct node *bias;    /* [1, GRU_GATES · m] */
	struct chosen_rows h; /* [·, m] */
};
/* Returns the states after the step, [n, m]. */
struct node *recurrent_gru(struct tape *t, const struct gru_step *of, size_t n);

/* The demonstration. The first half of the components of a head are latches on the token
 * vectors, the rest is a ring counter: each component takes its neighbour's last state, and the
 * first one the last one's with the sign inverted. The product of two states of a ring of r
 * decreases linearly, from r at distance 0 to -r at distance r. */
bool recurrent_is_latch(size_t column, size_t width, size_t dk);
/* Fill the arguments of tanh, [m, …]: from the token; from the last state, with `latches` also
 * that of a latch, which has no other memory; and the bias, by which a ring starts as +1, -1,
 * -1, … from the state 0. */
void recurrent_demo_input(struct mat at, size_t dk);
void recurrent_demo_hidden(struct mat at, size_t dk, bool latches);
void recurrent_demo_bias(double *at, size_t width, size_t dk);

/* The argument of σ for an open gate, 0.98; its negative closes it. */
static const double recurrent_open = 4;

/* clang-format off */
#define RECURRENT_RING_NOTE \
	"the other half is a ring counter: each takes over its neighbour's last state, the first " \
	"one the last one's with the sign changed"
/* clang-format on */

#endif
