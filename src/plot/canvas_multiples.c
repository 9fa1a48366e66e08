/* canvas_multiples.c: small multiples on cells: the matrices in the largest size at which all of
 * them fit, and their curves as one matrix beside or below them, a row each, with the facts in
 * columns.
 *
 * A value is a square of k columns by k half rows. If matrices have no room at one column and one
 * half row, they are shown by means over blocks, as long as a side has LEAST_SIDE cells; below that
 * not all matrices are shown, but the chosen one always is. Nothing is remembered between calls:
 * the part follows from the chosen item and the sizes. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "plot/canvas_pen.h"
#include "posviz/base/text.h"

enum {
	GAP = 2,
	SIDE_GAP = 3,
	LEAST_SIDE = 8,
	SIDE_COLS = 22,
	MOST_CELL = 12,
	LABEL_COLS = 8,
	BAR_ROWS = 1
};

static int imin(int a, int b)
{
	return a < b ? a : b;
}

static int imax(int a, int b)
{
	return a > b ? a : b;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The position of the matrix of curves; IN_LINE: behind the last matrix. */
enum side { SIDE_NONE, SIDE_BESIDE, SIDE_BELOW, SIDE_IN_LINE };

struct plan {
	int cell;     /* columns and half rows of a value */
	int half;     /* half rows; an even number if signs need whole rows */
	size_t block; /* values on a side of a shown cell */
	int w, h;     /* columns and rows of a matrix */
	int slot;     /* columns for a matrix and the name above it */
	int title, gap_x, gap_y;
	size_t across, down; /* items in a row and rows of items: all of them ... */
	size_t cols, rows;   /* ... and the shown ones, which begin at first_col, first_row */
	size_t first_col, first_row;
	enum side side;
	int names;	/* columns of the names beside the matrix of curves */
	int step_cols;	/* columns of a distance in it */
	size_t merged;	/* distances that share a column of it */
	size_t facts;	/* facts beside it */
	int under;	/* facts under each matrix, a line each: the last ones */
	int label_cols; /* row labels left of the first matrix */
	struct rect maps, beside;
};

static bool in_grid(const struct multiples *m)
{
	return m->across > 0;
}

static bool has_curves(const struct multiples *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].curve != NULL)
			return !in_grid(m);
	return false;
}

static int names_cols(const struct multiples *m)
{
	size_t most = 0;
	for (size_t i = 0; i < m->n; i++)
		most = text_width(m->items[i].name) > most ? text_width(m->items[i].name) : most;
	return (int)most;
}

static int fact_cols(const struct multiples *m, size_t f)
{
	size_t most = text_width(m->facts[f]);
	for (size_t i = 0; i < m->n; i++)
		most = text_width(m->items[i].facts[f]) > most ? text_width(m->items[i].facts[f])
							       : most;
	return (int)most + GAP;
}

static int curve_cols(const struct plan *p, const struct multiples *m)
{
	return p->step_cols * (int)canvas_shown(m->n_x, p->merged);
}

/* Returns the columns of the matrix of curves with its names and its facts. */
static int side_cols(const struct plan *p, const struct multiples *m)
{
	int cols = p->names + 1 + curve_cols(p, m);
	for (size_t f = 0; f < p->facts; f++)
		cols += fact_cols(m, f);
	return imax(cols, SIDE_COLS);
}

/* Returns its rows: the title, the names of facts, a row for each item, the axis and the bar. */
static int side_rows(const struct plan *p, const struct multiples *m)
{
	return 1 + (p->facts > 0) + (int)m->n + 1 + BAR_ROWS;
}

static void size_item(const struct canvas *c, const struct multiples *m, struct plan *p)
{
	const struct mat v = m->items[0].map.values;
	p->half = canvas_shaded(c) ? imax(2, p->cell + p->cell % 2) : p->cell;
	p->w = p->cell * (int)canvas_shown(v.cols, p->block);
	p->h = (p->half * (int)canvas_shown(v.rows, p->block) + 1) / 2;
	p->slot = p->title ? imax(p->w, p->names) : p->w;
}

/* Returns whether all items of this size fit in r; leaves a free line between rows of items if
 * possible. */
static bool all_fit(const struct multiples *m, struct rect r, struct plan *p)
{
	const int pitch = p->slot + p->gap_x;
	const int room = r.cols < p->slot ? 0 : (r.cols + p->gap_x) / pitch;
	p->across = in_grid(m) ? m->across : (size_t)imin((int)m->n, room);
	if (p->across == 0 || (int)p->across > room)
		return false;
	p->down = canvas_shown(m->n, p->across);
	/* Items are spread evenly over the rows. */
	if (!in_grid(m))
		p->across = canvas_shown(m->n, p->down);
	const int each = p->title + p->h, down = (int)p->down;
	p->gap_y = !in_grid(m) && down * (each + 1) - 1 <= r.rows;
	return down * (each + p->gap_y) - p->gap_y <= r.rows;
}

/* Returns the space for the items, without that of curves, bar and names of rows and columns. */
static struct rect room_for(const struct multiples *m, const struct plan *p, struct rect inner)
{
	struct rect r = inner;
	if (p->side == SIDE_BESIDE)
		r.cols -= side_cols(p, m) + SIDE_GAP;
	else if (p->side == SIDE_BELOW)
		r.rows -= side_rows(p, m) + 1;
	else if (p->side == SIDE_NONE)
		r.rows -= BAR_ROWS;
	if (in_grid(m)) {
		const int names = (int)canvas_widest(m->row_names, m->n / m->across, LABEL_COLS);
		r = (struct rect){r.row + 1, r.col + names + 1, r.rows - 1, r.cols - names - 1};
	}
	return r;
}

/* Returns the columns of the row labels; 0 if they are not shown. */
static int labels_of(const struct multiples *m, const struct plan *p)
{
	const struct heatmap *const first = &m->items[0].map;
	if (in_grid(m) || p->block > 1)
		return 0;
	const size_t pairs = p->half > 1 ? 0 : canvas_pairs_widest(first);
	const size_t most = p->half > 1 ? LABEL_COLS : 2 * LABEL_COLS;
	const size_t widest = canvas_widest(first->row_labels, first->values.rows, most);
	return (int)(pairs > most ? 0 : pairs > 0 ? pairs : widest);
}

/* Returns the columns up to the end of the last item, with the row labels. */
static int last_end(const struct multiples *m, const struct plan *p)
{
	const int last = (int)(m->n - p->across * (p->down - 1));
	return labels_of(m, p) + 1 + last * (p->slot + p->gap_x);
}

/* Returns whether the matrix of curves fits behind the last item, and the row labels before the
 * first. */
static bool fits_in_line(const struct multiples *m, const struct plan *p)
{
	const int wide = labels_of(m, p) + 1 + (int)p->across * (p->slot + p->gap_x) - p->gap_x;
	return p->down > 1 && wide <= p->maps.cols && side_rows(p, m) <= p->title + p->h &&
	       last_end(m, p) + SIDE_GAP + side_cols(p, m) <= p->maps.cols;
}

/* Finds the largest cells at which all items fit with the curves at `side`; false if none are small
 * enough. */
static bool largest_cells(const struct canvas *c, const struct multiples *m, struct rect inner,
			  enum side side, struct plan *p)
{
	p->side = side;
	if (side == SIDE_BESIDE && side_rows(p, m) > inner.rows)
		return false;
	p->maps = room_for(m, p, inner);
	for (p->cell = MOST_CELL; p->cell > 0; p->cell--) {
		size_item(c, m, p);
		if (all_fit(m, p->maps, p) && (side != SIDE_IN_LINE || fits_in_line(m, p)))
			return true;
	}
	return false;
}

/* Puts the curves beside, below or behind the items, whichever leaves larger cells, else leaves them
 * out; false if not all items fit. */
static bool choose_side(const struct canvas *c, const struct multiples *m, struct rect inner,
			struct plan *p)
{
	struct plan beside = *p, below = *p;
	if (has_curves(m)) {
		const bool at_side = largest_cells(c, m, inner, SIDE_BESIDE, &beside);
		const bool at_foot = largest_cells(c, m, inner, SIDE_BELOW, &below);
		struct plan in_line = *p;
		const bool at_end = largest_cells(c, m, inner, SIDE_IN_LINE, &in_line);
		const int most = imax(at_side ? beside.cell : 0, at_foot ? below.cell : 0);
		if (at_end && in_line.cell > most) {
			*p = in_line;
			return true;
		}
		if (at_side || at_foot) {
			*p = at_side && (!at_foot || beside.cell >= below.cell) ? beside : below;
			return true;
		}
	}
	return largest_cells(c, m, inner, SIDE_NONE, p);
}

/* ---- the shown part -------------------------------------------------------------------------- */

/* Shows as many items as have room at the smallest size, including the chosen one. */
static void show_part(const struct canvas *c, const struct multiples *m, struct rect inner,
		      struct plan *p)
{
	const struct mat v = m->items[0].map.values;
	const size_t longest = v.rows > v.cols ? v.rows : v.cols;
	p->side = SIDE_NONE;
	p->cell = 1;
	p->title = p->title && inner.rows > 2;
	p->maps = room_for(m, p, inner);
	size_item(c, m, p);
	while ((p->w > p->maps.cols || p->title + p->h > p->maps.rows) && p->block < longest) {
		p->block++;
		size_item(c, m, p);
	}
	const int wide = imax(1, (p->maps.cols + p->gap_x) / (p->slot + p->gap_x));
	p->across = in_grid(m) ? m->across : (size_t)imin((int)m->n, wide);
	p->down = canvas_shown(m->n, p->across);
	p->gap_y = 0;
	p->cols = (size_t)imin((int)p->across, wide);
	p->rows = (size_t)imin((int)p->down, imax(1, p->maps.rows / (p->title + p->h)));
	const size_t chosen = m->chosen < m->n ? m->chosen : 0;
	p->first_col = pen_window(chosen % p->across, p->cols, p->across);
	p->first_row = pen_window(chosen / p->across, p->rows, p->down);
}

/* Uses free rows under the matrices for lines of facts. */
static void use_height(const struct multiples *m, struct plan *p)
{
	int wide = 0;
	for (size_t f = p->facts; f < m->n_facts; f++)
		wide = imax(wide, fact_cols(m, f) + (int)text_width(m->facts[f]));
	const int down = (int)p->down;
	const int used = down * (p->title + p->h + p->gap_y) - p->gap_y;
	if (wide <= p->w && p->gap_y > 0)
		p->under = imin((int)(m->n_facts - p->facts), (p->maps.rows - used) / down);
}

/* Uses free columns for labels of the rows, then for facts, then for wider distances. */
static void use_width(const struct multiples *m, struct rect inner, struct plan *p)
{
	const int used = (int)p->across * (p->slot + p->gap_x) - p->gap_x;
	int left = p->maps.cols - used;
	const int labels = labels_of(m, p);
	if (labels > 0 && left > labels) {
		p->label_cols = labels;
		left -= labels + 1;
	}
	if (p->side == SIDE_BELOW)
		left = inner.cols - side_cols(p, m);
	if (p->side == SIDE_NONE || p->side == SIDE_IN_LINE)
		return;
	const int down = (int)p->down * (p->title + p->h + p->gap_y) - p->gap_y;
	const bool high =
		p->side == SIDE_BELOW ? down < p->maps.rows : side_rows(p, m) < inner.rows;
	while (high && p->facts < m->n_facts && fact_cols(m, p->facts) <= left)
		left -= fact_cols(m, p->facts++);
	const int distances = (int)canvas_shown(m->n_x, p->merged);
	for (; p->step_cols < 3 && distances <= left; p->step_cols++)
		left -= distances;
}

static void place_side(const struct multiples *m, struct rect inner, struct plan *p)
{
	const int wide = side_cols(p, m), high = side_rows(p, m);
	const int bottom = inner.row + inner.rows, right = inner.col + inner.cols;
	if (p->side == SIDE_BESIDE) {
		p->beside = (struct rect){inner.row, right - wide, inner.rows, wide};
		p->maps.cols = inner.cols - wide - SIDE_GAP;
	} else if (p->side == SIDE_BELOW) {
		p->beside = (struct rect){bottom - high, inner.col, high, inner.cols};
	}
	if (p->side == SIDE_IN_LINE) {
		const int row = ((int)p->down - 1) * (p->title + p->h + p->gap_y);
		const int col = last_end(m, p) + SIDE_GAP - p->gap_x;
		p->beside = (struct rect){inner.row + row, inner.col + col, p->title + p->h,
					  inner.cols - col};
		p->maps.cols =
			labels_of(m, p) + 1 + (int)p->across * (p->slot + p->gap_x) - p->gap_x;
	}
	if (p->label_cols > 0) {
		p->maps.col += p->label_cols + 1;
		p->maps.cols -= p->label_cols + 1;
	}
}

/* Spreads the columns of items over free columns. */
static void spread(const struct multiples *m, struct plan *p)
{
	const int n = (int)p->cols, left = p->maps.cols - n * (p->slot + p->gap_x) + p->gap_x;
	if (n > 1 && left > 0 && !in_grid(m))
		p->gap_x += imin(3, left / (n - 1));
}

static struct plan plan_of(const struct canvas *c, const struct multiples *m, struct rect inner)
{
	const struct mat v = m->items[0].map.values;
	const int longest = (int)imax((int)v.rows, (int)v.cols), grid = in_grid(m);
	struct plan p = {.block = 1,
			 .title = !grid,
			 .gap_x = grid ? 1 : GAP,
			 .names = names_cols(m),
			 .step_cols = 1,
			 .merged = 1};
	while (has_curves(m) && side_cols(&p, m) > imax(inner.cols * 2 / 5, 12) &&
	       p.merged < m->n_x)
		p.merged++;
	bool all = choose_side(c, m, inner, &p);
	while (!all && (int)canvas_shown((size_t)longest, p.block + 1) >= LEAST_SIDE) {
		p.block++;
		all = choose_side(c, m, inner, &p);
	}
	if (!all) {
		show_part(c, m, inner, &p);
		spread(m, &p);
		return p;
	}
	p.cols = p.across;
	p.rows = p.down;
	use_width(m, inner, &p);
	if (p.facts < m->n_facts)
		use_height(m, &p);
	place_side(m, inner, &p);
	spread(m, &p);
	return p;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static unsigned look_of(const struct canvas *c, bool chosen)
{
	return !chosen ? 0u : ATTR_ACCENT | ATTR_BOLD | (c->tier == TIER_MONO ? ATTR_REVERSE : 0u);
}

static void draw_title(struct canvas *c, struct arena *a, const struct multiple *item, bool chosen,
		       struct rect at)
{
	const char *const brief = item->brief != NULL ? item->brief : "";
	const int behind = *brief ? (int)text_width(brief) + 1 : 0;
	const char *name = item->title;
	if ((int)text_width(name) + behind > at.cols)
		name = item->name;
	const int used = canvas_text_short(c, a, at.row, at.col, at.cols, name, look_of(c, chosen));
	if (used + behind <= at.cols)
		canvas_text_right(c, a, at.row, at.col + at.cols, at.cols, brief, ATTR_DIM);
}

static void draw_item(struct canvas *c, struct arena *a, const struct plan *p,
		      const struct multiple *item, bool chosen, bool labels, struct rect at)
{
	const struct mat v = item->map.values;
	struct heatmap_plan plan = {.view = {.rows = v.rows,
					     .cols = v.cols,
					     .cell_rows2 = p->half,
					     .cell_cols = p->cell,
					     .averaged = p->block > 1,
					     .block = p->block},
				    .data = {at.row + p->title, at.col, p->h, p->w},
				    .label_cols = labels ? p->label_cols : 0};
	if (p->title)
		draw_title(c, a, item, chosen,
			   (struct rect){at.row, at.col, 1,
					 imin(p->slot, p->maps.col + p->maps.cols - at.col)});
	if (v.at != NULL)
		canvas_heatmap(c, a, plan.data, &item->map, &plan);
}

static void draw_under(struct canvas *c, struct arena *a, const struct multiples *m,
		       const struct plan *p, const struct multiple *item, int row, int col)
{
	for (int i = 0; i < p->under; i++) {
		const size_t f = m->n_facts - (size_t)(p->under - i);
		canvas_text(c, row + i, col, p->w, m->facts[f], ATTR_DIM);
		canvas_text_right(c, a, row + i, col + p->w, p->w, item->facts[f], 0);
	}
}

/* Writes the names of the columns above the matrices, those of the rows at the left. */
static void draw_tracks(struct canvas *c, struct arena *a, const struct multiples *m,
			const struct plan *p)
{
	const size_t chosen = m->chosen < m->n ? m->chosen : SIZE_MAX;
	for (size_t j = 0; j < p->cols; j++) {
		const size_t col = p->first_col + j;
		canvas_text_short(c, a, p->maps.row - 1,
				  p->maps.col + (int)j * (p->slot + p->gap_x), p->w,
				  m->col_names[col],
				  look_of(c, chosen != SIZE_MAX && chosen % p->across == col));
	}
	for (size_t i = 0; i < p->rows; i++) {
		const size_t row = p->first_row + i;
		canvas_text_right(c, a, p->maps.row + (int)i * (p->h + p->gap_y), p->maps.col - 1,
				  LABEL_COLS, m->row_names[row],
				  look_of(c, chosen != SIZE_MAX && chosen / p->across == row));
	}
}

/* Returns the rectangle of the item in row i and column j of the shown ones. */
static struct rect item_at(const struct plan *p, size_t i, size_t j)
{
	const int pitch = p->title + p->h + p->under + p->gap_y;
	return (struct rect){p->maps.row + (int)i * pitch,
			     p->maps.col + (int)j * (p->slot + p->gap_x), p->title + p->h, p->w};
}

static void draw_items(struct canvas *c, struct arena *a, const struct multiples *m,
		       const struct plan *p)
{
	for (size_t i = 0; i < p->rows; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const size_t k = (p->first_row + i) * p->across + p->first_col + j;
			const struct rect at = item_at(p, i, j);
			if (k >= m->n)
				break;
			draw_item(c, a, p, &m->items[k], k == m->chosen, j == 0, at);
			draw_under(c, a, m, p, &m->items[k], at.row + at.rows, at.col);
		}
	if (in_grid(m))
		draw_tracks(c, a, m, p);
}

void canvas_multiples_places(const struct canvas *c, struct rect inner, const struct multiples *m,
			     struct rect *at)
{
	memset(at, 0, m->n * sizeof *at);
	if (m->n == 0 || inner.rows < 1 || inner.cols < 1)
		return;
	const struct plan p = plan_of(c, m, inner);
	for (size_t i = 0; i < p.rows; i++)
		for (size_t j = 0; j < p.cols; j++) {
			const size_t k = (p.first_row + i) * p.across + p.first_col + j;
			if (k < m->n)
				at[k] = item_at(&p, i, j);
		}
}

static void draw_bar(struct canvas *c, struct arena *a, const struct multiples *m, struct rect at)
{
	const struct heatmap_plan plan = {.data = {at.row - 1, at.col, 1, at.cols}};
	const struct map map = {.c = c, .a = a, .h = &m->items[0].map, .plan = &plan};
	canvas_bar(&map, at);
}

/* Turns marked distances into marked columns of the matrix of curves. */
static void mark_curves(const struct multiples *m, const struct plan *p, struct arena *a,
			struct heatmap *h)
{
	const struct heatmap from = *h;
	struct mark *const out = arena_calloc(a, from.n_marks + 1, sizeof *out);
	h->marks = out;
	h->n_marks = 0;
	for (size_t i = 0; i < from.n_marks; i++)
		for (size_t k = 0; from.marks[i].kind == MARK_DIAGONAL && k < m->n_x; k++)
			if ((long)m->x[k] == from.marks[i].diagonal)
				out[h->n_marks++] = (struct mark){MARK_COLUMN, 0, k / p->merged, 0};
}

/* Returns the curves as a matrix: an item in each row, the mean of `merged` distances in each
 * column. */
static struct heatmap curves_map(const struct multiples *m, const struct plan *p, struct arena *a)
{
	const size_t cols = canvas_shown(m->n_x, p->merged);
	struct heatmap h = m->items[0].map;
	uint8_t *const masked = arena_calloc(a, m->n * cols, 1);
	h.values = mat_zero(a, m->n, cols);
	h.masked = masked;
	h.sums = NULL;
	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < cols; k++) {
			double sum = 0, n = 0;
			for (size_t x = k * p->merged; x < (k + 1) * p->merged && x < m->n_x; x++)
				if (m->items[i].curve != NULL && !isnan(m->items[i].curve[x])) {
					sum += m->items[i].curve[x];
					n++;
				}
			masked[i * cols + k] = n <= 0;
			mat_row(h.values, i)[k] = n > 0 ? sum / n : 0;
		}
	mark_curves(m, p, a, &h);
	return h;
}

/* Writes the first, zero and last distance under their columns. */
static void draw_axis(struct canvas *c, struct arena *a, const struct multiples *m,
		      const struct plan *p, int row, int left)
{
	const size_t last = m->n_x - 1;
	int end = left + curve_cols(p, m), from = left;
	for (size_t pass = 0; pass < 3; pass++) {
		size_t i = pass == 0 ? 0 : last;
		for (size_t k = 0; pass == 2 && k <= last; k++)
			i = m->x[k] >= 0 && m->x[k] < 1 ? k : i;
		const long x = (long)m->x[i];
		const char *const sign = x < 0 ? (c->ascii ? "-" : "−") : "";
		const char *const text = arena_printf(a, "%s%ld", sign, x < 0 ? -x : x);
		const int width = (int)text_width(text);
		const int col = pass == 0   ? left
				: pass == 1 ? end - width
					    : left + p->step_cols * (int)(i / p->merged) +
						      (p->step_cols - 1) / 2;
		if (col < from || col + width > end)
			continue;
		canvas_text(c, row, col, width, text, ATTR_DIM);
		from = pass == 0 ? col + width + 1 : from;
		end = pass == 1 ? col - 1 : end;
	}
}

static void draw_facts(struct canvas *c, struct arena *a, const struct multiples *m,
		       const struct plan *p, int row, int right, size_t i)
{
	for (size_t f = 0; f < p->facts; f++) {
		right += fact_cols(m, f);
		const bool head = i == SIZE_MAX;
		canvas_text_right(c, a, row, right, fact_cols(m, f) - 1,
				  head ? m->facts[f] : m->items[i].facts[f],
				  head ? ATTR_DIM : look_of(c, i == m->chosen));
	}
}

/* Writes the text if all of it fits. */
static void draw_says(struct canvas *c, struct arena *a, const char *says, struct rect at)
{
	const struct pen pen = pen_cells(c, a, at);
	const struct text_run run = {.role = ROLE_PLAIN, .text = says};
	if (pen_wrap(&pen, pen.at, &run, 1, false) <= at.rows)
		pen_wrap(&pen, pen.at, &run, 1, true);
}

static void draw_side(struct canvas *c, struct arena *a, const struct multiples *m,
		      const struct plan *p)
{
	const struct rect r = p->beside;
	const struct heatmap h = curves_map(m, p, a);
	const int left = r.col + p->names + 1, wide = curve_cols(p, m);
	const char *const title =
		p->merged > 1 ? arena_printf(a, "%s, means of %zu", m->y_title, p->merged)
			      : m->y_title;
	const struct heatmap_plan plan = {
		.view = {.rows = m->n,
			 .cols = h.values.cols,
			 .cell_rows2 = 2,
			 .cell_cols = p->step_cols,
			 .block = 1},
		.data = {r.row + 1 + (p->facts > 0), left, (int)m->n, wide}};
	canvas_text_short(c, a, r.row, r.col, r.cols, title, ATTR_BOLD);
	draw_facts(c, a, m, p, r.row + 1, left + wide, SIZE_MAX);
	canvas_heatmap(c, a, plan.data, &h, &plan);
	for (size_t i = 0; i < m->n; i++) {
		const int row = plan.data.row + (int)i;
		canvas_text_right(c, a, row, left - 1, p->names, m->items[i].name,
				  look_of(c, i == m->chosen));
		draw_facts(c, a, m, p, row, left + wide, i);
	}
	const int below = plan.data.row + plan.data.rows, end = r.row + r.rows;
	draw_axis(c, a, m, p, below, left);
	const int free = below + 3 < end; /* a blank line */
	const struct rect bar = {below + 1 + free, r.col, 1, r.cols};
	if (bar.row < end)
		draw_bar(c, a, m, bar);
	const int from = bar.row + 1 + (bar.row + 3 < end);
	if (m->says != NULL && from < end)
		draw_says(c, a, m->says, (struct rect){from, r.col, end - from, r.cols});
}

void canvas_multiples(struct canvas *c, struct arena *a, struct rect inner,
		      const struct multiples *m)
{
	if (m->n == 0 || inner.rows < 1 || inner.cols < 1)
		return;
	const struct plan p = plan_of(c, m, inner);
	if (p.w > inner.cols)
		return;
	draw_items(c, a, m, &p);
	if (p.side != SIDE_NONE && side_cols(&p, m) <= inner.cols)
		draw_side(c, a, m, &p);
	if (p.side != SIDE_NONE)
		return;
	if (inner.rows > BAR_ROWS + p.h)
		draw_bar(c, a, m,
			 (struct rect){inner.row + inner.rows - BAR_ROWS, inner.col, BAR_ROWS,
				       inner.cols});
}

/* Returns which items are shown, in a long or short form; NULL if all are. */
static const char *part_words(const struct canvas *c, struct arena *a, const struct multiples *m,
			      const struct plan *p, bool brief)
{
	const char *const dash = c->ascii ? "-" : "–", *const by = c->ascii ? "x" : "×";
	const size_t shown = p->rows * p->cols, first = p->first_row * p->across;
	const size_t end = first + shown < m->n ? first + shown : m->n;
	if (shown >= m->n)
		return NULL;
	if (in_grid(m) && brief)
		return arena_printf(a, "%zu of %zu", shown, m->n);
	if (in_grid(m))
		return arena_printf(
			a, "%s%s%s %s %s%s%s of %zu %s %zu", m->row_names[p->first_row], dash,
			m->row_names[p->first_row + p->rows - 1], by, m->col_names[p->first_col],
			dash, m->col_names[p->first_col + p->cols - 1], p->down, by, p->across);
	return arena_printf(a, "%s%s%zu%s%zu of %zu", brief ? "" : m->what, brief ? "" : " ",
			    first + 1, dash, end, m->n);
}

void canvas_multiples_part(const struct canvas *c, struct arena *a, struct rect inner,
			   const struct multiples *m, const char **part)
{
	enum { TITLE = 24 };
	if (m->n == 0 || inner.rows < 1 || inner.cols < 1)
		return;
	const struct plan p = plan_of(c, m, inner);
	const char *words = part_words(c, a, m, &p, false);
	if (words != NULL && (int)text_width(words) + TITLE > inner.cols)
		words = part_words(c, a, m, &p, true);
	const char *const means = p.block > 1 ? arena_printf(a, "means of %zu%s%zu", p.block,
							     c->ascii ? "x" : "×", p.block)
					      : NULL;
	part[2] = words != NULL ? words : means;
	if (words != NULL && means != NULL && (int)text_width(words) + 2 * TITLE <= inner.cols)
		words = arena_printf(a, "%s; %s", words, means);
	part[0] = part[1] = words != NULL ? words : means;
}
