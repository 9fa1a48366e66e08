/* pen_plane.h: the plan of points in a plane, for the files that draw it. */
#ifndef POSVIZ_PEN_PLANE_H
#define POSVIZ_PEN_PLANE_H

#include "plot/pen.h"

/* Sizes of marks and words on a device. */
struct plane_look {
	double mark, strong; /* half the size of a mark, and of the mark of an end or the cursor */
	double around;	     /* the space around the outermost marks */
	double gap;	     /* between the box and the numbers below it */
	double label_air;    /* at both sides of a label */
	double label_gap;    /* between a mark and its label above or below it ... */
	double label_beside; /* ... or in its line */
	size_t label_on;     /* parts of the path and lines of zero that a label may cross */
	double label_lead; /* the least length of a line to a label, and the step to longer ones */
	double label_room; /* the area needed for each label of a path; 0: all that fit are shown */
	double thumb_frame;  /* width of the frame of a small picture */
	double thumb_around; /* its distance from the side of the box */
	double thumb_gap;    /* between two small pictures */
	double thumb_clear;  /* its distance from other points */
	double form;	     /* the width of a group's mark before its name */
	double form_gap;     /* between one name and the next */
};

struct plane_plan {
	const struct pen *pen;
	const struct plane *p;
	struct area box;
	double x, y; /* the values at the middle of the box */
	double unit,
		unit_y;	  /* the length of value 1 along x; along y, before the aspect of a cell */
	struct point *at; /* [n]: positions of the points; unset if `there` is false */
	bool *there;	  /* [n] */
	size_t shown;	  /* the number of points with `there` */
	size_t first, last; /* of a path; SIZE_MAX: no path */
	size_t cursor, own; /* SIZE_MAX: none */
	struct size side;   /* of small pictures; w == 0: there are none */
	struct area *thumb; /* [n]; w == 0: this point has none */
	struct area *label; /* [n]; likewise */
	const char **name;  /* [n]: the text of the label, with or without its further words */
	bool *led;	    /* [n]: a line leads from the point to its label */
	size_t *gathered;   /* [n]: how many things of other points its mark stands for */
	struct plane_look look;
};

/* Returns the position of a point along a path, from 0 to 1. */
double plane_part(const struct plane_plan *l, size_t i);
bool plane_is_strong(const struct plane_plan *l, size_t i);

/* Get the position of zero in the box; false if it is outside. */
bool plane_zero_x(const struct plane_plan *l, double *x);
bool plane_zero_y(const struct plane_plan *l, double *y);

/* Calls `put` for the marks that no small picture covers, in the order in which they are drawn over
 * each other: normal ones if `all`, then the strong ones, then the cursor's. */
void plane_each_mark(const struct plane_plan *l, bool all,
		     void (*put)(const struct plane_plan *l, size_t i));
/* Return whether a step of the path ends at this point; its strength, which increases along a path;
 * the series that gives its colour. */
bool plane_is_step(const struct plane_plan *l, size_t i);
double plane_strength(const struct plane_plan *l, size_t i);
size_t plane_colour(const struct plane_plan *l, size_t i);
/* Returns the colour at `part` of the way between two colours. */
uint32_t plane_between(uint32_t from, uint32_t to, double part);
/* Return the point of an area that is nearest to `to`; the area enlarged by `by` on each side. */
struct point plane_nearest(struct area a, struct point to);
struct area plane_grown(struct area a, double by);

bool plane_overlap(struct area a, struct area b);
bool plane_inside(struct area a, struct area box);

/* pen_plane_thumbs.c: places small pictures, after the points have their positions; returns whether
 * a point's picture covers the point and replaces its mark; draws the pictures. */
void plane_thumbs_place(struct plane_plan *l);
bool plane_is_covered(const struct plane_plan *l, size_t i);
void plane_thumbs(const struct plane_plan *l);

/* pen_plane_marks.c */
/* Writes the names of the groups that have points, from the left, in as many lines as needed;
 * returns the width of the widest line, and the number of lines. */
struct size plane_legend(const struct plane_plan *l, struct area at, bool draw);
/* pen_plane_labels.c: returns the area of a point's mark or picture; on cells the cell. Places the label of a point beside it. `must`: rather on other points than
 * nowhere; else on no point, and on at most look.label_on parts of the path and the lines of zero.
 * False if it has no room. */
struct area plane_mark_area(const struct plane_plan *l, size_t i);
bool plane_label_put(struct plane_plan *l, size_t i, bool must);
/* Places as many of the other labels as have room; draws all labels. */
void plane_labels_place(struct plane_plan *l);
void plane_labels(const struct plane_plan *l);
/* Returns the end of the line to the label of a point with `led`. */
struct point plane_lead_end(const struct plane_plan *l, size_t i);

/* pen_plane_gather.c: gathers the points that lie close to a mark of their group, or on one; only
 * marks are there afterwards. Places pictures and labels, and gathers what has no room. */
void plane_gather(struct plane_plan *l);
void plane_gathered_place(struct plane_plan *l);

#endif
