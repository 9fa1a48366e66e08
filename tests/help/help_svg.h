/* help_svg.h: reads the text of an SVG, for tests that compare it with a page's report. */
#ifndef HELP_SVG_H
#define HELP_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/plot/raster.h"

struct svg_words {
	const char *text; /* as displayed: without inner elements, entities as their letters */
	const char *family;
	double x, y, size, length; /* length NaN: not given */
	double angle;		   /* degrees */
	/* The point of the text at (x, y): 0 the left, 0.5 the middle, 1 the right. */
	double anchor;
	bool leftwards;
	size_t pieces; /* inner elements */
};

/* Returns all elements `text`, in their order, in the arena. */
struct svg_words *help_svg_words(const char *svg, struct arena *a, size_t *n);

/* Fails unless elements are properly nested, each attribute occurs once in its element, entities
 * are those of XML, and each id that is referred to exists exactly once. Returns the number of
 * elements. */
size_t help_svg_check(const char *svg);

/* Checks the same, and that all texts that a page reports are in the SVG, in their order, each at
 * its reported position. */
void help_svg_agrees(const char *svg, const struct raster_report *report);

size_t help_count(const char *text, const char *part);

#endif
