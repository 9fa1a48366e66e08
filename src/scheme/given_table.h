/* given_table.h: a matrix for all heads and layers, or one for each, from a file; and what its rows are. */
#ifndef SCHEME_GIVEN_TABLE_H
#define SCHEME_GIVEN_TABLE_H

#include <stdint.h>

#include "posviz/format/tensor.h"

struct given_table {
	const char *name;	/* of the file, quoted, for messages */
	size_t layers, heads;	/* 1: all have the same */
	size_t rows, cols;	/* queries and keys */
	const double *at;	/* [layers,heads,rows,cols]; 0 where it is masked */
	const uint8_t *allowed; /* the same; NULL: everything */
};

/* FILE or FILE:TENSOR; "": the sample. `weights`: an error where an entry cannot be one. */
bool given_table_read(struct given_table *table, const char *from, bool weights,
		      struct tensor_set *set, struct err *err);
/* Rows of all heads and layers, and one of these for messages: "layer 1, head 2, row 5". */
size_t given_table_rows(const struct given_table *table);
const char *given_table_row_name(const struct given_table *table, size_t row, struct arena *a);
/* True of labels that are the numbers of their places, from 0 or from 1, as tables have them that nobody named. */
bool given_labels_count(const char *const *labels, size_t n);
/* -inf becomes a mask, so that what is added to the logits are numbers. */
void given_table_take_mask(struct given_table *table, struct arena *a);
void given_table_scale(struct given_table *table, double by, struct arena *a);

/* ---- given_rows.c ------------------------------------------------------------------------------ */

enum given_rows {
	ROWS_OTHER,   /* something is negative, masked or above 1, and nothing is like weights */
	ROWS_WEIGHTS, /* they sum to 1 or, where everything was masked, to 0 */
	ROWS_ROUNDED, /* they would sum to 1 but for the decimals that were dropped */
	ROWS_SHORT,   /* from 0 to 1 and no row much above 1: weights without a sink, or a bias */
	ROWS_PER_CENT /* they sum to 100, rounding aside */
};
/* By the numbers alone. *says: of ROWS_ROUNDED which row is worst, of the last two what to say instead; from `a`. */
enum given_rows given_rows_are(const struct given_table *table, struct arena *a, const char **says);

#endif
