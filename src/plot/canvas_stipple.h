/* canvas_stipple.h: dots inside cells, placed by coordinates in columns and rows: braille (2×4 in a
 * cell), quarter blocks (2×2), or one sign a cell in ASCII. A cell has one colour: dots of a higher
 * rank replace those of a lower one; among equal ranks the last gives the colour. */
#ifndef POSVIZ_CANVAS_STIPPLE_H
#define POSVIZ_CANVAS_STIPPLE_H

#include "plot/canvas_in.h"
#include "plot/pen.h"

struct dot_ink {
	unsigned rank; /* from 1 */
	unsigned attrs;
	uint32_t fg;
	char sign;	/* in ASCII */
	unsigned every; /* of a line: the distance of drawn dots, in dots; 0: 1 */
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
/* Return the width of a dot in columns, and its height in rows. */
double stipple_dot_width(const struct stipple *s);
double stipple_dot_height(const struct stipple *s);
void stipple_dot(const struct stipple *s, const struct dot_ink *ink, struct point at);
void stipple_line(const struct stipple *s, const struct dot_ink *ink, struct point from,
		  struct point to);
/* Draws the largest ellipse whose dots are inside this area, with a dot every `apart` dots. */
void stipple_ring(const struct stipple *s, const struct dot_ink *ink, struct area in, double apart);
void stipple_draw(const struct stipple *s);

#endif
