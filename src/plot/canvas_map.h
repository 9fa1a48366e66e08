/* canvas_map.h: what the files that draw one heatmap on cells share.
 *
 * canvas_heatmap.c paints the values, canvas_labels.c the labels, canvas_bar.c colours and the bar;
 * the values themselves come from canvas_values.c, once for a drawing. */
#ifndef POSVIZ_CANVAS_MAP_H
#define POSVIZ_CANVAS_MAP_H

#include "plot/canvas_in.h"

enum cell_mark { MARK_VALUE, MARK_MASKED, MARK_NAN, MARK_NAME };

struct value {
	enum cell_mark mark;
	enum heatmap_mask mask; /* of MARK_MASKED; of a block HEATMAP_MASKED */
	double number;
};

/* One drawing in progress. A shown cell is a value or a block of them. */
struct map {
	struct canvas *c;
	struct arena *a;
	const struct heatmap *h;
	const struct heatmap_plan *plan;
	size_t rows, cols; /* shown cells */
	const struct value *values;
};

static inline struct value map_value(const struct map *m, size_t i, size_t j)
{
	return m->values[i * m->cols + j];
}

/* canvas_values.c: how many cells n values need; all shown cells, row by row; the side of the
 * blocks that canvas_sums adds up in an n-sided matrix, 1 when it makes none. */
size_t canvas_shown(size_t n, size_t block);
const struct value *canvas_values(struct arena *a, const struct heatmap *h,
				  const struct heatmap_view *v);
size_t canvas_sums_side(size_t rows, size_t cols);
bool canvas_any_masked(const struct heatmap *h);

/* canvas_swatch.c: what a place in [0, 1] of the scale looks like. `fill` is a sign that fills the
 * cell, or NULL; `step` from zero, where there are steps. */
struct swatch {
	uint32_t fg, bg;
	const char *fill;
	long step;
};
struct swatch canvas_swatch(const struct canvas *c, const struct heatmap *h, double at);
void canvas_swatch_fill(struct canvas *c, struct rect r, const struct heatmap *h, double at,
			unsigned attrs);
/* How many there are in the part of the scale that values are in; 0: as many as there are colours. */
size_t canvas_swatches(const struct canvas *c, const struct heatmap *h);
/* Whether signs and not backgrounds tell values, so that each has whole rows for itself. */
bool canvas_shaded(const struct canvas *c);

/* canvas_digits.c: the decimals of a panel's numbers, one less where the widest has no room, its
 * columns, and whether they tell anything; the columns of a cell with room for them, or for `less`; the
 * decimals in cells so wide; and whether there are numbers in all of them. */
struct digits {
	int decimals, cols;
	bool telling;
};
struct digits canvas_digits(const struct heatmap *h, int room);
int canvas_digit_cols(const struct canvas *c, const struct heatmap *h, bool less);
int canvas_decimals(const struct canvas *c, const struct heatmap *h, int cell_cols);
bool canvas_has_digits(const struct canvas *c, const struct heatmap *h,
		       const struct heatmap_view *v);

/* canvas_bar.c */
void canvas_bar(const struct map *m, struct rect inner);

/* canvas_labels.c: whether all words have room above the columns in so many lines, the rest of the
 * plan being made; or do when they are cut. */
enum words_fit { WORDS_NOT, WORDS_CUT, WORDS_WHOLE };
enum words_fit canvas_words_fit(struct arena *a, const struct heatmap *h,
				const struct heatmap_plan *plan, int lines);
void canvas_row_labels(const struct map *m);
void canvas_col_labels(const struct map *m);

/* canvas_pointed.c: what is pointed out, when all else is drawn; and the sign of a marked row or column, which
 * stands in one column of the screen where that is free. */
void canvas_pointed(const struct map *m);
void canvas_pointed_sign(const struct map *m, int row, int col, const char *sign, char plain);
bool canvas_is_blank(const struct canvas *c, int row, int col);

/* canvas_heatmap.c: the whole rows of shown cell (i, j) on the screen; whether brackets leave enough of a
 * cell's shade, behind its sign. */
struct rect canvas_cell(const struct map *m, size_t i, size_t j);
bool canvas_has_brackets(const struct map *m, int cols);

#endif
