/* pen_plane_thumbs.c: small pictures of points in a plane. One lies on its point where it lies on no other point and
 * on no other picture; else beside it at the end of a line, or nowhere. Each has its label beside it. Those of the
 * plane's own point, of the cursor's and of the first in order are placed whatever lies under them.
 *
 * Together they take a part of the plane alone, so that where points lie is seen. */
#include <math.h>

#include "plot/pen_device.h"

static const double most_of_box = 0.3;

static bool has_picture(const struct plane_plan *l, size_t i)
{
	return l->p->thumbs != NULL && l->p->thumbs[i].values.at != NULL;
}

/* ---- where they go ------------------------------------------------------------------------------- */

struct area plane_grown(struct area a, double by)
{
	return (struct area){a.x - by, a.y - by, a.w + 2 * by, a.h + 2 * by};
}

static bool is_in(struct area a, struct point at)
{
	return at.x >= a.x && at.x < a.x + a.w && at.y >= a.y && at.y < a.y + a.h;
}

/* How many other points lie under a picture there; SIZE_MAX: it cannot lie there. */
static size_t hidden(const struct plane_plan *l, size_t own, struct area at)
{
	const struct area wide = plane_grown(at, l->look.thumb_clear);
	const struct area apart = plane_grown(at, l->look.thumb_gap);
	size_t n = 0;
	if (!plane_inside(at, l->box))
		return SIZE_MAX;
	for (size_t i = 0; i < l->p->n; i++) {
		if ((l->thumb[i].w > 0 && plane_overlap(apart, l->thumb[i])) ||
		    (l->label[i].w > 0 && plane_overlap(at, l->label[i])))
			return SIZE_MAX;
		n += i != own && l->there[i] && !plane_is_covered(l, i) && is_in(wide, l->at[i]);
	}
	return n;
}

/* Place k of a ring so many halves of a picture away from the point; ring 0: on it. */
static struct area place_of(const struct plane_plan *l, size_t i, size_t ring, size_t k)
{
	enum { AROUND = 16 };
	const double turn = 2 * acos(-1) * (double)k / AROUND, far = 0.6 * (double)ring;
	const double x = l->at[i].x + far * l->side.w * cos(turn) - l->side.w / 2;
	const double y = l->at[i].y - far * l->side.h * sin(turn) - l->side.h / 2;
	return (struct area){round(x), round(y), l->side.w, l->side.h};
}

/* With its label, if it has one. */
static bool put(struct plane_plan *l, size_t i, struct area at, bool must)
{
	l->thumb[i] = at;
	if (l->p->at[i].label == NULL || plane_label_put(l, i, must))
		return true;
	l->thumb[i].w = 0;
	return false;
}

/* `must`: where the fewest points lie under it; else only where none does, and not far away. */
static bool place(struct plane_plan *l, size_t i, bool must)
{
	enum { AROUND = 16, NEAR = 4, FAR = 14 };
	struct area best = {0};
	size_t least = SIZE_MAX;
	for (size_t ring = 0; ring < (must ? FAR : NEAR) && least > 0; ring++)
		for (size_t k = 0; k < (ring ? AROUND : 1) && least > 0; k++) {
			const struct area at = place_of(l, i, ring, k);
			/* Beside its point, which is seen then. */
			const bool on = is_in(plane_grown(at, l->look.mark), l->at[i]);
			const size_t n = ring && on ? SIZE_MAX : hidden(l, i, at);
			if (n >= least || (!must && n > 0) || !put(l, i, at, must))
				continue;
			l->thumb[i].w = l->label[i].w = 0;
			least = n;
			best = at;
		}
	return least < SIZE_MAX && put(l, i, best, must);
}

/* The next picture, as long as there is room for more. */
static void place_one(struct plane_plan *l, size_t i, bool must, double *room)
{
	if (i < l->p->n && l->there[i] && has_picture(l, i) && !(l->thumb[i].w > 0) && *room > 0 &&
	    place(l, i, must))
		*room -= l->side.w * l->side.h;
}

void plane_thumbs_place(struct plane_plan *l)
{
	const size_t n = l->p->n;
	double room = l->box.w * l->box.h * most_of_box;
	if (!(l->side.w > 0))
		return;
	place_one(l, l->own, true, &room);
	place_one(l, l->cursor, true, &room);
	for (size_t k = 0; k < n; k++)
		place_one(l, l->p->order ? l->p->order[k] : k, k == 0, &room);
}

bool plane_is_covered(const struct plane_plan *l, size_t i)
{
	return l->thumb[i].w > 0 && is_in(l->thumb[i], l->at[i]);
}

/* ---- drawn --------------------------------------------------------------------------------------- */

/* The point of the area that is nearest to `to`. */
struct point plane_nearest(struct area a, struct point to)
{
	return (struct point){fmin(fmax(to.x, a.x), a.x + a.w), fmin(fmax(to.y, a.y), a.y + a.h)};
}

void plane_thumbs(const struct plane_plan *l)
{
	if (!(l->side.w > 0))
		return;
	l->pen->device->plane_leaders(l);
	for (size_t i = 0; i < l->p->n; i++)
		if (l->thumb[i].w > 0)
			l->pen->device->plane_thumb(l, i);
}
