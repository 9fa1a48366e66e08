/* pen_plane_labels.c: labels beside the points of a plane, one after the other: each is placed
 * where it covers no other label, no point, and as little of the path as possible, or nowhere. The
 * cursor's is first, then those of the ends; these rather cover points than are left out. */
#include <math.h>

#include "plot/pen_plane.h"

enum {
	PLACES = 8,
	BESIDE = 2,
	STRAIGHT = 4,
	NEXT = 3,
	MOST = 160
}; /* BESIDE, STRAIGHT: the first ones; NEXT: columns; MOST: labels that are tried */

bool plane_overlap(struct area a, struct area b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

bool plane_inside(struct area a, struct area box)
{
	return a.x >= box.x && a.y >= box.y && a.x + a.w <= box.x + box.w &&
	       a.y + a.h <= box.y + box.h;
}

struct area plane_mark_area(const struct plane_plan *l, size_t i)
{
	const struct point at = l->at[i];
	if (plane_is_covered(l, i))
		return l->thumb[i];
	const double r = i == l->cursor		 ? 1.7 * l->look.strong
			 : plane_is_strong(l, i) ? l->look.strong
						 : l->look.mark;
	if (l->pen->cell > 0)
		return (struct area){floor(at.x), floor(at.y), 1, 1};
	return (struct area){at.x - r, at.y - r, 2 * r, 2 * r};
}

/* Returns the k-th place for a label of this size beside a mark: right, left, above, below, and the
 * diagonal ones. */
static struct area place_of(const struct plane_plan *l, struct area mark, struct size size,
			    size_t k)
{
	static const int ways[PLACES][2] = {{1, 0},  {-1, 0}, {0, -1},	{0, 1},
					    {1, -1}, {1, 1},  {-1, -1}, {-1, 1}};
	const double half = l->pen->cell / 2;
	const double gap = ways[k][1] == 0 ? l->look.label_beside : l->look.label_gap;
	double x = ways[k][0] > 0   ? mark.x + mark.w + gap
		   : ways[k][0] < 0 ? mark.x - gap - size.w
				    : mark.x + mark.w / 2 - size.w / 2;
	const double y = ways[k][1] > 0	  ? mark.y + mark.h
			 : ways[k][1] < 0 ? mark.y - size.h
					  : mark.y + mark.h / 2 - size.h / 2;
	/* Above or below a mark at the edge, a label is moved into the plot. */
	const double last = l->box.x + l->box.w - size.w;
	if (ways[k][0] == 0 && l->pen->cell > 0 && size.w < l->box.w && last <= mark.x)
		x = fmin(x, last);
	if (ways[k][0] == 0 && l->pen->cell > 0 && l->box.x + size.w >= mark.x + mark.w)
		x = fmax(x, l->box.x);
	return (struct area){pen_centre(l->pen, x) - half, pen_centre(l->pen, y) - half, size.w,
			     size.h};
}

/* Returns whether a line from a to b touches the area: the part of it within both pairs of sides is
 * not empty (Liang and Barsky). */
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

struct point plane_lead_end(const struct plane_plan *l, size_t i)
{
	return plane_nearest(plane_grown(l->label[i], l->pen->cell / 2), l->at[i]);
}

/* Returns whether a label, the line to one, or a picture is there. */
static bool is_taken(const struct plane_plan *l, size_t own, struct area at, struct area wide)
{
	for (size_t i = 0; i < l->p->n; i++)
		if ((l->label[i].w > 0 && plane_overlap(at, l->label[i])) ||
		    (l->led[i] && crosses(l->at[i], plane_lead_end(l, i), wide)) ||
		    (l->thumb[i].w > 0 && plane_overlap(i == own ? at : wide, l->thumb[i])))
			return true;
	return false;
}

/* Returns the cost of a label here, with so much air at both sides: points cost more than the path; SIZE_MAX if it cannot be
 * here. */
static size_t cost_of(const struct plane_plan *l, size_t own, struct area at, double air)
{
	enum { POINT = 1000 };
	const struct area wide = {at.x - air, at.y, at.w + 2 * air, at.h};
	double zero;
	size_t cost = l->look.label_on > 0 &&
		      ((plane_zero_x(l, &zero) && zero > at.x && zero < at.x + at.w) ||
		       (plane_zero_y(l, &zero) && zero > at.y && zero < at.y + at.h));
	if (!plane_inside(at, l->box) || is_taken(l, own, at, wide))
		return SIZE_MAX;
	for (size_t i = 0; i < l->p->n; i++) {
		if (!l->there[i])
			continue;
		if (plane_overlap(i == own ? at : wide, plane_mark_area(l, i)))
			cost += plane_is_strong(l, i) ? POINT * POINT : POINT;
		if (plane_is_step(l, i) && crosses(l->at[i - 1], l->at[i], at))
			cost++;
	}
	return cost;
}

static void set(struct plane_plan *l, size_t i, const char *text, struct area at)
{
	const double air = l->look.label_air;
	l->label[i] = (struct area){at.x - air, at.y, at.w + 2 * air, at.h};
	l->name[i] = text;
}

/* Places this text beside the point. */
static bool put_beside(struct plane_plan *l, size_t i, const char *text, bool must)
{
	const double frame = l->look.thumb_frame;
	const struct area t = l->thumb[i], mark = plane_mark_area(l, i);
	const struct area beside = {t.x - frame, t.y - frame, t.w + 2 * frame, t.h + 2 * frame};
	const size_t crowded = must ? SIZE_MAX - 1 : l->look.label_on;
	struct area best = {0};
	size_t least = SIZE_MAX;
	/* On cells a label that is diagonal to its point could be that of another one, and where each
	 * mark has a name, so could one above or below it. */
	const size_t places = l->p->gathers && !must ? BESIDE
			      : l->pen->cell > 0     ? STRAIGHT
						     : PLACES;
	for (size_t k = 0; k < places && least > 0; k++) {
		const struct area at =
			place_of(l, t.w > 0 ? beside : mark, pen_measure(l->pen, text), k);
		/* On cells a label above or below its point is not beside another one. */
		const double air = l->pen->cell > 0 && k >= BESIDE ? fmax(NEXT, l->look.label_air)
								   : l->look.label_air;
		const size_t cost = cost_of(l, i, at, air);
		if (cost < least) {
			least = cost;
			best = at;
		}
	}
	if (least > crowded)
		return false;
	set(l, i, text, best);
	return true;
}

/* Returns how many other marks and labels a line from a point covers. */
static size_t crossed(const struct plane_plan *l, size_t own, struct point end)
{
	size_t n = 0;
	for (size_t i = 0; i < l->p->n; i++)
		if (i != own && l->there[i]) {
			n += crosses(l->at[own], end, plane_mark_area(l, i));
			n += l->label[i].w > 0 && crosses(l->at[own], end, l->label[i]) ? 10 : 0;
		}
	return n;
}

/* Places this text at the end of a line from the point, as near and with as few crossings as
 * possible. */
static bool put_led(struct plane_plan *l, size_t i, const char *text)
{
	enum { RINGS = 8, AROUND = 16, CROSSED = 4 }; /* what is crossed costs as many rings */
	const struct size size = pen_measure(l->pen, text);
	const double half = l->pen->cell / 2;
	struct area best = {0};
	size_t least = RINGS + CROSSED;
	/* On cells long lines are taken for marks; what has no room near its point may be gathered. */
	const size_t rings = l->pen->cell > 0 || l->p->gathers ? RINGS / 2 : RINGS;
	for (size_t k = 0; k < rings * AROUND; k++) {
		const double turn = 2 * acos(-1) * (double)(k % AROUND) / AROUND;
		const double far = l->look.label_lead * (double)(k / AROUND + 2);
		const double x = l->at[i].x + far * cos(turn);
		const double y = l->at[i].y - far * sin(turn) / l->pen->aspect;
		const double left = cos(turn) > 0.1    ? x
				    : cos(turn) < -0.1 ? x - size.w
						       : x - size.w / 2;
		const struct area at = {pen_centre(l->pen, left) - half,
					pen_centre(l->pen, y - size.h / 2 + half) - half, size.w,
					size.h};
		if (k / AROUND >= least || cost_of(l, i, at, l->look.label_lead) > l->look.label_on)
			continue;
		set(l, i, text, at);
		const size_t cost = k / AROUND + CROSSED * crossed(l, i, plane_lead_end(l, i));
		l->label[i].w = 0;
		if (cost < least) {
			least = cost;
			best = at;
		}
	}
	if (!(best.w > 0))
		return false;
	set(l, i, text, best);
	return l->led[i] = true;
}

static bool says(const char *text)
{
	return text != NULL && *text != '\0';
}

/* Returns the label of a point with the number of those gathered there, and with its further words if
 * `whole`. */
static const char *text_of(const struct plane_plan *l, size_t i, bool whole)
{
	const struct plane_point *const p = &l->p->at[i];
	const size_t gathered = l->gathered[i], also = l->p->also ? l->p->also[i] : 0;
	struct arena *const a = l->pen->arena;
	const char *out = p->label;
	if (whole && says(p->more))
		out = arena_printf(a, "%s %s", out, p->more);
	if (whole && says(p->same) && gathered == 0)
		out = arena_printf(a, "%s %s", out, p->same);
	return gathered > 0 ? arena_printf(a, "%s +%zu", out, gathered + also) : out;
}

/* Tries the label with its further words, then without them; `led`: rather with them at the end of
 * a line, except at the own point. */
static bool put_label(struct plane_plan *l, size_t i, bool must, bool led)
{
	const struct plane_point *const p = &l->p->at[i];
	if (!l->there[i] || !says(p->label))
		return false;
	const char *const whole = text_of(l, i, true), *const brief = text_of(l, i, false);
	const bool beside = put_beside(l, i, whole, false);
	if (beside || (i == l->own && put_beside(l, i, brief, false)))
		return true;
	if (l->p->gathers && !must)
		return led && put_led(l, i, whole);
	if (l->p->gathers && put_beside(l, i, brief, true)) /* what it covers is gathered */
		return true;
	return (led && put_led(l, i, whole)) || put_beside(l, i, brief, false) ||
	       (led && put_led(l, i, brief)) || (must && put_beside(l, i, brief, true));
}

bool plane_label_put(struct plane_plan *l, size_t i, bool must)
{
	return put_label(l, i, must, false);
}

static void draw(const struct plane_plan *l, size_t i)
{
	const struct area at = l->label[i];
	const bool here = i == l->cursor || i == l->own;
	const enum role role = here && i != l->own     ? ROLE_PATH
			       : plane_is_strong(l, i) ? ROLE_STRONG
						       : ROLE_PLAIN;
	pen_text_series(l->pen, role, l->p->group != NULL && !here ? l->p->group[i] : SIZE_MAX, 0,
			at.x + l->look.label_air, at.y + at.h / 2, l->name[i]);
}

/* Returns the order in which labels are tried: evenly spread ones before those between them. */
static const size_t *spread(size_t n, struct arena *a)
{
	size_t *const out = arena_calloc(a, n + 1, sizeof *out), k = 0, stride = 1;
	bool *const taken = arena_calloc(a, n + 1, sizeof *taken);
	while (2 * stride < n)
		stride *= 2;
	for (; stride > 0; stride /= 2)
		for (size_t i = 0; i < n; i += stride) {
			if (!taken[i])
				out[k++] = i;
			taken[i] = true;
		}
	return out;
}

/* Returns the most labels: of a tangled path those of its ends; of paths on cells fewer than have room, so that the shape of the path
 * stays visible. */
static size_t most_labels(const struct plane_plan *l)
{
	if (l->p->tangled)
		return 0;
	return l->look.label_room > 0 && l->p->joined
		       ? (size_t)(l->box.w * l->box.h / l->look.label_room)
		       : l->p->n;
}

void plane_labels_place(struct plane_plan *l)
{
	const size_t n = l->p->n, must[] = {l->own, l->cursor, l->last, l->first};
	const size_t *const order = l->p->order ? l->p->order : spread(n, l->pen->arena);
	size_t put = 0;
	for (size_t k = 0; k < sizeof must / sizeof *must; k++)
		if (must[k] < n && !(l->label[must[k]].w > 0))
			put_label(l, must[k], true, !l->p->joined && !(l->thumb[must[k]].w > 0));
	for (size_t k = 0; k < n && k < l->p->n_called; k++)
		if (!(l->label[order[k]].w > 0))
			put_label(l, order[k], false,
				  !(l->p->gathers && l->pen->cell > 0) &&
					  !(l->thumb[order[k]].w > 0));
	for (size_t i = 0; i < n; i++)
		put += l->label[i].w > 0;
	for (size_t k = 0, tried = 0; k < n && tried < MOST && put < most_labels(l); k++)
		if (!(l->label[order[k]].w > 0) && !plane_is_strong(l, order[k])) {
			tried++;
			put += plane_label_put(l, order[k], false);
		}
}

void plane_labels(const struct plane_plan *l)
{
	for (size_t i = 0; i < l->p->n; i++)
		if (l->label[i].w > 0)
			draw(l, i);
}
