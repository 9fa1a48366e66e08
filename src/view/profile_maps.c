/* profile_maps.c: the maps of the view Profile: kernels of all heads, bands by heads, and layers by heads. */
#include <math.h>

#include "posviz/base/num.h"
#include "profile_in.h"

static const char *const *numbered(size_t n, struct arena *a)
{
	const char **const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = arena_printf(a, "%zu", i + 1);
	return out;
}

static const char *signed_text(double x, struct arena *a)
{
	return arena_printf(a, "%s%.0f", x < 0 ? "−" : "", fabs(x));
}

static void own_axes(struct heatmap *h, const char *row, const char *col)
{
	h->no_cursor = true;
	h->has_cursor = false;
	h->row_title = row;
	h->col_title = col;
	h->linear = true;
	h->broad = true;
	h->no_means = true;
}

static void mark_chosen(struct heatmap *h, enum mark_kind kind, size_t row, size_t col,
			struct arena *a)
{
	struct mark *const mark = arena_calloc(a, 1, sizeof *mark);
	*mark = (struct mark){.kind = kind, .row = row, .col = col};
	h->marks = mark;
	h->n_marks = 1;
}

/* ---- kernels ----------------------------------------------------------------------------------- */

/* The heads of a panel of kernels, and the distances that it shows: column i has those from edge[i] up to
 * edge[i + 1], as indices of a kernel. */
struct kernels {
	const struct profile_known *of;
	const size_t *heads; /* [n] */
	size_t n, from, to;
	size_t *edge, cols;
	bool fine; /* two columns an octave */
};

enum { ONE_EACH = 24 }; /* columns up to which each distance has its own */
enum { FINE = 14 };	/* columns up to which an octave has two */

/* Returns the number of the group of a distance: 0, 1, 2–3, 4–7, 8–15, …; in halves of these if `fine`: 0, 1, 2, 3,
 * 4–5, 6–7, 8–11, 12–15, … */
static size_t group_of(size_t distance, bool fine)
{
	size_t octave = 0;
	if (distance < 2)
		return 2 * distance;
	while (distance >> (octave + 1))
		octave++;
	return 2 * octave + 2 + (fine ? distance >> (octave - 1) & 1 : 0);
}

static size_t apart(const struct kernels *k, size_t i)
{
	const size_t zero = k->of->run.sizes.n - 1;
	return i > zero ? i - zero : zero - i;
}

static void part_by(struct kernels *k, bool fine)
{
	const size_t zero = k->of->run.sizes.n - 1, n = k->to - k->from;
	k->cols = 0;
	for (size_t i = k->from; i < k->to; i++)
		if (i == k->from || n <= ONE_EACH || i == zero + 1 ||
		    group_of(apart(k, i), fine) != group_of(apart(k, i - 1), fine))
			k->edge[k->cols++] = i;
	k->edge[k->cols] = k->to;
}

static void part_distances(struct kernels *k, struct arena *a)
{
	k->edge = arena_calloc(a, k->to - k->from + 1, sizeof *k->edge);
	part_by(k, true);
	k->fine = k->cols <= FINE;
	if (!k->fine)
		part_by(k, false);
}

/* Returns whether a column that begins at this distance has a label: where all have two columns an octave, 0, 2, 4, 8,
 * …, else 0, 2, 8, 32, …; so that labels stand in one line. */
static bool has_label(const struct kernels *k, size_t distance)
{
	size_t octave = 0;
	while (distance >> (octave + 1))
		octave++;
	return distance == 0 ||
	       (distance == (size_t)1 << octave && distance > 1 && (k->fine || octave % 2 == 1));
}

/* Returns the nearest distance of column i; "": it has no label. */
static const char *distance_label(const struct kernels *k, size_t i, struct arena *a)
{
	const size_t zero = k->of->run.sizes.n - 1, first = k->edge[i], last = k->edge[i + 1] - 1;
	const size_t near = apart(k, first) < apart(k, last) ? first : last;
	return k->to - k->from <= ONE_EACH || has_label(k, apart(k, near))
		       ? signed_text((double)near - (double)zero, a)
		       : "";
}

/* Returns the mean of a kernel over column i; NaN: it has no value there. */
static double mean_over(const struct kernels *k, size_t head, size_t i)
{
	const double *const kernel = k->of->heads[head].kernel;
	double sum = 0, n = 0;
	for (size_t x = k->edge[i]; x < k->edge[i + 1]; x++)
		if (!isnan(kernel[x])) {
			sum += kernel[x];
			n++;
		}
	return n > 0 ? sum / n : NAN;
}

/* Fills the panel with a row for each head and a column for each distance or group of distances. */
static void kernels_by_rows(const struct view_data *d, const struct kernels *k, double limit,
			    struct arena *a, struct panel *p)
{
	const struct mat m = mat_zero(a, k->n, k->cols);
	uint8_t *const allowed = arena_calloc(a, k->n, k->cols);
	const char **const rows = arena_calloc(a, k->n, sizeof *rows);
	const char **const cols = arena_calloc(a, k->cols, sizeof *cols);
	const size_t shown = profile_chosen(d);
	size_t chosen = k->n;
	for (size_t c = 0; c < k->n; c++) {
		rows[c] = profile_name(d, k->heads[c], a);
		chosen = k->heads[c] == shown ? c : chosen;
		for (size_t i = 0; i < k->cols; i++) {
			const double y = mean_over(k, k->heads[c], i);
			allowed[c * k->cols + i] = !isnan(y);
			mat_row(m, c)[i] = isnan(y) ? 0 : y;
		}
	}
	for (size_t i = 0; i < k->cols; i++)
		cols[i] = distance_label(k, i, a);
	view_heatmap(d, m,
		     &(struct paint){.allowed = allowed,
				     .is_signed = true,
				     .ranged = true,
				     .lo = -limit,
				     .hi = limit,
				     .own = true,
				     .more_of = "attention"},
		     a, p);
	own_axes(&p->heatmap, k->of->run.sizes.layers > 1 ? "layer·head" : "head", "distance s−t");
	p->heatmap.linear = false;
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = cols;
	p->heatmap.ruler = true;
	if (chosen < k->n)
		mark_chosen(&p->heatmap, MARK_ROW, chosen, 0, a);
}

/* Returns the largest value that a panel of one of both shows, so that both have one scale. */
static double largest_of(const struct profile_known *k, const struct kernels *shown)
{
	struct kernels of = *shown;
	double limit = 0;
	of.of = k;
	for (size_t c = 0; c < of.n; c++)
		for (size_t i = 0; i < of.cols; i++)
			limit = fmax(limit, fabs(mean_over(&of, of.heads[c], i))); /* not NaN */
	return k->other ? fmax(limit, largest_of(k->other, &of)) : limit;
}

void profile_kernels_panel(const struct view_data *d, bool other, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	struct kernels of = {.of = other ? k->other : k};
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "kernels",
		.title = !k->other
				 ? "All heads: logits by distance"
				 : arena_printf(a, "%s: kernels", other ? k->other_name : k->name),
		.brief_title = !k->other ? "By distance"
			       : other	 ? k->other_name
					 : k->name,
		.subtitle =
			"f of the least-squares fit r(t) + f(s−t) to the logits of each head, over all windows"};
	profile_span(k, &of.from, &of.to);
	of.heads = profile_filtered(d, a, &of.n);
	if (of.from >= of.to)
		p->absent = k->heads[0].why ? k->heads[0].why : "no pair counts";
	else if (of.n == 0)
		p->absent = "no head fits the filter; profile-filter all shows every one";
	if (p->absent)
		return;
	part_distances(&of, a);
	if (of.cols < of.to - of.from) {
		p->note = of.fine ? "grouped: −8 means −8 to −11" : "grouped: −8 means −8 to −15";
		p->short_note = of.fine ? "−8 means −8 to −11" : "−8 means −8 to −15";
		p->subtitle =
			arena_printf(a, "%s; distances %s, … share a column, which is their mean",
				     p->subtitle, of.fine ? "4–5, 6–7, 8–11" : "2–3, 4–7, 8–15");
	}
	const double limit = largest_of(k, &of);
	kernels_by_rows(d, &of, limit > 0 ? limit : 1, a, p);
}

/* ---- layers by heads, and bands by heads -------------------------------------------------------- */

bool profile_has_position(const struct profile_known *k)
{
	enum { FEW = 24 };
	return profile_cells(k) > FEW;
}

void profile_position_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const struct profile_sizes *const z = &k->run.sizes;
	const struct mat m = mat_new(a, z->layers, z->heads);
	double most = 0, least = 0;
	bool any = false;
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "position",
		.title = k->other ? "How much more is position" : "How much is position",
		.brief_title = "Position",
		.note = k->other ? arena_printf(a, "%s less %s", k->other_name, k->name)
				 : "share of the variance",
		.short_note = "share",
		.subtitle = "by distance and by the key's position; layers down, heads across"};
	for (size_t i = 0; i < z->layers * z->heads; i++) {
		const double share = k->shown[i].distance + k->shown[i].key;
		m.at[i] = isnan(share) ? 0 : share;
		any |= !isnan(share);
		most = fmax(most, fabs(m.at[i]));
		least = k->other ? -most : 0;
	}
	if (!any) {
		p->absent = "no head's logits vary within rows";
		return;
	}
	view_heatmap(d, m,
		     &(struct paint){.ranged = true,
				     .is_signed = k->other != NULL,
				     .lo = least,
				     .hi = most > 0 ? most : 1,
				     .own = true},
		     a, p);
	own_axes(&p->heatmap, "layer", "head");
	p->heatmap.row_labels = numbered(z->layers, a);
	p->heatmap.col_labels = numbered(z->heads, a);
	const size_t shown = profile_chosen(d);
	if (shown != SIZE_MAX)
		mark_chosen(&p->heatmap, MARK_CELL, shown / z->heads, shown % z->heads, a);
}

/* Bands in columns: `each` of them in one, whose share is their sum. */
struct band_columns {
	size_t each, n;
};

static struct band_columns columns_of(size_t bands)
{
	enum { MOST = 16 };
	const size_t each = (bands + MOST - 1) / MOST;
	return (struct band_columns){each, (bands + each - 1) / each};
}

/* Returns of how many columns one has a label, so that labels stand in one line. */
static size_t label_step(size_t columns)
{
	enum { ALL = 6, SOME = 12 };
	return columns <= ALL ? 1 : columns <= SOME ? 2 : 4;
}

/* Returns the rate of a band in the first layer that rotates it; NaN: none does. */
static double rate_of(const struct profile_known *k, size_t band)
{
	double rate = NAN;
	for (size_t l = 0; l < k->run.sizes.layers && isnan(rate); l++)
		rate = mat_row(k->run.rates, l)[band];
	return rate;
}

/* Returns whether all layers that rotate have the same wavelengths. */
static bool one_rotation(const struct profile_known *k)
{
	for (size_t i = 0; i < k->run.sizes.bands; i++)
		for (size_t l = 0; l < k->run.sizes.layers; l++) {
			const double rate = mat_row(k->run.rates, l)[i], first = rate_of(k, i);
			if (!isnan(rate) && fabs(rate - first) > 1e-9 * fabs(first))
				return false;
		}
	return true;
}

/* Returns the wavelength of each column's first band, in positions, or where layers differ in it the number of its
 * pair. */
static const char *const *band_names(const struct profile_known *k, struct band_columns of,
				     bool waves, struct arena *a)
{
	const char **const out = arena_calloc(a, of.n, sizeof *out);
	for (size_t i = 0; i < of.n; i++) {
		char text[32];
		out[i] = i % label_step(of.n) > 0 ? ""
			 : waves		  ? arena_strdup(a, num_show(text, sizeof text,
									     2 * M_PI / rate_of(k, i * of.each), 2))
						  : arena_printf(a, "%zu", i * of.each + 1);
	}
	return out;
}

/* Returns the shares of heads by columns of bands, and the largest. */
static struct mat band_shares(const struct profile_known *k, const size_t *heads, size_t n,
			      struct band_columns of, struct arena *a, double *most)
{
	const struct mat m = mat_zero(a, n, of.n);
	*most = 0;
	for (size_t c = 0; c < n; c++) {
		const double *const band = k->heads[heads[c]].band;
		for (size_t i = 0; band && i < k->run.sizes.bands; i++)
			mat_row(m, c)[i / of.each] += band[i];
		for (size_t i = 0; i < of.n; i++)
			*most = fmax(*most, fabs(mat_row(m, c)[i]));
	}
	return m;
}

void profile_bands_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const struct band_columns columns = columns_of(k->run.sizes.bands);
	const bool waves = one_rotation(k);
	size_t n;
	const size_t *const of = profile_filtered(d, a, &n);
	const char **const rows = arena_calloc(a, n + 1, sizeof *rows);
	double most;
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "bands",
		.title = waves ? "All heads: share by wavelength" : "All heads: share by pair",
		.brief_title = waves ? "By wavelength" : "By pair",
		.note = waves ? "wavelength in positions" : "wavelengths differ by layer",
		.short_note = waves ? "in positions" : "fast to slow",
		.paper_note = "share of the variance",
		.subtitle =
			waves ? "share of the variance of a head's logits within rows that the pairs of "
				"columns of each wavelength make; below 0: it works against the others"
			      : "share of the variance of a head's logits within rows that each pair of "
				"columns makes, the fastest first: layers rotate it at different rates; "
				"below 0: it works against the others",
		.absent = n == 0 ? "no head fits the filter; profile-filter all shows every one"
				 : NULL};
	if (p->absent)
		return;
	for (size_t c = 0; c < n; c++)
		rows[c] = profile_name(d, of[c], a);
	const struct mat m = band_shares(k, of, n, columns, a, &most);
	view_heatmap(d, m,
		     &(struct paint){.is_signed = true,
				     .ranged = true,
				     .lo = -most,
				     .hi = most > 0 ? most : 1,
				     .own = true},
		     a, p);
	own_axes(&p->heatmap, k->run.sizes.layers > 1 ? "layer·head" : "head",
		 waves ? "wavelength, positions" : "pair of columns");
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = band_names(k, columns, waves, a);
	p->heatmap.ruler = true;
	const size_t shown = profile_chosen(d);
	for (size_t c = 0; c < n; c++)
		if (of[c] == shown)
			mark_chosen(&p->heatmap, MARK_ROW, c, 0, a);
}
