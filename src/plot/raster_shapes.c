/* raster_shapes.c: shapes on a page: areas, lines, groups, and the reported data rectangles. */
#include "plot/raster_in.h"

#include <math.h>
#include <string.h>

uint32_t raster_shade(const struct page *p, uint32_t rgb)
{
	uint32_t out = 0;
	for (int shift = 0; p->strength < 1 && shift <= 16; shift += 8) {
		const double from = p->theme->paper >> shift & 255, to = rgb >> shift & 255;
		out |= (uint32_t)lround(from + (to - from) * p->strength) << shift;
	}
	return p->strength < 1 ? out : rgb;
}

/* If letters have a given size, lines have the weight usual on paper: half a point beside letters
 * of 8 pt. */
static double pen_width(const struct page *p, double width)
{
	return p->given > 0 ? width * p->type * 0.8 : width;
}

void raster_draw_path(struct page *p, const struct path *path, struct style style)
{
	style.fill = raster_shade(p, style.fill);
	style.stroke = raster_shade(p, style.stroke);
	style.width = pen_width(p, style.width);
	p->device->kind->draw(p->device, path, &style);
}

void raster_fill_path(struct page *p, const struct path *path, uint32_t rgb, double alpha)
{
	raster_draw_path(p, path, (struct style){.fills = true, .fill = rgb, .fill_alpha = alpha});
}

void raster_stroke_path(struct page *p, const struct path *path, uint32_t rgb, double alpha,
			double width)
{
	raster_draw_path(
		p, path,
		(struct style){
			.strokes = true, .stroke = rgb, .stroke_alpha = alpha, .width = width});
}

void raster_rect(struct page *p, struct area a, uint32_t rgb)
{
	struct path path = path_new(p->arena);
	path_rect(&path, a);
	raster_fill_path(p, &path, rgb, 1);
}

void raster_tile(struct page *p, struct area a, uint32_t rgb)
{
	struct path path = path_new(p->arena);
	path_rect(&path, a);
	raster_draw_path(
		p, &path,
		(struct style){.fills = true, .fill = rgb, .fill_alpha = 1, .crisp = true});
}

void raster_dashed(struct page *p, double x0, double y0, double x1, double y1, double width,
		   uint32_t rgb, double dash, double gap)
{
	/* Lines parallel to an axis are aligned to pixels, also in a vector file, because screens
	 * show it in pixels. On paper they are at their exact positions. */
	const double paper = 1e4, grid = !p->device->vector ? p->pixels : p->given > 0 ? paper : 1;
	const double half = pen_width(p, width) * grid > 1.5 ? 0 : 0.5;
	const double x = (floor(x0 * grid) + half) / grid, y = (floor(y0 * grid) + half) / grid;
	struct path path = path_new(p->arena);
	path_move(&path, x0 == x1 ? x : x0, y0 == y1 ? y : y0);
	path_line(&path, x0 == x1 ? x : x1, y0 == y1 ? y : y1);
	raster_draw_path(p, &path,
			 (struct style){.strokes = true,
					.stroke = rgb,
					.stroke_alpha = 1,
					.width = width,
					.dash = {dash, gap}});
}

void raster_line(struct page *p, double x0, double y0, double x1, double y1, double width,
		 uint32_t rgb)
{
	raster_dashed(p, x0, y0, x1, y1, width, rgb, 0, 0);
}

void raster_stripes(struct page *p, struct area a, const uint32_t *colours, size_t n, bool upright)
{
	uint32_t *shaded = arena_calloc(p->arena, n + 1, sizeof *shaded);
	for (size_t i = 0; i < n; i++)
		shaded[i] = raster_shade(p, colours[i]);
	p->device->kind->stripes(p->device, a, shaded, n, upright);
}

void raster_clip(struct page *p, struct area to)
{
	p->device->kind->clip(p->device, to);
}

void raster_fade(struct page *p, double alpha)
{
	p->device->kind->fade(p->device, alpha);
}

void raster_part(struct page *p, const char *id, const char *name)
{
	p->device->kind->part(p->device, id, name);
}

void raster_panel_part(struct page *p, const struct figure *f, size_t panel)
{
	const struct panel *const at = &f->panels[panel];
	const char *const title = at->paper_title != NULL ? at->paper_title : at->title;
	raster_part(p, arena_printf(p->arena, "panel-%s", figure_panel_name(f, panel, p->arena)),
		    title != NULL ? title : "");
}

void raster_end(struct page *p)
{
	p->device->kind->end(p->device);
}

static struct area overlap(struct area a, struct area b)
{
	const double x = fmin(fmax(a.x, b.x), b.x + b.w), y = fmin(fmax(a.y, b.y), b.y + b.h);
	return (struct area){x, y, fmax(0, fmin(a.x + a.w, b.x + b.w) - x),
			     fmax(0, fmin(a.y + a.h, b.y + b.h) - y)};
}

void raster_plot(struct page *p, struct area a, bool framed)
{
	struct raster_report *r = &p->report;
	if (p->within != NULL)
		a = overlap(a, *p->within);
	if (r->plot_n == p->plot_room) {
		p->plot_room = p->plot_room == 0 ? FIGURE_PANELS : 2 * p->plot_room;
		struct plot_box *wider = arena_calloc(p->arena, p->plot_room, sizeof *wider);
		if (r->plot_n > 0)
			memcpy(wider, r->plots, r->plot_n * sizeof *wider);
		r->plots = wider;
	}
	r->plots[r->plot_n++] = (struct plot_box){a.x, a.y, a.w, a.h, p->panel, framed};
}
