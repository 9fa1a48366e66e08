/* canvas_lines.c: lines on cells from one row of words to another, of dots or quarter blocks; in
 * ASCII as stairs. The line of a moved token is solid, a quiet one is dotted, the cursor's is
 * double, so they differ even without colours. */
#include <math.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "plot/pen.h"
#include "posviz/base/text.h"

struct knots {
	uint8_t mask; /* bit y * sx + x */
	uint8_t rank; /* enum line_rank */
	char glyph;   /* in ASCII */
	size_t colour;
};

struct weave {
	struct canvas *c;
	struct rect at;
	int sx, sy; /* dots per cell */
	struct knots *knots;
};

static struct knots *knot_at(const struct weave *w, int row, int col)
{
	const bool inside = row >= 0 && row < w->at.rows && col >= 0 && col < w->at.cols;
	return inside ? &w->knots[row * w->at.cols + col] : NULL;
}

/* Returns the cell for a dot of this rank, NULL if a higher rank has it. A higher rank takes the
 * whole cell from a lower one, because one cell has one colour. */
static struct knots *claim(const struct weave *w, int row, int col, enum line_rank rank,
			   size_t colour)
{
	struct knots *const k = knot_at(w, row, col);
	if (k == NULL || k->rank > rank)
		return NULL;
	if (k->rank < rank)
		k->mask = 0;
	k->rank = (uint8_t)rank;
	k->colour = colour;
	return k;
}

/* Returns the x of a line at this fraction of the height, on a cubic curve that is vertical at both
 * ends and whose inner control points are at the bend, as on a page. */
static double line_at(const struct pen_line *l, double height)
{
	double lo = 0, hi = 1;
	for (int i = 0; i < 20; i++) {
		const double t = (lo + hi) / 2;
		const double y = 3 * t * (1 - t) * l->bend + t * t * t;
		*(y < height ? &lo : &hi) = t;
	}
	const double t = (lo + hi) / 2;
	return l->from + (l->to - l->from) * t * t * (3 - 2 * t);
}

/* Draws a line in dots: each row of dots extends from the x at its upper edge to the x at its lower
 * edge. */
static void dot_line(const struct weave *w, const struct pen_line *l)
{
	const int bottom = w->at.rows * w->sy;
	for (int y = 0; y < bottom; y++) {
		const double a = (line_at(l, (double)y / bottom) - w->at.col) * w->sx;
		const double b = (line_at(l, (double)(y + 1) / bottom) - w->at.col) * w->sx;
		const int from = (int)floor(fmin(a, b)), to = (int)floor(fmax(a, b));
		if (l->rank == LINE_QUIET && y % 2 == 1)
			continue;
		for (int x = from; x <= to + (l->rank == LINE_CURSOR); x++) {
			struct knots *const k = claim(w, y / w->sy, (int)floor((double)x / w->sx),
						      l->rank, l->colour);
			if (k != NULL)
				k->mask |= (uint8_t)(1u << (y % w->sy * w->sx + x % w->sx));
		}
	}
}

/* Draws a line in ASCII as stairs: horizontal strokes, and one down at the end of each row. */
static void stair_line(const struct weave *w, const struct pen_line *l)
{
	for (int row = 0; row < w->at.rows; row++) {
		const double rows = w->at.rows;
		const int from = (int)floor(line_at(l, row / rows)) - w->at.col;
		const int to = (int)floor(line_at(l, (row + 1) / rows)) - w->at.col;
		const int way = to > from ? 1 : -1;
		for (int col = from;; col += way) {
			struct knots *const k = claim(w, row, col, l->rank, l->colour);
			const char quiet = from == to ? ':' : '.';
			const char strong = from == to	? '|'
					    : col != to ? '-'
					    : way > 0	? '\\'
							: '/';
			if (k != NULL)
				k->glyph = l->rank == LINE_QUIET ? quiet : strong;
			if (col == to)
				break;
		}
	}
}

static void glyph_of(const struct weave *w, const struct knots *k, char *out)
{
	static const char *const quarters[] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
					       "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
	if (w->c->ascii) {
		out[0] = k->glyph;
		out[1] = '\0';
	} else if (w->c->quadrants) {
		strcpy(out, quarters[k->mask & 15]);
	} else {
		canvas_braille(out, k->mask);
	}
}

void canvas_lines(struct canvas *c, struct arena *a, struct rect at, const struct pen_line *lines,
		  size_t n)
{
	const size_t cells = (size_t)at.rows * (size_t)at.cols;
	const struct weave w = {c, at, 2, c->quadrants ? 2 : 4,
				arena_calloc(a, cells, sizeof *w.knots)};
	for (size_t i = 0; i < n; i++)
		(c->ascii ? stair_line : dot_line)(&w, &lines[i]);
	for (size_t i = 0; i < cells; i++) {
		const struct knots *const k = &w.knots[i];
		if (k->rank == LINE_NONE)
			continue;
		char glyph[8];
		glyph_of(&w, k, glyph);
		const bool quiet = k->rank == LINE_QUIET || k->colour == SIZE_MAX;
		const unsigned attrs = k->rank == LINE_CURSOR ? ATTR_BOLD : quiet ? ATTR_DIM : 0;
		canvas_put(c, at.row + (int)i / at.cols, at.col + (int)i % at.cols, glyph, attrs,
			   quiet ? CELL_DEFAULT : canvas_series(c, k->colour), CELL_DEFAULT);
	}
}
