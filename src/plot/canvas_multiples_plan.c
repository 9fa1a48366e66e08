/* canvas_multiples_plan.c: the sizes and positions of small multiples on cells.
 *
 * A value is a square, or somewhat wider: of whole rows, so that names stand beside the middle of
 * their cells, or of half a row. Each matrix has the names of its columns above it, unless that
 * makes the cells much smaller. If matrices have no room at one column and one half row, they are
 * shown by means over blocks, as long as a side has LEAST_SIDE cells; below that not all matrices
 * are shown, but the chosen one always is. Nothing is remembered between calls: the part follows
 * from the chosen item and the sizes. */
#include "plot/canvas_multiples.h"
#include "plot/canvas_pen.h"
#include "posviz/base/text.h"

/* AIRY: the rows from which on a blank one is above the curves. */
enum { AIRY = 16, GAP = 2, SIDE_GAP = 3, LEAST_SIDE = 8, SIDE_COLS = 20 };

/* The sizes of a value, the largest first. */
static const struct {
	int cols, half_rows;
} sizes[] = {{12, 12}, {11, 10}, {10, 10}, {9, 8}, {8, 8}, {7, 6}, {6, 6},
	     {5, 4},   {4, 4},	 {3, 2},   {2, 2}, {3, 1}, {2, 1}, {1, 1}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int imin(int a, int b)
{
	return a < b ? a : b;
}

static int imax(int a, int b)
{
	return a > b ? a : b;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

int multiples_rows(const struct multiples_plan *p)
{
	return p->title + p->heads + p->h;
}

bool multiples_in_grid(const struct multiples *m)
{
	return m->across > 0;
}

static bool has_curves(const struct multiples *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].curve != NULL)
			return !multiples_in_grid(m);
	return false;
}

static int names_cols(const struct multiples *m)
{
	size_t most = 0;
	for (size_t i = 0; i < m->n; i++)
		most = text_width(m->items[i].name) > most ? text_width(m->items[i].name) : most;
	return (int)most;
}

int multiples_fact_cols(const struct multiples *m, size_t f)
{
	size_t most = text_width(m->facts[f]);
	for (size_t i = 0; i < m->n; i++)
		most = text_width(m->items[i].facts[f]) > most ? text_width(m->items[i].facts[f])
							       : most;
	return (int)most + GAP;
}

int multiples_curve_cols(const struct multiples_plan *p, const struct multiples *m)
{
	return p->step_cols * (int)canvas_shown(m->n_x, p->merged);
}

/* Returns the columns of the matrix of curves with its names and its facts. */
int multiples_side_cols(const struct multiples_plan *p, const struct multiples *m)
{
	int cols = p->names + 1 + multiples_curve_cols(p, m);
	for (size_t f = 0; f < p->facts; f++)
		cols += multiples_fact_cols(m, f);
	return imax(cols, SIDE_COLS);
}

/* Returns its rows: the title, the names of facts, a row for each item, the axis and the bar. */
static int side_rows(const struct multiples_plan *p, const struct multiples *m)
{
	return 1 + (p->facts > 0) + (int)m->n + 1 + MULTIPLES_BAR;
}

/* Returns the rows of names above the columns: one if the names are whole there, or if numbers stand
 * for them; else two. */
static int name_rows(const struct multiples *m, const struct multiples_plan *p)
{
	const struct heatmap *const h = &m->items[0].map;
	if (!p->named || multiples_in_grid(m))
		return 0;
	if (p->block > 1)
		return 1;
	const size_t widest = canvas_widest(h->col_labels, h->values.cols, sizes[0].cols);
	return p->cell < 2 || h->by_number || h->col_labels == NULL || (int)widest < p->cell ? 1
											     : 2;
}

/* Sizes the items by the index of a size. */
static void size_item(const struct canvas *c, const struct multiples *m, int size,
		      struct multiples_plan *p)
{
	const struct mat v = m->items[0].map.values;
	p->size = size;
	p->cell = sizes[size].cols;
	p->half = canvas_shaded(c) ? imax(2, sizes[size].half_rows) : sizes[size].half_rows;
	p->heads = name_rows(m, p);
	p->w = p->cell * (int)canvas_shown(v.cols, p->block);
	p->h = (p->half * (int)canvas_shown(v.rows, p->block) + 1) / 2;
	p->slot = p->title ? imax(p->w, p->names) : p->w;
}

/* Returns the columns of the row labels; 0 if they are not shown. */
static int labels_of(const struct multiples *m, const struct multiples_plan *p)
{
	const struct heatmap *const first = &m->items[0].map;
	if (multiples_in_grid(m))
		return 0;
	if (p->block > 1)
		return (int)canvas_widest(NULL, first->values.rows, SIZE_MAX);
	if (first->by_number)
		return imax(p->keyless ? 1 : MULTIPLES_KEY,
			    (int)canvas_widest(NULL, first->values.rows, SIZE_MAX));
	const size_t shared = p->half > 1 ? 0 : canvas_shared_widest(first);
	const size_t most = p->half > 1 ? MULTIPLES_LABEL : 2 * MULTIPLES_LABEL;
	const size_t widest = canvas_widest(first->row_labels, first->values.rows, most);
	return (int)(shared > most ? 0 : shared > 0 ? shared : widest);
}

/* Returns whether all items of this size fit in r; leaves a free line between rows of items if
 * possible. */
static bool all_fit(const struct multiples *m, struct rect r, struct multiples_plan *p)
{
	const int pitch = p->slot + p->gap_x;
	const int labels = p->named ? labels_of(m, p) : 0, cols = r.cols - labels - (labels > 0);
	const int room = cols < p->slot ? 0 : (cols + p->gap_x) / pitch;
	p->across = multiples_in_grid(m) ? m->across : (size_t)imin((int)m->n, room);
	if (p->across == 0 || (int)p->across > room)
		return false;
	p->down = canvas_shown(m->n, p->across);
	/* Items are spread evenly over the rows. */
	if (!multiples_in_grid(m))
		p->across = canvas_shown(m->n, p->down);
	const int each = multiples_rows(p), down = (int)p->down;
	p->gap_y = !multiples_in_grid(m) && down * (each + 1) - 1 <= r.rows;
	return down * (each + p->gap_y) - p->gap_y <= r.rows;
}

/* Returns the space for the items, without that of curves, bar and names of rows and columns. */
static struct rect room_for(const struct multiples *m, const struct multiples_plan *p,
			    struct rect inner)
{
	struct rect r = inner;
	if (p->side == SIDE_BESIDE)
		r.cols -= multiples_side_cols(p, m) + SIDE_GAP;
	else if (p->side == SIDE_BELOW)
		r.rows -= side_rows(p, m) + (inner.rows > AIRY);
	else if (p->side == SIDE_NONE)
		r.rows -= MULTIPLES_BAR;
	if (multiples_in_grid(m)) {
		const int names =
			(int)canvas_widest(m->row_names, m->n / m->across, MULTIPLES_LABEL);
		r = (struct rect){r.row + 1, r.col + names + 1, r.rows - 1, r.cols - names - 1};
	}
	return r;
}

/* Returns the columns up to the end of the last item, with the row labels. */
static int last_end(const struct multiples *m, const struct multiples_plan *p)
{
	const int last = (int)(m->n - p->across * (p->down - 1));
	return labels_of(m, p) + 1 + last * (p->slot + p->gap_x);
}

/* Returns whether the matrix of curves fits behind the last item, and the row labels before the
 * first. */
static bool fits_in_line(const struct multiples *m, const struct multiples_plan *p)
{
	const int wide = labels_of(m, p) + 1 + (int)p->across * (p->slot + p->gap_x) - p->gap_x;
	const int above = ((int)p->down - 1) * (multiples_rows(p) + p->gap_y);
	return p->down > 1 && wide <= p->maps.cols && above + side_rows(p, m) <= p->maps.rows &&
	       last_end(m, p) - p->gap_x + SIDE_GAP + multiples_side_cols(p, m) <= p->maps.cols;
}

/* Finds the largest cells at which all items fit with the curves at `side`; false if none are small
 * enough. */
static bool largest_cells(const struct canvas *c, const struct multiples *m, struct rect inner,
			  enum multiples_side side, struct multiples_plan *p)
{
	p->side = side;
	if (side == SIDE_BESIDE && side_rows(p, m) > inner.rows)
		return false;
	p->maps = room_for(m, p, inner);
	for (int size = 0; size < SIZES; size++) {
		size_item(c, m, size, p);
		if (all_fit(m, p->maps, p) && (side != SIDE_IN_LINE || fits_in_line(m, p)))
			return true;
	}
	return false;
}

/* Puts the curves behind, beside or below the items, whichever leaves larger cells, else leaves them
 * out; false if not all items fit. */
static bool choose_side(const struct canvas *c, const struct multiples *m, struct rect inner,
			struct multiples_plan *p)
{
	struct multiples_plan beside = *p, below = *p;
	if (has_curves(m)) {
		const bool at_side = largest_cells(c, m, inner, SIDE_BESIDE, &beside);
		const bool at_foot = largest_cells(c, m, inner, SIDE_BELOW, &below);
		struct multiples_plan in_line = *p;
		const bool at_end = largest_cells(c, m, inner, SIDE_IN_LINE, &in_line);
		const int first = imin(at_side ? beside.size : SIZES, at_foot ? below.size : SIZES);
		if (at_end && in_line.size <= first && in_line.size < SIZES) {
			*p = in_line;
			return true;
		}
		if (at_side || at_foot) {
			*p = at_side && (!at_foot || beside.size <= below.size) ? beside : below;
			return true;
		}
	}
	return largest_cells(c, m, inner, SIDE_NONE, p);
}

/* Chooses the places with names above the columns, or without them if cells are more than COST sizes
 * larger then; false if not all items fit. */
static bool choose_names(const struct canvas *c, const struct multiples *m, struct rect inner,
			 struct multiples_plan *p)
{
	enum { COST = 3 };
	struct multiples_plan named = *p;
	named.named = true;
	const bool fits = choose_side(c, m, inner, &named), bare = choose_side(c, m, inner, p);
	if (fits && named.size <= p->size + COST)
		*p = named;
	return bare;
}

/* ---- the shown part -------------------------------------------------------------------------- */

/* Shows as many items as have room at the smallest size, including the chosen one. */
static void show_part(const struct canvas *c, const struct multiples *m, struct rect inner,
		      struct multiples_plan *p)
{
	const struct mat v = m->items[0].map.values;
	const size_t longest = v.rows > v.cols ? v.rows : v.cols;
	p->side = SIDE_NONE;
	p->title = p->title && inner.rows > 2;
	p->maps = room_for(m, p, inner);
	size_item(c, m, SIZES - 1, p);
	while ((p->w > p->maps.cols || multiples_rows(p) > p->maps.rows) && p->block < longest) {
		p->block++;
		size_item(c, m, SIZES - 1, p);
	}
	const int wide = imax(1, (p->maps.cols + p->gap_x) / (p->slot + p->gap_x));
	p->across = multiples_in_grid(m) ? m->across : (size_t)imin((int)m->n, wide);
	p->down = canvas_shown(m->n, p->across);
	p->gap_y = 0;
	p->cols = (size_t)imin((int)p->across, wide);
	p->rows = (size_t)imin((int)p->down, imax(1, p->maps.rows / multiples_rows(p)));
	const size_t chosen = m->chosen < m->n ? m->chosen : 0;
	p->first_col = pen_window(chosen % p->across, p->cols, p->across);
	p->first_row = pen_window(chosen / p->across, p->rows, p->down);
}

/* Finds the largest cells of whole rows at which more matrices with names have room than `best` shows. */
static void find_whole_rows(const struct canvas *c, const struct multiples *m,
			    struct multiples_plan part, struct multiples_plan *best)
{
	const int margin = part.keyless ? 1 : 2;
	for (int size = 0; size < SIZES; size++) {
		if (sizes[size].half_rows < 2)
			continue;
		size_item(c, m, size, &part);
		const int labels = labels_of(m, &part), pitch = part.slot + part.gap_x;
		const int cols = imax(0, part.maps.cols - labels - margin + part.gap_x) / pitch;
		part.cols = (size_t)imin((int)m->n, labels > 0 ? cols : 0);
		part.rows = (size_t)(part.maps.rows / multiples_rows(&part));
		if (part.cols * part.rows > best->cols * best->rows)
			*best = part;
	}
}

/* The plan shows fewer matrices, of whole rows that have their names, if two rows of a matrix would share a row of the
 * screen, or a cell of shades would be higher than wide; these must be at least half of all, and `p` have no averages.
 * False: p is unchanged. */
static bool show_whole_rows(const struct canvas *c, const struct multiples *m, struct rect inner,
			    struct multiples_plan *p)
{
	struct multiples_plan part = *p, best = *p;
	if ((p->half > 1 && p->cell > 1) || p->block > 1 || multiples_in_grid(m))
		return false;
	part.named = true;
	part.facts = 0;
	part.side = SIDE_NONE;
	part.maps = room_for(m, &part, inner);
	best.rows = best.cols = 0;
	find_whole_rows(c, m, part, &best);
	if (2 * best.cols * best.rows < m->n || best.cols < 2)
		return false;
	part.keyless = m->items[0].map.by_number;
	part.gap_x = 1;
	if (part.keyless && best.cols * best.rows < m->n)
		find_whole_rows(c, m, part, &best);
	best.across = best.cols;
	best.down = canvas_shown(m->n, best.across);
	best.rows = (size_t)imin((int)best.rows, (int)best.down);
	const int each = multiples_rows(&best) + 1;
	best.gap_y = (int)best.rows * each - 1 <= best.maps.rows;
	best.first_col = 0;
	best.first_row =
		pen_window((m->chosen < m->n ? m->chosen : 0) / best.across, best.rows, best.down);
	*p = best;
	return true;
}

/* Uses free rows under the matrices for lines of facts. */
static void use_height(const struct multiples *m, struct multiples_plan *p)
{
	int wide = 0;
	for (size_t f = p->facts; f < m->n_facts; f++)
		wide = imax(wide, multiples_fact_cols(m, f) + (int)text_width(m->facts[f]));
	const int down = (int)p->rows;
	const int used = down * (multiples_rows(p) + p->gap_y) - p->gap_y;
	if (wide <= p->w && p->gap_y > 0)
		p->under = imin((int)(m->n_facts - p->facts), (p->maps.rows - used) / down);
}

/* Moves the items apart as far as their curves keep their room behind the last one, and widens the distances. */
static void spread_in_line(const struct multiples *m, struct multiples_plan *p)
{
	enum { MOST_GAP = 8, MOST_STEP = 3 };
	do
		p->gap_x++;
	while (p->gap_x <= MOST_GAP && fits_in_line(m, p));
	p->gap_x--;
	do
		p->step_cols++;
	while (p->step_cols <= MOST_STEP && fits_in_line(m, p));
	p->step_cols--;
}

/* Uses free columns for labels of the rows, then for facts, then for wider distances. */
static void use_width(const struct multiples *m, struct rect inner, struct multiples_plan *p)
{
	const int used = (int)p->across * (p->slot + p->gap_x) - p->gap_x;
	int left = p->maps.cols - used;
	const int labels = labels_of(m, p);
	if (labels > 0 && left > labels) {
		p->label_cols = labels;
		left -= labels + 1;
	}
	if (p->side == SIDE_BELOW)
		left = inner.cols - multiples_side_cols(p, m);
	if (p->side == SIDE_IN_LINE)
		spread_in_line(m, p);
	if (p->side == SIDE_NONE || p->side == SIDE_IN_LINE)
		return;
	const int down = (int)p->down * (multiples_rows(p) + p->gap_y) - p->gap_y;
	const bool high =
		p->side == SIDE_BELOW ? down < p->maps.rows : side_rows(p, m) < inner.rows;
	while (high && p->facts < m->n_facts && multiples_fact_cols(m, p->facts) <= left)
		left -= multiples_fact_cols(m, p->facts++);
	const int distances = (int)canvas_shown(m->n_x, p->merged);
	for (; p->step_cols < 3 && distances <= left; p->step_cols++)
		left -= distances;
}

static void place_side(const struct multiples *m, struct rect inner, struct multiples_plan *p)
{
	const int wide = multiples_side_cols(p, m), high = side_rows(p, m);
	const int bottom = inner.row + inner.rows, right = inner.col + inner.cols;
	if (p->side == SIDE_BESIDE) {
		p->beside = (struct rect){inner.row, right - wide, inner.rows, wide};
		p->maps.cols = inner.cols - wide - SIDE_GAP;
	} else if (p->side == SIDE_BELOW) {
		p->beside = (struct rect){bottom - high, inner.col, high, inner.cols};
	}
	if (p->side == SIDE_IN_LINE) {
		const int pitch = multiples_rows(p) + p->under + p->gap_y;
		const int row = ((int)p->down - 1) * pitch;
		const int col = last_end(m, p) + SIDE_GAP - p->gap_x;
		p->beside = (struct rect){inner.row + row, inner.col + col, inner.rows - row,
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
static void spread(const struct multiples *m, struct multiples_plan *p)
{
	const int n = (int)p->cols, left = p->maps.cols - n * (p->slot + p->gap_x) + p->gap_x;
	if (n > 1 && left > 0 && !multiples_in_grid(m))
		p->gap_x += imin(3, left / (n - 1));
}

/* Puts the items of two rows or more into one, closer together, with their curves below, if this costs no size, or of
 * means over large blocks little. */
static void try_one_row(const struct canvas *c, const struct multiples *m, struct rect inner,
			struct multiples_plan *p)
{
	enum { LARGE_BLOCK = 1 };
	struct multiples_plan row = *p;
	if (multiples_in_grid(m) || !has_curves(m) || p->down < 2)
		return;
	row.gap_x = 1;
	row.merged = 1;
	while (multiples_side_cols(&row, m) > inner.cols && row.merged < m->n_x)
		row.merged++;
	bool fits = false;
	const size_t most = p->block > LARGE_BLOCK ? p->block + 1 : p->block;
	for (row.block = p->block; row.block <= most && !fits; row.block += !fits) {
		fits = largest_cells(c, m, inner, SIDE_BELOW, &row) && row.down == 1 &&
		       row.size <= p->size;
	}
	if (fits)
		*p = row;
}

struct multiples_plan multiples_plan_of(const struct canvas *c, const struct multiples *m,
					struct rect inner)
{
	const struct mat v = m->items[0].map.values;
	const int longest = (int)imax((int)v.rows, (int)v.cols), grid = multiples_in_grid(m);
	struct multiples_plan p = {.block = 1,
				   .title = !grid,
				   .gap_x = grid ? 1 : GAP,
				   .names = names_cols(m),
				   .step_cols = 1,
				   .merged = 1};
	while (has_curves(m) && multiples_side_cols(&p, m) > imax(inner.cols * 2 / 5, 12) &&
	       p.merged < m->n_x)
		p.merged++;
	bool all = choose_names(c, m, inner, &p);
	while (!all && (int)canvas_shown((size_t)longest, p.block + 1) >= LEAST_SIDE) {
		p.block++;
		all = choose_names(c, m, inner, &p);
	}
	if (!all) {
		show_part(c, m, inner, &p);
		spread(m, &p);
		return p;
	}
	try_one_row(c, m, inner, &p);
	if (!show_whole_rows(c, m, inner, &p)) {
		p.cols = p.across;
		p.rows = p.down;
	}
	use_width(m, inner, &p);
	if (p.facts < m->n_facts)
		use_height(m, &p);
	place_side(m, inner, &p);
	spread(m, &p);
	return p;
}
