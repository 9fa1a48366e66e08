/* canvas_stipple.h: dots inside cells, put where they are wanted in columns and rows: braille (2×4 in a cell),
 * quarter blocks (2×2), or a sign a cell where there is only ASCII. A cell has one colour: a higher rank
 * takes it from a lower one; of one rank the last gives it. */
#ifndef POSVIZ_CANVAS_STIPPLE_H
#define POSVIZ_CANVAS_STIPPLE_H

#include "plot/canvas_in.h"
#include "plot/pen.h"

struct dot_ink {
	unsigned rank; /* from 1 */
	unsigned attrs;
	uint32_t fg;
	char sign;	/* in ASCII */
	unsigned every; /* of a line: every so many dots; 0: all */
};

struct stipple {
	struct canvas *c;
	struct rect at;
	int sx, sy; /* dots in a cell */
	struct dot_cell {
		uint8_t mask; /* bit y * sx + x */
		struct dot_ink ink;
	} * cells;
};

struct stipple stipple_new(struct canvas *c, struct arena *a, struct rect at);
/* A column or row for each dot's side. */
double stipple_dot_width(const struct stipple *s);
double stipple_dot_height(const struct stipple *s);
void stipple_dot(const struct stipple *s, const struct dot_ink *ink, struct point at);
void stipple_line(const struct stipple *s, const struct dot_ink *ink, struct point from,
		  struct point to);
/* The largest ellipse whose dots lie in this area, a dot at `apart` dots. */
void stipple_ring(const struct stipple *s, const struct dot_ink *ink, struct area in, double apart);
void stipple_draw(const struct stipple *s);

#endif
