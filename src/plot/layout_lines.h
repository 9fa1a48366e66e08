/* layout_lines.h: a layout of Pango as lines of text in reading order, for devices that write words
 * and not glyphs. */
#ifndef POSVIZ_LAYOUT_LINES_H
#define POSVIZ_LAYOUT_LINES_H

#include <pango/pango.h>
#include <stdbool.h>

#include "posviz/base/arena.h"

/* A piece of text in one font at one height. */
struct layout_piece {
	const char *text;
	PangoFont *font; /* owned by the layout */
	double rise;	 /* of a superscript: height above the line's baseline */
};

/* Lengths are measured from the layout's first corner. */
struct layout_line {
	/* all pieces together, with the ellipsis of a line that was cut, and without the blanks
	 * where a line was broken */
	const char *text;
	double x, y, width, height, baseline;
	bool leftwards; /* right-to-left: the line begins at the right */
	struct layout_piece *pieces;
	size_t n;
};

struct layout_line *layout_lines(PangoLayout *layout, struct arena *a, size_t *n);

#endif
