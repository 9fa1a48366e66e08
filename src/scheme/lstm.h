/* lstm.h: the cell of a long short-term memory (Hochreiter and Schmidhuber 1997), without
 * peepholes. */
#ifndef SCHEME_LSTM_H
#define SCHEME_LSTM_H

#include "scheme/unroll.h"

/* The gates are side by side, in PyTorch's order. */
enum { LSTM_INPUT, LSTM_FORGET, LSTM_CELL, LSTM_OUTPUT, LSTM_GATES };

/* Computes i, f, o = σ(…), g = tanh(…), c' = f∘c + i∘g, h' = o∘tanh(c'), from the arguments in
 * brackets: gates [1, LSTM_GATES · m]; state: h and c, [1,m] each. */
void lstm_cell(struct tape *t, struct node *gates, struct node *state[UNROLL_STATES]);

#endif
