/* raster_marks.c: marks across curves, and their labels above the plot.
 *
 * Labels are in rows of their own, so that labels and curves do not cover each other; a leader
 * connects a label with its marks. */
#include <math.h>
#include <string.h>

#include "plot/raster_chart.h"

void raster_leader(struct page *p, struct area a, uint32_t rgb, bool dotted)
{
	struct style style = {.strokes = true, .stroke = rgb, .stroke_alpha = 0.6, .width = 1};
	struct path path = path_new(p->arena);
	path_move(&path, a.x, a.y);
	path_line(&path, a.x + a.w, a.y + a.h);
	if (dotted) {
		style.dash[0] = 1.5 * p->space;
		style.dash[1] = 4 * p->space;
	}
	raster_draw_path(p, &path, style);
}

enum { ROWS = 3 }; /* the most rows of labels */

static bool same_label(const struct curve_mark *a, const struct curve_mark *b)
{
	return fabs(a->x - b->x) < 0.5 && a->label && b->label && strcmp(a->label, b->label) == 0;
}

/* Returns the label of a mark, preceded by the names of its curves if there are several curves; one
 * label serves all marks at the same x with the same text. NULL: there is none, or it belongs to an
 * earlier mark. */
static const char *label_of(struct page *p, const struct curves *c, size_t i, bool brief)
{
	const struct curve_mark *const m = &c->marks[i];
	const char *who = "";
	if (!m->label)
		return NULL;
	for (size_t k = 0; k < c->n_marks; k++) {
		const char *const name = c->series[c->marks[k].series].brief;
		if (!same_label(m, &c->marks[k]))
			continue;
		if (k < i)
			return NULL;
		if (name && c->n > 1 && !m->upright)
			who = arena_printf(p->arena, "%s%s ", who, name);
	}
	return arena_printf(p->arena, "%s%s", who, brief && m->brief ? m->brief : m->label);
}

/* Tells if labels are short, because the long ones do not have room in one row. */
static bool is_brief(struct page *p, const struct curves *c, double width)
{
	double all = 0;
	for (size_t i = 0; i < c->n_marks; i++) {
		const char *const label = label_of(p, c, i, false);
		if (label)
			all += raster_text_measure(p, FACE_TEXT, label).w + 24 * p->space;
	}
	return all > width;
}

static double row_height(const struct page *p)
{
	return p->line[FACE_TEXT] + 4 * p->space;
}

double raster_marks_height(struct page *p, const struct curves *c, double width)
{
	size_t labels = 0;
	double y;
	for (size_t i = 0; i < c->n_marks; i++)
		labels += label_of(p, c, i, false) != NULL &&
			  (c->marks[i].upright ||
			   curves_height(&c->series[c->marks[i].series], c->marks[i].x, &y));
	return labels == 0 ? 0
			   : row_height(p) * (labels > 1 && is_brief(p, c, width) ? 2 : 1) +
				     4 * p->space;
}

static bool overlap(struct area a, struct area b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* The areas taken above the plot. */
struct labels {
	struct area *taken;
	size_t n;
	bool brief;
};

/* Tells if an area has this distance from those taken; it may extend a little beyond the plot. */
static bool is_free(const struct page *p, const struct labels *l, const struct chart *ch,
		    struct area a, double gap)
{
	const double out = 8 * p->space;
	const struct area wide = {a.x - gap, a.y, a.w + 2 * gap, a.h};
	bool fits = a.x >= ch->plot.x - out && a.x + a.w <= ch->plot.x + ch->plot.w + out;
	for (size_t i = 0; i < l->n; i++)
		fits = fits && !overlap(wide, l->taken[i]);
	return fits;
}

/* Returns the lower end of the lowest mark at this x, for an upright mark alone the top of the
 * plot; NaN if its curve has no value there. */
static double lowest(const struct chart *ch, const struct curve_mark *m)
{
	const struct curves *const c = ch->c;
	const double x = m->x;
	double y, most = m->upright ? ch->plot.y : (double)NAN;
	for (size_t i = 0; i < c->n_marks; i++)
		if (fabs(c->marks[i].x - x) < 0.5 &&
		    curves_height(&c->series[c->marks[i].series], c->marks[i].x, &y))
			most = fmax(most, raster_chart_y(ch, y));
	return most;
}

/* Draws the label above the plot, in the lowest row that has room, and a leader from there to its
 * marks. False: there is no room. */
static bool label_mark(struct page *p, const struct chart *ch, size_t mark, bool brief,
		       struct labels *l)
{
	const struct curve_mark *const m = &ch->c->marks[mark];
	const char *const text = label_of(p, ch->c, mark, brief);
	const double end = text ? lowest(ch, m) : NAN, x = raster_chart_x(ch, m->x);
	if (isnan(end))
		return true;
	const struct size size = raster_text_measure(p, FACE_TEXT, text);
	const double from[] = {x - size.w + 4 * p->space, x - size.w / 2, x - 4 * p->space};
	for (size_t i = 0; i < (size_t)3 * ROWS; i++) {
		const double y = ch->plot.y - row_height(p) * (double)(i / 3 + 1) - 2 * p->space;
		const struct area at = {from[i % 3], y, size.w, size.h};
		const struct area leader = {x - 2 * p->space, at.y + at.h, 4 * p->space,
					    ch->plot.y - at.y - at.h};
		if (!is_free(p, l, ch, at, 8 * p->space) || !is_free(p, l, ch, leader, 0))
			continue;
		l->taken[l->n++] = at;
		l->taken[l->n++] = leader;
		raster_leader(p, (struct area){x, at.y + at.h, 0, end - at.y - at.h},
			      p->theme->second, true);
		raster_text_put(p, FACE_TEXT, p->theme->ink, 0, at.x, at.y, text);
		return true;
	}
	return false;
}

static const size_t *by_place(struct page *p, const struct curves *c)
{
	size_t *order = arena_calloc(p->arena, c->n_marks + 1, sizeof *order);
	for (size_t i = 0; i < c->n_marks; i++) {
		size_t k = i;
		for (; k > 0 && c->marks[order[k - 1]].x > c->marks[i].x; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return order;
}

void raster_mark_labels(struct page *p, const struct chart *ch)
{
	const size_t n = ch->c->n_marks, *const order = by_place(p, ch->c);
	struct labels l = {.taken = arena_calloc(p->arena, 2 * n + 1, sizeof *l.taken),
			   .brief = is_brief(p, ch->c, ch->plot.w)};
	/* From left to right, each label to the left of its leader if possible. */
	for (size_t i = 0; i < n; i++)
		if (!label_mark(p, ch, order[i], l.brief, &l) && !l.brief)
			label_mark(p, ch, order[i], true, &l);
}

void raster_marks(struct page *p, const struct chart *ch)
{
	const double pen = raster_chart_pen(p), half = 10 * pen;
	for (size_t i = 0; i < ch->c->n_marks; i++) {
		const struct curve_mark *const m = &ch->c->marks[i];
		const struct series *const s = &ch->c->series[m->series];
		double y;
		if (m->upright || m->series < ch->from || m->series >= ch->to ||
		    !curves_height(s, m->x, &y))
			continue;
		const double x = raster_chart_x(ch, m->x);
		y = raster_chart_y(ch, y);
		/* A rim in the colour of the paper separates it from the curves. */
		raster_line(p, x, y - half, x, y + half, 7 * pen, p->theme->paper);
		raster_line(p, x, y - half, x, y + half, 3 * pen, p->theme->ink);
	}
}
