/* given_table.h: a matrix for all heads and layers, or one for each, from a file; and the kind
 * of its rows. */
#ifndef SCHEME_GIVEN_TABLE_H
#define SCHEME_GIVEN_TABLE_H

#include <stdint.h>

#include "posviz/format/tensor.h"

struct given_table {
	const char *name;	/* of the file, quoted, for messages */
	size_t layers, heads;	/* 1: shared by all */
	size_t rows, cols;	/* queries and keys */
	const double *at;	/* [layers,heads,rows,cols]; 0 where it is masked */
	const uint8_t *allowed; /* the same; NULL: everything */
};

/* Reads FILE or FILE:TENSOR; "": the sample. `weights`: an error if an entry cannot be a weight. */
bool given_table_read(struct given_table *table, const char *from, bool weights,
		      struct tensor_set *set, struct err *err);
/* Return the number of rows of all heads and layers, and one of these for messages: "layer 1,
 * head 2, row 5". */
size_t given_table_rows(const struct given_table *table);
const char *given_table_row_name(const struct given_table *table, size_t row, struct arena *a);
/* Returns whether labels only count from 0 or from 1, as in tables without names. */
bool given_labels_count(const char *const *labels, size_t n);
/* Turns -inf into a mask, so that the terms of the logits are finite. */
void given_table_take_mask(struct given_table *table, struct arena *a);
void given_table_scale(struct given_table *table, double by, struct arena *a);

/* ---- given_rows.c ---------------------------------------------------------------------------- */

enum given_rows {
	ROWS_OTHER, /* some number is negative, masked or above 1, and nothing indicates weights */
	ROWS_WEIGHTS, /* they sum to 1 or, if fully masked, to 0 */
	ROWS_ROUNDED, /* they sum to 1 up to truncated decimals */
	ROWS_SHORT,   /* from 0 to 1 and no sum much above 1: weights without a sink, or a bias */
	ROWS_PER_CENT /* they sum to 100, up to rounding */
};
/* Determines the kind by the numbers alone. *says: for ROWS_ROUNDED the worst row, for the last
 * two the alternative to write; from `a`. */
enum given_rows given_rows_are(const struct given_table *table, struct arena *a, const char **says);

#endif
