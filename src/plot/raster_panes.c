/* raster_panes.c: many curves on a page, each in a small plot of its own with common axes and its
 * name above; if plots have no room, a row of colours for each. */
#include "plot/curve_panes.h"
#include "plot/raster_chart.h"
#include "plot/raster_heatmap.h"

#include <math.h>

struct panes {
	struct page *p;
	const struct curves *raw;
	struct curves c; /* as they are shown */
	/* area of the plots, without the numbers and the title of x */
	struct area at;
	struct curve_range x, y;
	struct curve_plots plots;
	double left, name, gap;
	bool own; /* each plot has its own limits of y */
};

/* ---- places -------------------------------------------------------------------------------------- */

static bool divide(struct panes *g)
{
	static const double flat = 1.8, least_wide = 3.5,
			    least_high = 2; /* least sizes in lines of text */
	const double line = g->p->line[FACE_TEXT];
	const struct curve_panes room = {.w = g->at.w,
					 .h = g->at.h,
					 .left = g->left,
					 .gap = g->gap,
					 .around = g->name + g->gap / 2,
					 .own = g->own,
					 .least_w = least_wide * line,
					 .least_h = least_high * line,
					 .flat = flat};
	return curve_panes_divide(&room, g->c.n, g->c.n, &g->plots);
}

static struct area place_of(const struct panes *g, size_t i)
{
	const double row = (double)(i / g->plots.across), col = (double)(i % g->plots.across);
	const double left = g->own ? g->left * (col + 1) : g->left;
	return (struct area){round(g->at.x + left + col * (g->plots.w + g->gap)),
			     round(g->at.y + row * (g->at.h / (double)g->plots.down) + g->name),
			     floor(g->plots.w), floor(g->plots.h)};
}

static void fit_axes(const struct panes *g, size_t i, struct chart *ch)
{
	struct curve_range x, own;
	const bool any = curve_ranges(&g->raw->series[i], 1, true, &x, &own);
	*ch = (struct chart){.x = g->x, .raw = g->raw, .c = &g->c, .from = i, .to = i + 1};
	raster_chart_fit_y(g->p, ch, g->own && any ? own : g->y, g->plots.h);
}

/* Plans twice, because numbers take room from plots, and the size of plots determines the number of
 * numbers. */
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

/* Returns the name of a curve with the labels of its marks, for example the limit of its
 * training. */
static const char *name_of(const struct panes *g, enum face face, size_t i)
{
	const char *name = raster_chart_name(g->p, face, &g->c.series[i], g->plots.w);
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
	const bool strong = g->c.marked ? g->c.marked[i] : s->active;
	const enum face face = strong ? FACE_BOLD : FACE_TEXT;
	struct chart ch;
	fit_axes(g, i, &ch);
	ch.plot = place_of(g, i);
	raster_chart_fit_x(p, &ch, ch.plot.w);
	raster_plot(p, ch.plot, true);
	raster_chart_axes(p, &ch, g->own || i % g->plots.across == 0, i + g->plots.across >= g->c.n,
			  ch.plot.x + ch.plot.w + g->gap / 2);
	raster_chart_draw(p, &ch);
	raster_marks(p, &ch);
	raster_text_put(p, face, colour_text(rgb, p->paper), 0, ch.plot.x, ch.plot.y - g->name,
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
		raster_tile(g->p, (struct area){from, row.y, fmax(1, to - from), row.h},
			    colormap_rgb(g->raw->colormap, scale_at(scale, s->y[k] / unit, NULL)));
	}
}

/* The words beside the bar of colours: its limits, and the mode of the scale. */
struct bar_words {
	const char *text[3]; /* at the top, the middle and the bottom */
	double w;
};

static struct bar_words bar_words(const struct panes *g, const struct scale *scale)
{
	struct page *const p = g->p;
	double lo, hi;
	scale_part_limits(scale, &lo, &hi);
	const double top[] = {raster_three_digits(hi)}, bottom[] = {raster_three_digits(lo)};
	struct bar_words words = {.text = {scale_tick_labels(p->arena, top, 1, true)[0],
					   scale->mode == SCALE_SYMLOG
						   ? scale_mode_names[scale->mode]
					   : g->raw->spread == CURVES_OWN ? "of each"
									  : "",
					   scale_tick_labels(p->arena, bottom, 1, true)[0]}};
	for (size_t i = 0; i < 3; i++)
		words.w = fmax(words.w, raster_text_measure(p, FACE_TEXT, words.text[i]).w);
	return words;
}

static void draw_bar(const struct panes *g, struct area bar, const struct scale *scale,
		     const struct bar_words *words)
{
	enum { STEPS = 64 };
	struct page *const p = g->p;
	double from, to;
	scale_part(scale, &from, &to);
	uint32_t colours[STEPS];
	for (int i = 0; i < STEPS; i++)
		colours[i] = colormap_rgb(g->raw->colormap, from + (to - from) * i / (STEPS - 1));
	raster_stripes(p, bar, colours, STEPS, true);
	for (size_t i = 0; i < 3; i++)
		raster_text_mid(p, FACE_TEXT, p->theme->second, 0, bar.x + bar.w + 6 * p->space,
				bar.y + bar.h * (double)i / 2, words->text[i]);
}

/* Draws the names that have room, with that of the active curve among them. */
static void draw_row_names(const struct panes *g, const struct chart *ch, const char **names)
{
	struct page *const p = g->p;
	const size_t n = g->c.n;
	const size_t every = (size_t)fmax(1, ceil(p->line[FACE_TEXT] * (double)n / ch->plot.h));
	size_t active = 0;
	for (size_t i = 0; i < n; i++)
		active = g->c.series[i].active ? i : active;
	for (size_t i = active % every; i < n; i += every)
		raster_text_mid(p, i == active ? FACE_BOLD : FACE_TEXT,
				i == active ? p->theme->ink : p->theme->second, 1,
				ch->plot.x - 8 * p->space,
				ch->plot.y + ch->plot.h * ((double)i + 0.5) / (double)n, names[i]);
}

static void draw_rows(struct panes *g)
{
	struct page *const p = g->p;
	const size_t n = g->c.n;
	const double line = p->line[FACE_TEXT], gap = 14 * p->space, bar = 10 * p->space;
	const struct scale scale = curve_row_scale(g->raw, g->y);
	const struct bar_words words = bar_words(g, &scale);
	struct size most;
	const char **names = arena_calloc(p->arena, n + 1, sizeof *names);
	for (size_t i = 0; i < n; i++) {
		const char *const name = g->c.series[i].label;
		names[i] =
			curve_row_name(p->arena, g->raw, &g->c.series[i], name ? name : "", false);
	}
	names = raster_text_labels(p, FACE_BOLD, names, n, 0, g->at.w * 0.3, &most);
	const double left = ceil(most.w + 10 * p->space);
	const double right = gap + bar + 6 * p->space + words.w;
	struct chart ch = {.x = {g->x.lo - 0.5, g->x.hi + 0.5}, .raw = g->raw, .c = &g->c};
	ch.plot = (struct area){round(g->at.x + left), round(g->at.y + line / 2),
				fmax(1, floor(g->at.w - left - right)),
				fmax(1, floor(g->at.h - line / 2))};
	raster_plot(p, ch.plot, true);
	for (size_t i = 0; i < n; i++) {
		const double from = raster_plan_edge(ch.plot.y, ch.plot.h, i, n, 1);
		const double to = raster_plan_edge(ch.plot.y, ch.plot.h, i + 1, n, 1);
		draw_row(g, i, (struct area){ch.plot.x, from, ch.plot.w, to - from}, &scale);
	}
	draw_row_names(g, &ch, names);
	raster_chart_fit_x(p, &ch, ch.plot.w);
	raster_chart_axes(p, &ch, false, true, ch.plot.x + ch.plot.w);
	draw_bar(g, (struct area){ch.plot.x + ch.plot.w + gap, ch.plot.y, bar, ch.plot.h}, &scale,
		 &words);
}

void raster_panes(struct page *p, const struct curves *c, struct area at)
{
	enum { COLUMN = 5 }; /* the width in which the eye sees one point of a curve */
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
	curve_reach(c, &g.x);
	/* The numbers at the ends of neighbouring axes must not touch. */
	const char **const ends =
		scale_tick_labels(p->arena, (const double[]){g.x.lo, g.x.hi}, 2, false);
	const double half = raster_text_measure(p, FACE_TEXT, ends[0]).w / 2 +
			    raster_text_measure(p, FACE_TEXT, ends[1]).w / 2;
	g.gap = fmax(g.gap, half + 8 * p->space);
	const bool plots = plan(&g);
	if (plots) {
		curves_smooth(p->arena, c, (size_t)fmax(1, g.plots.w / (COLUMN * p->space)), &g.c);
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
				raster_chart_title(p, c->x_title, at.w));
	if (plots && c->spread == CURVES_SYMLOG)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x, at.y + at.h - line,
				scale_mode_names[SCALE_SYMLOG]);
}
