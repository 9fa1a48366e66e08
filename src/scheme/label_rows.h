/* label_rows.h: a matrix of very many rows, made in pieces.
 *
 * When viewing, pieces of some rows go to the pool, and the memory of a piece is freed when its
 * rows are complete; when learning, everything is on the one recording tape. */
#ifndef SCHEME_LABEL_ROWS_H
#define SCHEME_LABEL_ROWS_H

#include "posviz/model/stage.h"

enum { LABEL_ROWS_PARTS = 16 };

/* Makes rows first .. first + n - 1. Called in any order and in several threads. */
typedef struct node *label_piece(struct tape *tape, const void *context, size_t first, size_t n);

struct label_rows {
	struct run *run;
	struct mat all;
	struct node *parts[LABEL_ROWS_PARTS]; /* when learning: the parts added */
	size_t n_parts, filled;
	/* The destination of each row in `all`; NULL: in order. For one addition. */
	const int32_t *place;
};

/* Begins; `all` is the matrix to fill; when learning the tape has the rows. */
struct label_rows label_rows_begin(struct run *run, struct mat all);
/* Adds the next n rows, which may depend on those added before. */
struct node *label_rows_add(struct label_rows *rows, size_t n, label_piece *make,
			    const void *context);
/* Returns all rows; NULL when the evaluation was cancelled. */
struct node *label_rows_end(struct label_rows *rows, struct err *err);

#endif
