/* canvas_together.c: several curves on cells in one plot, for curves that are to be seen over one another.
 *
 * A cell has one colour, and some terminals have none, so each curve also has a sign: it stands on the line
 * again and again, and before the curve's name at the right. Curves take turns with their signs from column
 * to column, and in cells that several of them pass, so that of curves that coincide for a part each is still seen,
 * most of all the active one; of those that coincide everywhere one is drawn, and the names of the others stand below its name as "= name". */
#include <math.h>
#include <stdlib.h>

#include "plot/canvas_chart.h"
#include "plot/curve_names.h"
#include "posviz/base/text.h"

enum { MOST = 8, LEAST_ROWS = 4, LEAST_COLS = 12, TURNS = 3, BEFORE_NAME = 2 };

/* In the order of the forms on pages (raster_mark); none is a letter. */
static const char *const forms[] = {"●", "■", "▲", "◆", "▼", "○", "□", "◇"};
static const char *const ascii[] = {"*", "+", "#", "%", "^", "&", "~", "@"};

struct together {
	const struct curves *k, *raw; /* raw: before running means */
	struct chart at[MOST];
	const char *names[MOST];
	struct rect inner;
	size_t as[MOST]; /* the curve that is drawn for this one */
	int beside;	 /* columns of the names at the right, with their signs and a blank */
};

static const char *sign_of(const struct chart *t)
{
	return (t->c->ascii ? ascii : forms)[t->s->colour % MOST];
}

/* Chooses whole names if they take at most two fifths of the width, else short ones of at most a third. */
static void choose_names(struct together *p, struct arena *a, int cols, bool plain)
{
	enum { SIGN = 2 };
	const int wide = 2 * cols / 5 - SIGN - 1;
	bool whole = true;
	for (size_t i = 0; i < p->k->n; i++)
		whole &= (int)text_width(p->k->series[i].label) <= wide;
	const int room = whole ? wide : cols / 3 - SIGN - 1;
	p->beside = 0;
	for (size_t i = 0; i < p->k->n; i++) {
		const struct series *const s = &p->k->series[i];
		const char *const name = whole || !s->brief ? s->label : s->brief;
		p->names[i] = text_shorten(a, name, room > 1 ? (size_t)room : 1, plain);
		const int width = (int)text_width(p->names[i]) + SIGN + 1;
		p->beside = width > p->beside ? width : p->beside;
	}
}

static bool has_labels(const struct curves *k)
{
	bool any = false;
	for (size_t i = 0; i < k->n_marks; i++)
		any |= k->marks[i].label != NULL;
	return any;
}

/* Returns "means of 7" if all curves oscillate faster than cells show, and "kernel: means of 7" if some do; NULL: none does. */
static const char *means_of(const struct together *p, struct arena *a)
{
	const char *names = "";
	size_t n = 0, of = 0;
	for (size_t i = 0; i < p->k->n; i++) {
		const struct series *const s = &p->k->series[i];
		if (s->mean_of == 0)
			continue;
		names = arena_printf(a, "%s%s%s", names, n++ > 0 ? ", " : "",
				     s->brief ? s->brief : s->label);
		of = s->mean_of;
	}
	return n == 0	      ? NULL
	       : n == p->k->n ? arena_printf(a, "means of %zu", of)
			      : arena_printf(a, "%s: means of %zu", names, of);
}

/* Finds the common axes and the place of the plot; false: there is no room, or nothing to draw. */
static bool plan(struct together *p, struct canvas *c, struct arena *a, struct rect inner)
{
	struct curve_range x, y;
	if (p->k->n > MOST || !curve_ranges(p->k->series, p->k->n, false, &x, &y))
		return false;
	curve_reach(p->k, &x);
	choose_names(p, a, inner.cols, c->ascii);
	const bool heads = (has_labels(p->k) || means_of(p, a)) && inner.rows > LEAST_ROWS + 3 &&
			   inner.rows - 2 >= (int)p->k->n;
	const int rows = inner.rows - 1 - heads;
	struct curve_axis axis;
	chart_fit_y(&axis, a, p->k, y, rows);
	const int left = chart_y_width(&axis) + 1, cols = inner.cols - left - p->beside;
	if (rows < LEAST_ROWS || inner.rows < (int)p->k->n || cols < LEAST_COLS)
		return false;
	for (size_t i = 0; i < p->k->n; i++) {
		struct chart *const t = &p->at[i];
		chart_open(t, c, a, p->k, i);
		t->raw = &p->raw->series[i];
		t->letter = *sign_of(t);
		t->x = x;
		t->y = axis;
		t->heads = heads;
		t->plot = (struct rect){inner.row + heads, inner.col + left, rows, cols};
		t->right = inner.col + inner.cols; /* the title of x may stand under the names */
	}
	curve_names_same(&axis, p->k->series, p->k->n, 0.5 / (rows * chart_dots_down(c)), p->as);
	return true;
}

static void put_sign(const struct chart *t, size_t point)
{
	const int col = chart_dot_x(t, t->s->x[point]) / t->sx;
	const int row = chart_dot_y(t, t->s->y[point]) / t->sy;
	canvas_put(t->c, t->plot.row + row, t->plot.col + col, sign_of(t), ATTR_BOLD,
		   canvas_series_text(t->c, t->s->colour), CELL_DEFAULT);
}

/* Returns how many dots a point lies above or below the middle of its cell, where a sign stands. */
static double off_middle(const struct chart *t, size_t point)
{
	const int y = chart_dot_y(t, t->s->y[point]);
	return fabs(y % t->sy - (t->sy - 1) / 2.0);
}

static bool is_point(const struct series *s, size_t point)
{
	return point < s->n && isfinite(s->x[point]) && isfinite(s->y[point]);
}

/* Returns the point of the curve for a sign near this column, `around` columns at most: of the points of the curve, one in the
 * middle of its cell, so that the line runs through the sign; of equal ones the nearest. SIZE_MAX: there is none. */
static size_t point_near(const struct chart *t, int col, int around)
{
	size_t best = SIZE_MAX;
	double least = INFINITY;
	for (size_t i = 0; i < t->s->n; i++) {
		if (!is_point(t->s, i))
			continue;
		const int away = abs(chart_dot_x(t, t->s->x[i]) / t->sx - col);
		const double cost = off_middle(t, i) + (double)away / (2 * around + 1);
		if (away <= around && cost < least) {
			least = cost;
			best = i;
		}
	}
	return best;
}

/* Returns whether a sign of the same point of another drawn curve would stand in the same cell. */
static bool is_shared(const struct together *p, size_t i, size_t point)
{
	const struct chart *const t = &p->at[i];
	for (size_t k = 0; k < p->k->n; k++) {
		const struct chart *const o = &p->at[k];
		if (k != i && p->as[k] == k && is_point(o->s, point) &&
		    fabs(o->s->x[point] - t->s->x[point]) < 1e-9 &&
		    chart_dot_y(o, o->s->y[point]) / o->sy ==
			    chart_dot_y(t, t->s->y[point]) / t->sy)
			return true;
	}
	return false;
}

/* Puts the signs of curve i onto its line: onto its points if these are few, in turn with the other curves where they share a
 * cell, or where the curve is one of many points. */
static void put_signs(const struct together *p, size_t i)
{
	enum { FEW_POINTS = 12, FEW_EACH = 6 };
	const struct chart *const t = &p->at[i];
	const size_t n = p->k->n;
	for (size_t k = 0; t->s->n <= FEW_POINTS && k < t->s->n; k++)
		if (is_point(t->s, k) &&
		    (k % n == i || (t->s->n <= FEW_EACH && !is_shared(p, i, k))))
			put_sign(t, k);
	if (t->s->n <= FEW_POINTS)
		return;
	const int each = t->plot.cols / (TURNS * (int)n), step = each > 1 ? each : 1;
	for (int col = (int)i * step + step / 2; col < t->plot.cols - BEFORE_NAME;
	     col += (int)n * step) {
		const size_t point = point_near(t, col, step > 2 ? step / 2 : 1);
		if (point != SIZE_MAX)
			put_sign(t, point);
	}
}

/* Writes the names at the ends of the lines, moved apart as far as necessary; they may stand beside the labels
 * above and below the plot. */
static void write_names(const struct together *p)
{
	size_t order[MOST];
	double rows[MOST], x, y;
	const struct chart *const first = p->at;
	const double same = 1e-9 * (first->y.scale.hi - first->y.scale.lo);
	struct series *const lines = arena_calloc(first->a, p->k->n + 1, sizeof *lines);
	for (size_t i = 0; i < p->k->n; i++)
		lines[i] = p->k->series[p->as[i]];
	const size_t n = curve_names_order(lines, p->names, p->k->n, same, order);
	curve_names_group(p->as, n, order);
	for (size_t k = 0; k < n; k++) {
		curve_end(&lines[order[k]], &x, &y);
		rows[k] = first->heads + floor((double)chart_dot_y(first, y) / first->sy);
	}
	/* The row of the x axis is the title's as long as the names need it not. */
	const int end = p->inner.rows - ((int)n < p->inner.rows);
	curve_names_part(rows, n, 1, first->heads, end - 1);
	int above = first->heads - 1;
	for (size_t k = 0; k < n; k++) {
		const struct chart *const t = &p->at[order[k]], *const line =
									&p->at[p->as[order[k]]];
		const int last = end - (int)(n - k), near = (int)lround(rows[k]);
		const int row = near <= above ? above + 1 : near > last ? last : near;
		canvas_text_colour(t->c, p->inner.row + row, t->plot.col + t->plot.cols + 1,
				   p->beside - 1,
				   arena_printf(t->a, "%s %s", line == t ? sign_of(t) : "=",
						p->names[order[k]]),
				   t->s->active ? ATTR_BOLD : 0,
				   canvas_series_text(t->c, line->s->colour), CELL_DEFAULT);
		above = row;
	}
}

/* Writes the labels of levels where no curve is. */
static void label_levels(struct together *p)
{
	struct chart all = p->at[0];
	const size_t n = (size_t)all.plot.rows * (size_t)all.plot.cols;
	all.dots = arena_calloc(all.a, n + 1, sizeof *all.dots);
	for (size_t i = 0; i < p->k->n; i++)
		for (size_t k = 0; p->at[i].dots && k < n; k++)
			if (p->at[i].dots[k].rank > all.dots[k].rank)
				all.dots[k] = p->at[i].dots[k];
	chart_level_labels(&all);
}

/* Finds the curves that pass a cell, the active one twice; returns their number, 0 if it is one alone. */
static size_t passing(const struct together *p, size_t cell, size_t *out)
{
	size_t n = 0, curves = 0;
	for (size_t i = 0; i < p->k->n; i++) {
		if (p->as[i] != i || p->at[i].dots[cell].rank < RANK_CURVE)
			continue;
		curves++;
		out[n++] = i;
		if (p->k->series[i].active)
			out[n++] = i;
	}
	return curves > 1 ? n : 0;
}

/* Leaves the colour of a cell that several curves pass to one of them, in turn, so that none hides another; the cell has the dots
 * of all, so that no line has gaps. Letters are those of one. */
static void take_turns(const struct together *p)
{
	enum { RUN = 2 };
	const struct canvas *const c = p->at[0].c;
	const int cols = p->at[0].plot.cols, rows = p->at[0].plot.rows;
	for (int cell = 0; cell < rows * cols; cell++) {
		size_t of[2 * MOST];
		const size_t n = passing(p, (size_t)cell, of);
		if (n == 0)
			continue;
		const size_t turn = (size_t)(cell % cols / RUN + cell / cols) % n;
		uint8_t mask = 0;
		for (size_t k = 0; k < n; k++) {
			mask |= p->at[of[k]].dots[cell].mask;
			if (of[k] != of[turn])
				p->at[of[k]].dots[cell] = (struct dots){0};
		}
		if (!c->ascii)
			p->at[of[turn]].dots[cell].mask = mask;
	}
}

static void draw_curves(struct together *p)
{
	for (size_t i = 0; i < p->k->n; i++)
		if (p->as[i] == i)
			chart_trace(&p->at[i]);
	take_turns(p);
	for (size_t i = 0; i < p->k->n; i++)
		if (p->as[i] == i)
			chart_print(&p->at[i]);
}

/* Says above the plot which curves are running means. */
static void say_means(const struct together *p)
{
	const struct chart *const t = p->at;
	const char *const said = means_of(p, t->a);
	if (said && t->heads > 0 && !has_labels(p->k))
		canvas_text_short(t->c, t->a, p->inner.row, t->plot.col, t->right - t->plot.col,
				  said, ATTR_DIM);
}

bool canvas_together(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k)
{
	struct curves shown;
	struct together p = {.k = &shown, .raw = k, .inner = inner};
	if (!k->together || k->n < 1)
		return false;
	curves_smooth(a, k, (size_t)(inner.cols * chart_dots_across(c)), &shown);
	if (!plan(&p, c, a, inner))
		return false;
	chart_y_labels(p.at);
	chart_x_labels(p.at, inner.col);
	chart_ground(p.at);
	draw_curves(&p);
	for (size_t i = 0; i < k->n; i++)
		if (p.as[i] == i)
			put_signs(&p, i);
	chart_mark_labels(p.at);
	write_names(&p);
	label_levels(&p);
	say_means(&p);
	return true;
}
