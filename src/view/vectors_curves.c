/* vectors_curves.c: curves of the view Vectors: wavelengths, cosines by distance, the columns of a table of heads,
 * lengths of rows, and the histogram of the cosines. */
#include <math.h>
#include <string.h>

#include "vectors_in.h"

static struct series *series_of(size_t n, const char *label, size_t colour, struct arena *a,
				double **x, double **y)
{
	struct series *const s = arena_calloc(a, 2, sizeof *s);
	*x = arena_calloc(a, n + 1, sizeof **x);
	*y = arena_calloc(a, n + 1, sizeof **y);
	*s = (struct series){
		.label = label, .n = n, .x = *x, .y = *y, .colour = colour, .active = true};
	return s;
}

/* Fills y with the number of positions in which each pair makes a full rotation; NaN if it does
 * not rotate. */
static void fill_periods(const double *frequency, size_t n, double *x, double *y)
{
	const double two_pi = 2 * acos(-1);
	for (size_t i = 0; i < n; i++) {
		x[i] = (double)(i + 1);
		y[i] = frequency[i] > 0 ? two_pi / frequency[i] : NAN;
	}
}

static void waves_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p)
{
	double *x, *y;
	const size_t n_pairs = k->v.angle.cols, t_max = d->built->model.config.t_max;
	struct series *const s = series_of(n_pairs, k->v.trained ? "scaled" : "", 0, a, &x, &y);
	fill_periods(k->v.frequency, n_pairs, x, y);
	if (k->v.trained) {
		double *const before = arena_calloc(a, n_pairs + 1, sizeof *before);
		fill_periods(k->v.trained, n_pairs, x, before);
		s[1] = (struct series){
			.label = "as trained", .n = n_pairs, .x = x, .y = before, .colour = 1};
	}
	struct curve_level *const levels = arena_calloc(a, 2, sizeof *levels);
	const size_t places = k->v.angle.rows;
	levels[0] =
		(struct curve_level){(double)t_max, arena_printf(a, "t-max %zu", t_max), "t-max"};
	levels[1] = (struct curve_level){
		(double)places, arena_printf(a, "%zu position%s", places, places == 1 ? "" : "s"),
		"here"};
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "curve",
			    .title = "Wavelengths",
			    .note = arena_printf(a, "in positions · %zu of %zu within %zu", k->turn,
						 n_pairs, k->v.angle.rows),
			    .short_note = "wavelength in positions",
			    .paper_note = arena_printf(a, "%zu of %zu within %zu", k->turn, n_pairs,
						       k->v.angle.rows),
			    .subtitle = "positions for one full rotation of each pair of columns"};
	p->curves = (struct curves){.series = s,
				    .n = k->v.trained ? 2 : 1,
				    .levels = levels,
				    .n_levels = 2,
				    .x_title = "pair of dimensions",
				    .y_title = "wavelength in positions",
				    .integer_x = true,
				    .row_title = "wavelengths",
				    .spread = CURVES_LOG,
				    .colormap = view_colormap(d, true)};
}

static void by_distance_panel(const struct view_data *d, const struct shown_vectors *k,
			      struct arena *a, struct panel *p)
{
	double *x, *y;
	const struct split *const by = &k->by;
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "curve",
		.title = "Similarity by distance",
		.subtitle = "mean of the cosines of rows at this distance; band: least to most",
		.absent = by->n < 2 || !by->f ? "no two distances to compare" : NULL};
	if (p->absent)
		return;
	struct series *const s = series_of(by->n, "", 0, a, &x, &y);
	for (size_t i = 0; i < by->n; i++) {
		x[i] = (double)(by->lo + (long)i);
		y[i] = by->f[i];
	}
	s->lo = by->least;
	s->hi = by->most;
	if (!isnan(by->distance))
		p->note = arena_printf(a, "%.0f %% by distance", 100 * by->distance);
	p->curves = (struct curves){.series = s,
				    .n = 1,
				    .x_title = vectors_of_places(k) ? "distance |s − t|"
								    : "distance of rows",
				    .y_title = "cosine",
				    .integer_x = true,
				    .colormap = view_colormap(d, true)};
}

/* Gives the x axis the names of the rows. */
static void name_places(const struct shown_vectors *k, const size_t *row, size_t n, const double *x,
			struct arena *a, struct curves *curves)
{
	struct curve_place *const places = arena_calloc(a, n + 1, sizeof *places);
	for (size_t i = 0; i < n; i++)
		places[i] = (struct curve_place){
			x[i], k->row_names ? k->row_names[row[i]]
					   : arena_printf(a, "%zu", k->sample.at[i] + 1)};
	curves->places = places;
	curves->n_places = n;
}

/* Fills the rows of a table in the order of their distances, without those that none reads; returns their
 * number. Rows that are no buckets stay in their order. */
static size_t rows_by_distance(const struct view_data *d, const struct shown_vectors *k,
			       size_t *row)
{
	size_t n = 0;
	for (size_t i = 0; i < k->v.at.rows; i++) {
		size_t at = n;
		if (k->row_at && !d->earlier && isnan(k->row_at[i]))
			continue;
		for (; k->row_at && !d->earlier && at > 0 && k->row_at[row[at - 1]] > k->row_at[i];
		     at--)
			row[at] = row[at - 1];
		row[at] = i;
		n++;
	}
	return n;
}

/* Returns how often two of the curves cross. */
static size_t crossings(struct mat m, const size_t *row, size_t n)
{
	size_t all = 0;
	for (size_t i = 1; i < n; i++)
		for (size_t g = 0; g < m.cols; g++)
			for (size_t h = 0; h < g; h++) {
				const double *const from = mat_row(m, row[i - 1]),
						    *const to = mat_row(m, row[i]);
				all += (from[g] - from[h]) * (to[g] - to[h]) < 0;
			}
	return all;
}

/* Chooses the heads whose curves are drawn, in their order; returns their number. Of more than two that
 * cross more often than there are rows none can be followed: the heads with the largest and the least value
 * remain. */
static size_t choose_heads(struct mat m, const size_t *row, size_t n, size_t *head)
{
	size_t most = 0, least = 0;
	double hi = -INFINITY, lo = INFINITY;
	for (size_t h = 0; h < m.cols; h++)
		head[h] = h;
	if (m.cols <= 2 || crossings(m, row, n) <= n)
		return m.cols;
	for (size_t i = 0; i < n; i++)
		for (size_t h = 0; h < m.cols; h++) {
			const double y = mat_row(m, row[i])[h];
			most = y > hi ? h : most;
			least = y < lo ? h : least;
			hi = fmax(hi, y);
			lo = fmin(lo, y);
		}
	head[0] = most < least ? most : least;
	head[1] = most < least ? least : most;
	return most == least ? 1 : 2;
}

/* Draws the columns of a table of heads as curves over its rows. */
static void heads_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p)
{
	size_t *const head = arena_calloc(a, k->v.at.cols + 1, sizeof *head);
	struct series *const series = arena_calloc(a, k->v.at.cols + 1, sizeof *series);
	double *const x = arena_calloc(a, k->v.at.rows + 1, sizeof *x);
	size_t *const row = arena_calloc(a, k->v.at.rows + 1, sizeof *row);
	const size_t n = rows_by_distance(d, k, row);
	const size_t heads = choose_heads(k->v.at, row, n, head);
	const bool some = heads < k->v.at.cols, bias = vectors_of_bias(k);
	for (size_t i = 0; i < n; i++)
		x[i] = n < k->v.at.rows ? (double)(i + 1) : (double)(k->sample.at[i] + 1);
	for (size_t h = 0; h < heads; h++) {
		double *const y = arena_calloc(a, n + 1, sizeof *y);
		for (size_t i = 0; i < n; i++)
			y[i] = mat_row(k->v.at, row[i])[head[h]];
		series[h] = (struct series){.label = view_head_name(d, head[h], a),
					    .brief = arena_printf(a, "%zu", head[h] + 1),
					    .n = n,
					    .x = x,
					    .y = y,
					    .colour = head[h],
					    .active = h == 0};
	}
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "curve",
		.title = bias ? "Bias by distance, of each head" : "Value of each row, by head",
		.brief_title = bias ? "Bias by distance" : "Values by head",
		.note = !some	     ? NULL
			: heads == 1 ? arena_printf(a, "the head of the largest and least, of %zu",
						    k->v.at.cols)
				     : arena_printf(a, "heads of the largest and the least, of %zu",
						    k->v.at.cols),
		.short_note =
			some ? arena_printf(a, "%zu of %zu heads", heads, k->v.at.cols) : NULL,
		.subtitle = k->row_at && !d->earlier
				    ? "the columns of the table as curves, in the order of "
				      "the distances"
				    : "the columns of the table as curves"};
	p->curves = (struct curves){.series = series,
				    .n = heads,
				    .x_title = bias ? "distance, s − t" : k->row_title,
				    .y_title = bias ? "logit" : "value",
				    .integer_x = true,
				    .together = true,
				    .row_title = "heads",
				    .colormap = view_colormap(d, true)};
	name_places(k, row, n, x, a, &p->curves);
}

bool vectors_of_heads(const struct shown_vectors *k)
{
	enum { FEW_HEADS = 8 };
	return strcmp(k->col_title, "head") == 0 && k->v.at.cols <= FEW_HEADS &&
	       k->sample.n == k->sample.of;
}

void vectors_curve_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			 struct panel *p)
{
	(vectors_are_waves(k)  ? waves_panel
	 : vectors_of_heads(k) ? heads_panel
			       : by_distance_panel)(d, k, a, p);
}

void vectors_histogram_panel(const struct view_data *d, const struct shown_vectors *k,
			     struct arena *a, struct panel *p)
{
	double *x, *y;
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "histogram",
			    .title = "Similarity of all pairs",
			    .subtitle = "of all pairs of rows, the part with this cosine",
			    .absent = k->pairs == 0 ? "there are no two rows to compare" : NULL};
	if (p->absent)
		return;
	p->note = arena_printf(a, "%zu pair%s", k->pairs, k->pairs == 1 ? "" : "s");
	struct series *const s = series_of(2 * (size_t)COSINE_BINS + 2, "", 0, a, &x, &y);
	size_t n = 0;
	for (size_t i = 0; i < COSINE_BINS; i++) {
		const double part = k->bins[i] / (double)k->pairs;
		for (size_t side = 0; side < 2; side++) {
			x[n] = -1 + 2 * (double)(i + side) / COSINE_BINS;
			y[n++] = part;
		}
	}
	s->n = n;
	p->curves = (struct curves){.series = s,
				    .n = 1,
				    .x_title = "cosine",
				    .y_title = "share of the pairs",
				    .colormap = view_colormap(d, true)};
}

void vectors_norms_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			 struct panel *p)
{
	double *x, *y;
	const size_t n = k->v.rows.rows;
	/* The numbers of rows are not the distances that these stand for. */
	const bool rows = k->ruler && !k->v.of_distances && !d->earlier;
	struct series *const s = series_of(n, "", 0, a, &x, &y);
	for (size_t t = 0; t < n; t++) {
		x[t] = k->v.of_distances ? (double)k->sample.at[t] - (double)(k->sample.of / 2)
					 : (double)(k->sample.at[t] + 1);
		y[t] = k->norm[t];
	}
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "norms",
			    .title = "Length of each row",
			    .subtitle = "the norm of each row",
			    .absent = n < 2 ? "there is one row only: no curve" : NULL};
	p->curves = (struct curves){.series = s,
				    .n = 1,
				    .x_title = rows ? "row of the table" : k->row_title,
				    .y_title = "norm",
				    .integer_x = true,
				    .colormap = view_colormap(d, true)};
}
