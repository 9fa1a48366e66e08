/* raster_structure.c: a structure over tokens on paper: which of the three drawings it gets, and what
 * these share. The cursor's path is heavier and in a colour of its own, its words are bold, and "t" and
 * "s" stand at its ends. */
#include "plot/raster_structure.h"

#include <math.h>

enum face plate_face(const struct plate *t, long node)
{
	return node >= 0 && t->light.node[node] ? FACE_BOLD : FACE_TEXT;
}

uint32_t plate_ink(const struct plate *t, long node)
{
	const bool end = node >= 0 && (node == t->light.query || node == t->light.key);
	return end ? raster_text_ink(t->p, t->accent) : t->p->theme->ink;
}

void plate_stroke(const struct plate *t, bool lit)
{
	raster_colour(t->p, lit ? t->accent : t->p->theme->axis, 1);
	cairo_set_line_width(t->p->cr,
			     lit ? fmax(2.5, 3 * t->p->space) : fmax(1, 1.2 * t->p->space));
}

size_t plate_window(size_t at, size_t shown, size_t n)
{
	if (shown >= n)
		return 0;
	const size_t half = shown / 2;
	return at < half ? 0 : at - half < n - shown ? at - half : n - shown;
}

void plate_box(const struct plate *t, struct area a)
{
	struct page *p = t->p;
	const double r = fmin(6 * p->space, fmin(a.w, a.h) / 2);
	raster_colour(p, p->theme->axis, 1);
	cairo_set_line_width(p->cr, fmax(1, 1.2 * p->space));
	cairo_new_path(p->cr); /* text leaves a point behind, from which the box would be joined */
	cairo_arc(p->cr, a.x + a.w - r, a.y + r, r, -G_PI / 2, 0);
	cairo_arc(p->cr, a.x + a.w - r, a.y + a.h - r, r, 0, G_PI / 2);
	cairo_arc(p->cr, a.x + r, a.y + a.h - r, r, G_PI / 2, G_PI);
	cairo_arc(p->cr, a.x + r, a.y + r, r, G_PI, 1.5 * G_PI);
	cairo_close_path(p->cr);
	cairo_stroke(p->cr);
}

void plate_say(const struct plate *t, const char *text)
{
	struct page *p = t->p;
	raster_text_put(p, FACE_TEXT, p->theme->second, 1, t->at.x + t->at.w,
			t->at.y + t->at.h - p->line[FACE_TEXT] - 1,
			raster_text_fit(p, FACE_TEXT, text, t->at.w));
}

const char *plate_mark(const struct plate *t, long node)
{
	const bool query = node >= 0 && node == t->light.query;
	const bool key = node >= 0 && node == t->light.key;
	return query && key ? "t = s = " : query ? "t = " : key ? "s = " : "";
}

struct size raster_structure_least(struct page *p, const struct panel *panel, double width)
{
	(void)panel;
	(void)width;
	return (struct size){200 * p->type, 7 * p->line[FACE_TEXT]};
}

void raster_structure_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct drawing *d = &panel->drawing;
	struct plate t = {.p = p,
			  .d = d,
			  .at = at,
			  .light = drawing_light(d, p->arena),
			  .accent = figure_series_colour(0, p->dark)};
	if (d->n == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "no nodes");
		return;
	}
	raster_plot(p, at);
	if (d->kind == DRAWING_TREE && d->parent != NULL)
		plate_tree(&t);
	else if (d->kind == DRAWING_GRAPH ? !drawing_is_row(d, p->arena) || !plate_arcs(&t, true)
					  : d->n_tokens == 0 || !plate_arcs(&t, false))
		plate_edges(&t);
}
