/* canvas_heatmap_plan.c: the labels of a matrix in a panel, and the room that they leave to its cells.
 *
 * Row labels are words, numbers, or a number and a word; they are shortened where that shows more or
 * larger cells (canvas_heatmap_fit.c). Column labels have one line, or alternate between two. */
#include <stdio.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/text.h"

enum {
	LEAST_LABEL = 4,
	TIGHT_LABEL = 3,
	NUMBERED_LABEL = 8,
	LEAST_STAGGERED = 6,
	ROOMY_LABEL = 7,
	KEY_COLS = 4 /* columns of "key→" before the columns */
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
		width = imax(width, text_width_most(labels[i], most));
	return imin(width, most);
}

/* Rates a view: 0 if it does not show all values, 1 if it does in narrow cells, 2 in wider ones, 3
 * with room for words above, 4 in cells that are at least as wide as they are high in half rows. */
static int quality(const struct heatmap *h, const struct heatmap_view *v)
{
	if (!canvas_shows_all(h, v))
		return 0;
	return v->cell_cols < 3 ? v->cell_cols : 3 + (v->cell_cols >= v->cell_rows2);
}

/* Returns the columns that a cell needs for words above in so many lines. */
static size_t cols_for(const struct heatmap *h, size_t cols, size_t lines)
{
	const size_t widest = canvas_widest(h->col_labels, h->values.cols, cols);
	return (widest + lines) / lines;
}

/* Returns the columns of row labels: those of a number and a word if values of half a row share screen rows, and
 * cells stay as large. */
static size_t for_shared(const struct canvas *c, const struct heatmap *h, size_t rows, size_t cols,
			 size_t above, size_t label, const struct heatmap_view *view)
{
	if (label == 0 || view->cell_rows2 > 1 || !canvas_shows_all(h, view) || h->ruler)
		return label;
	const size_t wide = canvas_shared_widest(h);
	if (wide <= label || wide + 1 >= cols)
		return label;
	const struct heatmap_view with = canvas_fit(c, h, rows, cols - wide - 1, above);
	return canvas_shows_all(h, &with) && with.cell_cols == view->cell_cols &&
			       with.cell_rows2 == view->cell_rows2
		       ? wide
		       : label;
}

/* Returns the columns of short row labels: those of "key→" above them, if cells stay as large. */
static size_t for_key(const struct canvas *c, const struct heatmap *h, size_t rows, size_t cols,
		      size_t above, size_t label, const struct heatmap_view *view)
{
	if (label == 0 || label >= KEY_COLS || h->row_labels == NULL || h->row_title == NULL ||
	    h->col_title == NULL || cols <= KEY_COLS + 1)
		return label;
	const struct heatmap_view with = canvas_fit(c, h, rows, cols - KEY_COLS - 1, above);
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
	const struct heatmap_view with = canvas_fit(c, h, rows, cols - label - 1, above);
	const struct heatmap_view *const is = &plan->view;
	const bool same = with.block == is->block && with.cell_cols == is->cell_cols &&
			  with.cell_rows2 == is->cell_rows2 && 10 * with.cols >= 8 * is->cols;
	if (same)
		plan->view = with;
	return same ? label : usual;
}

/* Chooses the columns of row labels that are numbers, and the view beside them. */
static void choose_for_numbers(const struct canvas *c, const struct heatmap *h, size_t rows,
			       size_t cols, size_t above, struct heatmap_plan *plan)
{
	const size_t digits = digits_of(h->values.rows), key = imax(digits, KEY_COLS);
	if (h->no_rows) {
		plan->view = canvas_fit(c, h, rows, cols, above);
		return;
	}
	/* "key→" is not worth smaller cells. */
	const struct heatmap_view roomy = canvas_fit(c, h, rows, cols - key - 1, above);
	const struct heatmap_view tight = canvas_fit(c, h, rows, cols - digits - 1, above);
	const bool less = tight.cell_rows2 > roomy.cell_rows2 ||
			  (canvas_shows_all(h, &tight) && !canvas_shows_all(h, &roomy));
	plan->view = less ? tight : roomy;
	plan->label_cols = plan->number_cols = (int)(less ? digits : key);
}

/* Returns the columns of row labels that are words, and sets the view beside them. They are shortened if this shows all
 * values, or in larger cells. Words above columns are worth some letters of the row labels. */
static size_t choose_for_words(const struct canvas *c, const struct heatmap *h, size_t rows,
			       size_t cols, size_t above, struct heatmap_view *view)
{
	const bool none = cols < 8 || h->no_rows;
	size_t label = none ? 0 : canvas_widest(h->row_labels, h->values.rows, cols / 3);
	*view = canvas_fit(c, h, rows, cols - (label > 0 ? label + 1 : 0), above);
	for (size_t less = label; less-- > TIGHT_LABEL;) {
		const struct heatmap_view with = canvas_fit(c, h, rows, cols - less - 1, above);
		const int better = quality(h, &with);
		if (better <= quality(h, view) || (better > 2 && less < ROOMY_LABEL))
			continue;
		*view = with;
		label = less;
	}
	label = for_key(c, h, rows, cols, above, label, view);
	return for_shared(c, h, rows, cols, above, label, view);
}

/* Returns the columns of the labels of a matrix that is shown in part or by means, and sets the view beside them: numbers
 * identify its rows, with a word beside if it fits. Numbers alone may make room for all values. */
static size_t choose_for_part(const struct canvas *c, const struct heatmap *h, size_t rows,
			      size_t cols, size_t above, struct heatmap_plan *plan)
{
	const size_t digits = digits_of(h->values.rows);
	const size_t most = imax(digits + 1 + LEAST_LABEL, NUMBERED_LABEL);
	const size_t word = canvas_widest(h->row_labels, h->values.rows, most - digits - 1);
	const bool bare = h->row_labels == NULL || cols < 5 * (digits + 1 + LEAST_LABEL) / 2;
	const struct heatmap_view alone = canvas_fit(c, h, rows, cols - digits - 1, above);
	plan->number_cols = (int)digits;
	plan->view = alone;
	if (bare || canvas_shows_all(h, &alone))
		return digits;
	plan->view = canvas_fit(c, h, rows, cols - (digits + 1 + word) - 1, above);
	const size_t label = with_whole_words(c, h, rows, cols, above, digits, plan);
	/* Beside means a word names the first of its rows alone; cut it says nothing. */
	if (!plan->view.averaged ||
	    label - digits - 1 >= canvas_widest(h->row_labels, h->values.rows, NUMBERED_LABEL))
		return label;
	plan->view = alone;
	return digits;
}

/* Divides the columns among row labels and cells. */
static void choose_columns(const struct canvas *c, const struct heatmap *h, size_t rows,
			   size_t cols, size_t above, struct heatmap_plan *plan)
{
	if (h->label_cols > 0 && (size_t)h->label_cols + 1 < cols) {
		plan->label_cols = h->label_cols;
		plan->view = canvas_fit(c, h, rows, cols - (size_t)h->label_cols - 1, above);
	} else if (h->by_number) {
		choose_for_numbers(c, h, rows, cols, above, plan);
	} else {
		size_t label = choose_for_words(c, h, rows, cols, above, &plan->view);
		if (label > 0 && !canvas_shows_all(h, &plan->view))
			label = choose_for_part(c, h, rows, cols, above, plan);
		plan->label_cols = (int)label;
	}
	canvas_name_shared(h, plan);
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
	       canvas_shows_all(h, &two->view) == canvas_shows_all(h, &one->view) &&
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
	if (!canvas_shows_all(h, &with.view) || with.view.cell_rows2 < plan->view.cell_rows2 ||
	    with.view.cell_cols < 2)
		return;
	with.number_cols = (int)digits;
	*plan = with;
}

/* Returns whether two rows share a row of the screen, and each of them has a name that is no number. */
static bool has_half_rows(const struct heatmap *h, const struct heatmap_plan *plan)
{
	const struct heatmap_view *const v = &plan->view;
	return h->row_labels != NULL && !h->no_rows && plan->label_cols > 0 &&
	       strspn(h->row_labels[0], "0123456789") < strlen(h->row_labels[0]) &&
	       v->cell_rows2 == 1 && v->block == 1 && !v->averaged && v->rows > 1;
}

/* Makes cells of half a row, a column wide, twice as wide as high where all of them have room for that beside labels of
 * so many columns. */
static void widen(struct rect inner, int labels, struct heatmap_plan *plan)
{
	const int n = (int)plan->view.cols, room = inner.cols - labels - 1;
	if (plan->view.cell_cols > 1 || 2 * n > room)
		return;
	plan->view.cell_cols = 2;
	plan->data.cols = 2 * n;
	plan->data.col = inner.col + labels + 1 + (room - 2 * n) / 2;
}

/* Gives two rows that share a row of the screen their names beside each other where as much is seen beside these, in
 * cells that are not narrower than high. Where column names have no room, numbers stand for them. */
static void pair_names(const struct canvas *c, struct arena *a, struct rect inner,
		       const struct heatmap *h, struct heatmap_plan *plan)
{
	const int both = canvas_pair_cols(h);
	if (both == 0 || !has_half_rows(h, plan) || both + 1 + (int)plan->view.cols > inner.cols ||
	    (h->label_cols > 0 && h->label_cols != both))
		return;
	struct heatmap own = *h;
	own.label_cols = both;
	own.by_number = plan->heads > 0 && canvas_names_alike(h) &&
			canvas_words_fit(a, h, plan, plan->heads) != WORDS_WHOLE;
	struct heatmap_plan with =
		plan_with(c, inner, &own, own.by_number && plan->heads > 1 ? 1 : plan->heads);
	if (with.view.cell_rows2 > 1 || with.view.block != 1 || with.view.rows < plan->view.rows ||
	    with.view.cols < plan->view.cols)
		return;
	with.pair_cols = (both - PAIR_GAP) / 2;
	widen(inner, both, &with);
	with.number_cols =
		h->ruler || canvas_numbers_are_names(h) ? 0 : (int)digits_of(h->values.rows);
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
	pair_names(c, a, inner, h, &plan);
	return plan;
}

/* Says that of two rows in one line of the screen one has its name, where rows have names that numbers do not give. */
static void say_unnamed(const struct heatmap *h, struct arena *a, struct heatmap_plan *plan)
{
	if (!h->broad || !h->ruler || plan->label_cols == 0 || plan->view.cell_rows2 > 1 ||
	    plan->view.rows < 2 || plan->view.averaged || plan->pair_cols > 0 || !h->row_labels ||
	    strspn(h->row_labels[0], "0123456789") == strlen(h->row_labels[0]))
		return;
	if (plan->note[0]) {
		plan->note[0] = arena_printf(a, "%s, every 2nd named", plan->note[0]);
		return;
	}
	plan->note[0] = "every 2nd row named";
	plan->note[1] = plan->note[2] = "every 2nd named";
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
		*plan = canvas_shows_all(h, &by_number.view) ? by_number : *plan;
	}
	canvas_part_notes(c, a, h, &plan->view, plan->note);
	say_unnamed(h, a, plan);
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
