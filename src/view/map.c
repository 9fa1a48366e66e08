/* map.c: the view Map: all schemes in a plane, with distances that show how much they differ on
 * this input; a list of those nearest to the scene's scheme; and how much of the distances the
 * plane can show. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* ---- words ----------------------------------------------------------------------------------- */

static const struct map_words words_of[DISTANCE_OF_COUNT] = {
	[DISTANCE_BIAS] =
		{"Map by bias",
		 "distance of two schemes: root mean square of the difference of their biases, in "
		 "logits; axes: its principal components",
		 "bias, in logits", " logits",
		 "Each mark is a scheme; near marks have like biases.",
		 "Near schemes have like biases.",
		 "Distance: how much two biases differ, root mean square over the pairs that both "
		 "allow, in logits, less the mean of each row, which softmax does not see."},
	[DISTANCE_CURVE] =
		{"Map by curve",
		 "distance of two schemes: root mean square of the difference of their bias "
		 "curves, in logits; axes: its principal components",
		 "curve, in logits", " logits",
		 "Each mark is a scheme; near marks have like curves of the bias.",
		 "Near schemes have like curves.",
		 "Distance: how much two biases differ as curves over s − t, root mean square in "
		 "logits: each pair counts as the mean at its s − t."},
	[DISTANCE_WEIGHTS] =
		{"Map by attention",
		 "distance of two schemes: total variation of their attention weights, from 0, "
		 "the same, to 1; axes: its principal components",
		 "weights, 0 to 1", "", "Each mark is a scheme; near marks attend alike.",
		 "Near schemes attend alike.",
		 "Distance: the part of the attention that goes to other keys (total variation, "
		 "mean over the queries), from 0, the same, to 1."},
};

/* Groups of schemes: those of plain sequences by their reference point, then those of structures
 * and of other inputs. */
enum family {
	FAMILY_NONE,
	FAMILY_ABSOLUTE,
	FAMILY_RELATIVE,
	FAMILY_BOTH,
	FAMILY_STRUCTURE,
	FAMILY_OTHER,
	FAMILIES
};
static const char *const family_names[FAMILIES] = {"none", "absolute", "relative",
						   "both", "trees",    "other"};

static enum family family_of(const struct scheme *s)
{
	static const enum family references[REF_COUNT] = {[REF_NONE] = FAMILY_NONE,
							  [REF_ABSOLUTE] = FAMILY_ABSOLUTE,
							  [REF_RELATIVE] = FAMILY_RELATIVE,
							  [REF_BOTH] = FAMILY_BOTH};
	if (s->topic == TOPIC_TREE || s->topic == TOPIC_GRAPH)
		return FAMILY_STRUCTURE;
	return s->topic == TOPIC_SEQUENCE || s->topic == TOPIC_DECODER ? references[s->ref]
								       : FAMILY_OTHER;
}

static const struct shown_map *map_of(const struct view_data *d)
{
	return d->kept;
}

const struct map_words *map_words_now(const struct view_data *d)
{
	return &words_of[d->scene->distance_of];
}

const struct map_entry *map_entry_of(const struct view_data *d, size_t point)
{
	return &map_of(d)->entries[map_kind_of(d)->entry[point]];
}

/* Returns whether a scheme at distance 0 writes something else. */
bool map_writes_otherwise(const struct map_entry *e)
{
	return e->outputs > map_same;
}

/* Returns the distance of an entry, "the same", or "other outputs" of one at distance 0. */
const char *map_apart_text(double apart, const struct map_entry *e, int digits, struct arena *a)
{
	char text[32];
	return apart > map_same ? arena_strdup(a, num_show(text, sizeof text, apart, digits))
	       : map_writes_otherwise(e) ? "other outputs"
					 : "the same";
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
		return arena_printf(a, "%zu", n);
	const size_t at = places(map_kind_of(d));
	return at == n ? arena_printf(a, "%zu scheme%s", n, n == 1 ? "" : "s")
		       : arena_printf(a, "%zu schemes, %zu different", n, at);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Tells whether a point has all words of the filter, in its name, title, authors, or family. */
static bool is_shown(const struct view_data *d, size_t point)
{
	const struct map_entry *const e = map_entry_of(d, point);
	const char *const filter = d->scene->filter;
	bool all = true;
	for (const char *at = filter; strcmp(filter, "all") != 0 && *at && all;) {
		char word[64];
		at += strspn(at, " ");
		const size_t len = strcspn(at, " ");
		snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : 0), at);
		all = text_find(e->name, word) || text_find(e->scheme->title, word) ||
		      text_find(e->scheme->authors, word) ||
		      text_find(family_names[family_of(e->scheme)], word);
		at += len;
	}
	return all;
}

/* Returns the neighbours that the filter leaves, the nearest first; [*n]. */
const size_t *map_neighbours(const struct view_data *d, struct arena *a, size_t *n)
{
	const struct map_kind *const k = map_kind_of(d);
	size_t *const out = arena_calloc(a, k->n + 1, sizeof *out);
	*n = 0;
	for (size_t i = 0; i + 1 < k->n; i++)
		if (is_shown(d, k->nearest[i]))
			out[(*n)++] = k->nearest[i];
	return out;
}

/* Returns the point under the cursor, and its index among the neighbours; SIZE_MAX: there is none. */
size_t map_chosen_of(const struct view_data *d, const size_t *neighbour, size_t n, size_t *at)
{
	*at = d->scene->row > 0 && n > 0 ? (size_t)view_within(d->scene->row, n) - 1 : 0;
	return n > 0 ? neighbour[*at] : SIZE_MAX;
}

static size_t map_rows(const struct view_data *d, struct arena *a, struct view_row **rows,
		       size_t *n)
{
	size_t at;
	const size_t *const all = map_neighbours(d, a, n);
	*rows = arena_calloc(a, *n + 1, sizeof **rows);
	for (size_t i = 0; i < *n; i++) {
		const struct map_entry *const e = map_entry_of(d, all[i]);
		(*rows)[i] = (struct view_row){e->scheme, e->expression};
	}
	return map_chosen_of(d, all, *n, &at) == SIZE_MAX ? 0 : at + 1;
}

/* Returns the row, from 1, of the nearest point within 45° of the direction, else in that half of the plane; 0: there is
 * none. The way across the direction counts twice. */
static size_t map_step(const struct view_data *d, int right, int up)
{
	const struct map_kind *const k = map_kind_of(d);
	struct arena a;
	size_t n, at, best = 0;
	double least = INFINITY;
	arena_init(&a);
	const size_t *const all = map_neighbours(d, &a, &n);
	const size_t now = map_chosen_of(d, all, n, &at);
	for (size_t i = 0; i < n && now != SIZE_MAX; i++) {
		const double *const from = mat_row(k->plane.at, now), *const to = mat_row(
									      k->plane.at, all[i]);
		const double x = to[0] - from[0], y = to[1] - from[1];
		const double along = right * x + up * y, off = fabs(right * y) + fabs(up * x);
		const bool one = k->first[all[i]] == all[i] && k->first[all[i]] != k->first[now];
		const double far = along + 2 * off + (off > along ? 1e6 : 0);
		if (!one || !(along > map_same) || far >= least)
			continue;
		least = far;
		best = i + 1;
	}
	arena_release(&a);
	return best;
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

/* Of equal points one that the filter leaves is enough. */
static bool any_shown(const struct view_data *d, size_t point)
{
	const struct map_kind *const k = map_kind_of(d);
	bool any = false;
	for (size_t i = 0; i < k->n; i++)
		any |= k->first[i] == point && is_shown(d, i);
	return any;
}

/* Adds the points. Equal points are drawn once, as the first of them; `index` gets the drawn
 * point for each. */
static void add_points(const struct view_data *d, struct arena *a, size_t *index, struct plane *p)
{
	enum { CALLED = 5 }; /* the nearest schemes, which are named with their distances */
	const struct map_kind *const k = map_kind_of(d);
	struct plane_point *const at = arena_calloc(a, k->n + 1, sizeof *at);
	struct heatmap *const thumbs = arena_calloc(a, k->n + 1, sizeof *thumbs);
	size_t *const group = arena_calloc(a, k->n + 1, sizeof *group);
	size_t *const order = arena_calloc(a, k->n + 1, sizeof *order);
	for (size_t i = 0; i < k->n; i++) {
		index[i] = k->first[i] == i ? p->n : index[k->first[i]];
		if (k->first[i] != i || (i > 0 && !any_shown(d, i)))
			continue;
		const double *const place = mat_row(k->plane.at, i);
		at[p->n] = (struct plane_point){place[0], place[1], map_entry_of(d, i)->name,
						equals_of(d, i, a)};
		thumbs[p->n] = thumb_of(d, map_entry_of(d, i)->thumb[d->scene->distance_of], a);
		group[p->n++] = family_of(map_entry_of(d, i)->scheme);
	}
	size_t n = 0;
	for (size_t i = 0; i + 1 < k->n; i++) {
		const size_t near = k->nearest[i];
		if (k->first[near] != near || !any_shown(d, near))
			continue;
		if (n < CALLED)
			at[index[near]].more =
				map_apart_text(mat_row(k->d, 0)[near], map_entry_of(d, near), 2, a);
		order[n++] = index[near];
	}
	p->n_called = n < CALLED ? n : CALLED;
	while (n < p->n) /* the own point; it always gets room first */
		order[n++] = 0;
	p->at = at;
	p->thumbs = thumbs;
	p->group = group;
	p->order = order;
}

/* Returns "principal component 1, 40 % →". */
static const char *direction(const struct map_kind *k, size_t axis, bool brief, struct arena *a)
{
	const char *const name = brief ? "component" : "principal component";
	const char *const part = k->plane.share[axis] > 0
					 ? arena_printf(a, ", %.0f %%", 100 * k->plane.share[axis])
					 : "";
	return axis == 0 ? arena_printf(a, "%s 1%s →", name, part)
			 : arena_printf(a, "↑ %s 2%s", name, part);
}

/* Returns "41 of 120 lie within 0.2 of rope.": the least round distance that holds a quarter
 * of them. */
static const char *crowd_of(const struct view_data *d, struct arena *a)
{
	const struct map_kind *const k = map_kind_of(d);
	static const double steps[] = {1, 2, 5};
	char text[32];
	for (int e = -9; k->n > 4 && e < 9; e++)
		for (size_t i = 0; i < 3; i++) {
			const double within = steps[i] * pow(10, e);
			size_t n = 0;
			for (size_t o = 1; o < k->n; o++)
				n += mat_row(k->d, 0)[o] <= within;
			if (4 * n >= k->n - 1)
				return arena_printf(
					a, "%zu of %zu lie within %s%s of %s.", n, k->n - 1,
					num_show(text, sizeof text, within, 3),
					map_words_now(d)->unit, map_of(d)->entries[0].name);
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

static void plane_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct map_kind *const k = map_kind_of(d);
	*p = (struct panel){.kind = PANEL_PLANE,
			    .name = "map",
			    .title = d->earlier && d->scene->distance_of == DISTANCE_WEIGHTS
					     ? "Map by weights"
					     : map_words_now(d)->title,
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
	p->plane = (struct plane){.group_names = family_names,
				  .group_title = "positions: ",
				  .about = map_words_now(d)->near,
				  .about_brief = map_words_now(d)->near_brief,
				  .about_thumbs = "Pictures are their matrices.",
				  .crowd = crowd_of(d, a),
				  .n_groups = FAMILIES,
				  .x_title = direction(k, 0, false, a),
				  .y_title = direction(k, 1, false, a),
				  .x_brief = direction(k, 0, true, a),
				  .y_brief = direction(k, 1, true, a),
				  .has_own = true,
				  .has_cursor = at != SIZE_MAX};
	add_points(d, a, index, &p->plane);
	p->plane.cursor = p->plane.has_cursor ? index[at] : 0;
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
		if (k->first[near] == near && any_shown(d, near))
			out[(*n)++] = near;
	}
	return out;
}

/* Draws the schemes nearest to the scene's own as a map of their own, whose axes are those of the
 * distances among these alone; false if there is nothing to enlarge. */
static bool inset_panel(const struct view_data *d, struct arena *a, struct panel *p)
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
			    .title = arena_printf(a, "The %zu nearest, enlarged", n - 1),
			    .subtitle = "a map of these schemes alone, named with their distance"};
	p->plane = (struct plane){.n = n,
				  .at = at,
				  .group = group,
				  .order = order,
				  .n_called = n - 1,
				  .least_rows = 12,
				  .has_own = true};
	for (size_t i = 0; i < n; i++) {
		const struct map_entry *const e = map_entry_of(d, all[i]);
		const double *const where = mat_row(plane.at, i);
		at[i] = (struct plane_point){
			where[0], where[1], e->name,
			i == 0 ? NULL : map_apart_text(mat_row(k->d, 0)[all[i]], e, 2, a)};
		group[i] = family_of(e->scheme);
		order[i] = (i + 1) % n;
		if (chosen != SIZE_MAX && k->first[chosen] == all[i]) {
			p->plane.has_cursor = true;
			p->plane.cursor = i;
		}
	}
	return true;
}

/* ---- the list -------------------------------------------------------------------------------- */

enum { COLS = 3 };

static void nearest_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	static const char *const head[COLS] = {"scheme", "distance", "kind"};
	static const bool right[COLS] = {false, true, false};
	const struct map_kind *const k = map_kind_of(d);
	size_t n, row_at;
	const size_t *const all = map_neighbours(d, a, &n);
	map_chosen_of(d, all, n, &row_at);
	const char **const cells = arena_calloc(a, COLS * (n + 1), sizeof *cells);
	size_t *const rows = arena_calloc(a, n + 1, sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		const struct map_entry *const e = map_entry_of(d, all[i]);
		const char **const row = cells + COLS * i;
		row[0] = e->name;
		const double apart = mat_row(k->d, 0)[all[i]];
		row[1] = apart <= map_same && map_writes_otherwise(e)
				 ? "0 *"
				 : map_apart_text(apart, e, 3, a);
		row[2] = family_names[family_of(e->scheme)];
		rows[i] = i;
	}
	*p = (struct panel){.kind = PANEL_TABLE,
			    .name = "nearest",
			    .title = arena_printf(a, "Nearest to %s", map_of(d)->entries[0].name),
			    .note = map_words_now(d)->brief,
			    .absent = k->absent ? k->absent
				      : n == 0 && k->n > 1
					      ? "no scheme has these words; filter all shows all"
				      : n == 0 && map_of(d)->to_come == 0
					      ? "no other scheme has the same tokens"
				      : n == 0 ? "no other scheme is here yet"
					       : NULL};
	static const unsigned char priority[COLS] = {0, 1, 2};
	p->table = (struct table){.rows = n,
				  .priority = priority,
				  .cols = COLS,
				  .head = head,
				  .cells = cells,
				  .right = right,
				  .enough = 8,
				  .has_cursor = n > 0,
				  .row = row_at,
				  .from_top = d->scene->row == 0,
				  .cursor_row = rows,
				  .n_cursor = n};
}

/* ---- the page ---- */

static void map_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	view_frame(d, view_layer_note(d, a), a, out);
	plane_panel(d, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, 1, 0);
	out->panels[0].rows = 2;
	nearest_panel(d, a, &out->panels[1]);
	view_place(&out->panels[1], 0, 1, 1, 1);
	map_card(d, a, &out->panels[2]);
	view_place(&out->panels[2], 1, 1, 1, 2);
	out->n = 3;
	memcpy(out->col_weight, (unsigned char[]){17, 8}, 2);
	memcpy(out->row_weight, (unsigned char[]){5, 6}, 2);
	if (inset_panel(d, a, &out->panels[3])) {
		out->n = 4;
		out->panels[0].rows = 3;
		out->n = 4;
		out->by_grid = true;
		view_place(&out->panels[3], 1, 1, 1, 3);
		view_place(&out->panels[2], 2, 1, 1, 2);
		memcpy(out->row_weight, (unsigned char[]){7, 6, 5}, 3);
	}
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void map_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct shown_map *const m = map_of(d);
	for (size_t kind = 0; kind < DISTANCE_OF_COUNT; kind++) {
		const struct map_kind *const k = &m->kinds[kind];
		const char *const name = distance_of_names[kind];
		if (k->absent || k->n < 2)
			continue;
		numbers_say(out, arena_printf(a, "map.%s.schemes", name), (double)k->n,
			    arena_printf(a, "%zu", k->n), "that have this distance, with its own");
		numbers_say(
			out, arena_printf(a, "map.%s.share", name),
			k->plane.share[0] + k->plane.share[1],
			arena_printf(a, "%.0f %%", 100 * (k->plane.share[0] + k->plane.share[1])),
			"of the positive eigenvalues is in the plane");
		for (size_t i = 0; i + 1 < k->n; i++) {
			const double apart = mat_row(k->d, 0)[k->nearest[i]];
			const struct map_entry *const e = &m->entries[k->entry[k->nearest[i]]];
			numbers_say(out, arena_printf(a, "map.%s.nearest.%s", name, e->name),
				    apart <= map_same ? 0 : apart, map_apart_text(apart, e, 3, a),
				    i == 0 ? words_of[kind].brief : NULL);
		}
		numbers_add(out, arena_printf(a, "map.%s.distances", name), k->d);
		numbers_add(out, arena_printf(a, "map.%s.plane", name), k->plane.at);
	}
}

static unsigned map_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

const struct view view_map = {"map",
			      "Map",
			      "Which schemes do nearly the same?",
			      map_wants,
			      map_figure,
			      .keep = map_keep,
			      .numbers = map_numbers,
			      .rows = map_rows,
			      .step = map_step,
			      .to_come = map_to_come,
			      .reads_cursor = true,
			      .broad = true,
			      .slow = true,
			      .of_units = true};
