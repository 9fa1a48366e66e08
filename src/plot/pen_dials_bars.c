/* pen_dials_bars.c: the addend of each dial, before rotation and after, as two bars from a line of
 * zero; on a page, all of them on one scale. */
#include <math.h>

#include "plot/pen_dials.h"

/* Lines from the end of a bar to the far end of its number. */
static const double FIGURE = 1.15;

/* The positions and the scale of the bars. */
struct ground {
	const struct dials_plan *p;
	double zero, unit, wide; /* y of zero; the length of value 1; the width of a bar */
	double apart;		 /* the distance of a dial's bars from its middle */
	bool both;		 /* a column has room for both numbers */
};

static double or_nothing(double value)
{
	return isfinite(value) ? value : 0;
}

/* Returns the width of the widest number. */
static double figure_width(const struct dials_plan *p)
{
	double most = 0;
	for (size_t i = p->first; i < p->first + p->shown; i++) {
		const struct dial *const k = &p->d->at[i];
		most = fmax(
			most,
			pen_measure(p->pen, dials_value(p->pen->arena, p->d, k->before, false)).w);
		most = fmax(
			most,
			pen_measure(p->pen, dials_value(p->pen->arena, p->d, k->after, false)).w);
	}
	return most;
}

static struct ground ground_of(const struct dials_plan *p, struct area at)
{
	double up = 0, down = 0;
	for (size_t i = p->first; i < p->first + p->shown; i++) {
		const double values[] = {or_nothing(p->d->at[i].before),
					 or_nothing(p->d->at[i].after)};
		for (size_t k = 0; k < 2; k++) {
			up = fmax(up, values[k]);
			down = fmax(down, -values[k]);
		}
	}
	/* Numbers are beyond the ends of bars; a line below zero is reserved for them even without
	 * negative values. */
	const double line = FIGURE * p->pen->line, room = fmax(0, at.h - 2 * line), all = up + down;
	return (struct ground){.p = p,
			       .zero = round(at.y + line + (all > 0 ? room * up / all : room / 2)),
			       .unit = all > 0 ? room / all : 0,
			       .wide = fmin(0.16 * p->pitch, 32 * p->pen->unit)};
}

/* Draws a bar from the line of zero; a value of zero is a hairline. */
static void draw_bar(const struct ground *g, double x, double value, bool after)
{
	const struct colormap *const map = g->p->d->colormap;
	const double length = or_nothing(value) * g->unit, high = fmax(fabs(length), 1);
	const struct area at = {x - g->wide / 2, length > 0 ? g->zero - high : g->zero, g->wide,
				high};
	const double part = dials_most(g->p->d) > 0 ? or_nothing(value) / dials_most(g->p->d) : 0;
	/* Weaker colours would be hard to distinguish from the page. */
	const double shown = copysign(fmax(fabs(part), 0.45), part);
	if (isnan(value))
		return;
	pen_block(g->p->pen, after ? map : NULL, (1 + shown) / 2, at);
}

static void draw_figure(const struct ground *g, double x, double value, double end, bool after)
{
	const struct pen *const pen = g->p->pen;
	const double y = end < 0 ? g->zero - end * g->unit + 0.6 * pen->line
				 : g->zero - end * g->unit - 0.6 * pen->line;
	pen_text(pen, after ? ROLE_STRONG : ROLE_QUIET, 0.5, x, y,
		 dials_value(pen->arena, g->p->d, value, false));
}

void dials_bars(const struct dials_plan *p, size_t first, size_t n, struct area at)
{
	struct ground g = ground_of(p, at);
	const double figure = figure_width(p), between = 0.6 * p->pen->em;
	g.both = 2 * (figure + between) <= p->pitch;
	g.apart = g.both ? fmax(fmin(0.145 * p->pitch, g.wide), (figure + between) / 2)
			 : 0.1 * p->pitch;
	bool was = false;
	for (size_t i = p->first; i < p->first + p->shown; i++)
		was |= !isnan(p->d->at[i].before);
	g.apart = was ? g.apart : 0; /* a single bar is centred below its dial */
	for (size_t k = 0; k < n; k++) {
		const struct dial *const d = &p->d->at[first + k];
		const double x = at.x + ((double)k + 0.5) * p->pitch;
		const double before = or_nothing(d->before), after = or_nothing(d->after);
		/* A single number is beyond both bars. */
		const double end = g.both || before * after < 0 ? after
				   : after < 0			? fmin(before, after)
								: fmax(before, after);
		draw_bar(&g, x - g.apart, d->before, false);
		draw_bar(&g, x + g.apart, d->after, true);
		if (g.both)
			draw_figure(&g, x - g.apart, d->before, before, false);
		draw_figure(&g, g.both ? x + g.apart : x, d->after, end, true);
	}
	pen_level(p->pen, g.zero, at.x, at.x + at.w);
}
