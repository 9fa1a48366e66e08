/* canvas_heatmap.c: a matrix as coloured cells, or as shades and signs if there are few or no
 * colours.
 *
 * With colours every screen row is painted half by half first, so a value may begin in the middle
 * of a row; signs, digits and brackets are then written on the whole rows of a value. Shades fill
 * whole rows; a number is on the first row of a cell and the shade below it.
 *
 * A masked cell is "·", one that is masked in one of two subtracted matrices "╲" or "╱". NaN is a
 * reversed "!". Values clipped by a locked scale have "^" or "v". A value that is a name has no
 * colour.
 *
 * Within one picture cells hold words or numbers, not both: words if all visible ones have room,
 * some of them shortened, but still readable. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "plot/canvas_pen.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum { AIRY_COLS = 6 }; /* from this width on digits leave room for brackets on both sides */

/* ---- cells ---- */

static bool on_cursor(const struct map *m, size_t i, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	return h->has_cursor && h->row >= v->first_row && h->col >= v->first_col &&
	       (h->row - v->first_row) / v->block == i && (h->col - v->first_col) / v->block == j;
}

struct rect canvas_cell(const struct map *m, size_t i, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	struct rect r = {0};
	canvas_place(m->plan->data, v, v->first_row + i * v->block, v->first_col + j * v->block,
		     &r);
	return r;
}

static bool has_digits(const struct map *m)
{
	return canvas_has_digits(m->c, m->h, &m->plan->view);
}

/* Returns the columns for text in a cell of `cols` columns. */
static int room_in(int cols)
{
	return cols - (cols >= AIRY_COLS ? 2 : 1);
}

/* Returns the words of shown cell (i, j), shortened; NULL if it has none. */
static const char *words_in(const struct map *m, size_t i, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	const size_t at = (v->first_row + i) * m->h->values.cols + v->first_col + j;
	const char *const words = m->h->words != NULL ? m->h->words[at] : NULL;
	return words == NULL
		       ? NULL
		       : text_shorten(m->a, words, (size_t)room_in(v->cell_cols), m->c->ascii);
}

/* Returns the number of a shown cell; a pointed-out cell shows it with all decimals that are used
 * elsewhere for it, if there is room. */
static const char *number_in(const struct map *m, size_t i, size_t j, double number)
{
	const struct heatmap_view *const v = &m->plan->view;
	const char *const usual =
		heatmap_number(m->a, number, canvas_decimals(m->c, m->h, v->cell_cols), true);
	if (!heatmap_points(m->h, v->first_row + i, v->first_col + j, 1))
		return usual;
	const char *const more =
		heatmap_number(m->a, number, canvas_digits(m->h, INT_MAX).decimals, true);
	return (int)text_width(more) < v->cell_cols ? more : usual;
}

/* Returns the text of shown cell (i, j): words, digits or the sign of a clipped value; "" for
 * nothing. */
static const char *text_in(const struct map *m, size_t i, size_t j, double number, bool clipped,
			   double at)
{
	const char *const words = words_in(m, i, j);
	char text[32];
	if (words != NULL)
		return words;
	if (m->h->integers)
		return arena_strdup(m->a, num_show(text, sizeof text, number, 6));
	if (has_digits(m))
		return number_in(m, i, j, number);
	return !clipped ? "" : at > 0.5 ? "^" : "v";
}

/* Writes the text of a cell over its colour. Between shades the text has a row of its own. */
static void write_inside(const struct map *m, size_t i, size_t j, double number, bool clipped,
			 double at, uint32_t bg)
{
	const struct rect r = canvas_cell(m, i, j);
	const bool shaded = canvas_shaded(m->c);
	const char *words = text_in(m, i, j, number, clipped, at);
	const char *const mark = at > 0.5 ? "^" : "v";
	if (clipped && !m->h->integers && has_digits(m) && r.rows == 1)
		words = (int)text_width(words) + 2 <= r.cols
				? arena_printf(m->a, "%s%s", words, mark)
				: mark;
	const int width = (int)text_width(words);
	if (width == 0 || width > r.cols - (m->h->integers && r.cols > 1))
		return;
	const int row = shaded ? r.row : r.row + (r.rows - 1) / 2;
	const unsigned look = shaded && on_cursor(m, i, j) ? ATTR_REVERSE : 0;
	if (shaded) {
		bg = CELL_DEFAULT;
		canvas_fill(m->c, (struct rect){row, r.col, 1, r.cols}, look, bg);
	}
	canvas_text_colour(m->c, row, r.col + (r.cols - width) / 2, r.cols, words, look,
			   canvas_ink(m->c, bg), bg);
	if (clipped && !m->h->integers && has_digits(m) && r.rows > 1)
		canvas_text_colour(m->c, r.row + r.rows - 1, r.col + (r.cols - 1) / 2, 1, mark, 0,
				   canvas_ink(m->c, bg), bg);
}

const char *canvas_masked_sign(const struct canvas *c, enum heatmap_mask mask)
{
	return mask == HEATMAP_MASKED_FIRST    ? (c->ascii ? "\\" : "╲")
	       : mask == HEATMAP_MASKED_SECOND ? (c->ascii ? "/" : "╱")
	       : c->ascii		       ? "."
					       : "·";
}

/* Draws one character in the middle of blank cells. */
static void draw_sign(struct canvas *c, struct rect r, const char *glyph, unsigned attrs,
		      bool spread)
{
	canvas_fill(c, r, spread ? attrs : 0, CELL_DEFAULT);
	canvas_put(c, r.row + (r.rows - 1) / 2, r.col + (r.cols - 1) / 2, glyph, attrs,
		   CELL_DEFAULT, CELL_DEFAULT);
}

static void draw_masked(const struct map *m, struct rect r, enum heatmap_mask mask)
{
	draw_sign(m->c, r, canvas_masked_sign(m->c, mask), ATTR_DIM, false);
}

bool canvas_has_brackets(const struct map *m, int cols)
{
	/* There must be room for shades between the brackets, and beside a sign. */
	const bool sign = canvas_shows_sign(m->c, m->h);
	const int least = m->c->tier == TIER_MONO && sign ? 4 : 3;
	return !canvas_shaded(m->c) || (!m->c->ascii && cols >= least);
}

/* Writes the name of a value if it has room, else its sign. */
static void draw_name(const struct map *m, struct rect r, double number, bool cursor)
{
	const struct heatmap_name *const name = heatmap_name(m->h, number);
	const unsigned reverse = cursor && !canvas_has_brackets(m, r.cols) ? ATTR_REVERSE : 0;
	const char *const text =
		(int)text_width(name->name) <= room_in(r.cols) ? name->name : name->sign;
	canvas_fill(m->c, r, reverse, CELL_DEFAULT);
	canvas_text(m->c, r.row + (r.rows - 1) / 2, r.col + (r.cols - (int)text_width(text)) / 2,
		    r.cols, text, reverse);
}

static void draw_shades(const struct map *m, size_t i, size_t j, double number, bool cursor)
{
	const struct rect r = canvas_cell(m, i, j);
	bool clipped;
	const double at = scale_at(&m->h->scale, number, &clipped);
	const bool reverse = cursor && !canvas_has_brackets(m, r.cols);
	canvas_swatch_fill(m->c, r, m->h, at, reverse ? ATTR_REVERSE : 0);
	if (has_digits(m) || clipped)
		write_inside(m, i, j, number, clipped, at, CELL_DEFAULT);
}

static uint32_t value_colour(const struct map *m, struct value x)
{
	if (x.mark != MARK_VALUE)
		return CELL_DEFAULT;
	return canvas_swatch(m->c, m->h, scale_at(&m->h->scale, x.number, NULL)).bg;
}

/* Fills the whole rows of a cell. Without colours this draws all cells; with colours, the cells
 * that have a sign or a name instead of a colour. */
static void draw_whole_cell(const struct map *m, size_t i, size_t j)
{
	const struct rect r = canvas_cell(m, i, j);
	const struct value x = map_value(m, i, j);
	if (x.mark == MARK_NAN)
		draw_sign(m->c, r, "!", ATTR_REVERSE, true);
	else if (x.mark == MARK_MASKED)
		draw_masked(m, r, x.mask);
	else if (x.mark == MARK_NAME)
		draw_name(m, r, x.number, on_cursor(m, i, j));
	else if (canvas_shaded(m->c))
		draw_shades(m, i, j, x.number, on_cursor(m, i, j));
	else
		canvas_fill(m->c, r, 0, value_colour(m, x));
}

/* Draws one screen row of column j: the colours of its upper and lower half. */
static void draw_colours(const struct map *m, int row, size_t j, uint32_t top, uint32_t bottom)
{
	const int width = m->plan->view.cell_cols, left = m->plan->data.col + (int)j * width;
	for (int col = left; col < left + width; col++) {
		if (top == bottom)
			canvas_put(m->c, row, col, " ", 0, CELL_DEFAULT, top);
		else if (top == CELL_DEFAULT)
			canvas_put(m->c, row, col, "▄", 0, bottom, CELL_DEFAULT);
		else
			canvas_put(m->c, row, col, "▀", 0, top, bottom);
	}
}

/* Writes signs and digits on the colours of cell (i, j). If two values share a screen cell, NaN
 * takes it, and the dot of masked values is written only if both are masked. */
static void draw_marks(const struct map *m, size_t i, size_t j)
{
	const struct value x = map_value(m, i, j);
	const bool share = m->plan->view.cell_rows2 == 1;
	if (x.mark == MARK_VALUE) {
		bool clipped;
		const double at = scale_at(&m->h->scale, x.number, &clipped);
		if (!share)
			write_inside(m, i, j, x.number, clipped, at, value_colour(m, x));
		return;
	}
	if (share && x.mark == MARK_MASKED) {
		const size_t other = i ^ 1u;
		const struct value beside = other < m->rows ? map_value(m, other, j) : x;
		if (beside.mark != MARK_MASKED || beside.mask < x.mask)
			return;
	}
	draw_whole_cell(m, i, j);
}

static void draw_data(const struct map *m)
{
	const struct value none = {.mark = MARK_MASKED};
	const size_t h = (size_t)m->plan->view.cell_rows2;
	for (size_t y = 0; !canvas_shaded(m->c) && y < (size_t)m->plan->data.rows; y++) {
		const size_t up = 2 * y / h, down = (2 * y + 1) / h;
		for (size_t j = 0; j < m->cols; j++) {
			const struct value top = map_value(m, up, j);
			const struct value bottom = down < m->rows ? map_value(m, down, j) : none;
			draw_colours(m, m->plan->data.row + (int)y, j, value_colour(m, top),
				     value_colour(m, bottom));
		}
	}
	for (size_t i = 0; i < m->rows; i++)
		for (size_t j = 0; j < m->cols; j++)
			if (canvas_shaded(m->c))
				draw_whole_cell(m, i, j);
			else
				draw_marks(m, i, j);
}

/* ---- the cursor ---- */

/* Draws a bracket, or a part of a frame, in a colour that is readable on the cell's colour. */
static void bracket(struct canvas *c, int row, int col, const char *glyph, uint32_t bg)
{
	canvas_put(c, row, col, glyph, ATTR_BOLD | (c->contrast ? ATTR_REVERSE : 0u),
		   canvas_ink(c, bg), bg);
}

/* Returns whether a cell of the screen is not blank. */
static bool is_written(const struct canvas *c, int row, int col)
{
	return !canvas_is_blank(c, row, col);
}

enum { FRAME_ROWS = 2, FRAME_COLS = 4 };

/* Returns whether a frame inside the cell would overwrite nothing. */
static bool has_frame(const struct map *m, struct rect r)
{
	if (canvas_shaded(m->c) || m->c->ascii || r.rows < FRAME_ROWS || r.cols < FRAME_COLS)
		return false;
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++) {
			const bool inside = row > r.row && row < r.row + r.rows - 1 &&
					    col > r.col && col < r.col + r.cols - 1;
			if (!inside && is_written(m->c, row, col))
				return false;
		}
	return true;
}

/* Draws a light frame, a heavy one if the cell is also pointed out. */
static void draw_frame(const struct map *m, struct rect r, uint32_t bg, bool pointed)
{
	static const char *const signs[2][6] = {{"─", "│", "┌", "┐", "└", "┘"},
						{"━", "┃", "┏", "┓", "┗", "┛"}};
	const char *const *const sign = signs[pointed];
	const int bottom = r.row + r.rows - 1, right = r.col + r.cols - 1;
	for (int col = r.col + 1; col < right; col++) {
		bracket(m->c, r.row, col, sign[0], bg);
		bracket(m->c, bottom, col, sign[0], bg);
	}
	for (int row = r.row + 1; row < bottom; row++) {
		bracket(m->c, row, r.col, sign[1], bg);
		bracket(m->c, row, right, sign[1], bg);
	}
	bracket(m->c, r.row, r.col, sign[2], bg);
	bracket(m->c, r.row, right, sign[3], bg);
	bracket(m->c, bottom, r.col, sign[4], bg);
	bracket(m->c, bottom, right, sign[5], bg);
}

/* Marks the cursor's value if two values share a screen row: its half gets the ink of its colour,
 * in the first column of the cell, and from three columns on in the last one too. */
static void mark_half(const struct map *m, struct rect r, size_t i, size_t j, bool whole)
{
	const struct value none = {.mark = MARK_MASKED}, x = map_value(m, i, j);
	const size_t other = i ^ 1u;
	const uint32_t beside = value_colour(m, other < m->rows ? map_value(m, other, j) : none);
	const uint32_t ink =
		whole ? CELL_RGB(m->c->dark ? 0xffffff : 0) : canvas_ink(m->c, value_colour(m, x));
	for (int col = 0; col < r.cols; col++)
		if (whole || col == 0 || (col >= 2 && col == r.cols - 1))
			canvas_put(m->c, r.row, r.col + col, i % 2 ? "▄" : "▀", 0, ink, beside);
}

/* Draws a tick of the cursor's half row in a blank cell beside the map; false if it is not blank. */
static bool tick(const struct map *m, int row, int col, const char *glyph)
{
	if (row < 0 || col < 0 || row >= m->c->rows || col >= m->c->cols ||
	    is_written(m->c, row, col))
		return false;
	canvas_text(m->c, row, col, 1, glyph, ATTR_BOLD | ATTR_ACCENT);
	return true;
}

/* Marks the cursor's value from outside if it is one column of half a row, so that its colour
 * remains: its column has a coloured label above, its row a tick at each blank side. False if
 * there is no label, or no blank side. */
static bool mark_outside(const struct map *m, struct rect r, size_t i)
{
	const struct rect data = m->plan->data;
	const bool low = i % 2 != 0;
	if (r.cols > 1 || (m->plan->heads == 0 && !m->plan->named_above))
		return false;
	const bool left = tick(m, r.row, data.col - 1, low ? "▗" : "▝");
	const bool right = tick(m, r.row, data.col + data.cols, low ? "▖" : "▘");
	return left || right;
}

/* For a presenter, draws the cursor's cell as the only one without a colour of the map: white on a
 * dark screen, black on a light one. */
static void draw_chosen(const struct map *m, size_t i, size_t j)
{
	const struct rect r = canvas_cell(m, i, j);
	const struct value x = map_value(m, i, j);
	const bool rgb = m->c->tier >= TIER_256;
	const uint32_t bg = !rgb ? CELL_DEFAULT : m->c->dark ? CELL_RGB(0xffffff) : CELL_RGB(0);
	const uint32_t fg = rgb ? canvas_ink(m->c, bg) : CELL_DEFAULT;
	const unsigned look = ATTR_BOLD | (rgb ? 0u : ATTR_REVERSE);
	bool clipped = false;
	const double at = x.mark == MARK_VALUE ? scale_at(&m->h->scale, x.number, &clipped) : 0;
	const struct heatmap_name *const name =
		x.mark == MARK_NAME ? heatmap_name(m->h, x.number) : NULL;
	const char *text = x.mark == MARK_VALUE	   ? text_in(m, i, j, x.number, clipped, at)
			   : x.mark == MARK_MASKED ? canvas_masked_sign(m->c, x.mask)
			   : name == NULL	   ? "!"
			   : (int)text_width(name->name) <= room_in(r.cols) ? name->name
									    : name->sign;
	const int width = (int)text_width(text);
	canvas_fill(m->c, r, look, bg);
	if (width <= r.cols)
		canvas_text_colour(m->c, canvas_shaded(m->c) ? r.row : r.row + (r.rows - 1) / 2,
				   r.col + (r.cols - width) / 2, r.cols, text, look, fg, bg);
}

/* Draws brackets inside the cell; the opening one before it if a number is in its first column, and
 * both on the neighbours if the cell has one column. */
static void draw_brackets(const struct map *m, struct rect r, int row, size_t i, size_t j)
{
	static const char open[] = "[", end[] = "]";
	const uint32_t bg = value_colour(m, map_value(m, i, j));
	const uint32_t before = j > 0 ? value_colour(m, map_value(m, i, j - 1)) : CELL_DEFAULT;
	const bool one = r.cols == 1, taken = !one && is_written(m->c, row, r.col);
	const bool sign = m->c->tier == TIER_MONO && taken, full = m->h->integers && taken;
	if (!one)
		bracket(m->c, row, r.col + r.cols - 1, end, bg);
	else if (j + 1 < m->cols)
		bracket(m->c, row, r.col + 1, end, value_colour(m, map_value(m, i, j + 1)));
	if (!one && !full)
		bracket(m->c, row, r.col + sign, open, bg);
	else if (j > 0 || m->plan->label_cols > 0)
		bracket(m->c, row, r.col - 1, open, before);
}

/* Draws a frame inside the cell if it has room, else brackets. */
static void draw_cursor(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	struct rect r;
	if (!h->has_cursor || !canvas_place(m->plan->data, v, h->row, h->col, &r))
		return;
	const size_t i = (h->row - v->first_row) / v->block, j = (h->col - v->first_col) / v->block;
	/* A pointed-out cell keeps its colour, because the text may mention it. */
	const bool pointed = heatmap_points(h, h->row, h->col, 1);
	if (v->cell_rows2 == 1) {
		/* A cell of half a row has no signs except those before its labels. */
		const bool labelled = m->plan->label_cols > 0 && m->plan->heads > 0;
		if ((!pointed || !labelled) && (m->c->presenter || !mark_outside(m, r, i)))
			mark_half(m, r, i, j, m->c->presenter && !pointed);
		return;
	}
	if (m->c->presenter && !pointed) {
		draw_chosen(m, i, j);
		return;
	}
	/* Brackets leave the row of digits that fill a cell. */
	const bool below = has_digits(m) && r.rows > 1 && r.cols < AIRY_COLS;
	const int row = below ? r.row + r.rows - 1 : r.row + (r.rows - 1) / 2;
	const struct value x = map_value(m, i, j);
	if (x.mark == MARK_VALUE && !canvas_has_brackets(m, r.cols))
		return; /* it is reversed, so its signs stay readable */
	if (has_frame(m, r))
		draw_frame(m, r, value_colour(m, x), pointed);
	else if (!pointed) /* a pointed-out cell has signs of its own */
		draw_brackets(m, r, row, i, j);
}

/* Returns whether all visible words have room, or enough letters of them to be readable. */
static bool words_fit(const struct heatmap *h, const struct heatmap_view *v)
{
	enum { READABLE = 12 };
	const int room = room_in(v->cell_cols);
	if (h->words == NULL || v->block != 1)
		return false;
	for (size_t i = v->first_row; i < v->first_row + v->rows; i++)
		for (size_t j = v->first_col; room < READABLE && j < v->first_col + v->cols; j++) {
			const char *const words = h->words[i * h->values.cols + j];
			if (words != NULL && (int)text_width(words) > room)
				return false;
		}
	return true;
}

/* Writes the finding of a matrix of one colour in the middle of its cells, with a blank around it. */
static void draw_uniform(const struct map *m)
{
	enum { LEAST_COLS = 8 };
	const struct rect data = m->plan->data;
	const struct rect room = {data.row, data.col + 1, data.rows, data.cols - 2};
	struct canvas like = {0};
	const struct pen pen = pen_cells(&like, m->a, (struct rect){.cols = room.cols});
	const struct text_run run = {.text = m->h->uniform};
	if (m->h->uniform == NULL || m->h->no_digits || room.cols < LEAST_COLS)
		return;
	const int rows = (int)pen_wrap(&pen, pen.at, &run, 1, false);
	if (rows > room.rows)
		return;
	const struct rect at = {room.row + (room.rows - rows) / 2, room.col, rows, room.cols};
	canvas_fill(m->c, at, 0, CELL_DEFAULT);
	canvas_paragraph(m->c, m->a, at,
			 m->c->ascii ? canvas_plain_text(m->a, m->h->uniform) : m->h->uniform, 0);
}

void canvas_heatmap(struct canvas *c, struct arena *a, struct rect inner, const struct heatmap *h,
		    const struct heatmap_plan *plan)
{
	if (plan->data.rows < 1)
		return;
	const struct heatmap_view *const v = &plan->view;
	struct heatmap own = *h;
	own.words = words_fit(h, v) ? h->words : NULL;
	struct map m = {.c = c,
			.a = a,
			.h = &own,
			.plan = plan,
			.rows = canvas_shown(v->rows, v->block),
			.cols = canvas_shown(v->cols, v->block),
			.values = canvas_values(a, h, v)};
	draw_data(&m);
	canvas_row_labels(&m);
	if (plan->heads)
		canvas_col_labels(&m);
	if (c->presenter) /* the cell that is spoken of lies over the sentence */
		draw_uniform(&m);
	draw_cursor(&m);
	canvas_pointed(&m);
	if (!c->presenter)
		draw_uniform(&m);
	if (plan->bar)
		canvas_bar(&m, inner);
}
