/* pen_plane_labels.c: labels beside the points of a plane, one after the other: each goes where it lies on no other
 * label, on no point, and on as little of the path as can be, or nowhere. The cursor's is first, then those of
 * the ends; these stand on points rather than nowhere. */
#include <math.h>

#include "plot/pen_plane.h"

enum { PLACES = 8, MOST = 160 }; /* labels that are tried */

struct labels {
	const struct plane_plan *l;
	struct area *taken;
	size_t n, most; /* of paths on cells fewer than have room, for their form to be seen */
	double air;	/* between a label and what is beside it */
};

static bool overlap(struct area a, struct area b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static bool inside(struct area a, struct area box)
{
	return a.x >= box.x && a.y >= box.y && a.x + a.w <= box.x + box.w &&
	       a.y + a.h <= box.y + box.h;
}

/* The area of a point's mark; on cells the cell. */
static struct area mark_of(const struct plane_plan *l, size_t i)
{
	const struct point at = l->at[i];
	const double r = i == l->cursor		 ? 1.7 * l->strong
			 : plane_is_strong(l, i) ? l->strong
						 : l->mark;
	if (l->pen->page == NULL)
		return (struct area){floor(at.x), floor(at.y), 1, 1};
	return (struct area){at.x - r, at.y - r, 2 * r, 2 * r};
}

/* The k-th place for a label of this size beside a mark: right, left, above, below, and between these. */
static struct area place_of(const struct plane_plan *l, struct area mark, struct size size,
			    size_t k)
{
	static const int ways[PLACES][2] = {{1, 0},  {-1, 0}, {0, -1},	{0, 1},
					    {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
	const bool page = l->pen->page != NULL;
	const double gap = page ? 3 * l->pen->unit : ways[k][1] == 0 ? 1 : 0;
	const double x = ways[k][0] > 0	  ? mark.x + mark.w + gap
			 : ways[k][0] < 0 ? mark.x - gap - size.w
					  : mark.x + mark.w / 2 - size.w / 2;
	const double y = ways[k][1] > 0	  ? mark.y + mark.h
			 : ways[k][1] < 0 ? mark.y - size.h
					  : mark.y + mark.h / 2 - size.h / 2;
	return (struct area){page ? x : floor(x), page ? y : floor(y), size.w, size.h};
}

/* Whether a line from a to b touches the area: the part of it within each pair of its sides (Liang and Barsky). */
static bool crosses(struct point a, struct point b, struct area r)
{
	const double d[] = {b.x - a.x, b.y - a.y}, from[] = {a.x, a.y};
	const double lo[] = {r.x, r.y}, hi[] = {r.x + r.w, r.y + r.h};
	double begin = 0, end = 1;
	for (int k = 0; k < 2; k++) {
		if (d[k] <= 0 && d[k] >= 0) {
			if (from[k] < lo[k] || from[k] > hi[k])
				return false;
			continue;
		}
		const double p = (lo[k] - from[k]) / d[k], q = (hi[k] - from[k]) / d[k];
		begin = fmax(begin, fmin(p, q));
		end = fmin(end, fmax(p, q));
	}
	return begin <= end;
}

/* What stands in the way of a label: points count more than the path; SIZE_MAX: it cannot stand there. */
static size_t cost_of(const struct labels *s, size_t own, struct area at)
{
	enum { POINT = 1000 };
	const struct plane_plan *const l = s->l;
	const struct area wide = {at.x - s->air, at.y, at.w + 2 * s->air, at.h};
	double zero;
	size_t cost = l->pen->page != NULL &&
		      ((plane_zero_x(l, &zero) && zero > at.x && zero < at.x + at.w) ||
		       (plane_zero_y(l, &zero) && zero > at.y && zero < at.y + at.h));
	if (!inside(at, l->box))
		return SIZE_MAX;
	for (size_t i = 0; i < s->n; i++)
		if (overlap(at, s->taken[i]))
			return SIZE_MAX;
	for (size_t i = 0; i < l->p->n; i++) {
		if (!l->there[i])
			continue;
		if (overlap(i == own ? at : wide, mark_of(l, i)))
			cost += i == l->cursor || plane_is_strong(l, i) ? POINT * POINT : POINT;
		if (l->p->joined && i > 0 && l->there[i - 1] && crosses(l->at[i - 1], l->at[i], at))
			cost++;
	}
	return cost;
}

/* `crowded`: how much may stand in its way. */
static bool put(struct labels *s, size_t i, size_t crowded)
{
	const struct plane_plan *const l = s->l;
	const struct pen *const pen = l->pen;
	const char *const text = l->p->at[i].label;
	const struct area mark = mark_of(l, i);
	struct area best = {0};
	size_t least = SIZE_MAX;
	if (!l->there[i] || text == NULL || *text == '\0')
		return false;
	for (size_t k = 0; k < PLACES && least > 0; k++) {
		const struct area at = place_of(l, mark, pen_measure(pen, text), k);
		const size_t cost = cost_of(s, i, at);
		if (cost < least) {
			least = cost;
			best = at;
		}
	}
	if (least > crowded)
		return false;
	s->taken[s->n++] = (struct area){best.x - s->air, best.y, best.w + 2 * s->air, best.h};
	const bool grouped = l->p->group != NULL && i != l->cursor;
	pen_text_series(pen,
			i == l->cursor		? ROLE_PATH
			: plane_is_strong(l, i) ? ROLE_STRONG
						: ROLE_PLAIN,
			grouped ? l->p->group[i] : SIZE_MAX, 0, best.x, best.y + best.h / 2, text);
	return true;
}

void plane_labels(const struct plane_plan *l)
{
	/* Pieces of the path that a label may lie on; cells of a plane for each. */
	enum { LITTLE = 2, CELLS = 30 };
	const bool page = l->pen->page != NULL, path = l->p->joined;
	const size_t n = l->p->n, must[] = {l->cursor, l->last, l->first};
	struct labels s = {.l = l, .taken = arena_calloc(l->pen->arena, n + 4, sizeof *s.taken)};
	s.air = page ? 2 * l->pen->unit : 1;
	s.most = page || !path ? n : (size_t)(l->box.w * l->box.h / CELLS);
	bool *const done = arena_calloc(l->pen->arena, n + 1, sizeof *done);
	for (size_t k = 0; k < 3; k++) {
		if (must[k] >= n || done[must[k]])
			continue;
		put(&s, must[k], SIZE_MAX - 1);
		done[must[k]] = true;
	}
	/* Evenly spread ones before those between them. */
	size_t stride = 1, tried = 0;
	while (2 * stride < n)
		stride *= 2;
	for (; stride > 0; stride /= 2)
		for (size_t i = 0; i < n && tried < MOST && s.n < s.most; i += stride) {
			if (done[i])
				continue;
			done[i] = true;
			tried++;
			put(&s, i, page ? LITTLE : 0);
		}
}
