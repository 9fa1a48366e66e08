/* panel_curves.c: curves over an axis. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/curve_axis.h"
#include "plot/panel_in.h"
#include "posviz/base/num.h"

static void cursor(struct panel *p, long row, long col)
{
	struct curves *const c = &p->curves;
	if (c->by_distance) {
		const long x = col - row - c->rows_from;
		c->has_cursor = row > 0 && col > 0;
		c->cursor = (double)(c->folded ? -labs(x) : x);
	}
	if (!c->number)
		return;
	const bool inside = row > 0 && col > 0 && (size_t)row <= c->rows && (size_t)col <= c->cols;
	const int32_t x =
		inside ? c->number[(size_t)(row - 1) * c->cols + (size_t)col - 1] : INT32_MIN;
	c->has_cursor = x != INT32_MIN;
	c->cursor = x;
}

/* Gets the x of a position on the axis, given by its name or as a number; false if no curve has a
 * point there. */
static bool find_place(const struct curves *c, const char *name, double *x)
{
	double y;
	for (size_t i = 0; i < c->n_places; i++)
		if (strcasecmp(c->places[i].name, name) == 0) {
			*x = c->places[i].x;
			return true;
		}
	if (!num_parse_double(name, strlen(name), -DBL_MAX, DBL_MAX, x, NULL))
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (curves_height(&c->series[i], *x, &y))
			return true;
	return false;
}

/* Marks distances only if the panel has the rows and columns of the figure. */
static void mark_curves(struct curves *c, bool distances, const struct mark *marks, size_t n,
			struct arena *a)
{
	double *const out = arena_calloc(a, n + 1, sizeof *out);
	c->n_pointed = 0;
	c->pointed = out;
	for (size_t i = 0; i < n; i++) {
		const long apart = marks[i].diagonal;
		double x;
		if (marks[i].kind == MARK_DIAGONAL && distances && c->by_distance)
			out[c->n_pointed++] = (double)(c->folded ? -labs(apart) : apart);
		else if (marks[i].kind == MARK_AT && find_place(c, marks[i].name, &x))
			out[c->n_pointed++] = x;
	}
}

static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	(void)memory;
	p->curves.marked = panel_mark_names(p, MARK_CURVE, marks, n, a);
	mark_curves(&p->curves, !p->no_cursor, marks, n, a);
}

static const char *const *names(const struct panel *p, enum mark_kind kind, struct arena *a,
				size_t *n)
{
	if (kind != MARK_CURVE)
		return NULL;
	const char **const out = arena_calloc(a, p->curves.n + 1, sizeof *out);
	for (size_t i = 0; i < p->curves.n; i++)
		out[i] = p->curves.series[i].label;
	*n = p->curves.n;
	return out;
}

/* Returns the known positions: "0–25, 26–50", or "8 to 4096". */
static const char *places_in(const struct curves *c, struct arena *a)
{
	const char *known = "";
	char from[32], to[32];
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < c->n_places; i++)
		known = arena_printf(a, "%s%s%s", known, i > 0 ? ", " : "", c->places[i].name);
	for (size_t i = 0; i < c->n; i++)
		if (c->series[i].n > 0) {
			lo = fmin(lo, c->series[i].x[0]);
			hi = fmax(hi, c->series[i].x[c->series[i].n - 1]);
		}
	if (c->n_places > 0 || lo > hi)
		return known;
	return arena_printf(a, "%s to %s", num_print(from, sizeof from, lo),
			    num_print(to, sizeof to, hi));
}

static bool place(const struct panel *p, const char *name, struct arena *a, const char **known)
{
	double x;
	*known = places_in(&p->curves, a);
	return find_place(&p->curves, name, &x);
}

/* Returns the name of a position, "76–100", or its number. */
static const char *place_of(const struct curves *c, double x, struct arena *a)
{
	const char *const name = curve_place(c, x);
	return name ? name : words_number(a, x);
}

static void say_series(const struct curves *curves, const struct series *s, struct strbuf *out,
		       struct arena *a)
{
	size_t n = 0, first = 0, last = 0, low = 0, high = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!isfinite(s->y[i]))
			continue;
		if (n++ == 0)
			first = low = high = i;
		last = i;
		low = s->y[i] < s->y[low] ? i : low;
		high = s->y[i] > s->y[high] ? i : high;
	}
	const char *const name = s->label && *s->label ? s->label : "curve";
	if (n == 0 || !(s->y[low] < s->y[high])) {
		words_say(out, "%s: %s", name,
			  n == 0 ? "no points"
				 : arena_printf(a, "%s everywhere, at %s",
						words_number(a, s->y[low]),
						words_many(a, n, "point")));
		return;
	}
	const double size = fmax(fabs(s->y[low]), fabs(s->y[high]));
	const struct {
		const char *word;
		size_t at;
	} points[] = {{"first", first}, {"last", last}, {"lowest", low}, {"highest", high}};
	struct strbuf text;
	strbuf_init(&text, a);
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		strbuf_printf(&text, "%s %s %s at %s", i > 0 ? "," : "", points[i].word,
			      words_number(a, words_rounded(s->y[points[i].at], size)),
			      place_of(curves, s->x[points[i].at], a));
	words_say(out, "%s%s:%s", name, s->active && curves->n > 1 ? " (the one looked at)" : "",
		  text.at);
}

/* Writes "marked at 64: t_max 64". */
static void say_marks(const struct curves *curves, size_t series, struct strbuf *out,
		      struct arena *a)
{
	for (size_t i = 0; i < curves->n_marks; i++) {
		const struct curve_mark *const m = &curves->marks[i];
		const bool named = m->label && *m->label;
		if (m->series == series)
			words_say(out, "marked at %s%s%s", words_number(a, m->x), named ? ": " : "",
				  named ? m->label : "");
	}
}

/* Writes "pointed out at −1: 0.25". */
static void say_pointed(const struct curves *curves, size_t series, struct strbuf *out,
			struct arena *a)
{
	for (size_t i = 0; i < curves->n_pointed; i++) {
		double y;
		if (curves_height(&curves->series[series], curves->pointed[i], &y))
			words_say(out, "pointed out at %s: %s",
				  place_of(curves, curves->pointed[i], a), words_number(a, y));
	}
	if (curves->marked && curves->marked[series])
		words_say(out, "pointed out");
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct curves *const c = &p->curves;
	if (c->x_title && *c->x_title)
		words_say(out, "Along: %s", c->x_title);
	if (c->y_title && *c->y_title)
		words_say(out, "Up: %s", c->y_title);
	for (size_t i = 0; i < c->n; i++) {
		say_series(c, &c->series[i], out, a);
		say_marks(c, i, out, a);
		say_pointed(c, i, out, a);
	}
}

static void html(struct strbuf *b, const struct panel *p)
{
	const struct curves *const c = &p->curves;
	const char *const head[] = {"", c->x_title ? c->x_title : "x",
				    c->y_title && *c->y_title ? c->y_title : "value", NULL};
	size_t points = 0;
	for (size_t i = 0; i < c->n; i++)
		points += c->series[i].n;
	if (points == 0 || html_is_too_much(b, 2 * points))
		return;
	html_table(b, "", head);
	for (size_t i = 0; i < c->n; i++) {
		const struct series *const s = &c->series[i];
		const double size = html_largest(s->y, s->n);
		for (size_t k = 0; k < s->n; k++) {
			if (isnan(s->y[k]))
				continue;
			html_row(b, s->label);
			html_number(b, s->x[k], INFINITY);
			html_number(b, s->y[k], size);
			html_row_end(b);
		}
	}
	html_table_end(b);
}

static void tex(struct tex *t, const struct panel *p)
{
	tex_curves(t, &p->curves);
}

static const char *excess(const struct panel *p, struct arena *a)
{
	return tex_curves_fit(&p->curves)
		       ? NULL
		       : arena_printf(a, "has more than the %d points that TeX's memory holds",
				      TEX_POINTS);
}

static struct size body(struct page *page, const struct panel *p, double width)
{
	/* If the height of a page is free, curves are as high as they need to be: a fraction of
	 * their width, at most `lines` lines. */
	static const double lines = 11;
	struct size least = raster_curves_least(page, p, width);
	if (page->as_needed)
		least.h = fmax(least.h, fmin(PANEL_FLAT * width, lines * page->line[FACE_TEXT]));
	return least;
}

static void cells(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		  const struct heatmap_plan *plan)
{
	(void)plan;
	canvas_curves(c, a, inner, &p->curves);
}

const struct panel_type panel_curves = {
	.name = "curve",
	.noun = "curves",
	.context = "curves",
	.least = {8, 28, 6, 20},
	.cells = cells,
	.tallest = PANEL_BOOK,
	.body = body,
	.page = raster_curves_draw,
	.say = say,
	.html = html,
	.tex = tex,
	.excess = excess,
	.cursor = cursor,
	.names = names,
	.place = place,
	.mark = mark,
};
