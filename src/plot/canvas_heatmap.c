/* canvas_heatmap.c: a matrix as coloured cells, or as glyphs where there are no colours.
 *
 * With colours every screen row is painted half by half first, so a value may begin in the middle
 * of a row; signs, digits and brackets then stand on the whole rows of a value.
 *
 * Without colours (mono, ascii) a value is a glyph of growing ink; on a diverging scale its sign
 * stands in front, so a glyph never means two things. Masked is "·", or "~" among glyphs, where a
 * dot is a value. NaN is a reversed "!". Values clipped by a locked scale carry "^" or "v". */
#include <math.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/num.h"
#include "posviz/text.h"

enum { BAR_COLS = 24 };

static const char ramp[] = " .:-=+*#%@";
static const char signed_ramp[] = " .:=oxX#%@"; /* no sign among the glyphs */

/* Level ramps by hand, dark to light, on the base colours. */
static const uint8_t sequential16[] = {4, 12, 6, 10, 11, 15};
static const uint8_t sequential8[] = {4, 2, 6, 3, 7};
static const uint8_t diverging16[] = {14, 12, 4, 8, 1, 9, 11};
static const uint8_t diverging16_light[] = {4, 12, 14, 7, 11, 9, 1};
static const uint8_t diverging8[] = {4, 6, 7, 3, 1};

enum mark { MARK_VALUE, MARK_MASKED, MARK_NAN };

struct value {
	enum mark mark;
	double number;
};

/* One drawing in progress. */
struct map {
	struct canvas *c;
	struct arena *a;
	const struct heatmap *h;
	const struct heatmap_plan *plan;
};

static bool diverging(const struct heatmap *h)
{
	return h->scale.diverging;
}

static size_t imin(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int shown(size_t n, size_t block)
{
	return (int)((n + block - 1) / block);
}

/* ---- values ---- */

static bool is_masked(const struct heatmap *h, size_t row, size_t col)
{
	return h->masked != NULL && h->masked[row * h->values.cols + col] != 0;
}

/* What shown cell (i, j) stands for: a value, or the mean over its block. */
static struct value value_at(const struct map *m, size_t i, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct mat mat = m->h->values;
	const size_t row = v->first_row + i * v->block, col = v->first_col + j * v->block;
	double sum = 0;
	size_t n = 0;
	bool nan = false;
	for (size_t r = row; r < imin(row + v->block, mat.rows); r++) {
		for (size_t s = col; s < imin(col + v->block, mat.cols); s++) {
			const double x = mat_row(mat, r)[s];
			if (is_masked(m->h, r, s))
				continue;
			nan = nan || !isfinite(x);
			n += isfinite(x);
			sum += isfinite(x) ? x : 0;
		}
	}
	/* An alarm is not averaged away. */
	if (nan)
		return (struct value){.mark = MARK_NAN};
	if (n == 0)
		return (struct value){.mark = MARK_MASKED};
	return (struct value){.mark = MARK_VALUE, .number = sum / (double)n};
}

static size_t level_of(double at, size_t levels)
{
	const size_t level = (size_t)(at * (double)levels);
	return imin(level, levels - 1);
}

/* The colour for a place in [0, 1] of the scale. */
static uint32_t colour_of(const struct canvas *c, const struct heatmap *h, double at)
{
	const bool two = diverging(h);
	switch (c->tier) {
	case TIER_8:
		if (two)
			return CELL_ANSI(diverging8[level_of(at, sizeof diverging8)]);
		return CELL_ANSI(sequential8[level_of(at, sizeof sequential8)]);
	case TIER_16:
		if (!two)
			return CELL_ANSI(sequential16[level_of(at, sizeof sequential16)]);
		return CELL_ANSI((c->dark ? diverging16
					  : diverging16_light)[level_of(at, sizeof diverging16)]);
	case TIER_256:
	case TIER_DIRECT:
		return CELL_RGB(colormap_rgb(h->colormap, at));
	case TIER_MONO:
	case TIER_COUNT:
		break;
	}
	return CELL_DEFAULT;
}

/* The level's sign for the few colours of small tiers and for glyphs: ' ' about zero. */
static char sign_of(double at, size_t levels)
{
	const size_t level = level_of(at, levels), middle = levels / 2;
	return level == middle ? ' ' : level < middle ? '-' : '+';
}

/* Fills out[cols] with the glyphs of a place on the scale, terminated; from three columns on the
 * last is a gap. */
static void glyphs_of(const struct heatmap *h, double at, int cols, char *out)
{
	const size_t steps = sizeof ramp - 1;
	char ink = ramp[level_of(at, steps)], sign = '\0';
	if (diverging(h)) {
		const size_t step =
			imin((size_t)lround(fabs(at - 0.5) * 2 * (double)(steps - 1)), steps - 1);
		ink = signed_ramp[step];
		sign = step == 0 ? ' ' : at < 0.5 ? '-' : '+';
	}
	memset(out, ink, (size_t)cols);
	out[cols] = '\0';
	if (sign != '\0' && cols > 1)
		out[0] = sign;
	else if (sign == '-')
		out[0] = sign; /* one column: the sign says more than the size */
	if (cols > 2)
		out[cols - 1] = ' ';
}

/* ---- cells ---- */

static bool on_cursor(const struct map *m, size_t i, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	return h->has_cursor && h->row >= v->first_row && h->col >= v->first_col &&
	       (h->row - v->first_row) / v->block == i && (h->col - v->first_col) / v->block == j;
}

/* The whole rows of shown cell (i, j) on the screen; a cell of half a row has the one it shares. */
static struct rect cell_rect(const struct map *m, size_t i, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	const int h = v->cell_rows2, from = (int)i * h, to = from + h;
	const int first = h > 1 ? (from + 1) / 2 : from / 2, end = h > 1 ? to / 2 : first + 1;
	return (struct rect){m->plan->data.row + first, m->plan->data.col + (int)j * v->cell_cols,
			     end - first, v->cell_cols};
}

/* What is written into a cell over its colour: digits, the sign of small tiers, a clipped mark. */
static void write_inside(const struct map *m, struct rect r, double number, bool clipped, double at,
			 uint32_t bg)
{
	char text[32] = "";
	const bool few = m->c->tier == TIER_16 || m->c->tier == TIER_8;
	if (m->h->integers)
		num_show(text, sizeof text, number, 6);
	else if (clipped)
		strcpy(text, at > 0.5 ? "^" : "v");
	else if (few && diverging(m->h))
		text[0] =
			sign_of(at, m->c->tier == TIER_8 ? sizeof diverging8 : sizeof diverging16);
	const int width = (int)text_width(text);
	if (width == 0 || width > r.cols - (m->h->integers && r.cols > 1))
		return;
	canvas_text_colour(m->c, r.row + (r.rows - 1) / 2, r.col + (r.cols - width) / 2, r.cols,
			   text, 0, canvas_ink(m->c, bg), bg);
}

/* One character in the middle, the rest blank. */
static void draw_sign(struct canvas *c, struct rect r, const char *glyph, unsigned attrs,
		      bool spread)
{
	canvas_fill(c, r, spread ? attrs : 0, CELL_DEFAULT);
	canvas_put(c, r.row + (r.rows - 1) / 2, r.col + (r.cols - 1) / 2, glyph, attrs,
		   CELL_DEFAULT, CELL_DEFAULT);
}

static void draw_masked(const struct map *m, struct rect r)
{
	draw_sign(m->c, r, canvas_glyphs(m->c) ? "~" : "·", ATTR_DIM, false);
}

static void draw_glyphs(const struct map *m, struct rect r, double number, bool cursor)
{
	bool clipped;
	const double at = scale_at(&m->h->scale, number, &clipped);
	char glyphs[256];
	glyphs_of(m->h, at, r.cols < 255 ? r.cols : 255, glyphs);
	for (int row = 0; row < r.rows; row++)
		canvas_text(m->c, r.row + row, r.col, r.cols, glyphs, cursor ? ATTR_REVERSE : 0);
	if (m->h->integers || clipped)
		write_inside(m, r, number, clipped, at, CELL_DEFAULT);
}

static uint32_t value_colour(const struct map *m, struct value x)
{
	if (x.mark != MARK_VALUE)
		return CELL_DEFAULT;
	return colour_of(m->c, m->h, scale_at(&m->h->scale, x.number, NULL));
}

/* Fills the whole rows of a cell; used for all cells without colours, for the rest where a value
 * needs the rows it shares for itself. */
static void draw_cell(const struct map *m, size_t i, size_t j)
{
	const struct rect r = cell_rect(m, i, j);
	const struct value x = value_at(m, i, j);
	if (x.mark == MARK_NAN)
		draw_sign(m->c, r, "!", ATTR_REVERSE, true);
	else if (x.mark == MARK_MASKED)
		draw_masked(m, r);
	else if (canvas_glyphs(m->c))
		draw_glyphs(m, r, x.number, on_cursor(m, i, j));
	else
		canvas_fill(m->c, r, 0, value_colour(m, x));
}

/* One screen row of column j: the colours of its upper and lower half. */
static void draw_halves(const struct map *m, int row, size_t j, uint32_t top, uint32_t bottom)
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

/* What stands on the colours of cell (i, j): signs, digits. Of two values in one screen cell, NaN
 * takes it, and the dot of the masked needs both. */
static void draw_marks(const struct map *m, size_t i, size_t j)
{
	const size_t rows = (size_t)shown(m->plan->view.rows, m->plan->view.block);
	const struct value x = value_at(m, i, j);
	const bool share = m->plan->view.cell_rows2 == 1;
	if (x.mark == MARK_VALUE) {
		bool clipped;
		const double at = scale_at(&m->h->scale, x.number, &clipped);
		if (!share)
			write_inside(m, cell_rect(m, i, j), x.number, clipped, at,
				     value_colour(m, x));
		return;
	}
	if (share && x.mark == MARK_MASKED) {
		const size_t other = i ^ 1u;
		if (other < rows && value_at(m, other, j).mark != MARK_MASKED)
			return;
	}
	draw_cell(m, i, j);
}

static void draw_data(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct value none = {.mark = MARK_MASKED};
	const size_t rows = (size_t)shown(v->rows, v->block);
	const size_t cols = (size_t)shown(v->cols, v->block), h = (size_t)v->cell_rows2;
	for (size_t y = 0; !canvas_glyphs(m->c) && y < (size_t)m->plan->data.rows; y++) {
		const size_t up = 2 * y / h, down = (2 * y + 1) / h;
		for (size_t j = 0; j < cols; j++) {
			const struct value top = value_at(m, up, j);
			const struct value bottom = down < rows ? value_at(m, down, j) : none;
			draw_halves(m, m->plan->data.row + (int)y, j, value_colour(m, top),
				    value_colour(m, bottom));
		}
	}
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++)
			if (canvas_glyphs(m->c))
				draw_cell(m, i, j);
			else
				draw_marks(m, i, j);
}

/* A bracket in the ink of the cell it stands on. */
static void bracket(struct canvas *c, int row, int col, const char *glyph, uint32_t bg)
{
	canvas_put(c, row, col, glyph, ATTR_BOLD, canvas_ink(c, bg), bg);
}

/* Brackets inside the cell; a cell of one column has them on its neighbours. In a row of half
 * blocks the cursor's value takes the whole row, so that its colour is seen. */
static void draw_cursor(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	if (!h->has_cursor || h->row < v->first_row || h->col < v->first_col ||
	    h->row >= v->first_row + v->rows || h->col >= v->first_col + v->cols)
		return;
	const size_t i = (h->row - v->first_row) / v->block, j = (h->col - v->first_col) / v->block;
	const struct rect r = cell_rect(m, i, j);
	const int row = r.row + (r.rows - 1) / 2;
	if (v->cell_rows2 == 1)
		draw_cell(m, i, j);
	const struct value x = value_at(m, i, j);
	if (canvas_glyphs(m->c) && x.mark == MARK_VALUE)
		return; /* reversed, which leaves the glyphs to be read */
	const uint32_t bg = value_colour(m, x);
	if (r.cols > 1) {
		bracket(m->c, row, r.col, "[", bg);
		bracket(m->c, row, r.col + r.cols - 1, "]", bg);
		return;
	}
	const int last = m->plan->data.col + m->plan->data.cols;
	if (j > 0 || m->plan->label_cols > 0)
		bracket(m->c, row, r.col - 1, "[",
			j > 0 ? value_colour(m, value_at(m, i, j - 1)) : 0);
	if (r.col + 1 < last)
		bracket(m->c, row, r.col + 1, "]", value_colour(m, value_at(m, i, j + 1)));
}

/* ---- labels ---- */

static const char *number_label(const struct map *m, size_t index)
{
	return arena_printf(m->a, "%zu", index + 1);
}

static void draw_row_labels(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	const int right = m->plan->data.col - 1;
	if (m->plan->label_cols == 0)
		return;
	const char *const *labels =
		h->row_labels == NULL || v->averaged
			? NULL
			: text_labels(m->a, h->row_labels + v->first_row, v->rows,
				      (size_t)m->plan->label_cols, m->c->ascii);
	for (size_t pass = 0; pass < 2;
	     pass++) { /* the cursor's label last: it wins a shared row */
		for (size_t i = 0; i < (size_t)shown(v->rows, v->block); i++) {
			const size_t row = v->first_row + i * v->block;
			const bool here = h->has_cursor && h->row >= row && h->row < row + v->block;
			if (here != (pass == 1) || (!here && v->cell_rows2 == 1 && i % 2 == 1))
				continue;
			const struct rect r = cell_rect(m, i, 0);
			const int y = r.row + (r.rows - 1) / 2;
			const char *const text = labels != NULL ? labels[i] : number_label(m, row);
			if (here)
				canvas_fill(m->c,
					    (struct rect){y, right - m->plan->label_cols, 1,
							  m->plan->label_cols},
					    0, CELL_DEFAULT);
			canvas_text_right(m->c, m->a, y, right, m->plan->label_cols, text,
					  here ? ATTR_ACCENT | ATTR_BOLD : 0);
		}
	}
}

static bool all_differ(const char *const *labels, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(labels[i], labels[j]) == 0)
				return false;
	return true;
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
	if (room < 3 && canvas_widest(from, v->cols) > (size_t)room)
		return NULL;
	const char **words = arena_calloc(m->a, v->cols, sizeof *words);
	/* Up to four columns a beginning reads better than a middle cut out. */
	for (size_t j = 0; j < v->cols; j++) {
		size_t used;
		const size_t len = text_fit(from[j], (size_t)room, &used);
		words[j] = room > 4 ? from[j] : arena_strndup(m->a, from[j], len);
	}
	if (room > 4)
		words = text_labels(m->a, from, v->cols, (size_t)room, m->c->ascii);
	for (size_t j = 0; j < v->cols; j++)
		for (size_t k = 0; k < j; k++)
			if (strcmp(words[j], words[k]) == 0) {
				words[j] = number_label(m, v->first_col + j);
				break;
			}
	if (!all_differ(words, v->cols) || canvas_widest(words, v->cols) > (size_t)room)
		return NULL;
	return words;
}

/* Every how many columns a number has room, from 1, 2, 5, 10, ... */
static size_t number_step(size_t digits, size_t cols)
{
	size_t step = 1;
	for (size_t i = 0; step * cols < digits + 1; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

struct head {
	int from, to; /* columns of the screen */
	const char *text;
};

static struct head column_head(const struct map *m, const char *const *words, size_t j)
{
	const struct heatmap_view *const v = &m->plan->view;
	const char *const text =
		words != NULL ? words[j] : number_label(m, v->first_col + j * v->block);
	const int width = (int)text_width(text), left = m->plan->data.col;
	int from = left + (int)j * v->cell_cols + (v->cell_cols - width) / 2;
	const int most = left + m->plan->data.cols - width;
	from = from > most ? most : from;
	from = from < left ? left : from;
	return (struct head){from, from + width, text};
}

static void draw_column_labels(const struct map *m)
{
	const struct heatmap_view *const v = &m->plan->view;
	const struct heatmap *const h = m->h;
	const int row = m->plan->data.row - 1, left = m->plan->data.col;
	const size_t n = (size_t)shown(v->cols, v->block);
	const char *const *const words = column_words(m);
	const size_t step = words != NULL ? 1
					  : number_step(canvas_widest(NULL, h->values.cols),
							(size_t)v->cell_cols);
	const bool here =
		h->has_cursor && h->col >= v->first_col && h->col < v->first_col + v->cols;
	const size_t at = here ? (h->col - v->first_col) / v->block : n;
	const struct head mine = here ? column_head(m, words, at) : (struct head){-2, -2, ""};
	int end = left - 1;
	for (size_t j = 0; j < n; j++) {
		/* Round numbers; blocks are numbered by their first value, every step-th. */
		const size_t number = v->averaged ? j : v->first_col + j + 1;
		if (j == at) {
			canvas_text(m->c, row, mine.from, m->plan->data.cols, mine.text,
				    ATTR_ACCENT | ATTR_BOLD);
			end = mine.to;
			continue;
		}
		if (number % step != 0 && j > 0)
			continue;
		const struct head head = column_head(m, words, j);
		const bool clash = here && head.from < mine.to + 1 && head.to + 1 > mine.from;
		if (head.from < end + (j > 0) || clash || head.to > left + m->plan->data.cols)
			continue;
		canvas_text(m->c, row, head.from, m->plan->data.cols, head.text, 0);
		end = head.to;
	}
}

/* ---- the bar ---- */

static const char *limit(const struct map *m, double value)
{
	char text[32];
	num_show(text, sizeof text, value, 2);
	return arena_printf(m->a, "%s%s", diverging(m->h) && value > 0 ? "+" : "", text);
}

/* The ramp, from `col` on; returns its columns. */
static int draw_ramp(const struct map *m, int row, int col, int cols)
{
	if (!canvas_glyphs(m->c)) {
		for (int i = 0; i < cols; i++) {
			const double at = cols > 1 ? (double)i / (cols - 1) : 0.5;
			canvas_put(m->c, row, col + i, " ", 0, CELL_DEFAULT,
				   colour_of(m->c, m->h, at));
		}
		return cols;
	}
	const int each = diverging(m->h) ? 2 : 1;
	const int most = diverging(m->h) ? 2 * (int)sizeof ramp - 3 : (int)sizeof ramp - 1;
	int n = cols / each < most ? cols / each : most;
	n -= diverging(m->h) && n % 2 == 0; /* zero keeps its place in the middle */
	for (int i = 0; i < n; i++) {
		char glyphs[4];
		const double at = n > 1 ? (double)i / (n - 1) : 0.5;
		glyphs_of(m->h, at, each, glyphs);
		canvas_text(m->c, row, col + i * each, each, glyphs, 0);
	}
	return n * each;
}

static bool any_masked(const struct heatmap *h)
{
	for (size_t i = 0; h->masked != NULL && i < h->values.rows * h->values.cols; i++)
		if (h->masked[i])
			return true;
	return false;
}

/* Words behind the bar, as many as leave the ramp at least `least` columns; `*room` shrinks. */
static void add_remark(const struct map *m, const char **all, const char *text, int least,
		       int *room)
{
	const int width = (int)text_width(text) + 2;
	if (*room - width < least)
		return;
	*room -= width;
	*all = arena_printf(m->a, "%s  %s", *all, text);
}

/* What the bar says besides its limits: how the scale is bent or held, then what helps to read. */
static const char *remarks(const struct map *m, int *room)
{
	const struct heatmap *const h = m->h;
	const bool glyphs = canvas_glyphs(m->c);
	const char *all = "";
	if (h->scale.mode != SCALE_LINEAR)
		add_remark(m, &all, scale_mode_names[h->scale.mode], 3, room);
	if (h->scale.locked)
		add_remark(m, &all, "locked", 3, room);
	if (h->colormap != NULL && !glyphs)
		add_remark(m, &all, h->colormap->name, 14, room);
	if (any_masked(h))
		add_remark(m, &all, glyphs ? "~ masked" : "· masked", glyphs ? 10 : 16, room);
	if (h->row_title != NULL && h->col_title != NULL)
		add_remark(m, &all,
			   arena_printf(m->a, "%s %s %s", h->row_title, m->c->ascii ? "x" : "×",
					h->col_title),
			   BAR_COLS, room);
	return all;
}

/* Columns that the ramp takes of `room`: no more than shows all its steps, and within the width of
 * the data unless that is very little. */
static int ramp_cols(const struct map *m, int room, int words)
{
	if (canvas_glyphs(m->c))
		return room;
	const int data = m->plan->data.cols - words;
	const int most = data >= 8 && data < BAR_COLS ? data : BAR_COLS;
	return room < most ? room : most;
}

static void draw_bar(const struct map *m, struct rect inner)
{
	const struct heatmap *const h = m->h;
	const int row = m->plan->data.row + m->plan->data.rows, right = inner.col + inner.cols;
	double ends[2];
	scale_limits(&h->scale, &ends[0], &ends[1]);
	const char *const lo = limit(m, ends[0]), *const hi = limit(m, ends[1]);
	const int words = (int)(text_width(lo) + text_width(hi)) + 2;
	const int wanted = !canvas_glyphs(m->c) ? 12 : diverging(h) ? 38 : 10;
	const bool aligned = right - m->plan->data.col >= words + wanted;
	int col = aligned ? m->plan->data.col : inner.col;
	int room = right - col - words;
	if (room < 0) { /* the limits matter more than the colours between */
		const char *both = arena_printf(m->a, "%s%s%s", lo, m->c->ascii ? ".." : "…", hi);
		canvas_text_short(m->c, m->a, row, inner.col, inner.cols, both, ATTR_DIM);
		return;
	}
	const char *const more = remarks(m, &room);
	col += canvas_text(m->c, row, col, inner.cols, lo, ATTR_DIM) + 1;
	col += draw_ramp(m, row, col, ramp_cols(m, room, words)) + 1;
	col += canvas_text(m->c, row, col, right - col, hi, ATTR_DIM);
	canvas_text(m->c, row, col, right - col, more, ATTR_DIM);
}

void canvas_heatmap(struct canvas *c, struct arena *a, struct rect inner, const struct heatmap *h,
		    const struct heatmap_plan *plan)
{
	if (plan->data.rows < 1)
		return;
	const struct map m = {c, a, h, plan};
	draw_data(&m);
	if (plan->label_cols > 0)
		draw_row_labels(&m);
	if (plan->heads)
		draw_column_labels(&m);
	draw_cursor(&m);
	if (plan->bar)
		draw_bar(&m, inner);
}
