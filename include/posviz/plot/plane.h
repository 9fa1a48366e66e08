/* plane.h: a panel of points in a plane, with one scale for both axes, unless they are of different things. */
#ifndef POSVIZ_PLANE_H
#define POSVIZ_PLANE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/plot/heatmap.h"

struct plane_point {
	double x, y;	   /* a point that is not finite is left out, and breaks the line */
	const char *label; /* NULL: none */
	const char *more;  /* words after the label where they have room; NULL: none */
	const char *same;  /* likewise, unless other points are gathered here: "= a, b" */
};

struct plane {
	size_t n;
	const struct plane_point *at;
	bool apart;  /* the axes are of different things: each has a scale of its own */
	bool joined; /* a line from point to point, with marks at the ends of this path */
	/* the steps of the path go everywhere: no line is drawn, and labels are only at its ends */
	bool tangled;
	const char *x_title, *y_title; /* "first component, 41 % of the variance"; NULL: none */
	const char *x_brief, *y_brief; /* where the titles have no room; NULL: they are cut */
	/* sentences above the plane: what a mark is, in brief where that has no room, and what pictures are.
	 * NULL: none */
	const char *about, *about_brief, *about_thumbs;
	/* [n]: the group of a point, which gives it the colour and form of a series. NULL: one
	 * colour, along a path from a quiet to a strong shade. The names of the groups are printed
	 * above the plane; NULL: they are not. */
	const size_t *group;
	const char *const *group_names;
	size_t n_groups;	 /* number of groups */
	const char *group_title; /* before the names of the groups; NULL: nothing */
	const bool *group_also;	 /* [n_groups]: named even if no mark is of it; NULL: none is */
	/* [n]: a small picture of each point, at the point, as long as pictures overlap neither each
	 * other nor another point; those of `own`, of the cursor and of the first in order may be
	 * connected to their point by a line. values.at NULL: the point has none. NULL: no point
	 * has one. */
	const struct heatmap *thumbs;
	/* [n]: the points by priority if not all pictures have room; NULL: evenly spread ones */
	const size_t *order;
	/* the number of the first points in `order` whose labels are at the end of a line where there
	 * is no room beside their points */
	size_t n_called;
	/* [4]: the part that is shown, from and to along x, then along y; NULL: all points */
	const double *window;
	/* Points that lie close together, or whose names have no room, are drawn as one mark, which
	 * has the name of the first of them in `order`, and how many others it stands for:
	 * "rope +13". `own` and the cursor always have marks of their own, and all names lie apart. */
	bool gathers;
	const size_t *also; /* [n]: how many more things a point stands for; NULL: none does */
	int least_rows, least_cols; /* of a terminal, below which it is left out; 0: of its kind */
	bool has_own;
	/* the point of interest, whose picture and label come before all others */
	size_t own;
	bool has_cursor;
	/* marked strongly; its label has the highest priority after that of `own` */
	size_t cursor;
	const char *
		cursor_is; /* "the shown head": a note on cells explains the sign; NULL: none does */
};

#endif
