/* canvas_multiples.h: the sizes and positions of small multiples on cells, for canvas_multiples.c,
 * which draws them. */
#ifndef POSVIZ_CANVAS_MULTIPLES_H
#define POSVIZ_CANVAS_MULTIPLES_H

#include "plot/canvas_map.h"
#include "posviz/plot/multiples.h"

/* Columns of labels, and of "key→"; rows of the colour bar. */
enum { MULTIPLES_LABEL = 8, MULTIPLES_KEY = 5, MULTIPLES_BAR = 1 };

/* The position of the matrix of curves; IN_LINE: behind the last matrix. */
enum multiples_side { SIDE_NONE, SIDE_BESIDE, SIDE_BELOW, SIDE_IN_LINE };

struct multiples_plan {
	int size;     /* the index of the size of a value, 0 for the largest */
	int cell;     /* columns of a value */
	int half;     /* half rows; an even number if signs need whole rows */
	bool keyless; /* numbers of rows stand alone, without "key→" above them */
	bool named;   /* names stand above the columns of each matrix ... */
	int heads;    /* ... in so many rows */
	size_t block; /* values on a side of a shown cell */
	int w, h;     /* columns and rows of a matrix */
	int slot;     /* columns for a matrix and the name above it */
	int title, gap_x, gap_y;
	size_t across, down; /* items in a row and rows of items: all of them ... */
	size_t cols, rows;   /* ... and the shown ones, which begin at first_col, first_row */
	size_t first_col, first_row;
	enum multiples_side side;
	int names;	/* columns of the names beside the matrix of curves */
	int step_cols;	/* columns of a distance in it */
	size_t merged;	/* distances that share a column of it */
	size_t facts;	/* facts beside it */
	int under;	/* facts under each matrix, a line each: the last ones */
	int label_cols; /* row labels left of the first matrix */
	struct rect maps, beside;
};

/* Returns the plan for these items, of which there is at least one. */
struct multiples_plan multiples_plan_of(const struct canvas *c, const struct multiples *m,
					struct rect inner);
/* Returns the rows of an item: its title, the names of its columns, and its matrix. */
int multiples_rows(const struct multiples_plan *p);
/* Returns whether rows and columns of items have a meaning. */
bool multiples_in_grid(const struct multiples *m);
/* Return the columns of a fact; of the matrix of curves; of that with its names and its facts. */
int multiples_fact_cols(const struct multiples *m, size_t f);
int multiples_curve_cols(const struct multiples_plan *p, const struct multiples *m);
int multiples_side_cols(const struct multiples_plan *p, const struct multiples *m);

#endif
