/* gradients_maps.c: gradients as heatmaps: position × dimension, or the rows and columns of a
 * leaf. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gradients_in.h"
#include "vectors_in.h"

/* ---- choice of rows and columns -------------------------------------------------------------- */

/* A sentence up to WHOLE positions is shown completely, a longer one with at most LONGEST rows:
 * no more can be shown one by one on a terminal. */
enum { WHOLE = 32, LONGEST = 20, COLUMNS = 64 };

struct line {
	size_t at;
	double square;
};

static int longest_first(const void *x, const void *y)
{
	const struct line *const p = x, *const q = y;
	return p->square < q->square ? 1 : p->square > q->square ? -1 : p->at < q->at ? -1 : 1;
}

static int ascending(const void *x, const void *y)
{
	const size_t p = *(const size_t *)x, q = *(const size_t *)y;
	return p < q ? -1 : p > q;
}

static double square_of(struct mat m, bool columns, size_t i)
{
	if (!m.at || i >= (columns ? m.cols : m.rows))
		return 0;
	const double norm = mat_norm(columns ? mat_cols(m, i, 1) : mat_rows(m, i, 1));
	return norm * norm;
}

/* Returns the rows or columns that are not 0 in either matrix, at most `most`, the longest ones:
 * a head reads only its own columns, a sentence only its own rows of a table. With `all`, up to
 * WHOLE lines are returned even if they are 0. */
static struct lines pick(struct mat x, struct mat y, bool columns, size_t most, bool all,
			 const char *what, struct arena *a)
{
	const size_t of = columns ? x.cols : x.rows;
	struct line *const lines = arena_calloc(a, of + 1, sizeof *lines);
	size_t *const at = arena_calloc(a, of + 1, sizeof *at), hold = 0;
	for (size_t i = 0; i < of; i++) {
		lines[i] = (struct line){i, square_of(x, columns, i) + square_of(y, columns, i)};
		hold += lines[i].square > 0;
	}
	qsort(lines, of, sizeof *lines, longest_first);
	const bool whole = all && of <= WHOLE;
	const size_t n = whole ? of : hold < most ? hold : most;
	for (size_t i = 0; i < n; i++)
		at[i] = lines[i].at;
	qsort(at, n, sizeof *at, ascending);
	return (struct lines){
		.at = at,
		.n = n,
		.of = of,
		.longest = n < hold,
		.says = n == of ? NULL
				: arena_printf(a, "%zu of %zu %s, %s", n, of, what,
					       n == hold ? "the others are 0" : "the longest")};
}

struct lines gradient_places(const struct gradients_kept *k, struct arena *a)
{
	const struct mat none = {0};
	const struct gradient *const shown = gradient_shown(k);
	const bool both = gradient_added(k) && !k->g.unit.why;
	if (k->g.why || shown->why)
		return (struct lines){0};
	return pick(shown->at, both ? k->g.unit.at : none, false, LONGEST, true, "positions", a);
}

static struct mat chosen(struct mat m, struct lines rows, struct lines cols, struct arena *a)
{
	const struct mat out = mat_new(a, rows.n, cols.n);
	for (size_t t = 0; t < rows.n; t++)
		for (size_t j = 0; j < cols.n; j++)
			mat_row(out, t)[j] = mat_row(m, rows.at[t])[cols.at[j]];
	return out;
}

static const char *const *numbered(struct lines lines, struct arena *a)
{
	const char **const out = arena_calloc(a, lines.n + 1, sizeof *out);
	for (size_t i = 0; i < lines.n; i++)
		out[i] = arena_printf(a, "%zu", lines.at[i] + 1);
	return out;
}

/* Joins the sentences that exist. */
static const char *joined(const char *first, struct lines rows, struct lines cols, struct arena *a)
{
	const char *const with = rows.says ? arena_printf(a, "%s; %s", first, rows.says) : first;
	return cols.says ? arena_printf(a, "%s; %s", with, cols.says) : with;
}

/* ---- positions × dimensions ------------------------------------------------------------------ */

/* Returns the largest absolute value of both gradients: they share a scale, to be compared. */
static double largest(const struct gradients_kept *k)
{
	const struct gradient *const all[] = {&k->g.position, &k->g.unit};
	double most = 0, lo, hi;
	for (size_t i = 0; i < 2; i++)
		if (!all[i]->why && all[i]->at.at && mat_range(all[i]->at, &lo, &hi))
			most = fmax(most, fmax(fabs(lo), fabs(hi)));
	return most;
}

/* Returns the columns to show. Both gradients show the same ones if they have equally many. */
static struct lines dimensions(const struct gradients_kept *k, const struct gradient *g,
			       struct arena *a)
{
	const struct mat none = {0};
	const struct gradient *const other = g == &k->g.unit ? &k->g.position : &k->g.unit;
	const bool both = !other->why && other->at.cols == g->at.cols;
	return pick(g->at, both ? other->at : none, true, COLUMNS, false, "dimensions", a);
}

/* Returns which cells belong to units of the input; units that the scheme inserts have no input
 * vector. */
static uint8_t *went_in(const struct gradients_kept *k, size_t cols, struct arena *a)
{
	const struct lines rows = k->places;
	if (!k->g.put_in)
		return NULL;
	uint8_t *const allowed = arena_alloc(a, rows.n * cols + 1);
	for (size_t t = 0; t < rows.n; t++)
		memset(allowed + t * cols, !k->g.put_in[rows.at[t]], cols);
	return allowed;
}

static const char *const *names(const struct view_data *d, struct lines rows, struct arena *a)
{
	const char **const out = arena_calloc(a, rows.n + 1, sizeof *out);
	for (size_t t = 0; t < rows.n; t++)
		out[t] = view_units(d->trace)->names[rows.at[t]];
	return out;
}

static void finish_map(const char *row_title, const char *col_title, struct lines cols,
		       struct arena *a, struct heatmap *h)
{
	h->col_labels = numbered(cols, a);
	h->row_title = row_title;
	h->col_title = col_title;
	h->no_cursor = true;
}

/* Up to so many rows have a line of a terminal each. */
enum { FEW_ROWS = 12 };

static void draw_vectors(const struct view_data *d, const struct gradients_kept *k,
			 const struct gradient *g, struct arena *a, struct panel *p)
{
	const bool units = g == &k->g.unit;
	const double most = largest(k);
	const struct lines cols = dimensions(k, g, a);
	const struct paint paint = {.allowed = units ? went_in(k, cols.n, a) : NULL,
				    .is_signed = true,
				    .own = true,
				    .shared = most > 0,
				    .limit = most,
				    .more_of = k->of.logit ? "attention" : "weight"};
	p->subtitle = joined(p->subtitle, k->places, cols, a);
	view_heatmap(d, chosen(g->at, k->places, cols, a), &paint, a, p);
	p->heatmap.no_means = true;
	p->heatmap.row_labels = names(d, k->places, a);
	if (k->places.n <= FEW_ROWS && p->heatmap.grid == GRID_AUTO)
		p->heatmap.grid = GRID_CELLS; /* a line for each, as of what is learned */
	p->heatmap.masked_as = "not of the sentence";
	finish_map("position", "dimension", cols, a, &p->heatmap);
}

static void vectors_panel(const struct view_data *d, const struct gradients_kept *k, bool units,
			  struct arena *a, struct panel *p)
{
	const struct gradient *const g = units ? &k->g.unit : &k->g.position;
	const char *const sign = gradient_sign(k), *const by = units ? "U" : "P";
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = units ? "units" : "positions",
		.title = d->earlier		      ? arena_printf(a, "∂%s/∂%s", sign, by)
			 : units && gradient_equal(k) ? "By token vectors: the same"
			 : units		      ? "Gradient by token vectors"
						      : "Gradient by position vectors",
		.note = arena_printf(a, "change of %s · token ↓ · dimension →", sign),
		.paper_note = arena_printf(a, "∂%s/∂%s · token ↓ · dimension →", sign, by),
		.short_note = d->earlier ? arena_printf(a, "∂%s/∂%s", sign, by) : NULL,
		.subtitle = arena_printf(a, "of the %s %s, position × dimension%s",
					 gradient_word(k), gradient_cell(d, k, a),
					 gradient_added(k) && (d->earlier || !gradient_equal(k))
						 ? "; both on one scale"
						 : ""),
		.absent = k->g.why	     ? view_lead(k->g.why, a)
			  : g->why && !units ? arena_printf(a,
							    "%s. The view Vectors shows what "
							    "the scheme has instead",
							    g->why)
					     : g->why};
	if (!p->absent)
		draw_vectors(d, k, g, a, p);
}

void gradient_units_panel(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a, struct panel *p)
{
	vectors_panel(d, k, true, a, p);
}

/* ---- a leaf ---------------------------------------------------------------------------------- */

/* At most so many rows of a leaf are shown, a line of a terminal each. */
enum { LEAF_ROWS = 9 };

const char *gradient_leaf_means(const struct gradient_leaf *l)
{
	const struct leaf_row *const row = leaf_row_of(l->leaf);
	return row && row->meaning ? row->meaning : "what is learned";
}

const char *gradient_leaf_words(const struct gradient_leaf *l, struct arena *a)
{
	static const struct {
		const char *begin, *words, *end;
	} rows[] = {{"row r + ", "vectors ", ""},
		    {"row of a ", "a row for each ", ":"},
		    {"row of an ", "a row for each ", ":"},
		    {"row δ(t,s)", "", ","}};
	const char *const means = gradient_leaf_means(l), *const colon = strstr(means, ": ");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const size_t len = strlen(rows[i].begin);
		const bool rule = i == 0 || !*rows[i].words; /* that finds the row */
		const char *const words = rule && colon ? colon + 2 : means + len;
		if (strncmp(means, rows[i].begin, len) == 0)
			return arena_printf(a, "%s%.*s", rows[i].words,
					    (int)strcspn(words, rows[i].end), words);
	}
	return means;
}

const struct gradient_leaf *gradient_leaf(const struct gradients_kept *k)
{
	static const char row[] = "row";
	for (size_t i = 0; i < k->g.n_leaves; i++)
		if (strncmp(gradient_leaf_means(&k->g.leaves[i]), row, sizeof row - 1) == 0)
			return &k->g.leaves[i];
	return k->g.n_leaves > 0 ? k->g.leaves : NULL;
}

/* Returns "deberta.v_q" for "deberta.v_q.0". */
static const char *full_name(const struct gradient_leaf *l, struct arena *a)
{
	const char *const name = l->leaf->name, *const last = strrchr(name, '.');
	return last && last[1] && strspn(last + 1, "0123456789") == strlen(last + 1)
		       ? arena_strndup(a, name, (size_t)(last - name))
		       : name;
}

const char *gradient_leaf_name(const struct view_data *d, const struct gradient_leaf *l,
			       struct arena *a)
{
	const char *const name = full_name(l, a), *const dot = strchr(name, '.');
	return dot && d->built->n_members == 1 ? dot + 1 : name;
}

/* Returns the distance s − t of the pairs that read each row, where the relation is the number of the
 * row; NULL: a row is read at several distances, or at none. */
static const char *const *named_by_relation(const struct view_data *d, struct lines rows,
					    struct arena *a)
{
	const struct relation *const of = &d->trace->relation;
	const char **const names = arena_calloc(a, rows.n + 1, sizeof *names);
	if (view_is_structural(d->built) || d->trace->memory > 0 || !of->at || of->of_tokens)
		return NULL;
	for (size_t i = 0; i < rows.n; i++) {
		long far = LONG_MAX;
		for (size_t k = 0; k < of->n * of->n; k++) {
			const long own = (long)(k % of->n) - (long)(k / of->n);
			if (of->at[k] != (int32_t)rows.at[i])
				continue;
			if (far != LONG_MAX && far != own)
				return NULL;
			far = own;
		}
		if (far == LONG_MAX)
			return NULL;
		names[i] = arena_printf(a, "%s%ld", far < 0 ? "−" : "", labs(far));
	}
	return names;
}

/* Returns the leaf of the panel. */
static const struct gradient_leaf *shown_leaf(const struct view_data *d,
					      const struct gradients_kept *k)
{
	return d->earlier ? k->g.leaves : gradient_leaf(k);
}

const struct shown_vectors *gradient_named(const struct view_data *d,
					   const struct gradients_kept *k, struct arena *a)
{
	const struct gradient_leaf *const l = shown_leaf(d, k);
	struct shown_vectors *const out = arena_calloc(a, 1, sizeof *out);
	out->built = d->built;
	out->trace = d->trace;
	out->v = (struct vectors){.kind = VECTORS_TABLE,
				  .name = l->leaf->name,
				  .means = gradient_leaf_means(l),
				  .at = l->at};
	out->sample = sample_rows(l->at.rows, l->at.rows, 0, a);
	vectors_name(d, a, out);
	return out;
}

/* Names the chosen rows of a leaf as the view Vectors does; returns the title of rows. */
static const char *name_leaf_rows(const struct view_data *d, const struct gradients_kept *k,
				  const char *means, struct lines rows, struct heatmap *h,
				  struct arena *a)
{
	static const char by_relation[] = "row δ(t,s)";
	const struct shown_vectors *const of = k->named;
	const char *const *const own = strncmp(means, by_relation, sizeof by_relation - 1) == 0
					       ? named_by_relation(d, rows, a)
					       : NULL;
	if (own && !d->earlier) {
		h->row_labels = own;
		h->ruler = true;
		return "distance s − t";
	}
	if (!of->row_names)
		return of->row_title;
	const char **const names = arena_calloc(a, rows.n + 1, sizeof *names);
	for (size_t i = 0; i < rows.n; i++)
		names[i] = of->row_names[rows.at[i]];
	h->row_labels = names;
	h->ruler = of->ruler && !d->earlier;
	return of->row_title;
}

/* Returns what the rows are, and which of them are shown: "rows: distance s − t, 9 longest of 63". */
static const char *rows_words(const char *title, struct lines rows, struct arena *a)
{
	const char *const of =
		rows.n == rows.of ? ""
		: rows.longest	  ? arena_printf(a, ", %zu longest of %zu", rows.n, rows.of)
				  : arena_printf(a, ", %zu of %zu, the others 0", rows.n, rows.of);
	if (strcmp(title, "row") == 0)
		return arena_printf(a, "rows of what is learned%s", of);
	return arena_printf(a, "rows: %s%s", title, of);
}

/* A head that reads one column of a table has a bar for each row instead of cells. */
static void draw_column(const struct view_data *d, const struct gradients_kept *k,
			struct mat column, size_t at, const char *const *names, struct arena *a,
			struct panel *p)
{
	const char **const notes = arena_calloc(a, column.rows + 1, sizeof *notes);
	double most = 0;
	for (size_t i = 0; i < column.rows; i++)
		most = fmax(most, fabs(column.at[i]));
	for (size_t i = 0; i < column.rows; i++)
		notes[i] = gradient_digits(column.at[i], most, a);
	p->kind = PANEL_BARS;
	p->bars = (struct bars){
		.n = column.rows,
		.labels = names,
		.values = column.at,
		.notes = notes,
		.unit = arena_printf(a, "change of the %s, ∂%s/∂ column %zu", gradient_word(k),
				     gradient_sign(k), at + 1),
		.brief_unit = arena_printf(a, "∂%s/∂ column %zu", gradient_sign(k), at + 1),
		.colormap = view_colormap(d, true)};
}

static void leaf_panel(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
		       struct panel *p)
{
	const struct mat none = {0};
	const struct gradient_leaf *const l = shown_leaf(d, k);
	const struct lines rows =
		pick(l->at, none, false, d->earlier ? LONGEST : LEAF_ROWS, false, "rows", a);
	const struct lines cols = pick(l->at, none, true, COLUMNS, false, "columns", a);
	const char *const means = gradient_leaf_means(l);
	const char *const name = full_name(l, a);
	const struct paint paint = {
		.is_signed = true, .own = true, .more_of = k->of.logit ? "attention" : "weight"};
	*p = (struct panel){
		.name = "leaf",
		.title = d->earlier ? arena_printf(a, "∂%s/∂%s", gradient_sign(k), l->leaf->name)
				    : arena_printf(a, "Gradient by %s, learned", name),
		.brief_title = arena_printf(a, "Gradient by %s", name),
		.note = means,
		.paper_note = arena_printf(a, "∂%s/∂%s", gradient_sign(k), name),
		.subtitle = joined(gradient_leaf_words(l, a), rows, cols, a)};
	const struct mat shown = chosen(l->at, rows, cols, a);
	struct heatmap named = {.row_labels = numbered(rows, a)};
	const char *const title = name_leaf_rows(d, k, means, rows, &named, a);
	const bool relation = strcmp(title, "relation") == 0;
	p->note = rows_words(relation ? "relation of query and key" : title, rows, a);
	p->short_note = relation ? rows_words(title, rows, a) : cols.n == 1 ? title : NULL;
	if (cols.n == 1 && !d->earlier) {
		draw_column(d, k, shown, cols.at[0], named.row_labels, a, p);
		return;
	}
	view_heatmap(d, shown, &paint, a, p);
	p->heatmap.no_means = true;
	if (p->heatmap.grid == GRID_AUTO)
		p->heatmap.grid = GRID_CELLS;
	p->heatmap.row_labels = named.row_labels;
	p->heatmap.ruler = named.ruler;
	finish_map(title, "column", cols, a, &p->heatmap);
}

/* ---- the logits of the row ------------------------------------------------------------------- */

/* Returns whether the row's weights are the softmax of its logits, with a sink or without: their
 * derivative is the same. */
static bool is_softmax(const struct trace_head *h, const struct gradients_kept *k)
{
	static const double rounding = 1e-9;
	const size_t n = h->weights.cols;
	const double *const x = mat_row(h->logits, k->of.query), *const w = mat_row(h->weights,
										    k->of.query);
	const uint8_t *const open = h->mask ? h->mask + k->of.query * n : NULL;
	double most = -INFINITY, sum = 0;
	for (size_t j = 0; j < n; j++)
		most = !open || open[j] ? fmax(most, x[j]) : most;
	for (size_t j = 0; j < n; j++)
		sum += !open || open[j] ? exp(x[j] - most) : 0;
	sum += h->sink_logit ? exp(*h->sink_logit - most) : 0;
	for (size_t j = 0; j < n; j++)
		if (!(fabs(w[j] - (!open || open[j] ? exp(x[j] - most) / sum : 0)) <= rounding))
			return false;
	return true;
}

void gradient_row_panel(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
			struct panel *p)
{
	enum { KEYS = 20 };
	const struct trace *const trace = d->trace;
	if (k->of.logit || k->of.layer >= trace->n_layers || view_is_mean(d))
		return;
	const struct trace_head *const h = &trace->layers[k->of.layer].heads[k->of.head];
	const size_t n = trace->key.n, s = k->of.key;
	if (!h->logits.at || !h->weights.at || h->weights.cols != n || !is_softmax(h, k))
		return;
	const double *const w = mat_row(h->weights, k->of.query);
	const struct mat by = mat_new(a, n, 1), none = {0};
	for (size_t j = 0; j < n; j++)
		by.at[j] = w[s] * ((j == s) - w[j]);
	const struct lines keys = pick(by, none, false, KEYS, false, "keys", a);
	const char **const labels = arena_calloc(a, keys.n + 1, sizeof *labels);
	double *const values = arena_calloc(a, keys.n + 1, sizeof *values);
	struct bars bars = {.n = keys.n,
			    .labels = labels,
			    .values = values,
			    .unit = "",
			    .ranked = true,
			    .colormap = view_colormap(d, true)};
	for (size_t i = 0; i < keys.n; i++) {
		size_t at = i;
		const double value = by.at[keys.at[i]];
		const char *const name = view_unit_name(&trace->key, keys.at[i], a);
		for (; at > 0 && fabs(values[at - 1]) < fabs(value); at--) {
			values[at] = values[at - 1];
			labels[at] = labels[at - 1];
		}
		values[at] = value;
		labels[at] = keys.at[i] == s ? arena_printf(a, "%s, key", name) : name;
	}
	for (size_t i = 0; i < keys.n; i++)
		if (values[i] > 0) {
			bars.has_cursor = true;
			bars.cursor = i;
		}
	const char *const words =
		"how the weight changes with the logit of each key: its own raises "
		"it, those of others lower it";
	*p = (struct panel){.kind = PANEL_BARS,
			    .name = "logits",
			    .title = "Gradient by the logits of the row",
			    .brief_title = "Gradient by logits",
			    .note = "change of the weight by each logit (∂α/∂A)",
			    .short_note = "weight by logit",
			    .subtitle =
				    keys.says ? arena_printf(a, "%s; %s", words, keys.says) : words,
			    .bars = bars};
}

void gradient_first_panel(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a, struct panel *p)
{
	if (k->g.why || gradient_added(k) || k->g.n_leaves == 0)
		vectors_panel(d, k, false, a, p);
	else
		leaf_panel(d, k, a, p);
}
