/* raster_inset.c: a figure as a part of a page that has more on it.
 *
 * The figure is laid out as a page of its own without a foot, measured, and drawn at its place; the
 * report has its positions on the whole page. */
#include <math.h>
#include <string.h>

#include "plot/raster_in.h"

static void report_moved(struct page *on, const struct page *in, double x, double y)
{
	struct raster_report *const to = &on->report;
	const struct raster_report *const from = &in->report;
	struct text_box *const boxes = arena_calloc(on->arena, to->n + from->n + 1, sizeof *boxes);
	if (to->n > 0)
		memcpy(boxes, to->boxes, to->n * sizeof *boxes);
	for (size_t i = 0; i < from->n; i++) {
		struct text_box *const b = &boxes[to->n + i];
		*b = from->boxes[i];
		b->x += x;
		b->y += y;
		b->text = arena_strdup(on->arena, b->text);
	}
	to->boxes = boxes;
	to->n += from->n;
	on->box_room = to->n;
	for (size_t i = 0; i < from->plot_n; i++) {
		const struct plot_box *const b = &from->plots[i];
		on->panel = b->panel;
		raster_plot(on, (struct area){b->x + x, b->y + y, b->width, b->height}, b->framed);
	}
	to->missing_glyphs += from->missing_glyphs;
	if (to->missing_sample == NULL && from->missing_sample != NULL)
		to->missing_sample = arena_strdup(on->arena, from->missing_sample);
	if (from->left_out != NULL)
		to->left_out = arena_strdup(on->arena, from->left_out);
}

static bool draw(struct page *in, struct page *on, const struct figure *f, struct area at,
		 double *high, struct err *err)
{
	struct laid_page laid;
	in->letters = false;
	if (!raster_lay(in, f, &laid, err))
		return false;
	const struct area used = raster_used(in, &laid, false);
	const double x = at.x - used.x, y = at.y - used.y;
	in->device = on->device;
	on->device->kind->place(on->device, x, y);
	raster_put(in, &laid);
	on->device->kind->end(on->device);
	report_moved(on, in, x, y);
	*high = fmin(used.h, at.h);
	return true;
}

bool raster_inset(struct page *on, const struct figure *f, struct area at, double letters,
		  struct arena *scratch, double *high, struct err *err)
{
	struct page in = {0};
	const struct raster_look look = {.width = floor(at.w),
					 .height = floor(at.h),
					 .dark = on->dark,
					 .foot = FOOT_NONE,
					 .type = letters,
					 .font = on->font};
	const bool good =
		raster_open(&in, f, &look, scratch, err) && draw(&in, on, f, at, high, err);
	raster_text_close(&in);
	return good;
}
