/* lstm.c: see lstm.h. */
#include "scheme/lstm.h"

void lstm_cell(struct tape *t, struct node *gates, struct node *state[UNROLL_STATES])
{
	const size_t m = gates->v.cols / LSTM_GATES;
	struct node *both = tape_sigmoid(t, tape_slice(t, gates, 0, 1, LSTM_INPUT * m, 2 * m));
	struct node *in = tape_slice(t, both, 0, 1, 0, m);
	struct node *forget = tape_slice(t, both, 0, 1, m, m);
	struct node *cell = tape_tanh(t, tape_slice(t, gates, 0, 1, LSTM_CELL * m, m));
	struct node *out = tape_sigmoid(t, tape_slice(t, gates, 0, 1, LSTM_OUTPUT * m, m));
	state[1] = tape_add(t, tape_mul(t, forget, state[1]), tape_mul(t, in, cell));
	state[0] = tape_mul(t, out, tape_tanh(t, state[1]));
}
