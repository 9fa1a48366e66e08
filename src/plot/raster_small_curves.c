/* raster_small_curves.c: many small curves on paper, on common axes: names of rows and columns at the sides of a grid,
 * else a name in each; numbers of x below the last row, of y beside the first column. */
#include "plot/raster_heatmap.h"

#include <math.h>

#include "posviz/base/num.h"
#include "posviz/plot/scale.h"

struct plan {
	const struct multiples *m;
	size_t across, down;
	double left, top, foot; /* room of names and numbers; of the words below */
	double gap, line;
	struct size plot;
	double y0, y1;
};

static void limits(const double *y, size_t n, struct plan *l)
{
	for (size_t k = 0; y != NULL && k < n; k++) {
		l->y0 = isfinite(y[k]) ? fmin(l->y0, y[k]) : l->y0;
		l->y1 = isfinite(y[k]) ? fmax(l->y1, y[k]) : l->y1;
	}
}

/* Returns the number in a row for plots about twice as wide as high. */
static size_t choose_across(const struct multiples *m, struct area at)
{
	size_t best = 1;
	double least = INFINITY;
	for (size_t n = 1; n <= m->n; n++) {
		const double w = at.w / (double)n, h = at.h / ceil((double)m->n / (double)n);
		const double off = fabs(log(w / h / 1.8));
		if (off < least) {
			least = off;
			best = n;
		}
	}
	return best;
}

static struct plan plan_of(struct page *p, const struct multiples *m, struct area at)
{
	struct plan l = {.m = m, .line = p->line[FACE_TEXT], .gap = 6 * p->space};
	for (size_t i = 0; i < m->n; i++) {
		limits(m->items[i].curve, m->n_x, &l);
		limits(m->items[i].beside, m->n_x, &l);
	}
	if (l.y1 - l.y0 < 1e-12)
		l.y1 = l.y0 + 1;
	l.across = m->across ? m->across : choose_across(m, at);
	l.down = (m->n + l.across - 1) / l.across;
	double names = 0;
	for (size_t r = 0; m->row_names != NULL && r < l.down; r++)
		names = fmax(names, raster_text_measure(p, FACE_TEXT, m->row_names[r]).w);
	l.left = names + raster_text_measure(p, FACE_TEXT, "−2.5").w + 14 * p->space;
	l.top = m->col_names != NULL ? p->line[FACE_BOLD] + 4 * p->space : 0;
	l.foot = 2 * l.line + 10 * p->space;
	l.plot.w = fmax(1, (at.w - l.left) / (double)l.across - l.gap);
	l.plot.h = fmax(1, (at.h - l.top - l.foot) / (double)l.down - l.gap);
	return l;
}

static struct area plot_at(const struct plan *l, struct area at, size_t i)
{
	return (struct area){at.x + l->left + (double)(i % l->across) * (l->plot.w + l->gap),
			     at.y + l->top + (double)(i / l->across) * (l->plot.h + l->gap),
			     l->plot.w, l->plot.h};
}

static double x_at(const struct multiples *m, struct area plot, double x)
{
	const double first = m->x[0], last = m->x[m->n_x - 1];
	return last > first ? plot.x + (x - first) / (last - first) * plot.w : plot.x + plot.w / 2;
}

static double y_at(const struct plan *l, struct area plot, double y)
{
	return plot.y + (l->y1 - y) / (l->y1 - l->y0) * plot.h;
}

static void draw_curve(struct page *p, const struct plan *l, const double *y, struct area plot,
		       uint32_t ink, double width)
{
	struct path line = path_new(p->arena);
	for (size_t k = 0; k < l->m->n_x; k++)
		if (isfinite(y[k]))
			path_line(&line, x_at(l->m, plot, l->m->x[k]), y_at(l, plot, y[k]));
	raster_stroke_path(p, &line, ink, 1, width);
}

static void draw_item(struct page *p, const struct plan *l, size_t i, struct area plot)
{
	const struct multiples *const m = l->m;
	const struct multiple *const item = &m->items[i];
	const double zero = y_at(l, plot, 0), x0 = x_at(m, plot, 0);
	const double bottom = plot.y + plot.h, right = plot.x + plot.w;
	raster_line(p, plot.x, zero, right, zero, 1, p->theme->hair);
	if (x0 > plot.x + 1 && x0 < right - 1)
		raster_line(p, x0, plot.y, x0, bottom, 1, p->theme->hair);
	raster_line(p, plot.x, plot.y, plot.x, bottom, 1, p->theme->hair);
	raster_line(p, plot.x, bottom, right, bottom, 1, p->theme->hair);
	if (item->beside != NULL)
		draw_curve(p, l, item->beside, plot, figure_series_colour(1, p->dark),
			   fmax(1, p->space));
	draw_curve(p, l, item->curve, plot, p->theme->ink, fmax(1, 1.5 * p->space));
	const char *text = item->facts != NULL && m->n_facts > 0 ? item->facts[0] : "";
	if (m->row_names == NULL)
		text = arena_printf(p->arena, "%s %s", item->name, text);
	if (raster_text_measure(p, FACE_TEXT, text).w <= plot.w && l->line <= plot.h / 2)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, plot.x + 3 * p->space, plot.y,
				text);
}

/* The first and the last x, below a plot of the last row. */
static void draw_x(struct page *p, const struct plan *l, struct area plot)
{
	const struct multiples *const m = l->m;
	const double y = plot.y + plot.h + 3 * p->space;
	char first[32], last[32];
	num_show(first, sizeof first, m->x[0], 6);
	num_show(last, sizeof last, m->x[m->n_x - 1], 6);
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, plot.x, y, first);
	if (raster_text_measure(p, FACE_TEXT, first).w + raster_text_measure(p, FACE_TEXT, last).w +
		    8 * p->space <=
	    plot.w)
		raster_text_put(p, FACE_TEXT, p->theme->second, 1, plot.x + plot.w - l->gap, y,
				last);
}

/* The numbers of y and the name of a row, at the left of its first plot. */
static void draw_y(struct page *p, const struct plan *l, struct area at, size_t row,
		   struct area plot)
{
	double ticks[4];
	const size_t n = scale_ticks(l->y0, l->y1, plot.h < 4 * l->line ? 2 : 4, ticks);
	const char **const texts = scale_tick_labels(p->arena, ticks, n, false);
	double end = INFINITY;
	for (size_t k = 0; k < n; k++) {
		const double y = y_at(l, plot, ticks[k]);
		if (y + l->line / 2 > end || y < plot.y || y > plot.y + plot.h)
			continue;
		raster_text_mid(p, FACE_TEXT, p->theme->second, 1, plot.x - 4 * p->space, y,
				texts[k]);
		end = y - l->line / 2;
	}
	if (l->m->row_names != NULL)
		raster_text_mid(p, FACE_TEXT, p->theme->ink, 0, at.x, plot.y + plot.h / 2,
				l->m->row_names[row]);
}

/* The foot names the x axis and each line of the curves. */
static void draw_foot(struct page *p, const struct plan *l, struct area at)
{
	const struct multiples *const m = l->m;
	const double y = at.y + at.h - l->line;
	double x = at.x + l->left;
	raster_text_put(p, FACE_TEXT, p->theme->second, 1, at.x + at.w, y, m->y_title);
	if (m->beside_title == NULL)
		return;
	const double middle = y + l->line / 2, length = 24 * p->space;
	raster_line(p, x, middle, x + length, middle, fmax(1, 1.5 * p->space), p->theme->ink);
	x += length + 6 * p->space;
	raster_text_put(p, FACE_TEXT, p->theme->ink, 0, x, y, m->what);
	x += raster_text_measure(p, FACE_TEXT, m->what).w + 20 * p->space;
	raster_line(p, x, middle, x + length, middle, fmax(1, p->space),
		    figure_series_colour(1, p->dark));
	raster_text_put(p, FACE_TEXT, p->theme->ink, 0, x + length + 6 * p->space, y,
			m->beside_title);
}

void raster_small_curves(struct page *p, const struct multiples *m, struct area at)
{
	const struct plan l = plan_of(p, m, at);
	for (size_t i = 0; i < m->n; i++) {
		const struct area plot = plot_at(&l, at, i);
		draw_item(p, &l, i, plot);
		if (i + l.across >= m->n)
			draw_x(p, &l, plot);
		if (i % l.across == 0)
			draw_y(p, &l, at, i / l.across, plot);
		if (i < l.across && m->col_names != NULL)
			raster_text_put(p, FACE_BOLD, p->theme->ink, 0.5, plot.x + plot.w / 2, at.y,
					m->col_names[i]);
	}
	draw_foot(p, &l, at);
}
