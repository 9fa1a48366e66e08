/* layout_lines.h: what Pango laid out, as lines of text in the order it is read: for those who write words
 * down and not glyphs. */
#ifndef POSVIZ_LAYOUT_LINES_H
#define POSVIZ_LAYOUT_LINES_H

#include <pango/pango.h>
#include <stdbool.h>

#include "posviz/base/arena.h"

/* What one font shows, at one height. */
struct layout_piece {
	const char *text;
	PangoFont *font; /* the layout's */
	double rise;	 /* of a superscript, above the line's baseline */
};

/* Lengths from the layout's first corner. */
struct layout_line {
	const char
		*text; /* all pieces; of a line that is cut its ellipsis, and no blanks where it is
			   * broken */
	double x, y, width, height, baseline;
	bool leftwards; /* it begins at the right */
	struct layout_piece *pieces;
	size_t n;
};

struct layout_line *layout_lines(PangoLayout *layout, struct arena *a, size_t *n);

#endif
