/* raster_points.c: important points of curves on a page: a ring around each, dots down to the axis,
 * the number on the axis, and values beside points, at places without a curve or another value.
 *
 * These are the points that a tour points out, and among few measured points, or points that are apart, of a curve with a plot
 * of its own those that have room. */
#include <math.h>

#include "plot/raster_chart.h"

enum { VALUES = 64 }; /* the most values in a plot */

struct values {
	struct page *p;
	const struct chart *ch;
	struct area taken[VALUES];
	size_t n;
};

static bool is_inside(const struct chart *ch, double x)
{
	return x >= ch->x.lo && x <= ch->x.hi;
}

/* Finds the position of the i-th curve at x in the plot, and its value before a running mean. */
static bool point_at(const struct chart *ch, size_t i, double x, double *px, double *py, double *y)
{
	if (!is_inside(ch, x) || !curves_height(&ch->raw->series[i], x, y))
		return false;
	*px = raster_chart_x(ch, x);
	*py = raster_chart_y(ch, *y);
	return true;
}

static bool overlap(struct area a, struct area b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool is_crossed(const struct chart *ch, struct area a)
{
	for (double x = a.x; x <= a.x + a.w; x += 2) {
		const double at = curve_x_of(ch->c, ch->x, (x - ch->plot.x) / ch->plot.w);
		for (size_t i = ch->from; i < ch->to; i++) {
			double y;
			if (!curves_height(&ch->c->series[i], at, &y))
				continue;
			y = raster_chart_y(ch, y);
			if (y >= a.y && y <= a.y + a.h)
				return true;
		}
	}
	return false;
}

static bool is_free(const struct values *v, struct area a)
{
	const struct area plot = v->ch->plot;
	for (size_t i = 0; i < v->n; i++)
		if (overlap(a, v->taken[i]))
			return false;
	return v->n < VALUES && a.x >= plot.x && a.x + a.w <= plot.x + plot.w && a.y >= plot.y &&
	       a.y + a.h <= plot.y + plot.h && !is_crossed(v->ch, a);
}

/* Draws the value above, below or beside its point, as near as possible. */
static void say(struct values *v, size_t i, double x)
{
	struct page *const p = v->p;
	const struct series *const s = &v->ch->c->series[i];
	const bool strong = raster_chart_strong(v->ch, s);
	const enum face face = v->ch->c->marked && strong ? FACE_BOLD : FACE_TEXT;
	const double air = 10 * raster_chart_pen(p), left = v->ch->plot.x;
	double px, py, y;
	if (!point_at(v->ch, i, x, &px, &py, &y))
		return;
	const char *const text = curve_value(p->arena, v->ch->raw, y);
	const struct size size = raster_text_measure(p, face, text);
	const double middle = fmax(left, fmin(px - size.w / 2, left + v->ch->plot.w - size.w));
	const double ys[] = {py - air - size.h, py + air, py - size.h / 2, py - air - 2 * size.h,
			     py + air + size.h};
	const double xs[] = {middle, px - size.w, px, px + air, px - air - size.w};
	for (size_t k = 0; k < 25; k++) {
		const struct area at = {xs[k % 5], ys[k / 5], size.w, size.h};
		if (!is_free(v, at))
			continue;
		raster_text_put(p, face,
				colour_text(figure_series_colour(s->colour, p->dark), p->paper), 0,
				at.x, at.y, text);
		v->taken[v->n++] = at;
		return;
	}
}

static void draw_ring(struct values *v, double x, double y)
{
	struct page *const p = v->p;
	const double pen = raster_chart_pen(p), r = 9 * pen;
	const double foot = v->ch->plot.y + v->ch->plot.h;
	struct path ring = path_new(p->arena);
	if (y + r < foot)
		raster_leader(p, (struct area){x, y + r, 0, foot - y - r}, p->theme->second, true);
	path_circle(&ring, x, y, r);
	raster_stroke_path(p, &ring, p->theme->paper, 1, 5 * pen);
	raster_stroke_path(p, &ring, p->theme->ink, 1, 2.5 * pen);
	if (v->n < VALUES)
		v->taken[v->n++] = (struct area){x - r, y - r, 2 * r, 2 * r};
}

static bool is_pointed(const struct chart *ch, double x)
{
	for (size_t k = 0; k < ch->c->n_pointed; k++)
		if (fabs(ch->c->pointed[k] - x) < 1e-9)
			return true;
	return false;
}

void raster_pointed_curves(struct page *p, const struct chart *ch)
{
	struct values v = {.p = p, .ch = ch};
	double px, py, y;
	for (size_t k = 0; k < ch->c->n_pointed; k++)
		for (size_t i = ch->from; i < ch->to; i++)
			if (point_at(ch, i, ch->c->pointed[k], &px, &py, &y))
				draw_ring(&v, px, py);
	for (size_t k = 0; k < ch->c->n_pointed; k++)
		for (size_t i = ch->from; i < ch->to; i++)
			say(&v, i, ch->c->pointed[k]);
	/* Values are drawn from the last point on, which is the most important one in such curves.
	 * If curves share a plot, it would be unclear to which one a value belongs; there the names
	 * contain the last values. */
	for (size_t k = ch->to == ch->from + 1 ? ch->c->n_places : 0; k-- > 0;)
		if (!is_pointed(ch, ch->c->places[k].x))
			say(&v, ch->from, ch->c->places[k].x);
	const struct series *const s = &ch->raw->series[ch->from];
	for (size_t k = ch->c->apart && ch->to == ch->from + 1 ? s->n : 0; k-- > 0;)
		if (!is_pointed(ch, s->x[k]))
			say(&v, ch->from, s->x[k]);
}

/* ---- below the axis ------------------------------------------------------------------------------ */

static const char *place_at(struct page *p, const struct chart *ch, size_t k, double *x, double *w)
{
	const double *const at = &ch->c->pointed[k];
	const char *const text = curve_x_labels(p->arena, ch->c, at, 1, false)[0];
	*x = raster_chart_x(ch, *at);
	*w = raster_text_measure(p, FACE_BOLD, text).w;
	return text;
}

void raster_pointed_places(struct page *p, const struct chart *ch, double right)
{
	double x, w, last = -INFINITY;
	for (size_t k = 0; k < ch->c->n_pointed; k++) {
		if (!is_inside(ch, ch->c->pointed[k]))
			continue;
		const char *const text = place_at(p, ch, k, &x, &w);
		const double from = fmin(x, right - w / 2) - w / 2;
		if (from > last || from + w < last - w)
			raster_text_put(p, FACE_BOLD, p->theme->ink, 0, from,
					ch->plot.y + ch->plot.h + raster_chart_under(p), text);
		last = from + w + 4 * p->space;
	}
}

bool raster_pointed_over(struct page *p, const struct chart *ch, double from, double to)
{
	const double air = 4 * p->space;
	double x, w;
	for (size_t k = 0; k < ch->c->n_pointed; k++) {
		place_at(p, ch, k, &x, &w);
		if (is_inside(ch, ch->c->pointed[k]) && from < x + w / 2 + air &&
		    x - w / 2 - air < to)
			return true;
	}
	return false;
}
