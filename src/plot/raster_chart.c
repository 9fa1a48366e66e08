/* raster_chart.c: axes, bands and curves inside one plot of a page. */
#include "plot/raster_chart.h"

#include <math.h>
#include <string.h>

double raster_chart_x(const struct chart *ch, double x)
{
	return ch->plot.x + curve_x_at(ch->c, ch->x, x) * ch->plot.w;
}

double raster_chart_y(const struct chart *ch, double y)
{
	return ch->plot.y + ch->plot.h * (1 - curve_axis_at(&ch->y, y));
}

bool raster_chart_strong(const struct chart *ch, const struct series *s)
{
	if (ch->c->marked)
		return ch->c->marked[s - ch->c->series];
	return !ch->any_active || s->active;
}

/* Returns the opacity of a series. */
static double alpha_of(const struct chart *ch, const struct series *s)
{
	const bool strong = raster_chart_strong(ch, s);
	return strong ? 1 : ch->c->marked ? 0.35 : 0.55;
}

const char *raster_chart_name(struct page *p, enum face face, const struct series *s, double width)
{
	const char *const label = s->label ? s->label : "", *const parted = *label ? ", " : "";
	if (s->mean_of == 0)
		return raster_text_fit(p, face, label, width);
	const char *const forms[] = {
		arena_printf(p->arena, "%s%ssmoothed: mean of %zu", label, parted, s->mean_of),
		arena_printf(p->arena, "%s%smean of %zu", label, parted, s->mean_of),
		arena_printf(p->arena, "%s%smean %zu", label, parted, s->mean_of),
		arena_printf(p->arena, "%s%smean %zu", s->brief ? s->brief : label, parted,
			     s->mean_of),
		/* The whole name is better than a cut name with "mean": the curve itself is visible
		 * behind its mean. */
		*label ? label : arena_printf(p->arena, "mean %zu", s->mean_of),
		s->brief ? s->brief : label};
	const size_t last = sizeof forms / sizeof *forms - 1;
	size_t form = 0;
	while (form < last && raster_text_measure(p, face, forms[form]).w > width)
		form++;
	return raster_text_fit(p, face, forms[form], width);
}

const char *raster_chart_title(struct page *p, const char *title, double width)
{
	const char *const comma = strstr(title, ", ");
	const bool fits = raster_text_measure(p, FACE_TEXT, title).w <= width;
	return raster_text_fit(p, FACE_TEXT, fits || comma == NULL ? title : comma + 2, width);
}

/* ---- axes ---------------------------------------------------------------------------------------- */

static double widest(struct page *p, const char *const *texts, size_t n)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, raster_text_measure(p, FACE_TEXT, texts[i]).w);
	return most;
}

void raster_chart_fit_y(struct page *p, struct chart *ch, struct curve_range y, double height)
{
	const double wanted = floor(height / (p->line[FACE_TEXT] * 1.9)) + 1;
	curve_axis_fit(&ch->y, p->arena, ch->c, y, wanted < 5 ? (size_t)fmax(wanted, 3) : 5, false);
}

void raster_chart_fit_x(struct page *p, struct chart *ch, double width)
{
	/* Named points are all named if they have room. */
	const size_t named = ch->c->n_places <= CHART_TICKS ? ch->c->n_places : 0;
	for (size_t most = named > 5 ? named : 5; most >= 2; most--) {
		ch->x_n = curve_x_ticks(ch->c, ch->x, most, ch->x_at);
		ch->x_text = curve_x_labels(p->arena, ch->c, ch->x_at, ch->x_n, false);
		const double wide = widest(p, ch->x_text, ch->x_n) + 16 * p->space;
		const double pitch = ch->x_n < 2 ? width
						 : (curve_x_at(ch->c, ch->x, ch->x_at[1]) -
						    curve_x_at(ch->c, ch->x, ch->x_at[0])) *
							   width;
		if (wide <= pitch)
			return;
	}
	ch->x_n = ch->x_n > 0 ? 1 : 0;
}

double raster_chart_y_width(struct page *p, const struct chart *ch)
{
	return ceil(widest(p, ch->y.labels, ch->y.n) + 10 * p->space);
}

/* The numbers of x must be half a line below the lowest number of y. */
double raster_chart_under(const struct page *p)
{
	return fmax(8 * p->space, p->line[FACE_TEXT] * 0.55);
}

void raster_chart_axes(struct page *p, const struct chart *ch, bool y_text, bool x_text,
		       double right)
{
	const struct area a = ch->plot;
	for (size_t i = 0; i < ch->y.n; i++) {
		const double y = raster_chart_y(ch, ch->y.at[i]);
		raster_line(p, a.x, y, a.x + a.w, y, 1,
			    ch->y.at[i] == 0 ? p->theme->axis : p->theme->hair);
		if (y_text)
			raster_text_mid(p, FACE_TEXT, p->theme->second, 1, a.x - 8 * p->space, y,
					ch->y.labels[i]);
	}
	raster_line(p, a.x, a.y + a.h, a.x + a.w, a.y + a.h, 1, p->theme->hair);
	if (ch->from < ch->to && ch->x.lo < 0 && ch->x.hi > 0)
		raster_line(p, raster_chart_x(ch, 0), a.y, raster_chart_x(ch, 0), a.y + a.h, 1,
			    p->theme->hair);
	for (size_t i = 0; i < ch->c->n_marks; i++) {
		const double x = raster_chart_x(ch, ch->c->marks[i].x);
		if (ch->c->marks[i].upright && x >= a.x && x <= a.x + a.w)
			raster_dashed(p, x, a.y, x, a.y + a.h, 1, p->theme->second, 4 * p->space,
				      3 * p->space);
	}
	for (size_t i = 0; x_text && i < ch->x_n; i++) {
		const double x = raster_chart_x(ch, ch->x_at[i]);
		const double half = raster_text_measure(p, FACE_TEXT, ch->x_text[i]).w / 2;
		raster_line(p, x, a.y + a.h, x, a.y + a.h + 4 * p->space, 1, p->theme->axis);
		/* The last number may not go beyond the panel. */
		if (!raster_pointed_over(p, ch, x - half, x + half))
			raster_text_put(p, FACE_TEXT, p->theme->second, 0.5, fmin(x, right - half),
					a.y + a.h + raster_chart_under(p), ch->x_text[i]);
	}
	if (x_text)
		raster_pointed_places(p, ch, right);
}

/* ---- curves -------------------------------------------------------------------------------------- */

static void draw_band(struct page *p, const struct chart *ch, const struct series *s)
{
	if (s->lo == NULL || s->hi == NULL || s->mean_of > 0)
		return;
	for (size_t from = 0; from < s->n;) {
		size_t to = from;
		struct path path = path_new(p->arena);
		while (to < s->n && isfinite(s->lo[to]) && isfinite(s->hi[to]) &&
		       isfinite(s->y[to]))
			to++;
		for (size_t k = from; k < to; k++)
			path_line(&path, raster_chart_x(ch, s->x[k]), raster_chart_y(ch, s->hi[k]));
		for (size_t k = to; k-- > from;)
			path_line(&path, raster_chart_x(ch, s->x[k]), raster_chart_y(ch, s->lo[k]));
		path_close(&path);
		if (path.n > 0)
			raster_fill_path(p, &path, figure_series_colour(s->colour, p->dark), 0.15);
		from = to + 1;
	}
}

double raster_chart_pen(const struct page *p)
{
	const double least = 0.8;
	return fmax(p->space, least);
}

static void draw_line(struct page *p, const struct chart *ch, const struct series *s, size_t colour,
		      double width, double alpha)
{
	struct path path = path_new(p->arena);
	bool pen = false;
	if (ch->c->apart)
		return;
	for (size_t k = 0; k < s->n; k++) {
		const bool there = isfinite(s->y[k]);
		const double x = raster_chart_x(ch, s->x[k]);
		const double y = there ? raster_chart_y(ch, s->y[k]) : 0;
		if (pen && there)
			path_line(&path, x, y);
		else if (there)
			path_move(&path, x, y);
		pen = there;
	}
	raster_draw_path(p, &path,
			 (struct style){.strokes = true,
					.stroke = figure_series_colour(colour, p->dark),
					.stroke_alpha = alpha,
					.width = width * raster_chart_pen(p),
					.round = true});
}

/* There are seven forms; with six colours, forty-two series are different. */
void raster_mark(struct page *p, size_t form, double x, double y, double r, uint32_t rgb)
{
	static const double shapes[][8] = {
		{-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9}, /* square */
		{0, -1.2, 1.1, 0.8, 0, 0.8, -1.1, 0.8},	      /* triangle */
		{0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0},	      /* diamond */
		{0, 1.2, 1.1, -0.8, 0, -0.8, -1.1, -0.8},     /* triangle, down */
	};
	const size_t kind = form % 7;
	const bool hollow = kind >= 5;
	const size_t shape = kind == 6 ? 0 : kind - 1;
	struct path path = path_new(p->arena);
	if (kind == 0 || kind == 5) {
		path_circle(&path, x, y, r);
	} else {
		for (size_t i = 0; i < 4; i++)
			path_line(&path, x + shapes[shape][2 * i] * r,
				  y + shapes[shape][2 * i + 1] * r);
		path_close(&path);
	}
	/* A rim in the colour of the paper separates marks from the lines of other series. */
	raster_draw_path(p, &path,
			 (struct style){.fills = true,
					.fill = hollow ? p->theme->paper : rgb,
					.fill_alpha = 1,
					.strokes = true,
					.stroke = hollow ? rgb : p->theme->paper,
					.stroke_alpha = 1,
					.width = (hollow ? 1.5 : 0.8) * p->space,
					.round = true});
}

static bool is_drawn(const struct chart *ch, size_t i)
{
	return !ch->as || ch->as[i] == i;
}

static size_t points_of(const struct series *s)
{
	size_t points = 0;
	for (size_t k = 0; k < s->n; k++)
		points += isfinite(s->y[k]);
	return points;
}

/* Draws a mark at every point if there is room. Curves in one plot have marks at different points
 * in turn, so that each is visible where curves coincide; a curve that has a plot of its own beside
 * others needs no marks. */
static void draw_marks(struct page *p, const struct chart *ch, size_t i)
{
	enum { APART = 10, DENSE = 64 };
	const struct series *const s = &ch->c->series[i];
	const size_t points = points_of(s);
	size_t n = 0, turn = 0;
	if (ch->to - ch->from == 1 && ch->c->n > 1 && !ch->c->apart)
		return;
	for (size_t k = ch->from; k < ch->to; k++) {
		turn = k == i ? n : turn;
		n += is_drawn(ch, k);
	}
	const double pitch = ch->plot.w / fmax(1, (double)points - 1);
	const size_t dense = pitch < APART * p->space ? (size_t)ceil(DENSE * p->space / pitch) : 1;
	const size_t every = dense > n ? dense : n;
	size_t at = 0;
	const size_t own = turn * (points <= every ? points : every) / n;
	for (size_t k = 0; k < s->n; k++) {
		if (!isfinite(s->y[k]) || at++ % every != own)
			continue;
		raster_mark(p, s->colour, raster_chart_x(ch, s->x[k]), raster_chart_y(ch, s->y[k]),
			    4 * raster_chart_pen(p), figure_series_colour(s->colour, p->dark));
	}
}

void raster_chart_draw(struct page *p, const struct chart *ch)
{
	for (size_t i = ch->from; i < ch->to; i++) {
		const struct series *const s = &ch->c->series[i];
		draw_band(p, ch, s);
		if (s->before)
			draw_line(p, ch, s->before, s->colour, 1.5, 0.35);
		/* The points themselves are drawn below a running mean. */
		if (s->mean_of > 0)
			draw_line(p, ch, &ch->raw->series[i], s->colour, 0.9, 0.3);
	}
	for (int active = 0; active < 2; active++) {
		for (size_t i = ch->from; i < ch->to; i++) {
			const struct series *const s = &ch->c->series[i];
			const bool strong = raster_chart_strong(ch, s);
			if (is_drawn(ch, i) &&
			    (ch->c->marked ? strong : s->active) == (active == 1))
				draw_line(p, ch, s, s->colour, strong ? 2.2 : 1.5, alpha_of(ch, s));
		}
	}
	for (size_t i = ch->from; i < ch->to; i++)
		if (is_drawn(ch, i))
			draw_marks(p, ch, i);
	raster_pointed_curves(p, ch);
}
