/* table.h: a table of words and numbers, as a panel of a figure. */
#ifndef POSVIZ_TABLE_H
#define POSVIZ_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

/* What cells with such a sign mean: on a screen that is said below where one of them is in sight. */
struct table_sign {
	const char *sign, *means;
};

struct table {
	size_t rows, cols;
	const char *const *head;  /* cols titles, or NULL */
	const char *const *cells; /* rows*cols, "" for empty */
	const bool *right;	  /* cols: numbers, right-aligned; NULL: none */
	bool has_cursor;
	size_t row;
	bool from_top; /* it begins with the first rows, for nobody moved the cursor there */
	/* cols: where there is no room the column of the highest number goes first, the later of equal
	 * ones; 0 stays. NULL: the last goes first. */
	const unsigned char *priority;
	const bool *marked;	 /* rows that are pointed out; NULL: none */
	const bool *marked_cols; /* and columns, which stay as long as any; NULL: none */
	const bool *group; /* rows: a title of the rows below, its first cell alone; NULL: none */
	/* n_cursor: where a row of the figure's cursor is here; NULL: the table does not follow it. */
	const size_t *cursor_row;
	size_t n_cursor;
	const struct table_sign *signs;
	size_t n_signs;
	size_t enough; /* rows that will do where another panel has something to say; 0: all are wanted */
};

#endif
