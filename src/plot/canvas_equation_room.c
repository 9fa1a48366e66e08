/* canvas_equation_room.c: the positions of what is not a matrix in an equation on cells: in the space
 * at the right of the matrices and below them are colour bars, a curve, the addends of the cursor's
 * cell, and a card. */
#include "plot/canvas_equation.h"

enum {
	CELL_COLS = 18, /* for the addends of a cell */
	CELL_MOST = 30,
	CELL_HEAD = 4, /* rows above the addends */
	CARD_COLS = 28,
	CARD_ROWS = 5,
	CARD_MOST = 64,
	CURVE_COLS = 24, /* least size of a curve, with its title */
	CURVE_ROWS = 6,
	CURVE_MOST = 16,
	BAR_LEAST = 14,	 /* columns of a colour bar beside the matrices */
	BAR_SPREAD = 20, /* columns of a matrix below which its bar has a row of its own */
	BAR_MOST = 72,	 /* columns of a bar in that row, with its words */
	BAR_ROWS = 2	 /* its words, and the bar */
};

/* Returns the space at the right of a line. */
static struct rect right_of(const struct equation_plan *p, size_t line)
{
	const int col = equation_line_end(p, line) + 2, end = p->r.row + p->r.rows;
	const int next = line + 1 < p->e.lines ? p->top[line + 1] : end;
	return (struct rect){p->top[line], col, next - p->top[line], p->r.col + p->r.cols - col};
}

static bool card_fits(struct rect r)
{
	return r.cols >= CARD_COLS && r.rows >= CARD_ROWS;
}

static int bars_of(const struct equation_plan *p)
{
	int n = 0;
	for (size_t i = 0; i < p->e.n; i++)
		n += equation_has_bar(p, i);
	return n;
}

/* The free rectangles around the matrices: at the right of the first line, of the last one and of
 * all lines, and below. */
struct room {
	struct rect first, last, right, below;
};

static int lower(struct rect r)
{
	return r.row + r.rows;
}

/* Removes the rows from `row` on if it shares columns with `other`. */
static void cut_below(struct rect *r, struct rect other)
{
	if (other.rows > 0 && other.row < lower(*r) && other.row >= r->row)
		r->rows = other.row - r->row;
}

/* Removes the rows of a rectangle that `other`, which begins above it, takes in the same columns. */
static void cut_above(struct rect *r, struct rect other)
{
	const int by = lower(other) + 1 - r->row;
	const bool shares = other.col < r->col + r->cols && r->col < other.col + other.cols;
	if (other.rows == 0 || !shares || other.row > r->row || by <= 0)
		return;
	r->row += by;
	r->rows -= by;
}

/* Removes the columns of a rectangle that `other`, which begins at its right, takes. */
static void cut_right(struct rect *r, struct rect other)
{
	const bool beside = other.row < lower(*r) && r->row < lower(other) && other.rows > 0;
	if (beside && other.col > r->col && other.col - 2 < r->col + r->cols)
		r->cols = other.col - 2 - r->col;
}

static struct room room_around(const struct equation_plan *p)
{
	const int bottom = p->r.row + p->r.rows, left = equation_column(p, 0);
	struct room room = {.first = right_of(p, 0), .last = right_of(p, p->e.lines - 1)};
	for (size_t i = 0; i < p->e.lines; i++) {
		const struct rect right = right_of(p, i);
		room.right = i == 0 || right.col > room.right.col ? right : room.right;
	}
	room.right.row = p->r.row;
	room.right.rows = p->r.rows;
	room.below = (struct rect){p->end, left, bottom - p->end, p->r.col + p->r.cols - left};
	/* Lines of one width leave one rectangle. */
	if (room.first.col >= room.right.col)
		room.first = room.right;
	return room;
}

/* Places the colour bars in the last rows at the right of the last line; false if they do not
 * fit. */
static bool place_bars(struct equation_plan *p, struct room *room)
{
	const int rows = BAR_ROWS * bars_of(p), most = p->cols > BAR_LEAST ? p->cols : BAR_LEAST;
	const struct rect at = room->last;
	if (at.cols <= BAR_LEAST || at.rows < rows)
		return false;
	const int end = equation_row(p, p->e.lines - 1) + p->rows;
	p->bars = (struct rect){end - rows, at.col, rows, most < at.cols - 1 ? most : at.cols - 1};
	cut_below(&room->last, p->bars);
	cut_below(&room->right, p->bars);
	if (room->first.row + room->first.rows > p->bars.row)
		cut_below(&room->first, p->bars);
	return true;
}

/* Returns whether a bar is that of several matrices. */
static bool any_common(const struct equation_plan *p)
{
	for (size_t i = 0; i < p->e.n; i++)
		if (equation_bar_maps(&p->e, p->e.panel[i]) > 1)
			return true;
	return false;
}

/* Places the bars of matrices that are too narrow for them, or of several matrices, if all are in the
 * last line, in one row below it; `bars` is then the part of that row for each of them. */
static void spread_bars(struct equation_plan *p, struct room *room)
{
	const int left = equation_column(p, 0) - p->label;
	const size_t last = p->e.lines - 1;
	bool shares = false;
	for (size_t i = 0; i < p->e.n; i++) {
		if (equation_has_bar(p, i) && p->e.line[i] != last)
			return;
		shares |= p->e.line[i] == last && equation_has_share(p, i) && !p->shares_above;
	}
	const int row = equation_row(p, last) + p->rows + shares;
	if ((p->cols >= BAR_SPREAD && !any_common(p)) || bars_of(p) == 0 ||
	    row >= p->r.row + p->r.rows)
		return;
	const int each = (p->r.col + p->r.cols - left) / bars_of(p);
	p->bars = (struct rect){row, left, 1, each < BAR_MOST ? each : BAR_MOST};
	if (row >= room->below.row) {
		room->below.rows -= row + 1 - room->below.row;
		room->below.row = row + 1;
	}
	cut_below(&room->last, p->bars);
	cut_below(&room->right, p->bars);
	cut_below(&room->first, p->bars);
}

/* Places the curve below the matrices or at their right, where it has more room; a card may be
 * beside it, or below it. */
static void place_curve(struct equation_plan *p, struct room *room)
{
	const bool under =
		room->below.rows * room->below.cols >= room->right.rows * room->right.cols;
	struct rect *const at = under ? &room->below : &room->right;
	if (at->cols < CURVE_COLS || at->rows < CURVE_ROWS)
		return;
	p->curve = *at;
	p->curve.cols -= !under;
	if (under && at->cols >= 2 * CARD_COLS + CURVE_COLS) {
		p->curve.cols = at->cols * 3 / 5;
		at->col += p->curve.cols + 3;
		at->cols -= p->curve.cols + 3;
	} else if (under) {
		at->rows = 0;
	} else {
		/* Above the room of a shorter line there is one rectangle for both. */
		const int above = room->last.row - at->row - 1;
		const int most = room->last.col < at->col && above >= CURVE_ROWS ? above
				 : at->rows / 2 > CURVE_MOST			 ? CURVE_MOST
										 : at->rows / 2;
		p->curve.rows = most >= CURVE_ROWS ? most : at->rows;
		at->row += p->curve.rows + 1;
		at->rows -= p->curve.rows + 1;
		room->first = *at;
	}
}

/* Places the addends of the cursor's cell at the right of the first line, else below the
 * matrices. */
static void place_cell(struct equation_plan *p, struct room *room)
{
	const int need = CELL_HEAD + (int)p->e.n + 3; /* the small terms in a row */
	const bool beside = room->first.cols >= CELL_COLS && room->first.rows >= need;
	struct rect *const at = beside ? &room->first : &room->below;
	if (!equation_map(p, 0)->has_cursor || at->cols < CELL_COLS || at->rows < need)
		return;
	p->cell = *at;
	p->cell.rows = need;
	p->cell.cols = at->cols - 1 < CELL_MOST ? at->cols - 1 : CELL_MOST;
	if (beside) {
		at->row += need + 1;
		at->rows -= need + 1;
	} else {
		at->col += CELL_MOST + 3;
		at->cols -= CELL_MOST + 3;
	}
}

bool equation_words(struct equation_plan *p)
{
	struct room room = room_around(p);
	const bool curve = equation_panel(p->e.figure, PANEL_CURVES) < p->e.figure->n;
	p->bars = p->cell = p->card = p->curve = (struct rect){0};
	if (p->bars_aside && !place_bars(p, &room))
		return false;
	if (!p->bars_aside)
		spread_bars(p, &room);
	if (curve)
		place_curve(p, &room);
	else
		place_cell(p, &room);
	cut_above(&room.last, p->curve);
	cut_right(&room.last, p->curve);
	cut_right(&room.last, p->cell);
	const struct rect rest[] = {room.first, p->e.lines > 1 ? room.last : (struct rect){0},
				    room.below};
	for (size_t i = 0; i < 3; i++)
		if (card_fits(rest[i]) && rest[i].rows * rest[i].cols > p->card.rows * p->card.cols)
			p->card = rest[i];
	p->card.cols = p->card.cols < CARD_MOST ? p->card.cols : CARD_MOST;
	return true;
}
