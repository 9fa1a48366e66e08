/* raster_curves.c: series over a common x axis, in one plot if they are few.
 *
 * Their names are at the ends of their lines, in the order of the ends, and moved apart as far as
 * necessary. Of curves that are to lie over one another and coincide, one is drawn, and the names of the others stand
 * below its name as "= name". */
#include "plot/curve_names.h"
#include "plot/raster_chart.h"

#include <math.h>

/* The most curves in one plot; TOGETHER if they are to lie over one another, or if the scale is logarithmic,
 * which separates them. */
enum { TOGETHER = 8, USUAL = 4 };

struct names {
	const char **text; /* one for each series */
	size_t *as;	   /* the series that is drawn for each */
	double w, h;	   /* width of the right margin; height of a line of names */
};

/* Tells if each curve gets a plot of its own, because each has its own limits, or because they are
 * too many for one plot. */
static bool is_parted(const struct curves *c)
{
	return c->n > (c->spread == CURVES_LOG || c->together ? TOGETHER : USUAL) ||
	       (c->n > 1 && c->spread == CURVES_OWN);
}

static const char *above_axis(const struct chart *ch)
{
	const char *const title = ch->c->y_title ? ch->c->y_title : "";
	return ch->y.scale.mode == SCALE_SYMLOG && !*title ? scale_mode_names[SCALE_SYMLOG] : title;
}

/* Returns the name of a curve, followed by its last value if its points are few and measured; a curve that is
 * alone has its values beside its points. */
static const char *label_of(struct page *p, const struct curves *c, const struct series *s,
			    double width)
{
	double x, y;
	if (c->n_places == 0 || c->n == 1 || !curve_end(s, &x, &y))
		return raster_chart_name(p, FACE_BOLD, s, width);
	const char *const value = arena_printf(p->arena, ": %s", curve_value(p->arena, c, y));
	const double room = width - raster_text_measure(p, FACE_BOLD, value).w;
	return arena_printf(p->arena, "%s%s", raster_chart_name(p, FACE_BOLD, s, room), value);
}

/* The same, as "= name" if another series is drawn for this one. */
static const char *line_label(struct page *p, const struct chart *ch, size_t i, double width)
{
	const char *const equals = ch->as[i] == i ? "" : "= ";
	const double room = width - raster_text_measure(p, FACE_BOLD, equals).w;
	return arena_printf(p->arena, "%s%s", equals, label_of(p, ch->c, &ch->c->series[i], room));
}

/* Returns the width of the longest name, whole. */
static double longest_name(struct page *p, const struct curves *c)
{
	double most = 0;
	for (size_t i = 0; i < c->n; i++) {
		const char *const label = c->series[i].label ? c->series[i].label : "";
		most = fmax(most, raster_text_measure(p, FACE_BOLD, label).w);
	}
	return most + (c->together ? raster_text_measure(p, FACE_BOLD, "= ").w : 0);
}

/* Returns the width for names: a part of the panel, and where they are longer up to nearly half. */
static double names_width(struct page *p, const struct curves *c, double width)
{
	static const double usual = 0.3, of_means = 0.36, most = 0.48;
	for (size_t i = 0; i < c->n; i++)
		if (c->series[i].mean_of > 0)
			return of_means * width;
	return fmax(usual * width, fmin(longest_name(p, c), most * width));
}

static void lay_out(struct page *p, struct chart *ch, struct names *names, struct area at,
		    struct curve_range y)
{
	const struct curves *const c = ch->c;
	const double line = p->line[FACE_TEXT];
	const char **labels = arena_calloc(p->arena, c->n + 1, sizeof *labels);
	struct size most;
	const double width = names_width(p, c, at.w);
	/* with an estimated height: for the width of the labels, and for the lines that coincide */
	raster_chart_fit_y(p, ch, y, at.h);
	names->as = arena_calloc(p->arena, c->n + 1, sizeof *names->as);
	for (size_t i = 0; i < c->n; i++)
		names->as[i] = i;
	/* Heads of one scheme are told apart also where they are one line: their marks take turns. */
	if (c->together || c->spread == CURVES_LOG)
		curve_names_same(&ch->y, c->series, c->n, 0.5 * p->space / at.h, names->as);
	ch->as = names->as;
	for (size_t i = 0; i < c->n; i++)
		labels[i] = line_label(p, ch, i, width);
	names->text = raster_text_labels(p, FACE_BOLD, labels, c->n, 0, width, &most);
	names->h = most.h;
	names->w = most.w > 0 ? most.w + 14 * p->space : 0;
	const bool x_title = c->x_title != NULL && c->x_title[0] != '\0';
	const double top = raster_marks_height(p, c, at.w * 0.75) +
			   (*above_axis(ch) ? line + 6 * p->space : line / 2);
	const double bottom = line + raster_chart_under(p) + (x_title ? line + 2 * p->space : 0);
	ch->plot.y = round(at.y + top);
	ch->plot.h = fmax(1, floor(at.h - top - bottom));
	raster_chart_fit_y(p, ch, y, ch->plot.h);
	const double left = raster_chart_y_width(p, ch);
	ch->plot.x = round(at.x + left);
	ch->plot.w = fmax(1, floor(at.w - left - fmax(names->w, 12 * p->space)));
	raster_chart_fit_x(p, ch, ch->plot.w);
}

static void draw_titles(struct page *p, const struct chart *ch)
{
	const struct area a = ch->plot;
	const double line = p->line[FACE_TEXT];
	const char *const title = ch->c->x_title;
	if (title)
		raster_text_put(p, FACE_TEXT, p->theme->second, 1, a.x + a.w,
				a.y + a.h + raster_chart_under(p) + line + 2 * p->space,
				raster_chart_title(p, title, a.w + raster_chart_y_width(p, ch)));
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, a.x, a.y - line * 1.1 - 6 * p->space,
			raster_text_fit(p, FACE_TEXT, above_axis(ch), a.w));
}

/* ---- names --------------------------------------------------------------------------------------- */

/* Orders the series that have an end by their ends, from top to bottom. */
static size_t order_ends(const struct chart *ch, const struct names *names, size_t *order,
			 double *end_x, double *end_y)
{
	const double same = 1e-9 * (ch->y.scale.hi - ch->y.scale.lo);
	const size_t n = curve_names_order(ch->c->series, names->text, ch->c->n, same, order);
	for (size_t k = 0; k < n; k++) {
		double x, y;
		curve_end(&ch->c->series[order[k]], &x, &y);
		end_x[order[k]] = raster_chart_x(ch, x);
		end_y[order[k]] = raster_chart_y(ch, y);
	}
	return n;
}

/* A name inside the plot covers the lines below it. */
static void draw_name(struct page *p, const struct chart *ch, size_t i, double x, double y,
		      const char *text)
{
	const struct series *const s = &ch->c->series[i];
	const enum face face = raster_chart_strong(ch, s) ? FACE_BOLD : FACE_TEXT;
	const uint32_t rgb = figure_series_colour(ch->c->series[ch->as[i]].colour, p->dark);
	const struct size size = raster_text_measure(p, face, text);
	if (x < ch->plot.x + ch->plot.w)
		raster_rect(p, (struct area){x - 2, y - size.h / 2, size.w + 4, size.h}, p->paper);
	raster_text_mid(p, face, colour_text(rgb, p->paper), 0, x, y, text);
}

/* If not all names have room, keeps that of the active series and the first ones. */
static size_t leave_names(const struct chart *ch, size_t *order, size_t n, size_t room)
{
	bool stays[TOGETHER] = {false};
	size_t left = room, kept = 0;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < ch->c->n && left > 0; i++)
			if (!stays[i] && (pass == 1 || ch->c->series[i].active)) {
				stays[i] = true;
				left--;
			}
	for (size_t k = 0; k < n; k++)
		if (stays[order[k]])
			order[kept++] = order[k];
	return kept;
}

/* Draws names at the ends of the lines, with a thin leader if a name had to move away from its
 * line. */
static void draw_names(struct page *p, const struct chart *ch, const struct names *names)
{
	size_t order[TOGETHER];
	double end_x[TOGETHER], end_y[TOGETHER], y[TOGETHER], x = 0;
	size_t n = order_ends(ch, names, order, end_x, end_y);
	const size_t room = (size_t)fmax(1, floor(ch->plot.h / (names->h + 1)) + 1);
	n = n > room ? leave_names(ch, order, n, room) : n;
	curve_names_group(names->as, n, order);
	for (size_t k = 0; k < n; k++) {
		y[k] = end_y[order[k]];
		x = fmax(x, end_x[order[k]] + 14 * p->space);
	}
	/* Names inside the plot keep off its edges; if the plot is too low for them they are beside
	 * it. */
	const double line = names->h + 1, right = ch->plot.x + ch->plot.w;
	const bool inside = x < right && (double)(n + 1) * line <= ch->plot.h;
	const double edge = inside ? line / 2 + 4 : 0;
	x = inside ? x : fmax(x, right + 14 * p->space);
	curve_names_part(y, n, line, ch->plot.y + edge, ch->plot.y + ch->plot.h - edge);
	for (size_t k = 0; k < n; k++) {
		const size_t i = order[k];
		const uint32_t rgb = figure_series_colour(ch->c->series[i].colour, p->dark);
		/* A long leader would be mistaken for a curve, so the name is recognised by its
		 * colour only. */
		const bool away = names->as[i] == i && (fabs(y[k] - end_y[i]) > line * 0.4 ||
							end_x[i] < x - 30 * p->space);
		if (away && x - end_x[i] <= 60 * p->space)
			raster_leader(p,
				      (struct area){end_x[i] + 5 * p->space, end_y[i],
						    x - end_x[i] - 8 * p->space, y[k] - end_y[i]},
				      rgb, false);
		draw_name(p, ch, i, x, y[k], names->text[i]);
	}
}

/* ---- one plot ------------------------------------------------------------------------------------ */

/* Tells if no curve passes through this part of the plot. */
static bool is_free(const struct chart *ch, struct area a)
{
	for (double x = a.x; x <= a.x + a.w; x += 2) {
		const double at = curve_x_of(ch->c, ch->x, (x - ch->plot.x) / ch->plot.w);
		for (size_t i = 0; i < ch->c->n; i++) {
			double y;
			if (!curves_height(&ch->c->series[i], at, &y))
				continue;
			y = raster_chart_y(ch, y);
			if (y >= a.y && y <= a.y + a.h)
				return false;
		}
	}
	return a.y >= ch->plot.y && a.y + a.h <= ch->plot.y + ch->plot.h;
}

/* Draws a level with its label above or below the line, at the right or the left, wherever no curve
 * passes. */
static void draw_level(struct page *p, const struct chart *ch, const struct curve_level *l,
		       struct area *taken, size_t n)
{
	const struct area a = ch->plot;
	const double y = raster_chart_y(ch, l->y), line = p->line[FACE_TEXT], air = 4 * p->space;
	raster_dashed(p, a.x, y, a.x + a.w, y, 1, p->theme->second, 4 * p->space, 3 * p->space);
	for (size_t k = 0; k < 8; k++) {
		const char *const label = k < 4 ? l->label : l->brief;
		const double w = raster_text_measure(p, FACE_TEXT, label).w;
		const struct area box = {k % 2 == 0 ? a.x + a.w - w - air : a.x + air,
					 k % 4 < 2 ? y - line - 2 : y + 2, w, line};
		bool free = is_free(ch, box);
		for (size_t j = 0; j < n; j++)
			free = free &&
			       (box.y + box.h <= taken[j].y || taken[j].y + taken[j].h <= box.y ||
				box.x + box.w <= taken[j].x || taken[j].x + taken[j].w <= box.x);
		if (!free)
			continue;
		raster_rect(p, box, p->paper);
		raster_text_mid(p, FACE_TEXT, p->theme->second, 0, box.x, box.y + line / 2, label);
		taken[n] = box;
		return;
	}
}

static void draw_levels(struct page *p, const struct chart *ch)
{
	const struct curves *const c = ch->c;
	struct area *const taken = arena_calloc(p->arena, c->n_levels + 1, sizeof *taken);
	for (size_t i = 0; i < c->n_levels; i++)
		draw_level(p, ch, &c->levels[i], taken, i);
}

static void draw_cursor(struct page *p, const struct chart *ch)
{
	const struct curves *const c = ch->c;
	if (!c->has_cursor || c->cursor < ch->x.lo || c->cursor > ch->x.hi)
		return;
	const double x = raster_chart_x(ch, c->cursor);
	raster_dashed(p, x, ch->plot.y, x, ch->plot.y + ch->plot.h, 1, p->theme->second,
		      4 * p->space, 3 * p->space);
}

static void draw_together(struct page *p, const struct curves *c, struct area at)
{
	enum { COLUMN = 5 }; /* the width in which the eye sees one point of a curve */
	struct curves shown;
	struct curve_range y;
	struct names names;
	const double columns = fmax(1, at.w * 0.8 / (COLUMN * p->space));
	struct chart ch = {.raw = c, .c = &shown, .to = c->n};
	curves_smooth(p->arena, c, (size_t)columns, &shown);
	for (size_t i = 0; i < c->n; i++)
		ch.any_active |= c->series[i].active;
	/* For a mean the points themselves count, and not its band. */
	curve_ranges(c->series, c->n, false, &ch.x, &y);
	curve_reach(c, &ch.x);
	for (size_t i = 0; i < c->n; i++) {
		struct curve_range x, own;
		if (shown.series[i].mean_of == 0 && curve_ranges(&c->series[i], 1, true, &x, &own))
			y = (struct curve_range){fmin(y.lo, own.lo), fmax(y.hi, own.hi)};
	}
	lay_out(p, &ch, &names, at, y);
	raster_plot(p, ch.plot, true);
	raster_chart_axes(p, &ch, true, true, ch.plot.x + ch.plot.w + fmax(names.w, 12 * p->space));
	draw_titles(p, &ch);
	draw_levels(p, &ch);
	draw_cursor(p, &ch);
	raster_chart_draw(p, &ch);
	raster_mark_labels(p, &ch);
	raster_marks(p, &ch);
	draw_names(p, &ch, &names);
}

/* Returns a height that grows with the width, so that curves in a wide plot do not look flat: up to
 * eight lines, and room for the labels of levels. */
struct size raster_curves_least(struct page *p, const struct panel *panel, double width)
{
	const double line = p->line[FACE_TEXT];
	const double names = is_parted(&panel->curves) ? 2.5 * line : 0;
	const double levels = panel->curves.n_levels > 0 ? 3 * line : 0;
	const size_t n = panel->curves.n;
	const double marks = panel->curves.n_marks > 0 ? 1.5 * line : 0;
	const double ends = is_parted(&panel->curves) ? 0 : (double)(n + 4) * line + marks;
	const double high = fmax(ends, levels + fmin(fmax(6.5 * line, width / 7), 8 * line));
	/* Names are whole where this needs no more than half of a page. */
	static const double twice = 2.1, half = 0.45;
	const double wide =
		is_parted(&panel->curves)
			? 0
			: fmin(twice * longest_name(p, &panel->curves), half * p->width);
	return (struct size){fmax((p->given > 0 ? 165 : 200) * p->type, wide), high + names};
}

void raster_curves_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct curves *const c = &panel->curves;
	struct curve_range x, y;
	if (!curve_ranges(c->series, c->n, true, &x, &y)) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true,
				 "no finite value to draw");
		return;
	}
	if (panel->stale)
		raster_fade(p, 0.5);
	(is_parted(c) ? raster_panes : draw_together)(p, c, at);
	if (panel->stale)
		raster_end(p);
}
