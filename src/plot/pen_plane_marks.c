/* pen_plane_marks.c: the drawing order of points in a plane, their colours, and the names of
 * groups. */
#include <math.h>

#include "plot/pen_device.h"

size_t plane_colour(const struct plane_plan *l, size_t i)
{
	return l->p->group != NULL ? l->p->group[i] : 0;
}

bool plane_zero_x(const struct plane_plan *l, double *x)
{
	*x = l->box.x + l->box.w / 2 - l->x * l->unit;
	return !l->p->gathers && *x > l->box.x && *x < l->box.x + l->box.w;
}

bool plane_zero_y(const struct plane_plan *l, double *y)
{
	*y = l->box.y + l->box.h / 2 + l->y * l->unit_y / l->pen->aspect;
	return !l->p->gathers && *y > l->box.y && *y < l->box.y + l->box.h;
}

bool plane_is_step(const struct plane_plan *l, size_t i)
{
	return l->p->joined && !l->p->tangled && i > 0 && l->there[i] && l->there[i - 1];
}

/* `part` 0 gives `from`, 1 gives `to`. */
uint32_t plane_between(uint32_t from, uint32_t to, double part)
{
	uint32_t out = 0;
	for (int shift = 0; shift <= 16; shift += 8) {
		const double a = from >> shift & 255, b = to >> shift & 255;
		out |= (uint32_t)lround(a + (b - a) * part) << shift;
	}
	return out;
}

/* The strength increases along a path. */
double plane_strength(const struct plane_plan *l, size_t i)
{
	return l->p->joined && l->p->group == NULL ? 0.35 + 0.65 * plane_part(l, i) : 1;
}

void plane_each_mark(const struct plane_plan *l, bool all,
		     void (*put)(const struct plane_plan *l, size_t i))
{
	for (int strong = all ? 0 : 1; strong < 2; strong++)
		for (size_t i = 0; i < l->p->n; i++)
			if (l->there[i] && plane_is_strong(l, i) == strong && i != l->cursor &&
			    !plane_is_covered(l, i))
				put(l, i);
	if (l->cursor != SIZE_MAX && !plane_is_covered(l, l->cursor))
		put(l, l->cursor);
}

/* ---- the names of the groups ----------------------------------------------------------------- */

static bool has_group(const struct plane_plan *l, size_t group)
{
	if (l->p->group_also && l->p->group_also[group])
		return true;
	for (size_t i = 0; i < l->p->n; i++)
		if (l->there[i] && l->p->group[i] == group)
			return true;
	return false;
}

/* Writes what the star of the point of interest means behind the names, on cells whose last line has room; returns
 * the end. */
static double write_own(const struct plane_plan *l, struct area at, double x, double lines,
			bool draw)
{
	static const char *const words[] = {"this scheme", "this"};
	const double from = x + l->look.form_gap, form = l->look.form;
	if (l->pen->cell <= 0 || l->own == SIZE_MAX || !l->there[l->own] || lines <= 0)
		return x;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const double end = from + form + pen_measure(l->pen, words[i]).w;
		const double y = at.y + (lines - 0.5) * l->pen->line;
		if (end > at.w + 1e-6)
			continue;
		if (draw) {
			l->pen->device->plane_form(l, SIZE_MAX, at.x + from, y);
			pen_text(l->pen, ROLE_PLAIN, 0, at.x + from + form, y, words[i]);
		}
		return end;
	}
	return x;
}

/* Writes the names, from the left, after the title if there is one. */
static struct size write_names(const struct plane_plan *l, struct area at, const char *title,
			       bool draw)
{
	const struct pen *const pen = l->pen;
	const double form = l->look.form, gap = l->look.form_gap;
	const double head = pen_measure(pen, title).w;
	double x = 0, widest = 0, lines = 0;
	bool begins = true;
	if (head > 0) {
		x = widest = head;
		lines = 1;
		if (draw)
			pen_text(pen, ROLE_QUIET, 0, at.x, at.y + 0.5 * pen->line, title);
	}
	for (size_t g = 0; l->p->group_names != NULL && g < l->p->n_groups; g++) {
		const double wide = form + pen_measure(pen, l->p->group_names[g]).w;
		if (!has_group(l, g))
			continue;
		if (lines <= 0 || x + (begins ? 0 : gap) + wide > at.w + 1e-6) {
			x = 0;
			lines++;
		} else if (!begins) {
			x += gap;
		}
		begins = false;
		const double y = at.y + (lines - 0.5) * pen->line;
		if (draw) {
			pen->device->plane_form(l, g, at.x + x, y);
			pen_text_series(pen, ROLE_PLAIN, g, 0, at.x + x + form, y,
					l->p->group_names[g]);
		}
		x += wide;
		widest = fmax(widest, x);
	}
	return (struct size){fmax(widest, write_own(l, at, x, lines, draw)), lines};
}

struct size plane_legend(const struct plane_plan *l, struct area at, bool draw)
{
	const char *const title = l->p->group_names && l->p->group_title ? l->p->group_title : "";
	const bool shorter = *title != '\0' &&
			     write_names(l, at, "", false).h < write_names(l, at, title, false).h;
	return write_names(l, at, shorter ? "" : title, draw);
}
