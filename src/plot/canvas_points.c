/* canvas_points.c: points of a curve on cells that are pointed out: a sign on each, dots down to
 * the axis, and the value beside it, where no curve is.
 *
 * These are the points that a tour points out; if the curve has few measured points, or points that are apart, also as many
 * of these as have room. */
#include <math.h>

#include "plot/canvas_chart.h"
#include "posviz/base/text.h"

/* Gets the point of the curve at x, in dots and as a value; false if there is none in the plot. */
static bool point_at(const struct chart *t, double x, int *dot_x, int *dot_y, double *y)
{
	if (x < t->x.lo || x > t->x.hi || !curves_height(t->raw, x, y))
		return false;
	*dot_x = chart_dot_x(t, x);
	*dot_y = chart_dot_y(t, *y);
	return true;
}

void chart_point_lines(struct chart *t)
{
	const int bottom = t->plot.rows * t->sy, step = t->sy > 1 ? 2 : 1;
	for (size_t i = 0; i < t->k->n_pointed; i++) {
		int x, y;
		double value;
		if (!point_at(t, t->k->pointed[i], &x, &y, &value))
			continue;
		for (y += step; y < bottom; y += step)
			chart_dot(t, x, y, RANK_LEADER);
	}
}

static void take(const struct chart *t, int row, int col, int cols)
{
	for (int i = col; i < col + cols; i++)
		if (i >= 0 && i < t->plot.cols && row >= 0 && row < t->plot.rows)
			t->dots[row * t->plot.cols + i].rank = RANK_MARK;
}

/* Returns whether these cells are free, and `air` cells on both sides as far as they are in the
 * plot. */
static bool has_air(const struct chart *t, int row, int col, int cols, int air)
{
	const int from = col > air ? col - air : 0, end = col + cols + air;
	const int to = end < t->plot.cols ? end : t->plot.cols;
	return col >= 0 && col + cols <= t->plot.cols && chart_is_free(t, row, from, to - from);
}

/* Writes a value above, below or beside the point in this cell, as near as the curve and other
 * values permit; touching the curve is better than being far from the point. */
static void write_value(const struct chart *t, int row, int col, const char *text)
{
	static const int rows[] = {-1, 1, 0, -2, 2, -3, 3};
	enum { ROWS = sizeof rows / sizeof *rows, COLS = 5 };
	const int w = (int)text_width(text), last = t->plot.cols - w;
	const int middle = col - w / 2 < 0 ? 0 : col - w / 2 > last ? last : col - w / 2;
	const int cols[][COLS] = {{middle, col + 1 - w, col, col + 2, col - w - 1},
				  {col + 4, col - w - 3, col + 6, col - w - 5, middle}};
	for (int i = 0; i < 4 * ROWS * COLS; i++) {
		const bool far = i >= 2 * ROWS * COLS, air = i / (ROWS * COLS) % 2 == 0;
		const int at = cols[far][i % COLS], down = row + rows[i / COLS % ROWS];
		if (!has_air(t, down, at, w, air))
			continue;
		canvas_text_colour(t->c, t->plot.row + down, t->plot.col + at, w, text,
				   chart_weight(t), canvas_series_text(t->c, t->s->colour),
				   CELL_DEFAULT);
		take(t, down, at - 1, w + 2); /* keeps values separate */
		return;
	}
}

static void say_point(const struct chart *t, double x)
{
	int at, high;
	double y;
	if (point_at(t, x, &at, &high, &y))
		write_value(t, high / t->sy, at / t->sx, curve_value(t->a, t->k, y));
}

static bool is_pointed(const struct chart *t, double x)
{
	for (size_t i = 0; i < t->k->n_pointed; i++)
		if (fabs(t->k->pointed[i] - x) < 1e-9)
			return true;
	return false;
}

/* Writes the value of the last measured point, the most important one; those of the others if they
 * are far enough apart to belong clearly to their points. */
static void say_measured(const struct chart *t)
{
	enum { APART = 6 };
	const size_t n = t->raw->n;
	const bool all = n < 2 || t->plot.cols / (int)(n - 1) >= APART;
	for (size_t i = n; i-- > (all ? 0 : n - 1);)
		if (!is_pointed(t, t->raw->x[i]))
			say_point(t, t->raw->x[i]);
}

/* Puts a mark on each point of a curve whose points are apart. */
static void mark_apart(struct chart *t)
{
	int x, y;
	double value;
	for (size_t i = 0; i < t->raw->n; i++) {
		if (!point_at(t, t->raw->x[i], &x, &y, &value))
			continue;
		canvas_put(t->c, t->plot.row + y / t->sy, t->plot.col + x / t->sx,
			   t->c->ascii ? "*" : "●", chart_weight(t),
			   canvas_series_text(t->c, t->s->colour), CELL_DEFAULT);
		take(t, y / t->sy, x / t->sx, 1);
	}
}

void chart_points(struct chart *t)
{
	int x, y;
	double value;
	if (t->k->apart)
		mark_apart(t);
	for (size_t i = 0; i < t->k->n_pointed; i++) {
		if (!point_at(t, t->k->pointed[i], &x, &y, &value))
			continue;
		canvas_put(t->c, t->plot.row + y / t->sy, t->plot.col + x / t->sx,
			   t->c->ascii ? "#" : "◆", ATTR_BOLD | ATTR_ACCENT, CELL_DEFAULT,
			   CELL_DEFAULT);
		take(t, y / t->sy, x / t->sx, 1);
	}
	for (size_t i = 0; i < t->k->n_pointed; i++)
		say_point(t, t->k->pointed[i]);
	if (t->k->n_places > 0 || t->k->apart)
		say_measured(t);
}
