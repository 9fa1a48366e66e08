/* given_table.h: a matrix for all heads and layers, or one for each, from a file. */
#ifndef SCHEME_GIVEN_TABLE_H
#define SCHEME_GIVEN_TABLE_H

#include <stdint.h>

#include "posviz/tensor.h"

struct given_table {
	const char *name;	 /* of the file, quoted, for messages */
	size_t layers, heads, n; /* layers, heads 1: all have the same */
	const double *at;	 /* [layers,heads,n,n]; 0 where it is masked */
	const uint8_t *allowed;	 /* the same; NULL: everything */
};

/* FILE or FILE:TENSOR; "": the sample. `weights`: an error where an entry cannot be one. */
bool given_table_read(struct given_table *table, const char *from, bool weights,
		      struct tensor_set *set, struct err *err);
/* Whether nothing is negative, and rows sum to 1 or, where everything was masked, to 0. */
bool given_table_is_weights(const struct given_table *table);
/* -inf becomes a mask, so that what is added to the logits are numbers. */
void given_table_take_mask(struct given_table *table, struct arena *a);

#endif
