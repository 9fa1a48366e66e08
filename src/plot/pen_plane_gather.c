/* pen_plane_gather.c: points of a plane that lie close together as one mark, so that every mark has
 * its name beside it and no name touches another.
 *
 * Points are taken by priority. One that lies close to a mark of its group, or nearly on any mark,
 * is counted there; else it is a mark of its own. Then labels are placed, and of the marks whose label
 * has no room, or that a label covers, the one closest to another is counted there, until all have
 * theirs. */
#include <math.h>
#include <string.h>

#include "plot/pen_plane.h"

static const double close_of_group = 6, close_of_any = 2.5; /* digits along x */

/* Returns how far apart two points are drawn. */
static double apart(const struct plane_plan *l, size_t i, size_t k)
{
	return hypot(l->at[i].x - l->at[k].x, l->pen->aspect * (l->at[i].y - l->at[k].y));
}

static bool keeps_mark(const struct plane_plan *l, size_t i)
{
	return i == l->own || i == l->cursor;
}

/* Counts a point, and all that its mark stands for, at the mark `to`. */
static void gather(struct plane_plan *l, size_t i, size_t to)
{
	l->there[i] = false;
	l->gathered[to] += 1 + l->gathered[i] + (l->p->also ? l->p->also[i] : 0);
	l->gathered[i] = 0;
}

static bool is_called(const struct plane_plan *l, size_t i)
{
	for (size_t k = 0; l->p->order && k < l->p->n_called; k++)
		if (l->p->order[k] == i)
			return true;
	return false;
}

/* Returns the nearest of these marks that is close enough to stand for a point; SIZE_MAX: none is. A
 * point that is called is rather a mark of its own. */
static size_t mark_for(const struct plane_plan *l, size_t i, const bool *marks)
{
	const bool called = is_called(l, i);
	size_t best = SIZE_MAX;
	double least = INFINITY;
	for (size_t k = 0; k < l->p->n; k++) {
		const bool same = called ? false : !l->p->group || l->p->group[k] == l->p->group[i];
		/* The pictures of these two stand on their points. */
		const double own = keeps_mark(l, k) ? 0.75 * l->side.w + l->look.thumb_clear : 0;
		const double near = (same ? close_of_group : close_of_any) * l->pen->em;
		const double most = fmax(near, l->side.w > 0 ? own : 0);
		if (!marks[k] || k == i)
			continue;
		const double is = apart(l, i, k);
		if (is <= most && is < least) {
			least = is;
			best = k;
		}
	}
	return best;
}

void plane_gather(struct plane_plan *l)
{
	const size_t n = l->p->n;
	bool *const marks = arena_calloc(l->pen->arena, n + 1, sizeof *marks);
	for (size_t k = 0; k < n + 2; k++) {
		const size_t i = k == 0	       ? l->own
				 : k == 1      ? l->cursor
				 : l->p->order ? l->p->order[k - 2]
					       : k - 2;
		if (i >= n || !l->there[i] || marks[i])
			continue;
		const size_t to = keeps_mark(l, i) ? SIZE_MAX : mark_for(l, i, marks);
		marks[i] = to == SIZE_MAX;
		if (to != SIZE_MAX)
			gather(l, i, to);
	}
}

/* Returns whether the label of another mark covers this one. */
static bool is_under_label(const struct plane_plan *l, size_t i)
{
	const struct area mark = plane_mark_area(l, i);
	for (size_t k = 0; k < l->p->n; k++)
		if (k != i && l->label[k].w > 0 && plane_overlap(mark, l->label[k]))
			return true;
	return false;
}

/* Returns the nearest other mark; SIZE_MAX: it is the only one. */
static size_t nearest(const struct plane_plan *l, size_t i)
{
	size_t best = SIZE_MAX;
	for (size_t k = 0; k < l->p->n; k++)
		if (k != i && l->there[k] &&
		    (best == SIZE_MAX || apart(l, i, k) < apart(l, i, best)))
			best = k;
	return best;
}

/* Returns whether a mark has a name that should be beside it, and is not, or that another one's covers. */
static bool is_unread(const struct plane_plan *l, size_t i)
{
	const char *const label = l->p->at[i].label;
	return l->there[i] && !keeps_mark(l, i) && label != NULL && *label != '\0' &&
	       (!(l->label[i].w > 0) || is_under_label(l, i));
}

/* Gathers the two marks that are closest to each other, one of which cannot be read, at the one that can, else at the
 * first by priority; false: all can be read. */
static bool gather_one(struct plane_plan *l)
{
	size_t from = SIZE_MAX, to = SIZE_MAX;
	for (size_t k = l->p->n; k-- > 0;) {
		const size_t i = l->p->order ? l->p->order[k] : k;
		const size_t other = is_unread(l, i) ? nearest(l, i) : SIZE_MAX;
		if (other == SIZE_MAX ||
		    (from != SIZE_MAX && apart(l, i, other) >= apart(l, from, to)))
			continue;
		from = i;
		to = other;
	}
	if (from == SIZE_MAX)
		return false;
	bool first = false; /* `from` comes before `to` */
	for (size_t k = 0; k < l->p->n && !first; k++) {
		const size_t i = l->p->order ? l->p->order[k] : k;
		if (i == to)
			break;
		first = i == from;
	}
	if (first && is_unread(l, to))
		gather(l, to, from);
	else
		gather(l, from, to);
	return true;
}

void plane_gathered_place(struct plane_plan *l)
{
	const size_t n = l->p->n;
	do {
		memset(l->thumb, 0, n * sizeof *l->thumb);
		memset(l->label, 0, n * sizeof *l->label);
		memset(l->led, 0, n * sizeof *l->led);
		plane_thumbs_place(l);
		plane_labels_place(l);
	} while (gather_one(l));
}
