/* canvas_labels.c: the labels of a heatmap's rows and columns.
 *
 * If all values are visible, tokens are the labels. With blocks or a window, numbers are, as on a
 * ruler: round ones, each at the cell that contains it, with its token if there is room; and always
 * those of the cursor, exactly, and of everything that is pointed out. The label of a column never
 * covers another column's label. */
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/text.h"

static const char *number_label(const struct map *m, size_t index)
{
	return canvas_has_numbers(m->h) ? m->h->row_labels[index]
					: arena_printf(m->a, "%zu", index + 1);
}

/* Returns the least of 1, 2, 5, 10, 20, ... rows or columns that takes at least `room`, if one
 * takes `each`. */
static size_t round_step(size_t room, size_t each)
{
	size_t step = 1;
	for (size_t i = 0; step * each < room; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

/* Returns the index of the first multiple of `step` in the block that begins with index `first`;
 * SIZE_MAX if there is none. */
static size_t round_index(size_t first, size_t block, size_t step, size_t end)
{
	const size_t number = (first + step) / step * step; /* numbers count from 1 */
	return number <= first + block && number <= end ? number - 1 : SIZE_MAX;
}

/* Returns the attributes of a label that is pointed out, or the cursor's. */
static unsigned look_of(const struct map *m, bool here, bool pointed)
{
	if (!here && !pointed)
		return 0;
	return ATTR_ACCENT | ATTR_BOLD | (pointed ? ATTR_UNDERLINE : 0u) |
	       (here && m->c->presenter && m->c->tier == TIER_MONO ? ATTR_REVERSE : 0u);
}

/* ---- rows ---- */

/* Writes a number, and at the right its word, in `cols` columns that end before `right`. */
static void draw_numbered(const struct map *m, int y, int right, int cols, size_t row,
			  unsigned look)
{
	const struct heatmap_plan *const p = m->plan;
	const int left = right - cols;
	if (m->h->ruler) {
		canvas_text_right(m->c, m->a, y, right, cols, m->h->row_labels[row], look);
		return;
	}
	const int words = cols - p->number_cols - 1;
	canvas_text_right(m->c, m->a, y, left + p->number_cols, p->number_cols,
			  number_label(m, row), look);
	if (m->h->row_labels == NULL || words <= 0)
		return;
	const char *const word = text_cut(m->a, m->h->row_labels[row], (size_t)words, m->c->ascii);
	canvas_text_right(m->c, m->a, y, right, words, word, look);
}

/* Returns whether names are numbers themselves: they need none before them, and one that is cut is another. */
static bool names_are_numbers(const char *const *names, size_t n)
{
	bool all = true;
	for (size_t i = 0; all && i < n; i++)
		all = *names[i] >= '0' && *names[i] <= '9';
	return all;
}

bool canvas_numbers_are_names(const struct heatmap *h)
{
	return names_are_numbers(h->row_labels, h->values.rows);
}

/* Returns whether the names of the columns stand whole or not at all. */
static bool heads_are_whole(const struct heatmap *h)
{
	return h->ruler || names_are_numbers(h->col_labels, h->values.cols);
}

size_t canvas_shared_widest(const struct heatmap *h)
{
	const size_t digits = canvas_widest(NULL, h->values.rows, SIZE_MAX);
	if (h->by_number || h->row_labels == NULL)
		return h->by_number ? digits : 0;
	const size_t word = canvas_widest(h->row_labels, h->values.rows, SIZE_MAX);
	return names_are_numbers(h->row_labels, h->values.rows) ? word : digits + 1 + word;
}

int canvas_pair_cols(const struct heatmap *h)
{
	const size_t one = h->ruler && h->row_labels != NULL
				   ? canvas_widest(h->row_labels, h->values.rows, SIZE_MAX)
				   : canvas_shared_widest(h);
	return one > 0 ? 2 * (int)one + PAIR_GAP : 0;
}

/* Rows that share a screen row have the label of the first of them, so that every label is two rows
 * after the one above. Its number says which it is; its word stands behind that if all words have
 * room. */
void canvas_name_shared(const struct heatmap *h, struct heatmap_plan *plan)
{
	if (!canvas_shares_rows(h, plan) || (plan->number_cols > 0 && !h->by_number) ||
	    plan->pair_cols > 0)
		return;
	const int digits = (int)canvas_widest(NULL, h->values.rows, SIZE_MAX);
	const bool whole = (int)canvas_shared_widest(h) <= plan->label_cols;
	plan->number_cols = h->by_number || !whole			       ? plan->label_cols
			    : names_are_numbers(h->row_labels, h->values.rows) ? 0
									       : digits;
}

/* Writes the label of shown row i, for the token with index `row`; `over`: replaces another one. */
static void draw_row_label(const struct map *m, const char *const *words, size_t i, size_t row,
			   unsigned look, bool over)
{
	const struct heatmap_view *const v = &m->plan->view;
	struct rect r;
	const int pair = m->plan->pair_cols, cols = pair > 0 ? pair : m->plan->label_cols;
	const int right = m->plan->data.col - 1 - (pair > 0 && i % 2 == 0 ? pair + PAIR_GAP : 0);
	if (!canvas_place(m->plan->data, v, v->first_row + i * v->block, v->first_col, &r))
		return;
	const int y = r.row + (r.rows - 1) / 2;
	if (over)
		canvas_fill(m->c, (struct rect){y, right - cols, 1, cols}, 0, CELL_DEFAULT);
	if (m->plan->number_cols > 0)
		draw_numbered(m, y, right, cols, row, look);
	else
		canvas_text_right(m->c, m->a, y, right, cols,
				  words != NULL ? words[i] : number_label(m, row), look);
}

static bool cursor_in_row(const struct map *m, size_t i)
{
	const struct heatmap_view *const v = &m->plan->view;
	const size_t row = v->first_row + i * v->block;
	return m->h->has_cursor && m->h->row >= row && m->h->row < row + v->block;
}

static double square_of(const struct map *m, size_t row)
{
	const struct heatmap *const h = m->h;
	double sum = 0;
	for (size_t j = 0; j < h->values.cols; j++) {
		const double value = h->values.at[row * h->values.cols + j];
		sum += h->masked != NULL && h->masked[row * h->values.cols + j] ? 0 : value * value;
	}
	return sum;
}

/* Returns which of the two vectors in a line of half blocks has its label there: the upper one, unless the
 * lower one is more than twice as long. */
static size_t labelled(const struct map *m, size_t i)
{
	enum { TWICE = 4 }; /* of squares */
	const struct heatmap_view *const v = &m->plan->view;
	const size_t row = v->first_row + i;
	const bool two = m->h->no_means && !m->h->ruler && m->h->row_labels != NULL &&
			 v->cell_rows2 == 1 && v->block == 1 && i + 1 < m->rows;
	return two && square_of(m, row + 1) > TWICE * square_of(m, row) ? i + 1 : i;
}

void canvas_row_labels(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	if (m->plan->label_cols == 0)
		return;
	const char *const *const words =
		h->row_labels == NULL || m->plan->number_cols > 0
			? NULL
			: text_labels(m->a, h->row_labels + v->first_row, v->rows, v->first_row,
				      (size_t)m->plan->label_cols, m->c->ascii);
	/* On a ruler of blocks there is a free row between two numbers. */
	const size_t step = v->averaged ? round_step(4 * v->block, (size_t)v->cell_rows2) : 1;
	const bool share = v->cell_rows2 == 1;
	int last = -1;
	for (size_t i = 0; i < m->rows; i++) {
		const size_t first = v->first_row + i * v->block;
		const size_t row = v->averaged && i > 0 && !h->ruler
					   ? round_index(first, v->block, step, h->values.rows)
					   : first;
		const int y = share && m->plan->pair_cols == 0 ? (int)i / 2 : (int)i;
		if (row == SIZE_MAX || y == last)
			continue; /* the upper of two labels in one screen row */
		const size_t of = m->plan->pair_cols > 0 ? i : labelled(m, i);
		draw_row_label(m, words, of, row + of - i, 0, false);
		last = y;
	}
	/* The cursor's label is written last, so it is the visible one in a shared row. */
	size_t at;
	for (size_t i = 0; i < m->rows && h->n_marks > 0; i++)
		if (heatmap_points_row(h, v->first_row + i * v->block, v->block, &at))
			draw_row_label(m, words, i, at, look_of(m, false, true), true);
	for (size_t i = 0; i < m->rows; i++)
		if (cursor_in_row(m, i))
			draw_row_label(m, words, i, h->row,
				       look_of(m, true, heatmap_points_row(h, h->row, 1, &at)),
				       true);
}

/* ---- columns ---- */

/* Words above columns are in one row if they do not touch there; else they alternate between two
 * rows, so that each has nearly two cells, and a line leads from the upper ones to their columns.
 * If even that is too little, they are cut, as long as three letters are left; in cells of one column
 * numbers say more. */
enum { CUT_CELL = 2, LEVEL_CUT = 6, LEAST_WORD = 3 };

struct head {
	int from, to; /* columns of the screen */
	int line;     /* 0 for the lowest line, 1 for the line above */
	const char *text;
};

/* Returns the screen column where the line to column j is drawn: the middle one, of two the left one,
 * so that three letters above the last cell end with it. */
static int line_to(const struct heatmap_plan *plan, size_t j)
{
	const int wide = plan->view.cell_cols;
	return plan->data.col + (int)j * wide + (wide == 2 ? 0 : wide / 2);
}

/* Returns the label above shown column j in so many lines, centred on the column if the edges
 * permit. */
static struct head column_head(const struct heatmap_plan *plan, int lines, size_t j,
			       const char *text)
{
	const int width = (int)text_width(text), most = plan->head_right - width;
	const bool left = plan->view.cell_cols == 2;
	int from = line_to(plan, j) - (left ? width - 1 : width) / 2;
	from = from > most ? most : from;
	from = from < plan->head_left ? plan->head_left : from;
	return (struct head){from, from + width, (int)j % lines, text};
}

/* Returns whether a label in two lines is above its column and leaves the lines of its neighbours
 * free. */
static bool among_lines(const struct heatmap_plan *plan, size_t j, const struct head *head)
{
	const bool over = head->from <= line_to(plan, j) && head->to > line_to(plan, j);
	return over &&
	       (head->line > 0 || ((j == 0 || head->from > line_to(plan, j - 1)) &&
				   (j + 1 == plan->view.cols || head->to <= line_to(plan, j + 1))));
}

/* Returns whether the label of column j fits after column `end`; with two lines it may move up to
 * half a cell to the right for that. */
static bool clear_of(const struct heatmap_plan *plan, int lines, size_t j, int end,
		     struct head *head)
{
	const int over = end + 1 - head->from, by = over > 0 ? over : 0;
	if (by > 0 && (lines == 1 || by > plan->view.cell_cols / 2))
		return false;
	head->from += by;
	head->to += by;
	return head->to <= plan->head_right && (lines == 1 || among_lines(plan, j, head));
}

/* Returns whether the words fit without touching, those that are not empty; `out` gets their positions. */
static bool place_heads(const struct heatmap_plan *plan, int lines, const char *const *words,
			struct head *out)
{
	int end[2] = {plan->head_left - 1, plan->head_left - 1};
	for (size_t j = 0; j < plan->view.cols; j++) {
		out[j] = column_head(plan, lines, j, words[j]);
		if (*words[j] == '\0')
			continue;
		if (!clear_of(plan, lines, j, end[out[j].line], &out[j]))
			return false;
		end[out[j].line] = out[j].to;
	}
	return true;
}

/* Returns the columns for a word: nearly those of its cell, or of two cells; a single word has all
 * columns. */
static int word_room(const struct heatmap_plan *plan, int lines)
{
	return plan->view.cols == 1 ? plan->head_right - plan->head_left
				    : lines * plan->view.cell_cols - 1;
}

/* Extends each cut word into free columns beside it, from the left. */
static void regain(const struct canvas *c, struct arena *a, const struct heatmap_plan *plan,
		   int lines, const char *const *whole, const char **words, struct head *out)
{
	const size_t most = (size_t)(plan->head_right - plan->head_left);
	for (size_t j = 0; j < plan->view.cols; j++) {
		const char *const cut = words[j];
		const size_t least = text_width(cut);
		bool fits = false;
		for (size_t room = text_width_most(whole[j], most); room > least && !fits; room--) {
			words[j] = text_cut(a, whole[j], room, c->ascii);
			fits = place_heads(plan, lines, words, out);
		}
		words[j] = fits ? words[j] : cut;
	}
	place_heads(plan, lines, words, out);
}

/* Returns the columns from which on a cell has a cut word above it. In a window of narrow cells numbers
 * tell better where it is. */
static int least_cut(const struct heatmap *h, const struct heatmap_view *v, int lines)
{
	const int two = v->cols < h->values.cols ? CUT_CELL + 1 : CUT_CELL;
	return lines == 1 ? LEVEL_CUT : two;
}

/* Returns the words in so many lines, cut if necessary; NULL if they have no room. */
static const struct head *lay_words(const struct canvas *c, struct arena *a,
				    const struct heatmap *h, const struct heatmap_plan *plan,
				    int lines)
{
	const struct heatmap_view *const v = &plan->view;
	if (h->col_labels == NULL || v->averaged || plan->numbers)
		return NULL;
	const char *const *const from = h->col_labels + v->first_col;
	struct head *const out = arena_calloc(a, v->cols, sizeof *out);
	if (place_heads(plan, lines, from, out))
		return out;
	if (heads_are_whole(h))
		return NULL;
	if (v->cols > 1 && v->cell_cols < least_cut(h, v, lines))
		return NULL;
	for (int room = word_room(plan, lines); room >= LEAST_WORD; room--) {
		const char **const words =
			text_labels(a, from, v->cols, v->first_col, (size_t)room, c->ascii);
		if (place_heads(plan, lines, words, out)) {
			regain(c, a, plan, lines, from, words, out);
			return out;
		}
	}
	return NULL;
}

enum words_fit canvas_words_fit(struct arena *a, const struct heatmap *h,
				const struct heatmap_plan *plan, int lines)
{
	const struct heatmap_view *const v = &plan->view;
	if (plan->numbers)
		return WORDS_WHOLE;
	if (h->col_labels == NULL || v->averaged)
		return WORDS_NOT;
	/* In a window the words of the whole matrix count, so that the number of lines does not
	 * change when the window moves. */
	const int room = word_room(plan, lines);
	const int widest = (int)canvas_widest(h->col_labels, h->values.cols, 1000);
	if (widest <= room)
		return WORDS_WHOLE;
	const struct arena_mark mark = arena_mark(a);
	struct head *const out = arena_calloc(a, v->cols, sizeof *out);
	const bool whole =
		v->cols == h->values.cols && place_heads(plan, lines, h->col_labels, out);
	arena_rewind(a, mark);
	if (whole)
		return WORDS_WHOLE;
	if (heads_are_whole(h))
		return WORDS_NOT;
	return v->cols == 1 || v->cell_cols >= least_cut(h, v, lines) ? WORDS_CUT : WORDS_NOT;
}

/* Returns whether shown column j is pointed out; *col gets the column of the block. */
static bool is_pointed(const struct map *m, size_t j, size_t *col)
{
	const struct heatmap_view *const v = &m->plan->view;
	return j < m->cols && heatmap_points_col(m->h, v->first_col + j * v->block, v->block, col);
}

static void draw_head(const struct map *m, const struct head *head, size_t j, bool here)
{
	const struct rect data = m->plan->data;
	const int row = data.row - 1 - head->line;
	size_t col;
	const bool pointed = is_pointed(m, j, &col);
	canvas_text(m->c, row, head->from, head->to - head->from, head->text,
		    look_of(m, here, pointed));
	for (int y = row + 1; y < data.row; y++)
		canvas_text(m->c, y, line_to(m->plan, j), 1,
			    pointed	  ? (m->c->ascii ? "v" : "▾")
			    : m->c->ascii ? "|"
					  : "╷",
			    pointed ? ATTR_ACCENT | ATTR_BOLD
			    : here  ? ATTR_ACCENT
				    : ATTR_DIM);
}

/* Writes a sign before a label directly above its column, if the place before the sign is free, so
 * that the sign cannot belong to another label. */
static void sign_head(const struct map *m, const struct head *head, size_t j)
{
	const int row = m->plan->data.row - 1, at = head->from - 1;
	size_t col;
	if (!is_pointed(m, j, &col) || head->line > 0 || at <= m->plan->head_left || row < 0 ||
	    at >= m->c->cols || !canvas_is_blank(m->c, row, at - 1))
		return;
	canvas_pointed_sign(m, row, at, "▾", 'v');
}

static void draw_words(const struct map *m, const struct head *heads, size_t at)
{
	for (size_t j = 0; j < m->cols; j++)
		if (j != at)
			draw_head(m, &heads[j], j, false);
	if (at < m->cols)
		draw_head(m, &heads[at], at, true);
	for (size_t j = 0; j < m->cols && m->h->n_marks > 0; j++)
		sign_head(m, &heads[j], j);
}

/* Returns the first word of a title, with the arrow of its axis. */
static const char *axis_name(const struct map *m, const char *title, const char *arrow)
{
	return arena_printf(m->a, "%.*s%s", (int)strcspn(title, " "), title, arrow);
}

/* Writes a title that ends before column `right` if there is room for it in a free part of the row. */
static bool draw_axis_at(const struct map *m, int row, int right, const char *text)
{
	const int width = (int)text_width(text), room = right - m->plan->head_left;
	bool blank = width <= room && row >= 0;
	for (int col = right - width; blank && col <= right; col++)
		blank = canvas_is_blank(m->c, row, col);
	if (blank)
		canvas_text_right(m->c, m->a, row, right, room, text, ATTR_DIM);
	return blank;
}

/* Writes the first of the forms of a title that has room left of the matrix, or of a name above its first
 * column that begins before it; NULL ends the forms. False: none has. */
static bool draw_axis(const struct map *m, int row, const char *const *forms)
{
	enum { BEFORE = 4 };
	for (; *forms != NULL; forms++)
		for (int by = 1; by <= BEFORE; by++)
			if (draw_axis_at(m, row, m->plan->data.col - by, *forms))
				return true;
	return false;
}

/* Writes the title of the rows above that of the columns, beside the title of the matrix, if these
 * columns are free. */
static void draw_above(const struct map *m, int row, const char *text)
{
	const int right = m->plan->data.col - 1, left = right - (int)text_width(text);
	bool blank = m->plan->label_cols > 0 && row >= 0 && left > 0;
	for (int col = left - 1; blank && col <= right; col++)
		blank = canvas_is_blank(m->c, row, col);
	if (blank)
		canvas_text(m->c, row, left, right - left, text, ATTR_DIM);
}

/* Writes the titles of rows and columns between both kinds of labels, as far as there is room. */
static void draw_corner(const struct map *m)
{
	const struct heatmap *const h = m->h;
	const int row = m->plan->data.row - 1;
	if (m->c->ascii || h->row_title == NULL || h->col_title == NULL)
		return;
	const char *const across[] = {axis_name(m, h->col_title, "→"),
				      axis_name(m, h->col_title, ""), NULL};
	const char *const down[] = {axis_name(m, h->row_title, "↓"), axis_name(m, h->row_title, ""),
				    NULL};
	if (m->plan->heads < 2) {
		const char *const both[] = {arena_printf(m->a, "%s %s", *down, *across), NULL};
		if (!draw_axis(m, row, both) && draw_axis(m, row, across))
			draw_above(m, row - 1, *down);
		return;
	}
	draw_axis(m, row - 1, across);
	draw_axis(m, row, down);
}

/* Writes a number above shown column j if it touches no other one. */
static void draw_number(const struct map *m, size_t j, const char *text, bool here)
{
	const struct rect data = m->plan->data;
	struct heatmap_plan above = *m->plan;
	above.head_left = data.col;
	above.head_right = data.col + data.cols;
	const struct head head = column_head(&above, 1, j, text);
	const int row = data.row - 1, end = head.to < data.col + data.cols ? head.to + 1 : head.to;
	if (head.from < data.col || head.to > data.col + data.cols || row < 0)
		return;
	for (int col = head.from > data.col ? head.from - 1 : head.from; col < end; col++)
		if (col >= m->c->cols || !canvas_is_blank(m->c, row, col))
			return;
	draw_head(m, &head, j, here);
}

/* Writes the number of the cursor, those of columns that are pointed out, and round ones. */
static void draw_numbers(const struct map *m, size_t at)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	const size_t room =
		canvas_widest(h->ruler ? h->col_labels : NULL, h->values.cols, SIZE_MAX) + 1;
	const size_t last = canvas_widest(NULL, h->values.cols - 1, SIZE_MAX) + 1;
	const size_t step = m->plan->numbers && last <= (size_t)v->cell_cols
				    ? 1
				    : round_step(room * v->block, (size_t)v->cell_cols);
	const size_t from = step == 2 ? 1 : 0; /* odd numbers, as of rows that share a line */
	const size_t each =
		canvas_shown(room, (size_t)v->cell_cols); /* columns for a label of a ruler */
	size_t col;
	if (at < m->cols)
		draw_number(m, at, number_label(m, h->col), true);
	for (size_t j = 0; j < m->cols && h->n_marks > 0; j++)
		if (j != at && is_pointed(m, j, &col))
			draw_number(m, j, h->ruler ? h->col_labels[col] : number_label(m, col),
				    false);
	for (size_t j = 0; j < m->cols; j++) {
		const size_t first = v->first_col + j * v->block;
		col = j > 0 && !h->ruler
			      ? round_index(first + from, v->block, step, h->values.cols + from)
			      : first;
		col -= j > 0 && !h->ruler && col != SIZE_MAX ? from : 0;
		if (j != at && col != SIZE_MAX && (!h->ruler || j % each == 0))
			draw_number(m, j, h->ruler ? h->col_labels[col] : number_label(m, col),
				    false);
	}
}

/* Writes the words above some columns, evenly spaced, if those of all columns have no room: the
 * cursor's, those of columns that are pointed out, and as many others as do not touch. False if
 * numbers tell more: in a window, among means, or on a ruler. */
static bool draw_some(const struct map *m, size_t at)
{
	enum { ENOUGH = 5, FAR = 4 };
	const struct heatmap *const h = m->h;
	const struct heatmap_view *const v = &m->plan->view;
	const size_t n = h->values.cols, wide = (size_t)v->cell_cols;
	if (h->col_labels == NULL || h->ruler || v->averaged || v->cols < n || m->plan->numbers)
		return false;
	const size_t least = canvas_widest(h->col_labels, n, ENOUGH);
	const size_t step = (least + wide) / wide;
	if (step > FAR || step >= n)
		return false;
	const char **const words =
		text_labels(m->a, h->col_labels, n, 0, step * wide - 1, m->c->ascii);
	size_t col;
	if (at < n)
		draw_number(m, at, words[at], true);
	for (size_t j = 0; j < n && h->n_marks > 0; j++)
		if (j != at && is_pointed(m, j, &col))
			draw_number(m, j, words[j], false);
	for (size_t j = at < n ? at % step : 0; j < n; j += step)
		if (j != at)
			draw_number(m, j, words[j], false);
	for (size_t j = 0; j < n; j++) /* short ones between them */
		if (j != at)
			draw_number(m, j, words[j], false);
	return true;
}

void canvas_col_labels(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	const bool here =
		h->has_cursor && h->col >= v->first_col && h->col < v->first_col + v->cols;
	const size_t at = here ? (h->col - v->first_col) / v->block : m->cols;
	const struct head *const words = lay_words(m->c, m->a, h, m->plan, m->plan->heads);
	if (words == NULL) {
		if (!draw_some(m, at))
			draw_numbers(m, at);
		draw_corner(m);
		return;
	}
	draw_words(m, words, at);
	draw_corner(m);
}
