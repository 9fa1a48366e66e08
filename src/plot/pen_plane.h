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
	size_t cursor, own;  /* SIZE_MAX: none */
	struct size side;    /* of small pictures; w 0: there are none */
	struct area *thumb;  /* [n] w 0: this one has none */
	struct area *label;  /* [n] the same */
	double mark, strong; /* half of what a mark takes, and one of an end or the cursor */
};

/* How far along a path a point is, from 0 to 1. */
double plane_part(const struct plane_plan *l, size_t i);
bool plane_is_strong(const struct plane_plan *l, size_t i);

/* Where zero is in the box; false: outside it. */
bool plane_zero_x(const struct plane_plan *l, double *x);
bool plane_zero_y(const struct plane_plan *l, double *y);

bool plane_overlap(struct area a, struct area b);
bool plane_inside(struct area a, struct area box);

/* pen_plane_thumbs.c: how large small pictures are in an area; where they go, once points have places; and whether that
 * of a point lies on it, in place of its mark. */
struct size plane_thumb_size(const struct pen *pen, const struct plane *p, struct area at);
void plane_thumbs_place(struct plane_plan *l);
bool plane_is_covered(const struct plane_plan *l, size_t i);
void plane_thumbs(const struct plane_plan *l);

/* pen_plane_marks.c: the lines of zero, small pictures, the path, and the points. */
void plane_marks(const struct plane_plan *l);
/* The names of the groups that are there, from the left and in as many lines as they take; returns how wide the
 * widest is, and their number. */
struct size plane_legend(const struct plane_plan *l, struct area at, bool draw);
/* pen_plane_labels.c: puts the label of a point beside it, `must`: on other points rather than nowhere; else on no
 * point and on `crowded` of the path and the lines of zero at most. False: it has no room. */
bool plane_label_put(struct plane_plan *l, size_t i, bool must);
/* As many of the other labels as have room, and all of them drawn. */
void plane_labels(struct plane_plan *l);

#endif
