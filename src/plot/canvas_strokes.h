/* canvas_strokes.h: lines of box-drawing signs that meet: each cell keeps in which of four
 * directions a light or a heavy stroke leaves it, and gets the sign for this combination. */
#ifndef POSVIZ_CANVAS_STROKES_H
#define POSVIZ_CANVAS_STROKES_H

#include "plot/canvas_in.h"

struct strokes {
	struct canvas *c;
	struct rect r;
	uint8_t *at; /* two bits a direction: up, right, down, left; 1 light, 2 heavy */
};

struct strokes strokes_new(struct canvas *c, struct arena *a, struct rect r);
/* Draw a line from the middle of one cell to the middle of another in the same row, or column;
 * clipped. */
void strokes_level(const struct strokes *s, int row, int from, int to, bool heavy);
void strokes_upright(const struct strokes *s, int col, int from, int to, bool heavy);
void strokes_draw(const struct strokes *s);

#endif
