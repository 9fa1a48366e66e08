/* profile_panels.c: the panels of the view Profile. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/analysis/profile_columns.h"
#include "posviz/base/num.h"
#include "profile_in.h"

const struct profile_known *profile_shown(const struct view_data *d)
{
	return d->kept;
}

size_t profile_cells(const struct profile_known *k)
{
	return k->run.sizes.layers * k->run.sizes.heads;
}

/* Returns the number of the chosen head among all; SIZE_MAX: a mean is chosen. */
size_t profile_chosen(const struct view_data *d)
{
	const struct profile_sizes *const z = &profile_shown(d)->run.sizes;
	return view_layer(d) < z->layers && view_head(d) < z->heads
		       ? view_layer(d) * z->heads + view_head(d)
		       : SIZE_MAX;
}

const char *profile_name(const struct view_data *d, size_t cell, struct arena *a)
{
	const size_t heads = profile_shown(d)->run.sizes.heads;
	return profile_shown(d)->run.sizes.layers > 1
		       ? arena_printf(a, "%zu·%zu", cell / heads + 1, cell % heads + 1)
		       : arena_printf(a, "%zu", cell + 1);
}

static const char *const *numbered(size_t n, struct arena *a)
{
	const char **const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = arena_printf(a, "%zu", i + 1);
	return out;
}

/* Returns the heads that the filter leaves, in the order of layers, [*n]. */
static const size_t *filtered(const struct view_data *d, struct arena *a, size_t *n)
{
	static const char layer[] = "layer";
	const struct profile_known *const k = profile_shown(d);
	struct scene scene = *d->scene;
	scene.descending = false;
	return profile_order(&k->run.sizes, k->shown, &scene,
			     profile_name_find(layer, strlen(layer)), false, a, n);
}

/* ---- kernels ----------------------------------------------------------------------------------- */

/* The part of the distances that any head has: under a causal mask no key after the query. */
void profile_span(const struct profile_known *k, size_t *from, size_t *to)
{
	const size_t m = 2 * k->run.sizes.n - 1;
	*from = m;
	*to = 0;
	for (size_t c = 0; c < profile_cells(k); c++)
		for (size_t i = 0; i < m; i++)
			if (!isnan(k->heads[c].kernel[i])) {
				*from = i < *from ? i : *from;
				*to = i + 1 > *to ? i + 1 : *to;
			}
}

/* Returns the index of the largest value; n: all are the same within rounding, or there is none. */
static size_t largest(const double *y, size_t n)
{
	size_t best = n;
	double least = INFINITY;
	for (size_t i = 0; i < n; i++) {
		least = isnan(y[i]) ? least : fmin(least, y[i]);
		if (!isnan(y[i]) && (best == n || y[i] > y[best] + 1e-9))
			best = i;
	}
	return best < n && y[best] - least > 1e-9 ? best : n;
}

static const char *signed_text(double x, struct arena *a)
{
	return arena_printf(a, "%s%.0f", x < 0 ? "−" : "", fabs(x));
}

const char *profile_percent(double share, struct arena *a)
{
	return isnan(share) ? "–" : arena_printf(a, "%.0f %%", 100 * share + 0.0);
}

static const char *head_says(const struct profile_head *h, const char *name, struct arena *a)
{
	return arena_printf(
		a,
		"head %s: %s by distance, %s by the key's position, %s content; entropy %.2f nats, mean distance %.1f",
		name, profile_percent(h->distance, a), profile_percent(h->key, a),
		profile_percent(h->content, a), h->score[PROFILE_ENTROPY],
		h->score[PROFILE_DISTANCE]);
}

static void make_item(const struct view_data *d, const struct profile_known *k, size_t cell,
		      const double *x, size_t from, size_t n_x, double limit, struct arena *a,
		      struct multiple *out)
{
	const struct profile_head *const h = &k->heads[cell];
	const size_t n = k->run.sizes.n, heads = k->run.sizes.heads;
	const struct mat m = mat_zero(a, n, n);
	uint8_t *const allowed = arena_calloc(a, n, n);
	for (size_t i = 0; i < n * n && k->pairs[cell].at; i++) {
		allowed[i] = !isnan(k->pairs[cell].at[i]);
		m.at[i] = allowed[i] ? k->pairs[cell].at[i] : 0;
	}
	const struct paint paint = {.allowed = allowed,
				    .is_signed = true,
				    .ranged = true,
				    .lo = -limit,
				    .hi = limit,
				    .own = true,
				    .more_of = "attention",
				    .than = "the mean of the row"};
	struct panel map = {0};
	view_heatmap(d, m, &paint, a, &map);
	map.heatmap.row_labels = map.heatmap.col_labels = NULL;
	map.heatmap.has_cursor = false;
	map.heatmap.no_cursor = true;
	map.heatmap.row_title = "position t";
	map.heatmap.col_title = "position s";
	const char **const facts = arena_calloc(a, 2, sizeof *facts);
	facts[0] = profile_percent(h->distance, a);
	facts[1] = profile_percent(h->content, a);
	*out = (struct multiple){
		.name = profile_name(d, cell, a),
		.title = arena_printf(a, "layer %zu head %zu", cell / heads + 1, cell % heads + 1),
		.map = map.heatmap,
		.curve = h->kernel + from,
		.most = largest(h->kernel + from, n_x),
		.facts = facts,
		.choose = {arena_printf(a, "head %zu", cell % heads + 1),
			   arena_printf(a, "layer %zu", cell / heads + 1)}};
	if (out->most < n_x) {
		out->brief = arena_printf(a, "peak %s", signed_text(x[out->most], a));
		out->note = arena_printf(a, "peak at %s", signed_text(x[out->most], a));
	}
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

enum { FEW = 24 }; /* heads whose maps can be told apart */

/* The heads of a panel of kernels, and the distances that it shows. */
struct kernels {
	const struct profile_known *of;
	const size_t *heads; /* [n] */
	size_t n, from, to;
};

/* Fills the panel with a row for each head and a column for each distance, where heads are too many for maps. */
static void kernels_by_rows(const struct view_data *d, const struct kernels *k, double limit,
			    struct arena *a, struct panel *p)
{
	const size_t n = k->to - k->from;
	const struct mat m = mat_zero(a, k->n, n);
	uint8_t *const allowed = arena_calloc(a, k->n, n);
	const char **const rows = arena_calloc(a, k->n, sizeof *rows);
	const char **const cols = arena_calloc(a, n, sizeof *cols);
	for (size_t c = 0; c < k->n; c++) {
		rows[c] = profile_name(d, k->heads[c], a);
		for (size_t i = 0; i < n; i++) {
			const double y = k->of->heads[k->heads[c]].kernel[k->from + i];
			allowed[c * n + i] = !isnan(y);
			mat_row(m, c)[i] = isnan(y) ? 0 : y;
		}
	}
	for (size_t i = 0; i < n; i++)
		cols[i] = signed_text((double)(k->from + i) - (double)(k->of->run.sizes.n - 1), a);
	p->kind = PANEL_HEATMAP;
	p->subtitle =
		"f of the least-squares fit r(t) + f(s−t) to the logits of each head, over all windows";
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
	p->heatmap.linear = p->heatmap.no_means = false;
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = cols;
	p->heatmap.ruler = true;
}

static void kernels_by_maps(const struct view_data *d, const struct kernels *k, double limit,
			    struct arena *a, struct panel *p)
{
	static const char *const facts[] = {"distance", "content"};
	const size_t n_x = k->to - k->from;
	double *const x = arena_calloc(a, n_x, sizeof *x);
	for (size_t i = 0; i < n_x; i++)
		x[i] = (double)(k->from + i) - (double)(k->of->run.sizes.n - 1);
	struct multiples *const m = &p->multiples;
	*m = (struct multiples){.items = arena_calloc(a, k->n, sizeof *m->items),
				.n = k->n,
				.chosen = SIZE_MAX,
				.x = x,
				.n_x = n_x,
				.y_title = "by distance s−t",
				.n_facts = 2,
				.facts = facts,
				.what = "heads"};
	for (size_t c = 0; c < k->n; c++) {
		make_item(d, k->of, k->heads[c], x, k->from, n_x, limit, a, &m->items[c]);
		m->chosen = k->heads[c] == profile_chosen(d) ? c : m->chosen;
	}
	if (m->chosen != SIZE_MAX)
		m->says =
			head_says(&k->of->heads[k->heads[m->chosen]], m->items[m->chosen].name, a);
}

/* Returns the largest value that a panel of one of both shows, so that both have one scale. */
static double largest_of(const struct profile_known *k, const struct kernels *of, bool maps)
{
	const size_t n = k->run.sizes.n;
	double limit = 0;
	for (size_t c = 0; c < of->n; c++) {
		const size_t cell = of->heads[c];
		for (size_t i = 0; !maps && i < 2 * n - 1; i++)
			if (!isnan(k->heads[cell].kernel[i]))
				limit = fmax(limit, fabs(k->heads[cell].kernel[i]));
		for (size_t i = 0; maps && i < n * n && k->pairs[cell].at; i++)
			if (!isnan(k->pairs[cell].at[i]))
				limit = fmax(limit, fabs(k->pairs[cell].at[i]));
	}
	return k->other ? fmax(limit, largest_of(k->other, of, maps)) : limit;
}

void profile_kernels_panel(const struct view_data *d, bool other, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const struct profile_sizes *const z = &k->run.sizes;
	struct kernels of = {.of = other ? k->other : k};
	*p = (struct panel){
		.kind = PANEL_MULTIPLES,
		.name = "kernels",
		.title = !k->other
				 ? "Kernels: logits by distance"
				 : arena_printf(a, "%s: kernels", other ? k->other_name : k->name),
		.brief_title = !k->other ? "Kernels"
			       : other	 ? k->other_name
					 : k->name,
		.note = arena_printf(a, "%zu layer%s × %zu heads", z->layers,
				     z->layers == 1 ? "" : "s", z->heads),
		.subtitle =
			"mean logits of each pair of positions, less the mean of their row; curves: "
			"f of the least-squares fit r(t) + f(s−t) over all windows; one scale"};
	profile_span(k, &of.from, &of.to);
	of.heads = filtered(d, a, &of.n);
	if (of.from >= of.to)
		p->absent = k->heads[0].why ? k->heads[0].why : "no pair counts";
	else if (of.n == 0)
		p->absent = "no head fits the filter; profile-filter all shows every one";
	if (p->absent)
		return;
	const double limit = largest_of(k, &of, of.n <= FEW);
	(of.n > FEW ? kernels_by_rows : kernels_by_maps)(d, &of, limit > 0 ? limit : 1, a, p);
}

/* Returns what the scheme's own kernel is beside that of the head, or why there is none. */
static const char *own_words(const struct profile_known *k, const struct profile_head *h,
			     struct arena *a)
{
	if (!h->own)
		return k->own_why ? k->own_why : "the scheme's own kernel is to come";
	return arena_printf(
		a,
		"the scheme's own, without content, explains %s of it, and differs by %.2g on the "
		"average of pairs",
		profile_percent(h->own_like, a), h->own_apart);
}

/* Returns "43 % of the variance · 60 % is the scheme's own". */
static const char *curve_note(const struct profile_known *k, size_t cell, struct arena *a)
{
	const struct profile_head *const h = &k->heads[cell];
	const char *const share = profile_percent(h->distance, a);
	if (k->other)
		return arena_printf(a, "differ by %.2g", k->shown[cell].own_apart);
	if (!h->own || isnan(h->own_like))
		return arena_printf(a, "%s of the variance", share);
	return h->own_like > 0 ? arena_printf(a, "%s own", profile_percent(h->own_like, a))
			       : "unlike the scheme's";
}

/* Fills the panel of the chosen head's kernel with its interval; of a mean, of the first head. */
void profile_curve_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const size_t cell = profile_chosen(d) == SIZE_MAX ? 0 : profile_chosen(d);
	const struct profile_head *const h = &k->heads[cell];
	size_t from, to;
	profile_span(k, &from, &to);
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "kernel",
		.title = arena_printf(a, "Kernel of head %s", profile_name(d, cell, a)),
		.note = curve_note(k, cell, a),
		.short_note = profile_percent(h->distance, a),
		.subtitle = arena_printf(
			a,
			"f of the fit r(t) + f(s−t) to the logits, of mean 0 over pairs; band: 95 %% of %zu windows%s",
			k->windows, k->other ? "" : arena_printf(a, "; %s", own_words(k, h, a))),
		.absent = h->why       ? h->why
			  : from >= to ? "no pair counts"
				       : NULL};
	p->paper_title = p->title;
	if (p->absent)
		return;
	const size_t n = to - from;
	struct series *const series = arena_calloc(a, 2, sizeof *series);
	double *const x = arena_calloc(a, n, sizeof *x), *const lo = arena_calloc(a, n, sizeof *lo);
	double *const hi = arena_calloc(a, n, sizeof *hi);
	for (size_t i = 0; i < n; i++) {
		const double half = h->kernel_half[from + i], y = h->kernel[from + i];
		x[i] = (double)(from + i) - (double)(k->run.sizes.n - 1);
		lo[i] = y - (isnan(half) ? 0 : half);
		hi[i] = y + (isnan(half) ? 0 : half);
	}
	series[0] = (struct series){.label = k->other ? k->name : "kernel",
				    .n = n,
				    .x = x,
				    .y = h->kernel + from,
				    .lo = lo,
				    .hi = hi,
				    .active = true};
	p->no_cursor = true;
	p->curves = (struct curves){.series = series,
				    .n = 1,
				    .x_title = "distance s−t",
				    .y_title = "",
				    .integer_x = true};
	const double *const beside = k->other ? k->other->heads[cell].kernel : h->own;
	if (beside)
		series[p->curves.n++] =
			(struct series){.label = k->other ? k->other_name : "scheme's",
					.n = n,
					.x = x,
					.y = beside + from,
					.colour = 1};
	view_curves(d, a, &p->curves);
}

/* ---- layers by heads, and bands by heads -------------------------------------------------------- */

static void mark_chosen(struct heatmap *h, size_t row, size_t col, struct arena *a)
{
	struct mark *const mark = arena_calloc(a, 1, sizeof *mark);
	*mark = (struct mark){.kind = MARK_CELL, .row = row, .col = col};
	h->marks = mark;
	h->n_marks = 1;
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
	if (profile_chosen(d) != SIZE_MAX)
		mark_chosen(&p->heatmap, view_layer(d), view_head(d), a);
}

void profile_bands_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const size_t cells = profile_cells(k), bands = k->run.sizes.bands;
	const bool many = cells > FEW; /* then they are the rows, which may be many */
	const struct mat m = mat_zero(a, bands, cells);
	const char **const rows = arena_calloc(a, bands, sizeof *rows);
	const char **const cols = arena_calloc(a, cells, sizeof *cols);
	double most = 0;
	int widest = 0;
	for (size_t i = 0; i < bands; i++) {
		double rate = NAN;
		for (size_t l = 0; l < k->run.sizes.layers && isnan(rate); l++)
			rate = mat_row(k->run.rates, l)[i];
		char text[32];
		rows[i] = arena_strdup(a, num_show(text, sizeof text, 2 * M_PI / rate, 2));
		widest = (int)fmax(widest, (double)text_width(rows[i]));
		for (size_t c = 0; c < cells; c++) {
			mat_row(m, i)[c] = k->heads[c].band ? k->heads[c].band[i] : 0;
			most = fmax(most, fabs(mat_row(m, i)[c]));
		}
	}
	for (size_t c = 0; c < cells; c++)
		cols[c] = profile_name(d, c, a);
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "bands",
		.title = "Bands by heads",
		.brief_title = "Bands",
		.note = "share of the variance",
		.short_note = "share by wavelength",
		.subtitle =
			"share of the variance of a head's logits within rows that the pairs of "
			"columns of each wavelength make; below 0: it works against the others"};
	view_heatmap(d, many ? mat_transpose(a, m) : m,
		     &(struct paint){.is_signed = true,
				     .ranged = true,
				     .lo = -most,
				     .hi = most > 0 ? most : 1,
				     .own = true},
		     a, p);
	const char *const heads = k->run.sizes.layers > 1 ? "layer·head" : "head";
	own_axes(&p->heatmap, many ? heads : "wavelength", many ? "wavelength" : heads);
	p->heatmap.row_labels = many ? cols : rows;
	p->heatmap.col_labels = many ? rows : cols;
	p->heatmap.label_cols = many ? 0 : widest; /* a number that is cut is another */
	p->heatmap.no_means = !many;
}
