/* plane.h: points in a plane, to be shown with one scale for both axes. */
#ifndef POSVIZ_PLANE_H
#define POSVIZ_PLANE_H

#include <stdbool.h>
#include <stddef.h>

struct plane_point {
	double x, y;	   /* what is not finite is not there, and breaks the line */
	const char *label; /* NULL: none */
};

struct plane {
	size_t n;
	const struct plane_point *at;
	bool joined;		       /* a line from point to point: a path, its ends are marked */
	const char *x_title, *y_title; /* "first component, 41 % of the variance"; NULL: none */
	/* [n]: each has the colour and the form of a series; NULL: one colour, along a path from a quiet to a
	 * strong shade. */
	const size_t *group;
	bool has_cursor;
	size_t cursor; /* marked strongly, its label is the first to have room */
};

#endif
