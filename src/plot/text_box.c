/* text_box.c: tells if the boxes of two texts, which may be rotated, overlap. */
#include <math.h>

#include "posviz/plot/raster.h"

/* Finds the corners of a box, in order. */
static void corners(const struct text_box *b, double x[4], double y[4])
{
	const double c = cos(b->angle), s = sin(b->angle);
	const double w[4] = {0, b->width, b->width, 0}, h[4] = {0, 0, b->height, b->height};
	for (int i = 0; i < 4; i++) {
		x[i] = b->x + w[i] * c - h[i] * s;
		y[i] = b->y + w[i] * s + h[i] * c;
	}
}

/* Tells if a side of `a` separates it from `b` (the separating axis theorem). */
static bool separated(const struct text_box *a, const struct text_box *b)
{
	const double hair = 0.5;
	double x[4], y[4];
	corners(b, x, y);
	const double c = cos(a->angle), s = sin(a->angle);
	double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
	for (int i = 0; i < 4; i++) {
		const double along = (x[i] - a->x) * c + (y[i] - a->y) * s;
		const double down = -(x[i] - a->x) * s + (y[i] - a->y) * c;
		left = fmin(left, along);
		right = fmax(right, along);
		top = fmin(top, down);
		bottom = fmax(bottom, down);
	}
	return right <= hair || left >= a->width - hair || bottom <= hair ||
	       top >= a->height - hair;
}

/* Returns the box without the parts of its height that have no ink. */
static struct text_box inked(const struct text_box *b)
{
	struct text_box out = *b;
	out.x -= b->free_above * sin(b->angle);
	out.y += b->free_above * cos(b->angle);
	out.height -= b->free_above + b->free_below;
	out.free_above = out.free_below = 0;
	return out;
}

bool text_box_overlap(const struct text_box *a, const struct text_box *b)
{
	const struct text_box x = inked(a), y = inked(b);
	return !separated(&x, &y) && !separated(&y, &x);
}

double text_box_bottom(const struct text_box *box)
{
	double x[4], y[4];
	corners(box, x, y);
	return fmax(fmax(y[0], y[1]), fmax(y[2], y[3]));
}

bool text_box_inside(const struct text_box *box, double width, double height)
{
	const struct text_box ink = inked(box);
	double x[4], y[4];
	corners(&ink, x, y);
	for (int i = 0; i < 4; i++)
		if (x[i] < 0 || y[i] < 0 || x[i] > width || y[i] > height)
			return false;
	return true;
}
