/* raster_curves.c: series over a common x axis.
 *
 * Up to four series are named where their lines end, the names nudged apart; more get a legend. The
 * y axis reaches to round ticks, so that hairlines frame the data. */
#include "plot/raster_in.h"

#include <math.h>
#include <string.h>

enum { DIRECT_MOST = 4, TICKS = 12 };

struct legend_item {
	double x, y;
	const char *text;
};

struct chart {
	struct area plot;
	double x0, x1, y0, y1; /* limits of the axes */
	size_t mean_of;	       /* points of a running mean; 0: none */
	double x_at[TICKS], y_at[TICKS];
	const char **x_text, **y_text;
	size_t x_n, y_n;
	const char **names; /* one for each series */
	double names_w;	    /* right margin for direct labels */
	double names_h;
	struct legend_item *legend;
	double legend_h;
	bool any_active;
};

struct range {
	double lo, hi;
};

static void widen(struct range *r, double value)
{
	if (!isfinite(value))
		return;
	r->lo = fmin(r->lo, value);
	r->hi = fmax(r->hi, value);
}

/* Ranges of the finite points, bands included; false when there is none. */
static bool ranges(const struct curves *c, struct range *x, struct range *y)
{
	*x = *y = (struct range){INFINITY, -INFINITY};
	for (size_t i = 0; i < c->n; i++) {
		const struct series *s = &c->series[i];
		for (size_t k = 0; k < s->n; k++) {
			if (!isfinite(s->y[k]) || !isfinite(s->x[k]))
				continue;
			widen(x, s->x[k]);
			widen(y, s->y[k]);
			if (s->lo != NULL)
				widen(y, s->lo[k]);
			if (s->hi != NULL)
				widen(y, s->hi[k]);
		}
	}
	return x->lo <= x->hi;
}

static struct range opened(struct range r)
{
	const double room = r.lo == 0 ? 1 : fabs(r.lo) / 2;
	if (r.hi - r.lo > 1e-12 * fmax(fabs(r.lo), fabs(r.hi)))
		return r;
	return (struct range){r.lo - room, r.hi + room};
}

/* One tick more at each end that reaches to it. */
static void extend_ticks(struct chart *ch, double step, double slack)
{
	const double under = ch->y_at[0] - step, over = ch->y_at[ch->y_n - 1] + step;
	if (over <= ch->y1 + slack)
		ch->y_at[ch->y_n++] = fabs(over) < slack ? 0 : over;
	if (under < ch->y0 - slack)
		return;
	memmove(ch->y_at + 1, ch->y_at, ch->y_n++ * sizeof ch->y_at[0]);
	ch->y_at[0] = fabs(under) < slack ? 0 : under;
}

/* Ticks that enclose the data: the range grows to the next multiples of their step. */
static void fit_y(struct page *p, struct chart *ch, struct range y, double height)
{
	const double wanted = floor(height / (p->line[FACE_TEXT] * 1.9));
	/* Two more may come at the ends. */
	const size_t most = wanted < 4 ? 2 : 3;
	y = opened(y);
	ch->y0 = y.lo;
	ch->y1 = y.hi;
	ch->y_n = scale_ticks(y.lo, y.hi, most, ch->y_at);
	if (ch->y_n >= 2) {
		const double step = ch->y_at[1] - ch->y_at[0];
		const double slack = step * 1e-6;
		const double lo = y.lo < ch->y_at[0] - slack ? ch->y_at[0] - step : ch->y_at[0];
		const double hi = y.hi > ch->y_at[ch->y_n - 1] + slack
					  ? ch->y_at[ch->y_n - 1] + step
					  : ch->y_at[ch->y_n - 1];
		/* A full step more only when the data use a good part of it. */
		ch->y0 = y.lo - lo < 0.7 * step ? lo : y.lo - 0.06 * (y.hi - y.lo);
		ch->y1 = hi - y.hi < 0.7 * step ? hi : y.hi + 0.06 * (y.hi - y.lo);
		extend_ticks(ch, step, slack);
	}
	/* Where no round number has room the ends stand in: not with all their digits. */
	double shown[sizeof ch->y_at / sizeof ch->y_at[0]];
	for (size_t i = 0; i < ch->y_n; i++)
		shown[i] = raster_three_digits(ch->y_at[i]);
	ch->y_text = scale_tick_labels(p->arena, shown, ch->y_n, false);
}

static double widest(struct page *p, const char *const *texts, size_t n)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, raster_text_measure(p, FACE_TEXT, texts[i]).w);
	return most;
}

static void fit_x(struct page *p, struct chart *ch, const struct curves *c, struct range x,
		  double width)
{
	x = opened(x);
	ch->x0 = x.lo;
	ch->x1 = x.hi;
	for (size_t most = 5; most >= 2; most--) {
		ch->x_n = c->integer_x ? scale_ticks_integer(x.lo, x.hi, most, ch->x_at)
				       : scale_ticks(x.lo, x.hi, most, ch->x_at);
		ch->x_text = scale_tick_labels(p->arena, ch->x_at, ch->x_n, false);
		const double wide = widest(p, ch->x_text, ch->x_n) + 16 * p->space;
		const double pitch =
			ch->x_n < 2 ? width : (ch->x_at[1] - ch->x_at[0]) / (x.hi - x.lo) * width;
		if (wide <= pitch)
			return;
	}
	ch->x_n = ch->x_n > 0 ? 1 : 0;
}

/* Places mark and name of every series in rows; returns the height. Names that find no place are
 * counted in the last one. */
static void fit_legend(struct page *p, struct chart *ch, const struct curves *c, double width,
		       double height)
{
	const double line = p->line[FACE_TEXT] + 4 * p->space, mark = 34 * p->space;
	const double gap = 22 * p->space;
	const char *more = arena_printf(p->arena, "and %zu more", c->n);
	const double more_w = raster_text_measure(p, FACE_TEXT, more).w;
	double x = 0, y = 0;
	ch->legend = arena_calloc(p->arena, c->n, sizeof *ch->legend);
	for (size_t i = 0; i < c->n; i++) {
		const char *name = raster_text_fit(p, FACE_TEXT, ch->names[i], width / 2);
		const double w = mark + raster_text_measure(p, FACE_TEXT, name).w;
		const bool last_row = y + 2 * line > height * 0.34;
		const bool last = i + 1 == c->n;
		if (x > 0 && x + w > width && !last_row) {
			x = 0;
			y += line;
		}
		if (last_row && x > 0 && x + w + (last ? 0 : gap + more_w) > width) {
			ch->legend[i] = (struct legend_item){
				x, y, arena_printf(p->arena, "and %zu more", c->n - i)};
			break;
		}
		ch->legend[i] = (struct legend_item){x, y, name};
		x += w + gap;
	}
	ch->legend_h = y + line + 6 * p->space;
}

/* From the axis to the numbers below it, which must clear half a line of the lowest one beside it. */
static double under_axis(const struct page *p)
{
	return fmax(8 * p->space, p->line[FACE_TEXT] * 0.55);
}

static void lay_out(struct page *p, const struct curves *c, struct chart *ch, struct area at,
		    struct range x, struct range y)
{
	const double line = p->line[FACE_TEXT];
	const char **labels = arena_calloc(p->arena, c->n + 1, sizeof *labels);
	for (size_t i = 0; i < c->n; i++) {
		labels[i] = c->series[i].label != NULL ? c->series[i].label : "";
		ch->any_active = ch->any_active || c->series[i].active;
	}
	struct size most;
	ch->names = raster_text_labels(p, FACE_BOLD, labels, c->n, 0, at.w * 0.3, &most);
	ch->names_h = most.h;
	if (c->n > DIRECT_MOST)
		fit_legend(p, ch, c, at.w, at.h);
	else if (most.w > 0)
		ch->names_w = most.w + 14 * p->space;
	const bool y_title = c->y_title != NULL && c->y_title[0] != '\0';
	const bool x_title = c->x_title != NULL && c->x_title[0] != '\0';
	const double top = ch->legend_h + raster_marks_height(p, c, at.w * 0.75) +
			   (y_title ? line + 6 * p->space : line / 2);
	const double bottom = line + under_axis(p) + (x_title ? line + 2 * p->space : 0);
	ch->plot.y = round(at.y + top);
	ch->plot.h = fmax(1, floor(at.h - top - bottom));
	fit_y(p, ch, y, ch->plot.h);
	const double left = ceil(widest(p, ch->y_text, ch->y_n) + 10 * p->space);
	ch->plot.x = round(at.x + left);
	const double edge = fmax(ch->names_w, 12 * p->space);
	ch->plot.w = fmax(1, floor(at.w - left - edge));
	fit_x(p, ch, c, x, ch->plot.w);
}

static double x_of(const struct chart *ch, double x)
{
	return ch->plot.x + (x - ch->x0) / (ch->x1 - ch->x0) * ch->plot.w;
}

static double y_of(const struct chart *ch, double y)
{
	return ch->plot.y + ch->plot.h - (y - ch->y0) / (ch->y1 - ch->y0) * ch->plot.h;
}

/* The points of the curves, on which their running means are drawn. */
static void draw_faint(struct page *p, const struct chart *ch, const struct curves *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct series *s = &c->series[i];
		bool pen = false;
		cairo_new_path(p->cr);
		for (size_t k = 0; k < s->n; k++) {
			const double x = x_of(ch, s->x[k]), y = y_of(ch, s->y[k]);
			if (pen && isfinite(y))
				cairo_line_to(p->cr, x, y);
			else if (isfinite(y))
				cairo_move_to(p->cr, x, y);
			pen = isfinite(y);
		}
		raster_colour(p, figure_series_colour(s->colour, p->dark), 0.3);
		cairo_set_line_width(p->cr, 0.9 * p->space);
		cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
		cairo_stroke(p->cr);
	}
}

static void draw_axes(struct page *p, const struct curves *c, const struct chart *ch)
{
	const struct area a = ch->plot;
	const double line = p->line[FACE_TEXT];
	for (size_t i = 0; i < ch->y_n; i++) {
		const double y = y_of(ch, ch->y_at[i]);
		raster_line(p, a.x, y, a.x + a.w, y, 1,
			    ch->y_at[i] == 0 ? p->theme->axis : p->theme->hair);
		raster_text_mid(p, FACE_TEXT, p->theme->second, 1, a.x - 8 * p->space, y,
				ch->y_text[i]);
	}
	raster_line(p, a.x, a.y + a.h, a.x + a.w, a.y + a.h, 1, p->theme->hair);
	if (ch->x0 < 0 && ch->x1 > 0)
		raster_line(p, x_of(ch, 0), a.y, x_of(ch, 0), a.y + a.h, 1, p->theme->hair);
	const double under = a.y + a.h + under_axis(p);
	for (size_t i = 0; i < ch->x_n; i++) {
		const double x = x_of(ch, ch->x_at[i]);
		const double half = raster_text_measure(p, FACE_TEXT, ch->x_text[i]).w / 2;
		raster_line(p, x, a.y + a.h, x, a.y + a.h + 4 * p->space, 1, p->theme->axis);
		/* The outermost may not leave the panel. */
		const double most = a.x + a.w + fmax(ch->names_w, 12 * p->space) - half;
		raster_text_put(p, FACE_TEXT, p->theme->second, 0.5, fmin(x, most), under,
				ch->x_text[i]);
	}
	const char *title = c->x_title ? raster_text_fit(p, FACE_TEXT, c->x_title, a.w) : "";
	raster_text_put(p, FACE_TEXT, p->theme->second, 1, a.x + a.w, under + line + 2 * p->space,
			title);
	const char *mean =
		ch->mean_of == 0 ? ""
				 : arena_printf(p->arena, "bold: running mean of %zu", ch->mean_of);
	if (raster_text_measure(p, FACE_TEXT, mean).w + 16 * p->space +
		    raster_text_measure(p, FACE_TEXT, title).w <=
	    a.w)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, a.x, under + line + 2 * p->space,
				mean);
	if (c->y_title != NULL)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, a.x,
				a.y - line - 6 * p->space - line * 0.1,
				raster_text_fit(p, FACE_TEXT, c->y_title, a.w));
}

static void draw_band(struct page *p, const struct chart *ch, const struct series *s, bool dark)
{
	if (s->lo == NULL || s->hi == NULL)
		return;
	raster_colour(p, figure_series_colour(s->colour, dark), 0.15);
	for (size_t from = 0; from < s->n;) {
		size_t to = from;
		cairo_new_path(p->cr);
		while (to < s->n && isfinite(s->lo[to]) && isfinite(s->hi[to]) &&
		       isfinite(s->y[to]))
			to++;
		for (size_t k = from; k < to; k++)
			cairo_line_to(p->cr, x_of(ch, s->x[k]), y_of(ch, s->hi[k]));
		for (size_t k = to; k-- > from;)
			cairo_line_to(p->cr, x_of(ch, s->x[k]), y_of(ch, s->lo[k]));
		cairo_close_path(p->cr);
		cairo_fill(p->cr);
		from = to + 1;
	}
}

/* Seven forms; with six colours forty-two series differ. */
static void draw_mark(struct page *p, size_t form, double x, double y, double r, uint32_t rgb)
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
	cairo_new_path(p->cr);
	if (kind == 0 || kind == 5) {
		cairo_arc(p->cr, x, y, r, 0, 2 * G_PI);
	} else {
		for (size_t i = 0; i < 4; i++)
			cairo_line_to(p->cr, x + shapes[shape][2 * i] * r,
				      y + shapes[shape][2 * i + 1] * r);
		cairo_close_path(p->cr);
	}
	raster_colour(p, hollow ? p->theme->paper : rgb, 1);
	cairo_fill_preserve(p->cr);
	/* A rim of paper keeps marks apart from the lines of others. */
	raster_colour(p, hollow ? rgb : p->theme->paper, 1);
	cairo_set_line_width(p->cr, (hollow ? 1.5 : 0.8) * p->space);
	cairo_stroke(p->cr);
}

static bool strong(const struct chart *ch, const struct series *s)
{
	return !ch->any_active || s->active;
}

static void draw_line(struct page *p, const struct chart *ch, const struct series *s)
{
	const uint32_t rgb = figure_series_colour(s->colour, p->dark);
	bool pen = false;
	size_t points = 0;
	cairo_new_path(p->cr);
	for (size_t k = 0; k < s->n; k++) {
		if (!isfinite(s->y[k])) {
			pen = false;
			continue;
		}
		const double x = x_of(ch, s->x[k]), y = y_of(ch, s->y[k]);
		if (pen)
			cairo_line_to(p->cr, x, y);
		else
			cairo_move_to(p->cr, x, y);
		pen = true;
		points++;
	}
	raster_colour(p, rgb, strong(ch, s) ? 1 : 0.55);
	cairo_set_line_width(p->cr, (strong(ch, s) ? 2.2 : 1.5) * p->space);
	cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
	cairo_stroke(p->cr);

	const double pitch = ch->plot.w / fmax(1, (double)points - 1);
	const bool dense = pitch < 10 * p->space;
	const size_t every = dense ? (size_t)ceil(64 * p->space / pitch) : 1;
	/* Where marks are thinned, those of different series stand at different places. */
	for (size_t k = s->colour * every / 4 % every; k < s->n; k += every)
		if (isfinite(s->y[k]))
			draw_mark(p, s->colour, x_of(ch, s->x[k]), y_of(ch, s->y[k]), 4 * p->space,
				  rgb);
}

/* The last finite point of a series; false when there is none. */
static bool end_of(const struct series *s, double *x, double *y)
{
	for (size_t k = s->n; k-- > 0;) {
		if (!isfinite(s->y[k]))
			continue;
		*x = s->x[k];
		*y = s->y[k];
		return true;
	}
	return false;
}

/* Centres `line` apart, as near to the wanted ones as they can be: neighbours that are too close part
 * in the middle. Ascending order stays. */
static void nudge(double *y, size_t n, double line, double lo, double hi)
{
	for (int i = 0; i < 64; i++) {
		for (size_t k = 1; k < n; k++) {
			const double lack = line - (y[k] - y[k - 1]);
			if (lack <= 0)
				continue;
			y[k - 1] -= lack / 2;
			y[k] += lack / 2;
		}
	}
	for (size_t k = 0; k < n; k++)
		y[k] = fmax(y[k], k == 0 ? lo : y[k - 1] + line);
	for (size_t k = n; k-- > 0;)
		y[k] = fmin(y[k], k + 1 == n ? hi : y[k + 1] - line);
}

/* The series that end somewhere, in the order of their ends from top to bottom. */
static size_t order_ends(const struct curves *c, const struct chart *ch, size_t *order,
			 double *end_x, double *end_y)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++) {
		double x, y;
		if (ch->names[i][0] == '\0' || !end_of(&c->series[i], &x, &y))
			continue;
		end_x[i] = x_of(ch, x);
		end_y[i] = y_of(ch, y);
		size_t k = n++;
		for (; k > 0 && end_y[order[k - 1]] > end_y[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return n;
}

/* Names where the lines end, with a thin leader when a name had to move away from its line. */
static void draw_names(struct page *p, const struct curves *c, const struct chart *ch)
{
	size_t order[DIRECT_MOST];
	double end_x[DIRECT_MOST], end_y[DIRECT_MOST], y[DIRECT_MOST], x = 0;
	const size_t n = order_ends(c, ch, order, end_x, end_y);
	for (size_t k = 0; k < n; k++) {
		y[k] = end_y[order[k]];
		x = fmax(x, end_x[order[k]] + 14 * p->space);
	}
	const double line = ch->names_h + 1;
	nudge(y, n, line, ch->plot.y, ch->plot.y + ch->plot.h);
	for (size_t k = 0; k < n; k++) {
		const size_t i = order[k];
		const struct series *s = &c->series[i];
		const uint32_t rgb = figure_series_colour(s->colour, p->dark);
		if (fabs(y[k] - end_y[i]) > line * 0.4 || end_x[i] < x - 30 * p->space) {
			/* A long one is not to be taken for its curve. */
			raster_leader(p,
				      (struct area){end_x[i] + 5 * p->space, end_y[i],
						    x - end_x[i] - 8 * p->space, y[k] - end_y[i]},
				      rgb, x - end_x[i] > 60 * p->space);
		}
		raster_text_mid(p, strong(ch, s) ? FACE_BOLD : FACE_TEXT, raster_text_ink(p, rgb),
				0, x, y[k], ch->names[i]);
	}
}

static void draw_legend(struct page *p, const struct curves *c, const struct chart *ch,
			struct area at)
{
	const double mid = p->line[FACE_TEXT] / 2;
	for (size_t i = 0; i < c->n && ch->legend[i].text != NULL; i++) {
		const struct legend_item *item = &ch->legend[i];
		const struct series *s = &c->series[i];
		const uint32_t rgb = figure_series_colour(s->colour, p->dark);
		const double x = at.x + item->x, y = at.y + item->y;
		const bool rest = i + 1 < c->n && ch->legend[i + 1].text == NULL;
		if (!rest) {
			raster_line(p, x, y + mid, x + 26 * p->space, y + mid, 2 * p->space, rgb);
			draw_mark(p, s->colour, x + 13 * p->space, y + mid, 4 * p->space, rgb);
		}
		raster_text_put(p, s->active && !rest ? FACE_BOLD : FACE_TEXT, p->theme->ink, 0,
				rest ? x : x + 34 * p->space, y, item->text);
	}
}

static void draw_cursor(struct page *p, const struct curves *c, const struct chart *ch)
{
	if (!c->has_cursor || c->cursor < ch->x0 || c->cursor > ch->x1)
		return;
	const double dash[] = {4 * p->space, 3 * p->space};
	cairo_set_dash(p->cr, dash, 2, 0);
	const double x = x_of(ch, c->cursor);
	raster_line(p, x, ch->plot.y, x, ch->plot.y + ch->plot.h, 1, p->theme->second);
	cairo_set_dash(p->cr, NULL, 0, 0);
}

struct size raster_curves_least(struct page *p, const struct panel *panel, double width)
{
	(void)width;
	const double legend = panel->curves.n > DIRECT_MOST ? 2.5 * p->line[FACE_TEXT] : 0;
	return (struct size){200 * p->type, 6.5 * p->line[FACE_TEXT] + legend};
}

void raster_curves_draw(struct page *p, const struct panel *panel, struct area at)
{
	enum { COLUMN = 5 }; /* what the eye takes for one place of a curve */
	struct curves shown;
	const double columns = fmax(1, at.w * 0.8 / (COLUMN * p->space));
	const size_t mean_of = curves_smooth(p->arena, &panel->curves, (size_t)columns, &shown);
	const struct curves *c = &shown;
	struct range x, y;
	if (!ranges(&panel->curves, &x, &y)) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true,
				 "no finite value to draw");
		return;
	}
	struct chart ch = {.mean_of = mean_of};
	lay_out(p, c, &ch, at, x, y);
	raster_plot(p, ch.plot);
	draw_axes(p, c, &ch);
	draw_cursor(p, c, &ch);
	cairo_save(p->cr);
	if (panel->stale)
		cairo_push_group(p->cr);
	for (size_t i = 0; i < c->n && mean_of == 0; i++)
		draw_band(p, &ch, &c->series[i], p->dark);
	if (mean_of > 0)
		draw_faint(p, &ch, &panel->curves);
	for (int active = 0; active < 2; active++)
		for (size_t i = 0; i < c->n; i++)
			if (c->series[i].active == (active == 1))
				draw_line(p, &ch, &c->series[i]);
	raster_marks(p, c, &(struct axes){ch.plot, ch.x0, ch.x1, ch.y0, ch.y1});
	if (panel->stale) {
		cairo_pop_group_to_source(p->cr);
		cairo_paint_with_alpha(p->cr, 0.5);
	}
	cairo_restore(p->cr);
	if (c->n > DIRECT_MOST)
		draw_legend(p, c, &ch, at);
	else
		draw_names(p, c, &ch);
}
