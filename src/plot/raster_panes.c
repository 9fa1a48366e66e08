/* raster_panes.c: many curves on a page: each in a small plot of its own on common axes, its name above
 * it; where these have no room, a row of colours for each. */
#include "plot/raster_chart.h"

#include <math.h>

struct panes {
	struct page *p;
	const struct curves *raw;
	struct curves c; /* as they are shown */
	struct area at;	 /* for the plots, without the numbers of x and their title */
	struct curve_range x, y;
	size_t down, across;
	double wide, high; /* of a plot with what stands around it */
	double left, name, gap;
	bool own; /* limits of y */
};

/* ---- places -------------------------------------------------------------------------------------- */

/* The rows in which plots are largest, a plot being FLAT times as wide as high at most; false: none
 * leaves them large enough. */
static bool divide(struct panes *g)
{
	static const double flat = 1.8, least_wide = 3.5, least_high = 2; /* lines of text */
	const size_t n = g->c.n;
	const double line = g->p->line[FACE_TEXT];
	double best = 0;
	for (size_t down = 1; down <= n; down++) {
		const size_t across = (n + down - 1) / down;
		const double left = g->own ? g->left * (double)across : g->left;
		const double wide = (g->at.w - left + g->gap) / (double)across - g->gap;
		const double high = g->at.h / (double)down - g->name - g->gap / 2;
		const double size = fmin(wide, flat * high);
		if (wide < least_wide * line || high < least_high * line || size <= best)
			continue;
		best = size;
		g->down = down;
		g->across = across;
		g->wide = wide;
		g->high = high;
	}
	return best > 0;
}

static struct area place_of(const struct panes *g, size_t i)
{
	const double row = (double)(i / g->across), col = (double)(i % g->across);
	const double left = g->own ? g->left * (col + 1) : g->left;
	return (struct area){round(g->at.x + left + col * (g->wide + g->gap)),
			     round(g->at.y + row * (g->at.h / (double)g->down) + g->name),
			     floor(g->wide), floor(g->high)};
}

static void fit_axes(const struct panes *g, size_t i, struct chart *ch)
{
	struct curve_range x, own;
	const bool any = curve_ranges(&g->raw->series[i], 1, true, &x, &own);
	*ch = (struct chart){.x = g->x, .raw = g->raw, .c = &g->c, .from = i, .to = i + 1};
	raster_chart_fit_y(g->p, ch, g->own && any ? own : g->y, g->high);
}

/* Numbers take room from plots, and plots decide how many numbers there are. */
static bool plan(struct panes *g)
{
	g->left = 40 * g->p->space;
	for (int pass = 0; pass < 2; pass++) {
		if (!divide(g))
			return false;
		double left = 0;
		for (size_t i = 0; i < g->c.n; i++) {
			struct chart ch;
			fit_axes(g, i, &ch);
			left = fmax(left, raster_chart_y_width(g->p, &ch));
		}
		g->left = left;
	}
	return divide(g);
}

/* ---- plots --------------------------------------------------------------------------------------- */

/* With where it leaves what training showed. */
static const char *name_of(const struct panes *g, enum face face, size_t i)
{
	const char *name = raster_chart_name(g->p, face, &g->c.series[i], g->wide);
	for (size_t k = 0; k < g->c.n_marks; k++)
		if (g->c.marks[k].series == i && g->c.marks[k].label)
			name = arena_printf(g->p->arena, "%s, %s", name, g->c.marks[k].label);
	return name;
}

static void draw_pane(const struct panes *g, size_t i)
{
	struct page *const p = g->p;
	const struct series *const s = &g->c.series[i];
	const uint32_t rgb = figure_series_colour(s->colour, p->dark);
	const enum face face = s->active ? FACE_BOLD : FACE_TEXT;
	struct chart ch;
	fit_axes(g, i, &ch);
	ch.plot = place_of(g, i);
	raster_chart_fit_x(p, &ch, ch.plot.w);
	raster_plot(p, ch.plot);
	raster_chart_axes(p, &ch, g->own || i % g->across == 0, i + g->across >= g->c.n,
			  ch.plot.x + ch.plot.w + g->gap / 2);
	raster_chart_draw(p, &ch);
	raster_marks(p, &ch);
	raster_text_put(p, face, raster_text_ink(p, rgb), 0, ch.plot.x, ch.plot.y - g->name,
			raster_text_fit(p, face, name_of(g, face, i), ch.plot.w));
}

/* ---- rows of colours ----------------------------------------------------------------------------- */

static void draw_row(const struct panes *g, size_t i, struct area row, const struct scale *scale)
{
	const struct series *const s = &g->raw->series[i];
	const double all = g->x.hi - g->x.lo + 1, unit = curve_row_unit(g->raw, s);
	for (size_t k = 0; k < s->n; k++) {
		if (!isfinite(s->y[k]))
			continue;
		const double from = round(row.x + (s->x[k] - g->x.lo) / all * row.w);
		const double to = round(row.x + (s->x[k] + 1 - g->x.lo) / all * row.w);
		raster_rect(g->p, (struct area){from, row.y, fmax(1, to - from), row.h},
			    colormap_rgb(g->raw->colormap, scale_at(scale, s->y[k] / unit, NULL)));
	}
}

/* Colours and their limits, right of the rows; and how values are spread. */
static void draw_bar(const struct panes *g, struct area bar, const struct scale *scale)
{
	enum { STEPS = 64 };
	struct page *const p = g->p;
	const double x = bar.x + bar.w + 6 * p->space;
	double ends[2], from, to;
	scale_part(scale, &from, &to);
	scale_part_limits(scale, &ends[0], &ends[1]);
	for (int i = 0; i < STEPS; i++) {
		const double top = round(bar.y + bar.h * i / STEPS);
		raster_rect(p,
			    (struct area){bar.x, top, bar.w,
					  round(bar.y + bar.h * (i + 1) / STEPS) - top},
			    colormap_rgb(g->raw->colormap, to - (to - from) * i / (STEPS - 1)));
	}
	for (size_t i = 0; i < 2; i++) {
		const double shown[] = {raster_three_digits(ends[1 - i])};
		raster_text_mid(p, FACE_TEXT, p->theme->second, 0, x, bar.y + bar.h * (double)i,
				scale_tick_labels(p->arena, shown, 1, true)[0]);
	}
	raster_text_mid(p, FACE_TEXT, p->theme->second, 0, x, bar.y + bar.h / 2,
			scale->mode == SCALE_SYMLOG    ? scale_mode_names[scale->mode]
			: g->raw->spread == CURVES_OWN ? "of each"
						       : "");
}

static void draw_rows(struct panes *g)
{
	struct page *const p = g->p;
	const size_t n = g->c.n;
	const double line = p->line[FACE_TEXT], bar = 64 * p->space;
	const struct scale scale = curve_row_scale(g->raw, g->y);
	struct size most;
	const char **labels = arena_calloc(p->arena, n + 1, sizeof *labels);
	size_t active = 0;
	for (size_t i = 0; i < n; i++) {
		const char *const name = g->c.series[i].label;
		labels[i] = curve_row_name(p->arena, g->raw, &g->c.series[i], name ? name : "");
		active = g->c.series[i].active ? i : active;
	}
	labels = raster_text_labels(p, FACE_BOLD, labels, n, 0, g->at.w * 0.3, &most);
	const double left = ceil(most.w + 10 * p->space), top = round(g->at.y + line / 2);
	const double all = floor(g->at.h - line / 2), high = fmax(all / (double)n, LEAST_PITCH);
	const size_t every = (size_t)fmax(1, ceil(line / high));
	struct chart ch = {.x = {g->x.lo - 0.5, g->x.hi + 0.5}, .raw = g->raw, .c = &g->c};
	ch.plot = (struct area){round(g->at.x + left), top, fmax(1, floor(g->at.w - left - bar)),
				fmax(1, all)};
	raster_plot(p, ch.plot);
	for (size_t i = 0; i < n; i++) {
		const struct series *const s = &g->c.series[i];
		const double from = raster_plan_edge(top, ch.plot.h, i, n);
		const struct area row = {ch.plot.x, from, ch.plot.w,
					 raster_plan_edge(top, ch.plot.h, i + 1, n) - from};
		draw_row(g, i, row, &scale);
		/* The active one's is among them. */
		if (i % every == active % every)
			raster_text_mid(p, s->active ? FACE_BOLD : FACE_TEXT,
					s->active ? p->theme->ink : p->theme->second, 1,
					row.x - 8 * p->space, row.y + row.h / 2, labels[i]);
	}
	raster_chart_fit_x(p, &ch, ch.plot.w);
	raster_chart_axes(p, &ch, false, true, ch.plot.x + ch.plot.w);
	draw_bar(
		g,
		(struct area){ch.plot.x + ch.plot.w + 14 * p->space, top, 10 * p->space, ch.plot.h},
		&scale);
}

void raster_panes(struct page *p, const struct curves *c, struct area at)
{
	enum { COLUMN = 5 }; /* what the eye takes for one place of a curve */
	const double line = p->line[FACE_TEXT];
	struct panes g = {.p = p,
			  .raw = c,
			  .c = *c,
			  .name = line + 3 * p->space,
			  .gap = 14 * p->space,
			  .own = c->spread == CURVES_OWN};
	const bool x_title = c->x_title && *c->x_title;
	const double bottom = line + raster_chart_under(p) + (x_title ? line + 2 * p->space : 0);
	g.at = (struct area){at.x, at.y, at.w, fmax(1, at.h - bottom)};
	curve_ranges(c->series, c->n, true, &g.x, &g.y);
	/* The numbers at the ends of two axes beside each other stand apart. */
	const char **const ends =
		scale_tick_labels(p->arena, (const double[]){g.x.lo, g.x.hi}, 2, false);
	const double half = raster_text_measure(p, FACE_TEXT, ends[0]).w / 2 +
			    raster_text_measure(p, FACE_TEXT, ends[1]).w / 2;
	g.gap = fmax(g.gap, half + 8 * p->space);
	const bool plots = plan(&g);
	if (plots) {
		curves_smooth(p->arena, c, (size_t)fmax(1, g.wide / (COLUMN * p->space)), &g.c);
		for (size_t i = 0; i < c->n; i++)
			draw_pane(&g, i);
	} else if (c->colormap && c->integer_x) {
		draw_rows(&g);
	} else {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true,
				 arena_printf(p->arena, "no room for %zu curves", c->n));
		return;
	}
	if (x_title)
		raster_text_put(p, FACE_TEXT, p->theme->second, 1, at.x + at.w, at.y + at.h - line,
				raster_text_fit(p, FACE_TEXT, c->x_title, at.w));
	if (plots && c->spread == CURVES_SYMLOG)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x, at.y + at.h - line,
				scale_mode_names[SCALE_SYMLOG]);
}
