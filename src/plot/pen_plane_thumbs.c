/* pen_plane_thumbs.c: small pictures of points in a plane. A picture is on its point if it covers
 * no other point and no other picture there, and is left out otherwise: pictures away from their
 * points would hide where these are. Each has its label beside it. Those of the plane's own point,
 * of the cursor's and of the first in order are placed anyway, at the end of a line if necessary.
 *
 * Together they cover only a part of the plane, so that the positions of points stay visible. */
#include <math.h>

#include "plot/pen_device.h"

static const double most_of_box = 0.3;
enum { AROUND = 16 }; /* positions in a ring */

static bool has_picture(const struct plane_plan *l, size_t i)
{
	return l->p->thumbs != NULL && l->p->thumbs[i].values.at != NULL;
}

/* ---- places ---------------------------------------------------------------------------------- */

struct area plane_grown(struct area a, double by)
{
	return (struct area){a.x - by, a.y - by, a.w + 2 * by, a.h + 2 * by};
}

static bool is_in(struct area a, struct point at)
{
	return at.x >= a.x && at.x < a.x + a.w && at.y >= a.y && at.y < a.y + a.h;
}

/* Returns how many other points a picture here would cover; SIZE_MAX if it cannot be here. */
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

/* Returns place k of a ring around the point, at a distance of 0.6 `ring` picture sizes; ring 0: on
 * the point. */
static struct area place_of(const struct plane_plan *l, size_t i, size_t ring, size_t k)
{
	const double turn = 2 * acos(-1) * (double)k / AROUND, far = 0.6 * (double)ring;
	const double x = l->at[i].x + far * l->side.w * cos(turn) - l->side.w / 2;
	const double y = l->at[i].y - far * l->side.h * sin(turn) - l->side.h / 2;
	return (struct area){round(x), round(y), l->side.w, l->side.h};
}

/* Places a picture here, with its label if it has one; false if the label has no room. */
static bool put(struct plane_plan *l, size_t i, struct area at, bool must)
{
	l->thumb[i] = at;
	if (l->p->at[i].label == NULL || plane_label_put(l, i, must))
		return true;
	l->thumb[i].w = 0;
	return false;
}

/* Places a picture; `must`: where it covers the fewest points; else on its point, if it covers no
 * other one. */
static bool place(struct plane_plan *l, size_t i, bool must)
{
	enum { NEAR = 1, FAR = 14 };
	struct area best = {0};
	size_t least = SIZE_MAX;
	for (size_t ring = 0; ring < (must ? FAR : NEAR) && least > 0; ring++)
		for (size_t k = 0; k < (ring ? AROUND : 1) && least > 0; k++) {
			const struct area at = place_of(l, i, ring, k);
			/* beside its point, which must stay visible */
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

/* Places a picture if there is still room for more. */
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

/* ---- drawing --------------------------------------------------------------------------------- */

/* Returns the point of the area that is nearest to `to`. */
struct point plane_nearest(struct area a, struct point to)
{
	return (struct point){fmin(fmax(to.x, a.x), a.x + a.w), fmin(fmax(to.y, a.y), a.y + a.h)};
}

void plane_thumbs(const struct plane_plan *l)
{
	l->pen->device->plane_leaders(l);
	for (size_t i = 0; i < l->p->n; i++)
		if (l->thumb[i].w > 0)
			l->pen->device->plane_thumb(l, i);
}
