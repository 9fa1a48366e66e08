/* help_svg.h: what is written in an SVG, for tests that compare it with what a page reports. */
#ifndef HELP_SVG_H
#define HELP_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/plot/raster.h"

struct svg_words {
	const char *text; /* as it is read: without elements in it, entities as their letters */
	const char *family;
	double x, y, size, length; /* length NaN: none is given */
	double angle;		   /* degrees */
	double anchor; /* which point of it (x, y) is: 0 the left, 0.5 the middle, 1 the right */
	bool leftwards;
	size_t pieces; /* elements in it */
};

/* All elements `text`, in their order; the arena's. */
struct svg_words *help_svg_words(const char *svg, struct arena *a, size_t *n);

/* Fails unless elements open and close in turn, each with attributes that it has once, entities are those
 * of XML and what is meant by an id is there, once. Returns the number of elements. */
size_t help_svg_check(const char *svg);

/* The same, and all texts that a page reports are there in their order, each where it is said to be. */
void help_svg_agrees(const char *svg, const struct raster_report *report);

size_t help_count(const char *text, const char *part);

#endif
