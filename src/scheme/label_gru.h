/* label_gru.h: what a recurrent network (GRU) in both directions remembers of label paths. */
#ifndef SCHEME_LABEL_GRU_H
#define SCHEME_LABEL_GRU_H

#include "scheme/label_path.h"

enum { LABEL_GRU_STACK = 2 };

struct label_gru {
	size_t stack;  /* layers, 1 or 2 */
	size_t in;     /* width of the vector of a label */
	size_t hidden; /* of a direction: m */
};

/* Leaves as PyTorch names them: weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, …_reverse. */
bool label_gru_declare(struct model *model, const struct member *m, const struct label_gru *gru,
		       struct err *err);

/* Reads the paths length by length, and forgets the shorter ones. labels: [symbols, in]. Lives in `a`. */
struct label_reader;
struct label_reader *label_reader_new(struct run *run, const struct member *m,
				      const struct label_gru *gru, struct node *labels,
				      const struct label_paths *paths, struct arena *a);
/* The last states of both directions side by side after the paths of the next length, from 1:
 * [how many, 2 m], until the next call. NULL when cancelled. */
struct node *label_reader_next(struct label_reader *r, struct err *err);

#endif
