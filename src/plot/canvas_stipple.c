/* canvas_stipple.c: see canvas_stipple.h. */
#include "plot/canvas_stipple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct stipple stipple_new(struct canvas *c, struct arena *a, struct rect at)
{
	const size_t cells = at.rows > 0 && at.cols > 0 ? (size_t)at.rows * (size_t)at.cols : 0;
	return (struct stipple){.c = c,
				.at = at,
				.sx = c->ascii ? 1 : 2,
				.sy = c->ascii			     ? 1
				      : c->quadrants || c->presenter ? 2
								     : 4,
				.cells = arena_calloc(a, cells + 1, sizeof(struct dot_cell))};
}

double stipple_dot_width(const struct stipple *s)
{
	return 1.0 / s->sx;
}

double stipple_dot_height(const struct stipple *s)
{
	return 1.0 / s->sy;
}

static void put(const struct stipple *s, const struct dot_ink *ink, long x, long y)
{
	const long left = (long)s->at.col * s->sx, top = (long)s->at.row * s->sy;
	const long col = (x - left) / s->sx, row = (y - top) / s->sy;
	if (x < left || y < top || col >= s->at.cols || row >= s->at.rows)
		return;
	struct dot_cell *const cell = &s->cells[row * s->at.cols + col];
	if (cell->ink.rank > ink->rank)
		return;
	if (cell->ink.rank < ink->rank)
		cell->mask = 0;
	cell->mask |= (uint8_t)(1u << ((y - top) % s->sy * s->sx + (x - left) % s->sx));
	cell->ink = *ink;
}

void stipple_dot(const struct stipple *s, const struct dot_ink *ink, struct point at)
{
	put(s, ink, (long)floor(at.x * s->sx), (long)floor(at.y * s->sy));
}

void stipple_line(const struct stipple *s, const struct dot_ink *ink, struct point from,
		  struct point to)
{
	const long x0 = (long)floor(from.x * s->sx), y0 = (long)floor(from.y * s->sy);
	const long dx = (long)floor(to.x * s->sx) - x0, dy = (long)floor(to.y * s->sy) - y0;
	const long steps = labs(dx) > labs(dy) ? labs(dx) : labs(dy);
	const long every = ink->every > 0 ? (long)ink->every : 1;
	for (long i = 0; i <= steps; i += every) {
		const double part = steps > 0 ? (double)i / (double)steps : 0;
		put(s, ink, x0 + lround(part * (double)dx), y0 + lround(part * (double)dy));
	}
}

void stipple_ring(const struct stipple *s, const struct dot_ink *ink, struct area in, double apart)
{
	const double pi = acos(-1), rx = in.w / 2 - stipple_dot_width(s) / 2;
	const double ry = in.h / 2 - stipple_dot_height(s) / 2;
	const double around = 2 * pi * fmax(rx * s->sx, ry * s->sy);
	/* Each quarter has the same number of dots, so the ring is symmetric. */
	const long quarter = (long)fmax(1, ceil(around / (4 * apart)));
	for (long i = 0; i < 4 * quarter; i++) {
		const double angle = pi * ((double)i + 0.5) / (2 * (double)quarter);
		stipple_dot(s, ink,
			    (struct point){in.x + in.w / 2 + rx * cos(angle),
					   in.y + in.h / 2 - ry * sin(angle)});
	}
}

static void glyph_of(const struct stipple *s, const struct dot_cell *cell, char *out)
{
	static const char *const quarters[] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
					       "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
	if (s->c->ascii) {
		out[0] = cell->ink.sign;
		out[1] = '\0';
	} else if (s->sy == 2) {
		strcpy(out, quarters[cell->mask & 15]);
	} else {
		canvas_braille(out, cell->mask);
	}
}

void stipple_draw(const struct stipple *s)
{
	for (int row = 0; row < s->at.rows; row++)
		for (int col = 0; col < s->at.cols; col++) {
			const struct dot_cell *const cell = &s->cells[row * s->at.cols + col];
			char glyph[8];
			if (cell->mask == 0)
				continue;
			glyph_of(s, cell, glyph);
			canvas_put(s->c, s->at.row + row, s->at.col + col, glyph, cell->ink.attrs,
				   cell->ink.fg, CELL_DEFAULT);
		}
}
