/* canvas_labels.c: the labels of a heatmap's rows and columns.
 *
 * Where all values are seen, tokens are the labels. Where blocks or a window are, numbers are, as on
 * a ruler: round ones, each at the cell that holds it, with its token where there is room; and always
 * the cursor's, to the token. Labels of a row never stand in another one's columns. */
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/text.h"

static const char *number_label(const struct map *m, size_t index)
{
	return arena_printf(m->a, "%zu", index + 1);
}

/* The least of 1, 2, 5, 10, 20, ... of which each takes `room` of the units that one takes `each`
 * of. */
static size_t round_step(size_t room, size_t each)
{
	size_t step = 1;
	for (size_t i = 0; step * each < room; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

/* The first multiple of `step` among the numbers of the block that begins with index `first`, as an
 * index; SIZE_MAX when there is none. */
static size_t round_index(size_t first, size_t block, size_t step, size_t end)
{
	const size_t number = (first + step) / step * step; /* numbers count from 1 */
	return number <= first + block && number <= end ? number - 1 : SIZE_MAX;
}

static unsigned look_of(const struct map *m, bool here)
{
	if (!here)
		return 0;
	return ATTR_ACCENT | ATTR_BOLD | (m->c->presenter ? ATTR_REVERSE : 0u);
}

/* ---- rows ---- */

/* A number, and at the right the word it belongs to. */
static void draw_numbered(const struct map *m, int y, size_t row, unsigned look)
{
	const struct heatmap_plan *const p = m->plan;
	const int right = p->data.col - 1, left = right - p->label_cols;
	const int words = p->label_cols - p->number_cols - 1;
	canvas_text_right(m->c, m->a, y, left + p->number_cols, p->number_cols,
			  number_label(m, row), look);
	if (m->h->row_labels != NULL && words > 0)
		canvas_text_right(m->c, m->a, y, right, words, m->h->row_labels[row], look);
}

/* The label of shown row i, for the token with index `row`. */
static void draw_row_label(const struct map *m, const char *const *words, size_t i, size_t row,
			   bool here)
{
	const struct heatmap_view *const v = &m->plan->view;
	struct rect r;
	const int right = m->plan->data.col - 1, cols = m->plan->label_cols;
	if (!canvas_place(m->plan->data, v, v->first_row + i * v->block, v->first_col, &r))
		return;
	const int y = r.row + (r.rows - 1) / 2;
	const unsigned look = look_of(m, here);
	if (here && m->c->presenter)
		canvas_fill(m->c, (struct rect){r.row, right - cols, r.rows, cols}, look,
			    CELL_DEFAULT);
	else if (here)
		canvas_fill(m->c, (struct rect){y, right - cols, 1, cols}, 0, CELL_DEFAULT);
	if (m->plan->number_cols > 0)
		draw_numbered(m, y, row, look);
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

void canvas_row_labels(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	if (m->plan->label_cols == 0)
		return;
	const char *const *const words =
		h->row_labels == NULL || m->plan->number_cols > 0
			? NULL
			: text_labels(m->a, h->row_labels + v->first_row, v->rows,
				      (size_t)m->plan->label_cols, m->c->ascii);
	/* On a ruler of blocks there is a free row between two numbers. */
	const size_t step = v->averaged ? round_step(4 * v->block, (size_t)v->cell_rows2) : 1;
	const bool share = v->cell_rows2 == 1;
	int last = -1;
	for (size_t i = 0; i < m->rows; i++) {
		const size_t first = v->first_row + i * v->block;
		const size_t row = v->averaged && i > 0
					   ? round_index(first, v->block, step, h->values.rows)
					   : first;
		const int y = share ? (int)i / 2 : (int)i;
		if (row == SIZE_MAX || y == last)
			continue; /* of two in one screen row the upper */
		draw_row_label(m, words, i, row, false);
		last = y;
	}
	for (size_t i = 0; i < m->rows; i++) /* the cursor's last: it wins a shared row */
		if (cursor_in_row(m, i))
			draw_row_label(m, words, i, h->row, true);
}

/* ---- columns ---- */

static bool all_differ(const char *const *labels, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(labels[i], labels[j]) == 0)
				return false;
	return true;
}

/* A word that looks like one before it is told by the number of its place; where `from` is given, only
 * if it is another word. */
static const char **numbered_twins(struct arena *a, const char **words, const char *const *from,
				   size_t n, size_t first)
{
	for (size_t j = 0; j < n; j++)
		for (size_t k = 0; k < j; k++)
			if (strcmp(words[j], words[k]) == 0 &&
			    (from == NULL || strcmp(from[j], from[k]) != 0)) {
				words[j] = arena_printf(a, "%zu", first + j + 1);
				break;
			}
	return words;
}

const char **canvas_short_words(const struct canvas *c, struct arena *a, const char *const *from,
				size_t n, size_t first, size_t room)
{
	enum {
		BEGINNING = 4
	}; /* up to so many columns a beginning reads better than a middle cut out */
	if (room > BEGINNING) {
		const char **const words = text_labels(a, from, n, room, c->ascii);
		return numbered_twins(a, words, from, n, first);
	}
	const char **const words = arena_calloc(a, n + 1, sizeof *words);
	for (size_t i = 0; i < n; i++) {
		size_t used;
		words[i] = arena_strndup(a, from[i], text_fit(from[i], room, &used));
	}
	return numbered_twins(a, words, from, n, first);
}

/* Words for the shown columns that are distinct and leave a gap, or NULL: then numbers. A word that
 * occurred before is told by its index. */
static const char **column_words(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const int room = v->cell_cols - 1;
	if (m->h->col_labels == NULL || v->averaged || room < 1)
		return NULL;
	const char *const *const from = m->h->col_labels + v->first_col;
	if (room < 3 && canvas_widest(from, v->cols, (size_t)room + 1) > (size_t)room)
		return NULL;
	const char **const words =
		canvas_short_words(m->c, m->a, from, v->cols, v->first_col, (size_t)room);
	numbered_twins(m->a, words, NULL, v->cols, v->first_col);
	if (!all_differ(words, v->cols) ||
	    canvas_widest(words, v->cols, (size_t)room + 1) > (size_t)room)
		return NULL;
	return words;
}

struct head {
	int from, to; /* columns of the screen */
	const char *text;
};

/* The label above shown column j, for the token with index `col`. */
static struct head column_head(const struct map *m, const char *const *words, size_t j, size_t col)
{
	const struct heatmap_view *const v = &m->plan->view;
	const char *const text = words != NULL ? words[j] : number_label(m, col);
	const int width = (int)text_width(text), left = m->plan->data.col;
	int from = left + (int)j * v->cell_cols + (v->cell_cols - width) / 2;
	const int most = left + m->plan->data.cols - width;
	from = from > most ? most : from;
	from = from < left ? left : from;
	return (struct head){from, from + width, text};
}

static void draw_head(const struct map *m, const struct head *head, size_t j, bool here)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct rect data = m->plan->data;
	const unsigned look = look_of(m, here);
	if (here && m->c->presenter)
		canvas_fill(m->c,
			    (struct rect){data.row - 1, data.col + (int)j * v->cell_cols, 1,
					  v->cell_cols},
			    look, CELL_DEFAULT);
	canvas_text(m->c, data.row - 1, head->from, data.cols, head->text, look);
}

void canvas_col_labels(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	const int left = m->plan->data.col, right = left + m->plan->data.cols;
	const char *const *const words = column_words(m);
	const size_t room = canvas_widest(NULL, h->values.cols, SIZE_MAX) + 1;
	const size_t step = words != NULL ? 1 : round_step(room * v->block, (size_t)v->cell_cols);
	const bool here =
		h->has_cursor && h->col >= v->first_col && h->col < v->first_col + v->cols;
	const size_t at = here ? (h->col - v->first_col) / v->block : m->cols;
	const struct head mine =
		here ? column_head(m, words, at, h->col) : (struct head){-2, -2, ""};
	int end = left - 1;
	for (size_t j = 0; j < m->cols; j++) {
		const size_t first = v->first_col + j * v->block;
		const size_t col =
			j > 0 ? round_index(first, v->block, step, h->values.cols) : first;
		if (j == at) {
			end = mine.to;
			continue;
		}
		if (col == SIZE_MAX)
			continue;
		const struct head head = column_head(m, words, j, col);
		const bool clash = here && head.from < mine.to + 1 && head.to + 1 > mine.from;
		if (head.from < end + (j > 0) || clash || head.to > right)
			continue;
		draw_head(m, &head, j, false);
		end = head.to;
	}
	if (here)
		draw_head(m, &mine, at, true);
}
