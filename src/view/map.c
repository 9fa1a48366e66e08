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
		{"Map of schemes by bias", "Map by bias",
		 "distance of two schemes: root mean square of the difference of their biases, in "
		 "logits; axes: its principal components",
		 "bias, in logits", " logits",
		 "Each mark is a scheme, with +3 three more close to it; marks near each other have "
		 "like biases.",
		 "Near: like biases; +N: N more drawn here.",
		 "Distance: root mean square of the difference of two biases, in logits, less the mean "
		 "of each row, which softmax does not see."},
	[DISTANCE_CURVE] =
		{"Map of schemes by curve of the bias", "Map by curve",
		 "distance of two schemes: root mean square of the difference of their bias "
		 "curves, in logits; axes: its principal components",
		 "curve, in logits", " logits",
		 "Each mark is a scheme, with +3 three more close to it; marks near each other have "
		 "like curves of the bias.",
		 "Near: like curves; +N: N more drawn here.",
		 "Distance: how much two biases differ as curves over s − t, root mean square in "
		 "logits: each pair counts as the mean at its s − t."},
	[DISTANCE_WEIGHTS] =
		{"Map of schemes by attention", "Map by attention",
		 "distance of two schemes: total variation of their attention weights, from 0, "
		 "the same, to 1; axes: its principal components",
		 "weights, 0 to 1", "",
		 "Each mark is a scheme, with +3 three more close to it; marks near each other "
		 "attend alike.",
		 "Near: attend alike; +N: N more drawn here.",
		 "Distance 0.1: a tenth of the attention goes to other keys, in the mean."},
};

const char *const map_family_names[MAP_FAMILIES] = {"none", "absolute", "relative",
						    "both", "trees",	"other"};

enum map_family map_family_of(const struct scheme *s)
{
	static const enum map_family references[REF_COUNT] = {[REF_NONE] = FAMILY_NONE,
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

/* ---- rows ------------------------------------------------------------------------------------ */

/* Tells whether a point has all words of the filter, in its name, title, authors, or family. */
bool map_is_shown(const struct view_data *d, size_t point)
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
		      text_find(map_family_names[map_family_of(e->scheme)], word);
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
		if (map_is_shown(d, k->nearest[i]))
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

/* ---- the list -------------------------------------------------------------------------------- */

enum { COLS = 3, LIST_COLS = 33 }; /* of a terminal, with names and distances */

/* Returns "weights, 0 to 1", and what a star at a distance means if there is one; in brief this alone. */
static const char *list_note(const struct view_data *d, bool brief, struct arena *a)
{
	static const char star[] = "*: only outputs differ";
	const struct map_kind *const k = map_kind_of(d);
	const char *const of = map_words_now(d)->brief;
	for (size_t i = 1; i < k->n; i++)
		if (mat_row(k->d, 0)[i] <= map_same && map_writes_otherwise(map_entry_of(d, i)))
			return brief ? star : arena_printf(a, "%s; %s", of, star);
	return of;
}

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
		row[2] = map_family_names[map_family_of(e->scheme)];
		rows[i] = i;
	}
	*p = (struct panel){.kind = PANEL_TABLE,
			    .name = "nearest",
			    .title = arena_printf(a, "Nearest to %s", map_of(d)->entries[0].name),
			    .note = list_note(d, false, a),
			    .short_note = list_note(d, true, a),
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
				  .enough = 12,
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
	map_plane_panel(d, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, 2, 0);
	out->panels[0].rows = 2;
	if (out->panels[0].absent && map_kind_of(d)->n == 1 && !d->earlier) {
		view_instead(d, a, out);
		view_close(d, out);
		return;
	}
	nearest_panel(d, a, &out->panels[1]);
	view_place(&out->panels[1], 0, 2, 1, 1);
	out->n = 2;
	out->finding = map_finding(d, a);
	out->least_cols = LIST_COLS;
	memcpy(out->col_weight, (unsigned char[]){9, 8, 8}, 3);
	if (map_inset_panel(d, a, &out->panels[2])) {
		out->by_grid = true;
		view_place(&out->panels[2], 1, 2, 1, 2);
		out->n++;
	}
	struct panel *const card = &out->panels[out->n];
	map_card(d, a, card);
	if (card->card.n > 0 || card->card.about) {
		view_place(card, (unsigned char)(out->n - 1), 2, 1, 3);
		out->n++;
	}
	out->panels[0].rows = (unsigned char)(out->n - 1);
	memcpy(out->row_weight,
	       out->n == 4 ? (unsigned char[]){7, 6, 5} : (unsigned char[]){5, 6, 0}, 3);
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
	return WANT_WEIGHTS | WANT_MASK | WANT_BIAS; /* shown if there is no map */
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
			      .of_units = true,
			      .adds_others = true};
