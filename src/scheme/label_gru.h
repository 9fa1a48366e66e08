/* label_gru.h: a recurrent network (GRU) in both directions that reads label paths. */
#ifndef SCHEME_LABEL_GRU_H
#define SCHEME_LABEL_GRU_H

#include "scheme/label_path.h"

enum { LABEL_GRU_STACK = 2 };

struct label_gru {
	size_t stack;  /* number of layers, 1 or 2 */
	size_t in;     /* width of the vector of a label */
	size_t hidden; /* width of one direction: m */
};

/* Declares the leaves, with PyTorch's names: weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0,
 * …_reverse. */
bool label_gru_declare(struct model *model, const struct member *m, const struct label_gru *gru,
		       struct err *err);

/* Makes a reader, which reads the paths length by length and frees the shorter ones. labels:
 * [symbols, in]. Lives in `a`. */
struct label_reader;
struct label_reader *label_reader_new(struct run *run, const struct member *m,
				      const struct label_gru *gru, struct node *labels,
				      const struct label_paths *paths, struct arena *a);
/* Returns the last states of both directions side by side after the paths of the next length,
 * from 1: [number of paths, 2 m], valid until the next call. NULL when cancelled. */
struct node *label_reader_next(struct label_reader *r, struct err *err);

#endif
