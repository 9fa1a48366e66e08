/* pen_plane.h: what the files that draw points in a plane share: where its points are. */
#ifndef POSVIZ_PEN_PLANE_H
#define POSVIZ_PEN_PLANE_H

#include "plot/pen.h"

/* Sizes of marks and words on a device. */
struct plane_look {
	double mark, strong; /* half of a mark, and of one of an end or the cursor */
	double around;	     /* the room of the outermost marks */
	double gap;	     /* between the box and numbers below it */
	double label_air;    /* at both sides of a label */
	double label_gap;    /* between a mark and its label above or below it ... */
	double label_beside; /* ... or in its line */
	size_t label_on;     /* pieces of the path and lines of zero that a label may lie on */
	double label_room;   /* the area for each label of a path; 0: there are as many as fit */
	double thumb_frame;  /* of a small picture */
	double thumb_around; /* its distance from the side of the box */
	double thumb_gap;    /* between two */
	double thumb_clear;  /* of other points about it */
	double form;	     /* the width of a group's mark before its name, */
	double form_gap;     /* and between one name and the next */
};

struct plane_plan {
	const struct pen *pen;
	const struct plane *p;
	struct area box;
	double x, y, unit;  /* the middle of the box in values; a value of one in lengths of x */
	struct point *at;   /* [n]: of the points; not of those that are not there */
	bool *there;	    /* [n] */
	size_t shown;	    /* of these */
	size_t first, last; /* of a path; SIZE_MAX: it is none */
	size_t cursor, own; /* SIZE_MAX: none */
	struct size side;   /* of small pictures; w 0: there are none */
	struct area *thumb; /* [n] w 0: this one has none */
	struct area *label; /* [n] the same */
	struct plane_look look;
};

/* How far along a path a point is, from 0 to 1. */
double plane_part(const struct plane_plan *l, size_t i);
bool plane_is_strong(const struct plane_plan *l, size_t i);

/* Where zero is in the box; false: outside it. */
bool plane_zero_x(const struct plane_plan *l, double *x);
bool plane_zero_y(const struct plane_plan *l, double *y);

/* Calls `put` for the marks that no small picture covers, in the order in which they lie on each other: the quiet ones
 * where `all`, the strong ones, the cursor's. */
void plane_each_mark(const struct plane_plan *l, bool all,
		     void (*put)(const struct plane_plan *l, size_t i));
/* Whether the path has a step that ends here; its strength from a quiet shade to a strong one; the series of its colour. */
bool plane_is_step(const struct plane_plan *l, size_t i);
double plane_strength(const struct plane_plan *l, size_t i);
size_t plane_colour(const struct plane_plan *l, size_t i);
/* The colour at `part` of the way between two. */
uint32_t plane_between(uint32_t from, uint32_t to, double part);
/* The point of an area that is nearest to `to`; the area so much larger on each side. */
struct point plane_nearest(struct area a, struct point to);
struct area plane_grown(struct area a, double by);

bool plane_overlap(struct area a, struct area b);
bool plane_inside(struct area a, struct area box);

/* pen_plane_thumbs.c: where small pictures go, once points have places; and whether that of a point lies on it, in
 * place of its mark. */
void plane_thumbs_place(struct plane_plan *l);
bool plane_is_covered(const struct plane_plan *l, size_t i);
void plane_thumbs(const struct plane_plan *l);

/* pen_plane_marks.c */
/* The names of the groups that are there, from the left and in as many lines as they take; returns how wide the
 * widest is, and their number. */
struct size plane_legend(const struct plane_plan *l, struct area at, bool draw);
/* pen_plane_labels.c: puts the label of a point beside it, `must`: on other points rather than nowhere; else on no
 * point and on `crowded` of the path and the lines of zero at most. False: it has no room. */
bool plane_label_put(struct plane_plan *l, size_t i, bool must);
/* As many of the other labels as have room, and all of them drawn. */
void plane_labels(struct plane_plan *l);

#endif
