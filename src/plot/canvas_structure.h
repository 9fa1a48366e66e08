/* canvas_structure.h: the three ways in which a structure is drawn on cells, for canvas_structure.c. */
#ifndef POSVIZ_CANVAS_STRUCTURE_H
#define POSVIZ_CANVAS_STRUCTURE_H

#include "plot/canvas_strokes.h"
#include "plot/drawing.h"

struct sketch {
	struct canvas *c;
	struct arena *a;
	struct rect inner;
	const struct drawing *d;
	struct light light;
};

/* False: there is no room for arcs; `whole`: not for all of them, their words and labels, and
 * nothing is drawn. */
bool sketch_arcs(const struct sketch *s, bool whole);
void sketch_tree(const struct sketch *sketch);
void sketch_edges(const struct sketch *s);

/* The look of a token and of a node's name: the cursor's two are underlined, their path is bold. */
unsigned sketch_token(const struct sketch *s, size_t token);
unsigned sketch_node(const struct sketch *s, size_t node);
/* "3", and at the cursor "t=3", "s=3", "t=s=3". */
const char *sketch_place(const struct sketch *s, size_t token);
/* "tokens 3–9 of 60", dim, at the right of a row. */
void sketch_part(const struct sketch *s, int row, const char *what, size_t first, size_t end,
		 size_t n);
/* The first of `shown` of n places, so that `at` stands in the middle. */
size_t sketch_window(size_t at, size_t shown, size_t n);

#endif
