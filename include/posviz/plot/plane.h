/* plane.h: points in a plane, to be shown with one scale for both axes. */
#ifndef POSVIZ_PLANE_H
#define POSVIZ_PLANE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/plot/heatmap.h"

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
	 * strong shade. Their names stand above the plane; NULL: they are not said. */
	const size_t *group;
	const char *const *group_names;
	size_t n_groups; /* of these */
	/* [n]: a small picture of each point, in its place or beside it at the end of a line, as far as they lie
	 * apart and on no other point; values.at NULL: it has none. NULL: no point has one. */
	const struct heatmap *thumbs;
	const size_t *
		order; /* [n]: which come first where not all have room; NULL: evenly spread ones */
	bool has_own;
	size_t own; /* the one that is looked at: it has its picture and its label before all others */
	bool has_cursor;
	size_t cursor; /* marked strongly, its label is the first to have room, behind that of `own` */
};

#endif
