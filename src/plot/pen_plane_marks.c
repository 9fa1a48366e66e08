/* pen_plane_marks.c: the lines of zero, the path and the points of a plane. Of a path on cells there are dots,
 * and signs where points have room of their own; groups have forms as well as colours. */
#include <math.h>

#include "plot/canvas_stipple.h"
#include "plot/pen_plane.h"
#include "plot/raster_chart.h"

enum { RANK_AXIS = 1, RANK_PATH, RANK_POINT };
enum { SIGNS = 80 }; /* points of a path that are signs of their own */

static size_t colour_of(const struct plane_plan *l, size_t i)
{
	return l->p->group != NULL ? l->p->group[i] : 0;
}

bool plane_zero_x(const struct plane_plan *l, double *x)
{
	*x = l->box.x + l->box.w / 2 - l->x * l->unit;
	return *x > l->box.x && *x < l->box.x + l->box.w;
}

bool plane_zero_y(const struct plane_plan *l, double *y)
{
	*y = l->box.y + l->box.h / 2 + l->y * l->unit / (l->pen->page != NULL ? 1 : 2);
	return *y > l->box.y && *y < l->box.y + l->box.h;
}

static bool is_step(const struct plane_plan *l, size_t i)
{
	return l->p->joined && i > 0 && l->there[i] && l->there[i - 1];
}

/* ---- on a page ---------------------------------------------------------------------------------- */

/* From `from` at 0 to `to` at 1. */
static uint32_t between(uint32_t from, uint32_t to, double part)
{
	uint32_t out = 0;
	for (int shift = 0; shift <= 16; shift += 8) {
		const double a = from >> shift & 255, b = to >> shift & 255;
		out |= (uint32_t)lround(a + (b - a) * part) << shift;
	}
	return out;
}

/* Along a path from a quiet shade to a strong one. */
static double strength(const struct plane_plan *l, size_t i)
{
	return l->p->joined && l->p->group == NULL ? 0.35 + 0.65 * plane_part(l, i) : 1;
}

static uint32_t shade(const struct plane_plan *l, size_t i)
{
	const struct page *const p = l->pen->page;
	return between(p->theme->paper, figure_series_colour(colour_of(l, i), p->dark),
		       strength(l, i));
}

static void draw_path(const struct plane_plan *l)
{
	struct page *const p = l->pen->page;
	for (size_t i = 0; i < l->p->n; i++) {
		struct path step = path_new(p->arena);
		if (!is_step(l, i))
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

/* The beginning of a path is hollow; about the cursor is a ring. */
static void draw_strong(const struct plane_plan *l, size_t i)
{
	enum { DISC = 0, HOLLOW = 5 };
	struct page *const p = l->pen->page;
	const bool begins = i == l->first && i != l->last;
	const size_t form = begins ? HOLLOW : l->p->group != NULL ? colour_of(l, i) : DISC;
	const double r = begins || i == l->last ? l->strong : l->mark * 1.2;
	raster_mark(p, form, l->at[i].x, l->at[i].y, r,
		    figure_series_colour(colour_of(l, i), p->dark));
	if (i != l->cursor || l->thumb[i].w > 0)
		return;
	struct path ring = path_new(p->arena);
	path_circle(&ring, l->at[i].x, l->at[i].y, 1.6 * l->strong);
	raster_stroke_path(p, &ring, p->theme->ink, 1, fmax(1.5, 2 * p->space));
}

static void draw_marks(const struct plane_plan *l)
{
	struct page *const p = l->pen->page;
	double x, y;
	if (plane_zero_x(l, &x))
		raster_line(p, x, l->box.y, x, l->box.y + l->box.h, 1, p->theme->axis);
	if (plane_zero_y(l, &y))
		raster_line(p, l->box.x, y, l->box.x + l->box.w, y, 1, p->theme->axis);
	plane_thumbs(l);
	draw_path(l);
	for (size_t i = 0; i < l->p->n; i++)
		if (l->there[i] && !plane_is_strong(l, i) && !plane_is_covered(l, i))
			raster_mark(p, colour_of(l, i), l->at[i].x, l->at[i].y, l->mark,
				    shade(l, i));
	for (size_t i = 0; i < l->p->n; i++)
		if (l->there[i] && plane_is_strong(l, i) && i != l->cursor &&
		    !plane_is_covered(l, i))
			draw_strong(l, i);
	if (l->cursor != SIZE_MAX && !plane_is_covered(l, l->cursor))
		draw_strong(l, l->cursor);
}

/* ---- on cells ----------------------------------------------------------------------------------- */

static struct dot_ink ink_of(const struct plane_plan *l, size_t i, unsigned rank)
{
	const struct canvas *const c = l->pen->canvas;
	const double part = strength(l, i);
	const uint32_t own = canvas_series(c, colour_of(l, i));
	const bool shades = (own & CELL_RGB(0)) != 0;
	return (struct dot_ink){.rank = rank,
				.attrs = shades	       ? 0
					 : part < 0.55 ? ATTR_DIM
					 : part > 0.8  ? ATTR_BOLD
						       : 0,
				.fg = shades ? CELL_RGB(between(c->dark ? 0x30323a : 0xd8dade,
								own & 0xffffffu, part))
					     : own,
				.sign = rank == RANK_PATH ? '.' : '*'};
}

enum { FORMS = 7 };
static const char *const forms[FORMS] = {"●", "■", "▲", "◆", "▼", "○", "□"};
static const char *const ascii[FORMS] = {"*", "+", "#", "%", "=", "&", "~"};

/* The sign of a point; ends and cursor have others. None is a letter, which would be taken for a label. */
static const char *sign_of(const struct plane_plan *l, size_t i)
{
	const bool plain = l->pen->canvas->ascii;
	if (l->p->group != NULL)
		return (plain ? ascii : forms)[colour_of(l, i) % FORMS];
	if (i == l->cursor)
		return plain ? "@" : "◆";
	if (i == l->first && i != l->last)
		return plain ? "<" : "○";
	if (i == l->last)
		return plain ? "#" : "●";
	return plain ? "*" : "•";
}

static void write_sign(const struct plane_plan *l, size_t i)
{
	struct canvas *const c = l->pen->canvas;
	const struct area box = l->box;
	const bool here = i == l->cursor;
	const struct dot_ink ink = ink_of(l, i, RANK_POINT);
	const double x = fmin(floor(l->at[i].x), box.x + box.w - 1);
	const double y = fmin(floor(l->at[i].y), box.y + box.h - 1);
	const unsigned attrs = !here		      ? ink.attrs
			       : c->tier == TIER_MONO ? ATTR_BOLD | ATTR_REVERSE
						      : ATTR_BOLD | ATTR_ACCENT;
	canvas_put(c, (int)y, (int)x, sign_of(l, i),
		   plane_is_strong(l, i) ? attrs | ATTR_BOLD : attrs, here ? CELL_DEFAULT : ink.fg,
		   CELL_DEFAULT);
}

static void write_zeros(const struct plane_plan *l, const struct stipple *s)
{
	struct dot_ink ink = {.rank = RANK_AXIS, .attrs = ATTR_DIM, .sign = '|', .every = 2};
	const double far_x = l->box.x + l->box.w - stipple_dot_width(s) / 2;
	const double far_y = l->box.y + l->box.h - stipple_dot_height(s) / 2;
	double x, y;
	if (plane_zero_x(l, &x))
		stipple_line(s, &ink, (struct point){x, l->box.y}, (struct point){x, far_y});
	ink.sign = '-';
	if (plane_zero_y(l, &y))
		stipple_line(s, &ink, (struct point){l->box.x, y}, (struct point){far_x, y});
}

static void write_marks(const struct plane_plan *l)
{
	struct canvas *const c = l->pen->canvas;
	const struct rect r = {(int)l->box.y, (int)l->box.x, (int)l->box.h, (int)l->box.w};
	const struct stipple s = stipple_new(c, l->pen->arena, r);
	const bool signs = l->p->group != NULL || l->shown <= (l->p->joined ? SIGNS : 2 * SIGNS);
	write_zeros(l, &s);
	for (size_t i = 0; i < l->p->n; i++) {
		const struct dot_ink path = ink_of(l, i, RANK_PATH);
		if (is_step(l, i))
			stipple_line(&s, &path, l->at[i - 1], l->at[i]);
	}
	for (size_t i = 0; i < l->p->n && !signs; i++) {
		const struct dot_ink point = ink_of(l, i, RANK_POINT);
		if (l->there[i])
			stipple_dot(&s, &point, l->at[i]);
	}
	stipple_draw(&s);
	plane_thumbs(l);
	for (size_t i = 0; i < l->p->n && signs; i++)
		if (l->there[i] && !plane_is_strong(l, i) && !plane_is_covered(l, i))
			write_sign(l, i);
	for (size_t i = 0; i < l->p->n; i++)
		if (l->there[i] && plane_is_strong(l, i) && i != l->cursor &&
		    !plane_is_covered(l, i))
			write_sign(l, i);
	if (l->cursor != SIZE_MAX && !plane_is_covered(l, l->cursor))
		write_sign(l, l->cursor);
}

void plane_marks(const struct plane_plan *l)
{
	(l->pen->page != NULL ? draw_marks : write_marks)(l);
}

/* ---- the names of the groups -------------------------------------------------------------------- */

static bool has_group(const struct plane_plan *l, size_t group)
{
	for (size_t i = 0; i < l->p->n; i++)
		if (l->there[i] && l->p->group[i] == group)
			return true;
	return false;
}

static void put_form(const struct plane_plan *l, size_t group, double x, double y)
{
	const struct pen *const pen = l->pen;
	if (pen->page != NULL)
		raster_mark(pen->page, group, x + l->mark, y, l->mark,
			    figure_series_colour(group, pen->page->dark));
	else
		canvas_put(pen->canvas, (int)floor(y), (int)floor(x),
			   (pen->canvas->ascii ? ascii : forms)[group % FORMS], 0,
			   canvas_series(pen->canvas, group), CELL_DEFAULT);
}

struct size plane_legend(const struct plane_plan *l, struct area at, bool draw)
{
	const struct pen *const pen = l->pen;
	const bool page = pen->page != NULL;
	const double form = page ? 2 * l->mark + 4 * pen->unit : 2, gap = page ? 1.5 * pen->em : 1;
	double x = 0, widest = 0, lines = 0;
	for (size_t g = 0; l->p->group_names != NULL && g < l->p->n_groups; g++) {
		const double wide = form + pen_measure(pen, l->p->group_names[g]).w;
		if (!has_group(l, g))
			continue;
		if (lines <= 0 || x + gap + wide > at.w) {
			x = 0;
			lines++;
		} else {
			x += gap;
		}
		const double y = at.y + (lines - 0.5) * pen->line;
		if (draw) {
			put_form(l, g, at.x + x, y);
			pen_text_series(pen, ROLE_PLAIN, g, 0, at.x + x + form, y,
					l->p->group_names[g]);
		}
		x += wide;
		widest = fmax(widest, x);
	}
	return (struct size){widest, lines};
}
