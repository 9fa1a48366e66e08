/* pen_dial.c: one dial: a circle, and of each hand a thin one as it was, a thick one as it is and the arc between
 * them. On cells the hands are lines of dots; where colours do not tell them apart the second is dotted and both
 * have their letter at the tip, in ASCII they are made of it. */
#include <math.h>
#include <string.h>

#include "plot/canvas_stipple.h"
#include "plot/pen_dials.h"
#include "plot/raster_in.h"
#include "posviz/base/text.h"

enum { RANK_RING = 1, RANK_BEFORE, RANK_HAND };
enum { FINE_ROWS = 9 }; /* of a dial on cells that has room for the hands before */

size_t dials_hands(const struct dials *d)
{
	return d->names[1] != NULL ? 2 : 1;
}

static bool is_there(const struct dial_hand *h, double angle)
{
	return isfinite(angle) && isfinite(h->length) && h->length > 0;
}

static struct point tip_of(struct area circle, const struct dial_hand *h, double angle)
{
	const double length = fmin(h->length, 1) / 2;
	return (struct point){circle.x + circle.w / 2 + length * circle.w * cos(angle),
			      circle.y + circle.h / 2 - length * circle.h * sin(angle)};
}

static bool is_chosen(const struct dials *d, size_t i)
{
	return d->has_cursor && d->cursor == i;
}

/* The hands from the longer to the shorter one, which is then seen where it lies on the other. */
static void order_hands(const struct dials *d, size_t i, size_t *order)
{
	const struct dial_hand *const h = d->at[i].hands;
	const bool second = dials_hands(d) > 1 && h[1].length > h[0].length;
	order[0] = second;
	order[1] = !second;
}

/* ---- on a page ---------------------------------------------------------------------------------- */

/* A part of a circle as Bézier curves of at most an eighth of it each. */
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

/* Thin hand and arc: how far it was turned, full turns aside. */
static void draw_turn(struct page *p, struct area c, const struct dial_hand *h, size_t hand)
{
	static const double radius[DIAL_HANDS] = {0.36, 0.25};
	const struct point middle = {c.x + c.w / 2, c.y + c.h / 2};
	const uint32_t rgb = figure_series_colour(hand, p->dark);
	const double r = fmin(radius[hand], 0.85 * h->length) * c.w / 2;
	if (!is_there(h, h->before))
		return;
	draw_line(p, middle, tip_of(c, h, h->before), fmax(1, p->space), 0.6, rgb);
	if (!is_there(h, h->after) || r < 4)
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
	if (!is_there(h, h->after))
		return;
	const struct point tip = tip_of(c, h, h->after);
	struct path end = path_new(p->arena);
	draw_line(p, middle, tip, width, 1, rgb);
	path_circle(&end, tip.x, tip.y, width / 2);
	raster_fill_path(p, &end, rgb, 1);
}

static void draw_dial(struct page *p, const struct dials *d, size_t i, struct area c)
{
	const struct dial_hand *const h = d->at[i].hands;
	const size_t hands = dials_hands(d);
	size_t order[DIAL_HANDS];
	order_hands(d, i, order);
	draw_ring(p, c, is_chosen(d, i));
	for (size_t k = 0; k < hands; k++)
		draw_turn(p, c, &h[k], k);
	for (size_t k = 0; k < DIAL_HANDS; k++)
		if (order[k] < hands)
			draw_hand(p, c, &h[order[k]], order[k]);
	struct path hub = path_new(p->arena);
	path_circle(&hub, c.x + c.w / 2, c.y + c.h / 2, fmin(fmax(1.5, 2.8 * p->space), c.w / 20));
	raster_fill_path(p, &hub, p->theme->ink, 1);
}

/* ---- on cells ----------------------------------------------------------------------------------- */

/* "q" of "query dog"; its number where both names begin with one letter, or with none. */
static char letter_of(const struct dials *d, size_t hand)
{
	char first[DIAL_HANDS] = {0};
	for (size_t i = 0; i < dials_hands(d); i++)
		first[i] = d->names[i] != NULL ? d->names[i][0] : '\0';
	const char c = first[hand];
	const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	return letter && first[0] != first[1] ? c : (char)('1' + (int)hand);
}

static bool has_letters(const struct canvas *c)
{
	return canvas_glyphs(c);
}

static struct dot_ink ink_of(const struct canvas *c, const struct dials *d, size_t hand,
			     bool before)
{
	const uint32_t fg = canvas_series(c, hand);
	return (struct dot_ink){.rank = before ? RANK_BEFORE : RANK_HAND,
				.attrs = before ? ATTR_DIM : ATTR_BOLD,
				.fg = fg,
				.sign = before ? ':' : letter_of(d, hand),
				.every = before			       ? 3
					 : hand == 1 && has_letters(c) ? 2
								       : 1};
}

static void write_hand(const struct stipple *s, const struct dials *d, const struct dial *dial,
		       size_t hand, bool before, struct area circle)
{
	const struct dial_hand *const h = &dial->hands[hand];
	const double angle = before ? h->before : h->after;
	struct dot_ink ink = ink_of(s->c, d, hand, before);
	if (s->c->ascii)
		ink.every = 1;
	if (!is_there(h, angle))
		return;
	/* No dot beyond the ring's. */
	const double x = stipple_dot_width(s) / 2, y = stipple_dot_height(s) / 2;
	const struct area in = {circle.x + x, circle.y + y, circle.w - 2 * x, circle.h - 2 * y};
	stipple_line(s, &ink, tip_of(in, h, angle),
		     (struct point){circle.x + circle.w / 2, circle.y + circle.h / 2});
}

/* Letters at the tips; of two tips in one cell the shorter hand's moves towards the middle. */
static void write_letters(struct canvas *c, const struct dials *d, const struct dial *dial,
			  const size_t *order, struct area circle)
{
	struct point taken = {-1, -1};
	for (size_t k = 0; k < DIAL_HANDS; k++) {
		const size_t hand = order[k];
		const struct dial_hand *const h = &dial->hands[hand];
		if (hand >= dials_hands(d) || !is_there(h, h->after))
			continue;
		struct dial_hand near = *h;
		struct point tip = tip_of(circle, &near, near.after);
		tip = (struct point){fmin(floor(tip.x), circle.x + circle.w - 1),
				     fmin(floor(tip.y), circle.y + circle.h - 1)};
		if ((int)tip.x == (int)taken.x && (int)tip.y == (int)taken.y)
			tip.x += tip.x + 0.5 < circle.x + circle.w / 2 ? 1 : -1;
		const char text[] = {letter_of(d, hand), '\0'};
		canvas_put(c, (int)tip.y, (int)tip.x, text, ATTR_BOLD, canvas_series_text(c, hand),
			   CELL_DEFAULT);
		taken = tip;
	}
}

static void write_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle)
{
	struct canvas *const c = pen->canvas;
	const bool chosen = is_chosen(d, i), letters = has_letters(c);
	const struct rect r = {(int)circle.y, (int)circle.x, (int)circle.h, (int)circle.w};
	const struct stipple s = stipple_new(c, pen->arena, r);
	const struct dot_ink ring = {.rank = RANK_RING,
				     .attrs = chosen ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM,
				     .sign = chosen ? 'o' : '.'};
	size_t order[DIAL_HANDS];
	order_hands(d, i, order);
	stipple_ring(&s, &ring, circle, chosen ? 1 : circle.h < 7 ? 2 : 3);
	for (size_t k = 0; k < DIAL_HANDS; k++)
		if (order[k] < dials_hands(d) && !letters && circle.h >= FINE_ROWS)
			write_hand(&s, d, &d->at[i], order[k], true, circle);
	for (size_t k = 0; k < DIAL_HANDS; k++)
		if (order[k] < dials_hands(d))
			write_hand(&s, d, &d->at[i], order[k], false, circle);
	stipple_draw(&s);
	if (letters)
		write_letters(c, d, &d->at[i], order, circle);
}

void pen_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle)
{
	if (pen->page != NULL)
		draw_dial(pen->page, d, i, circle);
	else
		write_dial(pen, d, i, circle);
	pen_plot(pen, circle);
}

/* ---- whose hands they are ----------------------------------------------------------------------- */

/* A piece of the hand before its name. */
static void sample(const struct pen *pen, const struct dials *d, size_t hand, double x, double y,
		   double width)
{
	struct page *const p = pen->page;
	if (p != NULL) {
		draw_line(p, (struct point){x, y}, (struct point){x + width, y},
			  fmax(1.6, 3 * p->space), 1, figure_series_colour(hand, p->dark));
		return;
	}
	const char letter[] = {letter_of(d, hand), '\0'};
	canvas_put(pen->canvas, (int)floor(y), (int)x, has_letters(pen->canvas) ? letter : "━",
		   ATTR_BOLD, canvas_series(pen->canvas, hand), CELL_DEFAULT);
}

/* The names so that all of them have room: whole, brief, or shortened. */
static double fit_names(const struct pen *pen, const struct dials *d, double width, double each,
			const char **names)
{
	const double hands = (double)dials_hands(d);
	double all = 0;
	for (int form = 0; form < 3 && (form == 0 || all > width); form++) {
		all = 0;
		for (size_t i = 0; i < dials_hands(d); i++) {
			names[i] = form == 0 ? d->names[i] : d->brief_names[i];
			if (names[i] == NULL)
				continue;
			if (form == 2)
				names[i] = pen_fit(pen, ROLE_STRONG, names[i],
						   pen_whole(pen, width / hands - each));
			all += each + pen_measure(pen, names[i]).w;
		}
	}
	return all;
}

double pen_dial_names(const struct pen *pen, const struct dials *d, double x, double y,
		      double width)
{
	const bool page = pen->page != NULL;
	const double own = page ? 3 * pen->em : 1, gap = page ? 0.8 * pen->em : 1;
	const double each = own + gap + (page ? 3 : 2) * pen->em;
	const char *names[DIAL_HANDS];
	const double all = fit_names(pen, d, width, each, names);
	for (size_t i = 0; i < dials_hands(d); i++) {
		if (names[i] == NULL || *names[i] == '\0')
			continue;
		sample(pen, d, i, x, y, own);
		pen_text_series(pen, ROLE_STRONG, i, 0, x + own + gap, y, names[i]);
		x += each + pen_measure(pen, names[i]).w;
	}
	return all;
}
