/* label_rows.h: a matrix of very many rows, made in pieces.
 *
 * When looking, pieces of some rows go to the pool, and what a piece took is forgotten when its rows are
 * there; when learning, all is on the one recording tape. */
#ifndef SCHEME_LABEL_ROWS_H
#define SCHEME_LABEL_ROWS_H

#include "posviz/model/stage.h"

enum { LABEL_ROWS_PARTS = 16 };

/* Rows first .. first + n - 1. Called in any order and in several threads. */
typedef struct node *label_piece(struct tape *tape, const void *context, size_t first, size_t n);

struct label_rows {
	struct run *run;
	struct mat all;
	struct node *parts[LABEL_ROWS_PARTS]; /* when learning: what was added */
	size_t n_parts, filled;
	/* Where the rows that are made stand in `all`; NULL: in their order. For one addition. */
	const int32_t *place;
};

/* `all` is what to fill; when learning the tape has the rows. */
struct label_rows label_rows_begin(struct run *run, struct mat all);
/* The next n rows, after those that are there, on which they may depend. */
struct node *label_rows_add(struct label_rows *rows, size_t n, label_piece *make,
			    const void *context);
/* All of them; NULL when the evaluation was cancelled. */
struct node *label_rows_end(struct label_rows *rows, struct err *err);

#endif
