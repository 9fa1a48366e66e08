/* raster_plane.c: points in a plane on a page. */
#include <math.h>

#include "plot/raster_chart.h"
#include "plot/raster_heatmap.h"
#include "plot/raster_pen.h"

struct plane_look raster_plane_look(const struct pen *pen, bool many)
{
	enum { LITTLE = 2 };
	const double unit = pen->unit, size = fmax(unit, 0.85);
	const double mark = (many ? 2.2 : 3.6) * size, strong = 5.5 * size;
	return (struct plane_look){.mark = mark,
				   .strong = strong,
				   .around = 2.5 * strong,
				   .gap = 6 * unit,
				   .label_air = 2 * unit,
				   .label_gap = 3 * unit,
				   .label_beside = 3 * unit,
				   .label_on = LITTLE,
				   .label_lead = 16 * unit,
				   .thumb_frame = 3,
				   .thumb_around = 4,
				   .thumb_gap = fmax(3 * unit, 4),
				   .thumb_clear = mark,
				   .form = 2 * mark + 4 * unit,
				   .form_gap = 1.5 * pen->em};
}

double raster_plane_side(const struct pen *pen, struct area at)
{
	return round(fmin(fmax(fmin(at.w, at.h) / 16, 20), 40 * fmax(pen->unit, 0.85)));
}

void raster_plane_box(const struct pen *pen, struct area box)
{
	struct page *const p = pen->on;
	struct path path = path_new(p->arena);
	path_rect(&path, (struct area){floor(box.x) + 0.5, floor(box.y) + 0.5, floor(box.w),
				       floor(box.h)});
	raster_stroke_path(p, &path, p->theme->hair, 1, 1);
}

static uint32_t shade(const struct plane_plan *l, size_t i)
{
	const struct page *const p = l->pen->on;
	return plane_between(p->theme->paper, figure_series_colour(plane_colour(l, i), p->dark),
			     plane_strength(l, i));
}

static void draw_path(const struct plane_plan *l)
{
	struct page *const p = l->pen->on;
	for (size_t i = 0; i < l->p->n; i++) {
		struct path step = path_new(p->arena);
		if (!plane_is_step(l, i))
			continue;
		path_move(&step, l->at[i - 1].x, l->at[i - 1].y);
		path_line(&step, l->at[i].x, l->at[i].y);
		raster_draw_path(
			p, &step,
			(struct style){.strokes = true,
				       .stroke = l->p->group != NULL ? p->theme->axis : shade(l, i),
				       .stroke_alpha = 1,
				       .width = fmax(1, 1.4 * p->space),
				       .round = true});
	}
}

/* Draws the mark of an important point. That of the beginning of a path is hollow, and that of the
 * cursor has a ring. */
static void draw_strong(const struct plane_plan *l, size_t i)
{
	enum { DISC = 0, HOLLOW = 5 };
	struct page *const p = l->pen->on;
	const bool begins = i == l->first && i != l->last;
	const size_t form = begins ? HOLLOW : l->p->group != NULL ? plane_colour(l, i) : DISC;
	const double r = begins || i == l->last ? l->look.strong : l->look.mark * 1.2;
	raster_mark(p, form, l->at[i].x, l->at[i].y, r,
		    figure_series_colour(plane_colour(l, i), p->dark));
	if (i != l->cursor || l->thumb[i].w > 0)
		return;
	struct path ring = path_new(p->arena);
	path_circle(&ring, l->at[i].x, l->at[i].y, 1.6 * l->look.strong);
	raster_stroke_path(p, &ring, p->theme->ink, 1, fmax(1.5, 2 * p->space));
}

static void draw_mark(const struct plane_plan *l, size_t i)
{
	if (plane_is_strong(l, i))
		draw_strong(l, i);
	else
		raster_mark(l->pen->on, plane_colour(l, i), l->at[i].x, l->at[i].y, l->look.mark,
			    shade(l, i));
}

void raster_plane_marks(const struct plane_plan *l)
{
	struct page *const p = l->pen->on;
	double x, y;
	if (plane_zero_x(l, &x))
		raster_line(p, x, l->box.y, x, l->box.y + l->box.h, 1, p->theme->axis);
	if (plane_zero_y(l, &y))
		raster_line(p, l->box.x, y, l->box.x + l->box.w, y, 1, p->theme->axis);
	plane_thumbs(l);
	draw_path(l);
	plane_each_mark(l, true, draw_mark);
}

void raster_plane_form(const struct plane_plan *l, size_t group, double x, double y)
{
	struct page *const p = l->pen->on;
	raster_mark(p, group, x + l->look.mark, y, l->look.mark,
		    figure_series_colour(group, p->dark));
}

void raster_plane_leaders(const struct plane_plan *l)
{
	struct page *const p = l->pen->on;
	for (size_t i = 0; i < l->p->n; i++) {
		const struct point from = l->at[i], to = plane_nearest(l->thumb[i], from);
		if (l->thumb[i].w > 0 && !plane_is_covered(l, i))
			raster_line(p, from.x, from.y, to.x, to.y, 1, p->theme->second);
		const struct point end = plane_lead_end(l, i);
		if (l->led[i])
			raster_line(p, from.x, from.y, end.x, end.y, 1, p->theme->second);
	}
}

void raster_plane_thumb(const struct plane_plan *l, size_t i)
{
	struct page *const p = l->pen->on;
	const struct heatmap *const h = &l->p->thumbs[i];
	const struct area at = l->thumb[i];
	const bool strong = i == l->own || i == l->cursor;
	const uint32_t colour = strong	      ? p->theme->ink
				: l->p->group ? figure_series_colour(l->p->group[i], p->dark)
					      : p->theme->hair;
	const struct grid g = {.at = at,
			       .pixel = raster_plan_pixel(p),
			       .cell_w = at.w / (double)h->values.cols,
			       .cell_h = at.h / (double)h->values.rows};
	raster_rect(p, at, p->theme->paper);
	raster_heatmap_inside(p, h, &g);
	const double width = i == l->own ? 3 : strong ? 2 : 1, out = width / 2;
	struct path frame = path_new(p->arena);
	path_rect(&frame, plane_grown(at, out));
	raster_stroke_path(p, &frame, colour, 1, width);
}
