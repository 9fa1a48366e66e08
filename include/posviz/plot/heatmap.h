/* heatmap.h: a matrix to be shown: values with their labels, their scale and their colours. */
#ifndef POSVIZ_HEATMAP_H
#define POSVIZ_HEATMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/math/mat.h"
#include "posviz/plot/colormap.h"
#include "posviz/plot/scale.h"

/* How cells of a terminal show a matrix larger than its pane: a window of single values while it has
 * half of each side, else means over blocks (AUTO), always all of it by means (FIT), or always single
 * values, each with a row of its own, in a window (CELLS). A page always shows all of it. A mean of
 * whole numbers that are labels is none: one value of each block stands for it. */
enum heatmap_grid { GRID_AUTO, GRID_FIT, GRID_CELLS };

/* Sums over blocks of side×side values, so that a large matrix is read once and not at each drawing
 * (canvas_sums). */
struct heatmap_sums {
	size_t side, rows, cols;
	const double *sum;     /* rows*cols: of the finite values that are not masked */
	const uint32_t *count; /* rows*cols: of these; HEATMAP_ALARM: a value is not finite */
	bool any_masked;
};
static const uint32_t HEATMAP_ALARM = UINT32_MAX;

/* What heatmap.masked says of a cell: of a difference, whether it is masked in both matrices or in
 * one of them alone, where there is nothing to subtract. */
enum heatmap_mask { HEATMAP_OPEN, HEATMAP_MASKED, HEATMAP_MASKED_FIRST, HEATMAP_MASKED_SECOND };

/* A value that is a name and no number of the scale: −1, "[VNode]". */
struct heatmap_name {
	double value;
	const char *name, *sign; /* sign: one column, for small cells */
	const char *means;	 /* said beside the colours; NULL: the name */
};

/* What is pointed out: in a matrix a cell, a row, a column, or all cells with s − t = diagonal, places from 0; and by
 * name a curve, a place on the axis of curves, "76–100" or "32", a line of a card, of a table or of bars, or a
 * table's column. */
enum mark_kind {
	MARK_CELL,
	MARK_ROW,
	MARK_COLUMN,
	MARK_DIAGONAL,
	MARK_CURVE,
	MARK_AT,
	MARK_LINE,
	MARK_HEADING
};
struct mark {
	enum mark_kind kind;
	size_t row, col;
	long diagonal;
	const char *name;
};

struct heatmap {
	struct mat values;	       /* rows: queries, columns: keys; NaN is shown as an alarm */
	const uint8_t *masked;	       /* rows*cols, enum heatmap_mask: hatched; NULL: none */
	const char *const *row_labels; /* NULL: numbered from 1 */
	const char *const *col_labels;
	const char *row_title, *col_title; /* "query t", "key s" */
	/* Labels are what an axis counts, ascending: where not all have room some of them are shown, and never the
	 * numbers of rows and columns. */
	bool ruler;
	struct scale scale;
	/* [n_spread_by] whose values, with the same mask, say how those of this scale are spread over the
	 * colours; NULL: those that are shown. */
	const struct mat *spread_by;
	size_t n_spread_by;
	const struct colormap *colormap;
	bool has_cursor;
	size_t row, col; /* the cursor's cell */
	/* Where a row and column of the figure's cursor are in this matrix; NULL: the same. */
	const size_t *cursor_row, *cursor_col;
	/* How many rows and columns these know, and SIZE_MAX in them is nowhere; 0: as many as there are. */
	size_t n_cursor_rows, n_cursor_cols;
	/* [n_marks] in this matrix: framed, on the labels and around cells, never over values. */
	const struct mark *marks;
	size_t n_marks;
	long mark_from; /* the column of row 0 on diagonal 0: as many as a memory has keys */
	bool linear;	/* colours are spread evenly, unless the user says otherwise */
	bool integers;	/* values are labels of a relation: shown as whole numbers */
	const struct heatmap_name *names; /* off the scale, only with `integers` */
	size_t n_names;
	/* rows*cols: stand in the cells instead of the numbers where all have room; NULL: numbers.
	 * What both are is said of those that are shown: "labels of the path", "its length". */
	const char *const *words;
	const char *words_are, *numbers_are;
	const char *more_of,
		*than;	       /* what a greater value means more of, "attention", and than what
				     * when it is above zero; NULL: nothing but its sign is known */
	const char *masked_as; /* what the hatched cells are; NULL: "masked" */
	/* Of a difference: how the first and the second matrix are called, "1" and "2". */
	const char *first, *second;
	bool beneath; /* the values of masked cells mean something: said of the one under the cursor */
	const char *means; /* the cell under the cursor in words; NULL: the value says it */
	bool no_cursor;	   /* rows and columns are not those of the figure's cursor */
	bool own_cols;	   /* ... but rows are, and can be pointed out */
	bool no_means; /* neighbours have nothing in common: cells show a part rather than means */
	enum heatmap_grid grid;
	const struct heatmap_sums *sums; /* of these values; NULL: none were made */
	double even; /* of weights: what each key gets when all get the same, on the bar; 0: not said */
	/* A neighbour has the same scale and axes, and shows bar and titles for both; the same rows and
	 * shows their labels; the same columns. */
	bool no_bar, no_rows, no_cols;
};

/* Whether a cell of this block of side×side values is pointed out, by itself or on a diagonal; and of the rows
 * or columns of one whether one is, alone or by a cell: which, into *at. */
bool heatmap_points(const struct heatmap *h, size_t row, size_t col, size_t side);
bool heatmap_points_row(const struct heatmap *h, size_t row, size_t side, size_t *at);
bool heatmap_points_col(const struct heatmap *h, size_t col, size_t side, size_t *at);

/* The name of a value that has one, or NULL. */
const struct heatmap_name *heatmap_name(const struct heatmap *h, double value);
const char *heatmap_name_means(const struct heatmap_name *name);

/* What is said of a hatched cell, "masked", "masked in 1 only"; NULL: it has a value. */
const char *heatmap_hidden(struct arena *a, const struct heatmap *h, size_t row, size_t col);
/* The cells that one matrix of a difference hides alone, each kind behind the sign that stands for it:
 * "╲ masked in 1 only", in brief "╲ masked in 1"; NULL: there are none. */
const char *heatmap_one_sided(struct arena *a, const struct heatmap *h, const char *first_sign,
			      const char *second_sign, bool brief);

/* What the values at an end of the bar are: "less attention", in brief "less"; of a difference "more in 1",
 * "in 1"; NULL: they are zero, or it is not known what a greater value means. */
const char *heatmap_end_words(struct arena *a, const struct heatmap *h, bool high, bool brief);

/* A value as cells show it: "−0.31", `bare` "−.31". Only zero is "0"; what is rounded to it has all its
 * decimals and no sign, "0.00", without decimals "<1". */
const char *heatmap_number(struct arena *a, double value, int decimals, bool bare);

#endif
