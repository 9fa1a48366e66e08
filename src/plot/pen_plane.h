/* pen_plane.h: what the files that draw points in a plane share: where its points are. */
#ifndef POSVIZ_PEN_PLANE_H
#define POSVIZ_PEN_PLANE_H

#include "plot/pen.h"

struct plane_plan {
	const struct pen *pen;
	const struct plane *p;
	struct area box;
	double x, y, unit;   /* the middle of the box in values; a value of one in lengths of x */
	struct point *at;    /* [n]: of the points; not of those that are not there */
	bool *there;	     /* [n] */
	size_t shown;	     /* of these */
	size_t first, last;  /* of a path; SIZE_MAX: it is none */
	size_t cursor;	     /* SIZE_MAX: none */
	double mark, strong; /* half of what a mark takes, and one of an end or the cursor */
};

/* How far along a path a point is, from 0 to 1. */
double plane_part(const struct plane_plan *l, size_t i);
bool plane_is_strong(const struct plane_plan *l, size_t i);

/* Where zero is in the box; false: outside it. */
bool plane_zero_x(const struct plane_plan *l, double *x);
bool plane_zero_y(const struct plane_plan *l, double *y);

/* pen_plane_marks.c: the lines of zero, the path, and the points. */
void plane_marks(const struct plane_plan *l);
/* pen_plane_labels.c: as many labels as have room beside their points. */
void plane_labels(const struct plane_plan *l);

#endif
