/* map_plane.c: the planes of the view Map: that of all schemes, where close ones are one mark, and that
 * of those nearest to the scene's own. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map_in.h"
#include "posviz/base/num.h"

static const struct shown_map *map_of(const struct view_data *d)
{
	return d->kept;
}

/* Returns the number of different points: equal schemes share one. */
static size_t places(const struct map_kind *k)
{
	size_t n = 0;
	for (size_t i = 0; i < k->n; i++)
		n += k->first[i] == i;
	return n;
}

/* Returns "40 of 119 computed …" while schemes are still to be computed, then
 * "121 schemes in 103 places". */
static const char *count_note(const struct view_data *d, bool brief, struct arena *a)
{
	const struct shown_map *const k = map_of(d);
	const size_t n = map_kind_of(d)->n;
	if (k->to_come > 0)
		return arena_printf(a, "%zu of %zu%s", k->n - k->to_come, k->n,
				    brief ? "" : " computed …");
	if (brief)
		return arena_printf(a, "%zu scheme%s", n, n == 1 ? "" : "s");
	const size_t at = places(map_kind_of(d));
	return at == n ? arena_printf(a, "%zu scheme%s", n, n == 1 ? "" : "s")
		       : arena_printf(a, "%zu schemes, %zu different", n, at);
}

/* ---- the plane ------------------------------------------------------------------------------- */

/* Returns a small picture on its own scale, which shows only the shape of the matrix. */
static struct heatmap thumb_of(const struct view_data *d, struct mat m, struct arena *a)
{
	const bool diverging = d->scene->distance_of != DISTANCE_WEIGHTS;
	struct heatmap h = {.values = m, .colormap = view_colormap(d, diverging)};
	if (!m.at)
		return h;
	uint8_t *const masked = arena_calloc(a, m.rows * m.cols + 1, 1);
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < m.rows * m.cols; i++) {
		masked[i] = isnan(m.at[i]);
		lo = masked[i] ? lo : fmin(lo, m.at[i]);
		hi = masked[i] ? hi : fmax(hi, m.at[i]);
	}
	if (lo > hi || fmax(fabs(lo), fabs(hi)) < map_same)
		lo = hi = 0;
	h.masked = masked;
	h.scale = scale_fit(lo, hi, diverging ? SCALE_LINEAR : SCALE_SQRT, diverging, false);
	if (!diverging)
		h.scale.lo = 0;
	return h;
}

/* Returns "= rope_dyn, roformer": the other schemes that are equal to this one; or NULL. */
static const char *equals_of(const struct view_data *d, size_t point, struct arena *a)
{
	enum { NAMED = 2 };
	const struct map_kind *const k = map_kind_of(d);
	const char *names = "";
	size_t more = 0;
	for (size_t i = 0; i < k->n; i++)
		if (i != point && k->first[i] == point && more++ < NAMED)
			names = arena_printf(a, "%s%s%s", names, *names ? ", " : "",
					     map_entry_of(d, i)->name);
	return more == 0      ? NULL
	       : more > NAMED ? arena_printf(a, "= %zu others", more)
			      : arena_printf(a, "= %s", names);
}

/* Returns how many of the schemes that are equal to this one, itself among them, the filter leaves. */
static size_t shown_at(const struct view_data *d, size_t point)
{
	const struct map_kind *const k = map_kind_of(d);
	size_t n = 0;
	for (size_t i = 0; i < k->n; i++)
		n += k->first[i] == point && map_is_shown(d, i);
	return n;
}

/* Returns in how many named combinations, mostly models, a scheme is; masks are in many, and no
 * scheme of positions. */
static size_t uses_of(const struct scheme *s, struct arena *a)
{
	size_t n = 0;
	for (size_t i = 0; i < scheme_count() && !(s->flags & SCHEME_MASK); i++) {
		const char *const text = scheme_at(i)->expression;
		const struct expr *const e = text ? expr_of(text, a, NULL) : NULL;
		for (size_t k = 0; e && k < e->n; k++)
			n += e->members[k].scheme == s;
	}
	return n;
}

struct rank_of_point {
	size_t uses, at;
	int year;
};

static int by_use(const void *x, const void *y)
{
	const struct rank_of_point *const a = x, *const b = y;
	return a->uses != b->uses   ? (a->uses > b->uses ? -1 : 1)
	       : a->year != b->year ? (a->year < b->year ? -1 : 1)
	       : a->at < b->at	    ? -1
				    : 1;
}

/* Adds to the order, after the points that are called, the others by how well known they are: a mark of
 * many has the name of the first. `drawn` gives the points of the map. */
static void add_rest(const struct view_data *d, const size_t *drawn, struct arena *a, size_t *order,
		     const struct plane *p)
{
	struct rank_of_point *const all = arena_calloc(a, p->n + 1, sizeof *all);
	size_t n = p->n_called;
	for (size_t i = 0; i < p->n; i++) {
		const struct scheme *const s = map_entry_of(d, drawn[i])->scheme;
		const bool mask = s->flags & SCHEME_MASK;
		all[i] = (struct rank_of_point){uses_of(s, a), i, mask ? INT_MAX : s->year};
	}
	qsort(all, p->n, sizeof *all, by_use);
	for (size_t i = 0; i < p->n; i++) {
		bool called = false;
		for (size_t k = 0; k < p->n_called; k++)
			called |= order[k] == all[i].at;
		if (!called)
			order[n++] = all[i].at;
	}
}

/* Returns the kinds that the list beside the plane names: a scheme may share the mark of another kind. */
static const bool *families_listed(const struct view_data *d, struct arena *a)
{
	bool *const has = arena_calloc(a, MAP_FAMILIES, sizeof *has);
	size_t n;
	const size_t *const all = map_neighbours(d, a, &n);
	for (size_t i = 0; i < n; i++)
		has[map_family_of(map_entry_of(d, all[i])->scheme)] = true;
	return has;
}

/* Adds the points. Equal points are drawn once, as the first of them; `index` gets the drawn
 * point for each. Returns the points. */
static struct plane_point *add_points(const struct view_data *d, struct arena *a, size_t *index,
				      struct plane *p)
{
	enum { CALLED = 5 }; /* the nearest schemes, which are named with their distances */
	const struct map_kind *const k = map_kind_of(d);
	struct plane_point *const at = arena_calloc(a, k->n + 1, sizeof *at);
	struct heatmap *const thumbs = arena_calloc(a, k->n + 1, sizeof *thumbs);
	size_t *const group = arena_calloc(a, k->n + 1, sizeof *group);
	size_t *const order = arena_calloc(a, 2 * k->n + 1, sizeof *order);
	size_t *const also = arena_calloc(a, k->n + 1, sizeof *also);
	size_t *const drawn = arena_calloc(a, k->n + 1, sizeof *drawn);
	for (size_t i = 0; i < k->n; i++) {
		index[i] = k->first[i] == i ? p->n : index[k->first[i]];
		if (k->first[i] != i || (i > 0 && shown_at(d, i) == 0))
			continue;
		const double *const place = mat_row(k->plane.at, i);
		at[p->n] = (struct plane_point){.x = place[0],
						.y = place[1],
						.label = map_entry_of(d, i)->name,
						.same = equals_of(d, i, a)};
		also[p->n] = shown_at(d, i) - (shown_at(d, i) > 0);
		thumbs[p->n] = thumb_of(d, map_entry_of(d, i)->thumb[d->scene->distance_of], a);
		drawn[p->n] = i;
		group[p->n++] = map_family_of(map_entry_of(d, i)->scheme);
	}
	for (size_t i = 0; i + 1 < k->n && p->n_called < CALLED; i++) {
		const size_t near = k->nearest[i];
		if (k->first[near] != near || shown_at(d, near) == 0)
			continue;
		at[index[near]].more =
			map_apart_text(mat_row(k->d, 0)[near], map_entry_of(d, near), 2, a);
		order[p->n_called++] = index[near];
	}
	add_rest(d, drawn, a, order, p);
	p->at = at;
	p->thumbs = thumbs;
	p->group = group;
	p->order = order;
	p->also = also;
	return at;
}

/* Returns "principal component 1: 40 % of the differences →". */
static const char *direction(const struct map_kind *k, size_t axis, bool brief, struct arena *a)
{
	const char *const name = brief ? "component" : "principal component";
	const char *const part =
		k->plane.share[axis] > 0
			? arena_printf(a, ": %.0f %%%s", 100 * k->plane.share[axis],
				       brief ? "" : " of the differences")
			: "";
	return axis == 0 ? arena_printf(a, "%s 1%s →", name, part)
			 : arena_printf(a, "↑ %s 2%s", name, part);
}

/* Returns "41 of 120 schemes lie within 0.2 of rope; the farthest is disan, 0.69.": the least round
 * distance that holds a quarter of them. */
static const char *crowd_of(const struct view_data *d, struct arena *a)
{
	const struct map_kind *const k = map_kind_of(d);
	static const double steps[] = {1, 2, 5};
	const size_t far = k->n > 1 ? k->nearest[k->n - 2] : 0;
	char text[32], most[32];
	for (int e = -9; k->n > 4 && e < 9; e++)
		for (size_t i = 0; i < 3; i++) {
			const double within = steps[i] * pow(10, e);
			size_t n = 0;
			for (size_t o = 1; o < k->n; o++)
				n += mat_row(k->d, 0)[o] <= within;
			if (4 * n >= k->n - 1)
				return arena_printf(
					a,
					"%zu of %zu schemes lie within %s%s of %s; the farthest is %s, %s.",
					n, k->n - 1, num_show(text, sizeof text, within, 3),
					map_words_now(d)->unit, map_of(d)->entries[0].name,
					map_entry_of(d, far)->name,
					num_show(most, sizeof most, mat_row(k->d, 0)[far], 2));
		}
	return NULL;
}

/* The part of the plane around a point that is shown so many times as large, within the whole, which does not
 * depend on which points the filter leaves. */
static const double *window_around(const struct map_kind *k, size_t point, double times,
				   struct arena *a)
{
	double *const w = arena_calloc(a, 4, sizeof *w);
	for (size_t axis = 0; axis < 2; axis++) {
		double lo = INFINITY, hi = -INFINITY;
		for (size_t i = 0; i < k->n; i++) {
			lo = fmin(lo, mat_row(k->plane.at, i)[axis]);
			hi = fmax(hi, mat_row(k->plane.at, i)[axis]);
		}
		const double half = (hi - lo) / times / 2, at = mat_row(k->plane.at, point)[axis];
		const double middle = fmin(fmax(at, lo + half), hi - half);
		w[2 * axis] = times > 1 ? middle - half : lo;
		w[2 * axis + 1] = times > 1 ? middle + half : hi;
	}
	return w;
}

/* Returns why the scheme stands alone, for want of another one with the same tokens; NULL: it does
 * not. */
static const char *alone(const struct view_data *d, struct arena *a)
{
	const struct map_kind *const k = map_kind_of(d);
	const struct shown_map *const m = map_of(d);
	if (k->n != 1 || k->out[MAP_UNITS] == 0 || m->to_come > 0)
		return NULL;
	return arena_printf(
		a,
		"No other scheme is near or far: %s attends over tokens of its own, as "
		"[VNode] or [CLS], and the matrices of the other %zu schemes, which "
		"have the words alone, have no distance from its own. Look at a scheme of "
		"words for the map: rope, t5, alibi",
		m->entries[0].name, k->out[MAP_UNITS]);
}

const char *map_finding(const struct view_data *d, struct arena *a)
{
	const struct map_kind *const k = map_kind_of(d);
	const char *const crowd = k->absent || alone(d, a) ? NULL : crowd_of(d, a);
	return crowd ? arena_printf(a, "%s %s", crowd, map_words_now(d)->about) : NULL;
}

void map_plane_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct map_kind *const k = map_kind_of(d);
	*p = (struct panel){.kind = PANEL_PLANE,
			    .name = "map",
			    .title = d->earlier && d->scene->distance_of == DISTANCE_WEIGHTS
					     ? "Map of schemes by weights"
					     : map_words_now(d)->title,
			    .brief_title = map_words_now(d)->brief_title,
			    .note = k->absent ? NULL : count_note(d, false, a),
			    .short_note = k->absent ? NULL : count_note(d, true, a),
			    .subtitle = map_words_now(d)->subtitle,
			    .absent = k->absent	   ? k->absent
				      : d->earlier ? NULL
						   : alone(d, a)};
	if (p->absent)
		return;
	size_t n, row;
	const size_t *const all = map_neighbours(d, a, &n);
	const size_t at = map_chosen_of(d, all, n, &row);
	size_t *const index = arena_calloc(a, k->n + 1, sizeof *index);
	p->plane = (struct plane){.group_names = map_family_names,
				  .group_title = "positions: ",
				  .about = map_words_now(d)->near,
				  .about_brief = map_words_now(d)->near_brief,
				  .about_thumbs = "Pictures are their matrices.",
				  .n_groups = MAP_FAMILIES,
				  .group_also = families_listed(d, a),
				  .x_title = direction(k, 0, false, a),
				  .y_title = direction(k, 1, false, a),
				  .x_brief = direction(k, 0, true, a),
				  .y_brief = direction(k, 1, true, a),
				  .gathers = true,
				  .least_cols = 46,
				  .has_own = true,
				  .has_cursor = at != SIZE_MAX};
	struct plane_point *const points = add_points(d, a, index, &p->plane);
	p->plane.cursor = p->plane.has_cursor ? index[at] : 0;
	/* A scheme that is the same as the scene's shares its mark, and its name stands beside it. */
	if (p->plane.cursor > 0)
		points[p->plane.cursor].more =
			map_apart_text(mat_row(k->d, 0)[at], map_entry_of(d, at), 2, a);
	else if (p->plane.has_cursor)
		points[0].more = arena_printf(a, "= %s", map_entry_of(d, at)->name);
	const bool near = d->scene->grid == GRID_CELLS && k->n > 2;
	p->plane.window = window_around(k, at == SIZE_MAX ? 0 : at, near ? 4 : 1, a);
	if (near)
		p->note = p->short_note = "enlarged 4 × around the chosen one";
}

/* ---- the nearest ones, enlarged ---------------------------------------------------------------- */

/* Returns the points of the inset: the own one, then the nearest different ones that the filter
 * leaves; [*n]. */
static const size_t *inset_points(const struct view_data *d, struct arena *a, size_t *n)
{
	enum { INSET = 10 };
	const struct map_kind *const k = map_kind_of(d);
	size_t *const out = arena_calloc(a, INSET + 1, sizeof *out);
	*n = 1;
	for (size_t i = 0; i + 1 < k->n && *n <= INSET; i++) {
		const size_t near = k->nearest[i];
		if (k->first[near] == near && shown_at(d, near) > 0)
			out[(*n)++] = near;
	}
	return out;
}

/* Draws the schemes nearest to the scene's own as a map of their own, whose axes are those of the
 * distances among these alone; false if there is nothing to enlarge. */
bool map_inset_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	enum { LEAST = 20 };
	const struct map_kind *const k = map_kind_of(d);
	struct map_plane plane;
	struct err err;
	size_t n, rows, row;
	if (k->absent || k->n < LEAST || d->earlier)
		return false;
	const size_t *const all = inset_points(d, a, &n);
	const struct mat apart = mat_new(a, n, n);
	for (size_t i = 0; i < n * n; i++)
		apart.at[i] = mat_row(k->d, all[i / n])[all[i % n]];
	if (n < 4 || !map_plane(apart, &(struct map_fix){0}, a, &plane, &err))
		return false;
	const size_t *const listed = map_neighbours(d, a, &rows);
	const size_t chosen = map_chosen_of(d, listed, rows, &row);
	struct plane_point *const at = arena_calloc(a, n + 1, sizeof *at);
	size_t *const group = arena_calloc(a, n + 1, sizeof *group);
	size_t *const order = arena_calloc(a, n + 1, sizeof *order);
	*p = (struct panel){.kind = PANEL_PLANE,
			    .name = "near",
			    .title =
				    arena_printf(a, "The %zu nearest that differ, enlarged", n - 1),
			    .subtitle = "a map of these schemes alone, named with their distance"};
	p->plane = (struct plane){.n = n,
				  .at = at,
				  .group = group,
				  .order = order,
				  .n_called = n - 1,
				  .gathers = true,
				  .least_rows = 24,
				  .least_cols = 70,
				  .has_own = true};
	for (size_t i = 0; i < n; i++) {
		const struct map_entry *const e = map_entry_of(d, all[i]);
		const double *const where = mat_row(plane.at, i);
		at[i] = (struct plane_point){
			.x = where[0],
			.y = where[1],
			.label = e->name,
			.more = i == 0 ? NULL : map_apart_text(mat_row(k->d, 0)[all[i]], e, 2, a)};
		group[i] = map_family_of(e->scheme);
		order[i] = (i + 1) % n;
		if (chosen != SIZE_MAX && k->first[chosen] == all[i]) {
			p->plane.has_cursor = true;
			p->plane.cursor = i;
		}
	}
	return true;
}
