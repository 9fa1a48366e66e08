/* raster_structure.h: what the three drawings of a structure on paper share. */
#ifndef POSVIZ_RASTER_STRUCTURE_H
#define POSVIZ_RASTER_STRUCTURE_H

#include "plot/drawing.h"
#include "plot/raster_in.h"

struct plate {
	struct page *p;
	const struct drawing *d;
	struct area at;
	struct light light;
	uint32_t accent;    /* of the cursor's path */
	struct area *taken; /* by words on strokes and marks */
	size_t n_taken;
};

/* False: nothing was drawn, for not all of it and its labels has room; only when `whole`. */
bool plate_arcs(struct plate *t, bool whole);
void plate_tree(const struct plate *t);
void plate_edges(const struct plate *t);

/* The face and ink of a node's words: bold on the cursor's path, in the accent at its ends. */
enum face plate_face(const struct plate *t, long node);
uint32_t plate_ink(const struct plate *t, long node);
/* Colour and width of a stroke. */
void plate_stroke(const struct plate *t, bool lit);
/* At the bottom right of the plate: what is not drawn. */
void plate_say(const struct plate *t, const char *text);
/* The box of a node. */
void plate_box(const struct plate *t, struct area a);
size_t plate_window(size_t at, size_t shown, size_t n);
/* "t = ", "s = " before what stands at the cursor's ends. */
const char *plate_mark(const struct plate *t, long node);

#endif
