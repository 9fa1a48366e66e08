/* raster_dial.c: a dial on a page: a circle, and for each hand a thin line before the rotation, a
 * thick line after it, and the arc between them. */
#include <math.h>

#include "plot/pen_dials.h"
#include "plot/raster_pen.h"

/* Draws a part of a circle as Bézier curves, each an eighth of the circle at most. */
static void arc(struct path *path, struct point at, double r, double from, double turn)
{
	const double pieces = fmax(1, ceil(fabs(turn) / (G_PI / 4))), step = turn / pieces;
	const double k = 4.0 / 3 * tan(step / 4);
	path_move(path, at.x + r * cos(from), at.y - r * sin(from));
	for (int i = 0; i < (int)pieces; i++) {
		const double a = from + i * step, b = a + step;
		path_curve(path, at.x + r * (cos(a) - k * sin(a)), at.y - r * (sin(a) + k * cos(a)),
			   at.x + r * (cos(b) + k * sin(b)), at.y - r * (sin(b) - k * cos(b)),
			   at.x + r * cos(b), at.y - r * sin(b));
	}
}

static void draw_ring(struct page *p, struct area c, bool chosen)
{
	const double x = c.x + c.w / 2, y = c.y + c.h / 2;
	struct path ring = path_new(p->arena);
	path_circle(&ring, x, y, c.w / 2);
	raster_fill_path(p, &ring, p->theme->tint, 1);
	raster_line(p, c.x, y, c.x + c.w, y, 1, p->theme->hair);
	raster_line(p, x, c.y, x, c.y + c.h, 1, p->theme->hair);
	raster_stroke_path(p, &ring, chosen ? p->theme->ink : p->theme->hair, 1,
			   chosen ? fmax(1.5, 2 * p->space) : 1);
}

static void draw_line(struct page *p, struct point from, struct point to, double width,
		      double alpha, uint32_t rgb)
{
	struct path line = path_new(p->arena);
	path_move(&line, from.x, from.y);
	path_line(&line, to.x, to.y);
	raster_stroke_path(p, &line, rgb, alpha, width);
}

/* Draws the thin hand and the arc of its rotation, without full turns. */
static void draw_turn(struct page *p, struct area c, const struct dial_hand *h, size_t hand)
{
	static const double radius[DIAL_HANDS] = {0.36, 0.25};
	const struct point middle = {c.x + c.w / 2, c.y + c.h / 2};
	const uint32_t rgb = figure_series_colour(hand, p->dark);
	const double r = fmin(radius[hand], 0.85 * h->length) * c.w / 2;
	if (!dial_is_there(h, h->before))
		return;
	draw_line(p, middle, dial_tip(c, h, h->before), fmax(1, p->space), 0.6, rgb);
	if (!dial_is_there(h, h->after) || r < 4)
		return;
	struct path path = path_new(p->arena);
	arc(&path, middle, r, h->before, fmod(h->after - h->before, 2 * G_PI));
	raster_stroke_path(p, &path, rgb, 1, fmax(1, 1.4 * p->space));
}

static void draw_hand(struct page *p, struct area c, const struct dial_hand *h, size_t hand)
{
	const struct point middle = {c.x + c.w / 2, c.y + c.h / 2};
	const uint32_t rgb = figure_series_colour(hand, p->dark);
	const double width = fmin(fmax(2.2, 3 * p->space), c.w / 20);
	if (!dial_is_there(h, h->after))
		return;
	const struct point tip = dial_tip(c, h, h->after);
	struct path end = path_new(p->arena);
	draw_line(p, middle, tip, width, 1, rgb);
	path_circle(&end, tip.x, tip.y, width / 2);
	raster_fill_path(p, &end, rgb, 1);
}

void raster_dial(const struct pen *pen, const struct dials *d, size_t i, struct area c)
{
	struct page *const p = pen->on;
	const struct dial_hand *const h = d->at[i].hands;
	const size_t hands = dials_hands(d);
	size_t order[DIAL_HANDS];
	dial_order(d, i, order);
	draw_ring(p, c, dial_is_chosen(d, i));
	for (size_t k = 0; k < hands; k++)
		draw_turn(p, c, &h[k], k);
	for (size_t k = 0; k < DIAL_HANDS; k++)
		if (order[k] < hands)
			draw_hand(p, c, &h[order[k]], order[k]);
	struct path hub = path_new(p->arena);
	path_circle(&hub, c.x + c.w / 2, c.y + c.h / 2, fmin(fmax(1.5, 2.8 * p->space), c.w / 20));
	raster_fill_path(p, &hub, p->theme->ink, 1);
}

void raster_dial_hand(const struct pen *pen, const struct dials *d, size_t hand, double x, double y,
		      double width)
{
	struct page *const p = pen->on;
	(void)d;
	draw_line(p, (struct point){x, y}, (struct point){x + width, y}, fmax(1.6, 3 * p->space), 1,
		  figure_series_colour(hand, p->dark));
}
