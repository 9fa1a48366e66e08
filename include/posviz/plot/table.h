/* table.h: a panel with a table of words and numbers. */
#ifndef POSVIZ_TABLE_H
#define POSVIZ_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

/* The meaning of a sign in cells; a screen prints it below the table while such a cell is
 * visible. */
struct table_sign {
	const char *sign, *means;
};

struct table {
	size_t rows, cols;
	const char *const *head;  /* [cols] titles, or NULL */
	const char *const *cells; /* [rows*cols], "" for an empty cell */
	/* [cols]: columns of numbers, aligned at the right; NULL: none */
	const bool *right;
	bool has_cursor;
	size_t row;
	bool from_top; /* the first rows are visible, because the user has not moved the cursor */
	/* [cols]: if there is no room, the column with the highest number is left out first, the
	 * last of equal ones; 0 stays. NULL: the last column first. */
	const unsigned char *priority;
	const bool *marked; /* [rows] that are pointed out; NULL: none */
	/* [cols] that are pointed out, and left out last; NULL: none */
	const bool *marked_cols;
	/* [rows]: a title of the rows below, with only its first cell; NULL: none */
	const bool *group;
	/* [n_cursor]: the row of the table for a row of the figure's cursor; NULL: the table does
	 * not follow it. */
	const size_t *cursor_row;
	size_t n_cursor;
	const struct table_sign *signs;
	size_t n_signs;
	/* the column of the cursor: it is visible, and its title pointed out */
	bool has_col;
	size_t col;
	const char *reach; /* keys that show columns without room: "← →"; NULL: none */
	const char
		*legend; /* sentences about the columns, below the table if there is room; NULL */
	/* rows that suffice if another panel needs the room; 0: all are wanted */
	size_t enough;
};

#endif
