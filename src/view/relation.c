/* relation.c: the view Relation: what a scheme knows about two tokens before it is embedded: a
 * number or a path of labels for each pair, beside the structure that it was computed from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "relation_in.h"

enum { BARS_MOST = 24, MOST_NAMED = 12 };

static unsigned relation_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_RELATION | WANT_BIAS | WANT_WEIGHTS | WANT_MASK;
}

bool relation_cursor(const struct pairs_of *p, size_t *t, size_t *s)
{
	const struct scene *scene = p->d->scene;
	const size_t memory = p->d->trace->memory;
	if (scene->row < 1 || scene->col < 1 || (size_t)scene->row + memory > p->r->n ||
	    (size_t)scene->col > p->r->n)
		return false;
	*t = (size_t)scene->row - 1 + memory;
	*s = (size_t)scene->col - 1;
	return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *relation_hatched(const struct pairs_of *p)
{
	return relation_says(p->r, RELATION_NO_PATH, NULL, p->a);
}

/* Returns why there is no relation, with the schemes of the same kind that have one. */
static const char *absent(const struct view_data *d, struct arena *a)
{
	static const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	const struct expr *e = &d->built->expr;
	bool reads = false, could = false;
	const char *names = "";
	size_t n = 0;
	for (size_t i = 0; i < e->n; i++) {
		reads = reads || e->members[i].scheme->flags & structural;
		could = could || e->members[i].scheme->hooks.relation;
	}
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		bool here = false;
		for (size_t k = 0; k < e->n; k++)
			here |= e->members[k].scheme == s;
		if (!s->hooks.relation || here || reads != ((s->flags & structural) != 0) ||
		    !scene_lists(d->scene, s))
			continue;
		if (n++ < MOST_NAMED)
			names = arena_printf(a, "%s%s%s", names, *names ? ", " : "", s->id);
	}
	if (n > MOST_NAMED)
		names = arena_printf(a, "%s and %zu more", names, n - MOST_NAMED);
	const char *why =
		could	? "there is no number of two tokens here: their positions lie "
			  "between whole numbers, or are two of each token"
		: reads ? "this scheme reads the structure itself, numbers for each node, "
			  "and no relation of two"
			: "this scheme makes no number of two tokens: it counts positions one "
			  "by one, or learns from words";
	return arena_printf(a, "%s. These have a relation%s: %s", view_lead(why, a),
			    reads ? ", read off a structure" : "", names);
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* Adds the names of the values that occur. */
static void add_names(const struct pairs_of *p, struct heatmap *out)
{
	const size_t n = p->n_values - p->n_numbers;
	struct heatmap_name *names = arena_calloc(p->a, n + 1, sizeof *names);
	for (size_t i = 0; i < n; i++) {
		const int32_t value = p->values[p->n_numbers + i];
		const struct relation_name *const name = relation_name(p->r, value);
		names[i] = (struct heatmap_name){value, name->name, name->sign};
	}
	out->names = names;
	out->n_names = n;
}

static void matrix_panel(const struct pairs_of *p, struct panel *out)
{
	const struct view_data *d = p->d;
	const struct relation *r = p->r;
	*out = (struct panel){.kind = PANEL_HEATMAP, .name = "relation", .title = "Relation"};
	if (r->n == 0) {
		out->absent = absent(p->d, p->a);
		return;
	}
	out->note = r->title;
	out->title = d->earlier	    ? "Relation"
		     : r->of_tokens ? "Number of each token"
		     : r->at	    ? "Number for each query and key"
				    : "Path from each query to each key";
	out->brief_title = r->of_tokens ? "Number per token"
			   : r->at	? "Number per pair"
					: "Path per pair";
	out->paper_title = arena_printf(p->a, "%s, before it is embedded", out->title);
	out->subtitle = p->n_none ? arena_printf(p->a, "stroke: %s", relation_hatched(p))
				  : "row: query t, column: key s";
	const bool any = p->n_numbers > 0, one = p->n_numbers == 1;    /* the scale starts at 0 */
	const size_t memory = d->trace->memory, first = memory * r->n; /* rows are queries */
	const struct paint paint = {.allowed = p->n_none ? p->allowed + first : NULL,
				    .is_signed = any && p->values[0] < 0,
				    .ranged = true,
				    .lo = any && !(one && p->values[0] > 0) ? p->values[0] : 0,
				    .hi = any ? p->values[p->n_numbers - 1] : 0,
				    .own = true};
	view_heatmap(d, mat_rows(p->numbers, memory, r->n - memory), &paint, p->a, out);
	out->heatmap.integers = true;
	out->heatmap.words = p->words ? p->words + first : NULL;
	if (p->words) {
		out->heatmap.words_are = relation_has_ways(r) ? "labels of the path, ↑ against an "
								"edge, ↓ along it"
							      : "labels of the path";
		out->heatmap.numbers_are = "lengths of the path";
	}
	out->heatmap.masked_as = relation_hatched(p);
	add_names(p, &out->heatmap);
	/* The columns are units, even if the scheme changed its keys. */
	out->heatmap.col_labels = view_units(d->trace)->names;
	size_t t, key;
	if (relation_cursor(p, &t, &key))
		out->heatmap.means =
			relation_cell_words(r, view_units(d->trace), t, key, false, p->a);
}

/* If the relation has a number for each token, only the diagonal counts. */
const char *relation_pairs(const struct pairs_of *p)
{
	const size_t n = p->r->of_tokens ? p->r->n : p->r->n * p->r->n;
	return arena_printf(p->a, "%zu %s%s", n, p->r->of_tokens ? "token" : "pair",
			    n == 1 ? "" : "s");
}

/* Returns the count that values must exceed to be shown, so that there are at most BARS_MOST of
 * them. */
static size_t rare(const struct pairs_of *p)
{
	for (size_t least = 0;; least++) {
		size_t kept = 0;
		for (size_t i = 0; i < p->n_values; i++)
			kept += p->count[i] > least;
		if (kept <= BARS_MOST)
			return least;
	}
}

/* Fills the panel with the most frequent values, in ascending order. */
static void bars_panel(const struct pairs_of *p, struct panel *out)
{
	const bool tokens = p->r->of_tokens;
	*out = (struct panel){
		.kind = PANEL_BARS,
		.name = "counts",
		.title = p->r->at || p->r->n == 0 ? "How often each number stands in a cell"
						  : "Path lengths",
		.brief_title = p->r->at || p->r->n == 0 ? "How often" : "Path lengths",
		.note = relation_pairs(p),
		.subtitle = tokens ? "tokens by their number" : NULL};
	if (p->r->n == 0 || p->n_values == 0) {
		out->absent = p->r->n == 0 ? "no relation: nothing to count" : relation_hatched(p);
		return;
	}
	const size_t least = rare(p);
	const char **labels = arena_calloc(p->a, p->n_values + 1, sizeof *labels);
	double *values = arena_calloc(p->a, p->n_values + 1, sizeof *values);
	const char **notes = arena_calloc(p->a, p->n_values + 1, sizeof *notes);
	size_t n = 0, t = 0, s = 0;
	const bool cursor = relation_cursor(p, &t, &s) && !p->no_path[t * p->r->n + s];
	for (size_t i = 0; i < p->n_values && n < BARS_MOST; i++) {
		if (p->count[i] <= least && n + (p->n_values - i) > BARS_MOST)
			continue;
		if (cursor && p->values[i] == p->at[t * p->r->n + s]) {
			out->bars.has_cursor = true;
			out->bars.cursor = n;
		}
		labels[n] = relation_value(p->r, p->values[i], p->a);
		values[n] = (double)p->count[i];
		notes[n++] = arena_printf(p->a, "%zu", p->count[i]);
	}
	if (n < p->n_values)
		out->note = arena_printf(p->a, "%zu of %zu values", n, p->n_values);
	out->bars.n = n;
	out->bars.labels = labels;
	out->bars.values = values;
	out->bars.notes = notes;
	out->bars.unit = "";
}

/* Returns the farthest distance of the curve: it covers the input, and the start of the last
 * range, which has no end. */
static long curve_reach(const struct relation *r)
{
	enum { MOST = 1024 };
	long most = 1;
	for (size_t i = 0; i < r->n * r->n; i++)
		most = labs((long)r->beside[i]) > most ? labs((long)r->beside[i]) : most;
	for (size_t i = 0; i < r->n_ranges; i++) {
		const struct relation_range *at = &r->ranges[i];
		const long before = at->lo == INT32_MIN ? -(long)at->hi : 0;
		const long after = at->hi == INT32_MAX ? (long)at->lo : 0;
		const long end = (before > after ? before : after) * 5 / 4;
		most = end > most && end <= MOST ? end : most;
	}
	return most;
}

/* Returns the curve of the number by distance: both ends of each range, as far as the curve
 * reaches. It is flat where several distances share a number. */
static struct series *curve_of(const struct relation *r, struct arena *a)
{
	const long most = curve_reach(r);
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	double *const x = arena_calloc(a, 2 * r->n_ranges, sizeof *x);
	double *const y = arena_calloc(a, 2 * r->n_ranges, sizeof *y);
	size_t n = 0;
	for (size_t i = 0; i < r->n_ranges; i++) {
		const struct relation_range *at = &r->ranges[i];
		const long lo = at->lo < -most ? -most : at->lo, hi = at->hi > most ? most : at->hi;
		if (lo > hi)
			continue;
		x[n] = (double)lo;
		y[n++] = (double)at->value;
		if (hi > lo) {
			x[n] = (double)hi;
			y[n++] = (double)at->value;
		}
	}
	*series = (struct series){.label = r->title, .n = n, .x = x, .y = y, .active = true};
	return series;
}

static void curve_panel(const struct pairs_of *p, struct panel *out)
{
	const struct relation *r = p->r;
	bool shares = false;
	for (size_t i = 0; i < r->n_ranges; i++)
		shares |= r->ranges[i].lo != r->ranges[i].hi;
	*out = (struct panel){
		.kind = PANEL_CURVES,
		.title = "Number by distance",
		.note = r->title,
		.subtitle = shares ? "flat where several distances share one number" : NULL,
		.curves = {.series = curve_of(r, p->a),
			   .n = 1,
			   .x_title = p->d->built->position_ids ? "key minus query, in position ids"
				      : r->apart		? "distance |s − t|"
								: "key minus query, s − t",
			   .y_title = "",
			   .integer_x = true}};
	size_t t, key;
	if (!relation_cursor(p, &t, &key))
		return;
	const double delta = (double)r->beside[t * r->n + key];
	out->curves.has_cursor = true;
	out->curves.cursor = r->apart ? fabs(delta) : delta;
}

/* ---- results made once for a picture --------------------------------------------------------- */

static const void *relation_keep(const struct view_data *data, struct arena *a)
{
	struct pairs_of *kept = arena_calloc(a, 1, sizeof *kept);
	pairs_open(data, a, kept);
	return kept;
}

/* ---- the page -------------------------------------------------------------------------------- */

static void place(struct panel *p, unsigned char row, unsigned char col, unsigned char priority)
{
	p->row = row;
	p->col = col;
	p->priority = priority;
}

/* Returns what the numbers are, with an example; NULL: there are none. */
static const char *pairs_finding(const struct pairs_of *p)
{
	size_t t, s;
	const char *pair = "";
	if (p->r->n == 0 || !p->r->at || p->r->of_tokens || p->n_values == 0)
		return NULL;
	if (relation_cursor(p, &t, &s)) {
		const struct relation_cell cell =
			relation_cell(view_units(p->d->trace), t, s, false, p->a);
		const size_t i = t * p->r->n + s;
		const int32_t value = p->no_path[i] ? RELATION_NO_PATH : p->at[i];
		const char *const means = relation_says(p->r, value, &cell, p->a);
		pair = arena_printf(p->a, " %s → %s has %s%s%s.", cell.query, cell.key,
				    p->no_path[i] ? "none" : relation_value(p->r, value, p->a),
				    means ? ": " : "", means ? means : "");
	}
	return arena_printf(
		p->a,
		"For each query and key the scheme reads a number, %s, and by it what it "
		"adds.%s",
		p->r->title, pair);
}

static void pairs_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	struct pairs_of p;
	if (data->kept)
		p = *(const struct pairs_of *)data->kept;
	else
		pairs_open(data, a, &p);
	p.d = data;
	p.a = a;
	view_frame(data, p.r->n ? p.r->title : "no relation", a, out);
	out->finding = pairs_finding(&p);
	matrix_panel(&p, &out->panels[0]);
	relation_card(&p, &out->panels[1]);
	bars_panel(&p, &out->panels[2]);
	if (p.r->n_ranges > 0) {
		curve_panel(&p, &out->panels[3]);
		out->n = 4;
	}
}

static void relation_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	const struct trace *trace = data->trace;
	const bool related = trace->relation.n > 0;
	const bool vectors = !related && trace->spectrum.n > 0;
	if (!related && !vectors) {
		pairs_figure(data, a, out);
		view_instead(data, a, out);
		view_close(data, out);
		return;
	}
	if (vectors)
		spectrum_figure(data, a, out);
	else
		pairs_figure(data, a, out);
	if (out->n == 0)
		out->n = 3 + view_drawing(data, trace, !trace->relation.column, a, &out->panels[3]);
	place(&out->panels[0], 0, 0, 0);
	place(&out->panels[1], 1, 0, 2);
	place(&out->panels[2], 1, 1, 3);
	if (out->n == 4)
		place(&out->panels[3], 0, 1, 1);
	else
		out->panels[0].cols = 2;
	memcpy(out->col_weight, (unsigned char[]){4, 5}, 2);
	memcpy(out->row_weight, (unsigned char[]){5, 3}, 2);
	view_close(data, out);
}

const struct view view_relation = {
	"relation",	      "Relation",      "What of two tokens does a scheme encode?",
	relation_wants,	      relation_figure, .keep = relation_keep,
	.reads_cursor = true, .relation = true};
