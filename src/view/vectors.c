/* vectors.c: the view Vectors: the vectors that a scheme adds, multiplies or rotates by, row by
 * row, and relations of the rows: their cosines, frequencies, lengths, and path in a plane. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "vectors_in.h"

unsigned vectors_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_POSITION | WANT_KEPT | WANT_RELATION | WANT_MASK;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *vectors_number(double value, int digits, struct arena *a)
{
	char text[32];
	if (isnan(value))
		return "–";
	if (fabs(value) < 1e-12)
		return "0";
	num_show(text, sizeof text, fabs(value), digits);
	return arena_printf(a, "%s%s", value < 0 ? "−" : "", text);
}

static bool is_wave(const struct shown_vectors *k)
{
	for (size_t i = 0; k->v.frequency && i < k->v.angle.cols; i++)
		if (k->v.frequency[i] > 0)
			return true;
	return false;
}

static bool is_of_places(const struct shown_vectors *k)
{
	return k->v.of_units && strcmp(k->v.rows_are, "position t") == 0;
}

/* Returns "64 × 64", and for a sample also "512 of 4096 rows, seed 0". */
static const char *size_note(const struct shown_vectors *k, struct arena *a)
{
	const char *const part = sample_show(&k->sample, a);
	const char *const size = arena_printf(a, "%zu × %zu", k->v.at.rows, k->v.at.cols);
	return part ? arena_printf(a, "%s · %s", size, part) : size;
}

/* Returns the size, and, if there are several kinds of vectors, which one is shown. */
static const char *which(const struct shown_vectors *k, struct arena *a)
{
	return k->n > 1 ? arena_printf(a, "%zu of %zu · %s", k->of + 1, k->n, size_note(k, a))
			: size_note(k, a);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* Returns "−16" … "16", the distances of the rows. */
static const char *const *distances(const struct shown_vectors *k, struct arena *a)
{
	const char **const out = arena_calloc(a, k->sample.n + 1, sizeof *out);
	for (size_t i = 0; i < k->sample.n; i++) {
		const long at = (long)k->sample.at[i] - (long)(k->sample.of / 2);
		out[i] = arena_printf(a, "%s%ld", at < 0 ? "−" : "", at < 0 ? -at : at);
	}
	return out;
}

/* Names the rows. Rows of the sentence's units have the names of these; rows for more positions,
 * or of other things, have numbers. */
static void name_rows(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
		      struct heatmap *h)
{
	const bool named = k->v.of_units && !k->more_places && k->v.at.rows == d->trace->key.n;
	h->row_labels = named ? d->trace->key.names : k->v.of_distances ? distances(k, a) : NULL;
	h->row_title = k->v.rows_are;
}

static void table_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p)
{
	const bool turns = k->v.kind == VECTORS_TURNS;
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = "table",
			    .title = k->absent ? "Vectors" : k->v.title,
			    .absent = k->absent};
	if (k->absent)
		return;
	static const char *const titles[] = {[VECTORS_ADDED] = "Position vectors",
					     [VECTORS_TURNS] = "Rotation angles",
					     [VECTORS_MADE] = "Made of positions",
					     [VECTORS_TABLE] = "Learned table",
					     [VECTORS_EIGEN] = "Eigenvectors"};
	const bool named = k->v.kind == VECTORS_MADE || k->v.kind == VECTORS_TABLE;
	p->title = titles[k->v.kind];
	p->note = which(k, a);
	p->short_note = arena_printf(a, "%zu × %zu", k->v.at.rows, k->v.at.cols);
	p->subtitle = named ? arena_printf(a, "%s: %s", k->v.name, k->v.means) : k->v.means;
	const struct paint paint = {.is_signed = true, .own = true};
	view_heatmap(d, k->v.at, &paint, a, p);
	name_rows(d, k, a, &p->heatmap);
	p->heatmap.col_labels = NULL;
	p->heatmap.col_title = turns			    ? "pair of columns"
			       : k->v.kind == VECTORS_EIGEN ? "eigenvector"
							    : "dimension";
	p->heatmap.no_cursor = p->heatmap.no_means = true;
	p->heatmap.own_cols = k->v.of_units;
}

static void cosine_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			 struct panel *p)
{
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "cosine",
		.title = is_of_places(k) ? "Similarity of positions"
			 : k->v.of_units ? "Similarity of token vectors"
					 : "Similarity of rows",
		.short_note = arena_printf(a, "least %s", vectors_number(k->least, 2, a)),
		.absent = isnan(k->least) ? "there is but one row, or all but one are zero: "
					    "no two to compare"
					  : NULL};
	if (p->absent)
		return;
	p->note = arena_printf(a, "least %s, side by side %s", vectors_number(k->least, 2, a),
			       vectors_number(k->neighbour, 2, a));
	p->paper_note = p->short_note;
	p->subtitle = "1 where they point the same way, 0 where they have nothing in common";
	uint8_t *const allowed = arena_calloc(a, k->cosine.rows * k->cosine.cols + 1, 1);
	bool all = true;
	for (size_t i = 0; i < k->cosine.rows * k->cosine.cols; i++) {
		allowed[i] = !isnan(k->cosine.at[i]);
		all &= allowed[i];
	}
	const struct paint paint = {.allowed = all ? NULL : allowed,
				    .is_signed = true,
				    .shared = true,
				    .limit = 1,
				    .own = true};
	view_heatmap(d, k->cosine, &paint, a, p);
	name_rows(d, k, a, &p->heatmap);
	p->heatmap.col_labels = p->heatmap.row_labels;
	p->heatmap.row_title = k->v.rows_are;
	p->heatmap.col_title = is_of_places(k) ? "position s" : k->v.rows_are;
	p->heatmap.masked_as = "no direction";
	p->heatmap.no_cursor = !k->v.of_units;
}

/* ---- curves ---------------------------------------------------------------------------------- */

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
				    .x_title = "pair",
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
				    .x_title = is_of_places(k) ? "distance |s − t|"
							       : "distance of rows",
				    .y_title = "",
				    .integer_x = true,
				    .colormap = view_colormap(d, true)};
}

static void histogram_panel(const struct view_data *d, const struct shown_vectors *k,
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
				    .y_title = "",
				    .colormap = view_colormap(d, true)};
}

static void norms_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p)
{
	double *x, *y;
	const size_t n = k->v.rows.rows;
	struct series *const s = series_of(n, "", 0, a, &x, &y);
	for (size_t t = 0; t < n; t++) {
		x[t] = k->v.of_distances ? (double)k->sample.at[t] - (double)(k->sample.of / 2)
					 : (double)(k->sample.at[t] + 1);
		y[t] = k->norm[t];
	}
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "norms",
			    .title = "Lengths",
			    .subtitle = "the norm of each row",
			    .absent = n < 2 ? "there is one row only: no curve" : NULL};
	p->curves = (struct curves){.series = s,
				    .n = 1,
				    .x_title = is_of_places(k) ? "position t" : k->v.rows_are,
				    .y_title = "",
				    .integer_x = true,
				    .colormap = view_colormap(d, true)};
}

/* ---- the path -------------------------------------------------------------------------------- */

static const char *component(const struct shown_vectors *k, size_t i, struct arena *a)
{
	static const char *const names[] = {"first", "second"};
	return arena_printf(a, "%s component, %.0f %%", names[i], 100 * k->share[i]);
}

/* Fills the panel with the rows in a plane. They are in order, so they are joined: the path of
 * positions. */
static void path_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
		       struct panel *p)
{
	const size_t n = k->plane.rows;
	const bool named = k->v.of_units && !k->more_places && n == d->trace->key.n;
	*p = (struct panel){.kind = PANEL_PLANE,
			    .name = "path",
			    .title = "Principal components",
			    .note = k->plane_absent
					    ? NULL
					    : arena_printf(a, "%.0f %% of the variance",
							   100 * (k->share[0] + k->share[1])),
			    .subtitle = "in the plane of the first two principal components",
			    .absent = k->plane_absent};
	if (p->absent)
		return;
	const char *const *const names = k->v.of_distances ? distances(k, a) : NULL;
	struct plane_point *const at = arena_calloc(a, n + 1, sizeof *at);
	for (size_t t = 0; t < n; t++)
		at[t] = (struct plane_point){mat_row(k->plane, t)[0], mat_row(k->plane, t)[1],
					     named ? d->trace->key.names[t]
					     : k->v.of_distances
						     ? names[t]
						     : arena_printf(a, "%zu", k->sample.at[t] + 1)};
	p->plane = (struct plane){.n = n,
				  .at = at,
				  .joined = true,
				  .x_title = component(k, 0, a),
				  .y_title = component(k, 1, a)};
}

/* ---- the card -------------------------------------------------------------------------------- */

static void say_waves(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
		      struct card *card)
{
	const size_t n_pairs = k->v.angle.cols;
	card_add(
		card, "wavelengths", arena_printf(a, "%zu of %zu", k->turn, n_pairs),
		arena_printf(a,
			     "pairs rotate fully within %zu positions, %zu within t-max = %zu: the "
			     "others never repeat",
			     k->v.angle.rows, k->turned, d->built->model.config.t_max));
	if (k->v.trained) {
		double most = 0;
		for (size_t i = 0; i < n_pairs; i++)
			most = fmax(most, k->v.trained[i] / k->v.frequency[i]);
		card_add(card, "scaled", arena_printf(a, "%s times", vectors_number(most, 3, a)),
			 "the pair that was slowed down most");
	}
}

static const char *norm_range(const struct shown_vectors *k, struct arena *a)
{
	double least = INFINITY, most = 0;
	for (size_t t = 0; t < k->v.rows.rows; t++) {
		least = fmin(least, k->norm[t]);
		most = fmax(most, k->norm[t]);
	}
	return most - least <= 1e-9 * most ? vectors_number(most, 3, a)
					   : arena_printf(a, "%s … %s", vectors_number(least, 3, a),
							  vectors_number(most, 3, a));
}

static void say_rows(const struct shown_vectors *k, struct arena *a, struct card *card)
{
	card_add(card, "values",
		 arena_printf(a, "%s … %s", vectors_number(k->lo, 3, a),
			      vectors_number(k->hi, 3, a)),
		 k->v.kind == VECTORS_TURNS ? "angles in radians, from −π to π" : NULL);
	card_add(card, "length", norm_range(k, a), "norm of a row");
	if (!isnan(k->least))
		card_add(card, "cosine",
			 arena_printf(a, "%s … %s", vectors_number(k->least, 2, a),
				      vectors_number(k->most, 2, a)),
			 arena_printf(a, "of two different rows; of rows side by side %s, mean",
				      vectors_number(k->neighbour, 2, a)));
	if (!isnan(k->by.distance))
		card_add(card, "by distance", arena_printf(a, "%.0f %%", 100 * k->by.distance),
			 "of the variance of these cosines: 100 % where only the distance counts");
	else if (k->by.why && !isnan(k->least))
		card_add(card, "by distance", "n/a", k->by.why);
	if (!k->plane_absent)
		card_add(card, "plane",
			 arena_printf(a, "%.0f %%", 100 * (k->share[0] + k->share[1])),
			 "of the variance is in the first two principal components");
}

static const char *names_of(const struct shown_vectors *k, struct arena *a)
{
	enum { NAMED = 6 };
	const char *names = "";
	for (size_t i = 0; i < k->n && i < NAMED; i++)
		names = arena_printf(a, "%s%s%zu %s", names, i ? ", " : "", i + 1, k->list[i].name);
	return k->n > NAMED ? arena_printf(a, "%s …", names) : names;
}

static void card_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
		       struct panel *p)
{
	*p = (struct panel){.name = "card", .title = "Statistics", .paper_title = "Statistics"};
	struct card *const card = card_new(p, a);
	card_add(card, "rows", arena_printf(a, "%zu × %zu", k->v.at.rows, k->v.at.cols),
		 k->v.means);
	if (is_wave(k))
		say_waves(d, k, a, card);
	say_rows(k, a, card);
	const char *const part = sample_show(&k->sample, a);
	if (part)
		card_add(card, "part", part, NULL);
	if (k->more_places)
		card_add(card, "positions", arena_printf(a, "%zu", k->trace->key.n),
			 "of any words: the vectors depend on the position alone");
	if (k->n > 1)
		card_add(card, "set", arena_printf(a, "%zu of %zu", k->of + 1, k->n),
			 names_of(k, a));
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Draws the graph that the eigenvectors belong to. */
static bool graph_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p)
{
	return d->trace->spectrum.n > 0 && !k->more_places && view_drawing(d, d->trace, true, a, p);
}

static void vectors_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct shown_vectors *const k = d->kept;
	view_frame(d, k->absent ? "no vectors" : k->v.title, a, out);
	table_panel(d, k, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, k->absent ? 3 : 2, 0);
	out->n = 1;
	if (!k->absent) {
		cosine_panel(d, k, a, &out->panels[1]);
		view_place(&out->panels[1], 0, 2, 2, 1);
		(is_wave(k) ? waves_panel : by_distance_panel)(d, k, a, &out->panels[2]);
		view_place(&out->panels[2], 0, 4, 2, 2);
		path_panel(d, k, a, &out->panels[3]);
		view_place(&out->panels[3], 1, 1, 1, 4);
		histogram_panel(d, k, a, &out->panels[4]);
		view_place(&out->panels[4], 1, 2, 1, 5);
		norms_panel(d, k, a, &out->panels[5]);
		view_place(&out->panels[5], 1, 3, 1, 6);
		card_panel(d, k, a, &out->panels[6]);
		view_place(&out->panels[6], 1, 4, 2, 3);
		out->n = 7;
		if (graph_panel(d, k, a, &out->panels[7]))
			view_place(&out->panels[out->n++], 1, 0, 1, 2);
	}
	memset(out->col_weight, 4, 6);
	memcpy(out->row_weight, (unsigned char[]){5, 4}, 2);
	view_close(d, out);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static struct mat row_of(const double *at, size_t n, struct arena *a)
{
	const struct mat m = mat_new(a, 1, n);
	memcpy(m.at, at, n * sizeof *at);
	return m;
}

static void vectors_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct shown_vectors *const k = d->kept;
	const char *const why = k->absent ? arena_printf(a, "n/a: %s", k->absent) : NULL;
	const size_t n_pairs = k->v.angle.cols;
	numbers_say(out, "vectors.cosine.least", why ? NAN : k->least,
		    why ? why : vectors_number(k->least, 3, a), "of two different rows");
	if (why)
		return;
	numbers_say(out, "vectors.cosine.neighbour", k->neighbour,
		    vectors_number(k->neighbour, 3, a), "of rows side by side, mean");
	numbers_say(out, "vectors.cosine.by-distance", k->by.distance,
		    isnan(k->by.distance) ? arena_printf(a, "n/a: %s", k->by.why)
					  : arena_printf(a, "%.1f %%", 100 * k->by.distance),
		    "of the variance of the cosines of different rows");
	if (is_wave(k)) {
		numbers_say(out, "vectors.waves", (double)k->turn,
			    arena_printf(a, "%zu of %zu", k->turn, n_pairs),
			    arena_printf(a,
					 "pairs of columns that rotate fully within %zu positions",
					 k->v.angle.rows));
		numbers_add(out, "vectors.frequency", row_of(k->v.frequency, n_pairs, a));
	}
	if (k->v.trained)
		numbers_add(out, "vectors.frequency.trained", row_of(k->v.trained, n_pairs, a));
	numbers_add(out, "vectors.table", k->v.at);
	numbers_add(out, "vectors.cosine", k->cosine);
	numbers_add(out, "vectors.norms", row_of(k->norm, k->v.rows.rows, a));
	numbers_add(out, "vectors.histogram", row_of(k->bins, COSINE_BINS, a));
	numbers_add(out, "vectors.rows", k->v.rows);
	if (k->plane_absent)
		return;
	numbers_add(out, "vectors.plane", k->plane);
	numbers_add(out, "vectors.share", row_of(k->share, 2, a));
}

static size_t vectors_count(const void *kept)
{
	const struct shown_vectors *const k = kept;
	return k->n;
}

const struct view view_vectors = {"vectors",
				  "Vectors",
				  "Which vectors stand for positions?",
				  vectors_wants,
				  vectors_figure,
				  .keep = vectors_keep,
				  .numbers = vectors_numbers,
				  .vectors = vectors_count,
				  .broad = true};
