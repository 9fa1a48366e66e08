/* canvas_pointed.c: marks for everything that is pointed out in a matrix on cells: a heavy frame in
 * the free columns and rows at the edge of a cell or line, or two signs that point at it, and signs
 * before the labels. The cursor has a light frame, or brackets.
 *
 * No mark covers a digit, a sign or half a cell, and the colour of a value stays behind the mark.
 * If that leaves no room, only the labels show what is pointed out; a diagonal has a stroke at its
 * ends, with its name. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

bool canvas_is_blank(const struct canvas *c, int row, int col)
{
	const struct cell *const k = &c->cells[row * c->cols + col];
	return (k->at[0] == '\0' && k->width > 0) || strcmp(k->at, " ") == 0;
}

static bool is_inside(const struct canvas *c, int row, int col)
{
	return row >= 0 && row < c->rows && col >= 0 && col < c->cols;
}

void canvas_pointed_sign(const struct map *m, int row, int col, const char *sign, char plain)
{
	const char ascii[] = {plain, '\0'};
	if (is_inside(m->c, row, col) && canvas_is_blank(m->c, row, col))
		canvas_put(m->c, row, col, m->c->ascii ? ascii : sign, ATTR_BOLD | ATTR_ACCENT,
			   CELL_DEFAULT, CELL_DEFAULT);
}

/* ---- frames ---- */

/* Returns whether a screen cell may get a part of a frame: it is blank, or a shade that leaves
 * enough of the value's other cells. */
static bool is_free(const struct map *m, int row, int col)
{
	static const char *const shades[] = {"░", "▒", "▓", "█"};
	if (!is_inside(m->c, row, col))
		return false;
	if (canvas_is_blank(m->c, row, col))
		return true;
	const char *const text = m->c->cells[row * m->c->cols + col].at;
	for (size_t i = 0; i < sizeof shades / sizeof *shades; i++)
		if (canvas_shaded(m->c) && strcmp(text, shades[i]) == 0)
			return canvas_has_brackets(m, m->plan->view.cell_cols);
	return false;
}

static bool are_free(const struct map *m, struct rect r)
{
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++)
			if (!is_free(m, row, col))
				return false;
	return r.rows > 0;
}

/* Writes a glyph in a colour readable on the cell's background, which stays. */
static void put(const struct map *m, int row, int col, const char *glyph)
{
	const uint32_t bg = m->c->cells[row * m->c->cols + col].bg;
	canvas_put(m->c, row, col, glyph, ATTR_BOLD | (m->c->contrast ? ATTR_REVERSE : 0u),
		   canvas_ink(m->c, bg), bg);
}

/* Writes two signs that point at the middle, in the middle row if both ends are free there, else in
 * the first row with the most free ends; false if there is none. */
static bool point_at(const struct map *m, struct rect r)
{
	const int right = r.col + r.cols - 1;
	int best = r.row + (r.rows - 1) / 2, most = -1;
	for (int i = 0; i <= r.rows; i++) {
		const int row = i == 0 ? best : r.row + i - 1;
		const int ends = is_free(m, row, r.col) + is_free(m, row, right);
		best = ends > most ? row : best;
		most = ends > most ? ends : most;
	}
	const bool left = is_free(m, best, r.col), end = is_free(m, best, right);
	if (r.cols == 1 && left)
		put(m, best, r.col, m->c->ascii ? "*" : "◆");
	if (r.cols > 1 && left)
		put(m, best, r.col, m->c->ascii ? ">" : "▸");
	if (r.cols > 1 && end)
		put(m, best, right, m->c->ascii ? "<" : "◂");
	return left || end;
}

static void level(const struct map *m, int row, int col, int cols, const char *const *signs)
{
	put(m, row, col, signs[0]);
	for (int i = 1; i + 1 < cols; i++)
		put(m, row, col + i, "━");
	put(m, row, col + cols - 1, signs[1]);
}

static void sides(const struct map *m, int col, int right, int top, int bottom)
{
	for (int row = top; row <= bottom; row++) {
		put(m, row, col, "┃");
		put(m, row, right, "┃");
	}
}

/* Draws a frame if its sides and its first and last row are free; only the sides if these rows are
 * not; else, if `signs`, signs that point at the middle. False if nothing is drawn. */
static bool frame(const struct map *m, struct rect r, bool signs)
{
	static const char *const upper[] = {"┏", "┓"}, *const lower[] = {"┗", "┛"};
	const int bottom = r.row + r.rows - 1, right = r.col + r.cols - 1;
	const bool has_lines = r.rows > 1 && r.cols > 1 && !canvas_shaded(m->c);
	const bool has_sides = has_lines && are_free(m, (struct rect){r.row, r.col, r.rows, 1}) &&
			       are_free(m, (struct rect){r.row, right, r.rows, 1});
	if (!has_sides)
		return signs && point_at(m, r);
	sides(m, r.col, right, r.row, bottom);
	if (!are_free(m, (struct rect){r.row, r.col + 1, 1, r.cols - 2}) ||
	    !are_free(m, (struct rect){bottom, r.col + 1, 1, r.cols - 2}))
		return true;
	level(m, r.row, r.col, r.cols, upper);
	level(m, bottom, r.col, r.cols, lower);
	return true;
}

/* Draws a frame around a column; only its sides if the last row is not free; nothing if the sides
 * are not free either. */
static void frame_column(const struct map *m, struct rect r)
{
	const int right = r.col + r.cols - 1;
	const struct rect bottom = {r.row + r.rows - 1, r.col, 1, r.cols};
	if (canvas_shaded(m->c) || r.cols < 2)
		return;
	if (are_free(m, bottom)) {
		frame(m, r, true);
		return;
	}
	if (!are_free(m, (struct rect){r.row, r.col, r.rows, 1}) ||
	    !are_free(m, (struct rect){r.row, right, r.rows, 1}))
		return;
	sides(m, r.col, right, r.row, r.row + r.rows - 1);
}

/* Returns the rectangle from one shown cell to another, in whole rows. */
static struct rect reach(const struct map *m, size_t i, size_t j, size_t to_i, size_t to_j)
{
	const struct rect a = canvas_cell(m, i, j), b = canvas_cell(m, to_i, to_j);
	return (struct rect){a.row, a.col, b.row + b.rows - a.row, b.col + b.cols - a.col};
}

/* Frames a marked row or column. A row whose name is beside it has no signs inside, where they would stand close to its
 * numbers: there is one before the first cell. */
static void frame_line(const struct map *m, const struct mark *mark)
{
	const struct heatmap_view *const v = &m->plan->view;
	const size_t first = mark->kind == MARK_ROW ? v->first_row : v->first_col;
	const size_t at = mark->kind == MARK_ROW ? mark->row : mark->col;
	const size_t n = mark->kind == MARK_ROW ? v->rows : v->cols;
	if (at < first || at >= first + n)
		return;
	const size_t i = (at - first) / v->block;
	if (mark->kind == MARK_ROW)
		frame(m, reach(m, i, 0, i, m->cols - 1), m->plan->label_cols == 0);
	else
		frame_column(m, reach(m, 0, i, m->rows - 1, i));
}

/* ---- outside ---- */

/* Writes signs before the first cell of a marked row, and after the last. */
static void sign_rows(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct rect data = m->plan->data;
	size_t at;
	for (size_t i = 0; i < m->rows; i++) {
		if (!heatmap_points_row(m->h, v->first_row + i * v->block, v->block, &at))
			continue;
		const struct rect r = canvas_cell(m, i, 0);
		const int row = r.row + (r.rows - 1) / 2, end = data.col + data.cols;
		if (m->plan->label_cols > 0)
			canvas_pointed_sign(m, row, data.col - 1, "▸", '>');
		if (end < m->plan->head_right)
			canvas_pointed_sign(m, row, end, "◂", '<');
	}
}

static bool points(const struct map *m, const struct heatmap *one, size_t i, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	return heatmap_points(one, v->first_row + i * v->block, v->first_col + j * v->block,
			      v->block);
}

/* Writes strokes where a diagonal would continue beyond the matrix, if there is a row; at the right
 * with its name: "╲ s − t = 1". */
static void sign_ends(const struct map *m, const struct heatmap *one)
{
	const struct rect data = m->plan->data;
	const char *const name = arena_printf(m->a, m->c->ascii ? " s-t = %s%ld" : " s−t = %s%ld",
					      one->marks->diagonal >= 0 ? ""
					      : m->c->ascii		? "-"
									: "−",
					      labs(one->marks->diagonal));
	for (size_t i = 0; i < m->rows && m->plan->label_cols > 0; i++)
		for (size_t side = 0; side < 2; side++) {
			const size_t j = side == 0 ? 0 : m->cols - 1;
			const size_t next = side == 0 ? i - 1 : i + 1;
			if (next >= m->rows || !points(m, one, i, j) || points(m, one, next, j))
				continue;
			const struct rect r = canvas_cell(m, next, 0);
			const int row = r.row + (r.rows - 1) / 2;
			const int end = side == 0 ? data.col - 1 : data.col + data.cols;
			if (side == 1 && end >= m->plan->head_right)
				continue;
			canvas_pointed_sign(m, row, end, "╲", '\\');
			if (side == 1 && end + 1 + (int)text_width(name) <= m->plan->head_right)
				canvas_text(m->c, row, end + 1, m->plan->head_right - end - 1, name,
					    ATTR_BOLD | ATTR_ACCENT);
		}
}

/* ---- all marks ---- */

/* Frames each pointed-out cell; returns [rows*cols] whether a shown cell has a mark. If a screen
 * row contains two values, each half is a colour, and no cell is free. */
static const bool *frame_cells(const struct map *m)
{
	bool *const framed = arena_calloc(m->a, m->rows * m->cols + 1, sizeof *framed);
	const bool whole = m->plan->view.cell_rows2 > 1;
	for (size_t i = 0; whole && i < m->rows; i++)
		for (size_t j = 0; j < m->cols; j++)
			framed[i * m->cols + j] =
				points(m, m->h, i, j) && frame(m, canvas_cell(m, i, j), true);
	return framed;
}

static bool all_framed(const struct map *m, const struct heatmap *one, const bool *framed)
{
	for (size_t i = 0; i < m->rows; i++)
		for (size_t j = 0; j < m->cols; j++)
			if (points(m, one, i, j) && !framed[i * m->cols + j])
				return false;
	return true;
}

void canvas_pointed(const struct map *m)
{
	const struct heatmap *const h = m->h;
	if (h->n_marks == 0)
		return;
	const bool *const framed = frame_cells(m), whole = m->plan->view.cell_rows2 > 1;
	for (size_t k = 0; whole && k < h->n_marks; k++)
		if (h->marks[k].kind == MARK_ROW || h->marks[k].kind == MARK_COLUMN)
			frame_line(m, &h->marks[k]);
	sign_rows(m);
	for (size_t k = 0; k < h->n_marks; k++) {
		struct heatmap one = *h;
		one.marks = &h->marks[k];
		one.n_marks = 1;
		if (one.marks->kind == MARK_DIAGONAL && !all_framed(m, &one, framed))
			sign_ends(m, &one);
	}
}

/* ---- in words ---- */

static const char *place_name(const char *const *labels, size_t at, struct arena *a)
{
	return labels != NULL ? labels[at] : arena_printf(a, "%zu", at + 1);
}

/* Returns "dog → bites 0.94". */
static const char *cell_words(const struct canvas *c, const struct heatmap *h, const struct mark *m,
			      struct arena *a)
{
	const double x = mat_row(h->values, m->row)[m->col];
	const char *const hidden = heatmap_hidden(a, h, m->row, m->col);
	const struct digits digits = canvas_digits(h, INT_MAX);
	char text[32];
	const char *value = hidden;
	if (value == NULL)
		value = h->integers || !digits.telling
				? arena_strdup(a, num_show(text, sizeof text, x, 3))
				: heatmap_number(a, x, digits.decimals, false);
	return arena_printf(a, "%s %s %s %s", place_name(h->row_labels, m->row, a),
			    c->ascii ? "->" : "→", place_name(h->col_labels, m->col, a), value);
}

const char *canvas_pointed_words(const struct canvas *c, const struct heatmap *h,
				 const struct heatmap_view *v, size_t most, struct arena *a)
{
	const char *all = NULL;
	size_t n = 0;
	bool others = false;
	if (h->frames_are || h->marks_said || canvas_has_digits(c, h, v))
		return NULL;
	for (size_t i = 0; i < h->n_marks; i++) {
		const struct mark *const m = &h->marks[i];
		if (m->kind != MARK_CELL)
			continue;
		others |= !h->has_cursor || m->row != h->row || m->col != h->col;
		if (n++ >= most)
			continue;
		const char *const own = cell_words(c, h, m, a);
		all = all ? arena_printf(a, "%s, %s", all, own) : own;
	}
	return others ? all : NULL;
}
