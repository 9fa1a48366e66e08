/* profile_panels.c: the panels of the view Profile. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "profile_in.h"

static const struct profile_known *shown(const struct view_data *d)
{
	return d->kept;
}

static size_t cells_of(const struct profile_known *k)
{
	return k->run.sizes.layers * k->run.sizes.heads;
}

/* Returns the number of the chosen head among all; SIZE_MAX: a mean is chosen. */
static size_t chosen(const struct view_data *d)
{
	const struct profile_sizes *const z = &shown(d)->run.sizes;
	return view_layer(d) < z->layers && view_head(d) < z->heads
		       ? view_layer(d) * z->heads + view_head(d)
		       : SIZE_MAX;
}

static const char *name_of(const struct view_data *d, size_t cell, struct arena *a)
{
	const size_t heads = shown(d)->run.sizes.heads;
	return shown(d)->run.sizes.layers > 1
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

/* ---- kernels ----------------------------------------------------------------------------------- */

/* The part of the distances that any head has: under a causal mask no key after the query. */
static void find_span(const struct profile_known *k, size_t *from, size_t *to)
{
	const size_t m = 2 * k->run.sizes.n - 1;
	*from = m;
	*to = 0;
	for (size_t c = 0; c < cells_of(k); c++)
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

static const char *percent(double share, struct arena *a)
{
	return isnan(share) ? "–" : arena_printf(a, "%.0f %%", 100 * share);
}

static const char *head_says(const struct profile_head *h, const char *name, struct arena *a)
{
	return arena_printf(
		a,
		"head %s: %s by distance, %s by the key's position, %s content; entropy %.2f nats, mean distance %.1f",
		name, percent(h->distance, a), percent(h->key, a), percent(h->content, a),
		h->score[PROFILE_ENTROPY], h->score[PROFILE_DISTANCE]);
}

static void make_item(const struct view_data *d, size_t cell, const double *x, size_t from,
		      size_t n_x, double limit, struct arena *a, struct multiple *out)
{
	const struct profile_known *const k = shown(d);
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
	facts[0] = percent(h->distance, a);
	facts[1] = percent(h->content, a);
	*out = (struct multiple){
		.name = name_of(d, cell, a),
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

/* Fills the panel with a row for each head and a column for each distance, where heads are too many for maps. */
static void kernels_by_rows(const struct view_data *d, size_t from, size_t to, struct arena *a,
			    struct panel *p)
{
	const struct profile_known *const k = shown(d);
	const size_t cells = cells_of(k), n = to - from;
	const struct mat m = mat_zero(a, cells, n);
	uint8_t *const allowed = arena_calloc(a, cells, n);
	const char **const rows = arena_calloc(a, cells, sizeof *rows);
	const char **const cols = arena_calloc(a, n, sizeof *cols);
	double limit = 0;
	for (size_t c = 0; c < cells; c++) {
		rows[c] = name_of(d, c, a);
		for (size_t i = 0; i < n; i++) {
			const double y = k->heads[c].kernel[from + i];
			allowed[c * n + i] = !isnan(y);
			mat_row(m, c)[i] = isnan(y) ? 0 : y;
			limit = fmax(limit, fabs(mat_row(m, c)[i]));
		}
	}
	for (size_t i = 0; i < n; i++)
		cols[i] = signed_text((double)(from + i) - (double)(k->run.sizes.n - 1), a);
	p->kind = PANEL_HEATMAP;
	p->subtitle =
		"f of the least-squares fit r(t) + f(s−t) to the logits of each head, over all windows";
	view_heatmap(d, m,
		     &(struct paint){.allowed = allowed,
				     .is_signed = true,
				     .ranged = true,
				     .lo = -limit,
				     .hi = limit > 0 ? limit : 1,
				     .own = true,
				     .more_of = "attention"},
		     a, p);
	own_axes(&p->heatmap, k->run.sizes.layers > 1 ? "layer·head" : "head", "distance s−t");
	p->heatmap.linear = p->heatmap.no_means = false;
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = cols;
	p->heatmap.ruler = true;
}

void profile_kernels_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	static const char *const facts[] = {"distance", "content"};
	const struct profile_known *const k = shown(d);
	const struct profile_sizes *const z = &k->run.sizes;
	const size_t cells = cells_of(k);
	size_t from, to;
	double limit = 0;
	*p = (struct panel){
		.kind = PANEL_MULTIPLES,
		.name = "kernels",
		.title = "Kernels: logits by distance",
		.brief_title = "Kernels",
		.note = arena_printf(a, "%zu layer%s × %zu heads", z->layers,
				     z->layers == 1 ? "" : "s", z->heads),
		.subtitle =
			"mean logits of each pair of positions, less the mean of their row; curves: "
			"f of the least-squares fit r(t) + f(s−t) over all windows; one scale"};
	find_span(k, &from, &to);
	if (from >= to) {
		p->absent = k->heads[0].why ? k->heads[0].why : "no pair counts";
		return;
	}
	if (cells > FEW) {
		kernels_by_rows(d, from, to, a, p);
		return;
	}
	double *const x = arena_calloc(a, to - from, sizeof *x);
	for (size_t i = from; i < to; i++)
		x[i - from] = (double)i - (double)(z->n - 1);
	for (size_t c = 0; c < cells; c++)
		for (size_t i = 0; i < z->n * z->n && k->pairs[c].at; i++)
			limit = isnan(k->pairs[c].at[i]) ? limit
							 : fmax(limit, fabs(k->pairs[c].at[i]));
	struct multiples *const m = &p->multiples;
	*m = (struct multiples){.items = arena_calloc(a, cells, sizeof *m->items),
				.n = cells,
				.chosen = chosen(d),
				.x = x,
				.n_x = to - from,
				.y_title = "by distance s−t",
				.n_facts = 2,
				.facts = facts,
				.what = "heads"};
	for (size_t c = 0; c < cells; c++)
		make_item(d, c, x, from, to - from, limit > 0 ? limit : 1, a, &m->items[c]);
	if (m->chosen != SIZE_MAX)
		m->says = head_says(&k->heads[m->chosen], m->items[m->chosen].name, a);
}

/* Fills the panel of the chosen head's kernel with its interval; of a mean, of the first head. */
void profile_curve_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = shown(d);
	const size_t cell = chosen(d) == SIZE_MAX ? 0 : chosen(d);
	const struct profile_head *const h = &k->heads[cell];
	size_t from, to;
	find_span(k, &from, &to);
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "kernel",
		.title = arena_printf(a, "Kernel of head %s", name_of(d, cell, a)),
		.note = arena_printf(a, "%s of the variance", percent(h->distance, a)),
		.short_note = percent(h->distance, a),
		.subtitle = arena_printf(
			a,
			"f of the fit r(t) + f(s−t) to the logits, of mean 0 over pairs; band: 95 %% of %zu windows",
			k->windows),
		.absent = h->why       ? h->why
			  : from >= to ? "no pair counts"
				       : NULL};
	p->paper_title = p->title;
	if (p->absent)
		return;
	const size_t n = to - from;
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	double *const x = arena_calloc(a, n, sizeof *x), *const lo = arena_calloc(a, n, sizeof *lo);
	double *const hi = arena_calloc(a, n, sizeof *hi);
	for (size_t i = 0; i < n; i++) {
		const double half = h->kernel_half[from + i], y = h->kernel[from + i];
		x[i] = (double)(from + i) - (double)(k->run.sizes.n - 1);
		lo[i] = y - (isnan(half) ? 0 : half);
		hi[i] = y + (isnan(half) ? 0 : half);
	}
	*series = (struct series){.label = "kernel",
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
	const struct profile_known *const k = shown(d);
	const struct profile_sizes *const z = &k->run.sizes;
	const struct mat m = mat_new(a, z->layers, z->heads);
	double most = 0;
	bool any = false;
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "position",
		.title = "How much is position",
		.brief_title = "Position",
		.note = "share of the variance",
		.short_note = "share",
		.subtitle = "by distance and by the key's position; layers down, heads across"};
	for (size_t i = 0; i < z->layers * z->heads; i++) {
		const double share = k->heads[i].distance + k->heads[i].key;
		m.at[i] = isnan(share) ? 0 : share;
		any |= !isnan(share);
		most = fmax(most, m.at[i]);
	}
	if (!any) {
		p->absent = "no head's logits vary within rows";
		return;
	}
	view_heatmap(
		d, m,
		&(struct paint){.ranged = true, .lo = 0, .hi = most > 0 ? most : 1, .own = true}, a,
		p);
	own_axes(&p->heatmap, "layer", "head");
	p->heatmap.row_labels = numbered(z->layers, a);
	p->heatmap.col_labels = numbered(z->heads, a);
	if (chosen(d) != SIZE_MAX)
		mark_chosen(&p->heatmap, view_layer(d), view_head(d), a);
}

void profile_bands_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = shown(d);
	const size_t cells = cells_of(k), bands = k->run.sizes.bands;
	const bool many = cells > FEW; /* then they are the rows, which may be many */
	const struct mat m = mat_zero(a, bands, cells);
	const char **const rows = arena_calloc(a, bands, sizeof *rows);
	const char **const cols = arena_calloc(a, cells, sizeof *cols);
	double most = 0;
	for (size_t i = 0; i < bands; i++) {
		double rate = NAN;
		for (size_t l = 0; l < k->run.sizes.layers && isnan(rate); l++)
			rate = mat_row(k->run.rates, l)[i];
		char text[32];
		rows[i] = arena_strdup(a, num_show(text, sizeof text, 2 * M_PI / rate, 2));
		for (size_t c = 0; c < cells; c++) {
			mat_row(m, i)[c] = k->heads[c].band ? k->heads[c].band[i] : 0;
			most = fmax(most, fabs(mat_row(m, i)[c]));
		}
	}
	for (size_t c = 0; c < cells; c++)
		cols[c] = name_of(d, c, a);
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
	p->heatmap.no_means = !many;
}

/* ---- the plane ----------------------------------------------------------------------------------- */

void profile_plane_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = shown(d);
	const size_t cells = cells_of(k);
	struct plane_point *const at = arena_calloc(a, cells, sizeof *at);
	double far = 0;
	for (size_t c = 0; c < cells; c++)
		far = isnan(k->heads[c].score[PROFILE_DISTANCE])
			      ? far
			      : fmax(far, k->heads[c].score[PROFILE_DISTANCE]);
	for (size_t c = 0; c < cells; c++) {
		const struct profile_head *const h = &k->heads[c];
		at[c] = (struct plane_point){.x = 100 * (h->distance + h->key),
					     .y = far > 0 ? 100 * h->score[PROFILE_DISTANCE] / far
							  : NAN,
					     .label = name_of(d, c, a)};
	}
	*p = (struct panel){
		.kind = PANEL_PLANE,
		.name = "plane",
		.title = "Position, and how far",
		.brief_title = "Plane",
		.note = arena_printf(a, "%zu heads", cells),
		.subtitle = "a point for each head",
		.plane = {.n = cells,
			  .at = at,
			  .x_title = "% of the variance that is position",
			  .x_brief = "% position",
			  .y_title = arena_printf(a, "mean distance, %% of %.1f tokens", far),
			  .y_brief = "distance",
			  .gathers = true,
			  .has_cursor = chosen(d) != SIZE_MAX,
			  .cursor = chosen(d) == SIZE_MAX ? 0 : chosen(d)}};
}

/* ---- the table, and what stands out --------------------------------------------------------------- */

enum { TABLE_COLS = 4 + PROFILE_SCORES };

static const char *score_text(const struct profile_head *h, size_t i, struct arena *a)
{
	const double value = h->score[i];
	return isnan(value) ? "–" : arena_printf(a, "%.2f%s", value, h->stands[i] ? "*" : " ");
}

/* The rows: all heads, that with the largest share of position first. */
static size_t *order_rows(const struct profile_known *k, struct arena *a)
{
	const size_t cells = cells_of(k);
	size_t *const out = arena_calloc(a, cells, sizeof *out);
	for (size_t c = 0; c < cells; c++) {
		const double share = k->heads[c].distance + k->heads[c].key;
		size_t at = c;
		for (; at > 0; at--) {
			const struct profile_head *const h = &k->heads[out[at - 1]];
			const double other = h->distance + h->key;
			if (!(share > other || (isnan(other) && !isnan(share))))
				break;
			out[at] = out[at - 1];
		}
		out[at] = c;
	}
	return out;
}

void profile_table_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	static const unsigned char priority[TABLE_COLS] = {0, 1, 2, 2, 3, 3, 6, 4, 5, 5, 4, 5};
	const struct profile_known *const k = shown(d);
	const size_t cells = cells_of(k), *const order = order_rows(k, a);
	const char **const head = arena_calloc(a, TABLE_COLS, sizeof *head);
	const char **const at = arena_calloc(a, cells * TABLE_COLS, sizeof *at);
	bool *const right = arena_calloc(a, TABLE_COLS, sizeof *right);
	bool *const marked = arena_calloc(a, cells, sizeof *marked);
	head[0] = k->run.sizes.layers > 1 ? "layer·head" : "head";
	head[1] = "distance";
	head[2] = "key";
	head[3] = "content";
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		head[4 + i] = i == PROFILE_DISTANCE ? "tokens" : profile_scores[i].name;
	for (size_t i = 1; i < TABLE_COLS; i++)
		right[i] = true;
	for (size_t r = 0; r < cells; r++) {
		const struct profile_head *const h = &k->heads[order[r]];
		const char **const row = at + r * TABLE_COLS;
		row[0] = name_of(d, order[r], a);
		row[1] = percent(h->distance, a);
		row[2] = percent(h->key, a);
		row[3] = percent(h->content, a);
		for (size_t i = 0; i < PROFILE_SCORES; i++)
			row[4 + i] = score_text(h, i, a);
		marked[r] = order[r] == chosen(d);
	}
	*p = (struct panel){
		.kind = PANEL_TABLE,
		.name = "scores",
		.title = "Shares and scores, most position first",
		.brief_title = "Shares and scores",
		.note = k->noise ? "* beyond noise heads" : "noise heads to come",
		.short_note = "* beyond noise",
		.subtitle =
			"shares of the variance of logits within rows; scores of the weights, with a star "
			"beyond 99.9 % of 10000 noise heads",
		.table = {
			.rows = cells,
			.cols = TABLE_COLS,
			.head = head,
			.cells = at,
			.right = right,
			.priority = priority,
			.marked = marked,
			.from_top = true,
			.legend =
				"previous, first, same: weight of the token before, of token 1, of other "
				"occurrences; induction: of what followed them, on repeated random tokens; "
				"local: within 8; tokens: mean distance; order: change when tokens farther than 8 "
				"are shuffled"}};
}

void profile_card_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = shown(d);
	const char *facts[PROFILE_FACTS];
	*p = (struct panel){.name = "card", .title = "What stands out"};
	struct card *const card = card_new(p, a);
	const size_t n = profile_facts(&k->run, k->heads, a, facts);
	for (size_t i = 0; i < n; i++)
		card->about =
			arena_printf(a, "%s%s%s", i ? card->about : "", i ? " " : "", facts[i]);
	card_add(card, "measured", profile_made(&k->run, k->windows, a),
		 k->to_come > 0 ? "more to come" : NULL);
}
