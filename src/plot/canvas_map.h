/* canvas_map.h: the interface between the files that draw one heatmap on cells.
 *
 * canvas_heatmap.c paints the values, canvas_labels.c the labels, canvas_bar.c the colour bar;
 * canvas_values.c computes the values once for a drawing. */
#ifndef POSVIZ_CANVAS_MAP_H
#define POSVIZ_CANVAS_MAP_H

#include "plot/canvas_in.h"

enum cell_mark { MARK_VALUE, MARK_MASKED, MARK_NAN, MARK_NAME };

struct value {
	enum cell_mark mark;
	enum heatmap_mask mask; /* of MARK_MASKED; of a block HEATMAP_MASKED */
	double number;
};

/* The state of one drawing. A shown cell is a value or a block of values. */
struct map {
	struct canvas *c;
	struct arena *a;
	const struct heatmap *h;
	const struct heatmap_plan *plan;
	size_t rows, cols; /* shown cells */
	const struct value *values;
	bool told; /* the words of the bar's scale are written elsewhere */
};

static inline struct value map_value(const struct map *m, size_t i, size_t j)
{
	return m->values[i * m->cols + j];
}

/* canvas_values.c: the number of cells for n values; all shown cells, row by row; the side of the
 * blocks that canvas_sums adds up in a matrix of this size, 1 if it makes none; whether any value
 * is masked. */
size_t canvas_shown(size_t n, size_t block);
const struct value *canvas_values(struct arena *a, const struct heatmap *h,
				  const struct heatmap_view *v);
size_t canvas_sums_side(size_t rows, size_t cols);
bool canvas_any_masked(const struct heatmap *h);

/* canvas_swatch.c: the appearance of position `at` in [0, 1] of the scale. `fill` is a sign that
 * fills the cell, or NULL; `step` counts steps from zero if the colours are steps. */
struct swatch {
	uint32_t fg, bg;
	const char *fill;
	long step;
};
struct swatch canvas_swatch(const struct canvas *c, const struct heatmap *h, double at);
void canvas_swatch_fill(struct canvas *c, struct rect r, const struct heatmap *h, double at,
			unsigned attrs);
/* Returns whether cells without colours show a sign beside the size of their values, which shades need only where there
 * are two; and whether a cell of so many columns is a digit or a letter, because it has no room for a shade or a sign. */
bool canvas_shows_sign(const struct canvas *c, const struct heatmap *h);
bool canvas_is_letter(const struct canvas *c, const struct heatmap *h, int cols);
/* Returns the number of different swatches in the part of the scale that values use; 0: as many as
 * there are colours. */
size_t canvas_swatches(const struct canvas *c, const struct heatmap *h);
/* Returns whether signs instead of backgrounds show values, so that each value has whole rows. */
bool canvas_shaded(const struct canvas *c);

/* canvas_digits.c: canvas_digits() returns the decimals of a panel's numbers (one less if the
 * widest number does not fit in `room`), the columns of the widest, and in `telling` whether the
 * largest value is not lost by rounding. canvas_digit_cols() returns the columns of a cell with
 * room for numbers, or with `less`, for one decimal less; canvas_decimals() the decimals in cells
 * of `cell_cols` columns; canvas_has_digits() whether all cells have numbers. */
struct digits {
	int decimals, cols;
	bool telling;
};
struct digits canvas_digits(const struct heatmap *h, int room);
int canvas_digit_cols(const struct canvas *c, const struct heatmap *h, bool less);
int canvas_decimals(const struct canvas *c, const struct heatmap *h, int cell_cols);
bool canvas_has_digits(const struct canvas *c, const struct heatmap *h,
		       const struct heatmap_view *v);

/* canvas_bar.c: the bar; the words that it must have: how signs are read without colours, the
 * mode of a scale that is not linear, and whether it is locked, each after two blanks. Mode: without
 * the first. */
const char *canvas_bar_words(const struct map *m);
const char *canvas_bar_mode(const struct map *m);
void canvas_bar(const struct map *m, struct rect inner);

/* canvas_heatmap_fit.c: canvas_fit() chooses the part and the size of cells for `rows` screen rows of `cols` columns;
 * `above`: columns that a cell needs for the words above. canvas_shows_all() tells whether each value is a cell;
 * canvas_part_notes() writes into note[PART_FORMS] which part is shown. */
struct heatmap_view canvas_fit(const struct canvas *c, const struct heatmap *h, size_t rows,
			       size_t cols, size_t above);
bool canvas_shows_all(const struct heatmap *h, const struct heatmap_view *v);
void canvas_part_notes(const struct canvas *c, struct arena *a, const struct heatmap *h,
		       const struct heatmap_view *v, const char **note);

/* canvas_labels.c: canvas_words_fit() returns whether all words fit above the columns in so many
 * lines of the plan, whole or cut. */
enum words_fit { WORDS_NOT, WORDS_CUT, WORDS_WHOLE };
enum words_fit canvas_words_fit(struct arena *a, const struct heatmap *h,
				const struct heatmap_plan *plan, int lines);
/* canvas_shared_widest() returns the columns for the labels of rows that share a screen row: the number
 * of the first and its word. canvas_name_shared() sets the label of such rows: both, else numbers. */
size_t canvas_shared_widest(const struct heatmap *h);
/* canvas_pair_cols() returns the columns of the labels of both such rows beside each other, each with its number and its
 * word; 0: the rows have no names. */
enum { PAIR_GAP = 2 }; /* columns between the two */
int canvas_pair_cols(const struct heatmap *h);
/* Returns whether the names of the rows are numbers themselves. */
bool canvas_numbers_are_names(const struct heatmap *h);
void canvas_name_shared(const struct heatmap *h, struct heatmap_plan *plan);
/* canvas_legend.c: returns whether rows with words share screen rows. */
bool canvas_shares_rows(const struct heatmap *h, const struct heatmap_plan *plan);
/* Returns whether rows and columns have the same names. */
bool canvas_names_alike(const struct heatmap *h);
/* Returns whether the labels are already the numbers of names, since rows have another order than these. */
bool canvas_has_numbers(const struct heatmap *h);
/* Returns whether a plan that shows all values cuts names, or has the names of two rows in one row of the screen. */
bool canvas_plan_lacks_names(struct arena *a, const struct heatmap *h,
			     const struct heatmap_plan *plan);
void canvas_row_labels(const struct map *m);
void canvas_col_labels(const struct map *m);

/* canvas_pointed.c: draws the marks of cells that are pointed out, after everything else; and the
 * sign of a marked row or column, in one column of the screen if that is free. */
void canvas_pointed(const struct map *m);
void canvas_pointed_sign(const struct map *m, int row, int col, const char *sign, char plain);
bool canvas_is_blank(const struct canvas *c, int row, int col);

/* canvas_heatmap.c: returns the whole screen rows of shown cell (i, j); whether brackets leave
 * enough of a cell's shade, after its sign. */
struct rect canvas_cell(const struct map *m, size_t i, size_t j);
bool canvas_has_brackets(const struct map *m, int cols);

#endif
