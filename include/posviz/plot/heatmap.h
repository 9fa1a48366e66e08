/* heatmap.h: a panel with a matrix: its values, labels, scale and colours. */
#ifndef POSVIZ_HEATMAP_H
#define POSVIZ_HEATMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/math/mat.h"
#include "posviz/plot/colormap.h"
#include "posviz/plot/scale.h"

/* The way in which cells of a terminal show a matrix larger than its pane: AUTO, a window of single
 * values if it holds half of each side, else means over blocks; FIT, always the whole matrix by
 * means; CELLS, always single values in a window, each with a row of its own. A page always shows
 * the whole matrix. Whole numbers that are labels have no mean: one value of each block represents
 * it. */
enum heatmap_grid { GRID_AUTO, GRID_FIT, GRID_CELLS };

/* Sums over blocks of side×side values, so that a large matrix is read once and not for every
 * drawing (canvas_sums). */
struct heatmap_sums {
	size_t side, rows, cols;
	/* rows*cols: sums of the finite values that are not masked */
	const double *sum;
	/* rows*cols: their number; HEATMAP_ALARM: a value is not finite */
	const uint32_t *count;
	bool any_masked;
};
static const uint32_t HEATMAP_ALARM = UINT32_MAX;

/* The values of heatmap.masked. A cell of a difference can be masked in both matrices, or in one of
 * them alone, where there is nothing to subtract. */
enum heatmap_mask { HEATMAP_OPEN, HEATMAP_MASKED, HEATMAP_MASKED_FIRST, HEATMAP_MASKED_SECOND };

/* A value that is a name and not a number of the scale: −1, "[VNode]". */
struct heatmap_name {
	double value;
	const char *name, *sign; /* sign: one column wide, for small cells */
	const char *means;	 /* explanation beside the colours; NULL: the name */
};

/* A mark points something out: in a matrix a cell, a row, a column, or all cells with s − t =
 * diagonal, counted from 0. By name it points out a curve, a point on the x axis of curves
 * ("76–100" or "32"), a line of a card, of a table or of bars, or a column of a table. */
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
	struct mat values; /* rows: queries, columns: keys; NaN is drawn as an alarm */
	/* rows*cols, enum heatmap_mask: hatched cells; NULL: none */
	const uint8_t *masked;
	const char *const *row_labels; /* NULL: numbered from 1 */
	const char *const *col_labels;
	const char *row_title, *col_title; /* "query t", "key s" */
	/* The labels are ascending coordinates: if not all have room, some of them are shown, and
	 * never the numbers of rows and columns instead. */
	bool ruler;
	struct scale scale;
	/* [n_spread_by] matrices with the same mask whose values determine the scale's spread over
	 * the colours; NULL: the values shown. */
	const struct mat *spread_by;
	size_t n_spread_by;
	const struct colormap *colormap;
	bool has_cursor;
	size_t row, col; /* the cursor's cell */
	/* The row and the column of this matrix for each row and column of the figure's cursor;
	 * NULL: the same index. */
	const size_t *cursor_row, *cursor_col;
	/* The lengths of these arrays, in which SIZE_MAX is nowhere; 0: as many as the matrix
	 * has. */
	size_t n_cursor_rows, n_cursor_cols;
	/* [n_marks] in this matrix, drawn as frames on labels and around cells, never over
	 * values. */
	const struct mark *marks;
	size_t n_marks;
	/* the meaning of the marked cells, written beside the colours: then marks frame cells and not
	 * their labels, and no words name them; NULL: they are the user's */
	const char *frames_are;
	bool marks_said; /* the figure says elsewhere which cells are marked, and what they hold */
	/* the column of row 0 on diagonal 0: the number of keys in the memory */
	long mark_from;
	bool linear;   /* colours are spread evenly unless the user chooses otherwise */
	bool integers; /* values are labels of a relation, shown as whole numbers */
	const struct heatmap_name *names; /* values outside the scale, only with `integers` */
	size_t n_names;
	/* rows*cols: words that the cells show instead of the numbers if all have room; NULL:
	 * numbers. words_are and numbers_are describe the two, whichever is shown: "labels of the
	 * path", "its length". */
	const char *const *words;
	const char *words_are, *numbers_are;
	/* a greater value means more of `more_of`, "attention", and one above zero more than
	 * `than`; NULL: only the sign has a meaning */
	const char *more_of, *than;
	const char *masked_as; /* meaning of the hatched cells; NULL: "masked" */
	/* The names of the two matrices of a difference, "1" and "2". */
	const char *first, *second;
	/* the values of masked cells have a meaning, which is printed for the one under the
	 * cursor */
	bool beneath;
	const char *means; /* the cell under the cursor in words; NULL: its value is enough */
	bool broad;	   /* rows and columns are of two kinds: cells may be broader than high */
	/* words instead of the numbers of the scale's lower and upper limit: "no query", "all"; NULL:
	 * numbers */
	const char *ends[2];
	/* Colours tell enough: nothing is written over the cells, neither numbers nor `uniform`, which
	 * the figure says elsewhere. */
	bool no_digits;
	/* a sentence over the cells, if all of them have the same colour: that this is the finding */
	const char *uniform;
	bool no_cursor; /* rows and columns are not those of the figure's cursor */
	bool own_cols;	/* ... but rows are, and can be pointed out */
	/* neighbours have nothing in common, so cells show a part of the matrix and no means */
	bool no_means;
	enum heatmap_grid grid;
	const struct heatmap_sums *sums; /* sums of these values; NULL: none were made */
	/* of weights: the weight if all keys get the same, marked on the bar; 0: not marked */
	double even;
	bool plain; /* on cells, the bar has limits and their meanings, and no names of its ways */
	bool even_unmarked; /* it decides the scale's mode alone: numbers beside weights */
	/* A neighbour has the same scale and axes, and shows the bar and the titles for both; it
	 * has the same rows and shows their labels; it has the same columns. */
	bool no_bar, no_rows, no_cols;
	/* The panel at its left may have the same rows: if row labels lack room, only the first of them
	 * shows these, whole. */
	bool rows_shared;
	bool by_number; /* on cells, numbers stand for the labels, and a line of the figure names these */
	int label_cols; /* on cells, the columns of row labels, whatever else would gain by fewer; 0: any */
};

/* Tells if a cell of this block of side×side values is pointed out, by itself or on a diagonal; the
 * other two tell if one of the block's rows or columns is, alone or by a cell, and store its index
 * in *at. */
bool heatmap_points(const struct heatmap *h, size_t row, size_t col, size_t side);
bool heatmap_points_row(const struct heatmap *h, size_t row, size_t side, size_t *at);
bool heatmap_points_col(const struct heatmap *h, size_t col, size_t side, size_t *at);

/* Returns the name of a value, or NULL if it has none. */
const struct heatmap_name *heatmap_name(const struct heatmap *h, double value);
const char *heatmap_name_means(const struct heatmap_name *name);

/* Returns the words for a hatched cell, "masked", "masked in 1 only"; NULL: the cell has a
 * value. */
const char *heatmap_hidden(struct arena *a, const struct heatmap *h, size_t row, size_t col);
/* Names the cells that only one matrix of a difference masks, each kind behind the sign that the
 * drawing uses for it: "╲ masked in 1 only", in brief "╲ masked in 1"; NULL: there are none. */
const char *heatmap_one_sided(struct arena *a, const struct heatmap *h, const char *first_sign,
			      const char *second_sign, bool brief);

/* Returns the meaning of the values at an end of the bar: "less attention", in brief "less"; for a
 * difference "more in 1", "in 1". NULL: they are zero, or a greater value has no known meaning. */
const char *heatmap_end_words(struct arena *a, const struct heatmap *h, bool high, bool brief);

/* Returns whether both ends of the scale have words, and every value is one of them: colours between would mean nothing. */
bool heatmap_is_either(const struct heatmap *h);
/* Returns whether all values that are shown are the same but for rounding, and which one it is; a single value is not
 * enough. */
bool heatmap_is_uniform(const struct heatmap *h, double *value);

/* Returns a value as cells show it: "−0.31", with `bare` "−.31". Only zero is "0"; a value that is
 * rounded to it keeps all its decimals and has no sign, "0.00", without decimals "<1". */
const char *heatmap_number(struct arena *a, double value, int decimals, bool bare);

#endif
