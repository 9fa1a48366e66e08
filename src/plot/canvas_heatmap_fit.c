/* canvas_heatmap_fit.c: the part of a matrix that a panel shows, and the size of its cells.
 *
 * A value takes h half rows and w columns, the same for all: one half row, when two neighbours share
 * a screen row as half blocks, or whole rows. The least
 * size of a value depends on the screen: half a row and a column if colours show it, a whole row if
 * glyphs or signs do or if single values are wanted. For a presenter it has room for its number,
 * and if not all values have that, two rows.
 *
 * If there is too little room, either square blocks of k×k values are shown by their mean, and the
 * note says "mean of k×k" (of integers, which are labels, one of each block is shown); or the
 * values themselves are shown in a window around the cursor, and the note says which ("rows 5–20 of
 * 64").
 *
 * Nothing is remembered between calls: the window follows from the cursor and the sizes. It moves
 * by half of its size, so nearly all steps of the cursor change only labels and brackets; cells
 * that are pointed out stay in it if cursor and cells fit together. */
#include <stdio.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum {
	MOST_HALF_ROWS = 12,
	ALONE_HALF_ROWS = 20, /* for a matrix of one value */
	LEAST_SEEN = 6,
	BROAD = 4 /* how many times as broad as high cells may be that need not be square */
};

static size_t imin(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t imax(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Returns the first of `shown` rows or columns out of n: a multiple of half a window, unless the
 * end is nearer. The cursor is in the middle half of the window, except at the ends of the
 * matrix. */
static size_t window(size_t at, size_t shown, size_t n)
{
	const size_t step = imax(shown / 2, 1), margin = (shown - step) / 2;
	return at < margin ? 0 : imin((at - margin) / step * step, n - shown);
}

/* The least size of a value's cell. */
struct least {
	size_t half_rows, cols;
};

static bool presents(const struct canvas *c, const struct heatmap *h, size_t rows, size_t cols)
{
	const size_t wide = imax(4, h->integers ? 0 : (size_t)canvas_digit_cols(c, h, false));
	return c->presenter && h->grid != GRID_FIT &&
	       rows / 2 >= imin(h->values.rows, LEAST_SEEN) &&
	       cols / wide >= imin(h->values.cols, LEAST_SEEN);
}

/* Returns the columns of the widest integer of a relation, with a blank: such cells must be
 * readable. */
static size_t number_cols(const struct heatmap *h)
{
	char lo[32], hi[32];
	num_show(lo, sizeof lo, h->scale.lo, 6);
	num_show(hi, sizeof hi, h->scale.hi, 6);
	return imax(text_width(lo), text_width(hi)) + 1;
}

static struct least least_of(const struct canvas *c, const struct heatmap *h, size_t rows,
			     size_t cols)
{
	const size_t all = (size_t)canvas_digit_cols(c, h, false);
	const size_t less = (size_t)canvas_digit_cols(c, h, true);
	const size_t room = cols >= all * h->values.cols ? all : less;
	const size_t whole_rows = canvas_shaded(c) ? 2 : 1;
	if (c->presenter && !h->integers && rows >= whole_rows * h->values.rows &&
	    cols >= room * h->values.cols)
		return (struct least){2 * whole_rows, room};
	/* Small numbers of a whole relation are worth more than large ones of a part. */
	if (c->presenter && h->integers && rows >= whole_rows * h->values.rows &&
	    cols >= number_cols(h) * h->values.cols && rows < 2 * h->values.rows)
		return (struct least){2 * whole_rows, number_cols(h)};
	if (presents(c, h, rows, cols))
		return (struct least){4, imax(4, h->integers ? number_cols(h) : all)};
	if (h->integers && h->grid != GRID_FIT && rows > 1 && cols > 2 * number_cols(h))
		return (struct least){2, number_cols(h)};
	/* Named vectors that have room for a line each are all named. */
	if (h->no_means && h->row_labels && !h->ruler && h->grid == GRID_AUTO && !h->broad &&
	    rows >= h->values.rows && !canvas_shaded(c) && !canvas_glyphs(c))
		return (struct least){2, 1};
	const bool glyphs = canvas_glyphs(c);
	const bool whole = canvas_shaded(c) || h->grid == GRID_CELLS;
	/* Blocks in whole rows are square. */
	const bool blocks = whole && (rows < h->values.rows || cols < h->values.cols);
	const bool wide = glyphs || h->grid == GRID_CELLS || blocks;
	return (struct least){whole ? 2 : 1, wide && cols > 1 ? 2 : 1};
}

/* Returns the largest height in half rows of a cell that is at most `width` columns wide: a column
 * is as wide as half a row is high, so that is the side of a square. */
static int tallest(const struct heatmap *h, int width)
{
	const bool alone = h->values.rows == 1 && h->values.cols == 1;
	const int most = alone ? ALONE_HALF_ROWS : MOST_HALF_ROWS;
	return width < most ? (width > 1 ? width : 1) : most;
}

/* Returns whether cells need not be square: rows and columns are of two kinds, or a table. */
static bool is_free(const struct heatmap *h)
{
	return h->broad || ((h->ruler || h->plain) && h->values.rows != h->values.cols);
}

/* Returns `half`, from two rows on rounded down to whole rows, so that each label stands at the
 * middle of its cells and all labels are equally far apart; smaller square cells would lose a third. */
static int even(const struct heatmap *h, int half)
{
	/* Matrices of an equation have the same size, and some need not be square. */
	const int least = h->no_rows || is_free(h) ? 1 : 3;
	return half > least ? half - half % 2 : half;
}

/* Returns the side of the blocks for which a matrix has room in `high` by `broad` cells. */
static size_t block_side(const struct heatmap *h, size_t high, size_t broad)
{
	const size_t side = canvas_sums_side(h->values.rows, h->values.cols);
	const size_t k =
		imax(canvas_shown(h->values.rows, high), canvas_shown(h->values.cols, broad));
	return canvas_shown(k, side) * side;
}

/* Returns whether a matrix without room is shown as a window of `high` rows and `broad` columns: if
 * the window is most of the matrix, or if there would be too few blocks to show a pattern. */
static bool in_window(const struct canvas *c, const struct heatmap *h, size_t high, size_t broad)
{
	enum { FEW = 16 };
	const size_t nr = h->values.rows, nc = h->values.cols;
	/* Neither labels nor columns of different quantities have a meaningful mean. */
	if ((h->integers || h->no_means) && h->grid == GRID_AUTO)
		return true;
	if (h->grid != GRID_AUTO || !h->has_cursor)
		return h->grid == GRID_CELLS;
	if (c->presenter || (3 * nr <= 4 * high && 3 * nc <= 4 * broad))
		return true;
	return nr <= 2 * high && nc <= 2 * broad &&
	       canvas_shown(imax(nr, nc), block_side(h, high, broad)) < FEW;
}

/* Gets the first and the last row, or column, of cells and lines that are pointed out; false if
 * there are none. */
static bool pointed_span(const struct heatmap *h, bool rows, size_t *first, size_t *last)
{
	const enum mark_kind line = rows ? MARK_ROW : MARK_COLUMN;
	bool any = false;
	for (size_t i = 0; i < h->n_marks; i++) {
		const struct mark *const m = &h->marks[i];
		const size_t at = rows ? m->row : m->col;
		if (m->kind != MARK_CELL && m->kind != line)
			continue;
		*first = any ? imin(*first, at) : at;
		*last = any ? imax(*last, at) : at;
		any = true;
	}
	return any;
}

/* Returns the first of `shown` rows, or columns: around the cursor, and if possible including
 * everything that is pointed out. */
static size_t first_shown(const struct heatmap *h, bool rows, size_t shown)
{
	const size_t n = rows ? h->values.rows : h->values.cols;
	const size_t cursor = h->has_cursor ? (rows ? h->row : h->col) : 0;
	const size_t from = window(cursor, shown, n);
	size_t first, last;
	if (!pointed_span(h, rows, &first, &last))
		return from;
	if (h->has_cursor) {
		first = imin(first, cursor);
		last = imax(last, cursor);
	}
	if (last - first >= shown)
		return from;
	return imin(imax(from, last + 1 - imin(shown, last + 1)), first);
}

/* Returns the part that is shown in `high` by `broad` cells. */
static struct heatmap_view choose_part(const struct canvas *c, const struct heatmap *h, size_t high,
				       size_t broad)
{
	const size_t nr = h->values.rows, nc = h->values.cols;
	struct heatmap_view v = {.rows = nr, .cols = nc, .block = 1};
	if (nr <= high && nc <= broad)
		return v;
	if (in_window(c, h, high, broad)) {
		v.rows = imin(nr, high);
		v.cols = imin(nc, broad);
		v.first_row = first_shown(h, true, v.rows);
		v.first_col = first_shown(h, false, v.cols);
		return v;
	}
	v.averaged = true;
	v.block = block_side(h, high, broad);
	return v;
}

/* Returns the columns of the widest words in a cell, at most MOST. */
static size_t widest_inside(const struct heatmap *h)
{
	enum { MOST = 24 };
	size_t most = 0;
	const size_t n = h->words != NULL ? h->values.rows * h->values.cols : 0;
	for (size_t i = 0; i < n && most < MOST; i++)
		if (h->words[i] != NULL)
			most = imax(most, imin(text_width(h->words[i]), MOST));
	return most;
}

/* Returns the columns at which all cells of single values have numbers, if they are high enough not
 * to look flat; 0 in an equation, whose matrices have the same size. */
static size_t for_numbers(const struct canvas *c, const struct heatmap *h, int half, size_t block)
{
	enum { HIGH = 3, HIGH_SHADED = 4 };
	const bool high = half >= (canvas_shaded(c) ? HIGH_SHADED : HIGH);
	return high && block == 1 && !h->no_rows && !h->no_digits
		       ? (size_t)canvas_digit_cols(c, h, c->presenter)
		       : 0;
}

/* Chooses the part and the size of cells for `rows` screen rows of `cols` columns; `above`: columns
 * that a cell needs for the words above. */
struct heatmap_view canvas_fit(const struct canvas *c, const struct heatmap *h, size_t rows,
			       size_t cols, size_t above)
{
	const struct least least = least_of(c, h, rows, cols);
	const size_t high = rows * 2 / least.half_rows, broad = cols / least.cols;
	struct heatmap_view v = choose_part(c, h, high, broad);
	const size_t shown_rows = canvas_shown(v.rows, v.block);
	size_t width = cols / canvas_shown(v.cols, v.block);
	const int most_half = tallest(h, (int)imin(width, ALONE_HALF_ROWS));
	const int tall = (int)imin(rows * 2 / shown_rows, (size_t)most_half);
	int half = even(h, tall);
	if (least.half_rows > 1)
		half = half > 2 ? half - half % 2 : 2;
	/* Cells are square, a quarter (of one row a half) wider if the words above need it, and
	 * wider only for words inside. Signs and whole numbers that show values need room to be read. A large matrix has no room for words,
	 * and too many to search for the widest. */
	const bool signs = canvas_shaded(c) || h->integers;
	const size_t side = (size_t)(is_free(h) ? tall : half);
	const size_t broad_by = h->broad ? BROAD : 1;
	const size_t square = broad_by * (signs ? imax(side + side / 2, 4) : side);
	const size_t wide = signs ? imax(2 * side, 4) : side == 2 ? side + 1 : side + side / 4;
	const size_t words = width > square ? widest_inside(h) : 0;
	const size_t wanted = words > 0 ? imax(above, words + 2) : above;
	const size_t most = words > 0 ? imax(3 * square, words + 2) : imax(wide, square);
	width = imin(width,
		     imax(imax(imin(wanted, most), square), for_numbers(c, h, tall, v.block)));
	v.cell_rows2 = half;
	v.cell_cols = (int)imin(imax(width, least.cols), imax(cols, 1));
	return v;
}

bool canvas_shows_all(const struct heatmap *h, const struct heatmap_view *v)
{
	return !v->averaged && v->rows == h->values.rows && v->cols == h->values.cols;
}

void canvas_part_notes(const struct canvas *c, struct arena *a, const struct heatmap *h,
		       const struct heatmap_view *v, const char **note)
{
	const char *const times = c->ascii ? "x" : "×", *const to = c->ascii ? "-" : "–";
	if (v->averaged) {
		const char *const what = h->integers ? "one" : "mean";
		note[0] = arena_printf(a, "%s of %zu%s%zu", what, v->block, times, v->block);
		note[1] = note[2] =
			h->integers ? note[0]
				    : arena_printf(a, "mean %zu%s%zu", v->block, times, v->block);
		return;
	}
	if (canvas_shows_all(h, v))
		return;
	const size_t nr = h->values.rows, nc = h->values.cols;
	note[2] = arena_printf(a, "part of %zu", nr > nc ? nr : nc);
	const char *const rows =
		arena_printf(a, "%zu%s%zu", v->first_row + 1, to, v->first_row + v->rows);
	const char *const cols =
		arena_printf(a, "%zu%s%zu", v->first_col + 1, to, v->first_col + v->cols);
	/* Equal ranges of rows and columns are written once. */
	if (v->cols == nc || (nr == nc && strcmp(rows, cols) == 0)) {
		note[0] = arena_printf(a, "rows %s of %zu", rows, nr);
		note[1] = arena_printf(a, "%s of %zu", rows, nr);
	} else if (v->rows == nr) {
		note[0] = arena_printf(a, "columns %s of %zu", cols, nc);
		note[1] = arena_printf(a, "%s of %zu", cols, nc);
	} else {
		note[0] = arena_printf(a, "%s %s %s of %zu", rows, times, cols, nr);
		note[1] = note[2];
		if (nr != nc) {
			note[0] = arena_printf(a, "%s of %zu %s · %s of %zu %s", rows, nr,
					       c->ascii ? "down" : "↓", cols, nc,
					       c->ascii ? "across" : "→");
			note[1] = note[2] =
				arena_printf(a, "%s/%zu %s %s/%zu", rows, nr, times, cols, nc);
		}
	}
}
