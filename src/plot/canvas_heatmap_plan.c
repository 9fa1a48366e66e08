/* canvas_heatmap_plan.c: the part of a matrix that a panel shows, and the size of its cells.
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
	LEAST_LABEL = 4,
	TIGHT_LABEL = 3,
	LEAST_SEEN = 6,
	NUMBERED_LABEL = 8,
	LEAST_STAGGERED = 6,
	ROOMY_LABEL = 7,
	KEY_COLS = 4, /* columns of "key→" before the columns */
	BROAD = 4     /* how many times as broad as high cells may be that need not be square */
};

static size_t imin(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t imax(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t digits_of(size_t n)
{
	char number[24];
	return (size_t)snprintf(number, sizeof number, "%zu", n);
}

size_t canvas_widest(const char *const *labels, size_t n, size_t most)
{
	size_t width = labels == NULL ? digits_of(n) : 0;
	for (size_t i = 0; labels != NULL && i < n && width < most; i++)
		width = imax(width, text_width(labels[i]));
	return imin(width, most);
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

/* Returns `half`, from two rows on rounded down to whole rows, so that each label stands at the
 * middle of its cells and all labels are equally far apart; smaller cells would lose a third. */
static int even(const struct heatmap *h, int half)
{
	const int least = h->no_rows ? 1 : 3; /* matrices of an equation have the same size */
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
	return high && block == 1 && !h->no_rows ? (size_t)canvas_digit_cols(c, h, c->presenter)
						 : 0;
}

/* Chooses the part and the size of cells for `rows` screen rows of `cols` columns; `above`: columns
 * that a cell needs for the words above. */
static struct heatmap_view fit(const struct canvas *c, const struct heatmap *h, size_t rows,
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
	const size_t side = (size_t)half;
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

static bool shows_all(const struct heatmap *h, const struct heatmap_view *v)
{
	return !v->averaged && v->rows == h->values.rows && v->cols == h->values.cols;
}

static void write_notes(const struct canvas *c, struct arena *a, const struct heatmap *h,
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
	if (shows_all(h, v))
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
		note[1] = arena_printf(a, "%s/%zu", rows, nr);
	} else if (v->rows == nr) {
		note[0] = arena_printf(a, "columns %s of %zu", cols, nc);
		note[1] = arena_printf(a, "%s/%zu", cols, nc);
	} else {
		note[0] = arena_printf(a, "%s %s %s of %zu", rows, times, cols, nr);
		note[1] = arena_printf(a, "%s%s%s/%zu", rows, times, cols, nr);
		if (nr != nc) {
			note[0] = arena_printf(a, "%s of %zu %s · %s of %zu %s", rows, nr,
					       c->ascii ? "down" : "↓", cols, nc,
					       c->ascii ? "across" : "→");
			note[1] = note[2] =
				arena_printf(a, "%s/%zu %s %s/%zu", rows, nr, times, cols, nc);
		}
	}
}

/* Rates a view: 0 if it does not show all values, 1 if it does in narrow cells, 2 in wider ones, 3
 * with room for words above, 4 in cells that are at least as wide as they are high in half rows. */
static int quality(const struct heatmap *h, const struct heatmap_view *v)
{
	if (!shows_all(h, v))
		return 0;
	return v->cell_cols < 3 ? v->cell_cols : 3 + (v->cell_cols >= v->cell_rows2);
}

/* Returns the columns that a cell needs for words above in so many lines. */
static size_t cols_for(const struct heatmap *h, size_t cols, size_t lines)
{
	const size_t widest = canvas_widest(h->col_labels, h->values.cols, cols);
	return (widest + lines) / lines;
}

/* Returns the columns of row labels: those of two words if values of half a row share screen rows,
 * and cells stay as large. */
static size_t for_pairs(const struct canvas *c, const struct heatmap *h, size_t rows, size_t cols,
			size_t above, size_t label, const struct heatmap_view *view)
{
	if (label == 0 || view->cell_rows2 > 1 || !shows_all(h, view) || h->ruler)
		return label;
	const size_t both = canvas_pairs_widest(h);
	if (both <= label || both + 1 >= cols)
		return label;
	const struct heatmap_view with = fit(c, h, rows, cols - both - 1, above);
	return shows_all(h, &with) && with.cell_cols == view->cell_cols &&
			       with.cell_rows2 == view->cell_rows2
		       ? both
		       : label;
}

/* Returns the columns of short row labels: those of "key→" above them, if cells stay as large. */
static size_t for_key(const struct canvas *c, const struct heatmap *h, size_t rows, size_t cols,
		      size_t above, size_t label, const struct heatmap_view *view)
{
	if (label == 0 || label >= KEY_COLS || h->row_labels == NULL || h->row_title == NULL ||
	    h->col_title == NULL || cols <= KEY_COLS + 1)
		return label;
	const struct heatmap_view with = fit(c, h, rows, cols - KEY_COLS - 1, above);
	return with.block == view->block && with.rows == view->rows && with.cols == view->cols &&
			       with.cell_cols == view->cell_cols &&
			       with.cell_rows2 == view->cell_rows2
		       ? KEY_COLS
		       : label;
}

/* Returns the columns of labels with numbers and whole words, if the cells stay as large and nearly as many; else the
 * usual ones. */
static size_t with_whole_words(const struct canvas *c, const struct heatmap *h, size_t rows,
			       size_t cols, size_t above, size_t digits, struct heatmap_plan *plan)
{
	enum { MOST_WORD = 16 };
	const size_t word = canvas_widest(h->row_labels, h->values.rows, MOST_WORD);
	const size_t label = digits + 1 + word;
	const size_t usual = imin(label, imax(digits + 1 + LEAST_LABEL, NUMBERED_LABEL));
	if (label + 1 >= cols)
		return usual;
	const struct heatmap_view with = fit(c, h, rows, cols - label - 1, above);
	const struct heatmap_view *const is = &plan->view;
	const bool same = with.block == is->block && with.cell_cols == is->cell_cols &&
			  with.cell_rows2 == is->cell_rows2 && 10 * with.cols >= 8 * is->cols;
	if (same)
		plan->view = with;
	return same ? label : usual;
}

/* Divides the columns among row labels and cells. */
static void choose_columns(const struct canvas *c, const struct heatmap *h, size_t rows,
			   size_t cols, size_t above, struct heatmap_plan *plan)
{
	const size_t n = h->values.rows;
	if (h->label_cols > 0 && (size_t)h->label_cols + 1 < cols) {
		plan->label_cols = h->label_cols;
		plan->view = fit(c, h, rows, cols - (size_t)h->label_cols - 1, above);
		canvas_pair_rows(h, plan);
		return;
	}
	const size_t key = imax(digits_of(n), KEY_COLS);
	if (h->by_number) {
		/* "key→" is not worth smaller cells. */
		const struct heatmap_view roomy = fit(c, h, rows, cols - key - 1, above);
		const struct heatmap_view tight = fit(c, h, rows, cols - digits_of(n) - 1, above);
		const bool less = tight.cell_rows2 > roomy.cell_rows2 ||
				  (shows_all(h, &tight) && !shows_all(h, &roomy));
		plan->view = h->no_rows ? fit(c, h, rows, cols, above) : less ? tight : roomy;
		plan->label_cols = plan->number_cols = (int)for_pairs(c, h, rows, cols, above,
								      h->no_rows ? 0
								      : less	 ? digits_of(n)
										 : key,
								      &plan->view);
		canvas_pair_rows(h, plan);
		return;
	}
	size_t label = cols < 8 || h->no_rows ? 0 : canvas_widest(h->row_labels, n, cols / 3);
	plan->view = fit(c, h, rows, cols - (label > 0 ? label + 1 : 0), above);
	/* Labels are shortened if this shows all values, or in larger cells. Words above columns
	 * are worth some letters of the row labels. */
	for (size_t less = label; less-- > TIGHT_LABEL;) {
		const struct heatmap_view view = fit(c, h, rows, cols - less - 1, above);
		const int better = quality(h, &view);
		if (better <= quality(h, &plan->view) || (better > 2 && less < ROOMY_LABEL))
			continue;
		plan->view = view;
		label = less;
	}
	label = for_key(c, h, rows, cols, above, label, &plan->view);
	label = for_pairs(c, h, rows, cols, above, label, &plan->view);
	if (label > 0 && !shows_all(h, &plan->view)) {
		/* If not all rows are visible, their numbers identify them, with a word beside if
		 * it fits. Numbers alone may make room for all values. */
		const size_t digits = digits_of(n);
		const size_t most = imax(digits + 1 + LEAST_LABEL, NUMBERED_LABEL);
		const size_t word = canvas_widest(h->row_labels, n, most - digits - 1);
		const bool bare =
			h->row_labels == NULL || cols < 5 * (digits + 1 + LEAST_LABEL) / 2;
		const struct heatmap_view alone = fit(c, h, rows, cols - digits - 1, above);
		const bool numbers = bare || shows_all(h, &alone);
		label = numbers ? digits : digits + 1 + word;
		plan->number_cols = (int)digits;
		plan->view = fit(c, h, rows, cols - label - 1, above);
		if (!numbers)
			label = with_whole_words(c, h, rows, cols, above, digits, plan);
		/* Beside means a word names the first of its rows alone; cut it says nothing. */
		if (!numbers && plan->view.averaged &&
		    label - digits - 1 < canvas_widest(h->row_labels, n, NUMBERED_LABEL)) {
			label = digits;
			plan->view = fit(c, h, rows, cols - label - 1, above);
		}
	}
	plan->label_cols = (int)label;
	canvas_pair_rows(h, plan);
}

/* Returns the plan with `heads` lines of labels above the columns. */
static struct heatmap_plan plan_with(const struct canvas *c, struct rect inner,
				     const struct heatmap *h, int heads)
{
	struct heatmap_plan plan = {.heads = heads, .bar = inner.rows >= 4 && !h->no_bar};
	const size_t cols = (size_t)inner.cols;
	choose_columns(c, h, (size_t)(inner.rows - heads - plan.bar), cols,
		       h->no_cols ? 0
		       : h->by_number && canvas_names_alike(h)
			       ? digits_of(h->values.cols) + 2
			       : cols_for(h, cols, (size_t)(heads > 0 ? heads : 1)),
		       &plan);
	const struct heatmap_view *const v = &plan.view;
	plan.numbers = h->by_number && canvas_names_alike(h);
	const int left = plan.label_cols > 0 ? plan.label_cols + 1 : 0;
	const int width = (int)canvas_shown(v->cols, v->block) * v->cell_cols;
	const int height = ((int)canvas_shown(v->rows, v->block) * v->cell_rows2 + 1) / 2;
	plan.data =
		(struct rect){inner.row + heads, inner.col + left + (inner.cols - left - width) / 2,
			      height, width};
	plan.head_left = inner.col;
	plan.head_right = inner.col + inner.cols;
	return plan;
}

/* Returns whether a second line of words costs at most half of the cells' height, as much as from two
 * rows to one. */
static bool nearly_as_high(int two, int one)
{
	return 2 * two >= one;
}

/* Returns whether plan `two` also shows as much as plan `one`, or most of a window. */
static bool nearly_as_large(const struct heatmap *h, const struct heatmap_plan *two,
			    const struct heatmap_plan *one)
{
	return two->view.block == one->view.block &&
	       shows_all(h, &two->view) == shows_all(h, &one->view) &&
	       3 * two->view.rows >= 2 * one->view.rows &&
	       nearly_as_high(two->view.cell_rows2, one->view.cell_rows2);
}

/* number_names() puts numbers in front of the row names and above the columns, where column names have no
 * room; it leaves the plan as it is if cells became smaller. */
static void number_names(const struct canvas *c, struct arena *a, struct rect inner,
			 const struct heatmap *h, struct heatmap_plan *plan)
{
	const size_t n = h->values.rows, digits = digits_of(n);
	if (h->no_rows || h->no_cols || plan->view.cell_rows2 < 2 || !canvas_names_alike(h) ||
	    !canvas_plan_lacks_names(a, h, plan))
		return;
	struct heatmap own = *h;
	own.by_number = true;
	const size_t most = (size_t)inner.cols / 3,
		     word = canvas_widest(h->row_labels, n, SIZE_MAX);
	own.label_cols = (int)imin(digits + 1 + word, imax(most, digits + 1 + LEAST_LABEL));
	if (own.label_cols + 1 >= inner.cols)
		return;
	struct heatmap_plan with = plan_with(c, inner, &own, 1);
	if (!shows_all(h, &with.view) || with.view.cell_rows2 < plan->view.cell_rows2 ||
	    with.view.cell_cols < 2)
		return;
	with.number_cols = (int)digits;
	with.pairs = false;
	*plan = with;
}

/* Returns the plan with the names of rows and columns; or with numbers beside and above their words where these have no
 * room. */
static struct heatmap_plan with_names(const struct canvas *c, struct arena *a, struct rect inner,
				      const struct heatmap *h)
{
	struct heatmap_plan plan = plan_with(c, inner, h, inner.rows >= 3 && !h->no_cols);
	if (inner.rows >= LEAST_STAGGERED && h->col_labels != NULL && !h->no_cols &&
	    canvas_words_fit(a, h, &plan, 1) != WORDS_WHOLE) {
		const struct heatmap_plan two = plan_with(c, inner, h, 2);
		if (canvas_words_fit(a, h, &two, 2) != WORDS_NOT && nearly_as_large(h, &two, &plan))
			plan = two;
	}
	number_names(c, a, inner, h, &plan);
	return plan;
}

void canvas_heatmap_plan(const struct canvas *c, struct arena *a, struct rect inner,
			 const struct heatmap *h, struct heatmap_plan *plan)
{
	*plan = (struct heatmap_plan){.data = {inner.row, inner.col, 0, 0}};
	if (inner.rows < 1 || inner.cols < 1 || h->values.rows == 0 || h->values.cols == 0)
		return;
	struct heatmap words = *h;
	words.by_number = false;
	*plan = with_names(c, a, inner, &words);
	if (h->by_number && inner.cols > 2 * KEY_COLS &&
	    (canvas_has_numbers(h) || canvas_plan_lacks_names(a, &words, plan))) {
		const int heads = canvas_names_alike(h) && plan->heads > 0 ? 1 : plan->heads;
		struct heatmap own = *h;
		own.label_cols = 0;
		const struct heatmap_plan by_number = plan_with(c, inner, &own, heads);
		*plan = shows_all(h, &by_number.view) ? by_number : *plan;
	}
	write_notes(c, a, h, &plan->view, plan->note);
}

int canvas_heatmap_rows(const struct canvas *c, struct arena *a, const struct heatmap *h, int rows,
			int cols)
{
	struct heatmap_plan plan;
	const struct rect inner = {.rows = rows - BOX_ROWS, .cols = cols - BOX_COLS};
	if (inner.rows < 1 || inner.cols < 1)
		return rows;
	canvas_heatmap_plan(c, a, inner, h, &plan);
	return BOX_ROWS + plan.heads + plan.data.rows + plan.bar;
}

bool canvas_hit(struct rect hit, const struct heatmap_view *view, int row, int col,
		size_t *matrix_row, size_t *matrix_col)
{
	if (row < hit.row || row >= hit.row + hit.rows || col < hit.col ||
	    col >= hit.col + hit.cols || view->cell_rows2 < 1 || view->cell_cols < 1)
		return false;
	const size_t i = (size_t)((row - hit.row) * 2 / view->cell_rows2);
	const size_t j = (size_t)((col - hit.col) / view->cell_cols);
	const size_t r = i * view->block, s = j * view->block;
	if (r >= view->rows || s >= view->cols)
		return false;
	*matrix_row = view->first_row + r;
	*matrix_col = view->first_col + s;
	return true;
}

bool canvas_place(struct rect hit, const struct heatmap_view *view, size_t matrix_row,
		  size_t matrix_col, struct rect *out)
{
	if (view->block == 0 || matrix_row < view->first_row || matrix_col < view->first_col ||
	    matrix_row - view->first_row >= view->rows ||
	    matrix_col - view->first_col >= view->cols)
		return false;
	const int h = view->cell_rows2, w = view->cell_cols;
	const int from = (int)((matrix_row - view->first_row) / view->block) * h;
	const int j = (int)((matrix_col - view->first_col) / view->block);
	/* The whole rows of the cell; a cell of half a row gets the row that it shares. */
	const int first = h > 1 ? (from + 1) / 2 : from / 2,
		  end = h > 1 ? (from + h) / 2 : first + 1;
	*out = (struct rect){hit.row + first, hit.col + j * w, end - first, w};
	return true;
}
